"""Files made to harm, and files that go wrong while they are read: a message that names file and record, the rest read, memory bounded."""

import gzip
import io
import lzma
import os
import sys
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Paper, Unread
from kg.readers import limits, opening, read, sources
from kg.readers import read_file as read_source
from kg.readers.source import SourceFile
from kg.readers.xml_bound import Bounded

GOOD = b'{"title": "Good Kites", "abstract": "We fly."}\n'


def outcome(path: Path) -> tuple[list[str], list[Unread]]:
    items = list(read([path]))
    return [item.title for item in items if isinstance(item, Paper)], [item for item in items if isinstance(item, Unread)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good file after the bad one."""
    (tmp_path / "z.jsonl").write_bytes(GOOD)
    return tmp_path


LAUGHS = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">{}]>
<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>&lol9;</title><summary>x</summary></entry></feed>""".format(
    "".join(f'<!ENTITY lol{n} "{f"&lol{n - 1};" * 10 if n > 1 else "&lol;" * 10}">' for n in range(1, 10))
)
OUTSIDE = """<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY x SYSTEM "file://{}">]>
<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>&x;</title><summary>&x;</summary></entry></feed>"""
DTD = (
    """<?xml version="1.0"?><!DOCTYPE feed SYSTEM "file://{}"><feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T &x;</title></entry></feed>"""
)


def test_xml_bombs_are_refused(folder: Path) -> None:
    (folder / "bomb.xml").write_text(LAUGHS, encoding="utf-8")
    titles, unread = outcome(folder)
    assert titles == ["Good Kites"]
    assert [(item.source, "entities of its own" in item.reason) for item in unread] == [("bomb.xml", True)]


def test_external_entities_are_not_read(folder: Path) -> None:
    secret = folder.parent / "secret.txt"
    secret.write_text("the secret word", encoding="utf-8")
    (folder / "a.xml").write_text(OUTSIDE.format(secret.as_posix()), encoding="utf-8")
    dtd = folder.parent / "x.dtd"
    dtd.write_text('<!ENTITY x "the secret word">', encoding="utf-8")
    (folder / "b.xml").write_text(DTD.format(dtd.as_posix()), encoding="utf-8")
    items = list(read([folder]))
    assert not [item for item in items if "secret word" in repr(item)]
    assert [item.title for item in items if isinstance(item, Paper)][-1] == "Good Kites"


def test_an_entity_hidden_behind_a_long_comment_is_not_expanded(tmp_path: Path) -> None:
    text = LAUGHS.replace("<!DOCTYPE", f"<!--{' ' * (limits.HEAD + 10)}--><!DOCTYPE")
    (tmp_path / "bomb.xml").write_text(text, encoding="utf-8")
    tracemalloc.start()
    items = list(read([tmp_path]))
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()
    assert not [item for item in items if "lollol" in repr(item)]


def test_xml_nested_without_end_is_refused(folder: Path) -> None:
    (folder / "deep.xml").write_text("<feed><entry>" + "<a>" * 100_000, encoding="utf-8")
    titles, unread = outcome(folder)
    assert titles == ["Good Kites"]
    assert {item.source for item in unread} == {"deep.xml"}


def test_broken_xml_costs_the_broken_part(tmp_path: Path) -> None:
    entry = "<entry><title>Kites {}</title><summary>We fly.</summary></entry>"
    text = "<feed>" + entry.format(1) + "<entry><title>Cut <b></title></entry>" + entry.format(2) + "</feed>"
    (tmp_path / "a.xml").write_text(text, encoding="utf-8")
    titles, unread = outcome(tmp_path)
    assert titles[0] == "Kites 1"
    assert unread
    assert "not well-formed XML" in unread[-1].reason


def test_an_xml_file_without_records_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RECORD", 1 << 20)
    path = tmp_path / "empty.xml"
    with path.open("w", encoding="utf-8") as file:
        file.write("<feed>")
        for _ in range(60_000):
            file.write("<nothing>much of it, again and again and again</nothing>")
    _, (item,) = outcome(tmp_path)
    assert "no record within" in item.reason


def test_a_zip_bomb_is_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EXPANSION_FREE", 1 << 20)
    with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.txt", b"0" * (20 << 20))
        archive.writestr("good.jsonl", GOOD)
    titles, unread = outcome(folder)
    assert titles == ["Good Kites", "Good Kites"]
    assert any("zip bomb" in item.reason and item.source == "bomb.zip!zeros.txt" for item in unread)


def test_a_gzip_bomb_is_stopped_in_bounded_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EXPANSION_FREE", 1 << 20)
    (folder / "bomb.jsonl.gz").write_bytes(gzip.compress(GOOD + b" " * (64 << 20)))
    tracemalloc.start()
    titles, unread = outcome(folder)
    assert tracemalloc.get_traced_memory()[1] < 2 * limits.LINE
    tracemalloc.stop()
    assert titles == ["Good Kites", "Good Kites"]
    assert any("zip bomb" in item.reason for item in unread)


def test_archives_inside_archives_end(tmp_path: Path) -> None:
    data = GOOD
    for level in range(6):
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr(f"level{level}.zip" if level else "a.jsonl", data)
        data = buffer.getvalue()
    (tmp_path / "nest.zip").write_bytes(data)
    titles, unread = outcome(tmp_path)
    assert not titles
    assert "inside each other" in unread[0].reason


def test_paths_out_of_an_archive_are_refused_and_nothing_is_written(folder: Path) -> None:
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("../../evil.jsonl", GOOD)
        archive.writestr("/etc/evil.jsonl", GOOD)
        archive.writestr("fine.jsonl", GOOD)
    with tarfile.open(folder / "b.tar.gz", "w:gz") as tar:
        for name in ("../evil.jsonl", "fine.jsonl"):
            info = tarfile.TarInfo(name)
            info.size = len(GOOD)
            tar.addfile(info, BytesIO(GOOD))
        link = tarfile.TarInfo("link.jsonl")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    before = sorted(folder.parent.rglob("*"))
    titles, unread = outcome(folder)
    assert titles == ["Good Kites"] * 3
    assert [(item.source, item.reason.split(",")[0]) for item in unread] == [
        ("a.zip!../../evil.jsonl", "the member's path leads out of the archive"),
        ("a.zip!/etc/evil.jsonl", "the member's path leads out of the archive"),
        ("b.tar.gz!../evil.jsonl", "the member's path leads out of the archive"),
        ("b.tar.gz!link.jsonl", "a link or device in an archive is not followed"),
    ]
    assert sorted(folder.parent.rglob("*")) == before


def test_a_truncated_gzip_gives_what_is_whole_and_says_so(folder: Path) -> None:
    lines = b"".join(b'{"title": "Kites %d", "abstract": "%s"}\n' % (n, os.urandom(300).hex().encode()) for n in range(600))
    packed = gzip.compress(lines)
    (folder / "cut.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    titles, unread = outcome(folder)
    assert titles[-1] == "Good Kites"
    assert 150 < len(titles) < 450
    assert titles[:3] == ["Kites 0", "Kites 1", "Kites 2"]
    assert unread[-1].reason == "the compressed data ends early (truncated file)"
    assert unread[-1].source == "cut.jsonl.gz"


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.bz2", "a.jsonl.xz", "a.zip", "a.tar"])
def test_damaged_archives_are_named(name: str, folder: Path) -> None:
    start = {"gz": b"\x1f\x8b\x08\x00", "bz2": b"BZh9", "xz": b"\xfd7zXZ\x00", "zip": b"PK\x03\x04", "tar": b"a" * 257 + b"ustar"}[
        name.rsplit(".", 1)[-1]
    ]
    (folder / name).write_bytes(start + b"garbage" * 200)
    titles, unread = outcome(folder)
    assert titles == ["Good Kites"]
    assert {item.source for item in unread} == {name}


def test_a_damaged_member_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bad.jsonl", GOOD * 50)
        archive.writestr("good.jsonl", GOOD)
    data = bytearray(path.read_bytes())
    at = data.index(b"bad.jsonl") + len("bad.jsonl") + 4
    data[at : at + 8] = b"\xff" * 8
    path.write_bytes(bytes(data))
    titles, unread = outcome(path)
    assert titles[-1] == "Good Kites"
    assert [item.source.rpartition("!")[2] for item in unread][-1] == "bad.jsonl"


def test_nul_bytes(folder: Path) -> None:
    (folder / "a.bin.txt").write_bytes(b"\x00\x01\x02\x03" * 100)
    (folder / "b.txt").write_bytes(b"We fly kites\x00 by night and by day, as long as the wind is strong enough to carry them over the hills.\n")
    (folder / "c.jsonl").write_bytes(b'{"title": "Nul \x00"}\n' + GOOD)
    titles, unread = outcome(folder)
    assert titles[-2:] == ["Good Kites", "Good Kites"]
    assert [item.source for item in unread][:1] == ["a.bin.txt"]


def test_a_hundred_megabyte_line_costs_itself_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.write(GOOD)
        file.write(b'{"title": "')
        for _ in range(100):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n' + GOOD)
    tracemalloc.start()
    titles, (item,) = outcome(path)
    assert tracemalloc.get_traced_memory()[1] < 3 * limits.LINE
    tracemalloc.stop()
    assert titles == ["Good Kites", "Good Kites"]
    assert (item.record, item.reason) == ("2", "a line of more than 32 MiB")


def test_a_table_with_an_open_quote_ends(tmp_path: Path) -> None:
    rows = b"".join(b"Kites %d,We fly.\n" % n for n in range(1000))
    (tmp_path / "a.csv").write_bytes(b"title,abstract\n" + b'"never closed,We fly.\n' + rows)
    items = list(read([tmp_path]))
    assert items


def test_a_file_that_vanishes_is_named_and_the_rest_read(folder: Path) -> None:
    (folder / "a.jsonl").write_bytes(GOOD)
    listed = list(sources([folder]))
    (folder / "a.jsonl").unlink()
    items = [item for source in listed for item in read_source(source)]
    assert [(item.source, item.reason) for item in items if isinstance(item, Unread)] == [("a.jsonl", "the file vanished")]
    assert [item.title for item in items if isinstance(item, Paper)] == ["Good Kites"]


def test_a_file_that_grows_ends_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / "grows.jsonl"
    path.write_bytes(GOOD * 3)
    reading: Iterator[Paper | Unread] = read([path])
    first = next(reading)
    with path.open("ab") as file:
        file.write(GOOD * 100_000)
    rest = list(reading)
    assert isinstance(first, Paper)
    assert len(rest) == 3
    assert isinstance(rest[-1], Unread)
    assert rest[-1].reason == "the file changed while it was read"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may read everything")
def test_a_file_without_permission_is_named(folder: Path) -> None:
    (folder / "a.jsonl").write_bytes(GOOD)
    (folder / "a.jsonl").chmod(0)
    titles, unread = outcome(folder)
    assert titles == ["Good Kites"]
    assert unread[0].source == "a.jsonl"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_a_folder_does_not_block(folder: Path) -> None:
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    titles, unread = outcome(folder)
    assert titles == ["Good Kites"]
    assert [item.source for item in unread] == ["loop", "pipe.jsonl"]


def test_empty_files_and_unknown_ones_are_named(folder: Path) -> None:
    (folder / "a.json").write_bytes(b"")
    (folder / "b.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    _, unread = outcome(folder)
    assert [(item.source, item.reason) for item in unread] == [("a.json", "the file is empty"), ("b.png", "not a format that kg reads")]


def test_a_source_with_a_problem_is_reported_by_read_file() -> None:
    (item,) = read_source(SourceFile("x", "x", None, problem="no such file", remedy="look again"))
    assert item == Unread("x", "", "no such file", "look again")


def test_a_stream_that_fails_keeps_what_came_before() -> None:
    class Failing(io.RawIOBase):
        def read1(self, size: int) -> bytes:
            raise OSError("the disk has gone")

    guard = opening.Guarded(Failing())  # type: ignore[arg-type]
    assert guard.read(10) == b""
    assert guard.fault == "the data is damaged: the disk has gone"


BIB = "@article{{{0},\n  title = {{Kites {0}}},\n  abstract = {{{1}}}\n}}\n"
RIS = "TY  - JOUR\nTI  - Kites {0}\nAB  - {1}\nER  - \n"
TEXT = "Title: Kites {0}\nAbstract: {1}\n\n"
MEDLINE = "PMID- {0}\nTI  - Kites {0}\nAB  - {1}\n\n"


@pytest.mark.parametrize(("name", "record", "place"), [("a.bib", BIB, "line 5"), ("a.ris", RIS, "2"), ("a.nbib", MEDLINE, "2"), ("a.txt", TEXT, "2")])
def test_a_record_beyond_the_bound_costs_itself(name: str, record: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RECORD", 1 << 20)
    path = tmp_path / name
    words = "so high that none saw it, " * 40
    with path.open("w", encoding="utf-8") as file:
        file.write(record.format(1, "We fly."))
        head, _, tail = record.format(2, "\x00").partition("\x00")
        file.write(head)
        for _ in range(20_000):
            file.write(words)
        file.write(tail)
        file.write(record.format(3, "We fly."))
    tracemalloc.start()
    titles, unread = outcome(path)
    assert tracemalloc.get_traced_memory()[1] < 12 << 20
    tracemalloc.stop()
    assert titles == ["Kites 1", "Kites 3"]
    assert [(item.record, "more than 1 MiB" in item.reason) for item in unread] == [(place, True)]


ATOM = ('<feed xmlns="http://www.w3.org/2005/Atom">', "<entry><title>Kites {0}</title><summary>{1}</summary></entry>\n", "</feed>")
OAI = (
    '<o:OAI-PMH xmlns:o="http://www.openarchives.org/OAI/2.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><o:ListRecords>',
    "<o:record><o:metadata><dc><dc:title>Kites {0}</dc:title><dc:description>{1}</dc:description></dc></o:metadata></o:record >\n",
    "</o:ListRecords></o:OAI-PMH>",
)


@pytest.mark.parametrize("form", [ATOM, OAI], ids=["atom", "oai"])
def test_an_xml_record_beyond_the_bound_costs_itself(form: tuple[str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RECORD", 1 << 20)
    path = tmp_path / "a.xml"
    begin, record, end = form
    head, _, tail = record.format(2, "\x00").partition("\x00")
    with path.open("w", encoding="utf-8") as file:
        file.write(begin + record.format(1, "We fly.") + head)
        for _ in range(20_000):
            file.write("so high that <b>none</b> saw it, " * 40)
        file.write(tail + record.format(3, "We &alpha;fly.") + end)
    tracemalloc.start()
    titles, unread = outcome(path)
    assert tracemalloc.get_traced_memory()[1] < 12 << 20
    tracemalloc.stop()
    assert titles == ["Kites 1", "Kites 3"]
    (item,) = unread
    assert (item.record, "more than 1 MiB" in item.reason, bool(item.remedy)) == ("2", True, True)
    assert "Kites 2" in item.start


def test_an_xml_text_that_the_parser_would_stop_at_costs_its_record(tmp_path: Path) -> None:
    begin, record, end = ATOM
    path = tmp_path / "a.xml"
    path.write_text(
        begin + record.format(1, "We fly.") + record.format(2, "so high; " * 1_300_000) + record.format(3, "We fly.") + end, encoding="utf-8"
    )
    titles, unread = outcome(path)
    assert titles == ["Kites 1", "Kites 3"]
    assert [(item.record, "9 MB" in item.reason) for item in unread] == [("2", True)]


@pytest.mark.parametrize("close", ["</b>", ""])
def test_an_xml_record_nested_too_deep_costs_itself(close: str, tmp_path: Path) -> None:
    begin, record, end = ATOM
    path = tmp_path / "a.xml"
    deep = record.format(2, "<b>" * 100_000 + close * 100_000)
    path.write_text(begin + record.format(1, "<b/>We <i>fly</i>." * 300) + deep + record.format(3, "We fly.") + end, encoding="utf-8")
    titles, unread = outcome(path)
    assert titles == ["Kites 1", "Kites 3"]
    assert [(item.record, "nested deeper than 200" in item.reason) for item in unread] == [("2", True)]


def test_an_xml_record_beyond_the_bound_at_the_end_of_a_cut_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RECORD", 1 << 20)
    begin, record, _ = ATOM
    path = tmp_path / "a.xml"
    path.write_text(begin + record.format(1, "We fly.") + record.format(2, "so high; " * 300_000).split("</summary>")[0], encoding="utf-8")
    titles, unread = outcome(path)
    assert titles == ["Kites 1"]
    assert "more than 1 MiB" in unread[0].reason


@given(
    st.lists(st.sampled_from(["<e>", "</e>", "<x:e a='1'>", "</x:e >", "<f>", "</f>", "&nbsp;", "&amp;", "a" * 300, "& ", "<", "é"]), max_size=60),
    st.integers(1, 60),
)
def test_what_is_no_larger_than_the_bound_comes_through_byte_by_byte(pieces: list[str], size: int) -> None:
    text = "".join(pieces).encode()
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr(limits, "CHUNK", size)
        stream = Bounded(BytesIO(text), ("e",), plain=True)
        assert b"".join(iter(lambda: stream.read(1), b"")) == text.replace(b"&nbsp;", b"&#160;")


def test_a_row_beyond_the_bound_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CELL", 1 << 20)
    path = tmp_path / "a.csv"
    path.write_bytes(b"title,abstract\nKites 1,We fly.\nKites 2," + b"so high; " * 300_000 + b"," + b"so high; " * 300_000 + b"\nKites 3,We fly.\n")
    titles, unread = outcome(path)
    assert titles == ["Kites 1", "Kites 3"]
    assert [item.record for item in unread] == ["2"]


@pytest.mark.parametrize("rows", [10, 1000])
def test_a_quote_that_is_never_closed_costs_its_row(rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CELL", 10_000)
    path = tmp_path / "a.csv"
    good = [f"Kites {number}" for number in range(rows)]
    path.write_text(
        'title,abstract\nFirst,"We fly,\nand fly."\nOpen,"never closed\n' + "".join(f"{title},We fly.\n" for title in good), encoding="utf-8"
    )
    titles, unread = outcome(path)
    assert titles == ["First", *good]
    assert [(item.record, item.start) for item in unread] == [("2", 'Open,"never closed\n')]


@pytest.mark.parametrize("name", ["a.xml", "a.html", "a.txt", "a.md"])
@pytest.mark.parametrize("start", ["<!-- a -->\n", "<?x y?>", "<!DOCTYPE x ", "<!DOCTYPE x [", "<", "<a:", "<!--"])
def test_a_beginning_that_repeats_is_recognised_in_linear_time(name: str, start: str, tmp_path: Path) -> None:
    # Hundreds of alternatives to be tried in each other's combinations would never end.
    (tmp_path / name).write_text(start * 2000, encoding="utf-8")
    assert len(outcome(tmp_path)[0]) + len(outcome(tmp_path)[1]) >= 1


def test_an_xz_file_that_asks_for_gigabytes_is_refused(folder: Path) -> None:
    data = bytearray(lzma.compress(GOOD * 100))
    # Byte 16 of the block's header is the size of the window, 40 for 4 GiB; behind the header stands its checksum.
    assert data[14:16] == b"\x21\x01"
    data[16] = 39
    end = 12 + (data[12] + 1) * 4
    data[end - 4 : end] = zlib.crc32(data[12 : end - 4]).to_bytes(4, "little")
    (folder / "a.jsonl.xz").write_bytes(data)
    titles, (item,) = outcome(folder)
    assert titles == ["Good Kites"]
    assert item.source == "a.jsonl.xz"
    assert "Memory usage limit exceeded" in item.reason


def test_xz_files_of_several_parts_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.xz").write_bytes(lzma.compress(GOOD) + b"\0" * 8 + lzma.compress(GOOD * 2) + lzma.compress(b""))
    assert outcome(tmp_path) == (["Good Kites"] * 3, [])


def test_a_zip_archive_of_too_many_members_is_not_listed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEMBERS", 10)
    with zipfile.ZipFile(folder / "few.zip", "w") as archive:
        for number in range(12):
            archive.writestr(f"{number}.jsonl", GOOD)
    with zipfile.ZipFile(folder / "many.zip", "w") as archive:
        for number in range(200):
            archive.writestr(f"{number}.jsonl", GOOD)
    titles, unread = outcome(folder)
    assert len(titles) == 11
    assert [(item.source, item.reason) for item in unread] == [
        ("few.zip", "more than 10 members; the rest is not read"),
        ("many.zip", "the zip archive says that it has far more than 10 members; it is not read"),
    ]


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.bib", "a.xml", "a.jsonl.gz"])
@pytest.mark.parametrize("change", ["vanishes", "shrinks", "grows"])
def test_a_file_that_changes_while_it_is_read_is_named_and_the_rest_read(name: str, change: str, folder: Path) -> None:
    path = folder / name
    many = range(20_000)
    text = {
        "a.jsonl": "".join(f'{{"title": "Kites {n}"}}\n' for n in many),
        "a.csv": "title,year\n" + "".join(f"Kites {n},2031\n" for n in many),
        "a.bib": "".join(f"@article{{k{n}, title = {{Kites {n}}}}}\n" for n in range(9000)),
        "a.xml": "<feed>" + "".join(f"<entry><title>Kites {n}</title></entry>" for n in many) + "</feed>",
    }[name.removesuffix(".gz")]
    data = text.encode()
    path.write_bytes(gzip.compress(data, 0) if name.endswith(".gz") else data)
    reading = read([folder])
    assert isinstance(next(reading), Paper)
    if change == "vanishes":
        path.unlink()
    elif change == "shrinks":
        os.truncate(path, 1000)
    else:
        with path.open("ab") as file:
            file.write(data)
    items = list(reading)
    assert [item.title for item in items if isinstance(item, Paper)][-1] == "Good Kites"
    reasons = {item.reason for item in items if isinstance(item, Unread) and item.source == name}
    assert reasons & {"the file vanished", "the file changed while it was read"}

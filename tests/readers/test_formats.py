"""Every format by a small file: what it is taken for, each field of each paper, what is refused. The answers in expected.json are checked by hand."""

import bz2
import gzip
import json
import lzma
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from kg.model import Paper, Unread
from kg.readers import READERS, Look, read, recognise
from kg.readers.base import Input
from kg.text import clean

HERE = Path(__file__).parent
FILES = HERE / "files"
EXPECTED: dict[str, dict[str, Any]] = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))


def plain(paper: Paper) -> dict[str, Any]:
    """The fields of a paper that are not empty, as JSON has them."""
    fields = json.loads(json.dumps(asdict(paper)))
    (place,) = fields.pop("places")
    kept = {name: value for name, value in fields.items() if value not in ("", [], None) and (name, value) != ("language", "en")}
    kept["record"] = place["record"]
    return kept if place["offset"] is None else {**kept, "offset": place["offset"]}


def papers(path: Path) -> list[dict[str, Any]]:
    return [plain(item) for item in read([path]) if isinstance(item, Paper)]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_file_of_the_format_is_read(name: str) -> None:
    expected = EXPECTED[name]
    reader = recognise(Look(name, (FILES / name).read_bytes(), complete=True))
    items = list(read([FILES / name]))
    read_here = [plain(item) for item in items if isinstance(item, Paper)]
    # Ids of records without an outside id begin with the file's name, whichever way the file was named.
    assert reader is not None
    assert reader.name == expected["format"]
    assert read_here == expected["papers"]
    assert [[item.record, item.reason] for item in items if isinstance(item, Unread)] == expected["unread"]


def test_every_file_has_its_answer() -> None:
    assert {path.name for path in FILES.iterdir()} == set(EXPECTED)


def test_every_format_has_a_file() -> None:
    shown = {expected["format"] for expected in EXPECTED.values()} | {"pdf", "parquet"}
    # The plain JSON forms are in test_json.py.
    assert {reader.name for reader in READERS} - shown == {"json"}


@pytest.mark.parametrize("reader", [reader for reader in READERS if not reader.example.startswith("(binary)")], ids=lambda reader: reader.name)
def test_the_example_shown_to_users_is_read(reader: Any, tmp_path: Path) -> None:
    path = tmp_path / "example"
    path.write_text(reader.example, encoding="utf-8")
    assert recognise(Look("example", reader.example.encode(), complete=True)) is reader
    items = list(read([path]))
    assert items
    assert all(isinstance(item, Paper) and "We propose" in item.abstract for item in items[:1])


@pytest.mark.parametrize(
    "name",
    ["refs.ris", "openalex_page.json", "anthology.xml", "zotero.csv", "mixed.bib", "heading_list.txt", "list.md", "list.html", "grobid.tei.xml"],
)
@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_compressed_files_read_the_same(name: str, suffix: str, pack: Any, tmp_path: Path) -> None:
    packed = tmp_path / (name + suffix)
    packed.write_bytes(pack((FILES / name).read_bytes()))
    assert [{**paper, "id": ""} for paper in papers(packed)] == [{**paper, "id": ""} for paper in EXPECTED[name]["papers"]]


def test_zstandard_reads_the_same(tmp_path: Path) -> None:
    zstd = pytest.importorskip("backports.zstd" if __import__("sys").version_info < (3, 14) else "compression.zstd")
    packed = tmp_path / "refs.ris.zst"
    packed.write_bytes(zstd.compress((FILES / "refs.ris").read_bytes()))
    assert papers(packed) == EXPECTED["refs.ris"]["papers"]


def test_the_content_counts_more_than_the_ending(tmp_path: Path) -> None:
    for name in ("refs.ris", "openalex_page.json", "anthology.xml", "list.html", "mixed.bib"):
        wrong = tmp_path / "wrong.txt"
        wrong.write_bytes((FILES / name).read_bytes())
        assert [{**paper, "id": ""} for paper in papers(wrong)] == [{**paper, "id": ""} for paper in EXPECTED[name]["papers"]], name


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("name", ["refs.ris", "papers.tsv", "anthology.bib", "heading_list.txt"])
def test_other_encodings_read_the_same(name: str, encoding: str, tmp_path: Path) -> None:
    text = (FILES / name).read_text(encoding="utf-8").replace("论文列表", "Papers")
    one, other = tmp_path / "a" / name, tmp_path / "b" / name
    for path, written in ((one, "utf-8"), (other, encoding)):
        path.parent.mkdir()
        path.write_bytes(text.encode(written))
    assert papers(one)
    assert papers(other) == papers(one)


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
@pytest.mark.parametrize("name", ["refs.ris", "papers.tsv", "anthology.bib", "heading_list.txt", "labelled.txt", "list.md", "pubmed.nbib"])
def test_other_line_ends_read_the_same(name: str, ends: str, tmp_path: Path) -> None:
    def flat(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**paper, "abstract": " ".join(paper.get("abstract", "").split()), "offset": 0, "id": ""} for paper in found]

    path = tmp_path / name
    path.write_bytes((FILES / name).read_bytes().replace(b"\r\n", b"\n").replace(b"\n", ends.encode()))
    assert flat(papers(path)) == flat(EXPECTED[name]["papers"])


def test_members_of_archives_are_named(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(FILES / "refs.ris", "deep/refs.ris")
        archive.writestr("more.jsonl.gz", gzip.compress(b'{"id": "1", "title": "Inner Kites"}\n'))
        archive.writestr("__MACOSX/._refs.ris", b"\x00\x05\x16\x07")
    items = list(read([path]))
    assert [(item.places[0].source, item.title) for item in items if isinstance(item, Paper)] == [
        (f"{path.as_posix()}!deep/refs.ris", "Kites That Learn"),
        (f"{path.as_posix()}!deep/refs.ris", "Strings That Forget"),
        (f"{path.as_posix()}!more.jsonl.gz", "Inner Kites"),
    ]
    assert [item.id for item in items if isinstance(item, Paper)][2] == "all.zip!more.jsonl.gz#1"


def test_full_text_is_taken_only_when_asked_for() -> None:
    for name, words in (("grobid.tei.xml", "Long ago"), ("jats.xml", "Long ago"), ("s2orc.jsonl", "The sky is the limit.")):
        short = next(read([FILES / name]))
        whole = next(read([FILES / name], full_text=True))
        assert isinstance(short, Paper)
        assert isinstance(whole, Paper)
        assert words not in short.abstract
        assert words in whole.abstract


def test_a_column_that_is_named_wins(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("Name,Abstract,Notes\nKites,wrong,We fly kites by night.\n", encoding="utf-8")
    (paper,) = read([path], mapping={"abstract": "Notes", "title": "name"})
    assert isinstance(paper, Paper)
    assert (paper.title, paper.abstract) == ("Kites", "We fly kites by night.")


def test_a_table_without_known_columns_says_so(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("height,weight\n1,2\n", encoding="utf-8")
    (item,) = read([path])
    assert isinstance(item, Unread)
    assert "height, weight" in item.reason
    assert "--map abstract=" in item.remedy


def test_a_table_without_a_header_is_read_by_its_long_column(tmp_path: Path) -> None:
    path = tmp_path / "bare.csv"
    long = (
        "We fly kites by night and write down how high they got, which nobody has done before us in such detail, and then we stop and rest a while."
    )
    path.write_text(f'7,Kites by night,"{long}"\n8,Strings by day,"{long}"\n', encoding="utf-8")
    assert [(paper["title"], paper["abstract"]) for paper in papers(path)] == [("Kites by night", long), ("Strings by day", long)]


def test_program_text_is_not_taken_for_papers(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("import os\n\n\ndef main():\n    return os.getcwd()\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("# How to\n\nRun the tool and wait until it has ended. Then read what it wrote.\n", encoding="utf-8")
    (tmp_path / "style.css").write_text("@media print { body { color: black } }\n", encoding="utf-8")
    assert all(isinstance(item, Unread) for item in read([tmp_path]))


def test_parquet_is_read_and_a_cut_one_is_refused(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "papers.parquet"
    columns = "'k' || i AS id, 'Kites ' || i AS title, 'We fly kites.' AS abstract, ['Ada Quill', 'Bo Marsh'] AS authors, 2031 AS year"
    duckdb.execute(f"COPY (SELECT {columns} FROM range(3) t(i)) TO '{path.as_posix()}'")
    first, _, _ = papers(path)
    assert (first["id"], first["authors"], first["year"], first["record"]) == ("papers.parquet#k0", ["Ada Quill", "Bo Marsh"], 2031, "k0")
    zipped = tmp_path / "p.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.write(path, "papers.parquet")
    assert [paper["title"] for paper in papers(zipped)] == ["Kites 0", "Kites 1", "Kites 2"]
    path.write_bytes(path.read_bytes()[:-20])
    (item,) = read([path])
    assert isinstance(item, Unread)
    assert "Parquet" in item.reason


def pdf(lines: list[tuple[int, str]]) -> bytes:
    """A one-page PDF with lines of given letter sizes."""
    y, parts = 760, []
    for size, line in lines:
        escaped = line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        parts.append(f"BT /F1 {size} Tf 72 {y} Td ({escaped}) Tj ET")
        y -= size + 6
    content = "\n".join(parts).encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length " + str(len(content)).encode() + b" >>\nstream\n" + content + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    return (
        out + b"xref\n0 6\n0000000000 65535 f \n" + table + b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n" + str(len(out)).encode() + b"\n%%EOF\n"
    )


def test_pdf_gives_title_and_abstract(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    path = tmp_path / "kites.pdf"
    head = [
        (9, "Published as a conference paper at KiteConf 2031"),
        (18, "Kites That Learn"),
        (18, "to Fly by Themselves"),
        (11, "Ada Quill  Bo Marsh"),
    ]
    text = [(12, "Abstract"), (10, "We train kites to fly by them-"), (10, "selves. They do so on Mondays."), (12, "1 Introduction")]
    path.write_bytes(pdf([*head, *text, (10, "Long ago kites could not learn. arXiv:3101.00001v2")]))
    (paper,) = read([path])
    assert isinstance(paper, Paper)
    assert paper.title == "Kites That Learn to Fly by Themselves"
    assert clean(paper.abstract) == "We train kites to fly by themselves. They do so on Mondays."
    assert paper.id == "arxiv:3101.00001"
    (whole,) = read([path], full_text=True)
    assert isinstance(whole, Paper)
    assert "Long ago kites" in whole.abstract


def test_a_damaged_pdf_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    path = tmp_path / "broken.pdf"
    path.write_bytes(b"%PDF-1.4\nnothing else")
    (item,) = read([path])
    assert isinstance(item, Unread)
    assert "PDF" in item.reason


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kites.pdf"
    path.write_bytes(b"%PDF-1.4\n")
    monkeypatch.setitem(__import__("sys").modules, "pypdfium2", None)
    (item,) = read([path])
    assert isinstance(item, Unread)
    assert "kg[pdf]" in item.reason
    assert item.remedy == "pip install 'kg[pdf]'"


def test_a_reader_that_fails_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(source: Input) -> Any:
        raise ZeroDivisionError("by design")

    import dataclasses

    import kg.readers

    monkeypatch.setattr(kg.readers, "READERS", tuple(dataclasses.replace(reader, read=broken) for reader in READERS))
    path = tmp_path / "a.txt"
    path.write_text("We fly kites.", encoding="utf-8")
    (item,) = read([path])
    assert isinstance(item, Unread)
    assert "by design" in item.reason

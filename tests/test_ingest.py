"""From files to the papers table."""

import gzip
import zipfile
from pathlib import Path

import pytest

from kg import tables
from kg.ingest import ingest
from kg.model import Unread


def unread(folder: Path, *paths: Path) -> list[tuple[str, str]]:
    found: list[Unread] = []
    connection = tables.open_build(folder, write=True)
    with tables.transaction(connection):
        ingest(connection, paths, on_unread=found.append)
    connection.close()
    return [(item.source, item.record) for item in found]


def test_what_cannot_be_read_is_told_in_the_order_of_its_places(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text('{"title": "Kites"}\n' + "{oops}\n" * 11, encoding="utf-8")
    second.write_text("{oops}\n" * 3, encoding="utf-8")
    places = [(first.as_posix(), str(line)) for line in range(2, 13)] + [(second.as_posix(), str(line)) for line in range(1, 4)]
    assert unread(tmp_path / "out", first, second) == places
    # The same when one of the files is read again.
    first.write_text('{"title": "Strings"}\n' + "{oops}\n" * 11, encoding="utf-8")
    assert unread(tmp_path / "out", first, second) == places


def test_a_file_is_read_again_only_when_it_or_the_options_change(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"title": "Kites", "notes": "We fly."}\n', encoding="utf-8")
    connection = tables.open_build(tmp_path / "out", write=True)
    assert ingest(connection, [path]).files == 1
    assert ingest(connection, [path]).files == 0
    assert ingest(connection, [path], mapping={"abstract": "notes"}).files == 1
    assert connection.execute("SELECT abstract FROM papers").fetchall() == [("We fly.",)]


def test_the_format_of_each_file_and_member_is_noted_and_stays(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"title": "Kites"}\n', encoding="utf-8")
    with gzip.open(folder / "b.bib.gz", "wt") as packed:
        packed.write("@article{b, title = {Strings}}\n")
    (folder / "c.bin").write_bytes(b"\x00\x01" * 50)
    with zipfile.ZipFile(folder / "d.zip", "w") as archive:
        archive.writestr("in.ris", "TY  - JOUR\nTI  - Knots\nER  - \n")
        archive.writestr("more.jsonl", '{"title": "Winds"}\n{oops}\n')
    connection = tables.open_build(tmp_path / "out", write=True)
    expected = [
        ("a.jsonl", "json", 1, 0),
        ("b.bib.gz", "bibtex", 1, 0),
        ("c.bin", "", 0, 1),
        ("d.zip", "json, ris", 2, 1),
        ("d.zip!in.ris", "ris", 1, 0),
        ("d.zip!more.jsonl", "json", 1, 1),
    ]

    def noted() -> list[tuple[str, str, int, int]]:
        return connection.execute("SELECT source, format, records, unread FROM sources ORDER BY source").fetchall()

    assert ingest(connection, [folder]).files == 4
    assert noted() == expected
    again = ingest(connection, [folder])
    assert (again.files, again.unchanged_files, noted()) == (0, 4, expected)
    (folder / "d.zip").unlink()
    (folder / "a.jsonl").write_text('{"title": "Tails"}\n{"title": "Twine"}\n', encoding="utf-8")
    assert ingest(connection, [folder]).files == 1
    assert noted() == [("a.jsonl", "json", 2, 0), *expected[1:3]]


@pytest.mark.parametrize("count", [1, 2500])
def test_records_of_one_paper_become_one_row(count: int, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"doi": "10.1234/kites", "title": "Kites"}\n' * count, encoding="utf-8")
    connection = tables.open_build(tmp_path / "out", write=True)
    done = ingest(connection, [path])
    assert (done.records, done.papers, done.new) == (count, 1, 1)
    assert connection.execute("SELECT count(*) FROM places").fetchall() == [(count,)]


def test_a_file_whose_format_an_older_build_did_not_note_is_read_once_more_and_counts_once(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"title": "Kites"}\n{"title": "Twine"}\n', encoding="utf-8")
    connection = tables.open_build(tmp_path / "out", write=True)
    ingest(connection, [tmp_path / "a.jsonl"])
    connection.execute("UPDATE sources SET format = ''")
    again = ingest(connection, [tmp_path / "a.jsonl"])
    assert (again.files, again.records, again.papers) == (1, 2, 2)
    assert connection.execute("SELECT format FROM sources").fetchall() == [("json",)]
    connection.execute("UPDATE sources SET format = ''")
    (tmp_path / "b.jsonl").write_text('{"title": "Tails"}\n', encoding="utf-8")
    assert ingest(connection, [tmp_path / "b.jsonl"]).records == 1

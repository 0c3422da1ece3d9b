"""From files to the papers table."""

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


@pytest.mark.parametrize("count", [1, 2500])
def test_records_of_one_paper_become_one_row(count: int, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"doi": "10.1234/kites", "title": "Kites"}\n' * count, encoding="utf-8")
    connection = tables.open_build(tmp_path / "out", write=True)
    done = ingest(connection, [path])
    assert (done.records, done.papers, done.new) == (count, 1, 1)
    assert connection.execute("SELECT count(*) FROM places").fetchall() == [(count,)]

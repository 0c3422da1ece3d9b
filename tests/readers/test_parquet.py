"""Parquet as its writers leave it, and what is wrong with some."""

from pathlib import Path
from typing import Any

import pytest

from kg.model import Paper, Unread
from kg.readers import limits, read

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def outcome(path: Path, **options: Any) -> list[Any]:
    return [item.title if isinstance(item, Paper) else (item.record, item.reason) for item in read([path], **options)]


def test_strings_written_as_bytes_and_maps_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    ids = pa.array([[("ArXiv", "3101.00001")]], pa.map_(pa.string(), pa.string()))
    pq.write_table(pa.table({"title": pa.array([b"Na\xc3\xafve kites"]), "corpusid": [1], "externalids": ids}), path)
    (paper,) = read([path])
    assert isinstance(paper, Paper)
    assert (paper.title, paper.arxiv) == ("Naïve kites", "3101.00001")


def test_a_value_that_is_not_of_its_type_costs_its_row(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    raw = pa.array([b"Kites 1", b"caf\xe9", b"Kites 3"])
    strings = pa.Array.from_buffers(pa.string(), len(raw), raw.buffers())
    pq.write_table(pa.table({"title": strings}), path)
    first, bad, third = outcome(path)
    assert (first, bad[0], third) == ("Kites 1", "2", "Kites 3")
    assert bad[1].startswith("a value is not of its column's type: 'utf-8'")


def test_rows_of_a_known_source_that_are_no_papers_say_why(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    rows = [
        {"id": "n1", "forum": "n1", "replyto": None, "content": {"title": "Kites", "review": None}},
        {"id": "n2", "forum": "n1", "replyto": "n1", "content": {"title": None, "review": "Good kites."}},
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert outcome(path) == ["Kites", ("2", "a review or comment, not a paper")]


def test_a_table_without_known_columns_says_so_once(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"height": [1, 2, 3], "notes": ["Kites", "Strings", "Knots"]}), path)
    assert outcome(path) == [("", "no column is known as title or abstract: height, notes")]
    assert outcome(path, mapping={"title": "notes"}) == ["Kites", "Strings", "Knots"]


def test_a_file_that_unpacks_to_far_more_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EXPANSION_FREE", 1 << 20)
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"title": ["k" * (8 << 20)]}), path, compression="zstd", use_dictionary=False)
    ((_, reason),) = outcome(path)
    assert "zip bomb" in reason


@pytest.mark.parametrize("cut", [8, 20, 200])
def test_a_cut_or_damaged_file_is_refused(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"title": [f"Kites {number}" for number in range(100)]}), path)
    data = path.read_bytes()
    path.write_bytes(data[:-cut])
    assert all(isinstance(item, Unread) for item in read([path]))
    path.write_bytes(data[:40] + bytes(cut) + data[40 + cut :])
    items = list(read([path]))
    assert any(isinstance(item, Unread) for item in items)

import os
from pathlib import Path

import pytest

from kg import rdf, tables
from kg.errors import BuildError
from kg.rdf import stores
from tests.rdf.builds import make


def test_a_large_build_is_kept_on_disk_and_made_anew_when_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path)
    in_memory = len(rdf.store(tmp_path))
    monkeypatch.setattr(stores, "SMALL", 0)
    monkeypatch.setattr(stores, "_LOAD_BYTES", 1000)
    assert len(rdf.store(tmp_path)) == in_memory
    (first,) = (tmp_path / ".kg" / "store").iterdir()
    rdf.store(tmp_path)
    assert list((tmp_path / ".kg" / "store").iterdir()) == [first]
    connection = tables.open_build(tmp_path, write=True)
    connection.execute("DELETE FROM links")
    connection.execute("INSERT INTO links SELECT 'p1', 'gustnet', 'used', 0.5, 'x', 1, 0, i, 1, 0, 1 FROM range(1) r(i)")
    connection.close()
    assert len(rdf.store(tmp_path)) != in_memory
    (second,) = (tmp_path / ".kg" / "store").iterdir()
    assert second != first


def test_a_store_that_fails_while_it_is_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path)
    monkeypatch.setattr(stores, "SMALL", 0)

    def breaks(*args: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(stores, "_load", breaks)
    with pytest.raises(RuntimeError):
        rdf.store(tmp_path)
    assert not list((tmp_path / ".kg" / "store").iterdir())


def test_what_a_killed_process_left_of_a_store_goes_after_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path)
    monkeypatch.setattr(stores, "SMALL", 0)
    old, young = (tmp_path / ".kg" / "store" / f"building-{number}" for number in (1, 2))
    for place in (old, young):
        place.mkdir(parents=True)
    os.utime(old, (0, 0))
    rdf.store(tmp_path)
    assert (old.exists(), young.exists()) == (False, True)


def test_a_published_copy_without_tables_is_read_from_its_turtle(windy: Path, tmp_path: Path) -> None:
    connection = tables.open_build(windy)
    rdf.write(connection, tmp_path / "graph.ttl")
    connection.close()
    assert len(rdf.store(tmp_path)) == len(rdf.store(windy))
    (tmp_path / "graph.ttl").write_text("this is no turtle", encoding="utf-8")
    with pytest.raises(BuildError, match="cannot be read"):
        rdf.store(tmp_path)
    with pytest.raises(BuildError, match="there is no build"):
        rdf.store(tmp_path / "nowhere")


@pytest.mark.parametrize("small", [True, False])
def test_rdflib_stands_on_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: bool) -> None:
    make(tmp_path)
    if not small:
        monkeypatch.setattr(stores, "SMALL", 0)
    connection = tables.open_build(tmp_path)
    graph = rdf.graph(connection, tmp_path)
    found = graph.query("SELECT ?label { ?d a kg:Dataset ; skos:prefLabel ?label }")
    assert [str(row[0]) for row in found] == ["WindBench"]  # type: ignore[index]
    assert len(graph) == len(rdf.store(tmp_path))
    connection.close()

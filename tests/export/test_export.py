"""Each format is read back with a reader that is not ours."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import networkx as nx
import pytest

from kg import tables
from kg.aside import MARK, replaced, replaced_folder
from kg.errors import KgError
from kg.export import EXPORTERS, write
from kg.graph import graph
from kg.safe import cell, text
from tests import analysis_build


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with tables.open_build(analysis_build.build(tmp_path_factory.mktemp("build"))) as opened:
        yield opened


def rows(connection: duckdb.DuckDBPyConnection, name: str, folder: Path) -> list[dict[str, str]]:
    with write(connection, name, folder).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_node_link_json_is_the_graph(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = write(connection, "json", tmp_path)
    read = nx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="edges")
    here = graph(connection)
    hostile = read.nodes["papers.jsonl#6"].pop("title")
    assert hostile == here.nodes["papers.jsonl#6"].pop("title")
    assert nx.utils.graphs_equal(read, here)


def test_graphml_keeps_types_parallel_edges_and_hostile_text(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    read = nx.read_graphml(write(connection, "graphml", tmp_path))
    here = graph(connection)
    assert isinstance(read, nx.MultiDiGraph)
    assert set(read) == set(here)
    assert sorted((s, t, d["relation"]) for s, t, d in read.edges(data=True)) == sorted(here.edges(keys=True))
    assert read.nodes["arxiv:2301.00001"]["year"] == 2023
    assert read.nodes["oak"]["catalogue"] is False
    assert read.nodes["papers.jsonl#6"]["label"] == here.nodes["papers.jsonl#6"]["label"]
    assert read.nodes["tempering"]["aliases"] == "tempering; Tempering"
    ids = [key for *_, key in read.edges(keys=True)]
    assert len(ids) == len(set(ids))


def test_papers_csv(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    papers = {row["paper"]: row for row in rows(connection, "papers", tmp_path)}
    assert len(papers) == len(analysis_build.PAPERS)
    assert papers["papers.jsonl#4"]["label"] == "tempering"
    assert papers["papers.jsonl#4"]["proposed"] == "tempering"
    assert papers["papers.jsonl#4"]["places"] == "papers.jsonl#papers.jsonl#4"
    assert (papers["papers.jsonl#7"]["entities"], papers["papers.jsonl#7"]["year"]) == ("0", "")
    assert papers["arxiv:2301.00001"]["authors"] == "Ann Author; Bo {Brace}"


def test_entities_csv_guards_against_formulas(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    entities = {row["entity"]: row for row in rows(connection, "entities", tmp_path)}
    assert entities["bench"]["label"] == "'=Bench"
    assert entities["at-sum"]["label"] == "'@Sum"
    assert entities["willow-2b"]["families"] == "willow"
    assert entities["mazeworld"]["papers"] == "3"


def test_links_relations_results_and_merges(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    links = rows(connection, "links", tmp_path)
    assert len(links) == 29
    assert next(row["evidence"] for row in links if row["entity"] == "annealing") == "Tempering is a kind of annealing."
    relations = rows(connection, "relations", tmp_path)
    assert ("folding", "outperforms", "branching-search") in {(row["head"], row["relation"], row["tail"]) for row in relations}
    results = rows(connection, "results", tmp_path)
    assert [(row["subject"], row["value"], row["dataset"]) for row in results][:2] == [("Willow", "61.5%", "SumBench"), ("Oak", "58%", "SumBench")]
    assert rows(connection, "merges", tmp_path)[0]["reason"] == "same key"


@pytest.mark.parametrize("name", ["graphml", "json", "papers", "entities", "links", "relations", "results", "merges"])
def test_the_same_bytes_each_time(connection: duckdb.DuckDBPyConnection, tmp_path: Path, name: str) -> None:
    first = write(connection, name, tmp_path / "a").read_bytes()
    connection.execute("SET threads = 1")
    second = write(connection, name, tmp_path / "b").read_bytes()
    connection.execute("RESET threads")
    assert first == second


def test_control_characters_and_lone_surrogates_are_replaced_and_seen() -> None:
    assert text("a\x00\x1b\ud83d\ufffeb\n\t") == "a\ufffd\ufffd\ufffd\ufffdb\n\t"
    assert text("Ünïcode 數學 🙂") == "Ünïcode 數學 🙂"


@pytest.mark.parametrize(
    ("value", "expected"),
    [("=1+1", "'=1+1"), ("+cmd", "'+cmd"), ("  =1", "'  =1"), ("-2.5%", "-2.5%"), ("-x", "'-x"), ("\tx", "'\tx"), ("a=b", "a=b"), (-1.5, -1.5)],
)
def test_cells(value: object, expected: object) -> None:
    assert cell(value) == expected


def test_an_unknown_format_names_the_known_ones(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    with pytest.raises(KgError, match=r"no export format 'gml'[\s\S]*graphml"):
        write(connection, "gml", tmp_path)


def test_options_that_a_format_does_not_know_are_no_error(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    assert write(connection, "papers", tmp_path / "x.csv", evidence="none", base="").name == "x.csv"


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    old = tmp_path / "graph.json"
    old.write_text("old", encoding="utf-8")

    def fail() -> None:
        with replaced(old) as aside:
            aside.write_text("half", encoding="utf-8")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert old.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [old]


def test_a_folder_is_replaced_only_when_kg_wrote_it(tmp_path: Path) -> None:
    mine = tmp_path / "notes"
    with replaced_folder(mine) as aside:
        (aside / "a.md").write_text("a", encoding="utf-8")
    with replaced_folder(mine) as aside:
        (aside / "b.md").write_text("b", encoding="utf-8")
    assert sorted(path.name for path in mine.iterdir()) == [MARK, "b.md"]
    (mine / MARK).unlink()
    with pytest.raises(KgError, match="not written by kg"), replaced_folder(mine):
        pass
    assert (mine / "b.md").exists()


def test_usual_file_names_are_distinct() -> None:
    files = [exporter.file for exporter in EXPORTERS.values()]
    assert len(files) == len(set(files))

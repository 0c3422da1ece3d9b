"""Formats of other tools, read back with those tools' own readers."""

import csv
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import duckdb
import networkx as nx
import pytest

from kg import tables
from kg.export import write
from kg.export.obsidian import file_name
from kg.graph import graph
from tests import analysis_build

HOSTILE = "papers.jsonl#6"


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with tables.open_build(analysis_build.build(tmp_path_factory.mktemp("build"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def here(connection: duckdb.DuckDBPyConnection) -> nx.MultiDiGraph:
    return graph(connection)


def test_gexf_with_networkx(connection: duckdb.DuckDBPyConnection, here: nx.MultiDiGraph, tmp_path: Path) -> None:
    read = nx.read_gexf(write(connection, "gexf", tmp_path), version="1.3")
    assert set(read) == set(here)
    assert sorted((s, t, d["relation"]) for s, t, d in read.edges(data=True)) == sorted(here.edges(keys=True))
    node = read.nodes["oak"]
    assert (node["kind"], node["label"], node["papers"]) == ("model", "Oak", 3)
    assert node["viz"]["color"] == {"r": 213, "g": 94, "b": 0, "a": 1.0}
    assert node["viz"]["size"] == 8.5
    assert read.nodes[HOSTILE]["label"] == here.nodes[HOSTILE]["label"]


def test_cyjs_with_networkx(connection: duckdb.DuckDBPyConnection, here: nx.MultiDiGraph, tmp_path: Path) -> None:
    read = nx.cytoscape_graph(json.loads(write(connection, "cyjs", tmp_path).read_text(encoding="utf-8")))
    assert set(read) == set(here)
    assert set(read.edges(keys=True)) == set(here.edges(keys=True))
    assert read.nodes["oak"]["kind"] == "model"
    assert read.edges["folding", "branching-search", "outperforms"]["confidence"] == 0.8


def test_cx2_with_ndex2(connection: duckdb.DuckDBPyConnection, here: nx.MultiDiGraph, tmp_path: Path) -> None:
    cx2 = pytest.importorskip("ndex2.cx2")
    path = write(connection, "cx2", tmp_path)
    read = cx2.RawCX2NetworkFactory().get_cx2network(json.loads(path.read_text(encoding="utf-8")))
    nodes = {key: node["v"] for key, node in read.get_nodes().items()}
    assert {node["represents"] for node in nodes.values()} == set(here)
    edges = {(nodes[e["s"]]["represents"], nodes[e["t"]]["represents"], e["v"]["interaction"]) for e in read.get_edges().values()}
    assert edges == set(here.edges(keys=True))
    assert next(node["name"] for node in nodes.values() if node["represents"] == HOSTILE) == here.nodes[HOSTILE]["label"]
    style = read.get_visual_properties()["nodeMapping"]["NODE_BACKGROUND_COLOR"]["definition"]["map"]
    assert {"v": "dataset", "vp": "#0072b2"} in style


def test_neo4j_csv_with_grand_cypher_io(connection: duckdb.DuckDBPyConnection, here: nx.MultiDiGraph, tmp_path: Path) -> None:
    reader = pytest.importorskip("grand_cypher_io")
    folder = write(connection, "neo4j", tmp_path)
    # It wants one header for all nodes, where neo4j-admin takes one a file: so the entities and what relates them.
    with (folder / "entities.csv").open(encoding="utf-8") as nodes, (folder / "relations.csv").open(encoding="utf-8") as edges:
        read = reader.opencypher_buffers_to_graph([nodes], [edges])
    expected = here.subgraph(node for node, kind in here.nodes(data="kind") if kind != "paper")
    assert set(read) == set(expected)
    assert read.number_of_edges() == expected.number_of_edges()
    assert read.nodes["oak"]["papers"] == 3


def test_neo4j_headers_types_and_arrays(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    folder = write(connection, "neo4j", tmp_path)
    with (folder / "entities.csv").open(encoding="utf-8", newline="") as file:
        entities = {row[":ID"]: row for row in csv.DictReader(file)}
    assert entities["tempering"]["aliases:string[]"] == "tempering;Tempering"
    assert entities["oak"][":LABEL"] == "Entity;Model"
    with (folder / "relations.csv").open(encoding="utf-8", newline="") as file:
        relations = list(csv.DictReader(file))
    assert ("willow", "EVALUATED_ON", "sumbench") in {(row[":START_ID"], row[":TYPE"], row[":END_ID"]) for row in relations}
    script = (folder / "load.cypher").read_text(encoding="utf-8")
    assert set(re.findall(r"file:///([\w.]+)", script)) == {"papers.csv", "entities.csv", "links.csv", "relations.csv"}
    assert "MERGE (a)-[r:EVALUATED_ON]->(b)" in script
    named = {field for match in re.findall(r"row\.`([^`]+)`", script) for field in [match]}
    headers = {
        field
        for name in ("papers", "entities", "links", "relations")
        for field in (folder / f"{name}.csv").open(encoding="utf-8").readline().strip().split(",")
    }
    assert named <= headers


def test_obsidian_with_obsidiantools(connection: duckdb.DuckDBPyConnection, here: nx.MultiDiGraph, tmp_path: Path) -> None:
    api = pytest.importorskip("obsidiantools.api")
    folder = write(connection, "obsidian", tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        vault = api.Vault(folder).connect().gather()
    assert not vault.nonexistent_notes
    assert len(vault.md_file_index) == here.number_of_nodes() + 1
    assert vault.get_front_matter("MazeWorld")["papers"] == 3
    assert vault.get_front_matter("tempering")["aliases"] == ["Tempering"]
    targets = {Path(link).name for link in vault.get_wikilinks("Folding for planning")}
    assert targets == {"folding", "Oak", "planning", "MazeWorld", "branching search", "success rate"}


def test_obsidian_notes_of_the_hostile_paper_hold_no_html(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    folder = write(connection, "obsidian", tmp_path)
    note = next(path for path in (folder / "papers").iterdir() if path.name.startswith("Hostile")).read_text(encoding="utf-8")
    body = note.split("---", 2)[2]
    assert not re.search(r"(?<!\\)<\w", body)
    assert r"\<script>" in body


def test_obsidian_names_that_differ_in_case_alone_are_two_files(tmp_path: Path) -> None:
    rows = tuple(
        (f"p{n}", 2024, "Same title" if n else "same Title", f"We use {name} here.", [(name, "Method", "used", [name])], [], [])
        for n, name in enumerate(("annealing", "Tempering"))
    )
    with tables.open_build(analysis_build.build(tmp_path / "b", rows)) as opened:
        folder = write(opened, "obsidian", tmp_path)
    names = [path.name.casefold() for path in (folder / "papers").iterdir()]
    assert len(names) == len(set(names)) == 2


@pytest.mark.parametrize("label", ["a" * 500, "..", "x\x00y", "COM1", "a|b#c^d", "日本語", " "])
def test_file_names_are_legal_everywhere(label: str) -> None:
    name = file_name(label)
    assert 0 < len(name) <= 81
    assert not re.search(r'[\\/:*?"<>|#^\[\]\x00-\x1f]', name)
    assert not name.endswith((".", " "))


def test_bibtex_with_two_readers(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    bibtexparser = pytest.importorskip("bibtexparser")
    pybtex = pytest.importorskip("pybtex.database")
    path = write(connection, "bibtex", tmp_path)
    library = bibtexparser.parse_file(str(path), encoding="utf-8")
    assert not library.failed_blocks
    entries = {entry.key: entry for entry in library.entries}
    assert len(entries) == len(analysis_build.PAPERS)
    first = entries["arxiv:2301.00001"]
    assert first["keywords"] == "Oak, SumBench, Willow, accuracy"
    assert first["author"] == r"Ann Author and Bo \textbraceleft{}Brace\textbraceright{}"
    again = pybtex.parse_file(str(path), bib_format="bibtex")
    assert set(again.entries) == set(entries)
    assert again.entries["arxiv:2301.00001"].fields["year"] == "2023"


@pytest.mark.parametrize("name", ["gexf", "cx2", "cyjs", "bibtex"])
def test_the_same_bytes_each_time(connection: duckdb.DuckDBPyConnection, tmp_path: Path, name: str) -> None:
    assert write(connection, name, tmp_path / "a").read_bytes() == write(connection, name, tmp_path / "b").read_bytes()


@pytest.mark.parametrize("name", ["neo4j", "obsidian"])
def test_the_same_folder_each_time(connection: duckdb.DuckDBPyConnection, tmp_path: Path, name: str) -> None:
    def contents(folder: Path) -> dict[str, bytes]:
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert contents(write(connection, name, tmp_path / "a")) == contents(write(connection, name, tmp_path / "b"))

"""Authors as nodes: only when asked for, one for each full name, in every form of the graph."""

import csv
import json
import threading
import urllib.request
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner

from kg import tables
from kg.cli import main
from kg.export import write
from kg.graph import graph
from kg.pipeline import build
from kg.rdf.stores import store
from kg.rdf.validate import validate
from kg.serve import Limits, Server
from kg.settings import Settings

RECORDS = (
    {"id": "1", "title": "Kites", "abstract": "We train BERT on SQuAD.", "authors": ["Ada King", "C. Babbage"]},
    {"id": "2", "title": "Strings", "abstract": "We use BERT.", "authors": ["ADA  KING", "A. King", "Özgür Çelik", "???"]},
    {"id": "3", "title": "Tails", "abstract": "We use BERT.", "authors": ["Ozgur Celik", "王小明", "Ada King"]},
)
EXPECTED = {
    "author:a-king": ("A. King", [], 1),
    "author:ada-king": ("Ada King", ["ADA KING"], 3),
    "author:c-babbage": ("C. Babbage", [], 1),
    "author:ozgur-celik": ("Ozgur Celik", ["Özgür Çelik"], 2),
    "author:王小明": ("王小明", [], 1),
}


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("papers") / "p.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in RECORDS), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def out(papers: Path) -> Path:
    folder = papers.parent / "out"
    result = CliRunner().invoke(main, ["build", str(papers), "-o", str(folder), "--tier", "rules", "--authors"])
    assert result.exit_code == 0, result.output
    return folder


def test_authors_of_the_same_full_name_are_one_node(out: Path) -> None:
    with tables.open_build(out) as connection:
        whole = graph(connection)
    authors = {node: (data["label"], data["aliases"], data["papers"]) for node, data in whole.nodes(data=True) if data["kind"] == "author"}
    assert authors == EXPECTED
    edges = [(a, b, data["confidence"]) for a, b, key, data in whole.edges(keys=True, data=True) if key == "authored"]
    assert sorted(b for a, b, _ in edges if a == "author:ada-king") == [f"p.jsonl#{n}" for n in (1, 2, 3)]
    assert {confidence for *_, confidence in edges} == {1.0}


def test_the_files_of_the_graph_hold_them(out: Path, tmp_path: Path) -> None:
    read = nx.node_link_graph(json.loads((out / "graph.json").read_text(encoding="utf-8")), edges="edges")
    assert {node for node, kind in read.nodes(data="kind") if kind == "author"} == set(EXPECTED)
    assert {node for node, kind in nx.read_graphml(out / "graph.graphml").nodes(data="kind") if kind == "author"} == set(EXPECTED)
    with (out / "authors.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["author"]: row for row in csv.DictReader(file)}
    assert rows["ada-king"] == {
        "author": "ada-king", "label": "Ada King", "aliases": "ADA KING", "papers": "3", "paper_ids": "p.jsonl#1; p.jsonl#2; p.jsonl#3",
    }  # fmt: skip
    with tables.open_build(out) as connection:
        for name in ("gexf", "cx2", "cyjs"):
            assert "author:ada-king" in write(connection, name, tmp_path).read_text(encoding="utf-8")
        neo4j = write(connection, "neo4j", tmp_path)
    head, *lines = (neo4j / "authored.csv").read_text(encoding="utf-8").splitlines()
    assert head.startswith(":START_ID")
    assert len(lines) == 8
    assert "authored.csv" in (neo4j / "load.cypher").read_text(encoding="utf-8")
    assert "--nodes=authors.csv" in (neo4j / "README.md").read_text(encoding="utf-8")


def test_the_rdf_names_them_beside_the_literals_and_conforms(out: Path) -> None:
    turtle = (out / "graph.ttl").read_text(encoding="utf-8")
    assert "dcterms:creator a:ada-king , a:c-babbage ;" in turtle
    assert 'dc:creator "Ada King" , "C. Babbage" ;' in turtle
    assert 'a:ada-king\n  a schema:Person ;\n  rdfs:label "Ada King" .' in turtle
    assert validate(out).conforms
    query = "PREFIX dcterms: <http://purl.org/dc/terms/> SELECT ?a (COUNT(?p) AS ?n) { ?p dcterms:creator ?a } GROUP BY ?a ORDER BY DESC(?n) LIMIT 1"
    ((author, count),) = [(row[0].value, row[1].value) for row in store(out).query(query)]
    assert (author, count) == ("https://w3id.org/kg/author/ada-king", "3")


def test_the_server_has_a_page_for_each(out: Path) -> None:
    server = Server(out, port=0, limits=Limits(workers=1))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with urllib.request.urlopen(f"{server.address}author/ada-king", timeout=30) as answer:
            page = answer.read().decode()
    finally:
        server.close()
    assert "<h1>Ada King</h1>" in page
    assert [title for title in ("Kites", "Strings", "Tails") if f">{title}</a>" in page] == ["Kites", "Strings", "Tails"]


def test_without_the_option_there_are_none_and_the_choice_can_change(papers: Path, tmp_path: Path) -> None:
    def made(**given: bool) -> dict[str, bytes]:
        build([papers], Settings(out=tmp_path / "out", tier="rules", workers=1, **given))
        return {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir() if path.is_file()}

    plain = made()
    assert not [
        name
        for name, content in plain.items()
        if name != "papers.csv" and (b"author:" in content or b"/author/" in content or b"authored" in content)
    ]
    assert "authors.csv" not in plain
    assert b"authored" in made(authors=True)["graph.json"]
    again = made()
    assert {name: again[name] for name in plain} == plain


def test_a_cluster_has_no_authors(papers: Path) -> None:
    result = CliRunner().invoke(main, ["build", str(papers), "--authors", "--engine", "spark"])
    assert result.exit_code == 2
    assert "--authors" in result.output

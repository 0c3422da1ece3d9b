import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import networkx as nx
import numpy as np
import pytest
from click.testing import CliRunner
from scipy import sparse

from kg import metrics, tables
from kg.cli.metrics import command
from kg.errors import KgError
from kg.frame import Frame
from kg.metrics import measures
from kg.metrics.network import Network
from tests import analysis_build


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return analysis_build.build(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def connection(built: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with tables.open_build(built) as opened:
        yield opened


def as_network(graph: nx.Graph) -> Network:
    names = tuple(map(str, graph))
    return Network(names, ("method",) * len(names), names, sparse.csr_array(nx.to_scipy_sparse_array(graph, weight="weight", dtype=float)))


@pytest.fixture(scope="module")
def random() -> nx.Graph:
    graph = nx.gnm_random_graph(60, 90, seed=3)
    for n, (a, b) in enumerate(graph.edges):
        graph.edges[a, b]["weight"] = 0.2 + (n % 7) / 10
    return graph


def test_betweenness_is_networkx_own(random: nx.Graph) -> None:
    expected = nx.betweenness_centrality(random)
    assert measures.betweenness(as_network(random)) == pytest.approx([expected[node] for node in random], abs=1e-12)


def test_sampled_betweenness_finds_the_bridge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "EXACT", 10)
    graph = nx.barbell_graph(40, 1)
    found = measures.betweenness(as_network(graph), sample=20)
    assert int(np.argmax(found)) == 40
    assert found[40] == pytest.approx(nx.betweenness_centrality(graph)[40], rel=0.25)


def test_pagerank_is_networkx_own(random: nx.Graph) -> None:
    expected = nx.pagerank(random, tol=1e-13)
    assert measures.pagerank(as_network(random)) == pytest.approx([expected[node] for node in random], abs=1e-9)


def test_communities_of_two_cliques() -> None:
    found = measures.communities(as_network(nx.barbell_graph(6, 0)))
    assert found == [0] * 6 + [1] * 6


def test_cores_of_a_clique_with_a_tail() -> None:
    graph = nx.complete_graph(4)
    graph.add_edge(3, 4)
    assert measures.cores(as_network(graph)) == [3, 3, 3, 3, 1]


def test_cores_are_networkx_own(random: nx.Graph) -> None:
    expected = nx.core_number(random)
    assert measures.cores(as_network(random)) == [expected[node] for node in random]


def test_every_node_is_measured(connection: duckdb.DuckDBPyConnection) -> None:
    found = metrics.measure(metrics.network(connection))
    rows = {row["node"]: row for row in found}
    assert len(found) == 23
    oak = rows["oak"]
    assert (oak["kind"], oak["degree"], oak["strength"]) == ("model", 5, 3.4)
    assert rows["papers.jsonl#7"]["degree"] == 0
    assert rows["papers.jsonl#7"]["component"] != oak["component"] == 0
    assert sum(row["pagerank"] for row in found) == pytest.approx(1, abs=1e-4)
    assert found.column("pagerank") == sorted(found.column("pagerank"), reverse=True)


def test_an_empty_build_has_no_measures(tmp_path: Path) -> None:
    with tables.open_build(tmp_path, write=True) as empty:
        found = metrics.measure(metrics.network(empty))
        assert len(found) == 0
        assert metrics.summary(empty, found)["density"] == 0


def test_summary(connection: duckdb.DuckDBPyConnection) -> None:
    whole = metrics.summary(connection, metrics.measure(metrics.network(connection)))
    assert (whole["papers"], whole["entities"], whole["links"], whole["datasets"]) == (7, 16, 29, 5)
    assert whole["density"] == pytest.approx(29 / (7 * 16), rel=1e-5)
    assert whole["components"] == 2
    assert whole["assortativity_relations"] is not None
    assert whole["assortativity_relations"] < 0.2


def test_assortativity_of_strangers_is_negative() -> None:
    from kg.metrics.summary import assortativity

    assert assortativity(Frame(("type", "a", "b"), (("a", 0, 4), ("b", 4, 0)))) == -1.0
    assert assortativity(Frame(("type", "a"), (("a", 0),))) is None


def test_cooccurrence_counts_pmi_and_jaccard(connection: duckdb.DuckDBPyConnection) -> None:
    rows = {(row["a"], row["b"]): row for row in metrics.cooccurrence(connection, "metric", "dataset", min_papers=1)}
    pair = rows["success-rate", "mazeworld"]
    assert (pair["papers"], pair["jaccard"]) == (3, 1.0)
    assert pair["pmi"] == pytest.approx(np.log2(3 * 6 / (3 * 3)), abs=1e-4)
    assert ("accuracy", "mazeworld") not in rows
    assert rows["accuracy", "sumbench"]["papers"] == 2


def test_cooccurrence_of_any_types_has_each_pair_once(connection: duckdb.DuckDBPyConnection) -> None:
    pairs = [(row["a"], row["b"]) for row in metrics.cooccurrence(connection, min_papers=1)]
    assert len(pairs) == len({frozenset(pair) for pair in pairs})
    assert ("mazeworld", "oak") in pairs
    same = metrics.cooccurrence(connection, "model", "model", min_papers=1)
    assert [(row["a"], row["b"], row["papers"]) for row in same] == [("oak", "willow", 2)]


def test_cooccurrence_graph(connection: duckdb.DuckDBPyConnection) -> None:
    graph = metrics.cooccurrence_graph(connection, min_papers=2)
    assert graph.edges["mazeworld", "success-rate"]["weight"] == 3
    assert graph.nodes["mazeworld"] == {"kind": "dataset", "label": "MazeWorld"}


def test_papers_are_similar_by_rare_entities(connection: duckdb.DuckDBPyConnection) -> None:
    found = {frozenset((row["a"], row["b"])): row for row in metrics.paper_similarity(connection, least=0.01)}
    close = found[frozenset(("arxiv:2401.00003", "papers.jsonl#5"))]
    assert close["shared"][0] == "planning"
    assert frozenset(("papers.jsonl#6", "arxiv:2301.00001")) not in found
    assert all(0 < row["similarity"] <= 1 for row in found.values())


def test_similarity_agrees_with_a_cosine_by_hand(connection: duckdb.DuckDBPyConnection) -> None:
    held: dict[str, set[str]] = {}
    for paper, entity in connection.execute("SELECT paper, entity FROM links").fetchall():
        held.setdefault(paper, set()).add(entity)
    weight = {e: np.log((1 + len(held)) / sum(e in s for s in held.values())) for e in set().union(*held.values())}
    a, b = held["arxiv:2401.00003"], held["papers.jsonl#5"]
    expected = sum(weight[e] ** 2 for e in a & b) / np.sqrt(sum(weight[e] ** 2 for e in a) * sum(weight[e] ** 2 for e in b))
    row = next(row for row in metrics.paper_similarity(connection, "arxiv:2401.00003", least=0.01) if row["b"] == "papers.jsonl#5")
    assert row["similarity"] == pytest.approx(expected, abs=1e-3)


def test_matrix(connection: duckdb.DuckDBPyConnection) -> None:
    found = metrics.matrix(connection, "method", "dataset", top=3)
    assert found.columns[0] == "method"
    row = next(row for row in found if row["method"] == "branching search")
    assert row["MazeWorld"] == 2


def test_an_unknown_type_is_named(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(KgError, match="'colour' is no type"):
        metrics.cooccurrence(connection, "colour", "dataset")


def test_command_prints_writes_csv_and_graphml(built: Path, tmp_path: Path) -> None:
    table, graphml = tmp_path / "m.csv", tmp_path / "m.graphml"
    result = CliRunner().invoke(command, ["--in", str(built), "--type", "dataset", "--csv", str(table), "--graphml", str(graphml)])
    assert result.exit_code == 0, result.output
    assert "MazeWorld" in result.stdout
    assert "Oak" not in result.stdout
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert {row["kind"] for row in rows} == {"dataset"}
    read = nx.read_graphml(graphml)
    assert read.nodes["oak"]["degree"] == 5
    assert isinstance(read.nodes["oak"]["pagerank"], float)


def test_command_json_of_a_projection(built: Path) -> None:
    result = CliRunner().invoke(command, ["--in", str(built), "--cooccurrence", "metric:dataset", "--json"])
    assert json.loads(result.stdout)["rows"][0]["b"] == "mazeworld"

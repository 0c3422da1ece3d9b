import re
import runpy
from pathlib import Path

import networkx as nx
import pytest

from kg import tables
from kg.graph import graph
from tests import analysis_build

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return analysis_build.build(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def made(built: Path) -> nx.MultiDiGraph:
    with tables.open_build(built) as connection:
        return graph(connection)


def test_kinds_and_labels(made: nx.MultiDiGraph) -> None:
    assert made.nodes["sumbench"]["kind"] == "dataset"
    assert made.nodes["arxiv:2301.00001"] == {
        "kind": "paper",
        "label": "Willow: a small model for sums",
        "aliases": [],
        "title": "Willow: a small model for sums",
        "year": 2023,
        "venue": "InventConf",
        "authors": ["Ann Author", "Bo {Brace}"],
        "url": "https://example.org/p",
        "language": "en",
        "sources": ["papers.jsonl"],
    }
    assert made.nodes["tempering"]["aliases"] == ["tempering", "Tempering"]
    assert "year" not in made.nodes["papers.jsonl#7"]
    assert {kind for _, kind in made.nodes(data="kind")} == {"paper", "method", "dataset", "model", "metric", "task"}


def test_a_link_carries_its_evidence(made: nx.MultiDiGraph) -> None:
    edge = made.edges["arxiv:2401.00003", "oak", "used"]
    assert edge["evidence"] == "Folding trains Oak for planning on MazeWorld."
    assert edge["confidence"] == 0.6
    text = "Folding for planning\nFolding trains Oak for planning on MazeWorld. It beats branching search in success rate: 52%."
    assert text[edge["start"] : edge["end"]] == "Oak"


def test_relations_and_families_are_edges_between_entities(made: nx.MultiDiGraph) -> None:
    assert made.edges["folding", "branching-search", "outperforms"]["stated_by"] == ["arxiv:2401.00003"]
    assert made.edges["willow-2b", "willow", "variantOf"]["evidence"] == "size"
    assert made.edges["tempering", "annealing", "variantOf"]["evidence"] == "Tempering is a kind of annealing."
    assert made.number_of_edges("tempering", "annealing") == 1


def test_a_paper_that_names_nothing_is_a_node_without_edges(made: nx.MultiDiGraph) -> None:
    assert made.degree("papers.jsonl#7") == 0


def test_a_paper_whose_id_is_an_entitys_id_stays_apart(tmp_path: Path) -> None:
    folder = analysis_build.build(tmp_path, (("oak", *analysis_build.PAPERS[0][1:]),))
    with tables.open_build(folder) as connection:
        both = graph(connection)
    assert both.nodes["oak"]["kind"] == "model"
    assert both.nodes["paper:oak"]["kind"] == "paper"
    assert both.has_edge("paper:oak", "oak", "compared")


def test_every_edge_has_its_nodes(made: nx.MultiDiGraph) -> None:
    assert all("kind" in made.nodes[node] for node in made)


def test_the_documented_script_runs(built: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = re.findall(r"```python\n(.*?)```", (DOCS / "graph.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    assert len([line for line in script.splitlines() if line and "import" not in line]) <= 10
    (tmp_path / "exports").symlink_to(built)
    (tmp_path / "script.py").write_text(script, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    runpy.run_path("script.py")
    printed = capsys.readouterr().out
    assert "MazeWorld 5" in printed
    assert "outperforms branching-search because: It beats branching search" in printed

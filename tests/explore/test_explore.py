import json
from collections.abc import Iterator
from pathlib import Path

import click
import duckdb
import pytest
from click.testing import CliRunner

from kg import tables
from kg.cli.compare import command as compare_command
from kg.cli.path import command as path_command
from kg.cli.related import command as related_command
from kg.cli.timeline import command as timeline_command
from kg.errors import KgError, UnknownNameError
from kg.explore import compare, path, related, timeline
from tests import analysis_build


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return analysis_build.build(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def connection(built: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with tables.open_build(built) as opened:
        yield opened


def test_timeline_counts_roles_and_shares(connection: duckdb.DuckDBPyConnection) -> None:
    rows = {row["year"]: row for row in timeline(connection, "MazeWorld")}
    assert [(year, row["papers"], row["of_papers"]) for year, row in rows.items()] == [(2023, 1, 2), (2024, 1, 2), (2025, 1, 2)]
    assert (rows[2023]["evaluated"], rows[2025]["mentioned"], rows[2024]["share"]) == (1, 1, 0.5)


def test_timeline_of_a_family_and_of_one(connection: duckdb.DuckDBPyConnection) -> None:
    assert timeline(connection, "Willow").column("papers") == [2, 0, 1]
    assert timeline(connection, "Willow", exact=True).column("papers") == [1, 0, 1]
    assert timeline(connection, "annealing").column("year") == [2024, 2025]


def test_compare_entities(connection: duckdb.DuckDBPyConnection) -> None:
    found = compare(connection, "Willow", "Oak")
    assert found.columns == ("aspect", "Willow", "Oak", "both")
    rows = {row["aspect"]: row for row in found}
    assert (rows["papers"]["Willow"], rows["papers"]["Oak"], rows["papers with both"]["both"]) == (2, 3, 2)
    assert rows["proposed in papers"]["Willow"] == 1
    assert rows["datasets"]["both"] == ["MazeWorld", "SumBench"]
    assert "planning" in rows["tasks"]["both"]
    assert rows["outperforms"]["both"].startswith("Willow outperforms Oak: ")
    assert rows["accuracy on SumBench"]["Willow"] == ["61.5% [arxiv:2301.00001]"]
    assert rows["accuracy on SumBench"]["Oak"] == ["58% [arxiv:2301.00001]"]


def test_compare_papers(connection: duckdb.DuckDBPyConnection) -> None:
    rows = {row[0]: row[1:] for row in compare(connection, "arxiv:2401.00003", "A survey of planning").rows}
    assert rows["year"] == (2024, 2025, None)
    assert rows["models"] == ([], ["Willow"], ["Oak"])


def test_a_thing_is_not_compared_with_itself(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(KgError, match="one entity"):
        compare(connection, "Willow", "willow")


def test_a_paper_is_not_compared_with_an_entity(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(KgError, match=r"is an entity and .* a paper"):
        compare(connection, "Oak", "arxiv:2401.00003")


def test_path_is_explained(connection: duckdb.DuckDBPyConnection) -> None:
    rows = list(path(connection, "annealing", "SumBench"))
    assert [(row["from"], row["how"], row["to"]) for row in rows] == [
        ("annealing", "← variantOf", "tempering"),
        ("tempering", "evaluatedOn", "SumBench"),
    ]
    assert rows[0]["evidence"] == "Tempering is a kind of annealing."


def test_path_between_papers(connection: duckdb.DuckDBPyConnection) -> None:
    rows = list(path(connection, "arxiv:2401.00003", "papers.jsonl#5"))
    assert len(rows) == 2
    assert rows[0]["how"].endswith("here:")
    assert rows[1]["how"].endswith(" in")
    assert all(row["evidence"] for row in rows)


def test_no_path_says_so(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(KgError, match="nothing in this build connects"):
        path(connection, "Oak", "papers.jsonl#7")


def test_related_by_graph_and_text(connection: duckdb.DuckDBPyConnection) -> None:
    found = related(connection, "MazeWorld")
    assert found.column("label")[0] == "success rate"
    assert found.column("papers")[0] == 3
    assert "MazeWorld" not in found.column("label")
    assert "=Bench" not in found.column("label")
    assert found.column("score") == sorted(found.column("score"), reverse=True)
    assert {row["kind"] for row in related(connection, "MazeWorld", kind="model")} == {"model"}


def test_company_brings_near_what_never_met(connection: duckdb.DuckDBPyConnection) -> None:
    rows = {row["label"]: row for row in related(connection, "folding", limit=50)}
    assert rows["Willow"]["papers"] == 0
    assert rows["Willow"]["graph"] > 0


def test_unknown_names(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(UnknownNameError, match="did you mean"):
        path(connection, "MazeWrld", "Oak")
    with pytest.raises(UnknownNameError, match="did you mean"):
        timeline(connection, "MazeWrld")


@pytest.mark.parametrize(
    ("command", "arguments", "shown"),
    [
        (timeline_command, ["MazeWorld"], "2025"),
        (compare_command, ["Willow", "Oak"], "Willow outperforms Oak"),
        (path_command, ["annealing", "SumBench"], "Tempering is a kind of annealing."),
        (related_command, ["MazeWorld"], "success rate"),
    ],
)
def test_commands(built: Path, command: click.Command, arguments: list[str], shown: str) -> None:
    result = CliRunner().invoke(command, [*arguments, "--in", str(built)])
    assert result.exit_code == 0, result.output
    assert shown in result.stdout
    result = CliRunner().invoke(command, [*arguments, "--in", str(built), "--json"])
    assert json.loads(result.stdout)

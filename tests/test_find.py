import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from kg import tables
from kg.cli.find import command
from kg.errors import KgError, UnknownNameError
from kg.find import find, years
from tests import analysis_build


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return analysis_build.build(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def connection(built: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with tables.open_build(built) as opened:
        yield opened


def papers(connection: duckdb.DuckDBPyConnection, **wanted: object) -> list[str]:
    names = {key: value for key, value in wanted.items() if key in {"dataset", "model", "method", "metric", "task", "any"}}
    rest = {key: value for key, value in wanted.items() if key not in names}
    return list(dict.fromkeys(find(connection, names, **rest).column("paper")))  # type: ignore[arg-type]


def test_newest_first_with_the_evidence(connection: duckdb.DuckDBPyConnection) -> None:
    found = find(connection, {"dataset": ["MazeWorld"]})
    assert found.column("paper") == ["papers.jsonl#5", "arxiv:2401.00003", "arxiv:2302.00002"]
    row = next(iter(found))
    assert row["evidence"][row["mark_start"] : row["mark_end"]] == "MazeWorld"


def test_variants_are_included_unless_exact(connection: duckdb.DuckDBPyConnection) -> None:
    assert "arxiv:2302.00002" in papers(connection, dataset=["SumBench"])
    assert "arxiv:2302.00002" not in papers(connection, dataset=["SumBench"], exact=True)
    assert papers(connection, dataset=["SumBench"], model=["Willow"]) == ["arxiv:2301.00001", "arxiv:2302.00002"]


def test_all_names_must_be_there_and_in_the_role(connection: duckdb.DuckDBPyConnection) -> None:
    assert papers(connection, dataset=["MazeWorld"], model=["Oak"]) == ["papers.jsonl#5", "arxiv:2401.00003"]
    assert papers(connection, dataset=["MazeWorld"], model=["Oak"], roles=["used", "evaluated"]) == ["arxiv:2401.00003"]
    assert papers(connection, any=["annealing"], roles=["proposed"]) == []


def test_years_and_venues(connection: duckdb.DuckDBPyConnection) -> None:
    assert papers(connection, dataset=["MazeWorld"], year="2024..") == ["papers.jsonl#5", "arxiv:2401.00003"]
    assert papers(connection, dataset=["MazeWorld"], year="2024") == ["arxiv:2401.00003"]
    assert papers(connection, dataset=["MazeWorld"], venue="inventc") != []
    assert papers(connection, dataset=["MazeWorld"], venue="other") == []


@pytest.mark.parametrize("span", ["24", "..", "last", "2024...", "2024..x"])
def test_what_is_no_span_of_years(span: str) -> None:
    with pytest.raises(KgError):
        years(span)


def test_an_unknown_name_suggests_the_nearest(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(UnknownNameError, match=r"(?s)'MazeWrld'.*did you mean MazeWorld"):
        find(connection, {"dataset": ["MazeWrld"]})


def test_a_name_of_another_type_says_so(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(UnknownNameError, match=r"Oak is a model, not a dataset"):
        find(connection, {"dataset": ["Oak"]})


def test_nothing_asked_is_an_error(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(KgError, match="nothing to look for"):
        find(connection)


def test_names_are_data_not_sql(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(UnknownNameError):
        find(connection, {"any": ["'; DROP TABLE papers; --"]})


def test_command(built: Path, tmp_path: Path) -> None:
    table = tmp_path / "found.csv"
    result = CliRunner().invoke(command, ["--in", str(built), "--dataset", "mazeworld", "--limit", "1", "--csv", str(table)])
    assert result.exit_code == 0, result.output
    assert "mentioned MazeWorld: MazeWorld is the usual test" in result.stdout
    assert "Folding for planning" not in result.stdout
    assert "3 papers, the first 1 shown" in result.stderr
    assert len(table.read_text(encoding="utf-8").splitlines()) == 4
    result = CliRunner().invoke(command, ["--in", str(built), "MazeWorld", "--json"])
    assert len(json.loads(result.stdout)) == 3

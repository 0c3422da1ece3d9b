import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli.export import command
from tests import analysis_build


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return analysis_build.build(tmp_path_factory.mktemp("build"))


def test_list_names_every_format() -> None:
    from kg.export import EXPORTERS

    result = CliRunner().invoke(command, ["--list", "--json"])
    assert [row["name"] for row in json.loads(result.stdout)] == list(EXPORTERS)


def test_writes_beside_the_build_or_where_told(built: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(built), "--format", "gexf"])
    assert (result.exit_code, result.stdout.strip()) == (0, str(built / "graph.gexf"))
    assert (built / "graph.gexf").exists()
    result = CliRunner().invoke(command, ["--in", str(built), "--format", "papers", "--format", "bibtex", "-o", str(tmp_path), "--json"])
    assert json.loads(result.stdout) == [str(tmp_path / "papers.csv"), str(tmp_path / "papers.bib")]


def test_no_format_is_an_error_that_lists_them(built: Path) -> None:
    result = CliRunner().invoke(command, [str(built)])
    assert result.exit_code == 2
    assert "graphml" in result.stdout

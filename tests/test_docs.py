"""What the documentation says is so: its commands and scripts run, its links lead somewhere."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import COMMANDS, main
from kg.outputs import FILES

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def block(name: str) -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```\n<!-- end -->", text, re.DOTALL)
    assert found, f"README has no block called {name}"
    return found[1]


@pytest.fixture(scope="module")
def seeds_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("seeds")
    result = CliRunner().invoke(main, ["build", str(ROOT / "seeds"), "-o", str(out)])
    assert result.exit_code == 0, result.output
    return out


def test_the_committed_exports_are_what_a_build_gives(seeds_build: Path) -> None:
    changed = [file for file in FILES.values() if (ROOT / "exports" / file).read_bytes() != (seeds_build / file).read_bytes()]
    assert changed == [], "build them again: kg build seeds -o exports"


def test_the_seeds_pass_the_shapes(seeds_build: Path) -> None:
    pytest.importorskip("pyshacl")
    result = CliRunner().invoke(main, ["validate", "--in", str(seeds_build), "--engine", "shacl"])
    assert result.exit_code == 0, result.output


def test_the_build_command_is_the_one_that_was_run() -> None:
    assert block("build").strip().endswith("kg build seeds -o exports")


def test_the_readme_question_in_sparql(seeds_build: Path, tmp_path: Path) -> None:
    query = tmp_path / "question.rq"
    query.write_text(block("sparql"), encoding="utf-8")
    result = CliRunner().invoke(main, ["query", str(query), "--in", str(seeds_build), "-f", "json"])
    assert result.exit_code == 0, result.output
    assert "dParallel" in result.stdout


def test_the_readme_question_in_python(seeds_build: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(block("python").replace('"exports"', repr(str(seeds_build))), {})
    assert "dParallel" in capsys.readouterr().out


def test_the_readme_lists_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"kg {name}`" not in text] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0, result.output
    assert f"kg {name}" in result.output


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []

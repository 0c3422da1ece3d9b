"""Every script of the cookbook runs on a build of invented papers and prints what its heading promises."""

import re
import runpy
from pathlib import Path

import pytest

from tests import analysis_build

COOKBOOK = Path(__file__).parent.parent / "docs" / "cookbook.md"
SCRIPTS = re.findall(r"^## \d+\. (.*?)\n```python\n(.*?)```", COOKBOOK.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
SHOWN = (
    "Most frequent dataset: MazeWorld, in 3 papers",
    "2024 Folding for planning | Folding trains Oak for planning on MazeWorld.",
    "branching search",
    "papers: ",
    "success rate 3 papers, PMI",
    "",
    "Folding for planning ~ A survey of planning",
    "MazeWorld",
    "papers with both",
    "never together: tempering and MazeWorld",
    "Willow outperforms 1",
    "papers.bib",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return analysis_build.build(tmp_path_factory.mktemp("build"))


def test_there_are_twelve() -> None:
    assert len(SCRIPTS) == len(SHOWN) == 12


@pytest.mark.parametrize("number", range(12))
def test_script_runs(number: int, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "exports").symlink_to(built)
    (tmp_path / "script.py").write_text(SCRIPTS[number][1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    runpy.run_path("script.py")
    assert SHOWN[number] in capsys.readouterr().out
    if number == 5:
        assert (tmp_path / "matrix.csv").read_text(encoding="utf-8").startswith("method,")
    if number == 11:
        assert {"graph.gexf", "graph.cx2", "papers.bib", "obsidian", "report.html"} <= {path.name for path in tmp_path.iterdir()}

"""`kg view`."""

from pathlib import Path

from click.testing import CliRunner

from kg.cli import main


def test_it_writes_a_page_and_says_where(hostile: Path, tmp_path: Path) -> None:
    out = tmp_path / "part.html"
    result = CliRunner().invoke(main, ["view", str(hostile), "-o", str(out), "--type", "dataset", "--title", "Sets"])
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{out}\n"
    assert "<title>Sets</title>" in out.read_text(encoding="utf-8")


def test_a_page_around_a_name_is_called_after_it(hostile: Path, tmp_path: Path) -> None:
    out = tmp_path / "part.html"
    assert CliRunner().invoke(main, ["view", str(hostile), "-o", str(out), "--around", "LSS", "--hops", "1"]).exit_code == 0
    assert "<title>Around LSS</title>" in out.read_text(encoding="utf-8")


def test_an_unknown_name_ends_with_a_hint_and_no_page(hostile: Path, tmp_path: Path) -> None:
    out = tmp_path / "part.html"
    result = CliRunner().invoke(main, ["view", str(hostile), "-o", str(out), "--around", "GSM9K"])
    assert result.exit_code == 1
    assert "did you mean GSM8K" in result.stderr
    assert not out.exists()


def test_a_folder_without_a_build_says_how_to_make_one(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["view", str(tmp_path)])
    assert result.exit_code == 1
    assert "kg build" in result.stderr

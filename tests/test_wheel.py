"""The wheel carries all that the program needs, into an environment that has nothing else."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_the_wheel_builds_in_an_empty_environment(tmp_path: Path, papers_file: Path) -> None:
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    made = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    wheel = next(tmp_path.glob("kg-*.whl"))
    venv.create(tmp_path / "venv", with_pip=True)
    folder = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([folder / "python", "-m", "pip", "install", "-q", str(wheel)], capture_output=True, check=True)
    built = subprocess.run([folder / "kg", "build", papers_file, "-o", "out"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "out" / "graph.html").stat().st_size > 100_000
    shown = subprocess.run(
        [folder / "kg", "query", "papers-on", "--dataset", "GSM8K", "--in", "out"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "gsm8k" in shown.stdout.lower(), shown.stderr

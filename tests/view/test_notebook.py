"""The page as a notebook shows it, by executing one."""

import os
from pathlib import Path
from typing import Any

import pytest

CELL = """
import kg

kg.load({folder!r}).show(around="LSS", hops=1, height=500)
"""


@pytest.mark.slow
def test_a_cell_shows_the_page_in_a_frame_of_its_own(hostile: Path) -> None:
    if os.environ.get("CI") != "true":
        pytest.importorskip("nbclient", reason="nbclient is not installed: it executes the notebook")
        pytest.importorskip("ipykernel", reason="ipykernel is not installed: it runs the notebook's cells")
    import nbclient
    import nbformat

    cells = [nbformat.v4.new_code_cell(CELL.format(folder=str(hostile))), nbformat.v4.new_code_cell(f"kg.load({str(hostile)!r})")]
    notebook: Any = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    part, whole = (cell.outputs[0]["data"]["text/html"] for cell in notebook.cells)
    for shown in (part, whole):
        assert shown.startswith("<iframe")
        assert "<script" not in shown
        assert "GSM8K" in shown
    assert "height:500px" in part
    assert "Kites in the Wind" in whole
    assert "Kites in the Wind" not in part

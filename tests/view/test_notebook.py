"""The page as a notebook shows it, by executing one."""

import os
from pathlib import Path
from typing import Any

import pytest

CELL = """
from kg import tables, view

class Shown:
    def _repr_html_(self):
        return view.frame(view.html(tables.open_build({folder!r})))

Shown()
"""


@pytest.mark.slow
def test_a_cell_shows_the_page_in_a_frame_of_its_own(hostile: Path) -> None:
    if os.environ.get("CI") != "true":
        pytest.importorskip("nbclient", reason="nbclient is not installed: it executes the notebook")
        pytest.importorskip("ipykernel", reason="ipykernel is not installed: it runs the notebook's cells")
    import nbclient
    import nbformat

    notebook: Any = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL.format(folder=str(hostile)))])
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = notebook.cells[0].outputs[0]["data"]["text/html"]
    assert shown.startswith("<iframe")
    assert "<script" not in shown
    assert "GSM8K" in shown

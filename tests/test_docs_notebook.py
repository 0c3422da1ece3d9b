"""The notebook runs from seeds to findings, and what it shows is what it says."""

from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.slow
def test_the_notebook_runs() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(DOCS / "seeds.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=900, kernel_name="python3", resources={"metadata": {"path": str(DOCS)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pictures = [output["data"]["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", {})]
    tables = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert len(pictures) >= 2
    assert all(picture.startswith("<svg") for picture in pictures)
    assert len(tables) >= 3
    assert not [output for output in outputs if output["output_type"] == "error"]
    assert "report.html True" in "".join(output.get("text", "") for output in outputs)

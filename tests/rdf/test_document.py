from pathlib import Path

from kg.rdf import document

PAGE = Path(__file__).parents[2] / "docs" / "ontology.md"


def test_the_page_is_the_one_that_the_files_make() -> None:
    assert PAGE.read_text(encoding="utf-8") == document.page(), "python -m kg.rdf.document > docs/ontology.md"

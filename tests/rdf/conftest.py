"""The builds that the tests of RDF, queries and the server share."""

from pathlib import Path

import pytest

from tests.rdf.builds import make


@pytest.fixture(scope="session")
def windy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small build with hostile names and texts."""
    return make(tmp_path_factory.mktemp("windy"))

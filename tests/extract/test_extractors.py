from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from kg.errors import KgError
from kg.model import EntityType, Mention, Paper, Span, Text
from kg.text import read_text

package: Any = import_module("kg.extract")


def shout(text: Text) -> Iterator[Mention]:
    """An extractor of somebody else's."""
    at = text.clean.find("QUUX")
    if at >= 0:
        yield Mention(Span(at, at + 4), "QUUX", EntityType.DATASET, "shout", 0.9)


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("shout", f"{__name__}:shout", package.GROUP), EntryPoint("broken", "kg_no_such_module:x", package.GROUP)]
    monkeypatch.setattr(package, "entry_points", lambda group: points)


def test_one_of_another_package_is_found_by_name(outside: None) -> None:
    text = read_text(Paper("p", "", "QUUX and GSM8K.", ()))
    assert [m.extractor for m in package.extract(text, package.extractors(["catalogue", "shout"])).mentions] == ["shout", "catalogue"]


def test_one_that_cannot_be_loaded_is_named(outside: None) -> None:
    with pytest.raises(KgError, match="'broken'"):
        package.extractors(["broken"])


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(KgError, match="no extractor 'nobody'"):
        package.extractors(["nobody"])


def test_no_tier_of_that_name() -> None:
    with pytest.raises(KgError, match="no tier"):
        package.run(read_text(Paper("p", "", "x", ())), "best")


def test_all_of_the_table_can_be_imported_and_find_nothing_in_nothing() -> None:
    empty = read_text(Paper("p", "", "", ()))
    for name, _ in package.EXTRACTORS:
        assert list(package.extractors([name])[0](empty)) == []


def test_the_version_tells_tiers_apart() -> None:
    assert package.version("rules") != package.version("default")

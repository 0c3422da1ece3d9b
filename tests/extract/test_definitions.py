import pytest

from kg.extract.definitions import extract
from kg.model import Paper
from kg.text import read_text


def found(abstract: str, title: str = "") -> set[tuple[str, str]]:
    return {(m.surface, m.type.value) for m in extract(read_text(Paper("p", title, abstract, ())))}


@pytest.mark.parametrize(
    ("abstract", "expected"),
    [
        ("We propose QuxNet, a new network for cats.", ("QuxNet", "Model")),
        ("We introduce QuxBench, a benchmark of 80 tasks.", ("QuxBench", "Dataset")),
        ("This paper presents a method called QuxFlow that is fast.", ("QuxFlow", "Method")),
        ("We propose Quick Umbrella Xylophones (QUX), a framework.", ("QUX", "Method")),
        ("We propose Quick Umbrella Xylophones (QUX), a framework.", ("Quick Umbrella Xylophones", "Method")),
        ("We release a corpus, dubbed QuxCorpus.", ("QuxCorpus", "Dataset")),
        ("QuxScore is a metric for songs.  We propose QuxScore.", ("QuxScore", "Metric")),
    ],
)
def test_introductions(abstract: str, expected: tuple[str, str]) -> None:
    assert expected in found(abstract)


def test_a_title_names_what_the_text_uses() -> None:
    assert ("Quxly", "Dataset") in found("Quxly is a benchmark for geese.", "Quxly: A Benchmark for Geese")
    assert not found("We look at geese.", "Geese: A Survey")


def test_every_place_of_an_introduced_name() -> None:
    text = read_text(Paper("p", "", "We propose QuxNet, a network. QuxNet is small. QuxNet-2 is not.", ()))
    assert [m.span.start for m in extract(text) if m.surface == "QuxNet"] == [11, 30]


@pytest.mark.parametrize(
    "abstract",
    [
        "We propose a new method for cats.",
        "We present experiments. However, it fails.",
        "This so-called solution is old.",
        "We introduce the problem, a hard one.",
        "In this paper, we show results.",
        "The proposed framework is simple.",
    ],
)
def test_what_must_not_fire(abstract: str) -> None:
    assert found(abstract) == set()

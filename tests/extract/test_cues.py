import pytest

from kg.extract.cues import extract
from kg.model import Paper
from kg.text import read_text


def found(raw: str) -> list[tuple[str, str]]:
    return sorted({(m.surface, m.type.value) for m in extract(read_text(Paper("p", "", raw, ())))})


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("We test on the FooBar benchmark.", [("FooBar", "Dataset")]),
        ("Tested on the FooBar, QUXX and Quxly datasets.", [("FooBar", "Dataset"), ("QUXX", "Dataset"), ("Quxly", "Dataset")]),
        ("Gains on datasets such as FooBar and QUXX.", [("FooBar", "Dataset"), ("QUXX", "Dataset")]),
        ("It lifts the QXY score.", [("QXY", "Metric")]),
        ("It uses the FooNet model.", [("FooNet", "Model")]),
        ("baselines like FooOpt fail", [("FooOpt", "Method")]),
    ],
)
def test_names_beside_cues(raw: str, expected: list[tuple[str, str]]) -> None:
    assert found(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [
        "The dataset is big.",
        "We use a CNN-based model.",
        "Large datasets and English corpora help.",
        "Our model wins. These models lose.",
        "Existing benchmarks such as those are old.",
        "the model of the COVID data",
    ],
)
def test_what_must_not_fire(raw: str) -> None:
    assert found(raw) == []

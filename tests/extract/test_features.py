"""What the taggers see: words side by side, the terms of a lexicon in them, and the class of each word's form."""

import pytest

from kg.extract.features import Lexicon, Term, see, words
from kg.model import Paper
from kg.text import read_text

TERMS = [
    Term("data set", 1, 0, False, 5, 40),
    Term("graph network", 3, 2, False, 8, 120),
    Term("graph", 0, 0, False, 0, 900),
    Term("network", 2, 0, True, 2, 500),
    Term("network state", 0, 0, False, 0, 3),
]


def found(text: str) -> tuple[list[str], list[str]]:
    tokens = words(text)
    typed, other = Lexicon(TERMS, {}).hits(tokens.lowers)
    return [tokens.between(h.start, h.end) for h in typed], [tokens.between(h.start, h.end) for h in other]


def test_words_know_where_they_stand() -> None:
    text = "A  (b_1) – naïve-Bayes’ b_1"
    tokens = words(text)
    assert tokens.surfaces == ["A", "(", "b_1", ")", "–", "naïve", "-", "Bayes", "’", "b_1"]
    assert [text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)] == tokens.surfaces
    assert tokens.between(5, 8) == "naïve-Bayes"


@pytest.mark.parametrize(
    ("text", "typed", "other"),
    [
        ("Datasets and a data-set", ["Datasets", "data-set"], []),
        ("graph networks", ["graph networks"], []),
        ("a graph of networks", ["networks"], ["graph"]),
        ("graph - network", ["graph - network"], []),
        ("graphs", [], ["graphs"]),
        ("the network state", ["network"], []),
        ("a graph network state", ["graph network"], []),
        ("grap network graphnet", ["network"], []),
        ("", [], []),
    ],
)
def test_terms_are_found_longest_first(text: str, typed: list[str], other: list[str]) -> None:
    assert found(text) == (typed, other)


def test_a_second_look_finds_the_same() -> None:
    lexicon = Lexicon(TERMS, {})
    lowers = words("graph networks of a data set").lowers
    assert lexicon.hits(lowers) == lexicon.hits(lowers)


def test_forms_tell_where_a_sentence_begins() -> None:
    text = read_text(Paper("p", "Small Nets", '"We" fold. (They) fold BERT.', ()))
    seen = see(text, Lexicon(TERMS, {}))
    assert dict(zip(seen.tokens.surfaces, seen.columns["shape"], strict=True)) == {
        "Small": 11, "Nets": 2, '"': 9, "We": 11, "fold": 1, ".": 9, "(": 9, "They": 11, ")": 9, "BERT": 4
    }  # fmt: skip
    assert [row[0] for row in seen.rows] == seen.columns["shape"]

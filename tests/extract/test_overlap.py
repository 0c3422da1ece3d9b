from itertools import permutations

import pytest

from kg.extract.overlap import settle, trim
from kg.model import EntityType, Mention, Span


def mention(start: int, end: int, score: float = 0.5, extractor: str = "a", kind: EntityType = EntityType.MODEL) -> Mention:
    return Mention(Span(start, end), "x" * (end - start), kind, extractor, score)


def test_the_longer_stays_whatever_its_score() -> None:
    assert settle([mention(0, 4, 0.9), mention(0, 9, 0.2)]) == (mention(0, 9, 0.2),)


def test_the_surer_of_two_in_one_place_stays_then_the_first() -> None:
    assert settle([mention(0, 4, 0.5), mention(0, 4, 0.7, "b")])[0].extractor == "b"
    assert settle([mention(0, 4, 0.5), mention(0, 4, 0.5, "b")])[0].extractor == "a"


def test_neighbours_both_stay_in_their_order() -> None:
    assert [m.span.start for m in settle([mention(4, 8), mention(0, 4)])] == [0, 4]


def test_the_order_of_longer_mentions_does_not_matter() -> None:
    given = [mention(0, 9), mention(2, 6), mention(8, 12), mention(20, 22)]
    assert len({settle(order) for order in permutations(given)}) == 1


def test_nothing_gives_nothing() -> None:
    assert settle([]) == ()


@pytest.mark.parametrize(
    ("surface", "wanted"),
    [
        ('Kite Models"', "Kite Models"),
        ("“Kite", "Kite"),
        ("Kite)", "Kite"),
        ("(Kite", "Kite"),
        ("Kite (", "Kite"),
        ("Kite (v2)", "Kite (v2)"),
        ("A*", "A*"),
        ("C++.", "C++"),
        ('"', None),
    ],
)
def test_quotes_and_single_brackets_are_no_part_of_a_name(surface: str, wanted: str | None) -> None:
    trimmed = trim(Mention(Span(5, 5 + len(surface)), surface, EntityType.METHOD, "a", 0.5))
    assert (trimmed and trimmed.surface) == wanted
    if trimmed:
        assert trimmed.span.end - trimmed.span.start == len(trimmed.surface)
        assert surface[trimmed.span.start - 5 : trimmed.span.end - 5] == trimmed.surface

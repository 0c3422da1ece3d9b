"""What the results models learn from: every number of a gold card's text, and every option for its metric and dataset."""

import re
from collections.abc import Sequence

from kg.relations.scene import Scene, build_scene
from kg.results.context import Placed, dataset_options, metric_options, number_features, option_features, place
from kg.results.numbers import find_numbers
from kg.surface import key
from kg.text import clean
from kg.train_relations.gold import CardObject, Example


def number_cases(items: Sequence[Example]) -> tuple[list[list[str]], list[int]]:
    """The features of every number that stands in a text, and whether gold reports it."""
    cases: list[list[str]] = []
    labels: list[int] = []
    for item in items:
        for _, case, result in numbers_of(item)[1]:
            cases.append(case)
            labels.append(int(result is not None))
    return cases, labels


def numbers_of(item: Example) -> tuple[Scene, list[tuple[Placed, list[str], CardObject | None]]]:
    """The scene and each placed number with its features and the gold result that it is."""
    scene = build_scene(item.text, item.entities)
    placed = place(find_numbers(item.text.clean), scene)
    matches = _matched(placed, item.card.get("results", ()))
    return scene, [
        (number, number_features(number, metric_options(number, scene, item.entities), scene, bool(item.text.title_end)), match)
        for number, match in zip(placed, matches, strict=True)
    ]


def _matched(placed: Sequence[Placed], results: Sequence[CardObject]) -> list[CardObject | None]:
    """The gold result of each number: one written the same way goes before one that has the same digits."""
    matches: list[CardObject | None] = [None] * len(placed)
    left = list(results)
    for same in (
        lambda number, value: number.value == value,
        lambda number, value: number.value.split()[0] == value.split()[0],
        lambda number, value: bool(_digits(value)) and _digits(number.value) == _digits(value),
    ):
        for at, item in enumerate(placed):
            match = next((r for r in left if same(item.number, clean(r["value"]) or "?")), None) if matches[at] is None else None
            if match is not None:
                matches[at] = match
                left.remove(match)
    return matches


def _digits(value: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?", value.replace(",", ""))


def _agree(one: str, other: str) -> bool:
    first, second = key(one), key(other)
    return bool(first and second) and (first in second or second in first)


def option_cases(items: Sequence[Example], field: str) -> tuple[list[list[str]], list[int]]:
    """The features of every option for `field` ("metric" or "dataset") of every reported number, and whether gold agrees with it."""
    cases: list[list[str]] = []
    labels: list[int] = []
    for item in items:
        scene, numbers = numbers_of(item)
        every = [number for number, _, _ in numbers]
        for number, _, result in numbers:
            if result is None:
                continue
            options = metric_options(number, scene, item.entities) if field == "metric" else dataset_options(scene, item.entities, number)
            for option in options:
                cases.append(option_features(number, option, options, scene, every))
                labels.append(int(_agree(result.get(field, ""), option.text)))
    return cases, labels

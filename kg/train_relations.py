"""Annotated cards → the shipped models of roles and relations. Needs scikit-learn (BSD-3-Clause), the extra `kg[train]`."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from kg.evaluate import surface
from kg.model import EntityType, Found, Mention, Paper, RelationKind, Role, Span, Text
from kg.relations.linear import Linear, softmax
from kg.relations.pairs import pair_features
from kg.relations.roles import role_features
from kg.relations.scene import build_scene
from kg.results.context import dataset_options, metric_options, number_features, option_features, place
from kg.results.numbers import find_numbers
from kg.text import clean, read_text

CardObject = dict[str, Any]
FOLDS = 5
ROLES = tuple(Role)
KINDS = tuple(RelationKind)
# Weights so small that leaving them out changes no decision that counts; dropping them keeps the files small.
NEGLIGIBLE = 0.01


@dataclass(frozen=True, slots=True)
class Example:
    """A gold card as the later stages would see it: its text, its entities with gold roles, its relations by index."""

    id: str
    text: Text
    entities: tuple[Found, ...]
    relations: dict[tuple[int, int], int]
    stated: int
    card: CardObject


def fold(identifier: str) -> int:
    """The fold of a paper: fold 0 is the one that every stage holds out."""
    return crc32(identifier.encode()) % FOLDS


def example(card: CardObject) -> Example:
    """Turn a gold card into entities with mentions at every place where one of their surface forms stands."""
    text = read_text(Paper(card["id"], card.get("title") or "", card["abstract"], ()))
    entities = gold_entities(text, card["entities"])
    index = {entity["name"]: k for k, entity in enumerate(card["entities"])}
    relations: dict[tuple[int, int], int] = {}
    stated = {(index[h], RelationKind(kind), index[t]) for h, kind, t in card.get("relations", ()) if h in index and t in index}
    for head, kind, tail in sorted(stated):
        relations.setdefault((head, tail), KINDS.index(kind) + 1)
    return Example(card["id"], text, entities, relations, len(stated), card)


def gold_entities(text: Text, entities: Sequence[CardObject]) -> tuple[Found, ...]:
    """The entities of a gold card as resolution would hand them on. A mention inside a longer one of another entity is left to that one."""
    spans = sorted(
        {(a, b, k) for k, e in enumerate(entities) for m in e["mentions"] for a, b in _occurrences(clean(m), text.clean)},
        key=lambda s: (s[0] - s[1], s),
    )
    kept: list[tuple[int, int, int]] = []
    for span in spans:
        if not any(other[0] < span[1] and span[0] < other[1] and other[:2] != span[:2] for other in kept):
            kept.append(span)
    return tuple(_gold_found(text, entity, [s for s in kept if s[2] == k] or [s for s in spans if s[2] == k]) for k, entity in enumerate(entities))


def _gold_found(text: Text, entity: CardObject, spans: Iterable[tuple[int, int, int]]) -> Found:
    from kg import ontology
    from kg.resolve.known import certain

    kind = EntityType(entity["type"])
    mentions = tuple(Mention(Span(a, b), text.clean[a:b], kind, "gold", 1.0) for a, b, _ in sorted(spans))
    catalogue = ontology.load().catalogue
    rows = [row for name in (entity["name"], *entity["mentions"]) if (row := certain(catalogue, clean(name)))]
    also = EntityType(entity["also"][0]) if entity.get("also") else None
    return Found(entity["name"], kind, mentions, 1.0, "gold", Role(entity["role"]), also, catalogue=rows[0].id if rows else "")


def _occurrences(surface: str, text: str) -> list[tuple[int, int]]:
    if not surface:
        return []
    pattern = (r"(?<!\w)" if surface[0].isalnum() else "") + re.escape(surface) + (r"(?!\w)" if surface[-1].isalnum() else "")
    for flags, form in ((0, pattern), (re.IGNORECASE, pattern), (re.IGNORECASE, re.escape(surface))):
        if spans := [match.span() for match in re.finditer(form, text, flags)]:
            return spans
    return []


def vocabulary(cases: Iterable[Iterable[str]], minimum: int) -> dict[str, int]:
    """The features that at least `minimum` cases have, each with its row."""
    counts = Counter(feature for case in cases for feature in set(case))
    return {feature: row for row, feature in enumerate(sorted(f for f, n in counts.items() if n >= minimum))}


def matrix(cases: Sequence[Iterable[str]], rows: dict[str, int]) -> Any:
    """The cases as a sparse matrix of ones, shape (cases, features)."""
    from scipy.sparse import csr_matrix

    known = [sorted({rows[f] for f in case if f in rows}) for case in cases]
    flat = np.fromiter((row for case in known for row in case), dtype=np.int32)
    ends = np.cumsum([0, *map(len, known)])
    return csr_matrix((np.ones(len(flat), np.float32), flat, ends), shape=(len(cases), len(rows)))


def fit(cases: Sequence[Iterable[str]], labels: Sequence[int], count: int, *, minimum: int, strength: float, steps: int) -> Linear:
    """A multinomial logistic regression; `strength` is the inverse of the L2 penalty, `steps` the most that its L-BFGS takes."""
    from sklearn.linear_model import LogisticRegression

    rows = vocabulary(cases, minimum)
    model = LogisticRegression(C=strength, max_iter=steps).fit(matrix(cases, rows), labels)
    weights = np.zeros((len(rows), count), np.float32)
    own = model.classes_ if len(model.classes_) > 2 else model.classes_[1:]  # two classes have the scores of the second alone
    weights[:, own] = model.coef_.T
    missing = [label for label in range(count) if label not in model.classes_]
    weights[rows["bias"], own] += model.intercept_
    weights[rows["bias"], missing] = -20.0
    kept = [name for name, row in rows.items() if name == "bias" or np.abs(weights[row]).max() >= NEGLIGIBLE]
    return Linear({name: row for row, name in enumerate(kept)}, weights[[rows[name] for name in kept]])


ROLE_FIT = {"minimum": 3, "strength": 0.05, "steps": 200}
PAIR_FIT = {"minimum": 4, "strength": 0.03, "steps": 60}


def with_roles(item: Example, roles: Sequence[int]) -> Example:
    """The same example with other roles, as a model predicted them."""
    return replace(item, entities=tuple(replace(e, role=ROLES[r]) for e, r in zip(item.entities, roles, strict=True)))


def role_cases(items: Sequence[Example]) -> tuple[list[list[str]], list[int]]:
    """The features of every entity, in order, and its role's number."""
    cases = [case for item in items for case in role_features(item.text, item.entities, build_scene(item.text, item.entities))]
    return cases, [ROLES.index(entity.role) for item in items for entity in item.entities]


def pair_cases(items: Sequence[Example]) -> tuple[list[list[str]], list[int]]:
    """The features of every ordered pair, in order, and its relation's number, 0 for none."""
    cases: list[list[str]] = []
    labels: list[int] = []
    for item in items:
        pairs, rows = pair_features(item.text, item.entities, build_scene(item.text, item.entities))
        cases += rows
        labels += [item.relations.get(pair, 0) for pair in pairs]
    return cases, labels


def out_of_fold_roles(items: Sequence[Example]) -> list[Example]:
    """Every example with the roles that a model trained on the other folds gives it."""
    renamed: dict[str, Example] = {}
    for number in range(FOLDS):
        rest, held = split(items, number)
        model = fit(*role_cases(rest), len(ROLES), **ROLE_FIT)  # type: ignore[arg-type]
        for item in held:
            cases = role_cases([item])[0]
            renamed[item.id] = with_roles(item, model.scores(cases).argmax(axis=1).tolist() if cases else [])
    return [renamed[item.id] for item in items]


def split(items: Sequence[Example], number: int) -> tuple[list[Example], list[Example]]:
    """The examples of all folds but one, and those of that one."""
    return [i for i in items if fold(i.id) != number], [i for i in items if fold(i.id) == number]


def tune(chances: NDArray[np.float32], labels: NDArray[np.int64], stated: int) -> tuple[NDArray[np.float32], float]:
    """A threshold for each relation that makes micro F1 best, by coordinate ascent; `stated` is how many relations gold has. Returns F1 too."""
    thresholds = np.full(len(KINDS), 0.35, np.float32)

    def f1(levels: NDArray[np.float32]) -> float:
        above = chances[:, 1:] - levels
        found = above.max(axis=1) > 0
        right = int(((above.argmax(axis=1) + 1 == labels) & found).sum())
        return 2 * right / (int(found.sum()) + stated)

    best = f1(thresholds)
    for _ in range(2):
        for kind in range(len(KINDS)):
            for level in np.arange(0.15, 0.7, 0.025, dtype=np.float32):
                trial = thresholds.copy()
                trial[kind] = level
                if (score := f1(trial)) > best + 1e-9:
                    best, thresholds = score, trial
    return thresholds, best


def number_cases(items: Sequence[Example]) -> tuple[list[list[str]], list[int]]:
    """The features of every number that stands in a text, and whether gold reports it."""
    cases: list[list[str]] = []
    labels: list[int] = []
    for item in items:
        for _, case, result in numbers_of(item)[1]:
            cases.append(case)
            labels.append(int(result is not None))
    return cases, labels


def numbers_of(item: Example) -> tuple[Any, list[tuple[Any, list[str], CardObject | None]]]:
    """The scene and each placed number with its features and the gold result that it is; the first place with the same digits takes it."""
    scene = build_scene(item.text, item.entities)
    placed = place(find_numbers(item.text.clean), scene)
    left = list(item.card.get("results", ()))
    found = []
    for number in sorted(placed, key=lambda p: p.before < 0):
        digits = _digits(number.number.value)
        match = next((r for r in left if digits and _digits(clean(r["value"])) == digits or clean(r["value"]) == number.number.value), None)
        if match is not None:
            left.remove(match)
        found.append((number, number_features(number, scene, bool(item.text.title_end)), match))
    return scene, found


def _digits(value: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?", value.replace(",", ""))


def _agree(one: str, other: str) -> bool:
    first, second = surface(one), surface(other)
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
            options = metric_options(number, scene, item.entities, item.text) if field == "metric" else dataset_options(scene, item.entities, number)
            for option in options:
                cases.append(option_features(number, option, options, scene, every))
                labels.append(int(_agree(result.get(field, ""), option.text)))
    return cases, labels

"""The steps of training, each with its figures from cross-validation over the five folds of papers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.cards import from_card
from kg.evaluate import score
from kg.model import Card, FoundResult, Paper
from kg.relations.linear import Linear, Matrix, softmax
from kg.relations.pairs import PairCases, pair_features
from kg.relations.roles import role_features
from kg.relations.scene import build_scene
from kg.results.reading import Models, read_results
from kg.train_relations.fitting import fit, tune
from kg.train_relations.gold import FOLDS, KINDS, ROLES, CardObject, Example, fold, split, with_roles
from kg.train_relations.results import number_cases, option_cases

# Papers whose pairs are scored by a model that never saw them: three rounds do, since what is wanted is one threshold a relation.
ROUNDS = ((0,), (1, 2), (3, 4))


def roles(items: Sequence[Example], how: dict[str, Any]) -> tuple[Linear, list[Example], dict[str, float]]:
    """The role model, every example with the roles that the other folds' model gives it, and the figures of those."""
    kept = [item for item in items if item.entities]
    cases = {item.id: role_features(item.text, item.entities, build_scene(item.text, item.entities)).joined() for item in kept}
    labels = {item.id: [ROLES.index(entity.role) for entity in item.entities] for item in kept}

    def learn(some: Sequence[Example]) -> Linear:
        return fit([case for i in some for case in cases[i.id]], [label for i in some for label in labels[i.id]], len(ROLES), **how)

    found: dict[str, list[int]] = {}
    for number in range(FOLDS):
        rest, held = split(kept, number)
        if rest and held:
            model = learn(rest)
            found |= {item.id: model.scores(cases[item.id]).argmax(axis=1).tolist() for item in held}
    right = [(a, b) for item in kept if item.reference and item.id in found for a, b in zip(labels[item.id], found[item.id], strict=True)]
    figures = {
        "role accuracy": round(float(np.mean([a == b for a, b in right])), 4),
        "proposed or not": round(float(np.mean([(a == 0) == (b == 0) for a, b in right])), 4),
    }
    return learn(kept), [with_roles(item, found.get(item.id, labels[item.id])) for item in kept], figures


def relations(items: Sequence[Example], how: dict[str, Any]) -> tuple[dict[str, NDArray[Any]], dict[str, float]]:
    """The arrays of the relation model with its thresholds, and F1 with gold entities and predicted roles."""
    kept = [item for item in items if len(item.entities) > 1]
    cases = {item.id: pair_features(item.text, item.entities, build_scene(item.text, item.entities)) for item in kept}
    joined = {identifier: case.joined() for identifier, case in cases.items()}
    labels = {item.id: [item.relations.get(pair, 0) for pair in cases[item.id].pairs] for item in kept}

    def learn(some: Sequence[Example]) -> Linear:
        return fit([c for i in some for c in joined[i.id]], [label for i in some for label in labels[i.id]], 1 + len(KINDS), **how)

    chances: dict[str, Matrix] = {}
    for folds in ROUNDS:
        model = learn([item for item in kept if fold(item.id) not in folds])
        chances |= {item.id: _chances(model, cases[item.id]) for item in kept if fold(item.id) in folds and cases[item.id].pairs}
    order = [item.id for item in kept if item.reference and item.id in chances]
    stated = sum(item.stated for item in kept if item.reference)
    thresholds, score = tune(np.concatenate([chances[i] for i in order]), np.array([label for i in order for label in labels[i]]), stated)
    return {"thresholds": thresholds, **learn(kept).pack("pair")}, {"relation F1, gold entities": round(score, 4)}


def _chances(model: Linear, case: PairCases) -> Matrix:
    return softmax(case.scores(model)[1])


def results(items: Sequence[Example], number: dict[str, Any], option: dict[str, Any]) -> tuple[dict[str, NDArray[Any]], dict[str, float]]:
    """The arrays of the three results models, and precision and recall of the results on the papers of the other folds, entities given."""

    def learn(some: Sequence[Example]) -> Models:
        return Models(fit(*number_cases(some), 2, **number), *(fit(*option_cases(some, field), 2, **option) for field in ("metric", "dataset")))

    gold, found = [], []
    for held_fold in range(FOLDS):
        rest, held = split(items, held_fold)
        held = [item for item in held if item.reference]
        if not any(item.card.get("results") for item in rest) or not held:
            continue
        models = learn(rest)
        gold += [item.card for item in held]
        found += [_card(item, read_results(item.text, item.entities, (), models)) for item in held]
    count = score(gold, found).count("results")
    arrays: dict[str, NDArray[Any]] = {}
    for name, model in learn(items)._asdict().items():
        arrays |= model.pack(name)
    return arrays, {"result precision": round(count.precision, 4), "result recall": round(count.recall, 4)}


def _card(item: Example, found: Sequence[FoundResult]) -> CardObject:
    return from_card(Card(Paper(item.id, "", "", ()), item.text, item.entities, (), tuple(found)))

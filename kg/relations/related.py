"""The relations that a paper states between its entities."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from kg.model import Found, FoundRelation, RelationKind, Span, Text
from kg.relations.linear import Linear, Matrix, softmax
from kg.relations.pairs import pair_features
from kg.relations.scene import Scene, build_scene, sentence_span
from kg.relations.weights import load_arrays

KINDS = tuple(RelationKind)
EXTRACTOR = "relations"
FLOOR = 0.1
"""A relation less sure than this, its two entities' own confidence counted in, costs more in precision than it brings in recall."""
FAR = 3.5
"""How far "none" may lead before the words around a pair are read. Under half the pairs are within it, and 98 of 100 relations found without it."""


@cache
def _model() -> tuple[Linear, Matrix]:
    arrays = load_arrays("relations")
    return Linear.unpack(arrays, "pair"), arrays["thresholds"].astype(np.float32)


def relate(text: Text, entities: Sequence[Found]) -> tuple[FoundRelation, ...]:
    """The relations between pairs of a paper's entities: at most one for each ordered pair, with the sentence that states it.

    `entities` carry their roles (`assign_roles`); indexes of the result are indexes of `entities`. `confidence` is the probability of the kind
    by a model trained on annotated cards times the confidence of both entities; a relation is kept when the former reaches that kind's own
    threshold, set where micro F1 was best out of fold, and the product FLOOR.
    """
    if len(entities) < 2:
        return ()
    scene = build_scene(text, entities)
    cases = pair_features(text, entities, scene)
    if not cases.pairs:
        return ()
    model, thresholds = _model()
    pairs, scores = cases.scores(model, FAR)
    if not pairs:
        return ()
    chances = softmax(scores)
    above = chances[:, 1:] - thresholds
    kept = []
    for (head, tail), chance, best, level in zip(pairs, chances, above.argmax(axis=1).tolist(), above.max(axis=1).tolist(), strict=True):
        sure = float(chance[best + 1]) * entities[head].confidence * entities[tail].confidence
        if level > 0 and sure >= FLOOR:
            span = stating_sentence(text, scene, head, tail)
            kept.append(FoundRelation(head, KINDS[best], tail, span, round(sure, 4), EXTRACTOR))
    return tuple(sorted(kept, key=lambda r: (r.head, r.kind, r.tail)))


def stating_sentence(text: Text, scene: Scene, head: int, tail: int) -> Span:
    """The sentence that names both entities closest together, else the first one of the abstract that names the tail."""
    near = [(abs(a - b), a) for a in scene.at[head] for b in scene.at[tail] if scene.sentence[a] == scene.sentence[b]]
    if near:
        return sentence_span(text, scene.sentence[min(near)[1]])
    numbers = [scene.sentence[a] for a in scene.at[tail]] or [scene.sentence[a] for a in scene.at[head]] or [0]
    return sentence_span(text, next((n for n in numbers if not text.title_end or n > 0), numbers[0]))

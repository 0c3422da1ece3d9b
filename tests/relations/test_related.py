"""Relations of the shipped model on invented abstracts, exact where a reader could not doubt."""

import pytest

from kg.model import RelationKind, Role
from kg.relations import relate
from tests.relations.helpers import marked

ROLES = {
    "KiteNet": Role.PROPOSED, "ResNet-50": Role.USED, "image classification": Role.EVALUATED, "SkyBench-7": Role.EVALUATED,
    "BarNet": Role.COMPARED, "accuracy": Role.EVALUATED,
}  # fmt: skip
TEXT, ENTITIES = marked(
    "We propose [[KiteNet|Model]], a network based on [[ResNet-50|Model]], for [[image classification|Task]]. "
    "On [[SkyBench-7|Dataset]], [[KiteNet|Model]] outperforms [[BarNet|Model]] in [[accuracy|Metric]].",
    roles=ROLES,
)
NAMES = [entity.name for entity in ENTITIES]


def stated():
    return {(NAMES[r.head], r.kind, NAMES[r.tail]) for r in relate(TEXT, ENTITIES)}


@pytest.mark.parametrize(
    ("head", "kind", "tail"),
    [
        ("KiteNet", RelationKind.APPLIED_TO, "image classification"),
        ("KiteNet", RelationKind.BASED_ON, "ResNet-50"),
        ("KiteNet", RelationKind.EVALUATED_ON, "SkyBench-7"),
        ("KiteNet", RelationKind.OUTPERFORMS, "BarNet"),
        ("KiteNet", RelationKind.MEASURED_BY, "accuracy"),
    ],
)
def test_a_plain_statement_is_found(head, kind, tail):
    assert (head, kind, tail) in stated()


@pytest.mark.parametrize(
    ("head", "tail"),
    [("accuracy", "KiteNet"), ("SkyBench-7", "KiteNet"), ("image classification", "KiteNet"), ("accuracy", "SkyBench-7"), ("BarNet", "ResNet-50")],
)
def test_these_pairs_hold_nothing(head, tail):
    assert not [s for s in stated() if (s[0], s[2]) == (head, tail)]


def test_the_span_is_the_sentence_that_names_both():
    by_tail = {NAMES[r.tail]: r for r in relate(TEXT, ENTITIES) if NAMES[r.head] == "KiteNet"}
    quotes = {tail: TEXT.clean[r.span.start : r.span.end] for tail, r in by_tail.items()}
    assert quotes["ResNet-50"].startswith("We propose KiteNet")
    assert quotes["SkyBench-7"].startswith("On SkyBench-7")
    assert all(0 < r.confidence <= 1 for r in by_tail.values())


def test_at_most_one_relation_for_a_pair_and_never_with_itself():
    pairs = [(r.head, r.tail) for r in relate(TEXT, ENTITIES)]
    assert len(pairs) == len(set(pairs))
    assert all(head != tail for head, tail in pairs)


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_entities_hold_nothing(count):
    assert relate(TEXT, ENTITIES[:count]) == ()


def test_the_same_entities_give_the_same_relations_each_time():
    assert relate(TEXT, ENTITIES) == relate(TEXT, ENTITIES)


def test_doubtful_entities_make_a_doubtful_relation_or_none():
    from dataclasses import replace

    doubtful = tuple(replace(entity, confidence=0.6) for entity in ENTITIES)
    sure = {(r.head, r.tail): r.confidence for r in relate(TEXT, ENTITIES)}
    halved = {(r.head, r.tail): r.confidence for r in relate(TEXT, doubtful)}
    assert halved
    assert all(abs(halved[pair] - 0.36 * sure[pair]) < 1e-3 for pair in halved)
    assert relate(TEXT, tuple(replace(entity, confidence=0.1) for entity in ENTITIES)) == ()

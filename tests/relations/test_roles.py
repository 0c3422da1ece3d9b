"""Exact roles of the shipped model on invented abstracts."""

from kg.model import Role
from kg.relations import assign_roles
from tests.relations.helpers import marked

KITE = marked(
    "[[Image classification|Task]] is an important problem. We propose [[KiteNet|Model]], a novel network based on [[ResNet-50|Model]] for "
    "[[image classification|Task]]. Experiments on [[SkyBench-7|Dataset]] show that [[KiteNet|Model]] improves [[accuracy|Metric]] over "
    "existing methods.",
    title="[[KiteNet|Model]]: Tethered Attention for [[Image Classification|Task]]",
    known=["ResNet-50", "accuracy", "Image Classification"],
)


def roles(text, entities):
    return {entity.name: entity.role for entity in assign_roles(text, entities)}


def test_a_paper_proposes_uses_and_evaluates():
    assert roles(*KITE) == {
        "KiteNet": Role.PROPOSED,
        "Image Classification": Role.EVALUATED,
        "ResNet-50": Role.USED,
        "SkyBench-7": Role.EVALUATED,
        "accuracy": Role.EVALUATED,
    }


def test_everything_but_the_role_stays():
    text, entities = KITE
    assert [(e.name, e.type, e.mentions, e.confidence) for e in assign_roles(text, entities)] == [
        (e.name, e.type, e.mentions, e.confidence) for e in entities
    ]


def test_a_background_class_is_not_proposed():
    text, entities = marked(
        "Recent work relies on [[graph neural networks|Method]], which need much memory. In this paper, we introduce [[LeafWalk|Method]], a simple "
        "sampler for [[node classification|Task]]."
    )
    found = roles(text, entities)
    assert found["LeafWalk"] is Role.PROPOSED
    assert found["graph neural networks"] is not Role.PROPOSED
    assert found["node classification"] is Role.EVALUATED


def test_no_entities_no_roles():
    text, _ = KITE
    assert assign_roles(text, ()) == ()

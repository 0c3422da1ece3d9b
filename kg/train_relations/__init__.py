"""Annotated cards → the models of roles, relations and results. Needs scikit-learn, in the extra `kg[train]`."""

import json
from collections.abc import Callable, Sequence, Set
from hashlib import sha256
from pathlib import Path
from typing import Any

from kg.train_relations.gold import CardObject, Example, example

__all__ = ["FILES", "Example", "example", "train"]

FILES = ("roles.npz", "relations.npz", "results.npz")
ROLE_FIT = {"minimum": 3, "strength": 0.04, "steps": 70}
PAIR_FIT = {"minimum": 5, "strength": 0.03, "steps": 75}
NUMBER_FIT = {"minimum": 2, "strength": 0.3, "steps": 60}
OPTION_FIT = {"minimum": 2, "strength": 0.4, "steps": 60}


def train(
    cards: Sequence[CardObject], out: Path, *, reference: Set[str] | None = None, say: Callable[[str], None] = lambda line: None
) -> dict[str, Any]:
    """Train on gold cards, which carry title and abstract, and write FILES and `relations.json` to a folder; returns what the latter says.

    `reference` are the ids of the papers from which figures and thresholds are taken (all, when None). `say` hears of each step. Relations learn from
    roles that were predicted out of fold, since that is what they will see; results learn from the reference alone.
    """
    from kg.train_relations import steps

    items = [example(card, reference=reference is None or card["id"] in reference) for card in cards]
    out.mkdir(parents=True, exist_ok=True)
    say("roles")
    role_model, predicted, role_figures = steps.roles(items, ROLE_FIT)
    _save(out / "roles.npz", role_model.pack("role"))
    say("relations")
    arrays, pair_figures = steps.relations(predicted, PAIR_FIT)
    _save(out / "relations.npz", arrays)
    say("results")
    arrays, result_figures = steps.results([item for item in items if item.reference], NUMBER_FIT, OPTION_FIT)
    _save(out / "results.npz", arrays)
    counts = {"papers": len(items), "reference": sum(item.reference for item in items)}
    recipe = {**counts, "role": ROLE_FIT, "pair": PAIR_FIT, "number": NUMBER_FIT, "option": OPTION_FIT}
    return write_facts(out, recipe, role_figures | pair_figures | result_figures)


def write_facts(out: Path, recipe: dict[str, Any], figures: dict[str, Any]) -> dict[str, Any]:
    """Write which files belong to the recipe and figures: `relations.json`."""
    files = {name: {"bytes": (out / name).stat().st_size, "sha256": sha256((out / name).read_bytes()).hexdigest()} for name in FILES}
    facts = {"format": 1, "files": files, "recipe": recipe, "figures": figures}
    (out / "relations.json").write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return facts


def _save(path: Path, arrays: dict[str, Any]) -> None:
    import numpy as np

    np.savez_compressed(path, allow_pickle=False, **arrays)

"""Training of the judge: boosted trees of scikit-learn over candidates from beliefs that were made without the paper, and their flat arrays."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from kg.evaluate import score, surface
from kg.extract.acronyms import extract as find_aliases
from kg.extract.candidates import Beliefs, Chances, Group, groups, hear
from kg.extract.describe import describe
from kg.extract.judge import choose
from kg.model import Mention
from kg.train.examples import Example

# Few papers and many features: small trees, each split seeing a fifth of the features.
RECIPE = {"max_iter": 200, "learning_rate": 0.05, "max_leaf_nodes": 4, "min_samples_leaf": 80, "l2_regularization": 20.0, "max_features": 0.2}
CUTS = (0.34, 0.37, 0.4, 0.43, 0.46)
_PARTS = 5


def candidates(item: Example, sources: Sequence[Beliefs]) -> tuple[list[Group], NDArray[np.float64], NDArray[np.int64]]:
    """A paper's candidates, their features, and for each whether gold has it."""
    known, advice = hear(item.seen, item.text)
    spans = [Chances(source) for source in sources]
    found = groups(item.seen, spans[0], [*known, *advice])
    gold = {surface(name) for entity in item.card["entities"] for name in (entity["name"], *entity["mentions"])}
    right = np.array([any(form in gold for form in group.forms) for group in found], dtype=np.int64)
    return found, describe(item.seen, item.text, found, spans, known, advice), right


def fit(items: Sequence[Example], beliefs: Mapping[str, Sequence[Beliefs]], out: Path, extractor: str) -> dict[str, float]:
    """Grow the trees, set the cut where F1 is best in cross-validation, write both; returns that cross-validated F1 and the cut.

    `beliefs` holds for each paper's id what the taggers believe that did not learn from the paper.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    made = [candidates(item, beliefs[item.card["id"]]) for item in items]
    parts = np.array([crc32(f"z{item.card['id']}".encode()) % _PARTS for item in items])
    chances: list[NDArray[np.float64]] = [np.zeros(0)] * len(items)
    for part in range(_PARTS):
        model = HistGradientBoostingClassifier(**RECIPE, random_state=0)
        inside = [m for m, p in zip(made, parts, strict=True) if p != part]
        model.fit(np.vstack([m[1] for m in inside]), np.concatenate([m[2] for m in inside]))
        for at in np.flatnonzero(parts == part).tolist():
            chances[at] = model.predict_proba(made[at][1])[:, 1] if len(made[at][1]) else np.zeros(0)
    best = max((_typed_f1(items, [_chosen(*row, cut, extractor) for row in zip(items, made, chances, strict=True)]), cut) for cut in CUTS)
    model = HistGradientBoostingClassifier(**RECIPE, random_state=0)
    model.fit(np.vstack([m[1] for m in made]), np.concatenate([m[2] for m in made]))
    np.savez_compressed(out, cut=best[1], **flatten(model))
    return {"typed F1, cross-validated": round(best[0], 4), "cut": best[1], "papers": len(items)}


def _chosen(item: Example, made: Any, chances: NDArray[np.float64], cut: float, extractor: str) -> list[Mention]:
    return list(choose(item.text, item.seen, made[0], chances, cut, extractor))


def _typed_f1(items: Sequence[Example], found: Sequence[Sequence[Mention]]) -> float:
    """The typed F1 of each paper's mentions against its card, after they were joined."""
    from kg.resolve.within import join

    cards = []
    for item, mentions in zip(items, found, strict=True):
        joined = join(item.text, mentions, list(find_aliases(item.text)))
        entities = [{"name": f.name, "type": str(f.type), "mentions": list(f.surfaces)} for f in joined]
        cards.append({"id": item.card["id"], "entities": entities})
    return score([item.card for item in items], cards).count("typed").f1


def flatten(model: Any) -> dict[str, Any]:
    """The trees of a fitted HistGradientBoostingClassifier as the arrays that `kg.extract.trees.Trees` walks."""
    nodes: list[tuple[int, float, int, int, float]] = []
    roots: list[int] = []
    depth = 0
    for (tree,) in model._predictors:
        base = len(nodes)
        roots.append(base)
        depth = max(depth, int(tree.nodes["depth"].max()))
        for at, node in enumerate(tree.nodes):
            if node["is_leaf"]:
                nodes.append((0, 0.0, base + at, base + at, float(node["value"])))
            else:
                children = base + int(node["left"]), base + int(node["right"])
                nodes.append((int(node["feature_idx"]), float(node["num_threshold"]), *children, 0.0))
    feature, threshold, left, right, value = zip(*nodes, strict=True)
    return {
        "roots": np.array(roots, dtype=np.int32),
        "feature": np.array(feature, dtype=np.int16),
        "threshold": np.array(threshold),
        "left": np.array(left, dtype=np.int32),
        "right": np.array(right, dtype=np.int32),
        "value": np.array(value, dtype=np.float32),
        "baseline": float(np.asarray(model._baseline_prediction).reshape(-1)[0]),
        "depth": depth,
    }

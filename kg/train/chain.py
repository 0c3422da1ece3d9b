"""Training of the fast tier's chain with python-crfsuite (MIT), and its weights as the arrays that `kg.extract.chain` adds up."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from kg.extract.chain import LABELS, REACH, word_attributes
from kg.extract.features import OFFSETS, SLOTS, WIDTH
from kg.train.examples import Example

NAMES = ("O", *(f"{part}{kind}" for kind in range(5) for part in "BI"))
# The values that gave the best F1 on fold 0; half or double of each changed it by less than 0.003.
RECIPE = {"c1": 0.3, "c2": 0.02, "max_iterations": 60, "feature.possible_transitions": True, "feature.minfreq": 2}
_NEAR, _FAR = 2, 1
_SPLIT = "\x1f"


def attributes(item: Example) -> list[list[str]]:
    """The features of each word as strings: "offset:attribute" for the words around it, pairs of words, pairs of forms."""
    lowers = item.seen.tokens.lowers
    own = [word_attributes(low) for low in lowers]
    slots = [[f"{name}={value}" for name, value in zip(SLOTS, row, strict=True) if value] for row in item.seen.rows]
    shapes = [row[0] for row in item.seen.rows]
    return [[*_around(at, own, slots), *_between(at, lowers, shapes)] for at in range(len(lowers))]


def _around(at: int, own: Sequence[Sequence[str]], slots: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "bias"
    for shift in range(-REACH, REACH + 1):
        there = at + shift
        if 0 <= there < len(own):
            kept = own[there] if shift == 0 else own[there][: _NEAR if abs(shift) == 1 else _FAR]
            yield from (f"{shift}:{name}" for name in (*kept, *slots[there]))
        else:
            yield f"{shift}:edge"


def _between(at: int, lowers: Sequence[str], shapes: Sequence[int]) -> Iterator[str]:
    if at:
        yield f"pair{_SPLIT}0{_SPLIT}{lowers[at - 1]} {lowers[at]}"
        yield f"shapes{_SPLIT}0{_SPLIT}{shapes[at - 1]} {shapes[at]}"
    if at + 1 < len(lowers):
        yield f"pair{_SPLIT}1{_SPLIT}{lowers[at]} {lowers[at + 1]}"
        yield f"shapes{_SPLIT}1{_SPLIT}{shapes[at]} {shapes[at + 1]}"
    if at > 1:
        yield f"pair{_SPLIT}2{_SPLIT}{lowers[at - 2]} {lowers[at - 1]}"


def labels(item: Example) -> list[str]:
    """The label of each word, a name's first type deciding."""
    out = ["O"] * len(item.seen.tokens)
    for span in item.spans:
        out[span.start] = f"B{span.types[0]}"
        out[span.start + 1 : span.end] = [f"I{span.types[0]}"] * (span.end - span.start - 1)
    return out


def fit(items: Sequence[Example], out: Path) -> None:
    """Train a chain on examples and write its arrays."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(params=RECIPE, verbose=False)
    for item in items:
        features, right = attributes(item), labels(item)
        for begin, end in item.sentences:
            trainer.append(features[begin:end], right[begin:end])
    with TemporaryDirectory() as folder:
        model = str(Path(folder) / "chain.crfsuite")
        trainer.train(model)
        tagger = pycrfsuite.Tagger()
        tagger.open(model)
        info = tagger.info()
        arrays = convert(info.state_features, info.transitions)
        tagger.close()
    np.savez_compressed(out, **arrays)


def convert(states: dict[tuple[str, str], float], transitions: dict[tuple[str, str], float]) -> dict[str, Any]:
    """Weights by feature and label → the arrays of `kg.extract.chain.Chain`, in half precision."""
    number = {name: at for at, name in enumerate(NAMES)}
    words: dict[str, Any] = {}
    pairs: dict[str, Any] = {}
    slots, shapes = np.zeros((WIDTH, 5, LABELS)), np.zeros((SLOTS["shape"], SLOTS["shape"], 2, LABELS))
    edges, bias, steps = np.zeros((4, LABELS)), np.zeros(LABELS), np.zeros((LABELS, LABELS))
    for (feature, label), weight in states.items():
        column = number[label]
        if feature == "bias":
            bias[column] += weight
        elif _SPLIT in feature:
            kind, side, value = feature.split(_SPLIT)
            if kind == "pair":
                pairs.setdefault(value, np.zeros((3, LABELS)))[int(side), column] += weight
            else:
                first, second = map(int, value.split(" "))
                shapes[first, second, int(side), column] += weight
        else:
            _place(feature, weight, column, words, slots, edges)
    for (first_label, second_label), weight in transitions.items():
        steps[number[first_label], number[second_label]] = weight
    tables = {"attributes": np.array([words[k] for k in sorted(words)]), "pairs": np.array([pairs[k] for k in sorted(pairs)])}
    tables |= {"slots": slots, "shapes": shapes, "edges": edges, "bias": bias, "steps": steps}
    half: dict[str, Any] = {name: table.astype(np.float16) for name, table in tables.items()}
    for name, keys in (("attribute_names", words), ("pair_names", pairs)):
        half[name] = np.frombuffer("\n".join(sorted(keys)).encode(), dtype=np.uint8)
    return half


def _place(feature: str, weight: float, column: int, words: dict[str, Any], slots: Any, edges: Any) -> None:
    shift, _, name = feature.partition(":")
    at = int(shift)
    if name == "edge":
        edges[abs(at) - 1 + (2 if at > 0 else 0), column] += weight
        return
    kind, _, value = name.partition("=")
    if kind in SLOTS:
        slots[OFFSETS[kind] + int(value), at + REACH, column] += weight
    else:
        words.setdefault(name, np.zeros((5, LABELS)))[at + REACH, column] += weight

"""Boosted trees in numpy: which candidates are names. They are grown by scikit-learn; here they are only looked up."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray


class Trees:
    """Small trees stored as flat arrays of nodes; a leaf's children are the leaf itself.

    `roots` has a row a tree, `baseline` is one value; `feature`, `threshold`, `left`, `right` and `value` have a row a node.
    After J. H. Friedman, "Greedy function approximation: a gradient boosting machine" (Annals of Statistics 29, 2001).

    A tree of three splits is eight answers long: whether a row goes left at each of its splits, read as a binary number, is the place of its value.
    So all splits of all trees are answered at once, and no tree is walked. A tree of n splits takes two to the power of n values.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            arrays = {name: stored[name] for name in stored.files}
        splits = [_splits(int(root), arrays) for root in arrays["roots"]]
        most = max(1, *map(len, splits))
        self._feature = np.zeros((most, len(splits)), dtype=np.intp)
        self._threshold = np.zeros((most, len(splits)))
        self._values = np.zeros((len(splits), 1 << most))
        for tree, nodes in enumerate(splits):
            self._feature[: len(nodes), tree] = arrays["feature"][nodes]
            self._threshold[: len(nodes), tree] = arrays["threshold"][nodes]
            for answers in range(1 << most):
                self._values[tree, answers] = _value(int(arrays["roots"][tree]), nodes, answers, arrays)
        self._firsts = np.arange(len(splits)) << most
        self._baseline = float(arrays["baseline"])
        self.cut = float(arrays["cut"])

    def probabilities(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability that each row, a candidate's features, is a name."""
        answers = np.zeros((len(rows), len(self._firsts)), dtype=np.intp)
        for number, (feature, threshold) in enumerate(zip(self._feature, self._threshold, strict=True)):
            answers += (rows.take(feature, axis=1) <= threshold).astype(np.intp) << number
        answers += self._firsts
        out: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-self._values.take(answers).sum(axis=1) - self._baseline))
        return out


def _splits(root: int, arrays: dict[str, NDArray[np.float64]]) -> list[int]:
    """The nodes of a tree that are no leaves."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        if arrays["left"][node] != node:
            found.append(node)
            waiting += [int(arrays["left"][node]), int(arrays["right"][node])]
    return found


def _value(node: int, splits: list[int], answers: int, arrays: dict[str, NDArray[np.float64]]) -> float:
    """What a tree says when the answers at its splits are the bits of a number."""
    while node in splits:
        node = int(arrays["left" if answers >> splits.index(node) & 1 else "right"][node])
    return float(arrays["value"][node])

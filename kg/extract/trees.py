"""Boosted trees in numpy: which candidates are names, and of which type. They are grown by scikit-learn; here they are only walked."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray


class Trees:
    """Trees stored as flat arrays of nodes; a leaf's children are the leaf itself.

    `roots` is rounds × classes, `baseline` one value a class; `feature`, `threshold`, `left`, `right` and `value` have one row a node.
    After J. H. Friedman, "Greedy function approximation: a gradient boosting machine" (Annals of Statistics 29, 2001).
    """

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            self._roots: NDArray[np.intp] = stored["roots"].astype(np.intp)
            self._feature: NDArray[np.intp] = stored["feature"].astype(np.intp)
            self._threshold: NDArray[np.float64] = stored["threshold"]
            self._children: NDArray[np.intp] = np.stack([stored["right"], stored["left"]]).astype(np.intp)
            self._value: NDArray[np.float64] = stored["value"].astype(np.float64)
            self._baseline: NDArray[np.float64] = stored["baseline"]
            self._depth = int(stored["depth"])
            self.cut = float(stored["cut"])

    def probabilities(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of each class for each row: rows × classes, the first class being "no entity"."""
        if not len(rows):
            return np.zeros((0, len(self._baseline)))
        flat = self._roots.reshape(-1)
        node = np.repeat(flat[None, :], len(rows), axis=0)
        line = np.arange(len(rows))[:, None]
        for _ in range(self._depth):
            node = self._children[(rows[line, self._feature[node]] <= self._threshold[node]).astype(np.intp), node]
        raw = self._value[node].reshape(len(rows), *self._roots.shape).sum(axis=1) + self._baseline
        raw = np.exp(raw - raw.max(axis=1, keepdims=True))
        out: NDArray[np.float64] = raw / raw.sum(axis=1, keepdims=True)
        return out

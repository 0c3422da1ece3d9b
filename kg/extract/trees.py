"""Boosted trees in numpy: which candidates are names. They are grown by scikit-learn; here they are only walked."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray


class Trees:
    """Trees stored as flat arrays of nodes; a leaf's children are the leaf itself.

    `roots` has a row a tree, `baseline` is one value; `feature`, `threshold`, `left`, `right` and `value` have a row a node.
    After J. H. Friedman, "Greedy function approximation: a gradient boosting machine" (Annals of Statistics 29, 2001).
    """

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            self._roots: NDArray[np.intp] = stored["roots"].astype(np.intp)
            self._feature: NDArray[np.intp] = stored["feature"].astype(np.intp)
            self._threshold: NDArray[np.float64] = stored["threshold"]
            self._children: NDArray[np.intp] = np.stack([stored["right"], stored["left"]]).astype(np.intp)
            self._value: NDArray[np.float64] = stored["value"].astype(np.float64)
            self._baseline = float(stored["baseline"])
            self._depth = int(stored["depth"])
            self.cut = float(stored["cut"])

    def probabilities(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability that each row, a candidate's features, is a name."""
        node = np.repeat(self._roots[None, :], len(rows), axis=0)
        line = np.arange(len(rows))[:, None]
        for _ in range(self._depth):
            node = self._children[(rows[line, self._feature[node]] <= self._threshold[node]).astype(np.intp), node]
        out: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-self._value[node].sum(axis=1) - self._baseline))
        return out

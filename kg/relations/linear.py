"""A multinomial linear model over string features, as plain arrays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]


def softmax(scores: Matrix) -> Matrix:
    """Each row of scores as probabilities."""
    powers: Matrix = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Matrix = powers / powers.sum(axis=1, keepdims=True)
    return shares


@dataclass(frozen=True, slots=True)
class Linear:
    """`weights[rows[f]]` are the scores that feature f gives to each label; a case's score is the sum over its distinct features.

    The last row of `weights` is zero and belongs to no feature.
    """

    rows: dict[str, int]
    weights: Matrix

    def scores(self, cases: Sequence[Iterable[str]]) -> Matrix:
        """The scores of each case, shape (cases, labels); 0 for a case of which no feature is known."""
        row_of = self.rows.get
        nothing = len(self.rows)  # the row of zeros: it keeps a case without known features apart from the next one
        flat: list[int] = []
        starts: list[int] = []
        for case in cases:
            starts.append(len(flat))
            flat += sorted({*map(row_of, case, repeat(nothing)), nothing})
        summed: Matrix = np.add.reduceat(self.weights.take(flat, axis=0), starts, axis=0)
        return summed

    @staticmethod
    def unpack(arrays: Any, prefix: str) -> "Linear":
        """Read from the arrays of a model file what `pack` wrote under `prefix`."""
        names = bytes(arrays[f"{prefix}_names"]).decode("utf-8").split("\n")
        return linear(names, arrays[f"{prefix}_weights"].astype(np.float32))

    def pack(self, prefix: str) -> dict[str, NDArray[Any]]:
        """The arrays that a model file holds: names as UTF-8 joined by line feeds, weights as 16-bit floats."""
        names = sorted(self.rows, key=self.rows.__getitem__)
        return {
            f"{prefix}_names": np.frombuffer("\n".join(names).encode("utf-8"), dtype=np.uint8),
            f"{prefix}_weights": self.weights[:-1].astype(np.float16),
        }


def _closed(weights: Matrix) -> Matrix:
    return np.vstack([weights, np.zeros((1, weights.shape[1]), np.float32)])


def linear(names: Sequence[str], weights: Matrix) -> Linear:
    """A model of these features, in the order of the rows of `weights`, shape (features, labels)."""
    return Linear({name: row for row, name in enumerate(names)}, _closed(weights))

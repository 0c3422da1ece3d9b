"""A multinomial linear model over string features, as plain arrays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]


def softmax(scores: Matrix) -> Matrix:
    """Each row of scores as probabilities."""
    powers: Matrix = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@dataclass(frozen=True, slots=True)
class Linear:
    """`weights[rows[f]]` are the scores that feature f gives to each label; a case's score is the sum over its distinct features."""

    rows: dict[str, int]
    weights: Matrix

    def scores(self, cases: Sequence[Iterable[str]]) -> Matrix:
        """The scores of each case, shape (cases, labels); every case has at least one known feature ("bias")."""
        rows = self.rows
        flat: list[int] = []
        starts: list[int] = []
        for case in cases:
            starts.append(len(flat))
            flat += sorted({rows[f] for f in case if f in rows})
        summed: Matrix = np.add.reduceat(self.weights[flat], starts, axis=0)
        return summed

    @classmethod
    def unpack(cls, arrays: Any, prefix: str) -> "Linear":
        """Read from the arrays of a model file what `pack` wrote under `prefix`."""
        names = bytes(arrays[f"{prefix}_names"]).decode("utf-8").split("\n")
        return cls({name: row for row, name in enumerate(names)}, arrays[f"{prefix}_weights"].astype(np.float32))

    def pack(self, prefix: str) -> dict[str, NDArray[Any]]:
        """The arrays that a model file holds: names as UTF-8 joined by line feeds, weights as 16-bit floats."""
        names = sorted(self.rows, key=self.rows.__getitem__)
        return {
            f"{prefix}_names": np.frombuffer("\n".join(names).encode("utf-8"), dtype=np.uint8),
            f"{prefix}_weights": self.weights.astype(np.float16),
        }

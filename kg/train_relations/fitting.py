"""Fitting the models of roles, relations and results with scikit-learn (BSD-3-Clause), to plain arrays."""

import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.relations.linear import Linear, linear

# Weights so small that leaving them out changes no decision that counts; dropping them keeps the files small.
NEGLIGIBLE = 0.01


def vocabulary(cases: Iterable[Iterable[str]], minimum: int) -> dict[str, int]:
    """The features that at least `minimum` cases have, each with its row."""
    counts = Counter(feature for case in cases for feature in set(case))
    return {feature: row for row, feature in enumerate(sorted(f for f, n in counts.items() if n >= minimum))}


def matrix(cases: Sequence[Iterable[str]], rows: dict[str, int]) -> Any:
    """The cases as a sparse matrix of ones, shape (cases, features)."""
    from scipy.sparse import csr_matrix

    known = [sorted({rows[f] for f in case if f in rows}) for case in cases]
    flat = np.fromiter((row for case in known for row in case), dtype=np.int32)
    ends = np.cumsum([0, *map(len, known)])
    return csr_matrix((np.ones(len(flat), np.float32), flat, ends), shape=(len(cases), len(rows)))


def fit(cases: Sequence[Iterable[str]], labels: Sequence[int], count: int, *, minimum: int, strength: float, steps: int) -> Linear:
    """A multinomial logistic regression; `strength` is the inverse of the L2 penalty, `steps` how many its L-BFGS takes: stopping early is meant."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    rows = vocabulary(cases, minimum)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LogisticRegression(C=strength, max_iter=steps).fit(matrix(cases, rows), labels)
    weights = np.zeros((len(rows), count), np.float32)
    own = model.classes_ if len(model.classes_) > 2 else model.classes_[1:]  # two classes have the scores of the second alone
    weights[:, own] = model.coef_.T
    missing = [label for label in range(count) if label not in model.classes_]
    weights[rows["bias"], own] += model.intercept_
    weights[rows["bias"], missing] = -20.0
    kept = [name for name, row in rows.items() if name == "bias" or np.abs(weights[row]).max() >= NEGLIGIBLE]
    return linear(kept, weights[[rows[name] for name in kept]])


def tune(chances: NDArray[np.float32], labels: NDArray[np.int64], stated: int) -> tuple[NDArray[np.float32], float]:
    """A threshold for each relation that makes micro F1 best, by coordinate ascent; `stated` is how many relations gold has. Returns F1 too."""
    thresholds = np.full(chances.shape[1] - 1, 0.35, np.float32)

    def f1(levels: NDArray[np.float32]) -> float:
        above = chances[:, 1:] - levels
        found = above.max(axis=1) > 0
        right = int(((above.argmax(axis=1) + 1 == labels) & found).sum())
        return 2 * right / (int(found.sum()) + stated)

    best = f1(thresholds)
    for _ in range(2):
        for kind in range(chances.shape[1] - 1):
            for level in np.arange(0.15, 0.7, 0.025, dtype=np.float32):
                trial = thresholds.copy()
                trial[kind] = level
                if (score := f1(trial)) > best + 1e-9:
                    best, thresholds = score, trial
    return thresholds, best

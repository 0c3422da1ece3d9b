"""A linear chain over words in numpy: the fast tier's tagger. Training is python-crfsuite's; here its weights are only added up.

J. Lafferty, A. McCallum, F. Pereira, "Conditional random fields", ICML 2001; forward and backward run over all sentences of a text at once.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.extract.features import OFFSETS, SLOTS, WIDTH, Seen
from kg.model import Text

Floats = NDArray[np.float32]
LABELS = 11
REACH = 2
"""How many words to each side a word's features are seen from."""
_CACHE = 60_000
_TINY = np.float32(1e-20)
_SHAPES = SLOTS["shape"]


@lru_cache(maxsize=1 << 16)
def word_attributes(lower: str) -> tuple[str, ...]:
    """What a word itself tells: the word, its endings and its start.

    >>> word_attributes("models")
    ('w=models', '3=els', '2=ls', 'p=mod', '4=dels')
    """
    if len(lower) < 4:
        return (f"w={lower}",)
    short = (f"w={lower}", f"3={lower[-3:]}", f"2={lower[-2:]}", f"p={lower[:3]}")
    return (*short, f"4={lower[-4:]}") if len(lower) > 4 else short


def sentence_ranges(seen: Seen, text: Text) -> list[tuple[int, int]]:
    """The words of each sentence as half-open ranges that cover all words."""
    cuts = {0, len(seen.tokens)}
    sentences = iter(text.sentences)
    nearest = next(sentences, None)
    for at, word in enumerate(seen.tokens):
        while nearest is not None and word.start >= nearest.start:
            cuts.add(at)
            nearest = next(sentences, None)
    ordered = sorted(cuts)
    return list(pairwise(ordered))


class Chain:
    """The weights of a trained chain.

    `attributes` is rows × 5 × 11 (a word attribute seen from two words before to two words after), `slots` is WIDTH × 5 × 11, `pairs` is
    rows × 3 × 11 (a pair of words: at its second word, its first, and the word after it), `shapes` is 18 × 18 × 2 × 11, `edges` 4 × 11 (one
    and two words after the start, one and two before the end), `steps` 11 × 11 from one label to the next.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            arrays: dict[str, Any] = {name: stored[name] for name in stored.files}
        self._attributes = {a: i for i, a in enumerate(bytes(arrays["attribute_names"]).decode().split("\n"))}
        self._pairs = {tuple(a.split(" ")): i for i, a in enumerate(bytes(arrays["pair_names"]).decode().split("\n"))}
        self._weights: Floats = arrays["attributes"].astype(np.float32).reshape(-1, 5 * LABELS)
        self._slots: Floats = arrays["slots"].astype(np.float32).reshape(WIDTH, 5 * LABELS)
        self._pair_weights: Floats = arrays["pairs"].astype(np.float32)
        self._shapes: Floats = arrays["shapes"].astype(np.float32)
        self._edges: Floats = arrays["edges"].astype(np.float32)
        self._bias: Floats = arrays["bias"].astype(np.float32)
        self._steps: Floats = np.exp(arrays["steps"].astype(np.float32))
        self._offsets = np.array([OFFSETS[name] for name in SLOTS])
        self._rows: dict[str, int] = {}
        self._table: Floats = np.zeros((1024, 5 * LABELS), dtype=np.float32)

    def _row(self, lower: str) -> int:
        row = self._rows.get(lower)
        if row is None:
            if len(self._rows) >= _CACHE:
                self._rows.clear()
            row = self._rows[lower] = len(self._rows)
            if row >= len(self._table):
                self._table = np.concatenate([self._table, np.zeros_like(self._table)])
            known = [self._attributes[a] for a in word_attributes(lower) if a in self._attributes]
            self._table[row] = self._weights[known].sum(axis=0)
        return row

    def emissions(self, seen: Seen) -> Floats:
        """The score of each label at each word, words × 11."""
        count = len(seen.tokens)
        lowers = [w.surface.lower() for w in seen.tokens]
        index = [self._row(low) for low in lowers]
        rows = np.array(seen.rows, dtype=np.intp)
        views = self._table[index]
        for column in range(rows.shape[1]):
            views = views + self._slots[rows[:, column] + self._offsets[column]]
        views = views.reshape(count, 5, LABELS)
        out: Floats = views[:, REACH] + self._bias
        for shift in (1, 2):
            out[shift:] += views[:-shift, REACH - shift]
            out[:-shift] += views[shift:, REACH + shift]
            out[:shift] += self._edges[shift - 1]
            out[-shift:] += self._edges[REACH + shift - 1]
        between = self._shapes[rows[:-1, 0], rows[1:, 0]]
        out[1:] += between[:, 0]
        out[:-1] += between[:, 1]
        self._add_pairs(out, lowers)
        return out

    def _add_pairs(self, out: Floats, lowers: Sequence[str]) -> None:
        pairs = self._pairs
        for at, pair in enumerate(pairwise(lowers)):
            row = pairs.get(pair)
            if row is not None:
                weights = self._pair_weights[row]
                out[at + 1] += weights[0]
                out[at] += weights[1]
                if at + 2 < len(lowers):
                    out[at + 2] += weights[2]

    def beliefs(self, seen: Seen, text: Text) -> Floats:
        """The marginal probability of each label at each word, words × 11."""
        if len(seen.tokens) < 3:
            out = np.zeros((len(seen.tokens), LABELS), dtype=np.float32)
            out[:, 0] = 1
            return out
        scores = self.emissions(seen)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True)) + _TINY
        ranges = sorted(sentence_ranges(seen, text), key=lambda r: r[0] - r[1])
        starts = np.array([a for a, _ in ranges])
        sizes = np.array([b - a for a, b in ranges])
        steps = np.arange(int(sizes[0]))[:, None]
        inside = steps < sizes
        words = np.where(inside, starts + steps, 0)
        active = inside.sum(axis=1).tolist()
        emitted = scores[words]
        forward, backward = emitted.copy(), np.ones_like(emitted)
        for t, n in enumerate(active[1:], 1):
            step = (forward[t - 1, :n] @ self._steps) * emitted[t, :n]
            np.divide(step, step.sum(axis=1, keepdims=True), out=forward[t, :n])
        back = self._steps.T.copy()
        for t in range(len(active) - 2, -1, -1):
            n = active[t + 1]
            step = (emitted[t + 1, :n] * backward[t + 1, :n]) @ back
            np.divide(step, step.sum(axis=1, keepdims=True), out=backward[t, :n])
        both = forward * backward
        both /= both.sum(axis=2, keepdims=True)
        out = np.empty_like(scores)
        out[words[inside]] = both[inside]
        return out

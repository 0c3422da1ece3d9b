"""A linear chain over words in numpy: the fast tier's tagger. Training is python-crfsuite's; here its weights are only added up.

J. Lafferty, A. McCallum, F. Pereira, "Conditional random fields", ICML 2001; forward and backward run over all sentences of a text at once.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
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
_RESCALE = 8
"""After how many words the sums are brought back to 1: seldom enough to be quick, often enough for 64 bits."""
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
    starts = seen.tokens.starts
    cuts = {0, len(starts), *(bisect_left(starts, sentence.start) for sentence in text.sentences)}
    return list(pairwise(sorted(cuts)))


class _Rows:
    """The summed weights of words, or of category rows, each made when first asked for; forgotten all at once when there are too many.

    `make` gives the rows of several names, one below the other.
    """

    def __init__(self, make: Callable[[list[Any]], Floats]) -> None:
        self._make = make
        self._at: dict[Any, int] = {}
        self._table: Floats = np.zeros((1024, 5 * LABELS), dtype=np.float32)
        self._lock = Lock()

    def __getitem__(self, names: Sequence[Any]) -> Floats:
        with self._lock:
            if len(self._at) > _CACHE:
                self._at.clear()
            if new := list(set(names).difference(self._at)):
                self._add(new)
            return self._table.take(list(map(self._at.__getitem__, names)), axis=0)

    def _add(self, names: list[Any]) -> None:
        first, stop = len(self._at), len(self._at) + len(names)
        while stop > len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        self._table[first:stop] = self._make(names)
        self._at.update(zip(names, range(first, stop), strict=True))


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
        attributes = arrays["attributes"].reshape(-1, 5 * LABELS)
        self._weights: Floats = np.vstack([attributes, np.zeros((1, 5 * LABELS))]).astype(np.float32)
        self._slots: Floats = arrays["slots"].astype(np.float32).reshape(WIDTH, 5 * LABELS)
        self._pair_weights: Floats = arrays["pairs"].astype(np.float32)
        self._shapes: Floats = arrays["shapes"].astype(np.float32)
        self._edges: Floats = arrays["edges"].astype(np.float32)
        self._bias: Floats = arrays["bias"].astype(np.float32)
        self._steps = _both_ways(np.exp(arrays["steps"].astype(np.float64)))
        self._offsets = np.array([OFFSETS[name] for name in SLOTS])
        self._words = _Rows(self._sums_of_words)
        self._categories = _Rows(lambda rows: self._slots[np.array(rows) + self._offsets].sum(axis=1))

    def _sums_of_words(self, lowers: list[str]) -> Floats:
        """The summed weights of each word's attributes; the last row of all weights is zero and stands for an attribute that is not known."""
        known = [[self._attributes.get(a, -1) for a in word_attributes(lower)] for lower in lowers]
        firsts = np.cumsum([0, *map(len, known[:-1])])
        out: Floats = np.add.reduceat(self._weights.take([row for rows in known for row in rows], axis=0), firsts, axis=0)
        return out

    def emissions(self, seen: Seen) -> Floats:
        """The score of each label at each word, words × 11."""
        count = len(seen.tokens)
        lowers = seen.tokens.lowers
        views = (self._words[lowers] + self._categories[seen.rows]).reshape(count, 5, LABELS)
        out: Floats = views[:, REACH] + self._bias
        for shift in (1, 2):
            out[shift:] += views[:-shift, REACH - shift]
            out[:-shift] += views[shift:, REACH + shift]
            out[:shift] += self._edges[shift - 1]
            out[-shift:] += self._edges[REACH + shift - 1]
        forms = np.array(seen.columns["shape"], dtype=np.intp)
        between = self._shapes[forms[:-1], forms[1:]]
        out[1:] += between[:, 0]
        out[:-1] += between[:, 1]
        self._add_pairs(out, lowers)
        return out

    def _add_pairs(self, out: Floats, lowers: Sequence[str]) -> None:
        rows = np.array([self._pairs.get(pair, -1) for pair in pairwise(lowers)], dtype=np.intp)
        known = np.flatnonzero(rows >= 0)
        if len(known):
            weights = self._pair_weights.take(rows[known], axis=0)
            out[known + 1] += weights[:, 0]
            out[known] += weights[:, 1]
            inside = known + 2 < len(lowers)
            out[known[inside] + 2] += weights[inside, 2]

    def beliefs(self, seen: Seen, text: Text) -> Floats:
        """The marginal probability of each label at each word, words × 11."""
        if len(seen.tokens) < 3:
            out = np.zeros((len(seen.tokens), LABELS), dtype=np.float32)
            out[:, 0] = 1
            return out
        scores = self.emissions(seen)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True)) + _TINY
        ranges = sorted(sentence_ranges(seen, text), key=lambda r: r[0] - r[1])
        starts, ends = np.array(ranges).T
        sizes = ends - starts
        words = np.arange(int(sizes[0]))[:, None]
        inside = words < sizes
        # The first half of a row reads a sentence forwards, the second backwards, all sentences at once, the longest first.
        words = np.where(inside, np.stack([starts + words, ends - 1 - words]), 0)
        passed = scores.astype(np.float64)[words.transpose(1, 2, 0)].reshape(*inside.shape, 2 * LABELS)
        self._pass_on(passed, inside.sum(axis=1).tolist())
        both = np.empty((2, *scores.shape), dtype=np.float64)
        both[0, words[0][inside]] = passed[inside, :LABELS]
        both[1, words[1][inside]] = passed[inside, LABELS:]
        shares = both[0] * both[1] / scores
        beliefs: Floats = (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)
        return beliefs

    def _pass_on(self, passed: NDArray[np.float64], counts: Sequence[int]) -> None:
        """Turn words' own scores, steps × sentences × both ways, into sums over all labels before; `counts` says how many sentences a step has."""
        before = passed[0]
        for step, count in enumerate(counts):
            if step:
                before = before[:count].dot(self._steps)
                before *= passed[step, :count]
                if step % _RESCALE == 0:
                    halves = before.reshape(count, 2, LABELS)
                    halves /= halves.sum(axis=2, keepdims=True)
                passed[step, :count] = before


def _both_ways(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """From label to next label, and below it, beside zeros, from label to the one before: one product does both."""
    none = np.zeros_like(steps)
    return np.block([[steps, none], [none, steps.T]])

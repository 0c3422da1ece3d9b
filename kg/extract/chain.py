"""A linear chain over words in numpy: the fast tier's tagger. Training is python-crfsuite's; here its weights are only added up.

J. Lafferty, A. McCallum, F. Pereira, "Conditional random fields", ICML 2001; forward and backward run over all sentences of a text at once.
"""

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
    cuts = {0, len(seen.tokens)}
    sentences = iter(text.sentences)
    nearest = next(sentences, None)
    for at, word in enumerate(seen.tokens):
        while nearest is not None and word.start >= nearest.start:
            cuts.add(at)
            nearest = next(sentences, None)
    ordered = sorted(cuts)
    return list(pairwise(ordered))


class _Rows:
    """The summed weights of words, or of category rows, each made when first asked for; forgotten all at once when there are too many."""

    def __init__(self, make: Callable[[Any], Floats]) -> None:
        self._make = make
        self._at: dict[Any, int] = {}
        self._table: Floats = np.zeros((1024, 5 * LABELS), dtype=np.float32)
        self._lock = Lock()

    def __getitem__(self, names: Sequence[Any]) -> Floats:
        with self._lock:
            if len(self._at) > _CACHE:
                self._at.clear()
            for name in names:
                if name not in self._at:
                    self._add(name)
            return self._table[[self._at[name] for name in names]]

    def _add(self, name: Any) -> None:
        row = self._at[name] = len(self._at)
        if row >= len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        self._table[row] = self._make(name)


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
        steps = np.exp(arrays["steps"].astype(np.float64))
        self._steps = np.stack([steps, steps.T])
        self._offsets = np.array([OFFSETS[name] for name in SLOTS])
        self._words = _Rows(lambda lower: self._weights[[self._attributes[a] for a in word_attributes(lower) if a in self._attributes]].sum(axis=0))
        self._categories = _Rows(lambda row: self._slots[np.array(row) + self._offsets].sum(axis=0))

    def emissions(self, seen: Seen) -> Floats:
        """The score of each label at each word, words × 11."""
        count = len(seen.tokens)
        lowers = [w.surface.lower() for w in seen.tokens]
        views = (self._words[lowers] + self._categories[seen.rows]).reshape(count, 5, LABELS)
        out: Floats = views[:, REACH] + self._bias
        for shift in (1, 2):
            out[shift:] += views[:-shift, REACH - shift]
            out[:-shift] += views[shift:, REACH + shift]
            out[:shift] += self._edges[shift - 1]
            out[-shift:] += self._edges[REACH + shift - 1]
        forms = np.array([row[0] for row in seen.rows], dtype=np.intp)
        between = self._shapes[forms[:-1], forms[1:]]
        out[1:] += between[:, 0]
        out[:-1] += between[:, 1]
        self._add_pairs(out, lowers)
        return out

    def _add_pairs(self, out: Floats, lowers: Sequence[str]) -> None:
        rows = [self._pairs.get(pair, -1) for pair in pairwise(lowers)]
        known = np.array([at for at, row in enumerate(rows) if row >= 0], dtype=np.intp)
        if len(known):
            weights = self._pair_weights[[rows[at] for at in known.tolist()]]
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
        steps = np.arange(int(sizes[0]))[:, None]
        inside = steps < sizes
        # Row 0 reads each sentence forwards, row 1 backwards, all sentences at once, the longest first.
        words = np.where(inside, np.stack([starts + steps, ends - 1 - steps]), 0)
        passed = scores.astype(np.float64)[words]
        for t, n in enumerate(inside.sum(axis=1).tolist()[1:], 1):
            step = passed[:, t - 1, :n] @ self._steps
            step *= passed[:, t, :n]
            if t % _RESCALE == 0:
                step /= step.sum(axis=2, keepdims=True)
            passed[:, t, :n] = step
        both = np.empty((2, *scores.shape), dtype=np.float64)
        both[:, words[0][inside]] = passed[0][inside]
        both[1, words[1][inside]] = passed[1][inside]
        shares = both[0] * both[1] / scores
        beliefs: Floats = (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)
        return beliefs

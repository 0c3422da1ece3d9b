"""The fast tier's extractor: the spans that the linear chain believes in, each name found wherever it stands."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kg import ontology
from kg.extract.candidates import Beliefs, Chances, repeats
from kg.extract.catalogue import hits
from kg.extract.chain import Chain
from kg.extract.describe import decode
from kg.extract.features import TYPES, Seen, see
from kg.extract.judge import ADDED, home, lexicon
from kg.model import Mention, Span, Text
from kg.surface import key

_Spans = dict[tuple[int, int], NDArray[np.float64]]


@cache
def chain(folder: Path) -> Chain:
    """The linear chain of the model in a folder."""
    return Chain(folder / "chain.npz")


def names(text: Text, seen: Seen, beliefs: Beliefs) -> Iterator[Mention]:
    """The mentions that a chain's beliefs, words × 11, amount to.

    The likeliest labels give the spans; a form found once is found at each of its places, and all places of one form have the type that is believed
    most over them. `score` is the probability of the span.
    """
    chances = Chances(beliefs)
    decoded = [(start, end) for start, end, _ in decode(beliefs)]
    found: _Spans = dict(zip(decoded, chances.of(*zip(*decoded, strict=True)), strict=True)) if decoded else {}
    free = np.ones(len(seen.tokens), dtype=bool)
    for start, end in decoded:
        free[start:end] = False
    more = [(start, end) for start, end in sorted(repeats(seen, found)) if free[start:end].all()]
    if more:
        found.update(zip(more, chances.of(*zip(*more, strict=True)), strict=True))
    believed: dict[str, NDArray[np.float64]] = defaultdict(lambda: np.zeros(len(TYPES)))
    surfaces = {span: text.clean[seen.tokens[span[0]].start : seen.tokens[span[1] - 1].end] for span in found}
    for span, surface in surfaces.items():
        believed[key(surface)] += found[span]
    for (start, end), surface in sorted(surfaces.items()):
        kind = TYPES[int(believed[key(surface)].argmax())]
        score = round(min(0.99, float(found[start, end].sum())), 4)
        yield Mention(Span(seen.tokens[start].start, seen.tokens[end - 1].end), surface, kind, "crf", score)


def extract(text: Text) -> Iterator[Mention]:
    """The mentions that the fast model finds, and the names of the user's own catalogue.

    >>> from kg.model import Paper
    >>> from kg.text import read_text
    >>> text = read_text(Paper("p", "", "We evaluate BERT on the SQuAD dataset.", ()))
    >>> sorted((m.surface, m.type.value) for m in extract(text))
    [('BERT', 'Model'), ('SQuAD', 'Dataset')]
    """
    folder = home()
    seen = see(text, lexicon(folder))
    if seen.tokens:
        yield from names(text, seen, chain(folder).beliefs(seen, text))
    if ontology.load().catalogue.added:
        for hit in hits(text.clean):
            if hit.row.added and (hit.exact_case or not hit.ambiguous):
                yield Mention(Span(hit.start, hit.end), text.clean[hit.start : hit.end], hit.row.type, "crf", ADDED)

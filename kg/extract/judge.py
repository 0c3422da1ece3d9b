"""From a tagger's beliefs to mentions: candidates are judged as names of the whole paper, and the likeliest take their places first."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kg.errors import KgError
from kg.extract.candidates import Beliefs, Chances, Group, groups, hear, types
from kg.extract.describe import describe
from kg.extract.features import TYPES, Lexicon, Seen, Term
from kg.extract.trees import Trees
from kg.model import Mention, Span, Text

_ADDED = 0.95
"""The chance of a name that the user's own catalogue holds: whoever adds a name wants to see it."""
_HOME = Path(__file__).parent.parent / "models"


def home() -> Path:
    """The folder of the trained model that is in use: the shipped one, or the one that KG_MODEL names."""
    import os

    chosen = os.environ.get("KG_MODEL")
    folder = Path(chosen) if chosen else _HOME
    if not (folder / "manifest.json").is_file():
        raise KgError(f"no model in {folder}", hint="unset KG_MODEL, or make one with: kg train GOLD -o FOLDER")
    return folder


@cache
def manifest(folder: Path) -> dict[str, object]:
    """What the model's manifest says: files with their hashes, recipe, figures."""
    out: dict[str, object] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return out


@cache
def lexicon(folder: Path) -> Lexicon:
    """The terms and word frequencies that the model in a folder was trained with."""
    import gzip

    terms = []
    with gzip.open(folder / "terms.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            surface, *numbers = line.rstrip("\n").split("\t")
            kind, also, ambiguous, share, papers = map(int, numbers)
            terms.append(Term(surface, kind, also, bool(ambiguous), share, papers))
    known: dict[str, int] = {}
    with gzip.open(folder / "words.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            value, _, words = line.rstrip("\n").partition("\t")
            known.update(dict.fromkeys(words.split(" "), int(value)))
    return Lexicon(terms, known)


@cache
def trees(folder: Path, tier: str) -> Trees:
    """The judge of a tier: "tagger" or "crf"."""
    return Trees(folder / f"judge.{tier}.npz")


def mentions(text: Text, seen: Seen, sources: Sequence[Beliefs], judge: Trees, extractor: str, roles: Beliefs | None = None) -> Iterator[Mention]:
    """The places of every candidate that the judge takes for a name. `sources` are the taggers' beliefs, candidates being made from the first.

    A mention's `score` is the judge's probability that name and type are right; `roles`, words × 5, is what a tagger believes of roles.
    """
    if not len(seen.tokens):
        return
    known, advice = hear(seen, text)
    spans = [Chances(source) for source in sources]
    candidates = groups(seen, spans[0], [*known, *advice])
    if candidates:
        chances = judge.probabilities(describe(seen, text, candidates, spans, known, advice))
        chances[[group.added for group in candidates]] = _ADDED
        yield from choose(text, seen, candidates, chances, judge.cut, extractor, roles)


def choose(
    text: Text, seen: Seen, candidates: list[Group], chances: NDArray[np.float64], cut: float, extractor: str, roles: Beliefs | None = None
) -> Iterator[Mention]:
    """The places of the candidates whose chance to be a name reaches `cut`, the likeliest taking theirs first.

    A place where the tagger believes more in a longer or crossing span (BERT in BERT-large) waits until all others have theirs. The type
    is the one that the tagger believes in most, over all places.
    """
    order = [n for n in np.lexsort((np.arange(len(chances)), -chances)).tolist() if chances[n] >= cut]
    if not order:
        return
    believed = types([candidates[number] for number in order])
    kinds = believed.argmax(axis=1)
    scores = (chances[order] * believed[np.arange(len(order)), kinds]).tolist()
    judged = [(candidates[n], TYPES[k], min(0.99, round(score, 4))) for n, k, score in zip(order, kinds.tolist(), scores, strict=True)]
    taken = bytearray(len(seen.tokens))
    for sure in (True, False):
        for group, kind, score in judged:
            for place in group.places:
                likelier = place.total >= place.longer and place.total >= place.crossing
                if likelier >= sure and not any(taken[place.start : place.end]):
                    taken[place.start : place.end] = b"\1" * (place.end - place.start)
                    span = Span(seen.tokens.starts[place.start], seen.tokens.ends[place.end - 1])
                    share = () if roles is None else tuple(roles[place.start : place.end].mean(axis=0).round(4).tolist())
                    yield Mention(span, text.clean[span.start : span.end], kind, extractor, score, share)

"""Gold cards as the taggers see them: words with categories, and the names' spans in words."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from kg.extract.chain import sentence_ranges
from kg.extract.features import TYPES, Lexicon, Seen, Words, see
from kg.model import EntityType, Paper, Role, Text
from kg.text import clean, read_text

FOLDS = 5
LABELS = 11
ROLES = tuple(Role)


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """A named place: [start, end) in words, the numbers of the types that are right, the number of the role."""

    start: int
    end: int
    types: tuple[int, ...]
    role: int


@dataclass(frozen=True, slots=True)
class Example:
    """One annotated paper; `reference` says that it may be held out to measure and to judge, the others are only learnt from."""

    card: Mapping[str, Any]
    text: Text
    seen: Seen
    spans: tuple[GoldSpan, ...]
    reference: bool = True

    @property
    def fold(self) -> int:
        """The fold of the paper, -1 when it is never held out; fold 0 is the one that the encoder never learns from."""
        return crc32(self.card["id"].encode()) % FOLDS if self.reference else -1

    @property
    def sentences(self) -> list[tuple[int, int]]:
        """The words of each sentence."""
        return sentence_ranges(self.seen, self.text)

    def allowed(self) -> NDArray[np.bool_]:
        """Which labels are right at each word, words × 11: a name with a second type has two."""
        out = np.zeros((len(self.seen.tokens), LABELS), dtype=np.bool_)
        out[:, 0] = True
        for span in self.spans:
            out[span.start : span.end] = False
            for kind in span.types:
                out[span.start, 1 + 2 * kind] = True
                out[span.start + 1 : span.end, 2 + 2 * kind] = True
        return out

    def roles(self) -> NDArray[np.int64]:
        """The role's number at each word of a name, -1 elsewhere."""
        out = np.full(len(self.seen.tokens), -1, dtype=np.int64)
        for span in self.spans:
            out[span.start : span.end] = span.role
        return out


def example(card: Mapping[str, Any], lexicon: Lexicon, *, title: bool = True, reference: bool = True) -> Example:
    """The example of a card; without its title when `title` is false, for lists of bare abstracts are read too."""
    text = read_text(Paper(card["id"], (card.get("title") or "") if title else "", card["abstract"], ()))
    seen = see(text, lexicon)
    return Example(card, text, seen, gold_spans(text.clean, seen.tokens, card["entities"]), reference)


def gold_spans(clean_text: str, tokens: Words, entities: Iterable[Mapping[str, Any]]) -> tuple[GoldSpan, ...]:
    """Every place where a mention stands, longer ones first: a name inside a longer name is not labelled there.

    A mention is looked for as it is written, with a capital at its start or without, and with a plural s; one that is found in no other way
    is looked for without regard to case.

    >>> from kg.extract.features import words
    >>> text = "GANs, a GAN and URGAN"
    >>> found = gold_spans(text, words(text), [{"mentions": ["GAN"], "type": "Method", "role": "used"}])
    >>> [(span.start, span.end) for span in found]
    [(0, 1), (3, 4)]
    """
    starts = dict(zip(tokens.starts, range(len(tokens)), strict=True))
    ends = dict(zip(tokens.ends, range(1, len(tokens) + 1), strict=True))
    found: list[GoldSpan] = []
    for entity in entities:
        types = tuple(TYPES.index(EntityType(kind)) for kind in (entity["type"], *entity.get("also", ())))
        role = ROLES.index(Role(entity.get("role") or Role.MENTIONED))
        for form in sorted({clean(mention) for mention in entity["mentions"]} - {""}):
            exact = [(starts[a], ends[b]) for a, b in _occurrences(form, clean_text) if a in starts and b in ends]
            found += [GoldSpan(a, b, types, role) for a, b in exact or _loose(form, clean_text, tokens)]
    return _longest(found, len(tokens))


def _occurrences(form: str, text: str) -> Iterable[tuple[int, int]]:
    variants = {form, form[0].upper() + form[1:]}
    if len(form) > 1 and not form[1].isupper():
        variants.add(form[0].lower() + form[1:])
    for variant in sorted(variants):
        for match in re.finditer(re.escape(variant), text):
            start, end = match.span()
            if start and text[start - 1].isalnum() and variant[0].isalnum():
                continue
            if end < len(text) and text[end].isalnum() and variant[-1].isalnum():
                if text[end] != "s" or text[end + 1 : end + 2].isalnum():
                    continue
                end += 1
            yield start, end


def _loose(form: str, text: str, tokens: Words) -> Iterable[tuple[int, int]]:
    for match in re.finditer(re.escape(form), text, re.IGNORECASE):
        inside = [at for at, (start, end) in enumerate(zip(tokens.starts, tokens.ends, strict=True)) if end > match.start() and start < match.end()]
        if inside:
            yield inside[0], inside[-1] + 1


def _longest(found: list[GoldSpan], count: int) -> tuple[GoldSpan, ...]:
    used = np.zeros(count, dtype=np.bool_)
    kept: dict[tuple[int, int], GoldSpan] = {}
    for span in sorted(found, key=lambda s: (s.start - s.end, s.start)):
        if not used[span.start : span.end].any():
            used[span.start : span.end] = True
            kept[span.start, span.end] = span
    return tuple(kept[place] for place in sorted(kept))

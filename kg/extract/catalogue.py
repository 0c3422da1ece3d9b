"""Known names: an Aho-Corasick automaton over the surface forms of the catalogue.

The automaton (A. V. Aho, M. J. Corasick, "Efficient string matching", CACM 18, 1975) runs over words, not over letters: each word of the
catalogue is one character of its alphabet. So a match can begin and end only at the border of a word, "GSM-8K", "GSM8K" and "gsm 8k" are
the same three words, and the automaton is built in a fraction of the time.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from kg import ontology
from kg.model import EntityType, Mention, Span, Text
from kg.ontology import Catalogue, CatalogueRow
from kg.surface import is_acronym, is_named

_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s\-‐‑–−'’]|_")
_JOINT = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_PLURAL_ACRONYM = re.compile(r"[A-Z]{2,}s")
_GREEK = {chr(code): unicodedata.name(chr(code)).split()[-1].lower() for code in range(0x3B1, 0x3CA) if code != 0x3C2}
_BRITISH = {
    "behaviour": "behavior", "behavioural": "behavioral", "colour": "color", "neighbour": "neighbor", "modelling": "modeling",
    "labelling": "labeling", "labelled": "labeled", "centre": "center", "programme": "program", "signalling": "signaling",
    "artefact": "artifact", "catalogue": "catalog", "dialog": "dialogue", "grey": "gray", "analyse": "analyze",
}  # fmt: skip
_RARE = 0.1
_UNKNOWN = "\ue000"
_MEMO_LIMIT = 200_000


class Hit(NamedTuple):
    """A place where a surface form of a catalogue row stands in a clean text.

    `exact_case` tells whether it stands there in the very case of the catalogue; `ambiguous` whether the form means other things as well;
    `prior` is the share of papers in which the form stands for the row, None when that is not known.
    """

    start: int
    end: int
    row: CatalogueRow
    exact_case: bool
    ambiguous: bool
    prior: float | None


class _Form(NamedTuple):
    row: CatalogueRow
    words: tuple[str, ...]
    bound: bool
    ambiguous: bool
    prior: float | None


def _stem(word: str) -> str:
    """The form under which a word of a text and a word of a name compare: no case, plural, accent or British spelling."""
    if len(word) > 2 and _PLURAL_ACRONYM.fullmatch(word):
        return word[:-1].lower()
    low = word.lower()
    if not low.isascii():
        low = _GREEK.get(low) or "".join(c for c in unicodedata.normalize("NFKD", low) if not unicodedata.combining(c))
    if len(low) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is")):
        low = _without_s(low)
    if "isation" in low or low.endswith(("ising", "ised")):
        low = low.replace("isation", "ization")
    return _BRITISH.get(low, low)


def _without_s(low: str) -> str:
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    return low[:-2] if low.endswith(("sses", "shes", "ches", "xes")) else low[:-1]


def signatures(form: str) -> frozenset[tuple[str, ...]]:
    """What a form is matched by: two forms with a common signature find the same places, their case apart.

    >>> signatures("Fine-tuning") & signatures("finetuning")
    frozenset({('finetuning',)})
    """
    return frozenset(tuple(map(_stem, _words(variant))) for variant in _variants(form))


def _code(number: int) -> str:
    """A character for a word's number: no surrogate, and none that stands for a word unknown to the catalogue."""
    return chr(number + 0x100 if number < 0xD700 else number + 0x10000 - 0xD700)


def _variants(form: str) -> tuple[str, ...]:
    """A form as it is, and with the parts of its hyphenated words written as one (fine-tuning, finetuning)."""
    if "-" not in form:
        return (form,)
    joined = _JOINT.sub("", form)
    return (form,) if joined == form else (form, joined)


def _words(form: str) -> tuple[str, ...]:
    """The words of a form, as the pattern of words gives them; most forms need no pattern."""
    parts = form.replace("-", " ").split()
    return tuple(parts) if all(map(str.isalpha, parts)) else tuple(_WORD.findall(form))


def _is_bound(form: str, row: CatalogueRow) -> bool:
    """Whether a form counts only in its own case: because its row says so, or as a short acronym."""
    if form in row.exact:
        return True
    return len(form) <= 6 and form != form.lower() and is_acronym(form) and not any(map(str.isdigit, form))


class Matcher:
    """Finds the catalogue's names in clean texts."""

    def __init__(self, rows: Sequence[CatalogueRow]) -> None:
        """Build the automaton; about a fifth of a second for 25,000 rows."""
        from ahocorasick_rs import AhoCorasick, Implementation

        self._codes: dict[str, str] = {}
        self._memo: dict[str, str] = {}
        forms: dict[str, list[_Form]] = {}
        with ontology.without_collector():
            for row in rows:
                for form, prior in zip(row.forms, row.priors, strict=True):
                    ambiguous = form in row.ambiguous
                    for variant in _variants(form):
                        bound = _is_bound(form, row) or (variant is not form and is_named(form))
                        words = _words(variant)
                        pattern = "".join([self._memo.get(word) or self._learn(word) for word in words])
                        forms.setdefault(pattern, []).append(_Form(row, words, bound, ambiguous, prior))
        forms.pop("", None)
        self._forms = list(forms.values())
        self._automaton = AhoCorasick(list(forms), implementation=Implementation.NoncontiguousNFA, store_patterns=False)

    def _learn(self, word: str) -> str:
        code = self._memo[word] = self._codes.setdefault(_stem(word), _code(len(self._codes)))
        return code

    def _recall(self, word: str) -> str:
        if len(self._memo) > _MEMO_LIMIT:
            self._memo.clear()
        code = self._memo[word] = self._codes.get(_stem(word), _UNKNOWN)
        return code

    def hits(self, clean: str) -> list[Hit]:
        """Every place of a clean text where a name stands, nested and competing ones too, by start and then longest first."""
        words: list[str] = _WORD.findall(clean)
        memo = self._memo
        coded = "".join([memo.get(word) or self._recall(word) for word in words])
        starts = _starts(clean, words)
        found = []
        for number, first, last in self._automaton.find_matches_as_indexes(coded, overlapping=True):
            start, end = starts[first], starts[last - 1] + len(words[last - 1])
            if _cut(clean, start, end):
                continue
            inside = tuple(words[first:last])
            for form in self._forms[number]:
                exact = inside == form.words or _same(inside, form.words)
                if exact or not form.bound or _shouted(clean[start:end]):
                    found.append(Hit(start, end, form.row, exact, form.ambiguous, form.prior))
        return sorted(_best(found), key=lambda hit: (hit.start, -hit.end, hit.row.id))


def _starts(clean: str, words: list[str]) -> list[int]:
    """Where each word begins: what stands between two words holds no character that a word can begin with."""
    starts = []
    at = 0
    for word in words:
        at = clean.index(word, at)
        starts.append(at)
        at += len(word)
    return starts


def _best(found: list[Hit]) -> list[Hit]:
    """One hit for a place and row: the one in exact case, when two forms of the row fit there."""
    best: dict[tuple[int, int, str], Hit] = {}
    for hit in found:
        at = (hit.start, hit.end, hit.row.id)
        known = best.get(at)
        if known is None or (hit.exact_case, not hit.ambiguous) > (known.exact_case, not known.ambiguous):
            best[at] = hit
    return list(best.values())


def _same(words: tuple[str, ...], form: tuple[str, ...]) -> bool:
    """Whether the words stand in a form's very case, a plural s at the end apart."""
    if not (form[0].isascii() and words[0].isascii()):
        words, form = tuple(_GREEK.get(word, word) for word in words), tuple(_GREEK.get(word, word) for word in form)
    last, own = words[-1], form[-1]
    return (last == own or last in (own + "s", own + "es") or own in (last + "s", last + "es")) and words[:-1] == form[:-1]


def _shouted(surface: str) -> bool:
    """Whether a surface form is written in capitals throughout, four letters or more: FOSS for FoSS."""
    letters = [c for c in surface if c.isalpha()]
    return len(letters) >= 4 and surface.isupper()


def _cut(clean: str, start: int, end: int) -> bool:
    """Whether a place is a part of a longer word: "GPT-4" in "GPT-4o", "GSM" in "GSM-8K", "Llama 3" in "Llama 3.1", "convex" in "non-convex"."""
    before, after = clean[start - 1 : start], clean[end : end + 2]
    if before != " " and before:
        if before.isalnum() or (before == "-" and clean[max(0, start - 4) : start].lower() == "non-"):
            return True
        if before == "." and clean[max(0, start - 2)].isdigit() and clean[start].isdigit():
            return True
    if not after or after[0] == " ":
        return False
    if after[0] == "-" and after[1:].isdigit() and clean[start:end].isupper():
        return True
    return after[0].isalnum() or after == "++" or (after[0] == "." and after[1:].isdigit() and clean[end - 1].isdigit())


@cache
def _matcher(catalogue: Catalogue) -> Matcher:
    return Matcher(catalogue.rows)


def matcher() -> Matcher:
    """The matcher over the catalogue in use, built once."""
    return _matcher(ontology.load().catalogue)


@lru_cache(maxsize=32)
def _hits(catalogue: Catalogue, clean: str) -> tuple[Hit, ...]:
    return tuple(_matcher(catalogue).hits(clean))


def hits(clean: str) -> tuple[Hit, ...]:
    """The catalogue's names in a clean text: see `Matcher.hits`. Several extractors ask for those of one text, so the last ones are kept.

    >>> text = "GSM-8K tests Adam, not adam's apple."
    >>> [(text[hit.start:hit.end], hit.row.id) for hit in hits(text)]
    [('GSM-8K', 'gsm8k'), ('Adam', 'adam')]
    """
    return _hits(ontology.load().catalogue, clean)


def extract(text: Text) -> Iterator[Mention]:
    """The catalogue's names as mentions; a form that means other things too only where its surroundings fit its type.

    >>> from kg.model import Paper
    >>> from kg.text import read_text
    >>> [mention.surface for mention in extract(read_text(Paper("p", "", "Dream of a dream; the Dream model.", ())))]
    ['Dream']
    """
    for hit in hits(text.clean):
        score = _score(hit, text.clean)
        if score > 0:
            yield Mention(Span(hit.start, hit.end), text.clean[hit.start : hit.end], hit.row.type, "catalogue", score)


_CUES = {
    EntityType.DATASET: re.compile(
        r"\W{1,2}(?:\w+\W){0,1}?(?:data|corp|bench|task|test|chall|leader|suite|simul|environ|domain|game)", re.IGNORECASE
    ),
    EntityType.MODEL: re.compile(
        r"\W{1,2}(?:\w+\W){0,1}?(?:model|network|archit|backbone|encod|decod|checkpoint|transformer|detector|\()", re.IGNORECASE
    ),
    EntityType.METHOD: re.compile(
        r"\W{1,2}(?:\w+\W){0,1}?(?:algor|method|optim|approach|framework|train|sampl|loss|model|policy|filter)", re.IGNORECASE
    ),
    EntityType.METRIC: re.compile(r"\W{1,2}(?:\w+\W){0,1}?(?:score|metric|of\b|error|rate|value)", re.IGNORECASE),
    EntityType.TASK: re.compile(r"\W{1,2}(?:\w+\W){0,1}?(?:task|problem|system|dataset|benchmark|model|method)", re.IGNORECASE),
}
_BEFORE = {
    EntityType.DATASET: re.compile(r"\b(?:on|in|including|benchmarks?|datasets?|and|like)(?: the)?[ (]$", re.IGNORECASE),
    EntityType.MODEL: re.compile(r"\b(?:with|using|like|as|than|over|outperforms?|models?|including|and|of|or)(?: the)?[ (]$", re.IGNORECASE),
    EntityType.METHOD: re.compile(r"\b(?:with|using|like|as|than|by|via|outperforms?|and|or)(?: the)?[ (]$", re.IGNORECASE),
    EntityType.METRIC: re.compile(r"\b(?:in|of|by|and|terms of|score)(?: the)?[ (]$", re.IGNORECASE),
    EntityType.TASK: re.compile(r"\b(?:for|in|on|and|as|of)(?: the)?[ (]$", re.IGNORECASE),
}


def _score(hit: Hit, clean: str) -> float:
    """How sure a hit is: its prior, else what is usual for its kind; 0 for a form that seldom stands for its row, and for an ambiguous one in
    surroundings that do not support it.
    """
    prior = hit.prior if hit.prior is not None else 0.6
    if prior < _RARE:
        return 0.0
    if not hit.ambiguous:
        return 0.3 + 0.65 * prior
    if clean[hit.start].isupper() and not hit.exact_case:
        return 0.0
    fits = _CUES[hit.row.type].match(clean, hit.end) or _BEFORE[hit.row.type].search(clean, max(0, hit.start - 24), hit.start)
    return 0.25 + 0.5 * prior if fits else 0.0

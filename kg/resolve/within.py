"""One paper's mentions joined to its entities, each surface form with the reason why it was joined."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kg.model import Alias, EntityType, Found, Mention, Span, Text
from kg.ontology import Catalogue
from kg.resolve import abbreviations, likeness, naming
from kg.resolve.coordination import conjuncts
from kg.resolve.known import certain
from kg.surface import expands, is_acronym, key

_PRIOR = 0.5
_MAX_CONFIDENCE = 0.99


@dataclass(slots=True)
class _Form:
    """The mentions of one comparison key; `spelled` is the name when it is not the surface itself (a conjunct).

    `surface` is the name: what is spelled, else the commonest surface of all mentions, once they are gathered.
    """

    key: str
    mentions: list[Mention] = field(default_factory=list)
    spelled: str = ""
    reasons: dict[str, str] = field(default_factory=dict)
    surface: str = ""


class _Sets:
    """Disjoint sets of form numbers with the reason of each union."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))
        self.reasons: dict[int, str] = {}

    def top(self, member: int) -> int:
        while self._parent[member] != member:
            member = self._parent[member]
        return member

    def union(self, first: int, second: int, reason: str) -> None:
        low, high = sorted((self.top(first), self.top(second)))
        if low != high:
            self._parent[high] = low
            self.reasons.setdefault(second, reason) if first < second else self.reasons.setdefault(first, reason)

    def groups(self) -> list[list[int]]:
        gathered = defaultdict(list)
        for member in range(len(self._parent)):
            gathered[self.top(member)].append(member)
        return [gathered[top] for top in sorted(gathered)]


def join(text: Text, mentions: Sequence[Mention], aliases: Sequence[Alias], *, catalogue: Catalogue | None = None) -> tuple[Found, ...]:
    """The entities of one paper, in order of first appearance.

    `mentions` come in any order, their spans counting in the clean text; one inside a longer one is dropped. `aliases` are the short forms that
    the text expands. `catalogue` holds the known names (the shipped ones unless given).

    An entity's surface forms differ by case, hyphen, plural, abbreviation or wording, and each has its reason. A coordinated mention ("audio and
    video generation", "Llama-3.1-8B/70B-Instruct") belongs to each of the names that it holds.

    >>> from kg.model import Paper
    >>> from kg.resolve.known import NOTHING
    >>> from kg.text import read_text
    >>> text = read_text(Paper("p", "", "Flow of SpanS (FOSS) beats GSM-8K and gsm8k.", ()))
    >>> places = {"Flow of SpanS": EntityType.METHOD, "FOSS": EntityType.METHOD, "GSM-8K": EntityType.DATASET, "gsm8k": EntityType.DATASET}
    >>> spans = {s: Span(text.clean.index(s), text.clean.index(s) + len(s)) for s in places}
    >>> mentions = [Mention(spans[s], s, kind, "demo", 0.9) for s, kind in places.items()]
    >>> found = join(text, mentions, [Alias(spans["FOSS"], spans["Flow of SpanS"])], catalogue=NOTHING)
    >>> [(f.name, f.surfaces) for f in found]
    [('FOSS', ('Flow of SpanS', 'FOSS')), ('GSM-8K', ('GSM-8K', 'gsm8k'))]
    """
    if catalogue is None:
        from kg import ontology

        catalogue = ontology.load().catalogue
    outer = _outermost(mentions)
    expansions = _expansions(text, outer, aliases)
    forms = _forms(outer, expansions, catalogue)
    sets = _Sets(len(forms))
    _join_certain(forms, sets, expansions, catalogue)
    _join_alike(text, forms, sets, expansions, catalogue)
    found = [_found(text, [forms[i] for i in group], [sets.reasons.get(i, "") for i in group], expansions, catalogue) for group in sets.groups()]
    return tuple(sorted(found, key=lambda f: (f.mentions[0].span.start, f.mentions[0].span.end, f.name)))


def _key(surface: str) -> str:
    """The comparison key, with the plural of a two-letter acronym as its singular (GPs, GP)."""
    return key(surface[:2] if len(surface) == 3 and surface[2] == "s" and surface[:2].isupper() else surface)


def _outermost(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions that lie inside no longer one; of two on the same span and type the surer."""
    best: dict[tuple[Span, EntityType], Mention] = {}
    for mention in mentions:
        slot = mention.span, mention.type
        if slot not in best or (mention.score, mention.extractor) > (best[slot].score, best[slot].extractor):
            best[slot] = mention
    kept: list[Mention] = []
    for mention in sorted(best.values(), key=lambda m: (m.span.start, -m.span.end, m.type)):
        inside = any(k.span != mention.span and mention.span.end <= k.span.end for k in kept[-4:])
        if not inside:
            kept.append(mention)
    return kept


_GAP = re.compile(r"\s?\((?:i\.e\.,? |or |called |termed |dubbed )?|, (?:or |an? )?|: | [-–—] |\), ?| is an? ")


def _expansions(text: Text, mentions: Sequence[Mention], aliases: Sequence[Alias]) -> dict[str, str]:
    """Short form's key → full name, as this paper gives it: the mention that ends where the alias's long form does wins over its words."""
    ends = {m.span.end: m for m in mentions}
    found: dict[str, str] = {}
    for alias in sorted(aliases, key=lambda a: a.short.start):
        short = text.clean[alias.short.start : alias.short.end]
        mention = ends.get(alias.long.end)
        words = text.clean[alias.long.start : alias.long.end]
        longer = mention.surface if mention and expands(short.removesuffix("s"), mention.surface) else words
        found.setdefault(_key(short), longer)
    for first, second in pairwise(mentions):
        if second.span.start > first.span.end and _GAP.fullmatch(text.clean, first.span.end, second.span.start):
            long, short = (first.surface, second.surface) if len(first.surface) >= len(second.surface) else (second.surface, first.surface)
            if abbreviations.stands_beside(short, long):
                found.setdefault(_key(short), long)
    phrases = {m.surface: m for m in mentions if " " in m.surface or "-" in m.surface}
    for mention in mentions:
        if _key(mention.surface) not in found and is_acronym(mention.surface):
            full = next((p for p in phrases if abbreviations.is_initialism(mention.surface, p) and phrases[p].type == mention.type), None)
            if full:
                found[_key(mention.surface)] = full
    return found


def _forms(mentions: Sequence[Mention], expansions: dict[str, str], catalogue: Catalogue) -> list[_Form]:
    """Mentions grouped by comparison key; a coordinated mention goes to each of its names, a bracketed short form is taken out."""
    forms: dict[tuple[str, bool], _Form] = {}
    proper = {_key(m.surface): m.type for m in mentions if is_acronym(m.surface)}
    longs = {_key(long) for long in expansions.values()}
    for mention in mentions:
        names = conjuncts(mention.surface, catalogue) if _key(mention.surface) not in longs else ()
        for name in names or (naming.without_bracket(mention.surface),):
            joined = _key(name)
            word = joined in proper and name.islower() and proper[joined] != mention.type
            form = forms.setdefault((joined, word), _Form(joined + "|word" if word else joined))
            form.mentions.append(mention)
            if names or name != mention.surface:
                form.spelled = form.spelled or name
            form.reasons.setdefault(mention.surface, "conjunct" if names else "")
    for form in forms.values():
        form.surface = form.spelled or Counter([m.surface for m in form.mentions]).most_common(1)[0][0]
    return list(forms.values())


def _join_certain(forms: list[_Form], sets: _Sets, expansions: dict[str, str], catalogue: Catalogue) -> None:
    """Unite by the paper's own abbreviations, spelled out everywhere, and by the catalogue's names."""
    spelled: dict[str, int] = {}
    ids: dict[str, int] = {}
    for number, form in enumerate(forms):
        full = expansions.get(form.key)
        spellings = [(_key(full), f"short for {full}")] if full else []
        composed = naming.spell_out(form.surface, expansions, catalogue)
        spellings += [(_key(composed), "abbreviation spelled out")] if composed != form.surface else []
        for spelling, reason in [(form.key, ""), *spellings]:
            if spelling in spelled:
                sets.union(spelled[spelling], number, reason or "same letters")
            else:
                spelled[spelling] = number
        entry = certain(catalogue, full or form.surface)
        if entry:
            if entry.id in ids:
                sets.union(ids[entry.id], number, f"both are {entry.name} in the catalogue")
            ids.setdefault(entry.id, number)


def _join_alike(text: Text, forms: list[_Form], sets: _Sets, expansions: dict[str, str], catalogue: Catalogue) -> None:
    """Unite forms whose words say the same, the likeliest pair of groups first; a group is compared by the mean of its forms' log-odds.

    A full name that the paper abbreviates is no other name with words left out: each of its words has its letter.
    """
    described = [likeness.describe(form.surface, form.mentions, text.title_end, catalogue) for form in forms]
    abbreviated = {_key(long) for long in expansions.values()}
    odds: dict[tuple[int, int], float] = {}
    for second in range(len(forms)):
        for first in range(second):
            value = likeness.log_odds(described[first], described[second], described, text.clean)
            if value is not None and not any(
                forms[long].key in abbreviated and set(described[short].stems) < set(described[long].stems)
                for long, short in ((first, second), (second, first))
            ):
                odds[first, second] = value
    while odds:
        groups = {sets.top(group[0]): group for group in sets.groups()}
        best = (0.0, 0, 0)
        for one, two in sorted({tuple(sorted((sets.top(a), sets.top(b)))) for a, b in odds}):
            if one != two:
                between = [odds[p] for a in groups[one] for b in groups[two] if (p := (min(a, b), max(a, b))) in odds]
                best = min(best, (-sum(between) / len(between), one, two))
        if best[0] >= -likeness.THRESHOLD:
            return
        one, two = best[1:]
        _, first, second = max((odds[p], *p) for a in groups[one] for b in groups[two] if (p := (min(a, b), max(a, b))) in odds)
        sets.union(first, second, likeness.reason(described[first], described[second]))


def _found(text: Text, forms: list[_Form], unions: list[str], expansions: dict[str, str], catalogue: Catalogue) -> Found:
    mentions = sorted({m for form in forms for m in form.mentions}, key=lambda m: (m.span.start, m.span.end, m.type))
    long = next((expansions[form.key] for form in forms if form.key in expansions), "")
    entry = next((e for s in [long, *(form.surface for form in forms if form.key not in expansions)] if s and (e := certain(catalogue, s))), None)
    votes: dict[EntityType, float] = defaultdict(float)
    for mention in mentions:
        votes[mention.type] += mention.score
    if entry and entry.type in votes:
        votes[entry.type] += _PRIOR
    kind = max(votes, key=lambda t: (votes[t], t))
    name = naming.choose(text, [(form.surface, form.mentions) for form in forms], long, kind, entry)
    best = max(mentions, key=lambda m: (m.score, m.extractor))
    reasons: dict[str, str] = {}
    for form, union in zip(forms, unions, strict=True):
        for surface, own in form.reasons.items():
            reasons.setdefault(surface, own or union or naming.difference(surface, name))
    also = entry.also if entry and entry.type == kind else None
    return Found(
        name=name,
        type=kind,
        mentions=tuple(mentions),
        confidence=_confidence(mentions),
        extractor=best.extractor,
        also=also,
        expansion=long,
        catalogue=entry.id if entry else "",
        reasons=tuple(reasons.items()),
    )


def _confidence(mentions: Sequence[Mention]) -> float:
    """The surest mention, raised a little for each further one, since mentions of one paper err together."""
    scores = sorted((m.score for m in mentions), reverse=True)
    doubt = 1 - scores[0]
    for score in scores[1:4]:
        doubt *= 1 - 0.25 * score
    return round(min(_MAX_CONFIDENCE, 1 - doubt), 4)

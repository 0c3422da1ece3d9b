"""Canonical names within a paper: which form, its number, its case."""

import re
from collections.abc import Sequence

from kg.model import EntityType, Mention, Text
from kg.ontology import Catalogue, CatalogueRow
from kg.resolve.known import certain
from kg.surface import is_acronym, is_named, key, singular

_GAP = re.compile(r"(\s+|-)")
_BRACKET = re.compile(r"\s*\(([^()]*)\)")


def without_bracket(surface: str) -> str:
    """A surface form without a short form in brackets: "Minimum Bayes Risk (MBR) decoding" → "Minimum Bayes Risk decoding".

    >>> without_bracket("Minimum Bayes Risk (MBR) decoding"), without_bracket("MuZero (Unplugged)"), without_bracket("(S)GD")
    ('Minimum Bayes Risk decoding', 'MuZero (Unplugged)', '(S)GD')
    """
    match = _BRACKET.search(surface) if "(" in surface else None
    if match and match.start() > 0 and is_acronym(match[1]):
        return surface[: match.start()] + surface[match.end() :]
    return surface


def spell_out(surface: str, expansions: dict[str, str], catalogue: Catalogue) -> str:
    """A surface form of several words with its abbreviations replaced by what this paper, or else the catalogue, says they mean."""
    words = [surface] if surface.isalnum() else _GAP.split(surface)
    if len(words) < 3:
        return surface
    return "".join(_spelled(word, expansions, catalogue) for word in words)


def _spelled(word: str, expansions: dict[str, str], catalogue: Catalogue) -> str:
    if not is_acronym(word):
        return word
    if full := expansions.get(key(word)):
        return singular(full)
    entry = certain(catalogue, word)
    return entry.name if entry and entry.name.islower() else word


def choose(text: Text, forms: Sequence[tuple[str, list[Mention]]], long: str, kind: EntityType, entry: CatalogueRow | None) -> str:
    """The canonical name of one entity: the catalogue's, else the short form of a named thing, else the spelled-out class in the singular."""
    if entry:
        return entry.name
    short = next((s for s, _ in forms if long and s != long and is_named(s) and " " not in s), "")
    if long and short:
        return short if _known_by_short_name(short, long, kind) else plain(text, long, [])
    surface, mentions = max(forms, key=lambda f: (is_named(f[0]) and len(f[0]) < 12, len(f[1]), -f[1][0].span.start))
    return plain(text, surface, mentions)


def _known_by_short_name(short: str, long: str, kind: EntityType) -> bool:
    """Whether a thing goes by its short name: its full name is written as a proper name, or the short one is not a plain abbreviation."""
    if kind is EntityType.TASK or (short.endswith("s") and short[:-1].isupper()):
        return False
    words = [w for w in re.findall(r"[A-Za-z]+", long) if w.lower() not in {"of", "for", "and", "the", "in", "with", "to", "via", "by", "from", "on"}]
    capitals = sum(w[0].isupper() or not w.islower() for w in words)
    return capitals == len(words) or (not short.isupper() and capitals > 0) or bool(re.search(r"\d|[a-z]", short))


def plain(text: Text, surface: str, mentions: Sequence[Mention]) -> str:
    """A surface form as a catalogue would write it: singular, and in lower case unless its capitals mean something."""
    if is_named(surface) and " " not in surface:
        return singular(surface) if is_acronym(surface) else surface
    words = singular(surface).split(" ")
    in_title = bool(mentions) and all(m.span.end <= text.title_end or _starts_sentence(text, m) for m in mentions)
    if in_title or (len(words) > 1 and words[0][:1].isupper() and all(w.islower() for w in words[1:])):
        return " ".join(_lowered(w, first=i == 0, sure=in_title) for i, w in enumerate(words))
    return " ".join(words)


def _starts_sentence(text: Text, mention: Mention) -> bool:
    return text.sentences[text.sentence_of(mention.span.start)].start == mention.span.start


def _lowered(word: str, *, first: bool, sure: bool) -> str:
    if is_named(word) or (not first and not sure) or word.endswith(("ian", "ov", "'s")):
        return word
    return word[:1].lower() + word[1:]


def difference(surface: str, name: str) -> str:
    """Why two spellings of the same key are one, in words.

    >>> difference("GSM-8K", "gsm8k"), difference("Graph Networks", "Graph Network"), difference("BERT", "BERT")
    ('case and hyphen', 'plural', 'name')
    """
    if surface == name:
        return "name"
    if key(surface) != key(name):
        return f"known as {name}"
    found = []
    if singular(surface).lower() != singular(name).lower() or surface.lower() == name.lower():
        found = ["case"] if surface.lower() == name.lower() else []
    stripped = [re.sub(r"[\s\-‐‑‒–—/]", "", s) for s in (surface, name)]
    if not found:
        if singular(stripped[0]) != singular(stripped[1]):
            found.append("case")
        if re.sub(r"[^\s\-‐‑‒–—/]", "", surface) != re.sub(r"[^\s\-‐‑‒–—/]", "", name):
            found.append("hyphen")
        if len(stripped[0]) != len(stripped[1]):
            found.append("plural")
    return " and ".join(found) or "same letters"

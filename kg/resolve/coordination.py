"""Coordinated names told apart: "audio and video generation", "Llama-3.1-8B/70B-Instruct"."""

import re

from kg.ontology import Catalogue
from kg.resolve.known import certain
from kg.surface import is_named

_VERSION = r"[vV]?\d+(?:\.\d+)*[BMKbmkDd]?"
_AND = r"\s*(?:/|,|&|\band\b|\bor\b)\s*(?:and\s+|or\s+)?"
_VERSIONS = re.compile(rf"(?P<base>.*?[-\s(]?)(?P<list>{_VERSION}(?:{_AND}{_VERSION})+)\)?(?P<rest>(?:[-\s].*)?)")
_VERSION_BREAK = re.compile(_AND)
_BREAK = re.compile(r",?\s+(?:and|or)\s+|,\s+|\s*/\s*|\s+&\s+")
_OPEN = re.compile(r"\b(?:of|for|in|with|from|to|by|on|between|via|at|their|its|the|a|an|both|joint|jointly|no|not|than|as)\b", re.IGNORECASE)
_MAX_WORDS = 9


def conjuncts(surface: str, catalogue: Catalogue) -> tuple[str, ...]:
    """The names that a coordinated surface form holds, or () when it is one name.

    >>> from kg.resolve.known import NOTHING
    >>> for s in ("Llama-3.1-8B/70B-Instruct", "lexical, syntactic, and semantic diversity", "object detection and segmentation", "SM/VIO"):
    ...     print(conjuncts(s, NOTHING))
    ('Llama-3.1-8B-Instruct', 'Llama-3.1-70B-Instruct')
    ('lexical diversity', 'syntactic diversity', 'semantic diversity')
    ('object detection', 'object segmentation')
    ()
    """
    if not _BREAK.search(surface) and not _VERSION_BREAK.search(surface):
        return ()
    if certain(catalogue, surface):
        return ()
    return _versions(surface) or _listed(surface, catalogue) or _words(surface)


def _listed(surface: str, catalogue: Catalogue) -> tuple[str, ...]:
    """The sides of a slash that the catalogue knows as things of one type: "MSE/MAE"."""
    parts = tuple(surface.split("/"))
    if len(parts) < 2 or " " in surface or not all(is_named(part) for part in parts):
        return ()
    types = [{row.type for row in catalogue.lookup(part)} for part in parts]
    return parts if set.intersection(*types) else ()


def _versions(surface: str) -> tuple[str, ...]:
    match = _VERSIONS.fullmatch(surface)
    if not match or (not match["base"].strip() and not match["rest"].strip()):
        return ()
    base = match["base"].removesuffix("(")
    if not is_named(surface):
        return ()
    return tuple(f"{base}{version}{match['rest']}" for version in _VERSION_BREAK.split(match["list"]))


def _words(surface: str) -> tuple[str, ...]:
    parts = _BREAK.split(surface)
    words = surface.split()
    if len(parts) < 2 or len(words) > _MAX_WORDS or _OPEN.search(surface) or "(" in surface or any(not p for p in parts):
        return ()
    if sum(w[:1].isupper() for w in words) > (len(words) - 1) / 2 and len(words) > 3:
        return ()
    if "/" in surface and " " not in surface:
        return ()
    if len(words) == 3 and all(part[:1].isupper() and not is_named(part) for part in parts):
        return ()
    split = [p.split() for p in parts]
    last, first = split[-1], split[0]
    if len(last) > 1 and all(len(p) < len(last) or len(p) == 1 for p in split[:-1]):
        head = last[1:] if len(last) == 2 else last[-1:]
        return (*(" ".join([*p, *head]).replace("- ", "-") for p in split[:-1]), " ".join(last))
    if len(first) > 1 and all(len(p) == 1 for p in split[1:]):
        return (" ".join(first), *(" ".join([*first[:-1], *p]) for p in split[1:]))
    return tuple(parts)

"""JSON and JSON Lines with any sensible names for title, abstract and the rest."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.json_stream import objects

NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "paperid", "key", "uid", "eid", "recordid", "citekey", "citationkey", "identifier", "corpusid"),
    "title": ("title", "papertitle", "articletitle", "documenttitle", "name", "papername", "nameofpaper", "nameofthepaper", "ti", "t1", "headline"),
    "abstract": ("abstract", "paperabstract", "abstracttext", "summary", "abstractnote", "ab", "description", "text", "tldr", "content"),
    "authors": ("authors", "author", "authornames", "creators", "creator", "authorsfull", "authorfullnames", "writers", "writtenby", "au", "af"),
    "year": (
        "year", "publicationyear", "pubyear", "yearpublished", "py", "date", "published", "publicationdate", "issued",
        "publishdate", "coverdate", "updatedate",
    ),
    "venue": (
        "venue", "conference", "journal", "booktitle", "publicationtitle",
        "sourcetitle", "containertitle", "journaltitle", "journalname",
        "source", "publication", "so", "proceeding", "proceedings",
    ),
    "keywords": ("keywords", "authorkeywords", "manualtags", "tags", "categories", "subjects", "fieldsofstudy", "topics", "de"),
    "url": ("url", "link", "pdf", "pdfurl", "pdflink", "href", "site", "paperurl", "openaccessurl", "ee", "urlabs", "urlpdf"),
    "code": ("code", "codeurl", "codelink", "github", "githuburl", "repository", "repo", "repourl"),
    "doi": ("doi", "di", "doiurl"),
    "arxiv": ("arxiv", "arxivid", "eprint", "arxivurl"),
    "openreview": ("openreview", "openreviewid", "forum"),
    "acl": ("acl", "aclid", "anthologyid"),
    "pmid": ("pmid", "pubmed", "pubmedid"),
    "language": ("language", "lang", "la"),
}  # fmt: skip
"""For each field the names that it goes by, without case, blanks, hyphens and underscores, the best first."""
_PARTS = (
    ("title", "title"), ("abstract", "abstract"), ("abstract", "summary"), ("authors", "author"), ("year", "year"), ("venue", "conference"),
    ("venue", "journal"),    ("keywords", "keyword"), ("doi", "doi"),
)  # fmt: skip
"""What a longer name ("Title of the paper") is taken for, where no name is known."""
_RELATED = re.compile(r"subtitle|book|short|source|affil|site|\bids?\b|_ids?$|count|index|number|num|len|lang|h.?index|url|link|cit", re.IGNORECASE)
_RANKS = {name: (field, rank) for field, known in NAMES.items() for rank, name in enumerate(known)}


def plain(name: str) -> str:
    """A column's name for comparison.

    >>> plain("Abstract Note"), plain("arxiv_id")
    ('abstractnote', 'arxivid')
    """
    return "".join(c for c in name.lower() if c.isalnum())


def field_of(name: str) -> str:
    """The field that goes by exactly this name, "" for none.

    >>> field_of("Abstract Note"), field_of("Title of it")
    ('abstract', '')
    """
    return _RANKS.get(plain(name), ("", 0))[0]


@lru_cache(maxsize=256)
def guessed(keys: tuple[str, ...], mapped: tuple[tuple[str, str], ...] = ()) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Which keys hold which field: (field, keys in order of trust). What the user mapped comes alone, where it is there.

    >>> guessed(("Paper Title", "Summary", "DOI"))
    (('title', ('Paper Title',)), ('abstract', ('Summary',)), ('doi', ('DOI',)))
    """
    chosen: dict[str, list[tuple[int, str]]] = {}
    there = {plain(key) for key in keys}
    forced = {field: name for field, name in mapped if plain(name) in there}
    taken = {plain(name) for name in forced.values()}
    for key in keys:
        short = plain(key)
        for field, name in forced.items():
            if plain(name) == short:
                chosen.setdefault(field, []).append((0, key))
        field, rank = _RANKS.get(short, ("", 0))
        if field and field not in forced and short not in taken:
            chosen.setdefault(field, []).append((rank, key))
    for field, part in _PARTS:
        if field not in chosen and (near := [key for key in keys if part in plain(key) and not _RELATED.search(key) and _is_free(key, chosen)]):
            chosen[field] = [(0, near[0])]
    return tuple((field, tuple(key for _, key in sorted(found, key=lambda pair: pair[0]))) for field, found in chosen.items())


def _is_free(key: str, chosen: Mapping[str, list[tuple[int, str]]]) -> bool:
    return not any(key == taken for found in chosen.values() for _, taken in found)


def pick(record: Mapping[str, Any], mapping: Mapping[str, str]) -> Fields:
    """The fields of a record by the names of its keys; of several that fit, the best that is not empty."""
    fields: dict[str, Any] = {}
    for field, keys in guessed(tuple(record), tuple(mapping.items()) if mapping else ()):
        for key in keys:
            value = record[key]
            if value or value == 0:
                fields[field] = value
                break
    return fields  # type: ignore[return-value]


_STRINGS = re.compile(rb'\[\s*"(?:[^"\\]|\\.)*+"\s*[,\]]', re.DOTALL)
_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*+"\s*')


def sniff(look: Look) -> bool:
    """Whether an input is JSON at all; the readers of known sources come before."""
    plain_head = look.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    start = plain_head[:2]
    return (
        look.record is not None
        or start[:1] == b"{"
        or (start[:1] == b"[" and look.suffix in (".json", ".jsonl", ".ndjson"))
        or start in (b"[{", b"[[")
        or _STRINGS.match(plain_head) is not None
        or (look.suffix in ("", ".json") and look.complete and _STRING.fullmatch(plain_head) is not None)
    )


def read(source: Input) -> Iterator[Record | Fault]:
    """The records of a JSON input."""
    mapping = source.mapping
    for item in objects(source):
        if isinstance(item, Fault):
            yield item
        else:
            yield Record(item[0], pick(item[1], mapping))


READER = Reader(
    "json",
    "JSON Lines, a JSON array, one object, or a page with the records under results, data, papers …",
    (".json", ".jsonl", ".ndjson", ".jsonlines"),
    sniff,
    read,
    '{"id": "p1", "title": "Small Nets", "abstract": "We propose …", "authors": ["A. Ray"], "year": 2024, "doi": "10.1234/x"}\n',
)

"""Markdown and HTML lists of papers, once their syntax is gone: headings, items, paragraphs and table rows → records."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from kg.readers.base import Fields
from kg.readers.json_generic import guessed, pick

_LONG = 160
"""A paragraph from this length on (characters) is an abstract, below it is a line of authors, a venue, a remark."""
_LIST = 3
"""So many abstracts right under one heading are a list of papers, not the parts of one."""
_LABEL = re.compile(
    r"^\W{0,3}(title|abstract|summary|tl;?dr|authors?|by|year|date|published|venue|journal|conference|keywords?|tags|doi|arxiv|url|link|code|github|paper|pdf)\W{0,3}[:：]\W{0,3}\s*",
    re.IGNORECASE,
)
_FIELD = {
    "summary": "abstract", "tldr": "abstract", "tl;dr": "abstract", "author": "authors", "by": "authors", "date": "year", "published": "year",
    "journal": "venue", "conference": "venue", "keyword": "keywords", "tags": "keywords", "link": "url", "paper": "url", "pdf": "url",
    "github": "code",
}  # fmt: skip
_SENTENCE = re.compile(r"(?:\S+\s+){2,}\S*[.…!]$")
_NO_TITLE = re.compile(
    r"^(?:contents|table of contents|papers?|abstracts?|introduction|references|license|contributing|"
    r"acknowledge?ments?|citation|links?|overview|about|home|menu|contact)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of an outline.

    `text` is a heading's text, a paragraph, or an item's text without its title; `lines` are an item's further paragraphs or a row's cells.
    """

    kind: Literal["heading", "paragraph", "item", "header", "row"]
    text: str = ""
    level: int = 0
    title: str = ""
    url: str = ""
    lines: tuple[str, ...] = ()
    named: Fields = field(default_factory=Fields)


def records(blocks: Iterable[Block]) -> Iterator[Fields]:
    """The papers of an outline.

    An item is a paper; a row is one when its table's header names a title or an abstract; a heading with a long paragraph below is one,
    and so is each long paragraph of three or more below the same heading.
    """
    heading: Block | None = None
    below: list[str] = []
    header: tuple[str, ...] = ()
    for block in blocks:
        if block.kind == "paragraph":
            below.append(block.text)
            continue
        yield from _section(heading, below)
        below = []
        if block.kind == "heading":
            heading = block
            continue
        # What follows an item is no longer the heading's own text.
        heading = None
        if block.kind == "header":
            header = block.lines
        elif block.kind == "row":
            yield from _row(header, block)
        else:
            yield from _item(block)
    yield from _section(heading, below)


def _section(heading: Block | None, below: list[str]) -> Iterator[Fields]:
    labelled, rest = _labelled(below)
    long = [text for text in rest if len(text) >= _LONG or (heading and _SENTENCE.search(text))]
    if "abstract" not in labelled and (len(long) >= _LIST or heading is None or _NO_TITLE.match(heading.text)):
        for text in long:
            yield {"abstract": text}
    elif long or "abstract" in labelled:
        found: Fields = {"title": heading.text if heading else "", "url": heading.url if heading else ""}
        if long:
            found["abstract"] = "\n\n".join(long)
        found.update(labelled)
        short = [text for text in rest if text not in long]
        if "authors" not in found and short and rest[0] == short[0] and "," in short[0]:
            found["authors"] = re.sub(r"[*_]", "", short[0])
        yield found


def _labelled(texts: Iterable[str]) -> tuple[Fields, list[str]]:
    """What lines such as "Authors: …" say, and the other texts."""
    found: dict[str, str] = {}
    rest = []
    for text in texts:
        kept = []
        current = ""
        for line in text.splitlines():
            match = _LABEL.match(line)
            if match:
                label = match[1].lower()
                current = _FIELD.get(label, label)
                found.setdefault(current, line[match.end() :].strip())
            elif current == "abstract":
                found[current] += "\n" + line
            else:
                kept.append(line)
        if kept:
            rest.append("\n".join(kept))
    return found, rest  # type: ignore[return-value]


def _item(block: Block) -> Iterator[Fields]:
    labelled, rest = _labelled([*([block.text] if block.text.strip(" .,:;—–-|()") else []), *block.lines])
    found: Fields = {"title": block.title, "url": block.url}
    found.update(block.named)
    found.update(labelled)
    if "abstract" not in found and rest:
        longest = max(rest, key=len).strip(" \n—–-:|")
        if len(longest) >= _LONG // 2 or not block.title or _SENTENCE.search(longest):
            found["abstract"] = longest
    if not block.title and "title" not in labelled and len(str(found.get("abstract", ""))) < _LONG:
        found["title"] = found.pop("abstract", "")
    text = str(found.get("title") or "")
    if found.get("abstract") or (len(text) > 8 and not block.url.startswith("#") and not _NO_TITLE.match(text)):
        yield found


def _row(header: tuple[str, ...], block: Block) -> Iterator[Fields]:
    if {name for name, _ in guessed(header)} & {"title", "abstract"}:
        found = pick(dict(zip(header, block.lines, strict=False)), {})
        if block.url:
            found.setdefault("url", block.url)
        yield found

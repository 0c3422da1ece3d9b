"""Markdown and HTML lists of papers, once their syntax is gone: headings, items, paragraphs and table rows → records."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from kg.readers.base import Fault, Fields, Record
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
_PROSE = 4
"""From so many words on a piece of text may be lost content; below it is a badge, a link, a remark."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_NO_WORDS = re.compile(r"!?\[[^\[\]]*\]\([^()]*\)|https?://\S+|<[^<>]*>")
_REMEDY = "give each paper a heading, a list item or a table row, and its abstract below or beside it"
_NO_TITLE = re.compile(
    r"^(?:contents|table of contents|papers?|abstracts?|introduction|references|license|contributing|"
    r"acknowledge?ments?|citation|links?|overview|about|home|menu|contact)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of an outline.

    `text` is a heading's text, a paragraph, or an item's text without its title; `lines` are an item's further paragraphs or a row's cells.
    What can hold no paper is of kind "other", its `title` says what it is.
    """

    kind: Literal["heading", "paragraph", "item", "header", "row", "other"]
    text: str = ""
    level: int = 0
    title: str = ""
    url: str = ""
    lines: tuple[str, ...] = ()
    named: Fields = field(default_factory=Fields)


def records(blocks: Iterable[Block]) -> Iterator[Fields | Fault]:
    """The papers of an outline, and what might be one and is not read as such.

    An item is a paper; a row is one when its table's header names a title or an abstract; a heading with a long paragraph below is one,
    and so is each long paragraph of three or more below the same heading. Headings that stand over lists, entries of a table of contents
    and pieces of fewer than four words are no papers and are passed over.
    """
    heading: Block | None = None
    below: list[str] = []
    header: tuple[str, ...] = ()
    lost = 0
    for block in blocks:
        if lost and block.kind != "row":
            yield _unnamed(header, lost)
            lost = 0
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
        elif block.kind == "row" and _is_named(header):
            yield _row(header, block)
        elif block.kind == "row":
            lost += 1
        elif block.kind == "other":
            yield from _passed_over(block.text, f"{block.title} holds no papers")
        else:
            yield from _item(block)
    if lost:
        yield _unnamed(header, lost)
    yield from _section(heading, below)


def _passed_over(text: str, reason: str) -> Iterator[Fault]:
    """What is said of a piece of text that is not read, unless it is too short to be content."""
    if len(_WORD.findall(_NO_WORDS.sub(" ", text))) >= _PROSE:
        yield Fault("", reason, _REMEDY, text[:80])


def _section(heading: Block | None, below: list[str]) -> Iterator[Fields | Fault]:
    labelled, rest = _labelled(below)
    long = [text for text in rest if len(text) >= _LONG or (heading and _SENTENCE.search(text))]
    titled = heading is not None and not _NO_TITLE.match(heading.text)
    if not {"title", "abstract"} & labelled.keys() and (len(long) >= _LIST or not titled):
        for text in rest:
            if text in long:
                yield {"abstract": text}
            else:
                yield from _passed_over(text, "a paragraph too short for an abstract, without a title")
    elif long or {"title", "abstract"} & labelled.keys():
        found: Fields = {"title": heading.text if heading else "", "url": heading.url if heading else ""}
        if long:
            found["abstract"] = "\n\n".join(long)
        found.update(labelled)
        short = [text for text in rest if text not in long]
        if "authors" not in found and short and rest[0] == short[0] and "," in short[0]:
            found["authors"] = re.sub(r"[*_]", "", short[0])
        yield found
    elif heading:
        for text in rest:
            yield from _passed_over(text, f"no abstract below the heading {heading.text[:60]!r}")


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


def _item(block: Block) -> Iterator[Fields | Fault]:
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
    if block.url.startswith("#") or _NO_TITLE.match(text) or not _WORD.search(text + str(found.get("abstract", ""))):
        # An entry of the document's own table of contents, or of a menu.
        return
    if found.get("abstract") or len(text) > 8:
        yield found
    else:
        yield Fault("", "a list item too short for a title, without an abstract", _REMEDY, text)


def _is_named(header: tuple[str, ...]) -> bool:
    return bool({name for name, _ in guessed(header)} & {"title", "abstract"})


def _unnamed(header: tuple[str, ...], rows: int) -> Fault:
    names = ", ".join(cell[:30] for cell in header[:12])
    return Fault("", f"a table of {rows:,} rows without a column for title or abstract: {names}", "name its columns Title, Abstract …")


def _row(header: tuple[str, ...], block: Block) -> Fields:
    found = pick(dict(zip(header, block.lines, strict=False)), {})
    if block.url:
        found.setdefault("url", block.url)
    return found


def numbered(found: Iterable[Fields | Fault]) -> Iterator[Record | Fault]:
    """The records of a document under their numbers, from 1."""
    for number, item in enumerate(found, 1):
        yield replace(item, place=str(number)) if isinstance(item, Fault) else Record(str(number), item)

"""Plain text: a list of abstracts, one a paragraph, under a heading; or titles with their abstracts below."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from kg.readers import limits
from kg.readers.base import Fault, Fields, Input, Look, Reader, Record

_BLANK = re.compile(r"\r\n[ \t]*\r\n|\n[ \t]*\n|\r[ \t]*\r")
_END = re.compile(r"[.。．!！…;；][\"”’')\]]*\s*$")
_BULLET = re.compile(r"^\s*(?:\[\d{1,5}\]|\(?\d{1,5}[.)]|[-*•–])\s+")
_LABEL = re.compile(r"^(title|abstract|summary|authors?|year|venue|journal|keywords?|doi|arxiv|url|link|id)\s*[:：]\s*", re.IGNORECASE | re.MULTILINE)
_HEADING = 250
_WORDS = re.compile(r"[^\W\d_]{2}.*?[^\W\d_]{2}", re.DOTALL)
_LIST_WORDS = re.compile(r"papers|abstracts|list|论文|accepted|proceedings|\b(?:19|20)\d\d\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph and the offset of its first character in the decoded text; of one that is beyond the bound (`long`) only how it begins."""

    text: str
    offset: int
    long: bool = False

    @property
    def short(self) -> bool:
        """Whether it looks like a heading or title: one short line that does not end like a sentence."""
        return not self.long and len(self.text) <= _HEADING and "\n" not in self.text and "\r" not in self.text and not _END.search(self.text)


def paragraphs(pieces: Iterator[str]) -> Iterator[Paragraph]:
    """The paragraphs of a text that comes in pieces: blank lines part them; any of the three line ends counts."""
    buffer, base, seen = "", 0, 0
    lost: Paragraph | None = None
    for piece in pieces:
        buffer += piece
        start = 0
        # The last characters may be half of a line end; what was searched is not searched again.
        for match in _BLANK.finditer(buffer, seen, max(seen, len(buffer) - 2)):
            yield from [lost] if lost else _paragraph(buffer[start : match.start()], base + start)
            start, lost = match.end(), None
        if start == 0 and len(buffer) > limits.RECORD:
            lost = lost or Paragraph(buffer[:200].strip(), base, long=True)
            start = len(buffer) - 40
        buffer, base = buffer[start:], base + start
        seen = max(0, len(buffer) - 40)
    start = 0
    for match in _BLANK.finditer(buffer):
        yield from [lost] if lost else _paragraph(buffer[start : match.start()], base + start)
        start, lost = match.end(), None
    yield from [lost] if lost else _paragraph(buffer[start:], base + start)


def _paragraph(text: str, offset: int) -> Iterator[Paragraph]:
    stripped = text.strip()
    if stripped:
        yield Paragraph(stripped, offset + text.index(stripped[0]))


def sniff(look: Look) -> bool:
    """Any text under the endings of texts or none; program text, XML and the like in a folder is not taken for papers."""
    return look.suffix in ("", ".txt", ".text", ".asc") and bool(look.text.strip()) and not look.text.lstrip().startswith("<?xml")


def read(source: Input) -> Iterator[Record | Fault]:
    """The papers of a text, numbered from 1.

    A heading on top is passed over. A short line without a full stop right above an abstract, everywhere but on top, is its title; so is the
    one on top when only one abstract follows and it does not read like a list's. Lines under "Title:", "Abstract:" … are taken at their word.
    """
    for number, fields in enumerate(_papers(paragraphs(source.text())), 1):
        if isinstance(fields, Fault):
            yield replace(fields, place=str(number))
        elif _WORDS.search(f"{fields.get('title', '')} {fields.get('abstract', '')}"):
            yield Record(str(number), fields)
        else:
            yield Fault(str(number), "no words in this paragraph", "a list of abstracts has one a paragraph", str(fields)[:80])


def _papers(found: Iterator[Paragraph]) -> Iterator[Fields | Fault]:
    first, second, third = next(found, None), next(found, None), next(found, None)
    window = [paragraph for paragraph in (first, second, third) if paragraph]
    if first and first.short and _is_heading(first, second, third):
        window.pop(0)
    title: Paragraph | None = None
    for paragraph in chain(window, found):
        if paragraph.short and not _LABEL.match(paragraph.text):
            if title:
                yield {"title": title.text}
            title = paragraph
            continue
        parts = [_too_long(paragraph)] if paragraph.long else _parts(paragraph)
        if title and len(parts) == 1 and not isinstance(parts[0], Fault) and "title" not in parts[0]:
            yield {"title": _BULLET.sub("", title.text), **parts[0]}
        else:
            if title:
                yield {"title": title.text}
            yield from parts
        title = None
    if title:
        yield {"title": title.text}


def _too_long(paragraph: Paragraph) -> Fault:
    return Fault("", f"a paragraph of more than {limits.RECORD >> 20} MiB", "a list of abstracts has one a paragraph", paragraph.text[:80])


def _is_heading(first: Paragraph, second: Paragraph | None, third: Paragraph | None) -> bool:
    """Whether the short first line is the list's heading: titles come in pairs with abstracts, a heading stands alone."""
    if not second or _LABEL.match(first.text):
        return False
    lists = len(first.text) < 80 and bool(_LIST_WORDS.search(first.text))
    if third is None:
        return lists
    return lists or not third.short if second.short else not third.short


def _parts(paragraph: Paragraph) -> Sequence[Fields]:
    """The records of one paragraph: labelled lines, a title line above long text, one long line each, or the whole."""
    text = paragraph.text
    if _LABEL.match(text):
        return [_labelled(text.replace("\r\n", "\n").replace("\r", "\n"))]
    lines = text.splitlines()
    head, _, body = text.partition("\n")
    if len(lines) > 1 and len(max(lines[1:], key=len)) > _HEADING and Paragraph(head.strip(), 0).short:
        return [{"title": _BULLET.sub("", head.strip()), "abstract": body.strip()}]
    if len(lines) > 1 and all(len(line) > _HEADING and _END.search(line) for line in lines):
        return [_plain(Paragraph(line, paragraph.offset + text.index(line))) for line in lines]
    return [_plain(paragraph)]


def _plain(paragraph: Paragraph) -> Fields:
    bullet = _BULLET.match(paragraph.text)
    skip = bullet.end() if bullet else 0
    return {"abstract": paragraph.text[skip:], "offset": paragraph.offset + skip}


_FIELD = {"summary": "abstract", "author": "authors", "keyword": "keywords", "journal": "venue", "link": "url"}


def _labelled(text: str) -> Fields:
    fields: dict[str, str] = {}
    marks = [*_LABEL.finditer(text)]
    for mark, end in zip(marks, [*(mark.start() for mark in marks[1:]), len(text)], strict=True):
        label = mark[1].lower()
        fields.setdefault(_FIELD.get(label, label), text[mark.end() : end].strip())
    return fields  # type: ignore[return-value]


READER = Reader(
    "text",
    "plain text: a heading, then an abstract per paragraph; or title and abstract in turn; or lines such as Title: and Abstract:",
    (".txt", ".text"),
    sniff,
    read,
    "ICLR 2026 Papers\n\nWe propose GraphMint, a model that …\n\nWe study how …\n",
)

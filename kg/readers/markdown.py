"""Markdown lists of papers: headings with abstracts, bulleted or numbered lists, tables. markdown-it finds the blocks; texts keep their markup."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kg.readers import html_list, limits
from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.outline import Block, numbered, records

_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])+)\]\(<?([^\s()<>]*(?:\([^\s()]*\))?[^\s()<>]*)>?(?:\s+\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"^(?:\*\*|__)([^*_]+)(?:\*\*|__)$")
_BOLD = re.compile(r"^(?:\*\*|__)(.+?)(?:\*\*|__)[\s.:,—–-]*")
_BEGIN = re.compile(r"\W{0,3}(?:\*\*|__|\[)((?:\\.|[^\]*_\\]){2,})")
_LINK_LABEL = re.compile(
    r"(?:paper|pdf|code|github|arxiv|link|url|project|page|project page|website|video|slides|poster|data|dataset|demo|blog|bibtex|doi|authors?|"
    r"abstract|summary|tl;?dr|keywords?|venue|year|tags|openreview)\W*",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^<>]*>")
_HEAD = 160
"""An item with longer texts of its own (characters) is a paper, whatever stands below it."""
_NESTING = 100
_MARKERS = 40
_REFERENCE = re.compile(r"^ {0,3}\[[^\[\]\n]+\]:[ \t]*\S+.*$", re.MULTILINE)
"""The address of a link whose text stands elsewhere."""
_DEEP = re.compile(rf"^[ \t]*+(?:(?:[-*+]|\d{{1,9}}[.)])[ \t]++|>[ \t]*+){{{_MARKERS},}}+.*$", re.MULTILINE)
"""Lines on which the parser's time would grow with the square of their length."""
_SIGNS = re.compile(r"^(?:#{1,4} +\S|[-*+] +(?:\*\*|\[|__)\S|\d+[.)] +(?:\*\*|\[)\S|\|.*\|[ \t]*$)", re.MULTILINE)


def sniff(look: Look) -> bool:
    if look.suffix in (".md", ".markdown", ".mdown", ".qmd", ".rmd"):
        return bool(look.text)
    signs = [match.start() for match in _SIGNS.finditer(look.text[:65536])]
    return look.suffix in ("", ".txt") and (len(signs) >= 3 or (bool(signs) and not look.text[: signs[0]].strip()))


def read(source: Input) -> Iterator[Record | Fault]:
    """The papers of a document, numbered from 1."""
    text = ""
    for piece in source.text():
        text += piece
        if len(text) > limits.DOCUMENT:
            yield Fault("", f"a Markdown document of more than {limits.DOCUMENT >> 20} MiB", "split it, or convert it to JSON Lines")
            return
    text, deep = _DEEP.subn("", _REFERENCE.sub("", text))
    if deep:
        yield Fault("", f"{deep:,} lines of more than {_MARKERS} lists and quotes inside each other, which are not read", "write the list plainly")
    found = False
    for item in numbered(records(blocks(text))):
        found = True
        yield item
    if not found:
        yield Fault("", "no list of papers in this Markdown document", "a heading or list item a paper, its abstract below", text[:80].strip())


@dataclass(slots=True)
class _Node:
    """A list item: its own texts, and the items below it."""

    texts: list[str] = field(default_factory=list)
    below: list["_Node"] = field(default_factory=list)

    def all_texts(self) -> list[str]:
        return [*self.texts, *(text for node in self.below for text in node.all_texts())]

    def is_paper(self) -> bool:
        """Whether it begins like a paper: with a link or bold text that is no label."""
        return bool(self.texts and (match := _BEGIN.match(self.texts[0])) and not _LINK_LABEL.fullmatch(match[1]))

    def is_group(self) -> bool:
        """Whether it only stands above papers."""
        own = not self.is_paper() and sum(map(len, self.texts)) < _HEAD
        return own and any(node.is_paper() or node.is_group() for node in self.below)


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a document, in order; the parts of a list item are gathered into one, items that stand above papers are headings."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table").disable(["inline", "reference"]).parse(_without_front_matter(text))
    items: list[_Node] = []
    level = 0
    cells: list[str] = []
    for index, token in enumerate(tokens):
        kind = token.type
        if kind == "list_item_open":
            items.append(_Node())
            if len(items) > 1:
                items[-2].below.append(items[-1])
        elif kind == "list_item_close":
            node = items.pop()
            if not items:
                yield from _listed(node)
        elif kind == "heading_open":
            level = int(token.tag[1:])
        elif kind in ("thead_close", "tr_open"):
            cells = []
        elif kind == "tr_close":
            url = next((match[2] for cell in cells for match in [_LINK.search(cell)] if match), "")
            yield Block("header" if _in_head(tokens, index) else "row", lines=tuple(_LINK.sub(r"\1", cell) for cell in cells), url=url)
        elif kind in ("inline", "code_block", "fence", "html_block"):
            yield from _text(token, tokens[index - 1].type if index else "", items[-1] if items else None, cells, level)


def _text(token: Any, parent: str, item: _Node | None, cells: list[str], level: int) -> Iterator[Block]:
    if parent in ("th_open", "td_open"):
        cells.append(token.content.strip())
    elif item is not None:
        item.texts.append(_TAG.sub(" ", token.content).strip() if token.type == "html_block" else token.content)
    elif parent == "heading_open":
        link = _LINK.search(token.content)
        yield Block("heading", _EMPHASIS.sub(r"\1", _LINK.sub(r"\1", token.content).strip()), level, url=link[2] if link else "")
    elif token.type == "inline":
        yield Block("paragraph", token.content)
    elif token.type == "html_block":
        yield from html_list.blocks(token.content.encode("utf-8", "surrogateescape"))
    else:
        yield Block("other", token.content, title="a block of code")


def _listed(node: _Node) -> Iterator[Block]:
    if node.is_group():
        yield Block("heading", _LINK.sub(r"\1", " ".join(node.texts)))
        for inner in node.below:
            yield from _listed(inner)
    elif texts := [text for text in node.all_texts() if text]:
        yield _item(texts)


def _in_head(tokens: list[Any], index: int) -> bool:
    return any(token.type == "thead_close" for token in tokens[index : index + 2])


def _without_front_matter(text: str) -> str:
    if text.startswith("---\n") and (end := text.find("\n---", 4)) >= 0:
        return text[text.find("\n", end + 1) + 1 :] if text.find("\n", end + 1) >= 0 else ""
    return text


def _item(parts: list[str]) -> Block:
    head = parts[0].strip()
    link = _LINK.search(head)
    url = link[2] if link else ""
    bold = _BOLD.match(head)
    if bold:
        title, rest = _LINK.sub(r"\1", bold[1]), head[bold.end() :]
    elif link and link.start() <= 3:
        title, rest = link[1].strip("* "), head[: link.start()] + head[link.end() :]
    else:
        first, _, below = head.partition("\n")
        short = len(first) < 160 and bool(below or parts[1:])
        title, rest = (first.strip("*_ "), below) if short else ("", head)
    named: Fields = {"code": "\n".join(parts)} if "://" in "".join(parts) else {}
    return Block("item", rest.strip(), title=title.strip(), url=url, lines=tuple(part.strip() for part in parts[1:]), named=named)


READER = Reader(
    "markdown",
    "Markdown lists: headings or list items with abstracts, tables",
    (".md", ".markdown"),
    sniff,
    read,
    "- **[Small Nets](https://example.org/1)**\n  Authors: A. Ray, B. Lee\n  We propose …\n",
)

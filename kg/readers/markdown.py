"""Markdown lists of papers: headings with abstracts, bulleted or numbered lists, tables. markdown-it finds the blocks; texts keep their markup."""

import re
from collections.abc import Iterator
from typing import Any

from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.limits import RECORD
from kg.readers.outline import Block, records

_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])+)\]\(<?([^\s()<>]*(?:\([^\s()]*\))?[^\s()<>]*)>?(?:\s+\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"^(?:\*\*|__)([^*_]+)(?:\*\*|__)$")
_BOLD = re.compile(r"^(?:\*\*|__)(.+?)(?:\*\*|__)[\s.:,—–-]*")
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
        if len(text) > RECORD:
            yield Fault("", f"a Markdown document of more than {RECORD >> 20} MiB", "split it")
            return
    found = False
    for number, fields in enumerate(records(blocks(text)), 1):
        found = True
        yield Record(str(number), fields)
    if not found:
        yield Fault("", "no list of papers in this Markdown document", "a heading or list item a paper, its abstract below", text[:80].strip())


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a document, in order; the parts of a list item are gathered into one."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table").parse(_without_front_matter(text))
    item: list[str] | None = None
    depth, level = 0, 0
    cells: list[str] = []
    for index, token in enumerate(tokens):
        kind = token.type
        if kind == "list_item_open":
            depth += 1
            item = [] if depth == 1 else item
        elif kind == "list_item_close":
            depth -= 1
            if depth == 0 and item:
                yield _item(item)
                item = None
        elif kind == "heading_open":
            level = int(token.tag[1:])
        elif kind in ("thead_close", "tr_open"):
            cells = []
        elif kind == "tr_close":
            url = next((match[2] for cell in cells for match in [_LINK.search(cell)] if match), "")
            yield Block("header" if _in_head(tokens, index) else "row", lines=tuple(_LINK.sub(r"\1", cell) for cell in cells), url=url)
        elif kind in ("inline", "code_block", "fence"):
            yield from _text(token, tokens[index - 1].type if index else "", item, cells, level)


def _text(token: Any, parent: str, item: list[str] | None, cells: list[str], level: int) -> Iterator[Block]:
    if parent in ("th_open", "td_open"):
        cells.append(token.content.strip())
    elif item is not None:
        item.append(token.content)
    elif parent == "heading_open":
        link = _LINK.search(token.content)
        yield Block("heading", _EMPHASIS.sub(r"\1", _LINK.sub(r"\1", token.content).strip()), level, url=link[2] if link else "")
    elif token.type == "inline":
        yield Block("paragraph", token.content)


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

"""HTML: a paper's page by its citation_* meta tags, else lists of papers: items, definition lists, articles, headings with text, tables."""

import re
from collections.abc import Iterator
from typing import Any

from kg.readers import limits
from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.outline import Block, numbered, records
from kg.readers.xml_stream import flat, loose

_START = re.compile(
    r"\s*+(?:<!--(?>.*?-->)\s*+|<\?xml[^>]*+>\s*+)*+<(!doctype\s+html|html|head|body|ul|ol|dl|table|article|section|main|div|h[1-6]|li|p)\b",
    re.IGNORECASE | re.DOTALL,
)
_PAGES = {"html", "head", "body", "!doctype html"}
_META = {
    "citation_title": "title", "dc.title": "title", "citation_abstract": "abstract", "dc.description": "abstract", "dcterms.abstract": "abstract",
    "citation_doi": "doi", "citation_arxiv_id": "arxiv", "citation_pmid": "pmid", "citation_publication_date": "year", "citation_date": "year",
    "citation_online_date": "year", "citation_year": "year", "citation_journal_title": "venue", "citation_conference_title": "venue",
    "citation_inproceedings_title": "venue", "citation_pdf_url": "url", "citation_abstract_html_url": "url", "citation_language": "language",
}  # fmt: skip
_ITEM_CLASS = re.compile(r"(?:^|[\s_-])(?:paper|publication|entry|note|article|card|result|item|submission|poster)s?(?:$|[\s_-])", re.IGNORECASE)
_INLINE = {
    "a", "abbr", "b", "bdi", "bdo", "big", "br", "cite", "code", "del", "em", "font", "i", "img", "ins", "kbd", "label", "mark", "math", "mi", "mn",
    "mo", "mrow", "msub", "msup", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
}  # fmt: skip
"""Elements that stand inside a line of text."""
_EMPTY_LINES = re.compile(r"\n[ \n]*\n")
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_DROPPED = {"script", "style", "nav", "footer", "noscript", "template", "form", "svg", "head", "button", "select"}


def sniff(look: Look) -> bool:
    """Whether a text begins as a page does; a Markdown document may begin with a list or a picture in HTML."""
    if start := _START.match(look.text):
        return look.suffix not in (".md", ".markdown", ".mdown", ".qmd", ".rmd") or start[1].lower() in _PAGES
    return look.suffix in (".html", ".htm", ".xhtml") and "<" in look.text


def read(source: Input) -> Iterator[Record | Fault]:
    """The papers of a page, numbered from 1."""
    data = source.utf8().read(limits.DOCUMENT + 1)
    if len(data) > limits.DOCUMENT:
        yield Fault("", f"an HTML page of more than {limits.DOCUMENT >> 20} MiB", "split it, or convert it to JSON Lines")
        return
    root, too_deep = _parsed(data)
    page = _page(root) if root is not None else None
    empty = True
    for item in numbered([page] if page else records(_blocks(root) if root is not None else ())):
        empty = False
        yield item
    if too_deep:
        yield Fault(
            "", "elements nested deeper than 255; what follows them is not read", "take the list out of the page, or convert it to JSON Lines"
        )
    elif empty:
        yield Fault("", "no paper and no list of papers on this page", "a list item, heading or table row a paper")


def _parsed(data: bytes) -> tuple[Any, bool]:
    """The root element, None for nothing, and whether the parser gave up because elements are nested too deep."""
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    root = etree.fromstring(data, parser) if data.strip() else None
    return root, any(error.type_name == "ERR_RESOURCE_LIMIT" for error in list(parser.error_log))


def blocks(data: bytes) -> Iterator[Block]:
    """The blocks of a piece of HTML, for documents that hold some."""
    root, _ = _parsed(data)
    if root is not None:
        yield from _blocks(root)


def _page(root: Any) -> Fields | None:
    """The one paper whose meta tags a publisher's page holds."""
    found: dict[str, Any] = {}
    for meta in root.iter("meta"):
        name, content = (meta.get("name") or meta.get("property") or "").lower(), meta.get("content") or ""
        if name in ("citation_author", "dc.creator"):
            found.setdefault("authors", []).append(content)
        elif name in ("citation_authors", "citation_keywords"):
            found.setdefault(name.removeprefix("citation_"), content)
        elif name in _META and content:
            found.setdefault(_META[name], content)
    if "title" not in found:
        return None
    if "abstract" not in found:
        found["abstract"] = _classed(root, "abstract")
    return found  # type: ignore[return-value]


def _classed(element: Any, word: str) -> str:
    """The text of the first element whose class or id holds a word."""
    for child in element.iter():
        if (
            child is not element
            and isinstance(child.tag, str)
            and word in f"{child.get('class', '')} {child.get('id', '')}".lower()
            and (text := flat(child))
        ):
            return text
    return ""


def _blocks(element: Any) -> Iterator[Block]:
    run = [_one_line(element.text)]
    for child in element:
        if child.tag not in _DROPPED and not _is_inline(child):
            yield from _paragraphs(run)
            run = []
            yield from _block(child)
        elif child.tag not in _DROPPED:
            run.append("\n" if child.tag == "br" else _one_line(loose(child)))
        run.append(_one_line(child.tail))
    yield from _paragraphs(run)


def _one_line(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "")


def _is_inline(element: Any) -> bool:
    return all(not isinstance(inner.tag, str) or inner.tag in _INLINE for inner in element.iter())


def _paragraphs(run: list[str]) -> Iterator[Block]:
    for text in _EMPTY_LINES.split("".join(run)):
        if lines := [line for part in text.split("\n") if (line := " ".join(part.split()))]:
            yield Block("paragraph", "\n".join(lines))


def _block(element: Any) -> Iterator[Block]:
    tag = element.tag if isinstance(element.tag, str) else ""
    if tag in _HEADINGS:
        link = element.find(".//a[@href]")
        yield Block("heading", flat(element), int(tag[1]), url="" if link is None else link.get("href"))
    elif tag == "table":
        yield from _rows(element)
    elif tag == "dl":
        yield from _definitions(element)
    elif tag in ("li", "article") or (tag in ("div", "section", "tr") and _ITEM_CLASS.search(element.get("class", "")) and not _holds_items(element)):
        yield from _item(element)
    elif tag in ("p", "blockquote", "pre"):
        if text := flat(element):
            yield Block("paragraph", text)
    else:
        yield from _blocks(element)


def _holds_items(element: Any) -> bool:
    return any(
        inner is not element
        and (inner.tag in ("li", "article", "dl", "table") or (_ITEM_CLASS.search(inner.get("class", "") or "") and inner.tag in ("div", "section")))
        for inner in element.iter()
        if isinstance(inner.tag, str)
    )


def _item(element: Any) -> Iterator[Block]:
    if element.find(".//li") is not None and len(element.findall(".//li")) > 2:
        yield from _blocks(element)
        return
    head = _title_of(element)
    title = flat(head) if head is not None else ""
    link = element.find(".//a[@href]")
    named: Fields = {}
    for field, word in (("abstract", "abstract"), ("authors", "author"), ("keywords", "keyword"), ("venue", "venue")):
        if text := _classed(element, word):
            named[field] = text  # type: ignore[literal-required]
    texts = [flat(part) for part in element if part is not head and part.tag in ("p", "div", "blockquote", "details", "span")]
    whole = flat(element)
    rest = whole[len(title) :] if title and whole.startswith(title) else whole.replace(title, "", 1) if title else whole
    long = [text for text in texts if len(text) > 80]
    yield Block("item", max(long, key=len) if long else rest.strip(" .,:—–-"), title=title, url="" if link is None else link.get("href"), named=named)


def _title_of(element: Any) -> Any:
    for inner in element.iter():
        if inner is element or not isinstance(inner.tag, str):
            continue
        if "title" in (inner.get("class") or "").lower() or inner.tag in _HEADINGS or inner.tag in ("b", "strong", "a", "em", "i", "cite"):
            text = flat(inner)
            if len(text) >= 8 and len(text) < 300:
                return inner
    return None


def _definitions(element: Any) -> Iterator[Block]:
    title, url = "", ""
    texts: list[str] = []
    for child in element:
        if child.tag == "dt":
            if title or texts:
                yield Block("item", title=title, url=url, lines=tuple(texts))
            link = child.find(".//a[@href]")
            title, url, texts = flat(child), "" if link is None else link.get("href"), []
        elif child.tag == "dd":
            texts.append(flat(child))
    if title or texts:
        yield Block("item", title=title, url=url, lines=tuple(texts))


def _rows(table: Any) -> Iterator[Block]:
    first = True
    for row in table.iter("tr"):
        cells = [cell for cell in row if cell.tag in ("th", "td")]
        link = row.find(".//a[@href]")
        yield Block("header" if first else "row", lines=tuple(flat(cell) for cell in cells), url="" if link is None else link.get("href"))
        first = False


READER = Reader(
    "html",
    "HTML: a paper's page by its citation meta tags, else lists, headings with text, tables",
    (".html", ".htm", ".xhtml"),
    sniff,
    read,
    '<html><body><ul><li><a href="https://example.org/1">Small Nets</a><p class="abstract">We propose …</p></li></ul></body></html>\n',
)

"""PDF: title and abstract from the first pages, all text with --full-text. PDFium (pypdfium2) reads; it is an extra."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

from kg.readers import limits
from kg.readers.base import Fault, Fields, Input, Look, Reader, Record

_ABSTRACT = re.compile(r"(?:^|\n)\s*(?:\d\.?\s*)?A\s?BSTRACT\b[\s.:—–-]*", re.IGNORECASE)
_AFTER = re.compile(
    r"\n\s*(?:(?:\d|I)\.?\s*)?(?:I\s?NTRODUCTION|Introduction|CCS CONCEPTS|CCS Concepts|KEYWORDS|Keywords|Index Terms|ACM Reference Format)\b"
    r"|\n\s*1\.?\s+[A-Z][a-z]+\b|\n\s*(?:Keywords|Index Terms)\s*[:—–-]"
)
_FOOT = re.compile(
    r"^\s*(?:arXiv:\S+.*|\d{1,4}|Published as a conference paper.*|Under review as.*|Preprint\.?.*|Proceedings of.*)\s*$", re.MULTILINE
)
_ARXIV = re.compile(r"arXiv:(\d{4}\.\d{4,5})")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+")
_HYPHEN = re.compile("[\x02\ufffe\u00ad]\\s*")
"""How PDFium marks a hyphen at a line's end; `kg.text` decides which of those stay."""
_ABSTRACT_MAX = 4000


def sniff(look: Look) -> bool:
    return b"%PDF-" in look.head[:1024]


def read(source: Input) -> Iterator[Record | Fault]:
    """The one paper of a document."""
    import pypdfium2

    data = source.stream.read(limits.PDF + 1)
    if len(data) > limits.PDF:
        yield Fault("", f"a PDF of more than {limits.PDF >> 20} MiB", "split it")
        return
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        yield Fault("", f"the PDF cannot be opened: {error}", "open and save it again with a PDF program, without a password")
        return
    try:
        pages = [_page(document, index) for index in range(min(len(document), limits.PAGES if source.full_text else 2))]
        fields = _fields(document, pages, source.full_text)
    finally:
        document.close()
    if not "".join(pages).strip():
        yield Fault("", "the PDF holds pictures of pages, no text", "run it through OCR (ocrmypdf)")
        return
    yield Record("1", fields)


def _page(document: Any, index: int) -> str:
    page = document[index]
    text_page = page.get_textpage()
    text: str = text_page.get_text_bounded()
    text_page.close()
    page.close()
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _fields(document: Any, pages: list[str], full_text: bool) -> Fields:
    meta = document.get_metadata_dict(skip_empty=True)
    front = "\n".join(pages[:2])
    stamp, doi = _ARXIV.search(front[:6000]), _DOI.search(front[:6000])
    title = _title(document) or meta.get("Title", "")
    body = "\n".join(pages) if full_text else abstract(front)
    return {
        "title": title,
        "abstract": _FOOT.sub("", _HYPHEN.sub("-\n", body)).strip(),
        "authors": meta.get("Author"),
        "keywords": meta.get("Keywords"),
        "arxiv": stamp[1] if stamp else None,
        "doi": doi[0] if doi else None,
    }


def abstract(text: str) -> str:
    r"""The abstract in the text of a paper's first pages: from its heading to the introduction, else the longest block of lines.

    >>> abstract("Small Nets\nA. Ray\nAbstract\nWe propose a net.\nIt is small.\n1 Introduction\nNets are")
    'We propose a net.\nIt is small.'
    """
    if match := _ABSTRACT.search(text):
        rest = text[match.end() :]
        end = _AFTER.search(rest)
        return rest[: min(end.start() if end else _ABSTRACT_MAX, _ABSTRACT_MAX)].strip()
    end = _AFTER.search(text)
    blocks = re.split(r"\n\s*\n", text[: end.start() if end else _ABSTRACT_MAX])
    return max(blocks, key=len).strip()[:_ABSTRACT_MAX]


def _title(document: Any) -> str:
    """The text of the largest letters on the first page's upper half."""
    import pypdfium2.raw as pdfium

    if not len(document):
        return ""
    page = document[0]
    text_page = page.get_textpage()
    count = min(text_page.count_chars(), 1500)
    sizes = [
        (round(pdfium.FPDFText_GetFontSize(text_page, index), 1), chr(pdfium.FPDFText_GetUnicode(text_page, index) or 32)) for index in range(count)
    ]
    text_page.close()
    page.close()
    printed = [size for size, letter in sizes if letter.isalpha()]
    for size in sorted(set(printed), reverse=True)[:4]:
        text = " ".join("".join(letter if near == size or letter.isspace() else "\n" for near, letter in _run(sizes, size)).split())
        if 8 <= len(text) <= 300 and not text.lower().startswith("arxiv:"):
            return text
    return ""


def _run(sizes: list[tuple[float, str]], size: float) -> list[tuple[float, str]]:
    """From the first to the last letter of a size, as far as they stand together."""
    places = [index for index, (near, letter) in enumerate(sizes) if near == size and not letter.isspace()]
    end = next((here for here, there in itertools.pairwise(places) if there - here > 6), places[-1])
    return sizes[places[0] : end + 1]


READER = Reader("pdf", "PDF: title and abstract; all text with --full-text", (".pdf",), sniff, read, "(binary) a paper as it is published\n", "pdf")

"""TEI as GROBID writes it, one paper a document or a teiCorpus of many."""

from collections.abc import Iterator
from typing import Any

from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.xml_stream import below, children, elements, flat, one

_NOT_TEXT = frozenset({"figure", "note", "listBibl", "formula"})


def sniff(look: Look) -> bool:
    return look.root.split(" ")[0] in ("TEI", "teiCorpus", "TEI.2")


def read(source: Input) -> Iterator[Record | Fault]:
    """The papers of a document."""
    for number, element in enumerate(elements(source, "TEI"), 1):
        yield element if isinstance(element, Fault) else Record(str(number), _fields(element, source.full_text))


def _fields(document: Any, full_text: bool) -> Fields:
    header = (children(document, "teiHeader") or [document])[0]
    about = (below(header, "biblStruct") or [header])[0]
    ids = {item.get("type", "").lower(): flat(item) for item in below(about, "idno")}
    dates = [item.get("when") or flat(item) for item in below(header, "date")]
    abstract = one(header, "profileDesc", "abstract")
    body = " ".join(flat(item, _NOT_TEXT) for item in children(document, "text", "body")) if full_text else ""
    analytic = children(about, "analytic") or [about]
    return {
        "title": one(header, "fileDesc", "titleStmt", "title") or one(analytic[0], "title"),
        "abstract": f"{abstract}\n{body}".strip() if body else abstract,
        "authors": [_person(author) for author in children(analytic[0], "author")],
        "year": next((date for date in dates if date), ""),
        "venue": one(about, "monogr", "title"),
        "doi": ids.get("doi"),
        "arxiv": ids.get("arxiv"),
        "pmid": ids.get("pmid"),
        "keywords": [flat(item) for item in below(header, "term")] or [flat(item) for item in below(header, "keywords")],
        "language": document.get("{http://www.w3.org/XML/1998/namespace}lang") or header.get("{http://www.w3.org/XML/1998/namespace}lang", ""),
    }


def _person(author: Any) -> str:
    name = (children(author, "persName") or [author])[0]
    return " ".join(part for part in (*(flat(item) for item in children(name, "forename")), one(name, "surname")) if part)


READER = Reader(
    "tei",
    "TEI of GROBID",
    (".xml", ".tei"),
    sniff,
    read,
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Small Nets</title></titleStmt></fileDesc>'
    "<profileDesc><abstract><p>We propose …</p></abstract></profileDesc></teiHeader></TEI>\n",
)

"""Zotero's RDF export."""

from collections.abc import Iterator
from typing import Any

from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.xml_stream import below, children, elements, flat, one

_ITEMS = ("Article", "ConferencePaper", "Document", "Thesis", "Report", "Manuscript", "Book", "BookSection", "Description", "Recording", "Patent")
_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
_NOT_PAPERS = {"attachment", "note"}


def sniff(look: Look) -> bool:
    return look.root.startswith("RDF ") and ("zotero" in look.text or "purl.org/net/biblio" in look.text)


def read(source: Input) -> Iterator[Record | Fault]:
    """The items of an export; attachments, notes, journals and collections are no papers and stay out."""
    number = 0
    for element in elements(source, *_ITEMS):
        if isinstance(element, Fault):
            yield element
            continue
        parent = element.getparent()
        if parent is None or parent.getparent() is not None or one(element, "itemType") in _NOT_PAPERS:
            continue
        if not children(element, "title") and not children(element, "abstract"):
            continue
        number += 1
        yield Record(_about(element) or str(number), _fields(element))


def _about(item: Any) -> str:
    return str(item.get(_ABOUT, "")).removeprefix("#")


def _fields(item: Any) -> Fields:
    ids = [flat(identifier) for identifier in (*children(item, "identifier"), *below(item, "identifier"))]
    people = [person for author in children(item, "authors") for person in below(author, "Person")]
    return {
        "id": _about(item),
        "title": one(item, "title"),
        "abstract": one(item, "abstract"),
        "authors": [f"{one(person, 'givenName') or one(person, 'givenname')} {one(person, 'surname')}".strip() for person in people],
        "year": one(item, "date"),
        "venue": next((title for part in children(item, "isPartOf") for title in map(flat, below(part, "title"))), ""),
        "doi": next((text for text in ids if text.upper().startswith("DOI")), None),
        "url": next((text for text in ids if text.startswith("http")), None),
        "keywords": [flat(item) for item in children(item, "subject")],
        "language": one(item, "language"),
        "arxiv": next((text for text in ids if "arxiv" in text.lower()), None),
    }


READER = Reader(
    "zotero-rdf",
    "Zotero RDF",
    (".rdf", ".xml"),
    sniff,
    read,
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:z="http://www.zotero.org/namespaces/export#" '
    'xmlns:bib="http://purl.org/net/biblio#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
    '<bib:Article rdf:about="#item_1"><dc:title>Small Nets</dc:title><dcterms:abstract>We propose …</dcterms:abstract></bib:Article></rdf:RDF>\n',
)

"""Atom: the answers of arXiv's API; and its RSS."""

import re
from collections.abc import Iterator

from kg.readers.base import Fault, Input, Look, Reader, Record
from kg.readers.xml_stream import children, elements, flat, local, one

_ANNOUNCED = re.compile(r"^arXiv:\S+\s+Announce Type:.*?Abstract:\s*", re.DOTALL)


def sniff(look: Look) -> bool:
    return look.root.split(" ")[0] in ("feed", "rss")


def read(source: Input) -> Iterator[Record | Fault]:
    """The entries of a feed."""
    for number, entry in enumerate(elements(source, "entry", "item"), 1):
        if isinstance(entry, Fault):
            yield entry
            continue
        links = {link.get("rel", "alternate"): link.get("href", "") for link in reversed(children(entry, "link")) if link.get("href")}
        where = one(entry, "id") or one(entry, "guid") or one(entry, "link")
        yield Record(
            str(number),
            {
                "id": where.rpartition("/abs/")[2],
                "arxiv": where if "arxiv" in where.lower() else None,
                "doi": one(entry, "doi") or links.get("related"),
                "title": one(entry, "title"),
                "abstract": _ANNOUNCED.sub("", one(entry, "summary") or one(entry, "description") or one(entry, "content")),
                "authors": [one(author, "name") or flat(author) for author in entry if local(author) in ("author", "creator")],
                "year": one(entry, "published") or one(entry, "pubDate") or one(entry, "updated"),
                "venue": one(entry, "journal_ref"),
                "keywords": [item.get("term") or flat(item) for item in children(entry, "category")],
                "url": links.get("alternate") or (where if where.startswith("http") else one(entry, "link")),
                "code": one(entry, "comment"),
            },
        )


READER = Reader(
    "atom",
    "Atom and RSS: the answers of arXiv's API",
    (".atom", ".xml", ".rss"),
    sniff,
    read,
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2401.01234v1</id><title>Small Nets</title>'
    "<summary>We propose …</summary><author><name>Ada Ray</name></author><published>2024-01-02T18:00:00Z</published></entry></feed>\n",
)

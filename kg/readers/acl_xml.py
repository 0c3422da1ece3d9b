"""The ACL Anthology's own XML: collection, volumes, papers."""

import re
from collections.abc import Iterator
from typing import Any

from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.xml_stream import children, elements, local, one

_TWO_DIGITS = re.compile(r"W\d\d|C69")


def sniff(look: Look) -> bool:
    return look.root.startswith("collection ") and "<volume" in look.text


def anthology_id(collection: str, volume: str, paper: str) -> str:
    """The id of a paper from its place, by the rules of both eras.

    >>> anthology_id("2020.acl", "main", "7"), anthology_id("P19", "1", "12"), anthology_id("W19", "52", "3"), anthology_id("D19", "50", "3")
    ('2020.acl-main.7', 'P19-1012', 'W19-5203', 'D19-5003')
    """
    if not re.fullmatch(r"[A-Z]\d\d", collection):
        return f"{collection}-{volume}.{paper}"
    if _TWO_DIGITS.fullmatch(collection) or (collection == "D19" and volume.isdigit() and int(volume) >= 50):
        return f"{collection}-{volume.zfill(2)}{paper.zfill(2)}"
    return f"{collection}-{volume}{paper.zfill(3)}"


def read(source: Input) -> Iterator[Record | Fault]:
    """The papers of a collection; venue and year come from the volume's meta."""
    meta: dict[str, str] = {}
    for element in elements(source, "meta", "paper"):
        if isinstance(element, Fault):
            yield element
        elif local(element) == "meta":
            meta = {"venue": one(element, "booktitle"), "year": one(element, "year")}
        else:
            volume = element.getparent()
            collection = volume.getparent() if volume is not None else None
            place = ("" if collection is None else collection.get("id", ""), "" if volume is None else volume.get("id", ""), element.get("id", ""))
            yield Record(anthology_id(*place), _fields(element, anthology_id(*place), meta))


def _fields(paper: Any, number: str, meta: dict[str, str]) -> Fields:
    url = one(paper, "url")
    return {
        "id": number,
        "acl": number,
        "title": one(paper, "title"),
        "abstract": one(paper, "abstract"),
        "authors": [f"{one(author, 'first')} {one(author, 'last')}".strip() for author in children(paper, "author")],
        "year": meta.get("year"),
        "venue": meta.get("venue"),
        "doi": one(paper, "doi"),
        "url": url if url.startswith("http") else f"https://aclanthology.org/{number}/",
        "code": [item.get("url", "") for item in children(paper, "pwccode")],
        "language": one(paper, "language"),
    }


READER = Reader(
    "acl-xml",
    "ACL Anthology XML",
    (".xml",),
    sniff,
    read,
    '<collection id="2024.toy"><volume id="main"><meta><booktitle>Proceedings of Toy</booktitle><year>2024</year></meta>'
    '<paper id="1"><title>Small <fixed-case>N</fixed-case>ets</title><author><first>Ada</first><last>Ray</last></author>'
    "<abstract>We propose …</abstract></paper></volume></collection>\n",
)

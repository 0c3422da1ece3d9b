"""OAI-PMH: records in Dublin Core or arXiv's own form."""

from collections.abc import Iterator
from typing import Any

from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.xml_stream import children, elements, flat, local, one


def sniff(look: Look) -> bool:
    return look.root.startswith("OAI-PMH ") or (look.root.split(" ")[0] in ("ListRecords", "records", "record") and "<metadata" in look.text)


def read(source: Input) -> Iterator[Record | Fault]:
    """The records of an answer; one that the archive deleted is named."""
    for number, record in enumerate(elements(source, "record"), 1):
        if isinstance(record, Fault):
            yield record
            continue
        name = one(record, "header", "identifier") or str(number)
        if any(header.get("status") == "deleted" for header in children(record, "header")):
            yield Fault(name, "the archive has deleted this record", "nothing to do")
            continue
        bodies = [body for metadata in children(record, "metadata") for body in metadata if local(body)]
        if not bodies:
            yield Fault(name, "a record without metadata", "ask the archive for oai_dc")
            continue
        yield Record(name, {"id": name, **(_arxiv(bodies[0]) if local(bodies[0]) in ("arXiv", "arXivRaw") else _dublin_core(bodies[0]))})


def _dublin_core(body: Any) -> Fields:
    values: dict[str, list[str]] = {}
    for child in body:
        if text := flat(child):
            values.setdefault(local(child), []).append(text)
    ids = values.get("identifier", [])
    return {
        "title": values.get("title"),
        "abstract": max(values.get("description", [""]), key=len),
        "authors": values.get("creator"),
        "year": min(values.get("date", [""])),
        "venue": next(iter(values.get("source", [])), ""),
        "keywords": values.get("subject"),
        "doi": next((text for text in ids if "10." in text and not text.startswith("http://arxiv")), None),
        "arxiv": next((text for text in ids if "arxiv.org" in text.lower()), None),
        "url": next((text for text in ids if text.startswith("http")), None),
        "language": next(iter(values.get("language", [])), ""),
    }


def _arxiv(body: Any) -> Fields:
    number = one(body, "id")
    people = [f"{one(author, 'forenames')} {one(author, 'keyname')}".strip() for author in children(body, "authors", "author")]
    return {
        "arxiv": number,
        "doi": one(body, "doi"),
        "title": one(body, "title"),
        "abstract": one(body, "abstract"),
        "authors": people or one(body, "authors"),
        "year": one(body, "created") or one(body, "version", "date"),
        "venue": one(body, "journal-ref"),
        "keywords": one(body, "categories").split(),
        "url": f"https://arxiv.org/abs/{number}",
        "code": one(body, "comments"),
    }


READER = Reader(
    "oai-pmh",
    "OAI-PMH, Dublin Core or arXiv's own form",
    (".xml",),
    sniff,
    read,
    '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record><header><identifier>oai:arXiv.org:2401.01234</identifier></header>'
    '<metadata><arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>2401.01234</id><title>Small Nets</title>'
    "<abstract>We propose …</abstract></arXiv></metadata></record></ListRecords></OAI-PMH>\n",
)

"""The arXiv metadata snapshot (Kaggle): JSON Lines with `versions` and `authors_parsed`."""

from typing import Any

from kg.readers.base import Fields, Input
from kg.readers.fields import text, year
from kg.readers.json_shape import Json, child, shape


def matches(record: Json) -> bool:
    return "authors_parsed" in record or ("versions" in record and "categories" in record and "abstract" in record)


def fields(record: Json, source: Input) -> Fields:
    number = text(record.get("id"))
    versions: Any = record.get("versions") or [{}]
    return {
        "id": number,
        "arxiv": number,
        "doi": record.get("doi"),
        "title": record.get("title"),
        "abstract": record.get("abstract"),
        "authors": [" ".join(part for part in (*parts[1:2], *parts[:1], *parts[2:3]) if part) for parts in record.get("authors_parsed") or []]
        or record.get("authors"),
        "year": year(child(versions[0], "created")) or year(record.get("update_date")),
        "venue": record.get("journal-ref"),
        "keywords": text(record.get("categories")).split(),
        "url": f"https://arxiv.org/abs/{number}" if number else "",
        "code": record.get("comments"),
    }


READER = shape(
    "arxiv-snapshot",
    "the arXiv metadata snapshot (Kaggle), JSON Lines",
    matches,
    fields,
    '{"id": "2401.01234", "title": "Small Nets", "abstract": "  We propose …\\n", "categories": "cs.LG", "doi": null, '
    '"versions": [{"version": "v1", "created": "Tue, 2 Jan 2024 18:00:00 GMT"}], "authors_parsed": [["Ray", "A.", ""]]}\n',
)

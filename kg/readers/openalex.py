"""OpenAlex works, one a line or a page of `results`; Microsoft Academic Graph's inverted abstracts too."""

from typing import Any

from kg.readers.base import Fields, Input
from kg.readers.fields import text
from kg.readers.json_shape import Json, child, shape


def matches(record: Json) -> bool:
    return "abstract_inverted_index" in record or "IndexedAbstract" in record or str(record.get("id")).startswith("https://openalex.org/W")


def inverted(index: Any) -> str:
    """The text of an inverted index; positions that are missing leave no gap, words on the same position stand side by side, each once.

    >>> inverted({"nets": [1, 4], "We": [0, 0], "prune": [2], "large": [3], "huge": [3]}), inverted({"b": [7], "a": [2]}), inverted(None)
    ('We nets prune large huge nets', 'a b', '')
    """
    if isinstance(index, dict) and isinstance(index.get("InvertedIndex"), dict):
        index = index["InvertedIndex"]
    if not isinstance(index, dict):
        return ""
    pairs = dict.fromkeys((at, word) for word, places in index.items() if isinstance(places, list) for at in places if isinstance(at, int))
    return " ".join(word for _, word in sorted(pairs, key=lambda pair: pair[0]))


def fields(record: Json, source: Input) -> Fields:
    places = [place for place in [record.get("primary_location"), *(record.get("locations") or [])] if isinstance(place, dict)]
    pages = [text(place.get("landing_page_url")) for place in places]
    keywords = record.get("keywords") or [topic for topic in record.get("concepts") or [] if (child(topic, "score") or 0) > 0.4]
    return {
        "id": text(record.get("id")).rpartition("/")[2],
        "doi": record.get("doi") or child(record, "ids", "doi"),
        "pmid": child(record, "ids", "pmid"),
        "arxiv": next((page for page in pages if "arxiv.org" in page), None),
        "title": record.get("title") or record.get("display_name"),
        "abstract": record.get("abstract") or inverted(record.get("abstract_inverted_index") or record.get("IndexedAbstract")),
        "authors": [child(entry, "author", "display_name") or child(entry, "raw_author_name") for entry in record.get("authorships") or []],
        "year": record.get("publication_year") or record.get("publication_date"),
        "venue": next((name for place in places if (name := child(place, "source", "display_name"))), "")
        or child(record, "host_venue", "display_name"),
        "keywords": [child(entry, "display_name") or child(entry, "keyword") or text(entry) for entry in keywords],
        "url": next((page for page in pages if page), None) or record.get("doi") or record.get("id"),
        "language": record.get("language"),
    }


READER = shape(
    "openalex",
    "OpenAlex works, one a line or a page of results",
    matches,
    fields,
    '{"id": "https://openalex.org/W1", "display_name": "Small Nets", "publication_year": 2024, '
    '"abstract_inverted_index": {"We": [0], "propose": [1], "nets.": [2]}}\n',
)

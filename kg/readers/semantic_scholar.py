"""Semantic Scholar: answers of its API, and the papers, abstracts and S2ORC data sets as JSON Lines."""

import json
from typing import Any

from kg.readers.base import Fields, Input
from kg.readers.fields import text
from kg.readers.json_shape import Json, child, shape

_SIGNS = frozenset({"paperId", "externalIds", "externalids", "corpusid", "s2fieldsofstudy", "pdf_parse", "body_text", "s2_url", "mag_id"})


def matches(record: Json) -> bool:
    return not _SIGNS.isdisjoint(record) or ("paper_id" in record and isinstance(record.get("abstract"), list))


def fields(record: Json, source: Input) -> Fields:
    ids = {key.lower(): value for key, value in (record.get("externalIds") or record.get("externalids") or {}).items()}
    meta: Json = record["metadata"] if isinstance(record.get("metadata"), dict) else record
    number = text(record.get("corpusid") or record.get("corpusId") or record.get("paperId") or record.get("paper_id"))
    abstract = _joined(record.get("abstract")) or _span(record, "abstract") or text(child(record, "tldr", "text"))
    if source.full_text:
        abstract = _joined(record.get("body_text")) or text(child(record, "content", "text")) or text(child(record, "body", "text")) or abstract
    return {
        "id": number,
        "doi": ids.get("doi") or record.get("doi"),
        "arxiv": ids.get("arxiv") or record.get("arxiv_id"),
        "acl": ids.get("acl") or record.get("acl_id"),
        "pmid": ids.get("pubmed") or record.get("pubmed_id"),
        "title": meta.get("title") or _span(record, "title"),
        "abstract": abstract,
        "authors": meta.get("authors"),
        "year": record.get("year") or record.get("publicationDate") or record.get("publicationdate"),
        "venue": record.get("venue") or child(record, "publicationVenue", "name") or child(record, "journal", "name") or record.get("journal"),
        "keywords": _topics(record),
        "url": record.get("url") or record.get("s2_url") or child(record, "openAccessPdf", "url"),
    }


def _joined(value: Any) -> str:
    """The text of an abstract or body: a string, or a list of paragraphs with `text`."""
    if isinstance(value, list):
        return "\n".join(part for part in (text(item) for item in value) if part)
    return text(value)


def _span(record: Json, name: str) -> str:
    """The part of S2ORC's full text that an annotation marks."""
    for place in ("content", "body"):
        whole, marks = child(record, place, "text"), child(record, place, "annotations", name)
        if isinstance(whole, str) and marks:
            spans = json.loads(marks) if isinstance(marks, str) else marks
            return "\n".join(whole[int(span["start"]) : int(span["end"])] for span in spans)
    return ""


def _topics(record: Json) -> list[str]:
    topics = record.get("s2FieldsOfStudy") or record.get("s2fieldsofstudy") or record.get("fieldsOfStudy") or record.get("mag_field_of_study") or []
    return list(dict.fromkeys(text(child(topic, "category") if isinstance(topic, dict) else topic) for topic in topics))


READER = shape(
    "semantic-scholar",
    "Semantic Scholar: API answers, data sets and S2ORC",
    matches,
    fields,
    '{"corpusid": 1, "externalids": {"DOI": "10.1234/x", "ArXiv": "2401.01234"}, "title": "Small Nets", "abstract": "We propose …", "year": 2024}\n',
)

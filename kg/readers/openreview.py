"""OpenReview notes: API v1 (`content.title`) and v2 (`content.title.value`)."""

from typing import Any

from kg.readers.base import Fault, Fields, Input
from kg.readers.fields import text, year
from kg.readers.json_shape import Json, shape


def matches(record: Json) -> bool:
    content = record.get("content")
    return isinstance(content, dict) and ("forum" in record or "invitation" in record or "invitations" in record)


def fields(record: Json, source: Input) -> Fields | Fault:
    content = {key: value.get("value") if isinstance(value, dict) else value for key, value in record["content"].items()}
    note, forum = record.get("id"), record.get("forum")
    if record.get("replyto") and note != forum:
        return Fault("", "a review or comment, not a paper", "leave replies out of the export", text(content.get("title")))
    venue = text(content.get("venue"))
    forum = text(forum or note)
    return {
        "id": forum,
        "openreview": forum,
        "title": content.get("title"),
        "abstract": content.get("abstract") or content.get("TL;DR") or content.get("TLDR"),
        "authors": content.get("authors"),
        "keywords": content.get("keywords"),
        "venue": venue or text(content.get("venueid")),
        "year": year(venue) or year(text(content.get("venueid"))) or _date(record),
        "url": f"https://openreview.net/forum?id={forum}" if forum else "",
        "code": _links(content),
        "doi": content.get("doi"),
        "arxiv": content.get("arxiv"),
    }


def _date(record: Json) -> int | None:
    return next((found for key in ("pdate", "odate", "cdate", "tcdate") if (found := year(record.get(key)))), None)


def _links(content: dict[str, Any]) -> list[str]:
    return [value for key in ("code", "code_url", "software", "github") if (value := text(content.get(key)))]


READER = shape(
    "openreview",
    "OpenReview notes, API v1 and v2",
    matches,
    fields,
    '{"notes": [{"id": "aB3dE6gH9k", "forum": "aB3dE6gH9k", "content": {"title": {"value": "Small Nets"}, '
    '"abstract": {"value": "We propose …"}}}]}\n',
)

"""Paper Copilot's paperlists: one JSON array per venue and year; the file's name says which."""

import re

from kg.readers.base import Fields, Input
from kg.readers.fields import text
from kg.readers.json_generic import pick
from kg.readers.json_shape import Json, shape

_SIGNS = frozenset({"rating", "rating_avg", "author_site", "aff", "aff_domain", "primary_area", "gs_citation", "track"})
_FILE = re.compile(r"([a-z]+)((?:19|20)\d\d)\.json", re.IGNORECASE)


def matches(record: Json) -> bool:
    return "title" in record and "status" in record and len(_SIGNS & record.keys()) >= 2


def fields(record: Json, source: Input) -> Fields:
    found = pick({key: value for key, value in record.items() if key not in {"track", "status"}}, {})
    where = _FILE.search(source.name)
    site = text(record.get("site"))
    found["authors"] = record.get("author") or record.get("author_site") or record.get("authors")
    found["url"] = site if site.startswith("http") else record.get("pdf") or record.get("url")
    found["code"] = [link for key in ("github", "code") for link in [text(record.get(key))] if link.startswith("http")]
    found.setdefault("venue", where[1].upper() if where else "")
    found.setdefault("year", where[2] if where else None)
    forum = text(record.get("openreview"))
    found["openreview"] = forum if "openreview.net" in forum else ""
    return found


READER = shape(
    "paperlists",
    "Paper Copilot's paperlists",
    matches,
    fields,
    '[{"title": "Small Nets", "status": "Poster", "track": "main", "author": "A. Ray;B. Lee", "aff": "X;Y", '
    '"keywords": "nets;pruning", "abstract": "We propose …"}]\n',
)

"""CSL-JSON as Zotero and pandoc write it, and Crossref's works, which share its names."""

from kg.readers.base import Fields, Input
from kg.readers.fields import text
from kg.readers.json_shape import Json, shape


def matches(record: Json) -> bool:
    if "title" not in record or not ("type" in record or "container-title" in record):
        return False
    return isinstance(record.get("issued"), dict) or "container-title" in record or ("author" in record and "citation-key" in record)


def fields(record: Json, source: Input) -> Fields:
    get = record.get
    keyword = get("keyword") or get("subject") or get("categories")
    return {
        "id": get("citation-key") or get("id"),
        "doi": get("DOI"),
        "pmid": get("PMID"),
        "title": get("title"),
        "abstract": get("abstract"),
        "authors": get("author"),
        "year": get("issued") or get("published") or get("created"),
        "venue": get("container-title") or get("event-title") or get("collection-title"),
        "keywords": keyword,
        "url": get("URL"),
        "language": get("language"),
        "arxiv": get("number") if "arxiv" in text(get("number")).lower() else None,
    }


READER = shape(
    "csl",
    "CSL-JSON (Zotero, pandoc) and Crossref works",
    matches,
    fields,
    '[{"id": "ray2024", "type": "article-journal", "title": "Small Nets", "abstract": "We propose …", "author": [{"family": "Ray", "given": "Ada"}], '
    '"issued": {"date-parts": [[2024, 1]]}, "container-title": "Journal of Nets", "DOI": "10.1234/x"}]\n',
)

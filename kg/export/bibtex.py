"""BibTeX with a paper's entities as its keywords, for Zotero, JabRef and LaTeX."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.safe import text

if TYPE_CHECKING:
    import duckdb

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)
"""Braces as commands, for BibTeX counts even those that a backslash precedes."""

_QUERY = """
SELECT p.paper, p.label, p.title, p.authors, p.year, p.venue, p.doi, p.arxiv, p.url, p.keywords,
    (SELECT list(e.label ORDER BY e.label) FROM links l JOIN entities e USING (entity) WHERE l.paper = p.paper AND l.role <> 'mentioned') AS entities
FROM papers p ORDER BY p.paper
"""


def write(connection: "duckdb.DuckDBPyConnection", path: Path) -> None:
    """An entry a paper. Keywords are those of the source and all entities that the paper does more with than mention."""
    taken: dict[str, int] = {}
    with connection.cursor() as cursor, path.open("w", encoding="utf-8", newline="\n") as out:
        cursor.execute(_QUERY)
        names = [column[0] for column in cursor.description or ()]
        while batch := cursor.fetchmany(5000):
            for row in batch:
                out.write(_entry(dict(zip(names, row, strict=True)), taken))


def citation_key(paper: str) -> str:
    """A paper's id as a citation key: what BibTeX could stumble over becomes a hyphen.

    >>> citation_key("arxiv:2301.00001"), citation_key("doi:10.1/(x),{y}")
    ('arxiv:2301.00001', 'doi:10.1/-x-y')
    """
    return re.sub(r"[^A-Za-z0-9:./+-]+", "-", paper).strip("-") or "paper"


def _entry(row: dict[str, Any], taken: dict[str, int]) -> str:
    key = citation_key(row["paper"])
    number = taken[key.lower()] = taken.get(key.lower(), 0) + 1
    key = key if number == 1 else f"{key}-{number}"
    keywords = dict.fromkeys(_plain(word).replace(",", ";") for word in [*(row["keywords"] or []), *(row["entities"] or [])])
    fields = {
        "title": "{" + _plain(row["title"] or row["label"]) + "}",
        "author": " and ".join("{" + _plain(name) + "}" if " and " in name or "," in name else _plain(name) for name in row["authors"] or []),
        "year": str(row["year"] or ""),
        "booktitle": _plain(row["venue"]),
        "doi": _plain(row["doi"]),
        "eprint": _plain(row["arxiv"]),
        "archiveprefix": "arXiv" if row["arxiv"] else "",
        "url": _plain(row["url"]),
        "keywords": ", ".join(keywords),
    }
    kind = "inproceedings" if row["venue"] else "misc"
    return f"@{kind}{{{key},\n" + "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value) + "}\n\n"


def _plain(value: str) -> str:
    return " ".join(text(value).split()).translate(_SPECIAL)

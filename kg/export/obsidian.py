"""An Obsidian vault: a note for each paper and entity, linked both ways, with properties for its search."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.model import EntityType, Role
from kg.safe import deep, text

if TYPE_CHECKING:
    import duckdb

_UNFIT = re.compile(r'[\\/:*?"<>|#^\[\]%`\x00-\x1f\x7f]+')
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
_MARKUP = re.compile(r"([\\`*_\[\]<#|~$^&]|%(?=%)|=(?==)|^[-+>]|^\d+(?=[.)]))")
_NAME_LENGTH = 80
_MOST_PAPERS = 200
"""The note of an entity lists so many papers at most; the rest are a count."""

_RANK = "list_position([" + ", ".join(f"'{role}'" for role in Role) + "], l.role)"

_PAPERS = """
SELECT p.*, (SELECT list({'entity': l.entity, 'role': l.role, 'text': t.text} ORDER BY l.start, l.entity) FROM links l
    LEFT JOIN sentences t ON t.paper = l.paper AND t.sentence = l.sentence WHERE l.paper = p.paper) AS links
FROM papers p ORDER BY p.paper
"""
_ENTITIES = f"""
WITH placed AS (
    SELECT l.*, row_number() OVER (PARTITION BY l.entity ORDER BY {_RANK}, l.confidence DESC, l.paper) AS place FROM links l
), linked AS (
    SELECT l.entity, list({{'paper': l.paper, 'role': l.role, 'text': t.text}} ORDER BY l.place) AS links FROM placed l
    LEFT JOIN sentences t ON t.paper = l.paper AND t.sentence = l.sentence WHERE l.place <= {_MOST_PAPERS} GROUP BY l.entity
), related AS (
    SELECT head, list({{'relation': relation, 'tail': tail}} ORDER BY relation, tail) AS relations
    FROM (SELECT DISTINCT head, relation, tail FROM relations)
    GROUP BY head
)
SELECT e.*, linked.links, related.relations, (SELECT list(DISTINCT parent ORDER BY parent) FROM families f WHERE f.entity = e.entity) AS families,
    (SELECT list(surface ORDER BY papers DESC, surface) FROM aliases a WHERE a.entity = e.entity) AS aliases
FROM entities e LEFT JOIN linked USING (entity) LEFT JOIN related ON related.head = e.entity ORDER BY e.entity
"""

Names = Mapping[tuple[str, str], tuple[str, str]]


def write(connection: "duckdb.DuckDBPyConnection", folder: Path) -> None:
    """The folders `papers` and `entities`, and `Start.md`, which names the most used entities of each type."""
    names = _names(connection)
    for part in ("papers", "entities"):
        (folder / part).mkdir()
    for row in _dicts(connection, _PAPERS):
        _note(folder, names["papers", row["paper"]], _paper(row, names))
    for row in _dicts(connection, _ENTITIES):
        _note(folder, names["entities", row["entity"]], _entity(row, names))
    _note(folder, ("Start", "Start"), _start(connection, names))


def file_name(label: str) -> str:
    """A file name for a label that every system and Obsidian's links can hold.

    >>> file_name("a/b: [c]?"), file_name("con"), file_name("...")
    ('a b c', 'con_', 'unnamed')
    """
    name = " ".join(_UNFIT.sub(" ", text(label)).split())[:_NAME_LENGTH].strip(" .")
    return f"{name}_" if _RESERVED.match(name) else name or "unnamed"


def _names(connection: "duckdb.DuckDBPyConnection") -> Names:
    """(folder, id) to (path without suffix, label). No two notes of the vault have one name, in any case: links go by name alone."""
    names: dict[tuple[str, str], tuple[str, str]] = {}
    taken: dict[str, int] = {}
    for part, query in (
        ("entities", "SELECT entity, label FROM entities ORDER BY papers DESC, entity"),
        ("papers", "SELECT paper, label FROM papers ORDER BY paper"),
    ):
        for identifier, label in connection.execute(query).fetchall():
            name = file_name(label or identifier)
            number = taken[name.casefold()] = taken.get(name.casefold(), 0) + 1
            while number > 1 and f"{name} {number}".casefold() in taken:
                number += 1
            path = name if number == 1 else f"{name} {number}"
            taken.setdefault(path.casefold(), 1)
            names[part, identifier] = f"{part}/{path}", label or identifier
    return names


def _paper(row: Mapping[str, Any], names: Names) -> list[str]:
    kept = ("year", "venue", "authors", "doi", "arxiv", "url", "keywords")
    properties = {"kind": "paper", "id": row["paper"]} | {name: row[name] for name in kept if row[name] not in (None, "", [])}
    links = row["links"] or []
    lines = [*_properties(properties), f"# {_escaped(row['label'] or row['paper'])}", ""]
    for role in Role:
        here = [link for link in links if link["role"] == role]
        lines += (
            [f"## {role.capitalize()}", *(f"- {_link(names, 'entities', link['entity'])}: {_escaped(link['text'] or '')}" for link in here), ""]
            if here
            else []
        )
    return [*lines, "## Abstract", _escaped(row["abstract"])]


def _entity(row: Mapping[str, Any], names: Names) -> list[str]:
    aliases = [alias for alias in row["aliases"] or [] if alias != row["label"]]
    properties = {"kind": row["type"].lower(), "id": row["entity"], "aliases": aliases, "papers": row["papers"], "tags": [row["type"].lower()]}
    lines = [*_properties(properties), f"# {_escaped(row['label'])}", ""]
    lines += [f"{_escaped(row['expansion'])}", ""] if row["expansion"] else []
    lines += [f"- variant of {_link(names, 'entities', parent)}" for parent in row["families"] or []]
    lines += [f"- {item['relation']} {_link(names, 'entities', item['tail'])}" for item in row["relations"] or []]
    links = row["links"] or []
    lines += ["", "## Papers", *(f"- {link['role']} in {_link(names, 'papers', link['paper'])}: {_escaped(link['text'] or '')}" for link in links)]
    return lines + ([f"- and {row['papers'] - len(links)} more"] if row["papers"] > len(links) else [])


def _start(connection: "duckdb.DuckDBPyConnection", names: Names) -> list[str]:
    lines = ["# Start", ""]
    for kind in EntityType:
        rows = connection.execute("SELECT entity, papers FROM entities WHERE type = ? ORDER BY papers DESC, entity LIMIT 30", [kind]).fetchall()
        lines += [f"## {kind}", *(f"- {_link(names, 'entities', entity)} ({papers})" for entity, papers in rows), ""]
    return lines


def _properties(values: Mapping[str, Any]) -> list[str]:
    # JSON is YAML, so json.dumps quotes what a title could otherwise break.
    return ["---", *(f"{name}: {json.dumps(deep(value), ensure_ascii=False)}" for name, value in values.items()), "---"]


def _link(names: Names, part: str, identifier: str) -> str:
    path, label = names[part, identifier]
    return f"[[{path.rpartition('/')[2]}|{' '.join(_UNFIT.sub(' ', text(label)).split()) or path}]]"


def _escaped(value: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text(value).split()))


def _note(folder: Path, name: tuple[str, str], lines: list[str]) -> None:
    (folder / f"{name[0]}.md").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def _dicts(connection: "duckdb.DuckDBPyConnection", query: str) -> Iterator[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        names = [column[0] for column in cursor.description or ()]
        while batch := cursor.fetchmany(2000):
            for row in batch:
                yield dict(zip(names, row, strict=True))

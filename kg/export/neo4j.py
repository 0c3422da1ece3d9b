"""Neo4j: CSV files for `neo4j-admin database import`, and a Cypher script that loads the same files into a running server."""

import contextlib
import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import authors
from kg.model import EntityType, RelationKind, Role
from kg.safe import text

if TYPE_CHECKING:
    import _csv

    import duckdb

_PAPER = ("label", "title", "year:int", "venue", "authors:string[]", "doi", "arxiv", "url", "keywords:string[]")
_ENTITY = ("label", "aliases:string[]", "expansion", "catalogue:boolean", "urls:string[]", "papers:int", "mentions:int")
_EDGE = ("confidence:double", "evidence", "paper", "sentence:int", "start:int", "end:int", "mentions:int", "extractor", "stated_by:string[]")
_CONVERT = {"int": "toInteger({0})", "double": "toFloat({0})", "boolean": "toBoolean({0})", "string[]": "split({0}, ';')"}
_AUTHOR = ("label", "aliases:string[]", "papers:int")
_NODE_FILES = (("papers.csv", _PAPER), ("entities.csv", _ENTITY))
_EDGE_FILES = (("links.csv", tuple(Role)), ("relations.csv", tuple(RelationKind)))
_BATCH = "IN TRANSACTIONS OF 1000 ROWS"

_README = """# Loading this graph into Neo4j

A new database, the quickest way, with the server stopped:

    neo4j-admin database import full --nodes=papers.csv --nodes=entities.csv \\
        --relationships=links.csv --relationships=relations.csv --array-delimiter=";" neo4j

A running server: put the four CSV files into its import folder, then

    cypher-shell --file load.cypher
"""


def write(connection: "duckdb.DuckDBPyConnection", folder: Path) -> None:
    """papers.csv, entities.csv, links.csv, relations.csv, load.cypher and README.md; with authors also authors.csv and authored.csv.

    A relationship's type is the role or relation in Neo4j's way of writing (`evaluatedOn` becomes EVALUATED_ON).
    """
    from kg.graph import edges, nodes

    labels = {kind.lower(): f"Entity;{kind}" for kind in EntityType} | {"paper": "Paper", "author": "Author"}
    with_authors = authors.wanted(connection)
    with contextlib.ExitStack() as stack:
        files = {file: stack.enter_context(_rows(folder / file, (":ID", "id", *fields, ":LABEL"))) for file, fields in _node_files(with_authors)}
        known = dict(_node_files(with_authors))
        for node, attributes in nodes(connection):
            kind = attributes["kind"]
            file = f"{kind}s.csv" if kind in ("paper", "author") else "entities.csv"
            out, fields = files[file], known[file]
            out.writerow([_text(node), _text(node), *_cells(attributes, fields), labels[kind]])
    head = (":START_ID", *_EDGE, ":END_ID", ":TYPE")
    with contextlib.ExitStack() as stack:
        by_key: dict[str, _csv.Writer] = {}
        for file, keys in _edge_files(with_authors):
            by_key |= dict.fromkeys(keys, stack.enter_context(_rows(folder / file, head)))
        for source, target, key, attributes in edges(connection):
            by_key[key].writerow([_text(source), *_cells(attributes, _EDGE), _text(target), relationship(key)])
    (folder / "load.cypher").write_text("\n".join(_cypher(with_authors)) + "\n", encoding="utf-8", newline="\n")
    (folder / "README.md").write_text(_readme(with_authors), encoding="utf-8", newline="\n")


def relationship(key: str) -> str:
    """A role or relation as a relationship type.

    >>> relationship("evaluatedOn"), relationship("proposed")
    ('EVALUATED_ON', 'PROPOSED')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).upper()


@contextlib.contextmanager
def _rows(path: Path, head: Sequence[str]) -> Iterator["_csv.Writer"]:
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(head)
        yield writer


def _cells(attributes: dict[str, Any], fields: Sequence[str]) -> Iterable[str]:
    for field in fields:
        value = attributes.get(field.partition(":")[0])
        if isinstance(value, list):
            yield ";".join(_text(item).replace(";", ",") for item in value)
        elif isinstance(value, bool):
            yield str(value).lower()
        else:
            yield "" if value is None else _text(str(value))


def _text(value: str) -> str:
    # LOAD CSV takes a backslash before a quote for an escape, neo4j-admin does not: a space between them keeps both right.
    plain = " ".join(text(value).split()).replace('\\"', '\\ "')
    return plain + " " if plain.endswith("\\") else plain


def _node_files(with_authors: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (*_NODE_FILES, ("authors.csv", _AUTHOR)) if with_authors else _NODE_FILES


def _edge_files(with_authors: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (*_EDGE_FILES, ("authored.csv", ("authored",))) if with_authors else _EDGE_FILES


def _readme(with_authors: bool) -> str:
    if not with_authors:
        return _README
    more = _README.replace("--nodes=entities.csv ", "--nodes=entities.csv --nodes=authors.csv ")
    return more.replace("--relationships=relations.csv ", "--relationships=relations.csv --relationships=authored.csv ").replace("four", "six")


def _cypher(with_authors: bool) -> Iterator[str]:
    ends = {"links.csv": ("Paper", "Entity"), "relations.csv": ("Entity", "Entity"), "authored.csv": ("Author", "Paper")}
    for label in ("Paper", "Entity", *(["Author"] if with_authors else [])):
        yield f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE;"
    for file, fields in _node_files(with_authors):
        label = {"papers.csv": "Paper", "authors.csv": "Author"}.get(file, "Entity")
        kinds = (label,) if label != "Entity" else tuple(f"Entity;{kind}" for kind in EntityType)
        for kind in kinds:
            extra = f" SET n:{kind.partition(';')[2]}" if ";" in kind else ""
            yield _load(file, f"row.`:LABEL` = '{kind}'", f"MERGE (n:{label} {{id: row.`:ID`}}){extra} SET {_set('n', fields)}")
    for file, keys in _edge_files(with_authors):
        source, target = ends[file]
        for key in keys:
            kind = relationship(key)
            both = f"MATCH (a:{source} {{id: row.`:START_ID`}}) MATCH (b:{target} {{id: row.`:END_ID`}})"
            merge = f"{both} MERGE (a)-[r:{kind}]->(b) SET {_set('r', _EDGE)}"
            yield _load(file, f"row.`:TYPE` = '{kind}'", merge)


def _load(file: str, where: str, what: str) -> str:
    return f":auto LOAD CSV WITH HEADERS FROM 'file:///{file}' AS row WITH row WHERE {where} CALL (row) {{ {what} }} {_BATCH};"


def _set(variable: str, fields: Sequence[str]) -> str:
    parts = []
    for field in fields:
        name, _, kind = field.partition(":")
        parts.append(f"{variable}.`{name}` = " + _CONVERT.get(kind, "{0}").format(f"row.`{field}`"))
    return ", ".join(parts)

"""Neo4j: CSV files for `neo4j-admin database import`, and a Cypher script that loads the same files into a running server."""

import contextlib
import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.model import EntityType, RelationKind, Role
from kg.safe import text

if TYPE_CHECKING:
    import _csv

    import duckdb

_PAPER = ("label", "title", "year:int", "venue", "authors:string[]", "doi", "arxiv", "url", "keywords:string[]")
_ENTITY = ("label", "aliases:string[]", "expansion", "catalogue:boolean", "urls:string[]", "papers:int", "mentions:int")
_EDGE = ("confidence:double", "evidence", "paper", "sentence:int", "start:int", "end:int", "mentions:int", "extractor", "stated_by:string[]")
_CONVERT = {"int": "toInteger({0})", "double": "toFloat({0})", "boolean": "toBoolean({0})", "string[]": "split({0}, ';')"}
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
    """papers.csv, entities.csv, links.csv, relations.csv, load.cypher and README.md.

    A relationship's type is the role or relation in Neo4j's way of writing (`evaluatedOn` becomes EVALUATED_ON).
    """
    from kg.graph import edges, nodes

    labels = {kind.lower(): f"Entity;{kind}" for kind in EntityType} | {"paper": "Paper"}
    with (
        _rows(folder / "papers.csv", (":ID", "id", *_PAPER, ":LABEL")) as papers,
        _rows(folder / "entities.csv", (":ID", "id", *_ENTITY, ":LABEL")) as entities,
    ):
        for node, attributes in nodes(connection):
            kind = attributes["kind"]
            out, fields = (papers, _PAPER) if kind == "paper" else (entities, _ENTITY)
            out.writerow([_text(node), _text(node), *_cells(attributes, fields), labels[kind]])
    head = (":START_ID", *_EDGE, ":END_ID", ":TYPE")
    with _rows(folder / "links.csv", head) as links, _rows(folder / "relations.csv", head) as relations:
        roles = set(Role)
        for source, target, key, attributes in edges(connection):
            out = links if key in roles else relations
            out.writerow([_text(source), *_cells(attributes, _EDGE), _text(target), relationship(key)])
    (folder / "load.cypher").write_text("\n".join(_cypher()) + "\n", encoding="utf-8", newline="\n")
    (folder / "README.md").write_text(_README, encoding="utf-8", newline="\n")


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


def _cypher() -> Iterator[str]:
    for label in ("Paper", "Entity"):
        yield f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE;"
    for file, fields in _NODE_FILES:
        label = "Paper" if fields is _PAPER else "Entity"
        kinds = ("Paper",) if label == "Paper" else tuple(f"Entity;{kind}" for kind in EntityType)
        for kind in kinds:
            extra = f" SET n:{kind.partition(';')[2]}" if ";" in kind else ""
            yield _load(file, f"row.`:LABEL` = '{kind}'", f"MERGE (n:{label} {{id: row.`:ID`}}){extra} SET {_set('n', fields)}")
    for (file, keys), source in zip(_EDGE_FILES, ("Paper", "Entity"), strict=True):
        for key in keys:
            kind = relationship(key)
            merge = (
                f"MATCH (a:{source} {{id: row.`:START_ID`}}) MATCH (b:Entity {{id: row.`:END_ID`}}) MERGE (a)-[r:{kind}]->(b) SET {_set('r', _EDGE)}"
            )
            yield _load(file, f"row.`:TYPE` = '{kind}'", merge)


def _load(file: str, where: str, what: str) -> str:
    return f":auto LOAD CSV WITH HEADERS FROM 'file:///{file}' AS row WITH row WHERE {where} CALL (row) {{ {what} }} {_BATCH};"


def _set(variable: str, fields: Sequence[str]) -> str:
    parts = []
    for field in fields:
        name, _, kind = field.partition(":")
        parts.append(f"{variable}.`{name}` = " + _CONVERT.get(kind, "{0}").format(f"row.`{field}`"))
    return ", ".join(parts)

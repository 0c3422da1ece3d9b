"""Found rows by hand: what resolution across papers gets."""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from kg import tables
from kg.model import EntityType
from kg.ontology import Catalogue, CatalogueRow
from kg.resolve import across, verdicts
from kg.resolve.decisions import Decision
from kg.tables.derive import derive
from kg.tables.store import create

CATALOGUE = Catalogue(
    (
        CatalogueRow("gsm8k", "GSM8K", EntityType.DATASET),
        CatalogueRow("okapinet", "OkapiNet", EntityType.MODEL),
        CatalogueRow("okapinet-50", "OkapiNet-50", EntityType.MODEL, family="okapinet"),
        CatalogueRow("probabilistic-graphical-model", "probabilistic graphical model", EntityType.METHOD, aliases=("PGM",), ambiguous=("PGM",)),
    ),
    "invented",
)


@dataclass(frozen=True)
class Row:
    """One entity of one invented paper."""

    paper: str
    name: str
    type: str = "Method"
    expansion: str = ""
    surfaces: tuple[str, ...] = ()
    catalogue: str = ""


def build(rows: Sequence[Row], decisions: Sequence[Decision] = (), connection: duckdb.DuckDBPyConnection | None = None) -> duckdb.DuckDBPyConnection:
    """A database with the rows resolved; a connection that is given is resolved again with these rows."""
    if connection is None:
        connection = duckdb.connect()
        create(connection)
    for table in ("papers", "sentences", "found", "found_surfaces", "mentions"):
        connection.execute(f"DELETE FROM {table}")
    numbers: dict[str, int] = {}
    found, surfaces, mentions = [], [], []
    for row in rows:
        k = numbers[row.paper] = numbers.get(row.paper, -1) + 1
        found.append((row.paper, k, row.name, row.type, "", "used", 0.9, "hand", row.expansion, row.catalogue))
        for n, surface in enumerate(row.surfaces or tuple(dict.fromkeys((row.name, *filter(None, [row.expansion]))))):
            surfaces.append((row.paper, k, surface, "case" if n else "name"))
            mentions.append((row.paper, k, 10 * k + n, 10 * k + n + 1, surface, row.type, "hand", 0.9, 0, 0, 1))
    tables.insert(connection, "found", found)
    tables.insert(connection, "found_surfaces", surfaces)
    tables.insert(connection, "mentions", mentions)
    papers = sorted(numbers)
    tables.insert(connection, "papers", [(p, p, "", "", [], None, "", "", "", "", "", "", "", [], [], "en", "", "") for p in papers])
    tables.insert(connection, "sentences", [(p, 0, 0, 99, f"This is {p}.") for p in papers])
    across.resolve(connection, catalogue=CATALOGUE, decisions=decisions)
    derive(connection)
    verdicts.apply(connection, decisions)
    return connection


def ids(connection: duckdb.DuckDBPyConnection) -> dict[str, set[str]]:
    """The names in each paper's rows, by entity id."""
    gathered: dict[str, set[str]] = {}
    for entity, name in connection.execute("SELECT r.entity, f.name FROM resolved r JOIN named f USING (paper, k) ORDER BY ALL").fetchall():
        gathered.setdefault(entity, set()).add(name)
    return gathered


def dump(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[object, ...]]]:
    """The resolved layer as sorted rows."""
    return {
        t: sorted(connection.execute(f"SELECT * FROM {t}").fetchall(), key=repr) for t in ("resolved", "entities", "aliases", "families", "merges")
    }

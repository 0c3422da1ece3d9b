"""Which papers and entities a page holds. The choice lies in two temporary tables, `view_entities` and `view_papers`, of id and rank from 0."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import UnknownNameError
from kg.model import EntityType
from kg.nearest import nearest
from kg.surface import key

if TYPE_CHECKING:
    import duckdb

LIMIT = 50_000
"""The most nodes that a page holds: what a browser opens within four seconds."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a page is to hold: all, or the neighbourhood of a name; entities of some types, in at least `min_papers` papers, the `top` strongest."""

    top: int | None = None
    around: str = ""
    hops: int = 2
    types: tuple[EntityType, ...] = ()
    min_papers: int = 1
    limit: int = LIMIT


def find(connection: "duckdb.DuckDBPyConnection", name: str) -> tuple[str, str]:
    """The kind ("entity" or "paper") and id of what a name, alias, id or title stands for; of several entities the one in most papers.

    Raises UnknownNameError, with the nearest names, when nothing has it.
    """
    sought = key(name)
    named = """SELECT 'entity', entity FROM (
            SELECT entity, entity AS name, 0 AS rank FROM entities UNION ALL SELECT new, old, 1 FROM redirects
            UNION ALL SELECT entity, label, 2 FROM entities UNION ALL SELECT entity, surface, 3 FROM aliases
        ) n JOIN entities USING (entity) WHERE n.name = ? ORDER BY n.rank, papers DESC, entity LIMIT 1"""
    for query in (named, "SELECT 'paper', paper FROM papers WHERE ? IN (paper, title, label) ORDER BY paper LIMIT 1"):
        row = connection.execute(query, [name]).fetchone()
        if row:
            return row[0], row[1]
    names = connection.execute(
        "SELECT name, entity FROM (SELECT label AS name, entity FROM entities UNION SELECT surface, entity FROM aliases) JOIN entities USING (entity)"
        " ORDER BY papers DESC, entity, name"
    ).fetchall()
    for other, entity in names:
        if key(other) == sought:
            return "entity", entity
    raise UnknownNameError(
        f"nothing in the build is called {name!r}",
        hint=nearest(name, (other for other, _ in names)),
    )


def choose(connection: "duckdb.DuckDBPyConnection", wanted: Wanted) -> tuple[int, int]:
    """Fill `view_entities` and `view_papers`, strongest first; returns how many of each there are.

    Families that no paper names and papers that name nothing are there unless a part is wanted.
    Raises UnknownNameError when the page is to lie around a name that the build does not hold.
    """
    if wanted.around:
        _reach(connection, *find(connection, wanted.around), wanted.hops)
    near = "AND entity IN (SELECT id FROM view_reach WHERE kind = 'entity')" if wanted.around else ""
    of_type = "AND type IN (" + ", ".join(f"'{kind}'" for kind in wanted.types) + ")" if wanted.types else ""
    is_part = bool(wanted.types or wanted.top or wanted.min_papers > 1 or wanted.around)
    total = _count(connection, "papers")
    most = min(wanted.top or wanted.limit, max(wanted.limit - total, wanted.limit * 3 // 5))
    connection.execute(
        f"""CREATE OR REPLACE TEMP TABLE view_entities AS
        SELECT entity, CAST(row_number() OVER (ORDER BY papers DESC, entity) - 1 AS INTEGER) AS n FROM entities
        WHERE papers >= ? {near} {of_type} QUALIFY n < ? ORDER BY n""",
        [wanted.min_papers if is_part else 0, most],
    )
    entities = _count(connection, "view_entities")
    near = "AND paper IN (SELECT id FROM view_reach WHERE kind = 'paper')" if wanted.around else ""
    kept = "" if is_part else "OR linked IS NULL"
    connection.execute(
        f"""CREATE OR REPLACE TEMP TABLE view_papers AS
        SELECT paper, CAST(row_number() OVER (ORDER BY coalesce(linked, 0) DESC, paper) - 1 AS INTEGER) AS n
        FROM papers LEFT JOIN (SELECT paper, count(*) AS linked FROM links JOIN view_entities USING (entity) GROUP BY paper) USING (paper)
        WHERE (linked > 0 {kept}) {near} QUALIFY n < ? ORDER BY n""",
        [wanted.limit - entities],
    )
    return entities, _count(connection, "view_papers")


def _count(connection: "duckdb.DuckDBPyConnection", table: str) -> int:
    row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(row[0]) if row else 0


def _reach(connection: "duckdb.DuckDBPyConnection", kind: str, identifier: str, hops: int) -> None:
    """The table `view_reach`: all that can be reached from one node over links and stated relations in so many steps."""
    connection.execute("CREATE OR REPLACE TEMP TABLE view_reach (kind VARCHAR, id VARCHAR)")
    connection.execute("INSERT INTO view_reach VALUES (?, ?)", [kind, identifier])
    for _ in range(max(0, hops)):
        connection.execute(
            """INSERT INTO view_reach SELECT DISTINCT * FROM (
                SELECT 'paper', l.paper FROM links l JOIN view_reach r ON r.kind = 'entity' AND r.id = l.entity
                UNION ALL SELECT 'entity', l.entity FROM links l JOIN view_reach r ON r.kind = 'paper' AND r.id = l.paper
                UNION ALL SELECT 'entity', t.tail FROM relations t JOIN view_reach r ON r.kind = 'entity' AND r.id = t.head
                UNION ALL SELECT 'entity', t.head FROM relations t JOIN view_reach r ON r.kind = 'entity' AND r.id = t.tail
            ) AS reached (kind, id) ANTI JOIN view_reach USING (kind, id)"""
        )

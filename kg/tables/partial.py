"""A small change of a large build: the same resolution, over the part of the tables that the change can reach.

Temporary tables of the same names hold that part and hide the whole ones while `across.resolve` and the statements of `derive` run; what they made is
then put in the place of what the part held before. After the idea of incremental view maintenance: A. Gupta, I. S. Mumick, V. S. Subrahmanian,
"Maintaining views incrementally" (SIGMOD 1993).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kg.resolve import across, kin
from kg.resolve.keys import fill_keys
from kg.tables.derive import LABELS, LINKS, RELATIONS, RESULTS

if TYPE_CHECKING:
    import duckdb

    from kg.ontology import Catalogue

VERSION = "1"
"""Changes when the rules of resolution change, so that an older build is resolved whole."""

LARGEST_SHARE = 4
"""The part is resolved alone when it holds less than the fourth of all found rows."""

_SEEDS = f"""
SELECT key FROM kin WHERE name IN (SELECT {kin.NAME} FROM found SEMI JOIN changed USING (paper))
UNION ALL SELECT hash('c:' || entity) FROM gone
UNION ALL SELECT hash(loose) FROM gone_keys
"""

_HELD = """
CREATE OR REPLACE TEMP TABLE held AS
SELECT entity FROM resolved SEMI JOIN changed USING (paper)
UNION SELECT entity FROM resolved SEMI JOIN part USING (paper, k)
UNION SELECT e.entity FROM entities e JOIN keys_of_parents k ON k.text = e.label
    WHERE hash(k.loose) IN (SELECT key FROM reached_keys) OR hash('c:' || e.entity) IN (SELECT key FROM reached_keys)
"""

_SPREADS = """
SELECT 1 FROM resolved SEMI JOIN held USING (entity) ANTI JOIN changed USING (paper) ANTI JOIN part USING (paper, k)
UNION ALL SELECT 1 FROM families f SEMI JOIN held h ON h.entity = f.parent WHERE f.entity NOT IN (SELECT entity FROM held) LIMIT 1
"""
"""Whether something outside the part belongs to an entity inside."""

_COLLIDES = """
SELECT 1 FROM {whole}.entities e WHERE e.entity NOT IN (SELECT entity FROM held) AND (e.entity IN (SELECT entity FROM temp.entities)
    OR (regexp_matches(e.entity, '-[0-9a-f]{{6}}$') AND e.entity[:-8] IN (SELECT entity FROM temp.entities UNION SELECT entity FROM held))) LIMIT 1
"""
"""Whether an entity outside the part has an id that one inside has, or has one that it owes to such a meeting."""

_HIDING = {
    "found": "SELECT f.* FROM {whole}.found f SEMI JOIN part USING (paper, k)",
    "found_surfaces": "SELECT s.* FROM {whole}.found_surfaces s SEMI JOIN part USING (paper, k)",
    "resolved": "SELECT * FROM {whole}.resolved LIMIT 0",
    "entities": "SELECT e.* FROM {whole}.entities e SEMI JOIN held USING (entity)",
    "aliases": "SELECT a.* FROM {whole}.aliases a SEMI JOIN held USING (entity)",
    "families": "SELECT * FROM {whole}.families LIMIT 0",
    "merges": "SELECT * FROM {whole}.merges LIMIT 0",
    "redirects": "SELECT * FROM {whole}.redirects WHERE new IN (SELECT entity FROM held)",
}

_TOUCHED = """
CREATE OR REPLACE TEMP TABLE touched AS
SELECT paper FROM changed
UNION SELECT paper FROM {whole}.papers WHERE label = ''
UNION SELECT n.paper FROM temp.resolved n JOIN {whole}.resolved o USING (paper, k) WHERE n.entity <> o.entity
UNION SELECT l.paper FROM {whole}.links l JOIN {whole}.papers p USING (paper) JOIN {whole}.entities o USING (entity)
    JOIN temp.entities n USING (entity) WHERE p.title = '' AND n.label <> o.label
"""
"""The papers whose links, relations, results or label can be others than before."""

_SPLICE = (
    """DELETE FROM {whole}.resolved WHERE paper IN (SELECT paper FROM changed) OR (paper, k) IN (
        SELECT (n.paper, n.k) FROM temp.resolved n JOIN {whole}.resolved o USING (paper, k) WHERE n.entity <> o.entity)""",
    "INSERT INTO {whole}.resolved SELECT n.* FROM temp.resolved n ANTI JOIN {whole}.resolved o USING (paper, k)",
    *(
        statement
        for table in ("entities", "aliases", "families", "merges")
        for statement in (
            f"DELETE FROM {{whole}}.{table} WHERE entity IN (SELECT entity FROM held)",
            f"INSERT INTO {{whole}}.{table} SELECT * FROM temp.{table}",
        )
    ),
    "DELETE FROM {whole}.redirects WHERE new IN (SELECT entity FROM held) OR old IN (SELECT entity FROM temp.entities)",
    "INSERT INTO {whole}.redirects SELECT * FROM temp.redirects",
)

_OF_PAPERS = {
    table: f"SELECT t.* FROM {{whole}}.{table} t SEMI JOIN touched USING (paper)"
    for table in ("found", "resolved", "mentions", "sentences", "papers", "found_relations", "found_results")
} | {table: f"SELECT * FROM {{whole}}.{table} LIMIT 0" for table in ("links", "relations", "results")}

_PAIRS = "INSERT INTO pairs SELECT a.entity, b.entity FROM {links} a JOIN {links} b ON a.paper = b.paper AND a.entity < b.entity"

_REPLACE = (
    "CREATE OR REPLACE TEMP TABLE pairs (a VARCHAR, b VARCHAR)",
    _PAIRS.format(links="(FROM {whole}.links SEMI JOIN touched USING (paper))"),
    _PAIRS.format(links="temp.links"),
    """CREATE OR REPLACE TEMP TABLE counted AS SELECT entity FROM {whole}.links SEMI JOIN touched USING (paper) UNION SELECT entity FROM temp.links
    UNION SELECT entity FROM renewed""",
    *(
        statement
        for table in ("links", "relations", "results")
        for statement in (
            f"DELETE FROM {{whole}}.{table} WHERE paper IN (SELECT paper FROM touched)",
            f"INSERT INTO {{whole}}.{table} SELECT * FROM temp.{table}",
        )
    ),
    "UPDATE {whole}.papers SET label = n.label FROM temp.papers n WHERE n.paper = papers.paper",
    """UPDATE {whole}.entities SET papers = coalesce(n.papers, 0), mentions = coalesce(n.mentions, 0) FROM (
        SELECT entity, count(l.paper) AS papers, sum(l.mentions) AS mentions FROM counted LEFT JOIN {whole}.links l USING (entity) GROUP BY entity
    ) n WHERE n.entity = entities.entity""",
    "DELETE FROM {whole}.cooccurrences WHERE (a, b) IN (SELECT (a, b) FROM pairs)",
    """INSERT INTO {whole}.cooccurrences SELECT p.a, p.b, count(*) AS papers FROM (SELECT DISTINCT a, b FROM pairs) p
    JOIN {whole}.links x ON x.entity = p.a JOIN {whole}.links y ON y.entity = p.b AND y.paper = x.paper GROUP BY ALL HAVING count(*) >= {least}""",
)


def renew(connection: "duckdb.DuckDBPyConnection", *, catalogue: "Catalogue", min_cooccurrences: int = 1) -> bool:
    """Bring the resolved layer in line with the papers in `changed`; returns False, with nothing done, when that takes the whole resolution.

    Asks for a resolved layer and `kin` that were made with the same catalogue and without decisions. Leaves the temporary tables `touched(paper)`
    and `counted(entity)` of what may have changed.
    """
    (name,) = connection.execute("SELECT current_database()").fetchall()[0]
    whole = f'"{name}".main'
    if not _take_part(connection):
        return False
    with _hidden(connection, whole, _HIDING):
        across.resolve(connection, catalogue=catalogue)
        if connection.execute(_COLLIDES.format(whole=whole)).fetchall():
            return False
        for statement in (_TOUCHED, "CREATE OR REPLACE TEMP TABLE renewed AS SELECT entity FROM temp.entities", *_SPLICE):
            connection.execute(statement.format(whole=whole))
    with _hidden(connection, whole, _OF_PAPERS):
        for statement in (LINKS, RELATIONS, RESULTS, LABELS):
            connection.execute(statement)
        for statement in _REPLACE:
            connection.execute(statement.format(whole=whole, least=min_cooccurrences))
    return True


def _take_part(connection: "duckdb.DuckDBPyConnection") -> bool:
    """Make `part(paper, k)`, the found rows that the change reaches, and `held(entity)`, the entities that they were; False when it is too much."""
    kin.extend(connection)
    connection.execute("CREATE OR REPLACE TEMP TABLE gone AS SELECT DISTINCT entity FROM resolved SEMI JOIN changed USING (paper)")
    names = "SELECT surface AS text FROM aliases SEMI JOIN gone USING (entity) UNION SELECT label FROM entities SEMI JOIN gone USING (entity)"
    fill_keys(connection, names, "gone_keys")
    kin.reach(connection, _SEEDS)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE part AS SELECT paper, k FROM found WHERE {kin.NAME} IN (SELECT name FROM reached)")
    ((few,),) = connection.execute(f"SELECT {LARGEST_SHARE} * (SELECT count(*) FROM part) < (SELECT count(*) FROM found)").fetchall()
    if not few:
        return False
    fill_keys(connection, "SELECT label AS text FROM entities WHERE papers = 0", "keys_of_parents")
    connection.execute(_HELD)
    return not connection.execute(_SPREADS).fetchall()


@contextmanager
def _hidden(connection: "duckdb.DuckDBPyConnection", whole: str, parts: dict[str, str]) -> Iterator[None]:
    """While this lasts, a table's name means its part. After an error the parts go with the transaction."""
    for table, query in parts.items():
        connection.execute(f"CREATE TEMP TABLE {table} AS {query.format(whole=whole)}")
    yield
    for table in parts:
        connection.execute(f"DROP TABLE temp.{table}")

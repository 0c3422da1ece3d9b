"""Decisions on links, types, roles and relations, applied to the resolved layer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kg.resolve import decisions as made

if TYPE_CHECKING:
    import duckdb

_PLACES = """
CREATE OR REPLACE TEMP TABLE placed AS
WITH said AS (
    SELECT a AS name, key_a AS key FROM decided UNION SELECT b, key_b FROM decided WHERE b <> ''
), names AS (
    SELECT entity, entity AS name, 4 AS sure FROM entities UNION ALL SELECT new, old, 3 FROM redirects
    UNION ALL SELECT entity, label, 2 FROM entities UNION ALL SELECT entity, surface, 1 FROM aliases
), fitting AS (
    SELECT s.name, n.entity, max(n.sure + CASE WHEN n.name = s.name THEN 10 ELSE 0 END) AS sure FROM names n LEFT JOIN keys k ON k.text = n.name
    JOIN said s ON s.name = n.name OR s.key = k.key GROUP BY ALL
), meant AS (
    SELECT name, arg_max(f.entity, (sure, (SELECT count(*) FROM resolved r WHERE r.entity = f.entity), f.entity)) AS entity FROM fitting f
        GROUP BY name
)
SELECT d.*, a.entity, b.entity AS other FROM decided d LEFT JOIN meant a ON a.name = d.a LEFT JOIN meant b ON b.name = d.b
"""

_BEFORE = (
    """DELETE FROM resolved USING placed p WHERE p.verdict = 'wrong-link' AND resolved.entity = p.entity AND p.paper IN ('', resolved.paper)""",
    """DELETE FROM entities WHERE entity IN (SELECT entity FROM placed WHERE verdict = 'wrong-link') AND entity NOT IN (SELECT entity FROM resolved)
    AND entity NOT IN (SELECT parent FROM families)""",
    "DELETE FROM families WHERE entity NOT IN (SELECT entity FROM entities)",
    "DELETE FROM aliases WHERE entity NOT IN (SELECT entity FROM entities)",
    "DELETE FROM merges WHERE entity NOT IN (SELECT entity FROM entities)",
    """UPDATE entities SET type = p.value, also = CASE WHEN also = p.value THEN '' ELSE also END FROM placed p
    WHERE p.verdict = 'type' AND p.entity = entities.entity""",
    """UPDATE entities SET type = w.type, also = '' FROM (
        SELECT p.entity, coalesce(arg_max(f.type, (f.confidence, f.type)), 'Method') AS type FROM placed p
        LEFT JOIN resolved r USING (entity) LEFT JOIN found f ON f.paper = r.paper AND f.k = r.k AND f.type <> p.value
        JOIN entities e ON e.entity = p.entity AND e.type = p.value WHERE p.verdict = 'wrong-type' GROUP BY p.entity
    ) w WHERE w.entity = entities.entity""",
    "UPDATE entities SET also = '' FROM placed p WHERE p.verdict = 'wrong-type' AND p.entity = entities.entity AND entities.also = p.value",
)

_AFTER = (
    """UPDATE links SET role = p.value FROM placed p WHERE p.verdict IN ('role', 'link') AND p.entity = links.entity AND p.paper = links.paper""",
    """UPDATE links SET role = 'mentioned' FROM placed p
    WHERE p.verdict = 'wrong-role' AND p.entity = links.entity AND p.paper = links.paper AND p.value = links.role""",
    """DELETE FROM relations USING placed p WHERE p.verdict = 'wrong-relation' AND p.entity = relations.head AND p.other = relations.tail
    AND p.value = relations.relation AND p.paper IN ('', relations.paper)""",
    """INSERT INTO relations SELECT DISTINCT p.paper, p.entity, p.value, p.other, 1, 'decision', l.sentence FROM placed p
    JOIN links l ON l.paper = p.paper AND l.entity = p.entity JOIN links t ON t.paper = p.paper AND t.entity = p.other
    WHERE p.verdict = 'relation' AND NOT EXISTS (
        SELECT 1 FROM relations r WHERE r.paper = p.paper AND r.head = p.entity AND r.relation = p.value AND r.tail = p.other) ORDER BY ALL""",
)


def before_links(connection: "duckdb.DuckDBPyConnection") -> None:
    """Apply what is decided on links and types, while only `resolved` knows which paper mentions what."""
    for statement in (_PLACES, *_BEFORE) if _any(connection) else (_PLACES,):
        connection.execute(statement)


def apply(connection: "duckdb.DuckDBPyConnection", decisions: "Sequence[made.Decision]" = ()) -> None:
    """Apply what is decided on roles and relations to the links and relations of the build."""
    place(connection, decisions)
    if _any(connection):
        revise(connection)


def place(connection: "duckdb.DuckDBPyConnection", decisions: "Sequence[made.Decision]") -> None:
    """Make the temporary table `placed`: each decision with the entities of the build that it means."""
    made.store(connection, decisions)
    connection.execute(_PLACES)


def revise(connection: "duckdb.DuckDBPyConnection") -> None:
    """Apply what `placed` says on roles and relations to the links and relations in the tables."""
    for statement in _AFTER:
        connection.execute(statement)


def _any(connection: "duckdb.DuckDBPyConnection") -> bool:
    return bool(connection.execute("SELECT 1 FROM decided LIMIT 1").fetchall())


def unplaced(connection: "duckdb.DuckDBPyConnection") -> list[tuple[str, str]]:
    """(decision, name) for each decision of the last resolution that names nothing in the build."""
    return connection.execute(
        """SELECT verdict, a FROM placed WHERE entity IS NULL AND verdict <> 'wrong-link'
        UNION SELECT verdict, b FROM placed WHERE other IS NULL AND b <> '' ORDER BY ALL"""
    ).fetchall()

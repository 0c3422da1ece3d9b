"""Two entities or two papers side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kg.errors import KgError
from kg.explore.things import thing
from kg.frame import Frame
from kg.model import EntityType, Role

if TYPE_CHECKING:
    import duckdb

_YEAR = "(SELECT {0}(year) FROM links l JOIN papers p USING (paper) WHERE l.entity = e.entity)"
_FACTS = {
    "entity": f"""
        SELECT e.label AS name, lower(e.type) AS type, e.papers, {_YEAR.format("min")} AS "first year", {_YEAR.format("max")} AS "last year",
            (SELECT string_agg(parent, ', ' ORDER BY parent) FROM families f WHERE f.entity = e.entity) AS "variant of"
        FROM entities e WHERE e.entity = ?""",
    "paper": """
        SELECT p.label AS title, p.year, p.venue, (SELECT count(*) FROM links l WHERE l.paper = p.paper) AS entities,
            (SELECT string_agg(e.label, ', ' ORDER BY e.label) FROM links l JOIN entities e USING (entity)
            WHERE l.paper = p.paper AND l.role = 'proposed') AS proposes
        FROM papers p WHERE p.paper = ?""",
}
_ROLES = "SELECT role, count(*) FROM links WHERE entity = ? GROUP BY role"
_AROUND = {
    "entity": """SELECT e.label, count(*) FROM links a JOIN links b ON a.paper = b.paper AND b.entity <> a.entity
        JOIN entities e ON e.entity = b.entity WHERE a.entity = ? AND e.type = ? GROUP BY e.entity, e.label ORDER BY 2 DESC, 1""",
    "paper": "SELECT e.label, 1 FROM links l JOIN entities e USING (entity) WHERE l.paper = ? AND e.type = ? ORDER BY 1",
}
_BETWEEN = """
SELECT r.relation, h.label, t.label, s.text, r.paper FROM relations r JOIN entities h ON h.entity = r.head JOIN entities t ON t.entity = r.tail
LEFT JOIN sentences s ON s.paper = r.paper AND s.sentence = r.sentence
WHERE (r.head = $a AND r.tail = $b) OR (r.head = $b AND r.tail = $a) ORDER BY r.relation, r.confidence DESC, r.paper
"""
_RESULTS = """
SELECT coalesce(d.label, r.dataset_text) AS dataset, coalesce(m.label, r.metric_text) AS metric,
    list(DISTINCT r.value || ' [' || r.paper || ']' ORDER BY r.value || ' [' || r.paper || ']') FILTER (r.subject = $a) AS a,
    list(DISTINCT r.value || ' [' || r.paper || ']' ORDER BY r.value || ' [' || r.paper || ']') FILTER (r.subject = $b) AS b
FROM results r LEFT JOIN entities d ON d.entity = r.dataset LEFT JOIN entities m ON m.entity = r.metric
WHERE r.subject IN ($a, $b) AND r.kind = 'absolute' GROUP BY 1, 2 HAVING len(a) > 0 OR len(b) > 0 ORDER BY len(a) > 0 AND len(b) > 0 DESC, 1, 2
"""
_MOST = 12


def compare(connection: "duckdb.DuckDBPyConnection", a: str, b: str) -> Frame:
    """Two entities or two papers: facts, roles, what only one or both are linked with, relations between them, reported results.

    Columns: aspect, the two names, both. Raises UnknownNameError with the nearest names, KgError when one is a paper and the other an entity,
    and when they are the same.
    """
    (kind, first), (other, second) = thing(connection, a), thing(connection, b)
    if kind != other:
        raise KgError(
            f"{a!r} is a{'n' if kind == 'entity' else ''} {kind} and {b!r} a{'n' if other == 'entity' else ''} {other}", hint="compare like with like"
        )
    if first == second:
        raise KgError(f"{a!r} and {b!r} are one {kind} ({first})", hint=f"kg show {first!r} shows it")
    facts = [_fact(connection, kind, identifier) for identifier in (first, second)]
    rows: list[tuple[Any, ...]] = [(name, value, facts[1][name], None) for name, value in facts[0].items()]
    if kind == "entity":
        rows += _roles(connection, first, second)
    rows += [_around(connection, kind, first, second, str(of)) for of in EntityType]
    if kind == "entity":
        rows += [
            (f"{relation}", None, None, f"{h} {relation} {t}: {text} [{paper}]")
            for relation, h, t, text, paper in _run(connection, _BETWEEN, first, second)
        ]
        rows += [(f"{metric or 'result'} on {dataset or '?'}", x, y, None) for dataset, metric, x, y in _run(connection, _RESULTS, first, second)]
    heads = [str(next(iter(fact.values()))) for fact in facts]
    heads[1] += " (2)" if heads[0] == heads[1] else ""
    return Frame(("aspect", *heads, "both"), tuple(rows))


def _fact(connection: "duckdb.DuckDBPyConnection", kind: str, identifier: str) -> dict[str, Any]:
    return next(iter(Frame.of(connection, _FACTS[kind], [identifier])))


def _roles(connection: "duckdb.DuckDBPyConnection", a: str, b: str) -> list[tuple[Any, ...]]:
    counts = [dict(connection.execute(_ROLES, [entity]).fetchall()) for entity in (a, b)]
    common = connection.execute("SELECT count(*) FROM links x JOIN links y USING (paper) WHERE x.entity = ? AND y.entity = ?", [a, b]).fetchall()[0][
        0
    ]
    return [*((f"{role} in papers", *(count.get(role, 0) for count in counts), None) for role in Role), ("papers with both", None, None, common)]


def _around(connection: "duckdb.DuckDBPyConnection", kind: str, a: str, b: str, of: str) -> tuple[Any, ...]:
    x, y = (dict(connection.execute(_AROUND[kind], [identifier, of]).fetchall()) for identifier in (a, b))
    shared = sorted(x.keys() & y.keys(), key=lambda label: (-min(x[label], y[label]), label))
    return (f"{of.lower()}s", _cut([label for label in x if label not in y]), _cut([label for label in y if label not in x]), _cut(shared))


def _cut(labels: Sequence[str]) -> list[str]:
    return [*labels[:_MOST], *([f"and {len(labels) - _MOST} more"] if len(labels) > _MOST else [])]


def _run(connection: "duckdb.DuckDBPyConnection", query: str, a: str, b: str) -> list[tuple[Any, ...]]:
    return connection.execute(query, {"a": a, "b": b}).fetchall()

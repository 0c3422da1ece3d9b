"""The card of one entity or paper of a build."""

from typing import TYPE_CHECKING, Any

from kg.errors import UnknownNameError
from kg.nearest import nearest
from kg.resolve.decisions import Decision
from kg.surface import key

if TYPE_CHECKING:
    import duckdb

_BY_ROLE = "list_position(['proposed', 'evaluated', 'compared', 'used', 'mentioned'], l.role)"


def entity_id(connection: "duckdb.DuckDBPyConnection", name: str) -> str:
    """The id of the entity that a user names: by id, redirect, label or alias; the one in most papers when several fit.

    Raises UnknownNameError, with the nearest names as the hint.
    """
    name = name.encode("utf-8", "replace").decode()
    row = connection.execute(
        """SELECT coalesce((SELECT any_value(new) FROM redirects WHERE old = ?1), e.entity) FROM entities e WHERE e.entity = ?1
        UNION ALL SELECT new FROM redirects WHERE old = ?1 LIMIT 1""",
        [name],
    ).fetchone()
    if row:
        return str(row[0])
    rows = connection.execute(
        """SELECT e.entity, a.surface, e.papers FROM entities e JOIN aliases a USING (entity)
        UNION SELECT entity, label, papers FROM entities ORDER BY ALL"""
    ).fetchall()
    wanted = key(name)
    exact = [(-papers, entity) for entity, surface, papers in rows if surface == name]
    fitting = exact or [(-papers, entity) for entity, surface, papers in rows if key(surface) == wanted]
    if fitting:
        return str(min(fitting)[1])
    hint = nearest(name, (surface for _, surface, _ in rows))
    raise UnknownNameError(f"no entity is called {name!r}", hint=hint)


def entity_card(connection: "duckdb.DuckDBPyConnection", entity: str) -> dict[str, Any]:
    """All that a build knows of an entity: names, family, papers by role with their sentences, relations, results, reasons of its merges."""
    label, kind, also, expansion, urls, papers, mentions = connection.execute(
        "SELECT label, type, also, expansion, urls, papers, mentions FROM entities WHERE entity = ?", [entity]
    ).fetchall()[0]
    return {
        "id": entity,
        "label": label,
        "type": kind,
        "also": also,
        "expansion": expansion,
        "urls": urls,
        "papers": papers,
        "mentions": mentions,
        "aliases": _rows(connection, "SELECT surface, papers FROM aliases WHERE entity = ? ORDER BY papers DESC, surface", entity),
        "family": _rows(connection, "SELECT parent, reason FROM families WHERE entity = ? ORDER BY ALL", entity),
        "variants": [row["entity"] for row in _rows(connection, "SELECT entity FROM families WHERE parent = ? ORDER BY ALL", entity)],
        "links": _rows(
            connection,
            f"""SELECT l.paper, p.label, l.role, l.confidence, l.extractor, s.text AS sentence, l.start, l."end"
            FROM links l JOIN papers p USING (paper) JOIN sentences s ON s.paper = l.paper AND s.sentence = l.sentence WHERE l.entity = ?
            ORDER BY {_BY_ROLE}, l.confidence DESC, l.paper""",
            entity,
        ),
        "relations": _rows(
            connection,
            "SELECT head, relation, tail, paper, confidence FROM relations WHERE ?1 IN (head, tail) ORDER BY relation, head, tail, paper",
            entity,
        ),
        "merges": [
            row | {"undo": Decision("different", row["surface_a"], row["surface_b"]).line.rstrip("\t")}
            for row in _rows(
                connection,
                "SELECT surface_a, surface_b, reason, paper FROM merges WHERE entity = ? ORDER BY paper <> '', surface_a, surface_b, reason",
                entity,
            )
        ],
    }


def paper_id(connection: "duckdb.DuckDBPyConnection", name: str) -> str | None:
    """The id of the paper whose id, label or title is `name`; None when there is no such paper, or several.

    A label or title is compared without regard to case.
    """
    name = name.encode("utf-8", "replace").decode()
    rows = connection.execute(
        "SELECT paper FROM papers WHERE paper = ?1 UNION SELECT paper FROM papers WHERE lower(?1) IN (lower(label), lower(title))", [name]
    ).fetchall()
    return str(rows[0][0]) if len(rows) == 1 else None


def paper_card(connection: "duckdb.DuckDBPyConnection", paper: str) -> dict[str, Any]:
    """All that a build knows of a paper: what is printed about it, its entities by role with their sentences, relations, results."""
    row = _rows(connection, "SELECT paper AS id, label, title, authors, year, venue, url, language FROM papers WHERE paper = ?", paper)[0]
    return row | {
        "links": _rows(
            connection,
            f"""SELECT l.entity, e.label, e.type, l.role, l.confidence, s.text AS sentence, l.start, l."end"
            FROM links l JOIN entities e USING (entity) JOIN sentences s ON s.paper = l.paper AND s.sentence = l.sentence WHERE l.paper = ?
            ORDER BY {_BY_ROLE}, l.confidence DESC, l.entity""",
            paper,
        ),
        "relations": _rows(connection, "SELECT head, relation, tail, confidence FROM relations WHERE paper = ? ORDER BY ALL", paper),
        "results": _rows(
            connection,
            """SELECT r.value, coalesce(m.label, r.metric_text) AS metric, coalesce(b.label, r.subject_text) AS subject,
            coalesce(d.label, r.dataset_text) AS dataset, coalesce(c.label, r.comparator_text) AS comparator, s.text AS sentence
            FROM results r JOIN sentences s ON s.paper = r.paper AND s.sentence = r.sentence
            LEFT JOIN entities m ON m.entity = r.metric LEFT JOIN entities b ON b.entity = r.subject
            LEFT JOIN entities d ON d.entity = r.dataset LEFT JOIN entities c ON c.entity = r.comparator WHERE r.paper = ? ORDER BY r.n""",
            paper,
        ),
    }


def _rows(connection: "duckdb.DuckDBPyConnection", sql: str, *values: str) -> list[dict[str, Any]]:
    found = connection.execute(sql, list(values))
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

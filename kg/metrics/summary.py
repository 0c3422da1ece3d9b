"""Measures of the whole graph."""

from typing import TYPE_CHECKING, Any

from kg.frame import Frame
from kg.model import EntityType

if TYPE_CHECKING:
    import duckdb

_MIXING = {
    "relations": """SELECT h.type, t.type, count(*) FROM (SELECT DISTINCT head, tail FROM relations WHERE head <> tail) r
        JOIN entities h ON h.entity = r.head JOIN entities t ON t.entity = r.tail GROUP BY ALL ORDER BY ALL""",
    "co-occurrence": """SELECT x.type, y.type, count(*) FROM links a JOIN links b ON a.paper = b.paper AND a.entity <> b.entity
        JOIN entities x ON x.entity = a.entity JOIN entities y ON y.entity = b.entity GROUP BY ALL ORDER BY ALL""",
}

_DEGREES = """
WITH degrees AS (
    SELECT 'paper' AS kind, count(l.entity) AS degree FROM papers p LEFT JOIN links l USING (paper) GROUP BY p.paper
    UNION ALL SELECT lower(e.type), count(l.paper) FROM entities e LEFT JOIN links l USING (entity) GROUP BY e.entity, e.type
) SELECT kind, degree, count(*) AS nodes FROM degrees GROUP BY kind, degree ORDER BY kind, degree
"""


def summary(connection: "duckdb.DuckDBPyConnection", measured: Frame | None = None) -> dict[str, Any]:
    """Counts, density, assortativity by type and, when `measured` (of measures.measure) is given, components, communities and cores.

    Densities are shares of the possible pairs: of paper and entity (`density`, and by type `density_dataset` …), and of two entities in any
    direction (`density_relations`).
    """
    count = {
        name: connection.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in ("papers", "entities", "links", "relations", "results")
    }
    by_type = dict(connection.execute("SELECT type, count(*) FROM entities GROUP BY type").fetchall())
    links = dict(connection.execute("SELECT e.type, count(*) FROM links l JOIN entities e USING (entity) GROUP BY e.type").fetchall())
    tied = connection.execute("SELECT count(*) FROM (SELECT DISTINCT head, tail FROM relations)").fetchall()[0][0]
    found: dict[str, Any] = {**count, **{f"{kind.lower()}s": by_type.get(kind, 0) for kind in EntityType}}
    found["density"] = _ratio(count["links"], count["papers"] * count["entities"])
    found |= {f"density_{kind.lower()}": _ratio(links.get(kind, 0), count["papers"] * by_type.get(kind, 0)) for kind in EntityType}
    found["density_relations"] = _ratio(tied, count["entities"] * (count["entities"] - 1))
    found["links_per_paper"] = _ratio(count["links"], count["papers"])
    found |= {f"assortativity_{name}": assortativity(mixing(connection, name)) for name in _MIXING}
    return found | (_structure(measured) if measured is not None else {})


def _structure(measured: Frame) -> dict[str, Any]:
    component, community, core = (measured.column(name) for name in ("component", "community", "core"))
    return {
        "components": len(set(component)),
        "largest_component": component.count(0),
        "communities": len({c for c, degree in zip(community, measured.column("degree"), strict=True) if degree}),
        "largest_core": max(core, default=0),
    }


def mixing(connection: "duckdb.DuckDBPyConnection", over: str = "relations") -> Frame:
    """How often a type meets a type: `over` "relations" (head to tail) or "co-occurrence" (both in a paper)."""
    found = connection.execute(_MIXING[over]).fetchall()
    counts = {(a, b): n for a, b, n in found}
    kinds = tuple(str(kind) for kind in EntityType)
    return Frame(("type", *(kind.lower() for kind in kinds)), tuple((a.lower(), *(counts.get((a, b), 0) for b in kinds)) for a in kinds))


def assortativity(mixed: Frame) -> float | None:
    """Newman's coefficient of a mixing table: 1 when like meets only like, 0 when types do not matter; None without edges.

    Newman, "Mixing patterns in networks" (2003), equation 2.

    >>> assortativity(Frame(("type", "a", "b"), (("a", 3, 0), ("b", 0, 5))))
    1.0
    """
    table = [[*map(int, row[1:])] for row in mixed.rows]
    total = sum(map(sum, table))
    if not total:
        return None
    trace = sum(table[i][i] for i in range(len(table))) / total
    chance = sum(sum(table[i]) * sum(row[i] for row in table) for i in range(len(table))) / total**2
    return round((trace - chance) / (1 - chance), 4) if chance < 1 else 1.0


def degree_distribution(connection: "duckdb.DuckDBPyConnection") -> Frame:
    """How many papers have so many entities, and how many entities of each type are in so many papers: kind, degree, nodes."""
    return Frame.of(connection, _DEGREES)


def community_names(measured: Frame, *, top: int = 12, names: int = 4) -> Frame:
    """The largest communities, each named by its most central entities: community, nodes, papers, name."""
    members: dict[int, list[dict[str, Any]]] = {}
    for row in measured:
        members.setdefault(row["community"], []).append(row)
    rows = []
    for community in sorted(members)[:top]:
        here = members[community]
        entities = [row for row in here if row["kind"] != "paper"]
        if len(here) > 1 and entities:
            rows.append((community, len(here), len(here) - len(entities), ", ".join(row["label"] for row in entities[:names])))
    return Frame(("community", "nodes", "papers", "name"), tuple(rows))


def _ratio(part: int, whole: int) -> float:
    return float(f"{part / whole:.6g}") if whole else 0.0

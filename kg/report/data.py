"""The numbers of the report, each a Frame: what is charted, and what its CSV holds."""

from math import log
from typing import TYPE_CHECKING, Any

from kg.frame import Frame
from kg.model import EntityType, Role

if TYPE_CHECKING:
    import duckdb

_ROLE_COUNTS = ", ".join(f"count(*) FILTER (l.role = '{role}') AS {role}" for role in Role)

_MOST_USED = f"""
SELECT e.label, {_ROLE_COUNTS}, count(*) AS papers, e.entity FROM links l JOIN entities e USING (entity) WHERE e.type = $kind
GROUP BY e.entity, e.label ORDER BY papers DESC, e.entity LIMIT $top
"""
_YEARS = "SELECT year, count(*) AS papers FROM papers WHERE year IS NOT NULL GROUP BY year ORDER BY year"
_CONFIDENCE = """
SELECT least(floor(confidence * 20) / 20, 0.95) AS at_least, count(*) AS links FROM links GROUP BY 1 ORDER BY 1
"""
_EXTRACTORS = """
SELECT extractor, count(*) AS links, round(avg(CAST(confidence AS DECIMAL(9, 3))), 3) AS mean_confidence FROM links
GROUP BY extractor ORDER BY links DESC, extractor
"""
_SOURCES = """
SELECT coalesce(s.source, p.source) AS source, coalesce(s.format, '') AS format, s.records, coalesce(p.papers, 0) AS papers,
    coalesce(s.unread, 0) AS unread
FROM sources s FULL JOIN (SELECT source, count(DISTINCT paper) AS papers FROM places GROUP BY source) p USING (source) ORDER BY source
"""
_YEARLY = """
SELECT l.entity, e.label, lower(e.type) AS kind, p.year, count(*) AS papers FROM links l JOIN papers p USING (paper) JOIN entities e USING (entity)
WHERE p.year >= $first AND l.entity IN (
    SELECT l.entity FROM links l JOIN papers p USING (paper) WHERE p.year >= $first GROUP BY l.entity HAVING count(*) >= $least
) GROUP BY ALL ORDER BY l.entity, p.year
"""
_RESULTS = """
SELECT r.dataset, d.label AS dataset_label, coalesce(m.label, r.metric_text) AS metric, coalesce(s.label, r.subject_text) AS subject, r.value,
    r.low, r.higher_is_better, p.year, p.label AS paper, p.url, r.confidence, count(DISTINCT r.paper) OVER (PARTITION BY r.dataset) AS of_dataset
FROM results r JOIN entities d ON d.entity = r.dataset LEFT JOIN entities m ON m.entity = r.metric LEFT JOIN entities s ON s.entity = r.subject
JOIN papers p USING (paper) WHERE r.kind = 'absolute' AND coalesce(s.label, r.subject_text) <> ''
ORDER BY of_dataset DESC, r.dataset, metric, CASE WHEN r.higher_is_better IS FALSE THEN r.low ELSE -r.low END, subject, r.paper, r.n
"""


def most_used(connection: "duckdb.DuckDBPyConnection", kind: EntityType, top: int = 12) -> Frame:
    """The entities of a type in most papers: label, a count for each role, papers, entity."""
    return Frame.of(connection, _MOST_USED, {"kind": str(kind), "top": top})


def years(connection: "duckdb.DuckDBPyConnection") -> Frame:
    """Papers a year."""
    return Frame.of(connection, _YEARS)


def confidence(connection: "duckdb.DuckDBPyConnection") -> Frame:
    """Links by confidence, in steps of 0.05: at_least, links; steps without links are there too."""
    counts = {round(float(low), 2): links for low, links in Frame.of(connection, _CONFIDENCE).rows}
    return Frame(("at_least", "links"), tuple((step / 20, counts.get(round(step / 20, 2), 0)) for step in range(20)))


def extractors(connection: "duckdb.DuckDBPyConnection") -> Frame:
    """Links by what found them: extractor, links, mean_confidence."""
    found = Frame.of(connection, _EXTRACTORS)
    return Frame(found.columns, tuple((name, links, float(mean)) for name, links, mean in found.rows))


def sources(connection: "duckdb.DuckDBPyConnection") -> Frame:
    """The files read: source, format, records, papers, unread."""
    return Frame.of(connection, _SOURCES)


def trends(connection: "duckdb.DuckDBPyConnection", top: int = 6) -> Frame:
    """What rises and what fades, as its share of each year's papers: label, kind, direction, change, year, papers, share.

    `change` is the base-2 logarithm of the share in the later half of the years over that in the earlier half, one paper added to each so that
    rare things do not win. Entities in a few papers alone are left out; nothing comes of fewer than three years.
    """
    totals = _usual_years(dict(years(connection).rows))
    if len(totals) < 3:
        return Frame(("label", "kind", "direction", "change", "year", "papers", "share"), ())
    span = list(range(min(totals), max(totals) + 1))
    late = _later_half(totals)
    of_late, of_early = sum(totals[year] for year in totals if year in late), sum(totals[year] for year in totals if year not in late)
    least = max(4, sum(totals.values()) // 400)
    counts: dict[tuple[str, str, str], dict[int, int]] = {}
    for entity, label, kind, year, papers in Frame.of(connection, _YEARLY, {"least": least, "first": min(totals)}).rows:
        counts.setdefault((entity, label, kind), {})[year] = papers
    changes = []
    for who, by_year in counts.items():
        recent = sum(papers for year, papers in by_year.items() if year in late)
        early = sum(by_year.values()) - recent
        changes.append((round(log((recent + 1) / (of_late + 1) * (of_early + 1) / (early + 1), 2), 3), who))
    rising = sorted((change for change in changes if change[0] > 0), key=lambda change: (-change[0], change[1]))[:top]
    fading = sorted((change for change in changes if change[0] < 0), key=lambda change: (change[0], change[1]))[:top]
    rows = [
        (
            who[1],
            who[2],
            direction,
            change,
            year,
            counts[who].get(year, 0),
            round(counts[who].get(year, 0) / totals[year], 5) if year in totals else 0.0,
        )
        for direction, chosen in (("rising", rising), ("fading", fading))
        for change, who in chosen
        for year in span
    ]
    return Frame(("label", "kind", "direction", "change", "year", "papers", "share"), tuple(rows))


def _usual_years(totals: dict[int, int]) -> dict[int, int]:
    """The years without the first few that hold a twentieth of the papers: shares of a handful of papers say nothing."""
    enough, seen, kept = sum(totals.values()) / 20, 0, {}
    for year in sorted(totals):
        seen += totals[year]
        if seen > enough:
            kept[year] = totals[year]
    return kept


def _later_half(totals: dict[int, int]) -> set[int]:
    """The last years, from the one on that leaves about half of the papers before it; never all and never none."""
    ordered, seen, half = sorted(totals), 0, sum(totals.values()) / 2
    for place, year in enumerate(ordered):
        if place and seen >= half:
            return set(ordered[place:])
        seen += totals[year]
    return set(ordered[-1:])


def gaps(connection: "duckdb.DuckDBPyConnection", top: int = 14, among: int = 80) -> Frame:
    """Methods and datasets that no paper has together although much of their company is the same: method, dataset, score, through.

    Among the `among` of each in most papers. The score adds, over every entity that both have met, 1 / log of the number of its papers: Adamic
    and Adar, "Friends and neighbors on the Web" (2003). `through` names the rarest three of them. Variants count as their family.
    """
    import numpy as np
    from scipy import sparse

    entities = connection.execute("SELECT entity, label, type FROM entities WHERE papers > 0 ORDER BY papers DESC, entity").fetchall()
    number = {row[0]: place for place, row in enumerate(entities)}
    pairs = connection.execute("SELECT entity, dense_rank() OVER (ORDER BY paper) - 1 FROM links ORDER BY ALL").fetchall()
    if not pairs:
        return Frame(("method", "dataset", "score", "through"), ())
    places = np.array([number[entity] for entity, _ in pairs]), np.array([paper for _, paper in pairs])
    held = sparse.csr_array((np.ones(len(pairs)), places), shape=(len(entities), int(places[1].max()) + 1))
    papers = held.sum(axis=1)
    weight = np.where(papers > 1, 1 / np.log(np.maximum(papers, 2)), 0)
    ends = [[place for place, row in enumerate(entities) if row[2] == kind][:among] for kind in (EntityType.METHOD, EntityType.DATASET)]
    met = [(held[end] @ held.T).toarray() > 0 for end in ends]
    together = (held[ends[0]] @ held[ends[1]].T).toarray()
    score = np.where(together == 0, (met[0] * weight) @ met[1].T, 0)
    kin = _kin(connection)
    rows: list[tuple[Any, ...]] = []
    for place in np.argsort(-score.round(6), axis=None, kind="stable").tolist():
        m, d = divmod(place, len(ends[1]))
        if len(rows) == top or score[m, d] <= 0:
            break
        method, dataset = entities[ends[0][m]], entities[ends[1][d]]
        if _met_in_family(kin, method[0], dataset[0], held, number):
            continue
        shared = np.flatnonzero(met[0][m] & met[1][d])
        through = [entities[n][1] for n in sorted(shared.tolist(), key=lambda n: (papers[n] < 2, papers[n], n))[:3]]
        rows.append((method[1], dataset[1], round(float(score[m, d]), 3), through))
    return Frame(("method", "dataset", "score", "through"), tuple(rows))


def _kin(connection: "duckdb.DuckDBPyConnection") -> dict[str, set[str]]:
    kin: dict[str, set[str]] = {}
    for entity, parent in connection.execute("SELECT entity, parent FROM families ORDER BY ALL").fetchall():
        kin.setdefault(entity, set()).add(parent)
        kin.setdefault(parent, set()).add(entity)
    return kin


def _met_in_family(kin: dict[str, set[str]], a: str, b: str, held: Any, number: dict[str, int]) -> bool:
    """Whether a relative of one has met the other or a relative of it."""
    mine, theirs = ([number[name] for name in {one, *kin.get(one, ())} if name in number] for one in (a, b))
    return bool((held[mine] @ held[theirs].T).sum() > 0)


def results(connection: "duckdb.DuckDBPyConnection", datasets: int = 6, rows: int = 8) -> list[tuple[str, Frame]]:
    """The datasets with most reported results, each with its best by metric: metric, subject, value, year, paper, url, confidence."""
    tables: dict[str, list[tuple[Any, ...]]] = {}
    for row in Frame.of(connection, _RESULTS):
        name = row["dataset_label"]
        if name not in tables and len(tables) == datasets:
            break
        tables.setdefault(name, []).append(tuple(row[column] for column in ("metric", "subject", "value", "year", "paper", "url", "confidence")))
    return [
        (name, Frame(("metric", "subject", "value", "year", "paper", "url", "confidence"), tuple(found[:rows]))) for name, found in tables.items()
    ]

"""Reported numbers across papers: what was claimed, by whom, in which sentence. Nothing is ranked: papers differ in how they measure."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kg.errors import KgError
from kg.find import family, named
from kg.frame import Frame

if TYPE_CHECKING:
    import duckdb

PLACES = ("subject", "metric", "dataset", "comparator")
"""What of a result a name may ask for."""

_SQL = """
SELECT r.paper, p.label AS title, p.year, coalesce(s.label, r.subject_text) AS subject, coalesce(m.label, r.metric_text) AS metric, r.value, r.kind,
    r.low, r.high, r.before, r.unit, r.higher_is_better, coalesce(d.label, r.dataset_text) AS dataset,
    coalesce(c.label, r.comparator_text) AS comparator, r.confidence, t.text AS sentence
FROM results r JOIN papers p USING (paper)
LEFT JOIN entities s ON s.entity = r.subject LEFT JOIN entities m ON m.entity = r.metric
LEFT JOIN entities d ON d.entity = r.dataset LEFT JOIN entities c ON c.entity = r.comparator
LEFT JOIN sentences t ON t.paper = r.paper AND t.sentence = r.sentence
WHERE r.confidence >= $least {wanted}
ORDER BY p.year DESC NULLS LAST, r.paper, r.n
"""


def claims(connection: "duckdb.DuckDBPyConnection", names: Mapping[str, str] | None = None, *, exact: bool = False, least: float = 0.0) -> Frame:
    """The reported numbers of a build, newest paper first and in the order of the text.

    `names` are names by place ("subject", "metric", "dataset", "comparator"); each stands for its variants too unless `exact`. A metric that
    no entity bears is compared with the words of the result. `least` is the smallest confidence, in [0, 1].

    Returns a row for each number: paper, title, year, subject, metric, value (verbatim), kind, low, high, before, unit, higher_is_better,
    dataset, comparator, confidence, sentence. Raises UnknownNameError with the nearest names, KgError for another place than those four.
    """
    wanted = []
    parameters: dict[str, object] = {"least": least}
    for place, name in sorted((names or {}).items()):
        if place not in PLACES:
            raise KgError(f"a result has no {place!r}", hint="use one of " + ", ".join(PLACES))
        if place == "metric" and _worded(connection, name):
            wanted.append("AND r.metric IS NULL AND lower(r.metric_text) = lower($metric)")
            parameters["metric"] = name
            continue
        entity = named(connection, name, place if place in {"metric", "dataset"} else "any")
        wanted.append(f"AND r.{place} IN (SELECT unnest(${place}))")
        parameters[place] = [entity] if exact else family(connection, entity)
    return Frame.of(connection, _SQL.format(wanted=" ".join(wanted)), parameters)


def _worded(connection: "duckdb.DuckDBPyConnection", name: str) -> bool:
    """Whether a metric is known by the words of results alone."""
    return bool(
        connection.execute(
            """SELECT 1 FROM results WHERE metric IS NULL AND lower(metric_text) = lower(?1)
            AND NOT EXISTS (SELECT 1 FROM aliases JOIN entities USING (entity) WHERE type = 'Metric' AND lower(surface) = lower(?1)) LIMIT 1""",
            [name],
        ).fetchone()
    )

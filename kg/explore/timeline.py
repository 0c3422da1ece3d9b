"""An entity through the years."""

from typing import TYPE_CHECKING

from kg.find import family, named
from kg.frame import Frame
from kg.model import Role

if TYPE_CHECKING:
    import duckdb

_RANK = "list_position([" + ", ".join(f"'{role}'" for role in Role) + "], l.role)"
_COUNTS = ", ".join(f"count(*) FILTER (u.role = '{role}') AS {role}" for role in Role)
_ROLES = ", ".join(f"coalesce(c.{role}, 0) AS {role}" for role in Role)

_QUERY = f"""
WITH years AS (SELECT year, count(*) AS papers FROM papers WHERE year IS NOT NULL GROUP BY year),
used AS (SELECT l.paper, arg_min(l.role, {_RANK}) AS role FROM links l WHERE l.entity IN (SELECT unnest($members)) GROUP BY l.paper),
counted AS (SELECT p.year, count(*) AS papers, {_COUNTS} FROM used u JOIN papers p USING (paper) WHERE p.year IS NOT NULL GROUP BY p.year)
SELECT y.year, coalesce(c.papers, 0) AS papers, round(coalesce(c.papers, 0) / y.papers, 5) AS share, {_ROLES}, y.papers AS of_papers
FROM years y LEFT JOIN counted c USING (year)
WHERE y.year >= (SELECT min(year) FROM counted) ORDER BY y.year
"""


def timeline(connection: "duckdb.DuckDBPyConnection", name: str, *, exact: bool = False) -> Frame:
    """Papers of each year that link an entity or, unless `exact`, one of its variants; from the first such year on.

    Columns: year, papers, share (of that year's papers), a count for each role (the strongest of the family's), of_papers (all papers of the year).
    Raises UnknownNameError with the nearest names.
    """
    entity = named(connection, name)
    return Frame.of(connection, _QUERY, {"members": [entity] if exact else family(connection, entity)})

"""Papers by what they do with which entities, each with the sentence that shows it."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kg.errors import KgError, UnknownNameError
from kg.frame import Frame
from kg.model import EntityType, Role
from kg.show import entity_id

if TYPE_CHECKING:
    import duckdb

_SPAN = re.compile(r"(\d{4})?\s*(\.\.|-)?\s*(\d{4})?")
_RANK = "list_position([" + ", ".join(f"'{role}'" for role in Role) + "], l.role)"

_FAMILY = """
WITH RECURSIVE family(entity) AS (
    SELECT ? UNION SELECT f.entity FROM families f JOIN family ON f.parent = family.entity
) SELECT entity FROM family ORDER BY entity
"""

_PAPERS = """
SELECT p.paper, p.label AS title, p.year, p.venue, p.url, e.entity, e.label AS name, lower(e.type) AS kind, l.role, l.confidence, t.text AS evidence,
    l.inner_start AS mark_start, l.inner_end AS mark_end
FROM (
    SELECT l.*, w.place, row_number() OVER (PARTITION BY l.paper, w.place ORDER BY {rank}, l.confidence DESC, l.entity) AS best
    FROM links l JOIN wanted w USING (entity) WHERE l.role IN (SELECT unnest($roles))
) l JOIN papers p USING (paper) JOIN entities e USING (entity) LEFT JOIN sentences t ON t.paper = l.paper AND t.sentence = l.sentence
WHERE l.best = 1 AND ($first IS NULL OR p.year >= $first) AND ($last IS NULL OR p.year <= $last)
    AND ($venue = '' OR contains(lower(p.venue), lower($venue)))
QUALIFY count(*) OVER (PARTITION BY p.paper) = $places
ORDER BY p.year DESC NULLS LAST, p.paper, l.place
"""


def find(
    connection: "duckdb.DuckDBPyConnection",
    names: Mapping[str, Sequence[str]] | None = None,
    *,
    roles: Sequence[str] = (),
    year: str = "",
    venue: str = "",
    exact: bool = False,
) -> Frame:
    """The papers that link every one of the named entities, newest first.

    `names` are names by type ("dataset", "model", …, or "any"); each stands for its variants too unless `exact`. `roles` are what a paper may do
    with each of them (none given: anything). `year` is "2024", "2022..2024", "2024.." or "..2020"; papers without a year fit none. `venue` is a
    part of the venue's name, in any case.

    Returns a row for each paper and name: paper, title, year, venue, url, entity, name, kind, role, confidence, evidence and, in that sentence,
    mark_start and mark_end of the mention. Raises UnknownNameError with the nearest names, KgError for a wrong year or when nothing is asked.
    """
    wanted = [(place, entity) for place, members in enumerate(_wanted(connection, names or {}, exact)) for entity in members]
    first, last = years(year)
    places = len({place for place, _ in wanted})
    if not wanted:
        raise KgError("nothing to look for", hint='name an entity: kg find --dataset GSM8K, or kg find --any "diffusion model"')
    parameters = {"roles": list(roles) or [str(role) for role in Role], "first": first, "last": last, "venue": venue, "places": places}
    values = ", ".join(f"({place}, $e{number})" for number, (place, _) in enumerate(wanted))
    parameters |= {f"e{number}": entity for number, (_, entity) in enumerate(wanted)}
    return Frame.of(connection, f"WITH wanted(place, entity) AS (VALUES {values}) " + _PAPERS.format(rank=_RANK), parameters)


def years(span: str) -> tuple[int | None, int | None]:
    """First and last year of a span.

    >>> years("2024.."), years("..2020"), years("2021"), years("2019..2021"), years("")
    ((2024, None), (None, 2020), (2021, 2021), (2019, 2021), (None, None))
    """
    match = _SPAN.fullmatch(span.strip())
    if not match or (match[2] and not (match[1] or match[3])):
        raise KgError(f"{span!r} is no span of years", hint="2024, 2022..2024, 2024.. or ..2020")
    first, dots, last = int(match[1]) if match[1] else None, match[2], int(match[3]) if match[3] else None
    return (first, last) if dots else (first, first)


def named(connection: "duckdb.DuckDBPyConnection", name: str, kind: str = "any") -> str:
    """The id of the entity that a name stands for, among those of a type when `kind` is one.

    Raises UnknownNameError with the nearest names; a name that only entities of another type have says so.
    """
    if kind == "any":
        return entity_id(connection, name)
    fitting = next((str(known) for known in EntityType if known.lower() == kind.lower()), "")
    row = connection.execute(
        """SELECT e.entity FROM entities e LEFT JOIN aliases a USING (entity) WHERE (e.type = ?2 OR e.also = ?2)
        AND (lower(e.entity) = lower(?1) OR lower(e.label) = lower(?1) OR lower(a.surface) = lower(?1)) ORDER BY e.papers DESC, e.entity LIMIT 1""",
        [name, fitting],
    ).fetchone()
    if row:
        return str(row[0])
    entity = entity_id(connection, name)
    label, found, also = connection.execute("SELECT label, type, also FROM entities WHERE entity = ?", [entity]).fetchall()[0]
    if fitting not in {found, also}:
        raise UnknownNameError(f"{label} is a {found.lower()}, not a {kind.lower()}", hint=f'--{found.lower()} "{label}"')
    return entity


def family(connection: "duckdb.DuckDBPyConnection", entity: str) -> list[str]:
    """An entity and all its variants, and theirs."""
    return [row[0] for row in connection.execute(_FAMILY, [entity]).fetchall()]


def _wanted(connection: "duckdb.DuckDBPyConnection", names: Mapping[str, Sequence[str]], exact: bool) -> list[list[Any]]:
    entities = [named(connection, name, kind) for kind, given in names.items() for name in given]
    return [[entity] if exact else family(connection, entity) for entity in entities]

"""Families: the version, size or part of a thing under the thing itself (LLaDA-8B-Instruct, LLaDA-8B, LLaDA).

A parent is found by taking one qualifier off the end of a name, never by a common beginning. It is kept when the build or the catalogue knows it,
or when two of the build's names share it; then it is made as an entity without papers of its own. The catalogue's own families come first.
"""

from typing import TYPE_CHECKING

from kg.resolve.keys import fill_slugs, loose_key, register

if TYPE_CHECKING:
    import duckdb

_SIZE = r"\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)?[BMKTbmkt]"
_QUALIFIER = (
    "instruct|chat|base|large|small|tiny|medium|mini|nano|micro|huge|giant|xl|xxl|xs|turbo|it|hf|pro|flash|lite|preview|thinking|uncased|cased|full|hard|plus"
    "|light|easy|dev|test|lite|verified|diamond|redux|instruction"
)
STEPS: tuple[tuple[str, str, str], ...] = (
    ("size", rf"^(.*[A-Za-z0-9)])[-_ ]{_SIZE}$", "Model|Dataset"),
    ("resolution", r"^(.*[A-Za-z0-9)])[-_ @(]*\d{2,4} ?[x×] ?\d{2,4}\)?$", "Model|Dataset"),
    ("variant", rf"^(.*[A-Za-z0-9.)])[-_ ](?i:{_QUALIFIER})$", "Model|Dataset"),
    ("size letter", r"^(.*[A-Za-z0-9)])-(?:Ti|XL|XXL|XS|[SBLHGTM])$", "Model"),
    ("patch size", r"^(.*[A-Za-z0-9])/\d{1,2}$", "Model"),
    ("cutoff", r"^(.*[A-Za-z])@(?:\d+|[kKNn])$", "Metric"),
    ("version", r"^(.*[A-Za-z)]{2,})[-_ ]?[vV]\.?\d+(?:\.\d+)*$", "Model|Dataset|Method"),
    ("version", r"^(.*[A-Za-z)]{2,})[-_ ]\d+(?:\.\d+)*[a-z]?$", "Model|Dataset|Metric"),
    ("version", r"^([A-Za-z]{3,})(?:\d+\.\d+|\d)$", "Model"),
    ("year", r"^([A-Z][A-Za-z]+)['’]?\d{2}(?:\d{2})?$", "Dataset"),
)
"""(what is taken off, the rule with the parent as its first group, the types that it holds for)."""

_PARENT = "CASE " + " ".join(
    f"WHEN regexp_matches(name, '{rule.replace(chr(39), chr(39) * 2)}') AND type IN ({', '.join(repr(t) for t in types.split('|'))}) "
    f"THEN {{'base': regexp_extract(name, '{rule.replace(chr(39), chr(39) * 2)}', 1), 'why': '{why}'}}"
    for why, rule, types in STEPS
) + " END"  # fmt: skip

_LABELS = "SELECT final AS entity, label AS name, type FROM ids JOIN keys k ON k.text = label WHERE k.named"

_HOMES = """
CREATE OR REPLACE TEMP TABLE homes AS
WITH named AS (
    SELECT DISTINCT u.own AS key, i.final, i.type, i.papers FROM units u JOIN ids i USING (top) LEFT JOIN keys k ON k.text = i.label
        WHERE k.loose = u.own OR u.is_named
), wanted AS (
    SELECT DISTINCT key, type FROM chain
), held AS (
    SELECT w.key, w.type, arg_max(n.final, (n.papers, n.final)) AS parent FROM wanted w JOIN named n USING (key)
    WHERE n.type = w.type OR ({'a': n.type, 'b': w.type} IN ({'a': 'Model', 'b': 'Method'}, {'a': 'Method', 'b': 'Model'})) GROUP BY ALL
), listed AS (
    SELECT w.key, w.type, c.id AS parent FROM wanted w JOIN catalogue_forms f USING (key) JOIN catalogue_rows c ON c.id = f.id
    WHERE c.type = w.type OR (c.type IN ('Model', 'Method') AND w.type IN ('Model', 'Method'))
), shared AS (
    SELECT key, type, arg_min(name, (step, name)) AS name FROM chain GROUP BY key, type HAVING count(DISTINCT entity) > 1
)
SELECT w.key, w.type, coalesce(h.parent, l.parent) AS parent, coalesce(h.parent, l.parent, s.name) AS name,
    h.parent IS NULL AND l.parent IS NULL AS new, h.parent IS NULL AND l.parent IS NOT NULL AS from_catalogue
FROM wanted w LEFT JOIN held h USING (key, type) LEFT JOIN listed l USING (key, type) LEFT JOIN shared s USING (key, type)
WHERE coalesce(h.parent, l.parent, s.name) IS NOT NULL
"""
"""The entity that each wanted parent is: one of the build, a row of the catalogue, or a new one that two names share."""

_NEW_PARENTS = """
INSERT INTO entities
SELECT DISTINCT ON (parent) parent, name, type, '', '', false, [], 0, 0 FROM homes WHERE new AND parent NOT IN (SELECT entity
    FROM entities) ORDER BY parent, type
"""

_PATTERNS = """
INSERT INTO families
WITH nearest AS (
    SELECT c.entity, arg_min(h.parent, c.step) AS parent, arg_min(c.why, c.step) AS why FROM chain c JOIN homes h USING (key, type)
    WHERE h.parent <> c.entity GROUP BY c.entity
)
SELECT entity, parent, 'its name without the ' || why FROM nearest WHERE entity NOT IN (SELECT entity FROM families) ORDER BY ALL
"""

_PARENT_PATTERNS = """
INSERT INTO families
WITH made AS (
    SELECT DISTINCT h.parent AS entity, c.step, c.entity AS child, c.type FROM homes h JOIN chain c USING (key, type) WHERE h.new
), above AS (
    SELECT m.entity, arg_min(h.parent, c.step) AS parent, arg_min(c.why, c.step) AS why FROM made m JOIN chain c ON c.entity = m.child
        AND c.step > m.step
    JOIN homes h ON h.key = c.key AND h.type = c.type WHERE h.parent <> m.entity GROUP BY m.entity
)
SELECT entity, parent, 'its name without the ' || why FROM above WHERE entity NOT IN (SELECT entity FROM families) ORDER BY ALL
"""

_FROM_CATALOGUE = """
INSERT INTO entities
SELECT c.id, c.name, c.type, c.also, '', true, list_filter(string_split(c.urls, ' '), lambda u: u <> ''), 0, 0 FROM catalogue_rows c
WHERE c.id IN (SELECT id FROM needed) AND c.id NOT IN (SELECT entity FROM entities) ORDER BY c.id
"""

_NEEDED = """
CREATE OR REPLACE TEMP TABLE needed AS
WITH RECURSIVE up AS (
    SELECT c.family AS id FROM catalogue_rows c WHERE c.family <> '' AND (c.id IN (SELECT final FROM ids WHERE known) OR c.id IN (SELECT parent
        FROM homes WHERE from_catalogue))
    UNION SELECT c.family FROM up JOIN catalogue_rows c ON c.id = up.id WHERE c.family <> ''
)
SELECT id FROM up UNION SELECT parent FROM homes WHERE from_catalogue
"""

_CATALOGUE_FAMILIES = """
INSERT INTO families SELECT c.id, c.family, 'the catalogue' FROM catalogue_rows c JOIN entities e ON e.entity = c.id AND e.catalogue
WHERE c.family <> '' ORDER BY ALL
"""


def steps_down(names: str) -> str:
    """The query of what remains of each name, qualifier by qualifier: entity, name, type, step, why and an empty key.

    `names` is a query with the columns entity, name and type.
    """
    return f"""
WITH RECURSIVE steps AS (
    SELECT entity, name, type, 0 AS step, '' AS why FROM ({names}) WHERE length(name) < 80
    UNION ALL
    SELECT entity, rtrim(cut.base, ' -_('), type, step + 1, cut.why FROM (SELECT entity, type, step, {_PARENT} AS cut FROM steps)
    WHERE cut IS NOT NULL AND length(rtrim(cut.base, ' -_(')) >= 2 AND step < 4
)
SELECT entity, name, type, step, why, ''::VARCHAR AS key FROM steps WHERE step > 0 AND regexp_matches(name, '^[A-Za-z0-9].*[A-Za-z]|^[A-Za-z]')
"""


def fill(connection: "duckdb.DuckDBPyConnection") -> None:
    """Fill the table of families from the entities' names and the catalogue, and add the parents that are called for.

    Works on the temporary tables that `kg.resolve.across.resolve` has made.
    """
    connection.execute(f"CREATE OR REPLACE TEMP TABLE chain AS {steps_down(_LABELS)}")
    bases = [name for (name,) in connection.execute("SELECT DISTINCT name FROM chain ORDER BY name").fetchall()]
    register(connection, "bases", {"name": bases, "key": [loose_key(name) for name in bases]})
    connection.execute("UPDATE chain SET key = b.key FROM bases b WHERE b.name = chain.name")
    connection.execute(_HOMES)
    fill_slugs(connection, "SELECT name FROM homes WHERE new")
    connection.execute("UPDATE homes SET parent = s.slug FROM slugs s WHERE homes.new AND s.name = homes.name")
    connection.execute("DELETE FROM homes WHERE new AND parent IN (SELECT entity FROM entities)")
    for statement in (_NEEDED, _FROM_CATALOGUE, _NEW_PARENTS, _CATALOGUE_FAMILIES, _PATTERNS, _PARENT_PATTERNS):
        connection.execute(statement)
    _cut_circles(connection)


def _cut_circles(connection: "duckdb.DuckDBPyConnection") -> None:
    """Forget the name-made step that closes a circle with the catalogue's."""
    rows = connection.execute("SELECT entity, parent, reason FROM families ORDER BY entity, parent").fetchall()
    parents = {entity: parent for entity, parent, _ in rows}
    for entity, _, reason in rows:
        seen, at = {entity}, parents.get(entity)
        while at is not None and at not in seen:
            seen.add(at)
            at = parents.get(at)
        if at == entity and reason != "the catalogue":
            parents.pop(entity)
            connection.execute("DELETE FROM families WHERE entity = ?", [entity])

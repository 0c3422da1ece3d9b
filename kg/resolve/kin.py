"""Which names can meet which in resolution: the keys that each name compares by, and the names that a change can reach through them.

A name is a row (name, expansion, catalogue) of the found layer. Two names that resolution compares, for whatever rule, share a key; more names may,
which costs time and changes nothing. So what is not reached from a change over shared keys stays as it is. Both are kept as hashes, quick to
follow; that two may be the same by chance does no more harm than a shared key.
"""

from typing import TYPE_CHECKING

from kg.resolve.across import HEADS
from kg.resolve.families import steps_down
from kg.resolve.keys import fill_keys, fill_slugs

if TYPE_CHECKING:
    import duckdb

_NAMES = "CREATE OR REPLACE TEMP TABLE kin_names AS SELECT DISTINCT name, expansion, catalogue FROM found WHERE {where}"

_CATALOGUE_NAMES = "INSERT INTO kin_names SELECT name, '', id FROM catalogue_rows"

_TEXTS = f"""
CREATE OR REPLACE TEMP TABLE kin_texts AS
WITH typed AS (
    SELECT DISTINCT name AS entity, name, type FROM kin_names, (VALUES ('Dataset'), ('Model'), ('Method'), ('Metric')) types(type)
    WHERE regexp_matches(name, '[0-9]|[A-Z]{{2}}|[a-z][A-Z]')
), rows AS (
    SELECT DISTINCT f.name, f.expansion, f.catalogue, s.surface FROM found f SEMI JOIN kin_names USING (name, expansion, catalogue)
    JOIN found_surfaces s USING (paper, k)
    WHERE f.expansion <> '' AND length(s.surface) BETWEEN 2 AND 15 AND NOT contains(s.surface, ' ')
)
SELECT name, expansion, catalogue, name AS text FROM kin_names
UNION SELECT name, expansion, catalogue, expansion FROM kin_names WHERE expansion <> ''
UNION SELECT name, expansion, catalogue, regexp_extract(name, '{HEADS}', 1) FROM kin_names WHERE contains(name, ' ') OR contains(name, '-')
UNION SELECT name, expansion, catalogue, word FROM (
    SELECT *, unnest(string_split(expansion, ' ')) AS word FROM kin_names WHERE regexp_matches(expansion, '[A-Z]'))
    WHERE word[:-2] = upper(word[:-2]) AND word[:-2] <> lower(word[:-2])
UNION SELECT name, expansion, catalogue, surface FROM rows
UNION SELECT k.name, k.expansion, k.catalogue, c.name FROM ({steps_down("SELECT * FROM typed")}) c JOIN kin_names k ON k.name = c.entity
"""
"""Every text by whose comparison key a name can be joined: itself, its expansion and the words of it that may be short forms, what is left without
a head noun or a qualifier, and the short forms in use beside an expansion."""

NAME = "hash(name, expansion, catalogue)"

_FILL = f"""
INSERT INTO kin
SELECT {NAME} AS name, hash(loose) AS key FROM kin_texts JOIN kin_keys USING (text)
UNION SELECT {NAME}, hash('c:' || catalogue) FROM kin_names WHERE catalogue <> ''
UNION SELECT hash(n.name, expansion, catalogue), hash('/' || slug) FROM kin_names n JOIN slugs USING (name)
EXCEPT FROM kin
"""

_FILL_CATALOGUE = """
INSERT INTO kin
SELECT hash(c.name, '', c.id), hash(f.key) FROM catalogue_rows c JOIN raw_forms f USING (id)
UNION SELECT hash(name, '', id), hash('c:' || family) FROM catalogue_rows WHERE family <> ''
"""


def fill(connection: "duckdb.DuckDBPyConnection") -> None:
    """Make `kin` anew for the whole build. Works on the temporary tables that `kg.resolve.across.resolve` has made."""
    connection.execute("DELETE FROM kin")
    connection.execute(_NAMES.format(where="true"))
    connection.execute(_CATALOGUE_NAMES)
    _add(connection)
    connection.execute(_FILL_CATALOGUE)


def extend(connection: "duckdb.DuckDBPyConnection") -> None:
    """Add the names of the papers in `changed` to `kin`."""
    connection.execute(_NAMES.format(where="paper IN (SELECT paper FROM changed)"))
    _add(connection)


def reach(connection: "duckdb.DuckDBPyConnection", seeds: str) -> None:
    """Make the temporary tables `reached(name)` and `reached_keys(key)`, hashes of all that hangs together with the keys (hashes) of a query."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE reached_keys AS SELECT DISTINCT key, 0 AS step FROM ({seeds})")
    connection.execute("CREATE OR REPLACE TEMP TABLE reached (name UBIGINT, step INTEGER)")
    step = 0
    while connection.execute("SELECT 1 FROM reached_keys WHERE step = ? LIMIT 1", [step]).fetchall():
        connection.execute(
            """INSERT INTO reached SELECT DISTINCT name, ? FROM kin SEMI JOIN (FROM reached_keys WHERE step = ?) USING (key)
            ANTI JOIN reached USING (name)""",
            [step, step],
        )
        connection.execute(
            """INSERT INTO reached_keys SELECT DISTINCT key, ? FROM kin SEMI JOIN (FROM reached WHERE step = ?) USING (name)
            ANTI JOIN reached_keys USING (key)""",
            [step + 1, step],
        )
        step += 1


def _add(connection: "duckdb.DuckDBPyConnection") -> None:
    connection.execute(_TEXTS)
    fill_keys(connection, "SELECT DISTINCT text FROM kin_texts", "kin_keys")
    fill_slugs(connection, "SELECT name FROM kin_names")
    connection.execute(_FILL)

"""Comparison keys inside the database: the same rule as `kg.surface.key`, and a looser one for names of different papers."""

from typing import TYPE_CHECKING

from kg.surface import slug

if TYPE_CHECKING:
    import duckdb

_DROPPED = r"[\s\-‐‑‒–—−/*_`$\\{}~^]+"
_SPELLINGS = (
    ("isation", "ization"), ("ising", "izing"), ("ised", "ized"), ("modell", "model"), ("labell", "label"), ("behaviour", "behavior"),
    ("colour", "color"), ("neighbour", "neighbor"), ("α", "alpha"), ("β", "beta"), ("γ", "gamma"), ("λ", "lambda"), ("ε", "epsilon"),
    ("σ", "sigma"), ("τ", "tau"), ("μ", "mu"), ("µ", "mu"), ("ρ", "rho"), ("θ", "theta"), ("π", "pi"), ("²", "2"), ("³", "3"),
    ("₁", "1"), ("₂", "2"), ("ℓ", "l"),
)  # fmt: skip
"""Spellings of one word, compared as the second: British and American, letters and their names."""


def add_macros(connection: "duckdb.DuckDBPyConnection") -> None:
    """Define the macros `name_key` (`kg.surface.key`), `loose_key`, `is_named`, `is_short`, `types_clash` and `slug_ascii` on a connection.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> add_macros(connection)
    >>> connection.execute("SELECT name_key('GSM-8Ks'), loose_key('SQuAD v1.1') = loose_key('SQuADv1.1'), is_short('DMs')").fetchone()
    ('gsm8k', True, True)
    """
    loose = "lower(s)"
    for british, american in _SPELLINGS:
        loose = f"replace({loose}, '{british}', '{american}')"
    spoken = "s"
    for sign, word in (("+", " plus "), ("#", " sharp "), ("*", " star "), ("&", " and "), ("@", " at "), ("%", " percent ")):
        spoken = f"replace({spoken}, '{sign}', '{word}')"
    for macro in (
        """singular_end(w) AS CASE WHEN length(w) > 4 AND w LIKE '%ies' THEN w[:-4] || 'y'
            WHEN length(w) > 3 AND w LIKE '%s' AND NOT w LIKE '%ss' THEN w[:-2] ELSE w END""",
        f"""name_key(s) AS singular_end(regexp_replace(replace(replace(lower(regexp_replace(trim(s), '^(?:the|a|an)\\s+', '', 'i')), '×', 'x'),
            '’', ''''), '{_DROPPED}', '', 'g'))""",
        f"""loose_key(s) AS name_key(regexp_replace(regexp_replace({loose}, '([a-z]{{3}}|[\\s-])v\\.?(\\d)', '\\1\\2', 'g'), '[''’](\\d)', '\\1', 'g'))""",
        "is_named(s) AS regexp_matches(s, '[0-9]|[A-Z]{2}|[a-z][A-Z]')",
        "is_short(s) AS NOT contains(s, ' ') AND length(s) BETWEEN 2 AND 15 AND regexp_matches(s, '[A-Z].*[A-Z]|[A-Z].*[0-9]|[0-9].*[A-Z]|[a-z][A-Z]')",
        """types_clash(a, b) AS a <> b AND ('Dataset' IN (a, b) OR ('Model' IN (a, b) AND ('Task' IN (a, b) OR 'Metric' IN (a, b)))
            OR ('Metric' IN (a, b) AND 'Task' IN (a, b)))""",
        f"slug_ascii(s) AS trim(regexp_replace(lower({spoken}), '[^a-z0-9]+', '-', 'g'), '-')",
    ):
        connection.execute(f"CREATE OR REPLACE TEMP MACRO {macro}")


def fill_slugs(connection: "duckdb.DuckDBPyConnection", table: str, name: str) -> None:
    """Make the table `slugs(name, slug)` for the distinct names of a table's column: plain ones by a macro, the few others by `kg.surface.slug`."""
    plain = "regexp_full_match(name, '[ -~]*[A-Za-z0-9][ -~]*')"
    connection.execute(f"CREATE OR REPLACE TEMP TABLE slugs AS SELECT DISTINCT {name} AS name, NULL::VARCHAR AS slug FROM {table}")
    connection.execute(f"UPDATE slugs SET slug = slug_ascii(name) WHERE {plain}")
    rest = connection.execute("SELECT name FROM slugs WHERE slug IS NULL OR slug = '' ORDER BY name").fetchall()
    if rest:
        register(connection, "odd_slugs", {"name": [n for (n,) in rest], "slug": [slug(n) for (n,) in rest]})
        connection.execute("UPDATE slugs SET slug = o.slug FROM odd_slugs o WHERE o.name = slugs.name")


def register(connection: "duckdb.DuckDBPyConnection", table: str, columns: dict[str, list[str]]) -> None:
    """Make a temporary table of text columns from Python lists."""
    import numpy as np

    empty = ", ".join(f"{name} VARCHAR" for name in columns)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {table} ({empty})")
    if not next(iter(columns.values())):
        return
    connection.register("incoming_columns", {name: np.array(values, dtype=object) for name, values in columns.items()})
    try:
        connection.execute(f"INSERT INTO {table} SELECT {', '.join(columns)} FROM incoming_columns")
    finally:
        connection.unregister("incoming_columns")

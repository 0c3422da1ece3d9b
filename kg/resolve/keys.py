"""Comparison keys of all names of a build, as a table: made once, joined everywhere."""

import re
import unicodedata
from typing import TYPE_CHECKING

from kg.surface import key, slug

if TYPE_CHECKING:
    import duckdb

_SPELLINGS = re.compile(
    r"isation|isa(?=tional)|ising\b|ised\b|modell(?=ing|ed|er)|labell(?=ing|ed|er)|behaviour|colour|neighbour|(?<=[a-z]{3})v\.?(?=\d)|(?<=[\s-])v\.?(?=\d)"
)
_AMERICAN = {
    "isation": "ization", "isa": "iza", "ising": "izing", "ised": "ized", "modell": "model", "labell": "label", "behaviour": "behavior",
    "colour": "color", "neighbour": "neighbor",
}  # fmt: skip
_LETTERS = str.maketrans(
    {
        "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "η": "eta", "θ": "theta", "κ": "kappa", "λ": "lambda",
        "μ": "mu", "µ": "mu", "ν": "nu", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi", "ω": "omega", "ł": "l", "ø": "o",
        "đ": "d", "ß": "ss",
        "ℓ": "l", "²": "2", "³": "3",
        "₁": "1", "₂": "2", '"': None, "“": None, "”": None, "„": None, "«": None, "»": None, "‘": None, "’": "'",
    }
)  # fmt: skip
_TEXTS = """
SELECT name AS text FROM found UNION SELECT expansion FROM found UNION SELECT surface FROM found_surfaces
UNION SELECT surface FROM old_aliases UNION SELECT label FROM old_entities
"""
_PLAIN = r"""
CREATE OR REPLACE TEMP TABLE {table} AS
WITH texts AS (
    SELECT text, lower(text) AS small FROM ({texts}) WHERE text <> ''
), bare AS (
    SELECT text, regexp_replace(regexp_replace(trim(small), '^(?:the|a|an)\s+', ''), '[\s\-/*_`$\\{{}}~^]+', '', 'g') AS w,
        NOT regexp_full_match(text, '[ -~]*') OR
            regexp_matches(small, 'isation|ising|ised|modell|labell|behaviour|colour|neighbour|v\.?[0-9]|["'']') AS odd FROM texts
)
SELECT text, CASE WHEN odd THEN NULL WHEN length(w) > 4 AND w LIKE '%ies' THEN w[:-4] || 'y'
        WHEN length(w) > 3 AND w LIKE '%s' AND NOT w LIKE '%ss' THEN w[:-2] ELSE w END AS key,
    CASE WHEN regexp_matches(w, '(ss|x|ch|sh)es$') THEN w[:-3] WHEN regexp_full_match(text, '[A-Z]{{2}}s') THEN w[:-2] ELSE key END AS loose,
    regexp_matches(text, '[0-9]|[A-Z]{{2}}|[a-z][A-Z]') AS named,
    NOT contains(text, ' ') AND length(text) BETWEEN 2 AND 15 AND regexp_matches(text, '[A-Z].*[A-Z]|[A-Z].*[0-9]|[0-9].*[A-Z]|[a-z][A-Z]') AS short
FROM bare
"""


def loose_key(name: str) -> str:
    """The form under which names of different papers compare equal: `kg.surface.key`, without quotes, accents and "v" before
    numbers, and in American spelling.

    >>> loose_key("SQuAD v1.1") == loose_key("SQuADv1.1") == loose_key("SQuAD-1.1"), loose_key("β-VAE") == loose_key("beta-VAEs")
    (True, True)
    >>> loose_key("sequence labelling"), loose_key("Gaussian Processes"), loose_key("GPs"), loose_key("GPS")
    ('sequencelabeling', 'gaussianprocess', 'gp', 'gps')
    """
    if re.fullmatch(r"[A-Z]{2}s", name):
        return name[:2].lower()
    small = name.lower().translate(_LETTERS)
    small = re.sub(r"'(?=\d)", "", small)
    small = "".join(c for c in unicodedata.normalize("NFKD", small) if not unicodedata.combining(c)) if not small.isascii() else small
    return re.sub(r"(?<=ss|ch|sh)e$|(?<=x)e$", "", key(_SPELLINGS.sub(lambda match: _AMERICAN.get(match[0], ""), small)))


def is_short(name: str) -> bool:
    """Whether a name is one word that could be short for something: two capitals, a capital inside, or a capital and a digit."""
    return " " not in name and 2 <= len(name) <= 15 and bool(re.search(r"[A-Z].*[A-Z]|[A-Z].*[0-9]|[0-9].*[A-Z]|[a-z][A-Z]", name))


def fill_keys(connection: "duckdb.DuckDBPyConnection", texts: str = _TEXTS, table: str = "keys") -> None:
    """Make the temporary table `keys(text, key, loose, named, short)` of every name, expansion and surface form, old and new, or of a query's `text`.

    Plain names are done in the database; those with signs, accents or British spelling, a few in a hundred, in Python.
    """
    connection.execute(_PLAIN.format(table=table, texts=texts))
    odd = [text for (text,) in connection.execute(f"SELECT text FROM {table} WHERE key IS NULL ORDER BY text").fetchall()]
    register(connection, "odd_keys", {"text": odd, "key": [key(text) for text in odd], "loose": [loose_key(text) for text in odd]})
    connection.execute(f"UPDATE {table} SET key = o.key, loose = o.loose FROM odd_keys o WHERE o.text = {table}.text")


def add_macros(connection: "duckdb.DuckDBPyConnection") -> None:
    """Define the macro `types_clash`: two types of which one thing cannot be both, even by another reader's judgement."""
    connection.execute(
        """CREATE OR REPLACE TEMP MACRO types_clash(a, b) AS a <> b AND ('Dataset' IN (a, b) OR ('Model' IN (a, b) AND ('Task' IN (a, b)
            OR 'Metric' IN (a, b)))
        OR ('Metric' IN (a, b) AND 'Task' IN (a, b)))"""
    )


def fill_slugs(connection: "duckdb.DuckDBPyConnection", query: str) -> None:
    """Make the table `slugs(name, slug)` for the distinct names of a query: plain ones in the database, the few others by `kg.surface.slug`."""
    connection.execute(
        f"""CREATE OR REPLACE TEMP TABLE slugs AS SELECT DISTINCT name, CASE WHEN regexp_full_match(name, '[A-Za-z0-9 .,:;/()_''-]*')
        THEN trim(regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g'), '-') ELSE '' END AS slug FROM ({query})"""
    )
    rest = [name for (name,) in connection.execute("SELECT name FROM slugs WHERE slug = '' ORDER BY name").fetchall()]
    register(connection, "odd_slugs", {"name": rest, "slug": [slug(name) for name in rest]})
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

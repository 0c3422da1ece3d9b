"""Search among the names of a build, as the page in a file does it: whole names, beginnings, beginnings of words, parts; labels before aliases."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

_FOLD = r"""CREATE OR REPLACE TEMP MACRO fold(name) AS
trim(regexp_replace(strip_accents(lower(name)), '[\s\-_‐‑–—]+', ' ', 'g'))"""
_NAMES = """CREATE OR REPLACE TEMP TABLE page_names AS
SELECT *, replace(text, ' ', '') AS tight FROM (
    SELECT n AS node, '' AS alias, fold(left(label, 300)) AS text, papers AS weight FROM page_entities
    UNION ALL SELECT n, alias, fold(left(alias, 300)), papers
        FROM (SELECT n, label, papers, unnest(aliases) AS alias FROM page_entities) WHERE alias <> label
    UNION ALL SELECT $size + n, '', fold(left(coalesce(nullif(title, ''), nullif(label, ''), id), 300)), links FROM papers
    UNION ALL SELECT $size + n, label, fold(left(label, 300)), links FROM papers WHERE '' NOT IN (label, title) AND label <> title
)"""
_PAPERS = "WITH papers AS (SELECT p.*, (SELECT count(*) FROM page_links l WHERE l.paper = p.n) AS links FROM page_papers p)"
_SEARCH = """WITH sought AS (SELECT fold($query) AS text, replace(fold($query), ' ', '') AS tight), hits AS (
    SELECT node, alias, weight, if(alias = '', 0, 1) + 2 * CASE
        WHEN n.text = s.text THEN 0
        WHEN starts_with(n.text, s.text) THEN 1
        WHEN contains(n.text, s.text) THEN if(substr(n.text, instr(n.text, s.text) - 1, 1) = ' ', 2, 3)
        WHEN starts_with(n.tight, s.tight) THEN 1
    END AS rank FROM page_names n, sought s WHERE s.text <> ''
)
SELECT node, arg_min(alias, (rank, alias)) FROM hits WHERE rank IS NOT NULL
GROUP BY node ORDER BY min(rank), node >= $size, max(weight) DESC, node LIMIT $most"""


def prepare(connection: "duckdb.DuckDBPyConnection", size: int) -> None:
    """Make the table of names from the prepared tables of `kg.view.data`; `size` is the number of entities, from which papers are counted on."""
    connection.execute(_FOLD)
    connection.execute(_NAMES.replace("SELECT *, replace", f"{_PAPERS} SELECT *, replace", 1), {"size": size})


def find(connection: "duckdb.DuckDBPyConnection", query: str, size: int, most: int) -> list[tuple[int, str]]:
    """The nodes whose names hold what is sought, best first, at most so many, each with the alias that it was found by, or ""."""
    return connection.execute(_SEARCH, {"query": query, "size": size, "most": most}).fetchall()

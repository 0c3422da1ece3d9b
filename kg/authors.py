"""Authors as things of their own, for builds that want them: whoever has the same full name, spelling of case, accents and points apart, is one.

Namesakes are not told apart, and a name with initials is not joined to the full one.
"""

from typing import TYPE_CHECKING

from kg.tables import meta

if TYPE_CHECKING:
    import duckdb

_KEY = r"replace(trim(regexp_replace(lower(strip_accents(name)), '[^\p{L}\p{N}]+', ' ', 'g')), ' ', '-')"


def written(papers: str = "papers") -> str:
    """The SQL of who wrote what: (paper, author, name as the paper has it); `papers` is the SQL of the papers in question."""
    named = f"SELECT DISTINCT paper, name, {_KEY} AS author FROM (SELECT paper, unnest(authors) AS name FROM {papers})"
    return f"SELECT paper, author, name FROM ({named}) WHERE author <> ''"


WRITTEN = written()
"""Who wrote what, in all papers."""

AUTHORS = f"""SELECT author, label, aliases, papers FROM (
    SELECT author, list(name ORDER BY uses DESC, name) AS names, names[1] AS label, names[2:] AS aliases
    FROM (SELECT author, name, count(*) AS uses FROM ({WRITTEN}) GROUP BY author, name) GROUP BY author
) JOIN (SELECT author, count(DISTINCT paper) AS papers FROM ({WRITTEN}) GROUP BY author) USING (author)"""
"""The authors: (author, label, aliases, papers), the label being the commonest way to write the name."""


def wanted(connection: "duckdb.DuckDBPyConnection") -> bool:
    """Whether a build was made with authors as nodes.

    >>> from kg.tables.store import create
    >>> import duckdb
    >>> memory = duckdb.connect(); create(memory)
    >>> wanted(memory)
    False
    """
    return meta(connection).get("authors") == "yes"

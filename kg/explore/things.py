"""What a user names: an entity or a paper."""

from typing import TYPE_CHECKING

from kg.errors import UnknownNameError
from kg.show import entity_id

if TYPE_CHECKING:
    import duckdb


def thing(connection: "duckdb.DuckDBPyConnection", name: str) -> tuple[str, str]:
    """("paper" or "entity", id) of what a name stands for: a paper by its id or title in any case, else an entity by any of its names.

    Raises UnknownNameError with the nearest names.
    """
    row = connection.execute(
        "SELECT paper FROM papers WHERE paper = ?1 OR lower(title) = lower(?1) OR arxiv = ?1 OR doi = lower(?1) ORDER BY paper <> ?1, paper LIMIT 1",
        [name],
    ).fetchone()
    if row and not connection.execute("SELECT 1 FROM entities WHERE entity = ?", [name]).fetchone():
        return "paper", str(row[0])
    try:
        return "entity", entity_id(connection, name)
    except UnknownNameError as error:
        raise UnknownNameError(f"no entity or paper is called {name!r}", hint=error.hint) from error

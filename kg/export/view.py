"""The interactive page, as an export."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


def write(connection: "duckdb.DuckDBPyConnection", path: Path) -> None:
    """The page of the whole build."""
    from kg.view import write as write_page

    write_page(connection, path)

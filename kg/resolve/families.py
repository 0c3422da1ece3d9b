"""Families: the version, size or part of a thing under the thing itself (LLaDA-8B-Instruct, LLaDA-8B, LLaDA)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

    from kg.ontology import Catalogue


def fill(connection: "duckdb.DuckDBPyConnection", catalogue: "Catalogue") -> None:
    """Fill the table of families from the entities' names and the catalogue; a parent that is missing is made when it is called for."""

"""RDF: the names that exports go by, for kg.rdf."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


def write(
    connection: "duckdb.DuckDBPyConnection",
    path: Path,
    *,
    format: str,  # noqa: A002 - the name that kg.rdf.write has
    evidence: str = "quotes",
    base: str = "",
    vocabulary: str = "kg",
) -> None:
    """The whole build in an RDF format of kg.rdf.FORMATS."""
    from kg.rdf import BASE
    from kg.rdf import write as write_rdf

    write_rdf(connection, path, format=format, evidence=evidence, base=base or BASE, vocabulary=vocabulary)

"""What the user decided, read from a small file and applied on every build."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.resolve.senses import Edge

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of decisions.tsv."""

    verdict: str
    a: str
    b: str = ""
    value: str = ""
    paper: str = ""
    note: str = ""


def part_found(connection: "duckdb.DuckDBPyConnection", decisions: Sequence[Decision]) -> None:
    """Part rows."""


def part_units(connection: "duckdb.DuckDBPyConnection", decisions: Sequence[Decision]) -> None:
    """Part units."""


def apart(connection: "duckdb.DuckDBPyConnection", decisions: Sequence[Decision]) -> list[tuple[frozenset[str], frozenset[str]]]:
    """Senses to keep apart."""
    return []


def same(connection: "duckdb.DuckDBPyConnection", decisions: Sequence[Decision]) -> list[Edge]:
    """Edges that the user forces."""
    return []


def apply(connection: "duckdb.DuckDBPyConnection", decisions: Sequence[Decision] = ()) -> None:
    """Links, types, roles and relations that the user says are so or are wrong."""

"""What two builds gained and lost: papers, entities, links, as set operations over both databases."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kg.tables import database, open_build

if TYPE_CHECKING:
    import duckdb

Row = tuple[str, ...]

_KEYS = {"papers": ("paper", "label"), "entities": ("entity", "label", "type"), "links": ("paper", "entity", "role")}


@dataclass(frozen=True, slots=True)
class Difference:
    """Rows of the new build that the old lacks, and the reverse, by table; each sorted."""

    gained: dict[str, tuple[Row, ...]]
    lost: dict[str, tuple[Row, ...]]

    def __bool__(self) -> bool:
        return any(self.gained.values()) or any(self.lost.values())


def diff(old: Path | str, new: Path | str) -> Difference:
    """Compare two builds. Papers and entities are compared by id, links by paper, entity and role.

    Raises BuildError when one of the folders holds no build.
    """
    open_build(old).close()
    with open_build(new) as connection:
        _attach(connection, old)
        return Difference(
            {table: _missing(connection, table, "main", "old.main") for table in _KEYS},
            {table: _missing(connection, table, "old.main", "main") for table in _KEYS},
        )


def _attach(connection: "duckdb.DuckDBPyConnection", folder: Path | str) -> None:
    path = str(database(folder)).replace("'", "''")
    connection.execute(f"ATTACH '{path}' AS old (READ_ONLY)")
    current = connection.execute("SELECT current_database()").fetchall()[0][0]
    connection.execute(f'USE "{current}"')


def _missing(connection: "duckdb.DuckDBPyConnection", table: str, here: str, there: str) -> tuple[Row, ...]:
    shown = _KEYS[table]
    compared = shown if table == "links" else shown[:1]
    same = " AND ".join(f"a.{name} = b.{name}" for name in compared)
    return tuple(
        connection.execute(
            f"SELECT {', '.join(f'a.{name}' for name in shown)} FROM {here}.{table} a "
            f"WHERE NOT EXISTS (SELECT 1 FROM {there}.{table} b WHERE {same}) ORDER BY ALL"
        ).fetchall()
    )


def rdf_patch(old: Path | str, new: Path | str) -> Iterator[str]:
    """The lines of an RDF Patch (https://afs.github.io/rdf-delta/rdf-patch.html) that turns the old build's RDF into the new one's."""
    before, after = _triples(old), _triples(new)
    yield "TX ."
    yield from (f"D {line}" for line in sorted(before - after))
    yield from (f"A {line}" for line in sorted(after - before))
    yield "TC ."


def _triples(folder: Path | str) -> set[str]:
    import tempfile

    from kg import rdf

    with open_build(folder) as connection, tempfile.TemporaryDirectory() as place:
        path = Path(place) / "build.nt"
        rdf.write(connection, path, format="ntriples")
        return set(path.read_text(encoding="utf-8").splitlines())

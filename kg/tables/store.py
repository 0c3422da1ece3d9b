"""The database of a build: opening it, locking it, adding rows to it in bulk."""

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import BuildError
from kg.tables.schema import FORMAT, TABLES, columns

if TYPE_CHECKING:
    import duckdb

DATABASE = Path(".kg") / "build.duckdb"
_TEXT_COLUMNS = {"VARCHAR[]": "from_json({0}, '[\"VARCHAR\"]')"}
_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode


def database(folder: Path | str) -> Path:
    """Where the database of the build in `folder` lies."""
    return Path(folder) / DATABASE


def open_build(folder: Path | str, *, write: bool = False, memory_mb: int = 1000) -> "duckdb.DuckDBPyConnection":
    """A connection to the tables of the build in `folder`; with `write` they are made when missing.

    Raises BuildError when there is no build, when it is of another format, or when another process is writing it.
    """
    import duckdb

    path = database(folder)
    if not write and not path.exists():
        raise BuildError(f"there is no build in {folder}", hint=f"kg build PAPERS -o {folder}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        connection = duckdb.connect(str(path), read_only=not write, config={"memory_limit": f"{memory_mb}MB", "preserve_insertion_order": "false"})
    except duckdb.Error as error:
        if "lock" in str(error).lower():
            raise BuildError(
                f"another process is using the build in {folder}", hint="wait until it has finished, or build into another folder"
            ) from error
        raise BuildError(f"the database of the build in {folder} cannot be opened: {error}", hint=f"remove {path} and build again") from error
    try:
        # In a notebook without ipywidgets DuckDB refuses even to turn its bar off; there is none to turn off then.
        with contextlib.suppress(duckdb.InvalidInputException):
            connection.execute("SET enable_progress_bar = false")
        if write:
            create(connection)
        check_format(connection, folder)
    except BaseException:
        connection.close()
        raise
    return connection


def create(connection: "duckdb.DuckDBPyConnection") -> None:
    """Make the tables that are missing."""
    for table, definition in TABLES.items():
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({definition})")
    connection.execute("INSERT INTO meta VALUES ('format', ?) ON CONFLICT DO NOTHING", [str(FORMAT)])


def check_format(connection: "duckdb.DuckDBPyConnection", folder: Path | str) -> None:
    """Refuse a build of another format."""
    import duckdb

    with contextlib.suppress(duckdb.CatalogException):
        found = meta(connection).get("format")
        if found == str(FORMAT):
            return
        raise BuildError(f"the build in {folder} has format {found}, this program reads {FORMAT}", hint=f"kg build PAPERS -o {folder} --fresh")
    raise BuildError(f"the database in {folder} is not a build", hint=f"kg build PAPERS -o {folder} --fresh")


def meta(connection: "duckdb.DuckDBPyConnection") -> dict[str, str]:
    """The build's own facts: format, program and catalogue version, options."""
    return dict(connection.execute("SELECT name, value FROM meta ORDER BY name").fetchall())


def set_meta(connection: "duckdb.DuckDBPyConnection", **values: str) -> None:
    """Record facts about the build."""
    for name, value in values.items():
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [name, value])


def insert(connection: "duckdb.DuckDBPyConnection", table: str, rows: Iterable[Sequence[Any]]) -> int:
    """Add rows, given as sequences in the order of the table's columns, in one bulk insert; returns how many.

    DuckDB reads NumPy columns a hundred times faster than bound parameters. Lists travel as JSON text.
    """
    import numpy as np

    values = list(rows)
    if not values:
        return 0
    names = columns(table)
    types = _types(table)
    arrays = {}
    for name, kind, column in zip(names, types, zip(*values, strict=True), strict=True):
        cells = [_AS_JSON(cell) for cell in column] if kind == "VARCHAR[]" else column
        arrays[name] = np.array([None if cell is None else str(cell) for cell in cells], dtype=object)
    selected = ", ".join(_TEXT_COLUMNS.get(kind, f"CAST({{0}} AS {kind})").format(f'"{name}"') for name, kind in zip(names, types, strict=True))
    connection.register("incoming", arrays)
    try:
        connection.execute(f"INSERT INTO {table} SELECT {selected} FROM incoming")
    finally:
        connection.unregister("incoming")
    return len(values)


def _types(table: str) -> tuple[str, ...]:
    return tuple(part.split()[1] for part in TABLES[table].split(","))


@contextlib.contextmanager
def transaction(connection: "duckdb.DuckDBPyConnection") -> Iterator[None]:
    """All or nothing: the tables change together, or stay as they were."""
    connection.execute("BEGIN TRANSACTION")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")

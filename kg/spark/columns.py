"""The tables of a build as Spark and Arrow know them, and Parquet files of their rows, each put in its place as a whole."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.tables import TABLES, columns

if TYPE_CHECKING:
    import pyarrow as pa

_SPARK = {"VARCHAR": "STRING", "INTEGER": "INT", "BIGINT": "BIGINT", "DOUBLE": "DOUBLE", "BOOLEAN": "BOOLEAN", "VARCHAR[]": "ARRAY<STRING>"}
_ARROW = {"VARCHAR": "string", "INTEGER": "int32", "BIGINT": "int64", "DOUBLE": "float64", "BOOLEAN": "bool_"}


def _types(table: str) -> list[str]:
    return [part.split()[1] for part in TABLES[table].split(",")]


def spark_schema(table: str) -> str:
    """The columns of a table as Spark declares them.

    >>> spark_schema("places")
    '`paper` STRING, `source` STRING, `record` STRING, `start` BIGINT'
    """
    return ", ".join(f"`{name}` {_SPARK[kind]}" for name, kind in zip(columns(table), _types(table), strict=True))


def arrow_schema(table: str) -> "pa.Schema":
    """The columns of a table as Arrow declares them."""
    import pyarrow as pa

    def arrow(kind: str) -> "pa.DataType":
        return pa.list_(pa.string()) if kind == "VARCHAR[]" else getattr(pa, _ARROW[kind])()

    return pa.schema([(name, arrow(kind)) for name, kind in zip(columns(table), _types(table), strict=True)])


def batch(rows: Sequence[Sequence[Any]], schema: "pa.Schema") -> "pa.RecordBatch":
    """Rows as one Arrow batch."""
    import pyarrow as pa

    cells = zip(*rows, strict=True) if rows else ([] for _ in schema)
    return pa.record_batch([pa.array(list(column), field.type) for column, field in zip(cells, schema, strict=True)], schema=schema)


class PartFiles:
    """The rows that one task adds to several tables: a Parquet file a table, `TABLES/table/part-NNNNN.parquet`.

    They are written in `aside` and put in place when the task is done, so that a task which dies leaves nothing and one that runs twice
    leaves the same files. A table that gets no rows gets no file.
    """

    def __init__(self, tables: Path, aside: Path, part: int, attempt: int) -> None:
        self._tables, self._aside = tables, aside
        self._name, self._own = f"part-{part:05d}.parquet", f"{part:05d}-{attempt}"
        self._writers: dict[str, Any] = {}

    def add(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        """Add rows, in the order of the table's columns."""
        import pyarrow.parquet as pq

        if not rows:
            return
        schema = arrow_schema(table)
        if table not in self._writers:
            self._writers[table] = pq.ParquetWriter(self._path(table), schema, compression="zstd")
        self._writers[table].write_batch(batch(rows, schema))

    def close(self) -> None:
        """Put the files in place."""
        for table, writer in self._writers.items():
            writer.close()
            put(self._path(table), self._tables / table / self._name)

    def _path(self, table: str) -> Path:
        self._aside.mkdir(parents=True, exist_ok=True)
        return self._aside / f"{table}-{self._own}.parquet"


def put(written: Path, final: Path) -> None:
    """Move a finished file to its place."""
    final.parent.mkdir(parents=True, exist_ok=True)
    os.replace(written, final)


def files(folder: Path) -> list[str]:
    """The Parquet files of a table, in order; none when the folder is not there.

    >>> files(Path("no-such-folder"))
    []
    """
    return sorted(str(path) for path in folder.glob("*.parquet"))


def write_rows(path: Path, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Write rows of a table as one Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = arrow_schema(table)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_batches([batch(list(rows), schema)], schema), path, compression="zstd")

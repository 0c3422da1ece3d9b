"""Parquet, by way of pyarrow, some rows at a time: DuckDB holds a row group whole, and there are files of one."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from kg.readers import arxiv_snapshot, csl, json_shape, limits, openalex, openreview, paperlists, semantic_scholar
from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.json_generic import guessed, pick

_SOURCES = (openreview, arxiv_snapshot, openalex, semantic_scholar, csl, paperlists)
_ROWS = 500
"""The most rows at a time, and the most bytes that they may take on average."""
_BATCH = 4 << 20


def sniff(look: Look) -> bool:
    return look.head.startswith(b"PAR1")


def read(source: Input) -> Iterator[Record | Fault]:
    """The rows, numbered from 1; columns are named as in JSON."""
    if source.file is not None:
        yield from _rows(source, source.file)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input.parquet"
        with path.open("wb") as copy:
            while chunk := source.stream.read(limits.CHUNK):
                copy.write(chunk)
                if copy.tell() > limits.SPOOL:
                    yield Fault("", f"a Parquet file of more than {limits.SPOOL >> 30} GiB inside an archive", "unpack it")
                    return
        yield from _rows(source, path)


def _rows(source: Input, path: Path) -> Iterator[Record | Fault]:
    import pyarrow as pa
    from pyarrow import parquet as pq

    try:
        # Without a buffer a row group is read whole, however large it is.
        with pq.ParquetFile(path, buffer_size=limits.CHUNK, pre_buffer=False) as file:
            if fault := _too_large(file.metadata):
                yield fault
                return
            rows = max(1, file.metadata.num_rows)
            size = sum(file.metadata.row_group(index).total_byte_size for index in range(file.metadata.num_row_groups))
            number = 0
            for batch in file.iter_batches(max(1, min(_ROWS, _BATCH * rows // max(1, size))), use_threads=False):
                if not number and (fault := _without_text(batch, source)):
                    yield fault
                    return
                for row in _dictionaries(batch):
                    number += 1
                    yield replace(row, place=str(number)) if isinstance(row, Fault) else record(str(number), row, source)
    except (pa.ArrowException, OSError) as error:
        yield Fault("", f"not a whole Parquet file: {(str(error).splitlines() or [''])[0][:160]}", "get the file again")


def _too_large(metadata: Any) -> Fault | None:
    """A file that says of itself that it unpacks to far more than its size."""
    columns = [metadata.row_group(index).column(column) for index in range(metadata.num_row_groups) for column in range(metadata.num_columns)]
    for column in columns:
        if column.total_uncompressed_size > max(limits.EXPANSION_FREE, limits.EXPANSION * column.total_compressed_size):
            return Fault(
                "", f"unpacks to more than {limits.EXPANSION} times its size, as a zip bomb does", "write the file again in smaller row groups"
            )
    return None


def _dictionaries(batch: Any) -> Iterator[dict[str, Any] | Fault]:
    """The rows; one that holds what is not of its type costs itself."""
    try:
        yield from batch.to_pylist(maps_as_pydicts="lossy")
    except (ValueError, OverflowError):
        for index in range(batch.num_rows):
            try:
                yield from batch.slice(index, 1).to_pylist(maps_as_pydicts="lossy")
            except (ValueError, OverflowError) as error:
                yield Fault("", f"a value is not of its column's type: {str(error)[:120]}", "write the file again")


def _without_text(batch: Any, source: Input) -> Fault | None:
    """That no column of the file is known, said once and not for each row."""
    names = tuple(batch.schema.names)
    first = next(_dictionaries(batch.slice(0, 1)), None)
    known = isinstance(first, dict) and any(one.matches(first) for one in _SOURCES)
    if known or {field for field, _ in guessed(names, tuple(source.mapping.items()))} & {"title", "abstract"}:
        return None
    return Fault("", f"no column is known as title or abstract: {', '.join(names[:12])}", "say which: --map abstract=COLUMN --map title=COLUMN")


def record(place: str, row: dict[str, Any], source: Input) -> Record | Fault:
    """The record of one row, given as a dictionary, by the source that its columns show; `place` is its number."""
    return json_shape.record(place, row, _fields, source)


def _fields(row: dict[str, Any], source: Input) -> Fields | Fault:
    known = next((one for one in _SOURCES if one.matches(row)), None)
    return known.fields(row, source) if known else pick(row, source.mapping)


READER = Reader(
    "parquet",
    "Parquet with the columns of any JSON form",
    (".parquet",),
    sniff,
    read,
    "(binary) columns title, abstract, authors, year, doi …\n",
    "parquet",
)

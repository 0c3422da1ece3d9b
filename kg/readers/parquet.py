"""Parquet, by way of DuckDB, row group by row group."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kg.readers import arxiv_snapshot, csl, limits, openalex, openreview, paperlists, semantic_scholar
from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.json_generic import guessed, pick

_SOURCES = (openreview, arxiv_snapshot, openalex, semantic_scholar, csl, paperlists)
_ROWS = 500


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
    import duckdb

    with duckdb.connect(config={"threads": 1, "memory_limit": "1GB"}) as connection:
        try:
            result = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
            columns = tuple(column[0] for column in result.description or ())
            number = 0
            while rows := result.fetchmany(_ROWS):
                for row in rows:
                    number += 1
                    yield Record(str(number), fields(dict(zip(columns, row, strict=True)), source))
        except duckdb.Error as error:
            yield Fault("", f"not a whole Parquet file: {str(error).splitlines()[0][:160]}", "get the file again")
            return
    if not {field for field, _ in guessed(columns, tuple(source.mapping.items()))} & {"title", "abstract"} and not number:
        yield Fault("", f"no column is known as title or abstract: {', '.join(columns[:12])}", "say which: --map abstract=COLUMN")


def fields(record: dict[str, Any], source: Input) -> Fields:
    """The fields of one row, given as a dictionary, by the source that its columns show."""
    for known in _SOURCES:
        if known.matches(record):
            found = known.fields(record, source)
            return {"title": ""} if isinstance(found, Fault) else found
    return pick(record, source.mapping)


READER = Reader(
    "parquet",
    "Parquet with the columns of any JSON form",
    (".parquet",),
    sniff,
    read,
    "(binary) columns title, abstract, authors, year, doi …\n",
)

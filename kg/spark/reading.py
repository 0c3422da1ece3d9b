"""Files to records on a cluster: JSON Lines and Parquet, a batch of lines or rows at a time, by the readers that a build without Spark has."""

import codecs
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from io import BufferedReader, BytesIO
from typing import TYPE_CHECKING, Any

from kg import identity, ingest, readers
from kg.model import Paper, Unread
from kg.readers import Input, Look, encoding, json_stream, limits, parquet
from kg.spark.columns import arrow_schema, batch, spark_schema
from kg.spark.files import Found, key, spark_path
from kg.tables import columns

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

ROWS = 1000
"""Lines, rows or papers that go to Python at once."""
FORMATS = "not JSON Lines (a record a line, in UTF-8) or Parquet, which are what Spark reads"
FORMATS_REMEDY = "build it without --engine spark, or write it as JSON Lines; a Parquet file ends in .parquet"
SCHEMA = spark_schema("records") + ", `strength` INT, `reason` STRING, `remedy` STRING, `beginning` STRING"
"""A record or, with a `reason`, what could not be read; `strength` is how well the record's id identifies a paper, 0 the best."""
_RECORD = len(columns("records"))


@dataclass(frozen=True, slots=True)
class Lines:
    """A file of lines: name, label, format, the beginning that shows its format, and for the offset of each split the number of its first line."""

    name: str
    label: str
    format: str
    head: bytes
    starts: Mapping[int, int]


def read(
    spark: "SparkSession", found: Sequence[Found], mapping: Mapping[str, str], *, full_text: bool
) -> "tuple[DataFrame | None, list[Unread], dict[str, str]]":
    """The records of files as a data frame of SCHEMA, None when there is nothing to read; the files that cannot be read; the formats of the others.

    Spark cuts files into splits. A first pass counts the lines of each, so that a record is named by its line as in a build without Spark.
    """
    usable = [one for one in found if not one.source.problem]
    unread = [Unread(one.source.name, "", one.source.problem, one.source.remedy) for one in found if one.source.problem]
    formats = {one.source.name: parquet.READER.name for one in usable if one.parquet}
    frames = []
    if texts := [one for one in usable if not one.parquet]:
        lines = spark.read.option("lineSep", "\n").text([spark_path(one.uri) for one in texts])
        lines = lines.selectExpr("cast(value AS BINARY) AS line", "_metadata.file_path AS file", "_metadata.file_block_start AS block")
        splits = lines.mapInArrow(count_lines, "file STRING, block BIGINT, lines BIGINT, head BINARY").collect()
        known, refused = described(texts, [tuple(row) for row in splits])
        unread += refused
        formats |= {file.name: file.format for file in known.values()}
        shared = spark.sparkContext.broadcast(known)
        frames.append(lines.mapInArrow(partial(read_lines, files=shared, mapping=dict(mapping), full_text=full_text), SCHEMA))
    by_folder = itertools.groupby((one for one in usable if one.parquet), lambda one: one.uri.rpartition("/")[0])
    for _, group in by_folder:
        frames.append(_parquet(spark, list(group), mapping, full_text=full_text))
    return (reduce(lambda a, b: a.unionByName(b), frames) if frames else None), unread, formats


def described(texts: Sequence[Found], splits: Sequence[tuple[Any, ...]]) -> tuple[dict[str, Lines], list[Unread]]:
    """What reading needs to know of each file, by the key of its path, and the files that are none of lines.

    `splits` are what `count_lines` tells of each: path, offset, number of lines and, of a first one, the file's beginning.
    """
    by_file: dict[str, list[tuple[int, int, bytes]]] = {}
    for file, block, count, head in splits:
        by_file.setdefault(key(file), []).append((block, count, bytes(head)))
    known, unread = {}, []
    for one in texts:
        parts = sorted(by_file.get(one.key, []))
        head = parts[0][2] if parts else b""
        if not parts and one.source.size:
            unread.append(Unread(one.source.name, "", "Spark reads nothing from it", "rename it: names that begin with _ or . are hidden to Spark"))
        elif not head.strip():
            unread.append(Unread(one.source.name, "", "the file is empty", ""))
        elif not (form := _json_lines(one.source.name, head)):
            unread.append(Unread(one.source.name, "", FORMATS, FORMATS_REMEDY))
        else:
            firsts = itertools.accumulate((count for _, count, _ in parts), initial=1)
            starts = {block: first for (block, _, _), first in zip(parts, firsts, strict=False)}
            known[one.key] = Lines(one.source.name, one.source.label, form, _short(head), starts)
    return known, unread


def _json_lines(name: str, head: bytes) -> str:
    """The format of a file of JSON Lines by its beginning, "" for any other file."""
    reader = readers.recognise(Look(name, head, len(head) < limits.HEAD))
    wide = encoding.detect(head).startswith(("utf-16", "utf-32"))
    return reader.name if reader is not None and ".jsonl" in reader.suffixes and json_stream.is_lines(head) and not wide else ""


def _short(head: bytes) -> bytes:
    """As much of a file's beginning as shows its format and encoding: two lines, or all of it when that is not plain UTF-8."""
    if encoding.detect(head) not in ("utf-8", "utf-8-sig"):
        return head
    return b"".join(line + b"\n" for line in head.split(b"\n", 2)[:2])


def _runs(batches: "Iterator[pa.RecordBatch]") -> Iterator[tuple[str, int, list[bytes]]]:
    """File, offset of the split, and lines that follow one another in it."""
    for one in batches:
        where = zip(one.column("file").to_pylist(), one.column("block").to_pylist(), strict=True)
        lines = iter(one.column("line").to_pylist())
        for (file, block), group in itertools.groupby(where):
            yield file, block, [next(lines) for _ in group]


def count_lines(batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    """A task of the first pass: the number of lines of each split, and the beginning of each file."""
    import pyarrow as pa

    counts: dict[tuple[str, int], int] = {}
    heads: dict[tuple[str, int], bytes] = {}
    for file, block, lines in _runs(batches):
        split = (file, block)
        counts[split] = counts.get(split, 0) + len(lines)
        head = heads.get(split, b"")
        if block == 0 and len(head) < limits.HEAD:
            head += b"".join(line + b"\n" for line in lines)
        heads[split] = head[: limits.HEAD]
    yield pa.RecordBatch.from_pydict(
        {
            "file": pa.array([file for file, _ in counts], pa.string()),
            "block": pa.array([block for _, block in counts], pa.int64()),
            "lines": pa.array(list(counts.values()), pa.int64()),
            "head": pa.array(list(heads.values()), pa.binary()),
        }
    )


def read_lines(batches: "Iterator[pa.RecordBatch]", files: Any, mapping: Mapping[str, str], *, full_text: bool) -> "Iterator[pa.RecordBatch]":
    """A task of the second pass: the records of lines. `files` is the broadcast dictionary of Lines."""
    nexts: dict[tuple[str, int], int] = {}
    for file, block, lines in _runs(batches):
        part: Lines | None = files.value.get(key(file))
        if part is None:
            continue
        first = nexts.get((file, block), part.starts[block])
        nexts[file, block] = first + len(lines)
        head = part.head if first == 1 else part.head.removeprefix(codecs.BOM_UTF8)
        stream = _stream(b"\n".join(lines) + b"\n")
        item = Input(part.name, part.label, stream, head, mapping=mapping, full_text=full_text, line=first)
        yield _batch(part.name, readers.read_input(item), first << 20)


def _stream(data: bytes) -> BufferedReader:
    return BufferedReader(BytesIO(data))


def _parquet(spark: "SparkSession", files: Sequence[Found], mapping: Mapping[str, str], *, full_text: bool) -> "DataFrame":
    names = {one.key: (one.source.name, one.source.label) for one in files}
    rows = spark.read.option("mergeSchema", True).parquet(*[spark_path(one.uri) for one in files])
    rows = rows.selectExpr("_metadata.file_path AS file", "_metadata.row_index AS row", "struct(*) AS record")
    return rows.mapInArrow(partial(read_rows, names=names, mapping=dict(mapping), full_text=full_text), SCHEMA)


def read_rows(
    batches: "Iterator[pa.RecordBatch]", names: Mapping[str, tuple[str, str]], mapping: Mapping[str, str], *, full_text: bool
) -> "Iterator[pa.RecordBatch]":
    """A task: the records of Parquet rows. `names` are name and label of each file."""
    for one in batches:
        rows = zip(*(one.column(name).to_pylist() for name in ("file", "row", "record")), strict=True)
        for file, group in itertools.groupby(rows, key=lambda row: row[0]):
            name, label = names[key(file)]
            item = Input(name, label, _stream(b""), b"", mapping=mapping, full_text=full_text)
            numbered = list(group)
            read_papers = (readers.paper_of(item, parquet.record(str(row + 1), record, item)) for _, row, record in numbered)
            yield _batch(name, read_papers, numbered[0][1] << 20)


def _batch(file: str, items: Iterator[Paper | Unread], position: int) -> "pa.RecordBatch":
    """Records and what is none, as rows of SCHEMA; `position` is where the first stands among those of the file."""
    import pyarrow as pa

    rows: list[tuple[Any, ...]] = []
    for number, item in enumerate(items, position):
        if isinstance(item, Paper):
            rows.append((*ingest.record_row(item, number, file), identity.id_strength(item.id)[0], None, None, None))
        else:
            name, source, record, reason, remedy, beginning = ingest.unread_row(item, file)
            rows.append((name, source, record, number, *[None] * (_RECORD - 4), None, reason, remedy, beginning))
    schema = arrow_schema("records")
    for name, kind in (("strength", pa.int32()), ("reason", pa.string()), ("remedy", pa.string()), ("beginning", pa.string())):
        schema = schema.append(pa.field(name, kind))
    return batch(rows, schema)

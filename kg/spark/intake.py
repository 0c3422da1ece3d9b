"""What reading gives: the tables `sources`, `records` and `unread` of a build on a cluster."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kg import ingest, tables
from kg.errors import InputError
from kg.model import Unread
from kg.spark import reading
from kg.spark.columns import write_rows
from kg.spark.files import Found, find
from kg.spark.job import Job

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from kg.settings import Settings

SHOWN = 100
"""Unreadable records that are named one by one; the table `unread` holds all."""
_COUNTED = ("file", "int(reason IS NULL) AS good", "int(reason IS NOT NULL) AS bad")


def take_in(
    spark: "SparkSession", paths: Sequence[str | Path], settings: "Settings", job: Job, on_unread: Callable[[Unread], None]
) -> "tuple[DataFrame, int, int, int]":
    """Read paths and write the three tables; returns the records, and how many files, records and unreadable ones there are.

    `on_unread` hears of the first SHOWN that cannot be read. Raises InputError when no record can, or when one cannot and `settings.strict`.
    """
    found = find(spark, paths)
    frame, refused, formats = reading.read(spark, found, settings.map, full_text=settings.full_text)
    counts = {item.source: (0, 1) for item in refused}
    if frame is not None:
        frame.write.parquet((job.work / "read").as_uri())
        frame = spark.read.schema(reading.SCHEMA).parquet((job.work / "read").as_uri())
        counts |= {row.file: (row["sum(good)"], row["sum(bad)"]) for row in frame.selectExpr(*_COUNTED).groupBy("file").sum().collect()}
    records, unread = (sum(pair[n] for pair in counts.values()) for n in (0, 1))
    for item in [*refused, *_first_unread(frame)][:SHOWN]:
        on_unread(item)
        if settings.strict:
            raise InputError(f"{item.source}{f', record {item.record}' if item.record else ''}: {item.reason}", hint=item.remedy)
    if frame is None or not records:
        raise InputError(f"no papers in {', '.join(map(str, paths))}: {unread} records unread", hint="kg inspect FILE; kg formats")
    good = frame.where("reason IS NULL")
    good.select(*tables.columns("records")).write.parquet((job.tables / "records").as_uri())
    frame.where("reason IS NOT NULL").select(*tables.columns("unread")).write.parquet((job.tables / "unread").as_uri())
    write_rows(job.tables / "unread" / "files.parquet", "unread", [ingest.unread_row(item, item.source) for item in refused])
    write_rows(job.tables / "sources" / "part-00000.parquet", "sources", _sources(found, formats, counts, settings))
    return good, len(found), records, unread


def _first_unread(frame: "DataFrame | None") -> list[Unread]:
    if frame is None:
        return []
    rows = frame.where("reason IS NOT NULL").orderBy("file", "position").limit(SHOWN).collect()
    return [Unread(row.source, row.record, row.reason, row.remedy, row.beginning) for row in rows]


def _sources(
    found: Sequence[Found], formats: dict[str, str], counts: dict[str, tuple[int, int]], settings: "Settings"
) -> list[tuple[str | int, ...]]:
    options = ingest.reading_options(settings.map, full_text=settings.full_text)
    return [
        (name, formats.get(name, ""), one.source.sha256, options, one.source.size, *counts.get(name, (0, 0)))
        for one in found
        for name in (one.source.name,)
    ]

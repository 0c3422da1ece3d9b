"""Records to papers and what each says, on a cluster: records that share a key are one paper, and each paper is read in one task."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import ingest, ontology, pipeline
from kg.model import Paper, Place
from kg.spark.columns import PartFiles
from kg.spark.job import Job
from kg.tables import columns, text_hash

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

PART = 4096
"""Papers in a part: what one task extracts, and what is done again when its executor dies. Fewer in a small build, so that all cores have some."""
PARTS = 20_000
"""Parts at most: above PARTS × PART papers the parts grow."""
PARTS_A_CORE = 4
_PAIRS = "`key` STRING, id STRING, top STRUCT<strength: INT, id: STRING>, changed BOOLEAN"
_FIELDS = columns("papers")[2:16]
_LANGUAGE = _FIELDS.index("language")


def leaders(spark: "SparkSession", records: "DataFrame", work: Path) -> "DataFrame | None":
    """For each id that shares a key with another, the id that stands for its paper: (id, paper); None when no two records share one.

    Every id takes the strongest that its keys have seen, until nothing changes. Each round is kept as files, so that a lost executor costs
    a round and not all of them.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    keyed = records.select("id", "strength", f.explode("keys").alias("key")).distinct()
    shared = keyed.withColumn("ids", f.count("*").over(Window.partitionBy("key"))).where("ids > 1")
    step = shared.select("key", "id", f.struct("strength", "id").alias("top"), f.lit(True).alias("changed"))
    number = 0
    while True:
        path = (work / f"pairs-{number}").as_uri()
        step.write.parquet(path)
        pairs = spark.read.schema(_PAIRS).parquet(path)
        if not pairs.where("changed").take(1):
            break
        best = pairs.withColumn("best", f.min("top").over(Window.partitionBy("key")))
        best = best.withColumn("new", f.min("best").over(Window.partitionBy("id")))
        step = best.select("key", "id", f.col("new").alias("top"), (f.col("new") != f.col("top")).alias("changed"))
        number += 1
    return pairs.select("id", f.col("top.id").alias("paper")).distinct() if number else None


def extract(spark: "SparkSession", records: "DataFrame", total: int, job: Job) -> list[int]:
    """Join the records of each paper, extract what it says and write both layers as part files; returns the numbers of the parts."""
    from pyspark.sql import functions as f

    groups = leaders(spark, records, job.work)
    paper = f.col("id").alias("paper") if groups is None else f.coalesce("paper", "id").alias("paper")
    named = records if groups is None else records.join(groups, "id", "left")
    count = min(max(-(-total // PART), PARTS_A_CORE * spark.sparkContext.defaultParallelism), PARTS)
    whole = f.struct("source", "position", "record", "start", "id", "hash", *_FIELDS).alias("record")
    gathered = named.select(paper, whole).repartition(count, "paper").groupBy("paper").agg(f.sort_array(f.collect_list("record")).alias("records"))
    done = gathered.mapInArrow(partial(_extract_task, job=job), "part INT").collect()
    return sorted(row.part for row in done)


def _extract_task(batches: "Iterator[pa.RecordBatch]", job: Job) -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    part = context.partitionId()
    if extract_part(batches, job, part, context.taskAttemptId()):
        yield pa.RecordBatch.from_pydict({"part": pa.array([part], pa.int32())})


def extract_part(batches: "Iterable[pa.RecordBatch]", job: Job, part: int, attempt: int) -> int:
    """Write the rows of the papers of one part, by the functions that a build without Spark uses; returns how many papers it has.

    Each row of the batches is a paper with its records, in the order of source and position; `attempt` keeps two tasks that do the same apart.
    """
    ontology.use(job.catalogue)
    files = PartFiles(job.tables, job.work / "aside", part, attempt)
    count = 0
    for one in batches:
        papers, places = [], []
        for paper, records in zip(one.column("paper").to_pylist(), one.column("records").to_pylist(), strict=True):
            row, where = _joined(paper, records)
            papers.append(row)
            places += where
        files.add("papers", papers)
        files.add("places", places)
        read = [Paper(row[0], row[2], row[3], (Place("", ""),), language=row[2 + _LANGUAGE]) for row in papers]
        for table, rows in pipeline.chunk_rows(read, job.version, job.tier).items():
            files.add(table, rows)
        count += len(papers)
    files.close()
    return count


def _joined(paper: str, records: Sequence[dict[str, Any]]) -> tuple[tuple[Any, ...], list[tuple[Any, ...]]]:
    """The row of `papers` and the rows of `places` for the records of one paper, which stand in the order of source and position."""
    group = []
    for record in records:
        values: dict[str, Any] = {name: tuple(record[name]) if isinstance(record[name], list) else record[name] for name in _FIELDS}
        group.append(Paper(id=record["id"], places=(Place(record["source"], record["record"], record["start"]),), **values))
    fingerprint = hashlib.md5(" ".join(record["hash"] for record in records).encode(), usedforsecurity=False).hexdigest()
    row = list(ingest.paper_row(paper, group, fingerprint))
    row[-2] = text_hash(Paper(paper, row[2], row[3], (), language=row[2 + _LANGUAGE]))
    return tuple(row), [(paper, record["source"], record["record"], record["start"]) for record in records]

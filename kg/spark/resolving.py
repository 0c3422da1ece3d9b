"""Entities on the driver, what follows from them in tasks: a part of the papers at a time, by the statements that a build without Spark runs.

Resolution across papers must see all of `found` and `found_surfaces`, the two narrow tables of the found layer; the driver's database holds them
on disk. All else (links, relations, results, labels, the papers' statements) is worked out part by part, and only counts come back.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kg import tables
from kg.rdf.terms import sql_text
from kg.rdf.write import lines
from kg.resolve import across, verdicts
from kg.resolve import decisions as made
from kg.spark.columns import files, put, spark_schema
from kg.spark.job import Job
from kg.tables.derive import derive
from kg.tables.store import create

if TYPE_CHECKING:
    import duckdb
    from pyspark.sql import SparkSession

    from kg.ontology import Catalogue
    from kg.resolve.decisions import Decision

TASK_MEMORY = "1GB"
"""What the database of a task may take; a part of 4,096 papers needs less."""
NARROW = ("found", "found_surfaces")
READ = ("papers", "places", "sentences", "found", "found_surfaces", "mentions", "found_relations", "found_results")
"""The tables of a part that its task reads."""
DERIVED = ("papers", "resolved", "links", "relations", "results")
PARTED = ("found", "found_surfaces", "mentions")
"""The tables of the found layer that decisions change."""
WHOLE = ("meta", "entities", "aliases", "families", "merges", "redirects")
"""The tables that are about the whole build."""

_RESOLVED = """
COPY (
    SELECT n.part, r.paper, r.k, r.entity, e.label, e.type FROM resolved r JOIN entities e USING (entity)
    JOIN (SELECT paper, regexp_extract(filename, 'part-([0-9]+)', 1)::INTEGER AS part FROM read_parquet({extracted}, filename=true)) n USING (paper)
    ORDER BY n.part
) TO {path} (FORMAT parquet)
"""
"""Sorted by part, so that a task reads its own row groups of the file alone."""

_PARTIAL = {
    "counts": "SELECT entity, papers, mentions FROM entities WHERE papers > 0",
    "pairs": "SELECT * FROM cooccurrences",
    "stated": "SELECT DISTINCT head, relation, tail FROM relations",
}
"""What a part adds to the tables of the whole build."""

_COUNTS = """
UPDATE entities SET papers = n.papers, mentions = n.mentions
FROM (SELECT entity, sum(papers) AS papers, sum(mentions) AS mentions FROM read_parquet({0}) GROUP BY entity) n WHERE n.entity = entities.entity
"""

_STATED = """
INSERT INTO relations (paper, head, relation, tail) SELECT '', * FROM (SELECT DISTINCT head, relation, tail FROM read_parquet({0}))
"""

_TOLD = """
SELECT (SELECT count(*) FROM papers), (SELECT count(*) FROM mentions), (SELECT count(*) FROM links), (SELECT count(*) FROM relations),
    (SELECT count(*) FROM results),    (SELECT count(DISTINCT paper) FROM links), (SELECT count(*) FROM papers WHERE language <> 'en')
"""
TOLD = ("papers", "mentions", "links", "relations", "results", "linked", "not English")
"""What a task tells the driver of its part."""


def open_database(work: Path) -> "duckdb.DuckDBPyConnection":
    """The driver's database, on disk; it takes at most half of the machine's memory, since Spark's driver runs beside it."""
    import duckdb

    work.mkdir(parents=True, exist_ok=True)
    connection = duckdb.connect(str(work / "driver.duckdb"), config={"memory_limit": "50%"})
    connection.execute("SET enable_progress_bar = false")
    create(connection)
    return connection


def resolve(connection: "duckdb.DuckDBPyConnection", job: Job, catalogue: "Catalogue", decided: "Sequence[Decision]") -> tuple[tuple[str, str], ...]:
    """Make the entities of the build and leave for the tasks what they need of them; returns the decisions that name nothing in it."""
    for table in NARROW:
        _load(connection, table, files(job.tables / table))
    asked = sorted({decision.paper for decision in decided if decision.verdict == "link"})
    if asked and (kept := files(job.tables / "sentences")):
        connection.execute(f"INSERT INTO sentences BY NAME SELECT * FROM read_parquet({_list(kept)}) WHERE paper IN (SELECT unnest(?))", [asked])
    across.resolve(connection, catalogue=catalogue, decisions=decided)
    verdicts.place(connection, decided)
    _copy(connection, "SELECT * FROM placed", job.work / "placed.parquet")
    _copy(connection, f"SELECT * FROM found WHERE k >= 2 * {made.PARTED}", job.work / "added.parquet")
    path = job.work / "resolved.parquet"
    connection.execute(_RESOLVED.format(extracted=_list(files(job.tables / "extracted")), path=sql_text(str(path))))
    return tuple(verdicts.unplaced(connection))


def derive_parts(spark: "SparkSession", parts: Sequence[int], job: Job) -> dict[str, int]:
    """Links, relations, results, labels and N-Triples of all parts, in tasks; returns the counts of TOLD."""
    told = spark.sparkContext.parallelize(parts, len(parts)).map(partial(_derive_task, job=job)).collect()
    return {name: sum(counts[n] for counts in told) for n, name in enumerate(TOLD)}


def _derive_task(part: int, job: Job) -> tuple[int, ...]:
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    return derive_part(part, job, context.taskAttemptId())


def derive_part(part: int, job: Job, attempt: int) -> tuple[int, ...]:
    """All that follows from the entities for the papers of one part; `attempt` keeps two tasks that do the same apart. Returns the counts of TOLD."""
    import duckdb

    name = f"part-{part:05d}"
    decided = made.load(job.decisions)
    with duckdb.connect(config={"threads": 1, "memory_limit": TASK_MEMORY}) as connection:
        create(connection)
        _open_part(connection, part, job, decided)
        derive(connection)
        if decided:
            connection.execute("CREATE TEMP TABLE placed AS SELECT * FROM read_parquet(?)", [str(job.work / "placed.parquet")])
            verdicts.revise(connection)
        written = {job.tables / table: f"SELECT * FROM {table}" for table in (*DERIVED, *(PARTED if decided else ()))}
        for folder, query in (written | {job.work / folder: query for folder, query in _PARTIAL.items()}).items():
            aside = job.work / "aside" / f"{folder.name}-{part:05d}-{attempt}.parquet"
            _copy(connection, query, aside)
            put(aside, folder / f"{name}.parquet")
        aside = job.work / "aside" / f"{part:05d}-{attempt}.nt"
        _write_triples(connection, job, "papers", aside)
        put(aside, job.ntriples / f"{name}.nt")
        return tuple(connection.execute(_TOLD).fetchall()[0])


def _open_part(connection: "duckdb.DuckDBPyConnection", part: int, job: Job, decided: "Sequence[Decision]") -> None:
    """Fill the tables of a part: what was read and found, and the entities that resolution gave it."""
    for table in READ:
        path = job.tables / table / f"part-{part:05d}.parquet"
        _load(connection, table, [str(path)] if path.exists() else [])
    if decided:
        across.part(connection, decided)
        connection.execute(f"DELETE FROM found WHERE k >= 2 * {made.PARTED}")
        connection.execute("INSERT INTO found SELECT * FROM read_parquet(?) SEMI JOIN papers USING (paper)", [str(job.work / "added.parquet")])
    connection.execute("CREATE TEMP TABLE mine AS SELECT * FROM read_parquet(?) WHERE part = ?", [str(job.work / "resolved.parquet"), part])
    connection.execute("INSERT INTO resolved SELECT paper, k, entity FROM mine")
    connection.execute("INSERT INTO entities (entity, label, type, papers, mentions) SELECT DISTINCT entity, label, type, 0, 0 FROM mine")


def finish(spark: "SparkSession", connection: "duckdb.DuckDBPyConnection", job: Job, min_cooccurrences: int) -> None:
    """Add up what the parts counted, and write the tables and the N-Triples that are about the whole build."""
    pairs = spark.read.schema(spark_schema("cooccurrences")).parquet((job.work / "pairs").as_uri()).groupBy("a", "b").agg({"papers": "sum"})
    pairs = pairs.selectExpr("a", "b", "CAST(`sum(papers)` AS INT) AS papers").where(f"papers >= {min_cooccurrences}")
    pairs.write.parquet((job.tables / "cooccurrences").as_uri())
    connection.execute(_COUNTS.format(_list(files(job.work / "counts"))))
    connection.execute(_STATED.format(_list(files(job.work / "stated"))))
    for table in ("cooccurrences", "sources"):
        _load(connection, table, files(job.tables / table))
    connection.execute("INSERT INTO extracted VALUES ('', '', ?)", [job.version])
    for table in WHOLE:
        (job.tables / table).mkdir()
        _copy(connection, f"SELECT * FROM {table}", job.tables / table / "part-00000.parquet")
    for section in ("build", "entities"):
        _write_triples(connection, job, section, job.ntriples / f"{section}.nt")


def _write_triples(connection: "duckdb.DuckDBPyConnection", job: Job, section: str, path: Path) -> None:
    with path.open("wb") as target:
        for text in lines(connection, job.base, evidence=job.evidence, sections=(section,)):
            target.write(text.encode("utf-8", "surrogatepass"))


def _load(connection: "duckdb.DuckDBPyConnection", table: str, paths: Sequence[str]) -> None:
    if paths:
        names = ", ".join(f'"{name}"' for name in tables.columns(table))
        connection.execute(f"INSERT INTO {table} SELECT {names} FROM read_parquet({_list(paths)})")


def _list(paths: Sequence[str]) -> str:
    return "[" + ", ".join(sql_text(path) for path in paths) + "]"


def _copy(connection: "duckdb.DuckDBPyConnection", query: str, path: Path) -> None:
    connection.execute(f"COPY ({query}) TO {sql_text(str(path))} (FORMAT parquet, COMPRESSION zstd)")

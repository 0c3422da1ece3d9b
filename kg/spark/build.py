"""The order of the stages on a cluster."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kg import extract, ontology, pipeline, tables
from kg.aside import replaced_folder
from kg.errors import BuildError, KgError
from kg.ingest import Ingested
from kg.pipeline import Progress, Summary
from kg.rdf.terms import BASE, check_base
from kg.resolve import decisions
from kg.spark import papers, reading, resolving
from kg.spark.intake import SHOWN, take_in
from kg.spark.job import Job
from kg.spark.session import configured, session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from kg.settings import Settings


def build(paths: Sequence[str | Path], settings: "Settings", master: str = "", progress: Progress | None = None) -> Summary:
    """Build the tables and N-Triples of papers on a Spark cluster: `kg build --engine spark`.

    `paths` are JSON Lines and Parquet, files or folders, on a disk that all executors see or under any URI that Spark reads; `master` as in
    `kg.spark.session.session`. The folder `settings.out` must be one that the driver and all executors see. It gets `tables/`, a folder of Parquet
    a table, and `ntriples/`; both take the place of the last ones when they are complete. Everything is made anew each time.

    Raises KgError when PySpark or Java is missing or an option is none of this engine's, InputError when there is nothing to read or, when
    `settings.strict`, for what cannot be read, BuildError when Spark fails.
    """
    if settings.formats:
        raise KgError("--engine spark writes Parquet tables and N-Triples and no --format", hint="leave --format out")
    progress = progress or Progress()
    ontology.use(settings.catalogue)
    import duckdb

    try:
        with session(master) as spark, configured(spark, reading.ROWS), pipeline.locked(settings.out), _folders(settings) as job:
            return _build(spark, paths, settings, job, progress)
    except (OSError, duckdb.IOException, duckdb.OutOfMemoryException) as error:
        raise BuildError(f"the build in {settings.out} stopped: {error}", hint="free some space or memory, then build again") from error


def _build(spark: "SparkSession", paths: Sequence[str | Path], settings: "Settings", job: Job, progress: Progress) -> Summary:
    file = settings.decisions or decisions.find(paths)
    decided = decisions.load(file)
    if file and decided:
        job = replace(job, decisions=Path(shutil.copy(file, job.work)))
    progress.stage("reading", None)
    records, sources, count, unread = take_in(spark, paths, settings, job, progress.unread)
    progress.stage("extracting", None)
    parts = papers.extract(spark, records, count, job)
    progress.stage("resolving", None)
    catalogue = ontology.load(settings.catalogue).catalogue
    with resolving.open_database(job.work) as connection:
        unplaced = resolving.resolve(connection, job, catalogue, decided)
        told = resolving.derive_parts(spark, parts, job)
        progress.stage("writing", None)
        facts = {"program": pipeline.program_version(), "catalogue": catalogue.version, "tier": settings.tier, "base": settings.base}
        tables.set_meta(connection, **facts, decisions=str(file or ""))
        resolving.finish(spark, connection, job, settings.min_cooccurrences)
        (entities,) = connection.execute("SELECT count(*) FROM entities").fetchall()[0]
    counts = {"records": count, "unread": unread, "entities": entities, **told}
    notes = [f"a decision ({verdict}) names {name!r}, which this build does not hold" for verdict, name in unplaced]
    if unread > SHOWN:
        notes.append(f"{unread - SHOWN:,} more records could not be read; the table unread names them")
    ingested = Ingested(sources, 0, count, unread, told["papers"], told["papers"], 0)
    return Summary(settings.out, ingested, told["papers"], counts, (settings.out / "tables", settings.out / "ntriples"), tuple(notes))


@contextmanager
def _folders(settings: "Settings") -> Iterator[Job]:
    """The folders of a build in the making, by the paths that all machines see them under; the user's catalogue is put beside them."""
    out = settings.out.resolve()
    with replaced_folder(out / "tables") as made, replaced_folder(out / "ntriples") as ntriples:
        work = out / ".kg" / "spark"
        shutil.rmtree(work, ignore_errors=True)
        (work / "aside").mkdir(parents=True)
        try:
            catalogue = tuple(Path(shutil.copy(file, work / f"catalogue-{n}{file.suffix}")) for n, file in enumerate(settings.catalogue))
            version, base = extract.version(settings.tier), check_base(settings.base or BASE)
            yield Job(made, ntriples, work, settings.tier, version, catalogue, base, settings.evidence, None)
        finally:
            shutil.rmtree(work, ignore_errors=True)

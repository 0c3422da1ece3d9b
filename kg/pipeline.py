"""The order of the stages. The only module that knows it."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import BuildError, InputError
from kg.model import Card, Paper, Place, Unread

if TYPE_CHECKING:
    import duckdb

    from kg.ingest import Ingested
    from kg.rdf import renewal
    from kg.settings import Settings

CHUNK = 64
"""Papers that a worker takes at once."""
COMMIT = 2048
"""Papers whose rows are written in one transaction: what a killed build loses at most."""
ALONE = 256
"""Up to so many papers threads are quicker than starting processes."""
SMALL = 4
"""Papers that a thread takes at once."""
LARGE, SMALL_SHARE = 20_000, 0.02
"""In a build of more papers than LARGE, when no more than this share of them changed, the tables are renewed and the text files are not."""
APART = 5_000
"""In a build of more papers than this, what so small a change cannot reach is not resolved again."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a build did, in counts that add up: records = papers + merged, read = records + unread."""

    folder: Path
    ingested: "Ingested"
    extracted: int
    counts: dict[str, int]
    written: tuple[Path, ...] = ()
    notes: tuple[str, ...] = field(default=())


class Progress:
    """Hears how far a build has come. This one is deaf; the command line has one that draws a bar."""

    def stage(self, name: str, total: int | None) -> None:
        """A stage begins; `total` is in papers or files, None when it is not known."""

    def advance(self, count: int) -> None:
        """So many more are done."""

    def unread(self, unread: Unread) -> None:
        """A record could not be read."""


def read_card(paper: Paper, tier: str = "default") -> Card:
    """Everything that one paper says: the per-paper stages in their order. A pure function of the paper, the same in every process.

    A paper that is not in English is kept and not mined.
    """
    from kg import extract, relations, results
    from kg.resolve.within import join
    from kg.text import read_text

    text = read_text(paper)
    if paper.language != "en":
        return Card(paper, text)
    mentions, aliases = extract.run(text, tier)
    entities = relations.assign_roles(text, join(text, mentions, aliases))
    related = relations.relate(text, entities)
    return Card(paper, text, entities, related, results.read_results(text, entities, related))


def build(paths: Sequence[str | Path], settings: "Settings", progress: Progress | None = None) -> Summary:
    """Read papers, extract, resolve and write the exports: `kg build`.

    `paths` are files and folders, "-" for standard input. What an earlier build of the same folder did and what has not changed since is kept.
    Raises BuildError when the folder is in use or of another format, InputError for the first unreadable record when `settings.strict`.
    """
    from kg import ontology
    from kg.rdf import renewal, stores

    ontology.use(settings.catalogue)
    with locked(settings.out):
        if settings.fresh:
            _discard(settings.out)
        store = stores.current(settings.out)
        summary, changed = _build(paths, settings, progress or Progress(), renew_store=store is not None)
        if store and changed:
            renewal.apply(settings.out, store, changed)
        return summary


def _build(paths: Sequence[str | Path], settings: "Settings", progress: Progress, *, renew_store: bool) -> tuple[Summary, "renewal.Change | None"]:
    """The build, and what it changes in a store that holds the tables as they were."""
    import duckdb

    from kg import ingest, outputs, tables
    from kg.rdf import renewal

    connection = tables.open_build(settings.out, write=True)
    try:
        progress.stage("reading", None)
        with tables.transaction(connection):
            ingested = ingest.ingest(
                connection, paths, mapping=settings.map, strict=settings.strict, full_text=settings.full_text, on_unread=progress.unread
            )
            if not ingested.papers:
                raise InputError(f"no papers in {', '.join(map(str, paths))}: {ingested.unread} records unread", hint="kg inspect FILE; kg formats")
        extracted = extract_papers(connection, settings, progress)
        notes, apart = resolve_papers(connection, settings, progress, paths)
        changed = renewal.change(connection) if apart and renew_store else None
        if _small_change(connection, settings, ingested, extracted):
            left = f"few papers changed: the files in {settings.out} are as they were; to renew one: kg export --format NAME"
            return Summary(settings.out, ingested, extracted, _counts(connection), (), (*notes, left)), changed
        progress.stage("writing", None)
        tables.set_meta(connection, files="")
        written, left_out = outputs.write_outputs(connection, settings)
        if not settings.formats:
            tables.set_meta(connection, files=_written_with(settings))
        return Summary(settings.out, ingested, extracted, _counts(connection), written, (*notes, *left_out)), changed
    except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
        raise BuildError(f"the build in {settings.out} stopped: {error}", hint="free some space, then build again: it goes on from here") from error
    finally:
        connection.close()


def _small_change(connection: "duckdb.DuckDBPyConnection", settings: "Settings", ingested: "Ingested", extracted: int) -> bool:
    """Whether so little of a large build changed that its files, which a build wrote to the end with the same settings, can wait."""
    from kg import tables

    changed = max(extracted, ingested.new) + ingested.removed
    written = tables.meta(connection).get("files") == _written_with(settings)
    return ingested.papers > LARGE and changed <= ingested.papers * SMALL_SHARE and written and not settings.formats


def _written_with(settings: "Settings") -> str:
    return f"{settings.evidence} {settings.min_cooccurrences} {settings.base}{' authors' if settings.authors else ''}"


def extract_papers(connection: "duckdb.DuckDBPyConnection", settings: "Settings", progress: Progress) -> int:
    """Bring the found layer in line with the papers: forget what changed or went, extract what is new; returns how many were extracted.

    Rows are written every COMMIT papers, so that a killed build goes on from there.
    """
    from kg import extract, tables
    from kg.tables.schema import FOUND

    version = extract.version(settings.tier)
    with tables.transaction(connection):
        connection.execute(
            """CREATE OR REPLACE TEMP TABLE stale AS SELECT e.paper FROM extracted e
            WHERE NOT EXISTS (SELECT 1 FROM papers p WHERE p.paper = e.paper AND p.text_hash = e.text_hash AND e.extractor = ?)""",
            [version],
        )
        connection.execute("INSERT INTO changed SELECT paper FROM stale")
        for table in FOUND:
            connection.execute(f"DELETE FROM {table} WHERE paper IN (SELECT paper FROM stale)")
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE pending AS SELECT paper FROM papers WHERE paper NOT IN (SELECT paper FROM extracted) ORDER BY paper"
    )
    total = connection.execute("SELECT count(*) FROM pending").fetchall()[0][0]
    if not total:
        return 0
    progress.stage("extracting", total)
    cards = _chunk_rows(_pending(connection), version, settings, total)
    while batch := list(islice(cards, COMMIT // CHUNK)):
        with tables.transaction(connection):
            for table in FOUND:
                tables.insert(connection, table, [row for rows in batch for row in rows[table]])
            tables.insert(connection, "changed", [row[:1] for rows in batch for row in rows["extracted"]])
        progress.advance(sum(len(rows["extracted"]) for rows in batch))
    return int(total)


def resolve_papers(
    connection: "duckdb.DuckDBPyConnection", settings: "Settings", progress: Progress, paths: Sequence[str | Path] = ()
) -> tuple[tuple[str, ...], bool]:
    """Bring the resolved layer in line with the found one, in one transaction, with the user's catalogue and decisions (the file named, else the one
    beside the papers). After a small change of a large build only what it can reach is made anew, else all.

    Returns a note for each decision that names nothing in the build, and whether a part was enough.
    """
    import duckdb

    from kg import ontology, tables
    from kg.resolve import across, decisions, kin, verdicts
    from kg.tables import partial
    from kg.tables.derive import derive

    progress.stage("resolving", None)
    catalogue = ontology.load(settings.catalogue).catalogue
    file = settings.decisions or decisions.find(paths)
    decided = decisions.load(file)
    pairs = settings.min_cooccurrences
    large = connection.execute("SELECT count(*) FROM papers").fetchall()[0][0] > APART
    made_with = (partial.VERSION, program_version(), duckdb.__version__, catalogue.version, str(pairs), settings.base)
    stamp = " ".join(made_with) if large and not decided and not settings.authors else ""
    with tables.transaction(connection):
        apart = _changed_little(connection, stamp) and partial.renew(connection, catalogue=catalogue, min_cooccurrences=pairs)
        if not apart:
            across.resolve(connection, catalogue=catalogue, decisions=decided)
            if large:
                kin.fill(connection)
            derive(connection, min_cooccurrences=pairs)
        verdicts.apply(connection, decided)
        connection.execute("DELETE FROM changed")
        tables.set_meta(
            connection,
            program=program_version(),
            catalogue=catalogue.version,
            tier=settings.tier,
            base=settings.base,
            decisions=str(file or ""),
            resolved=stamp,
            authors="yes" if settings.authors else "",
        )
        unplaced = verdicts.unplaced(connection)
    return tuple(f"a decision ({verdict}) names {name!r}, which this build does not hold" for verdict, name in unplaced), apart


def _changed_little(connection: "duckdb.DuckDBPyConnection", stamp: str) -> bool:
    """Whether the last resolution was made as this one would be, and few papers changed since."""
    from kg import tables

    ((few,),) = connection.execute(f"SELECT (SELECT count(*) FROM changed) <= {SMALL_SHARE} * (SELECT count(*) FROM papers)").fetchall()
    return bool(stamp) and tables.meta(connection).get("resolved") == stamp and few


def program_version() -> str:
    """The version of the installed package."""
    from importlib.metadata import version

    return version("kg")


def _pending(connection: "duckdb.DuckDBPyConnection") -> Iterator[Paper]:
    names = connection.execute("SELECT paper FROM pending ORDER BY paper").fetchall()
    for begin in range(0, len(names), COMMIT):
        wanted = [name for (name,) in names[begin : begin + COMMIT]]
        rows = connection.execute(
            "SELECT paper, title, abstract, language FROM papers WHERE paper IN (SELECT unnest(?::VARCHAR[])) ORDER BY paper", [wanted]
        ).fetchall()
        for paper, title, abstract, language in rows:
            yield Paper(paper, title, abstract, (Place("", ""),), language=language)


def _chunks(papers: Iterable[Paper], size: int) -> Iterator[list[Paper]]:
    stream = iter(papers)
    while chunk := list(islice(stream, size)):
        yield chunk


def _start_worker(catalogue: tuple[Path, ...]) -> None:
    from kg import ontology

    ontology.use(catalogue)


def chunk_rows(papers: Sequence[Paper], version: str, tier: str) -> dict[str, list[tuple[Any, ...]]]:
    """The found rows of some papers: the unit of work of a process or of a cluster's task."""
    from kg import tables
    from kg.tables.schema import FOUND

    rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in FOUND}
    for paper in papers:
        for table, more in tables.card_rows(read_card(paper, tier), version).items():
            rows[table].extend(more)
    return rows


def _chunk_rows(papers: Iterable[Paper], version: str, settings: "Settings", total: int) -> Iterator[dict[str, list[tuple[Any, ...]]]]:
    workers = settings.workers or os.cpu_count() or 1
    if workers == 1:
        for chunk in _chunks(papers, CHUNK):
            yield chunk_rows(chunk, version, settings.tier)
    elif total <= ALONE:
        yield from _in_threads(papers, version, settings.tier, workers)
    else:
        yield from _in_processes(papers, version, settings, workers)


def _in_threads(papers: Iterable[Paper], version: str, tier: str, workers: int) -> Iterator[dict[str, list[tuple[Any, ...]]]]:
    """The encoder runs outside the interpreter's lock. The first paper goes alone, so that the models are loaded once."""
    from concurrent.futures import ThreadPoolExecutor

    stream = iter(papers)
    yield chunk_rows(list(islice(stream, 1)), version, tier)
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda chunk: chunk_rows(chunk, version, tier), _chunks(stream, SMALL))


def _in_processes(papers: Iterable[Paper], version: str, settings: "Settings", workers: int) -> Iterator[dict[str, list[tuple[Any, ...]]]]:
    """Results in the order of the papers, with at most three chunks a worker under way, so that memory stays bounded."""
    from collections import deque
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing import get_context

    waiting: deque[Future[dict[str, list[tuple[Any, ...]]]]] = deque()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_start_worker, initargs=(settings.catalogue,)) as pool:
        for chunk in _chunks(papers, CHUNK):
            waiting.append(pool.submit(chunk_rows, chunk, version, settings.tier))
            if len(waiting) >= 3 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _counts(connection: "duckdb.DuckDBPyConnection") -> dict[str, int]:
    tables = ("records", "unread", "papers", "mentions", "entities", "links", "relations", "results")
    counts = {table: connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0] for table in tables}
    counts["linked"] = connection.execute("SELECT count(DISTINCT paper) FROM links").fetchall()[0][0]
    counts["not English"] = connection.execute("SELECT count(*) FROM papers WHERE language <> 'en'").fetchall()[0][0]
    return counts


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a folder to this build: a second one says so. Raises BuildError then, and when the folder cannot be written."""
    from filelock import FileLock, Timeout

    home = folder / ".kg"
    lock = FileLock(home / "lock")
    try:
        home.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout as error:
        raise BuildError(f"another build is writing into {folder}", hint="wait until it has finished, or build into another folder") from error
    except OSError as error:
        raise BuildError(f"{folder} cannot be made or written: {error.strerror}", hint="choose another folder with -o") from error
    try:
        yield
    finally:
        lock.release()


def _discard(folder: Path) -> None:
    from kg.tables import database

    path = database(folder)
    for leftover in (path, path.with_name(path.name + ".wal")):
        leftover.unlink(missing_ok=True)

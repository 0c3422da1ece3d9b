"""What a build of millions costs: `python benchmarks/scale.py papers.jsonl.gz [N] [--slow N] [--json FILE]`.

Runs the tasks of `kg build --engine spark`, one after the other in this process and without Spark, on N papers of a JSON Lines file: reading,
extraction in each tier (the default tier on --slow papers), resolution, what follows from it. Prints for each what a paper costs in seconds of
one processor and in bytes, and from these the costs of 10 and 200 million papers. Spark's own shuffles and start are not in it.
"""

import argparse
import gzip
import json
import os
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa

from kg import extract, ontology
from kg.model import Paper, Place
from kg.pipeline import chunk_rows
from kg.rdf.terms import BASE
from kg.rdf.write import lines as triples
from kg.readers import SourceFile
from kg.spark import papers, reading, resolving
from kg.spark.files import Found
from kg.spark.job import Job
from kg.tables.schema import FOUND

SIZES = (10_000_000, 200_000_000)


def seconds(work: Callable[[], Any]) -> tuple[Any, float]:
    """What a function returns, and the seconds of processor time that it took."""
    before = time.process_time()
    return work(), time.process_time() - before


def read(path: Path, count: int) -> list[dict[str, Any]]:
    """The first records of a file, by the task that reads lines."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as source:
        lines = [line.rstrip(b"\n") for line in islice(source, count)]
    given = [
        pa.record_batch({"line": part, "file": [str(path)] * len(part), "block": [0] * len(part)})
        for part in (lines[at : at + reading.ROWS] for at in range(0, len(lines), reading.ROWS))
    ]
    found = [Found(SourceFile(path.name, path.name, path, size=1), str(path))]
    known, _ = reading.described(found, [tuple(row.values()) for one in reading.count_lines(iter(given)) for row in one.to_pylist()])
    done = reading.read_lines(iter(given), SimpleNamespace(value=known), {}, full_text=False)
    return [row for one in done for row in one.to_pylist() if row["reason"] is None]


def tier_cost(records: list[dict[str, Any]], tier: str) -> float:
    """Seconds of one processor for a paper, the models loaded before."""
    texts = [Paper(r["id"], r["title"], r["abstract"], (Place("", ""),), language=r["language"]) for r in records]
    chunk_rows(texts[:1], "", tier)
    return seconds(lambda: [chunk_rows(texts[at : at + 64], "", tier) for at in range(0, len(texts), 64)])[1] / len(texts)


def batches(records: list[dict[str, Any]]) -> Iterator[pa.RecordBatch]:
    """Papers of one record each, as Spark gives them to the task that extracts."""
    for at in range(0, len(records), reading.ROWS):
        yield pa.RecordBatch.from_pylist([{"paper": record["id"], "records": [record]} for record in records[at : at + reading.ROWS]])


def peak() -> float:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def size(folder: Path, tables: tuple[str, ...]) -> int:
    """Bytes of some tables."""
    return sum(path.stat().st_size for table in tables for path in (folder / table).glob("*.parquet"))


def measure(path: Path, count: int, slow: int) -> dict[str, Any]:
    """All figures."""
    records, read_in = seconds(lambda: read(path, count))
    records = list({record["id"]: record for record in records}.values())
    figures: dict[str, Any] = {"papers": len(records), "read, ms": 1000 * read_in / len(records)}
    for tier in ("rules", "fast", "default"):
        figures[f"extract {tier}, ms"] = 1000 * tier_cost(records[: slow if tier == "default" else 4 * slow], tier)
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        job = Job(home / "tables", home / "nt", home / "work", "fast", extract.version("fast"), (), BASE, "quotes", None)
        for folder in (job.tables, job.ntriples, job.work / "aside"):
            folder.mkdir(parents=True)
        parts = [records[at : at + papers.PART] for at in range(0, len(records), papers.PART)]
        _, extraction = seconds(lambda: [papers.extract_part(batches(part), job, number, 0) for number, part in enumerate(parts)])
        figures["peak memory of reading and extraction, MB"] = peak()
        figures["extract and write fast, ms"] = 1000 * extraction / len(records)
        figures["found layer, bytes"] = size(job.tables, tuple(FOUND)) / len(records)
        figures["narrow tables, bytes"] = size(job.tables, resolving.NARROW) / len(records)
        with resolving.open_database(job.work) as connection:
            before = time.perf_counter()
            _, resolution = seconds(lambda: resolving.resolve(connection, job, ontology.load().catalogue, ()))
            figures["resolution, s of wall"] = time.perf_counter() - before
            rows, entities, names = connection.execute(
                "SELECT (SELECT count(*) FROM found), (SELECT count(*) FROM entities), (SELECT count(*) FROM keys)"
            ).fetchall()[0]
            figures |= {"found rows": rows, "entities": entities, "distinct texts": names, "resolution, rows a second": rows / resolution}
            figures["peak memory with resolution, MB"] = peak()
            _, derivation = seconds(lambda: [resolving.derive_part(number, job, 0) for number in range(len(parts))])
            figures["peak memory with a part's derivation, MB"] = peak()
            figures["derive and write, ms"] = 1000 * derivation / len(records)
            text, whole = seconds(lambda: sum(len(piece.encode()) for piece in triples(connection, sections=("entities",))))
            figures["entities' statements, ms an entity"] = 1000 * whole / entities
            figures["entities' statements, bytes an entity"] = text / entities
        figures["all tables, bytes"] = size(job.tables, tuple(p.name for p in job.tables.iterdir())) / len(records)
        figures["papers' statements, bytes"] = sum(p.stat().st_size for p in job.ntriples.iterdir()) / len(records)
        figures["records, bytes"] = sum(len(json.dumps(r, default=str)) for r in records) / len(records)
    return figures


def projection(figures: dict[str, Any], total: int, tier: str) -> dict[str, float]:
    """What so many papers cost by the figures of the sample, every cost in proportion to the papers."""
    tasks = figures["read, ms"] + figures[f"extract {tier}, ms"] + figures["derive and write, ms"]
    tasks += figures["extract and write fast, ms"] - figures["extract fast, ms"]
    rows = figures["found rows"] / figures["papers"] * total
    return {
        "core-hours of tasks": tasks * total / 3.6e6,
        "driver's hours of resolution, one core": rows / figures["resolution, rows a second"] / 3600,
        "driver's database, GB at least": figures["narrow tables, bytes"] * total / 1e9,
        "tables, GB": figures["all tables, bytes"] * total / 1e9,
        "N-Triples, GB": figures["papers' statements, bytes"] * total / 1e9,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("--slow", type=int, default=200, help="papers of the default tier; the quicker ones get four times as many")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    chosen = parser.parse_args(sys.argv[1:])
    figures = measure(chosen.file, chosen.count, chosen.slow)
    costs = {f"{total:,} in tier {tier}": projection(figures, total, tier) for total in SIZES for tier in ("fast", "default")}
    machine = {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count(), "load": os.getloadavg()[0]}
    for name, value in (figures | machine).items():
        print(f"{name:42s} {value:,.3f}" if isinstance(value, float) else f"{name:42s} {value}")
    for title, cost in costs.items():
        print(title, *(f"   {name:40s} {value:,.1f}" for name, value in cost.items()), sep="\n")
    if chosen.json:
        chosen.json.write_text(json.dumps({"figures": figures, "machine": machine, "costs": costs}, indent=2) + "\n", encoding="utf-8")

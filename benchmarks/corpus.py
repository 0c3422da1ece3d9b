"""A whole corpus on one machine: `python benchmarks/corpus.py papers.jsonl.gz -o FOLDER [--tier fast] [--papers N] [--json FILE]`.

Builds the papers into FOLDER, or goes on with the build that is there, writes N-Triples, loads the store, asks it, adds one paper and computes the
graph's metrics; prints for each step the seconds of the clock and of the processors, and the most memory that one of its processes held. For Linux.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

PAPER = {"id": "one-more", "title": "One more kite", "abstract": "We propose KiteNet, a model for image classification, and evaluate it on ImageNet."}


def step(name: str, arguments: list[str], figures: dict[str, Any]) -> None:
    """Run `kg` with arguments and record what it took."""
    began = time.perf_counter()
    program = [sys.executable, "-c", "from kg.cli import main; main()", *arguments]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = watch(process)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"kg {' '.join(arguments)} ended with {process.returncode}")
    seconds = time.perf_counter() - began
    record(name, seconds, used.ru_utime + used.ru_stime, peak, figures)


def watch(process: "subprocess.Popen[bytes]") -> float:
    """The most memory, in MB, that a process and its children held together, seen every half second, until it ends; shared pages count once."""
    peak = 0.0
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        peak = max(peak, held(process.pid))
        time.sleep(0.5)
    return peak


def held(process: int) -> float:
    """The proportional share of memory, in MB, of a process and of all that it started."""
    total = 0.0
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) / 1024
        for child in Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split():
            total += held(int(child))
    except (FileNotFoundError, ProcessLookupError):
        return total
    return total


def record(name: str, seconds: float, used: float, peak: float, figures: dict[str, Any]) -> None:
    """Print a step and keep it."""
    figures[name] = {"seconds": round(seconds, 2), "processor": round(used, 2), "MB": round(peak)}
    print(f"{name:32} {seconds:8.1f} s, processor {used:8.1f} s, {peak:6.0f} MB", flush=True)


def asked(folder: Path, figures: dict[str, Any]) -> None:
    """Look-ups and aggregates on the store, in milliseconds of the clock, the best of three."""
    from rdf import AGGREGATES, LOOKUPS

    from kg import query, rdf, tables

    store = rdf.store(folder)
    with tables.open_build(folder) as connection:
        (entity,) = connection.execute("SELECT entity FROM entities ORDER BY papers DESC, entity LIMIT 1").fetchone() or ("",)
    for name, text in (LOOKUPS | AGGREGATES).items():
        sparql = text.replace("ENTITY", rdf.entity_iri(entity).rpartition("/")[2])
        best = min(clocked(lambda sparql=sparql: query.respond(store, sparql, ("json", "ttl"))) for _ in range(3))
        figures[f"query: {name}"] = {"milliseconds": round(best * 1000, 1)}
        print(f"query: {name:25} {best * 1000:8.1f} ms", flush=True)


def clocked(work: Callable[[], Any]) -> float:
    """Seconds of the clock."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--tier", default="fast")
    parser.add_argument("--papers", type=int, help="so many of them")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    source, one = chosen.file, chosen.out / "one.jsonl"
    if chosen.papers:
        source = chosen.out / "papers.jsonl"
        with gzip.open(chosen.file, "rb") as lines:
            source.write_bytes(b"".join(islice(lines, chosen.papers)))
    one.unlink(missing_ok=True)
    figures: dict[str, Any] = {}
    out = str(chosen.out / "build")
    build = ["build", str(source), "-o", out, "--tier", chosen.tier]
    step("build", build, figures)
    step("N-Triples", ["export", "--format", "ntriples", "--in", out, "-o", str(chosen.out / "graph.nt")], figures)
    step("store", ["query", "-e", "ASK { ?s ?p ?o }", "--in", out], figures)
    asked(Path(out), figures)
    step("metrics", ["metrics", "--in", out, "--csv", str(chosen.out / "metrics.csv")], figures)
    step("nothing new", build, figures)
    one.write_text(json.dumps(PAPER) + "\n", encoding="utf-8")
    step("one paper more", [*build, str(one)], figures)
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Speed of extraction: `python benchmarks/extraction.py papers.jsonl [N]`.

For each tier: seconds to load the model, abstracts a second in one process and in two, peak memory of a process. Beside them spaCy's small English
pipeline on the same texts, when it is installed (pip install spacy and its model en_core_web_sm); it finds persons and places, not datasets, and
stands here for what a general pipeline costs.
"""

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from kg.model import Paper


def papers(path: str, count: int) -> list[Paper]:
    """The first papers of a JSON Lines file (also .gz)."""
    import gzip

    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        records = (json.loads(line) for line in islice(lines, count))
        return [Paper(str(r["id"]), r.get("title") or "", r.get("abstract") or "", ()) for r in records]


def reader(tier: str) -> Callable[[Paper], object]:
    """What one paper costs in a tier, cleaning included; loads the model."""
    if tier == "spacy":
        import spacy

        pipeline = spacy.load("en_core_web_sm")
        return lambda paper: pipeline(paper.raw)
    from kg.extract import run
    from kg.text import read_text

    run(read_text(Paper("warm", "", "We train BERT on SQuAD.", ())), tier)
    return lambda paper: run(read_text(paper), tier)


def worker(tier: str, part: list[Paper]) -> tuple[float, float, int, int]:
    """Seconds to load, seconds for the papers, how many, and the process's peak memory in MiB."""
    began = time.perf_counter()
    read = reader(tier)
    loaded = time.perf_counter()
    for paper in part:
        read(paper)
    done = time.perf_counter()
    return loaded - began, done - loaded, len(part), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measure(tier: str, texts: list[Paper], processes: int) -> tuple[float, str]:
    """Abstracts a second, and the line of the table."""
    parts = [texts[start::processes] for start in range(processes)]
    with get_context("spawn").Pool(processes) as pool:
        results = pool.starmap(worker, [(tier, part) for part in parts])
    pace = sum(count / seconds for _, seconds, count, _ in results)
    load, memory = max(r[0] for r in results), max(r[3] for r in results)
    return pace, f"{tier:8s} {processes} at once   load {load:5.2f} s  {pace:7.1f} abstracts/s  {memory} MiB a process"


def lines(path: str, count: int) -> Iterator[str]:
    """The table."""
    from importlib.util import find_spec

    texts = papers(path, count)
    paces: dict[str, float] = {}
    yield f"{len(texts)} abstracts of {Path(path).name}"
    for tier in ("fast", "default", *(["spacy"] if find_spec("spacy") and find_spec("en_core_web_sm") else [])):
        for processes in (1, 2):
            paces[tier], line = measure(tier, texts, processes)
            yield line
    for tier in ("fast", "default"):
        if "spacy" in paces:
            yield f"ratio {tier} tier against spaCy: {paces[tier] / paces['spacy']:.2f}"


if __name__ == "__main__":
    for line in lines(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300):
        print(line, flush=True)

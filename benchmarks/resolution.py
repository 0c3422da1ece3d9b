"""Resolution across papers on hard pairs, and its speed: python benchmarks/resolution.py [--errors] [--half tuning|held] [--speed PAPERS].

`resolution_pairs.tsv` holds pairs of names judged by hand; `resolution_uses.tsv` says in how many papers of a sample each short form is expanded how,
which is what resolution would know from the rest of a build. Half of the pairs, chosen by a hash of their text, was held back from tuning.
"""

import argparse
import csv
import resource
import sys
import time
import zlib
from collections import Counter, defaultdict
from pathlib import Path

import duckdb

from kg import ontology, tables
from kg.resolve import across
from kg.resolve.known import certain
from kg.tables.store import create

HERE = Path(__file__).parent
CAP = 30
Name = tuple[str, str, str]


def pairs() -> list[tuple[bool, Name, Name, str]]:
    """(same, name, name, kind); a name is (name, type, expansion)."""
    with (HERE / "resolution_pairs.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [(r[0] == "same", (r[1], r[2], r[3]), (r[4], r[5], r[6]), r[7]) for r in rows]


def held(first: Name, second: Name) -> bool:
    """Whether a pair is in the half that was held back."""
    return zlib.crc32("\t".join((*first, *second)).encode()) % 2 == 1


def resolve(names: list[Name]) -> dict[Name, str]:
    """The entity of each name, each in a paper of its own, among the uses of the sample."""
    catalogue = ontology.load().catalogue
    types = {(name.removesuffix("s"), expansion): kind for name, kind, expansion in names if expansion}
    with (HERE / "resolution_uses.tsv").open(encoding="utf-8") as lines:
        uses = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    rows = [(short, types.get((short, long), "Method"), long) for short, long, n in uses for _ in range(min(int(n), CAP))]
    found, surfaces = [], []
    for n, (name, kind, expansion) in enumerate([*names, *rows]):
        known = certain(catalogue, expansion or name)
        paper = f"paper{n:06d}"
        found.append((paper, 0, known.name if known else name, kind, "", "used", 0.9, "", expansion, known.id if known else ""))
        surfaces.extend((paper, 0, surface, "") for surface in dict.fromkeys((name, *filter(None, [expansion]))))
    connection = duckdb.connect()
    create(connection)
    tables.insert(connection, "found", found)
    tables.insert(connection, "found_surfaces", surfaces)
    across.resolve(connection, catalogue=catalogue)
    entities = dict(connection.execute("SELECT paper, entity FROM resolved").fetchall())
    return {name: entities[f"paper{n:06d}"] for n, name in enumerate(names)}


def score(judged: list[tuple[bool, Name, Name, str]], entity: dict[Name, str]) -> tuple[float, float, float, float]:
    """Pairwise precision and recall, and B³ precision and recall over the pairs whose identity follows from the judgements."""
    merged = Counter((same, entity[a] == entity[b]) for same, a, b, _ in judged)
    precision = merged[True, True] / max(1, merged[True, True] + merged[False, True])
    recall = merged[True, True] / max(1, merged[True, True] + merged[True, False])
    top: dict[Name, Name] = {}

    def find(name: Name) -> Name:
        while name in top:
            name = top[name]
        return name

    for same, a, b, _ in judged:
        if same and find(a) != find(b):
            top[find(a)] = find(b)
    other: dict[Name, set[Name]] = defaultdict(set)
    members: dict[Name, set[Name]] = defaultdict(set)
    for name in {n for _, a, b, _ in judged for n in (a, b)}:
        members[find(name)].add(name)
    for same, a, b, _ in judged:
        if not same:
            other[find(a)].add(find(b))
            other[find(b)].add(find(a))
    shares = []
    for group in members.values():
        for name in group:
            rivals = {m for root in other[find(name)] for m in members[root]}
            mine = {m for m in group if entity[m] == entity[name]}
            shares.append((len(mine) / (len(mine) + sum(entity[m] == entity[name] for m in rivals)), len(mine) / len(group)))
    return precision, recall, sum(p for p, _ in shares) / len(shares), sum(r for _, r in shares) / len(shares)


def report(errors: bool, half: str) -> None:
    """Print the figures."""
    judged = pairs()
    entity = resolve(sorted({n for _, a, b, _ in judged for n in (a, b)}))
    for title, chosen in (("tuning", False), ("held", True)):
        part = [row for row in judged if held(row[1], row[2]) is chosen]
        p, r, bp, br = score(part, entity)
        same = sum(row[0] for row in part)
        print(f"{title:8s} {len(part)} pairs ({same} same)  pairwise P {p:.3f} R {r:.3f} F1 {2 * p * r / (p + r):.3f}   B3 P {bp:.3f} R {br:.3f}")
        for kind in sorted({row[3] for row in part}):
            rows = [row for row in part if row[3] == kind]
            print(f"    {kind:32s} {sum((entity[a] == entity[b]) == same for same, a, b, _ in rows)}/{len(rows)} right")
        if errors and half == title:
            for same, a, b, kind in part:
                if (entity[a] == entity[b]) != same:
                    print("   ", "missed" if same else "WRONG ", kind, a, b, "->", entity[a], entity[b])


def speed(papers: int) -> None:
    """Resolve an invented build of so many papers with ten names each and print seconds and peak memory."""
    import random

    rng = random.Random(1)
    catalogue = ontology.load().catalogue
    common = [(row.name, row.type.value, row.id) for row in catalogue.rows]
    connection = duckdb.connect(config={"memory_limit": "1000MB", "threads": 2, "preserve_insertion_order": "false"})
    create(connection)
    for begin in range(0, papers, 5000):
        found, surfaces = [], []
        for n in range(begin, min(begin + 5000, papers)):
            for k in range(10):
                if k < 6:
                    name, kind, known = common[min(int(rng.expovariate(1 / 1500)), len(common) - 1)]
                    row = (name, kind, "", known)
                else:
                    word = f"{rng.choice(['Zorb', 'okapi ', 'Quill-', 'DeepX'])}{rng.randrange(150_000)}"
                    row = (word, rng.choice(["Method", "Model", "Dataset", "Task"]), f"{word} of things" if k == 9 else "", "")
                found.append((f"p{n}", k, row[0], row[1], "", "used", 0.9, "x", row[2], row[3]))
                surfaces.extend((f"p{n}", k, s, "case") for s in {row[0], row[0] + "s" if k % 3 else row[0].title()})
        tables.insert(connection, "found", found)
        tables.insert(connection, "found_surfaces", surfaces)
    began, cpu = time.perf_counter(), time.process_time()
    across.resolve(connection, catalogue=catalogue)
    n = connection.execute("SELECT count(*) FROM entities").fetchall()[0][0]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = f"{time.perf_counter() - began:.1f} s, {time.process_time() - cpu:.1f} s of processor"
    print(f"{papers:,} papers, {10 * papers:,} found rows, {n:,} entities: {seconds}, peak {peak:.0f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--errors", action="store_true", help="list what is wrong in the half")
    parser.add_argument("--half", choices=("tuning", "held"), default="tuning")
    parser.add_argument("--speed", type=int, help="measure the speed on so many invented papers instead")
    chosen = parser.parse_args(sys.argv[1:])
    if chosen.speed:
        speed(chosen.speed)
    else:
        report(chosen.errors, chosen.half)

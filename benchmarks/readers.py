"""Speed of reading, and that memory does not grow with the file.

For Linux. `python benchmarks/readers.py FILE...` prints records a second on one core and the peak of memory for each file, each read in a
process of its own.
`python benchmarks/readers.py --gigabytes 4` reads JSON Lines and a JSON array of that size as they are made, through a pipe, and a Parquet file
that it writes to the folder for temporary files, in row groups of 700 MB.
"""

import argparse
import json
import multiprocessing
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

WORDS = "we train kites to fly by themselves and let strings forget their knots in the wind over the hills of this county"
ABSTRACT = " ".join(WORDS.split()[number * number % 23 % 22] for number in range(800))
GROUP = 700_000_000


def rows() -> Iterator[dict[str, str]]:
    """Papers without end, of about 4 kB each."""
    number = 0
    while True:
        number += 1
        yield {"id": str(number), "title": f"Kites {number}", "abstract": f"{ABSTRACT} {number}."}


def measure(path: str) -> None:
    """Read one file and print what it took; the peak is that of this process."""
    from kg.model import Paper
    from kg.readers import read

    started = time.process_time()
    papers = unread = 0
    for item in read([path]):
        papers += isinstance(item, Paper)
        unread += not isinstance(item, Paper)
    seconds = time.process_time() - started
    print(f"{path}: {papers:,} papers, {unread:,} unread, {(papers + unread) / seconds:,.0f} records/s, peak {peak():,.0f} MiB", flush=True)


def peak() -> float:
    """The largest memory of this process, in MiB; what the operating system calls its peak may be that of the process which started it."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def apart(path: str) -> None:
    """Measure in a fresh process, since a peak does not fall again."""
    process = multiprocessing.get_context("spawn").Process(target=measure, args=(path,))
    process.start()
    process.join()


def stream(target: BinaryIO, size: int, *, array: bool) -> None:
    """Write records until there are `size` bytes of them."""
    written = 0
    target.write(b"[" if array else b"")
    for row in rows():
        record = json.dumps(row).encode()
        target.write(record)
        written += len(record)
        if written >= size:
            break
        target.write(b",\n" if array else b"\n")
    target.write(b"]" if array else b"\n")


def piped(name: str, size: int, *, array: bool) -> None:
    """Read a stream as it is made."""
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder) / name
        os.mkfifo(pipe)

        def write() -> None:
            with pipe.open("wb") as target:
                stream(target, size, array=array)

        writer = threading.Thread(target=write)
        writer.start()
        apart(str(pipe))
        writer.join()


def parquet(size: int) -> None:
    """Read a Parquet file of few and huge row groups."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.string()) for name in ("id", "title", "abstract")])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "papers.parquet"
        source, written = rows(), 0
        with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
            while written < size:
                group = [next(source) for _ in range(GROUP // len(ABSTRACT))]
                writer.write_table(pa.Table.from_pylist(group, schema), row_group_size=len(group))
                written += GROUP
        print(f"{path.stat().st_size / 1e9:.1f} GB in {pq.ParquetFile(path).num_row_groups} row groups")
        apart(str(path))


def main() -> None:
    """Print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("files", nargs="*")
    arguments.add_argument("--gigabytes", type=float, default=0)
    given = arguments.parse_args()
    for file in given.files:
        apart(file)
    if size := int(given.gigabytes * 1e9):
        piped("papers.jsonl", size, array=False)
        piped("papers.json", size, array=True)
        parquet(size)


if __name__ == "__main__":
    main()

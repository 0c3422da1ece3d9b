"""Ten times the records need no more memory, in every format that is streamed: the peak of a process that reads N, then 10 N."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

READ = """
import sys
{imports}
from kg.model import Paper
from kg.readers import read

def peak():
    {peak}

for path in sys.argv[1:]:
    print(sum(isinstance(item, Paper) for item in read([path])), peak())
"""
OF_PROCESS = 'return next(int(line.split()[1]) << 10 for line in open("/proc/self/status") if line.startswith("VmHWM"))'
OF_ARROW = "return pa.default_memory_pool().max_memory()"
FEW, MANY = 1_000, 10_000
TEXT = "We train kites to fly by themselves and let strings forget their knots. " * 20
"""1.4 kB, so that MANY are 14 MB."""


def rows(count: int) -> Iterable[dict[str, str]]:
    return ({"id": str(number), "title": f"Kites {number}", "abstract": f"{TEXT}{number}"} for number in range(count))


def joined(template: str, before: str = "", after: str = "") -> Callable[[Path, int], None]:
    def write(path: Path, count: int) -> None:
        with path.open("w", encoding="utf-8") as file:
            file.write(before)
            file.writelines(template.format(**row) for row in rows(count))
            file.write(after)

    return write


def lines(path: Path, count: int) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(count)), encoding="utf-8")


def packed(path: Path, count: int) -> None:
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows(count)).encode()))


def array(path: Path, count: int) -> None:
    path.write_text(json.dumps(list(rows(count))), encoding="utf-8")


def page(path: Path, count: int) -> None:
    path.write_text(json.dumps({"meta": {}, "results": list(rows(count))}), encoding="utf-8")


def parquet(path: Path, count: int) -> None:
    """One row group, however many rows."""
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    table = pa.Table.from_pylist([{**row, "abstract": row["abstract"] * 5} for row in rows(count)])
    pq.write_table(table, path, row_group_size=count, use_dictionary=False, compression="none")
    assert pq.ParquetFile(path).num_row_groups == 1


FORMATS: dict[str, Callable[[Path, int], None]] = {
    "a.jsonl": lines,
    "a.jsonl.gz": packed,
    "array.json": array,
    "page.json": page,
    "a.csv": joined('{id},{title},"{abstract}"\n', "id,title,abstract\n"),
    "a.bib": joined("@article{{k{id},\n title = {{{title}}},\n abstract = {{{abstract}}}\n}}\n"),
    "a.ris": joined("TY  - JOUR\nTI  - {title}\nAB  - {abstract}\nER  - \n"),
    "a.txt": joined("Title: {title}\nAbstract: {abstract}\n\n"),
    "a.atom": joined("<entry><title>{title}</title><summary>{abstract}</summary></entry>\n", "<feed>", "</feed>"),
}


def peaks(program: str, few: Path, many: Path) -> tuple[int, int]:
    """The peaks in bytes once FEW records are read, and once MANY are."""
    done = subprocess.run([sys.executable, "-c", program, str(few), str(many)], capture_output=True, text=True, check=True)
    (read_few, before), (read_many, after) = (map(int, line.split()) for line in done.stdout.splitlines())
    assert (read_few, read_many) == (FEW, MANY)
    return before, after


def test_ten_times_the_rows_of_one_row_group_need_no_more_memory(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    few, many = tmp_path / "few.parquet", tmp_path / "many.parquet"
    parquet(few, FEW)
    parquet(many, MANY)
    before, after = peaks(READ.format(imports="import pyarrow as pa", peak=OF_ARROW), few, many)
    assert after < 2 * before
    assert after < many.stat().st_size / 2


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read from /proc")
@pytest.mark.parametrize("name", FORMATS)
def test_ten_times_the_records_need_no_more_memory(name: str, tmp_path: Path) -> None:
    few, many = tmp_path / f"few-{name}", tmp_path / f"many-{name}"
    FORMATS[name](few, FEW)
    FORMATS[name](many, MANY)
    before, after = peaks(READ.format(imports="", peak=OF_PROCESS), few, many)
    # A reader that held the records would need as much more as there are bytes more.
    assert after - before < (MANY - FEW) * len(TEXT) / 2

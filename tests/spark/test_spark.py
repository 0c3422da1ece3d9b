"""`kg build --engine spark` on a cluster of processes gives what the local engine gives, link for link."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import duckdb
import pytest
from click.testing import CliRunner

from kg import ingest, readers
from kg.cli import main
from kg.errors import InputError, KgError
from kg.model import Paper
from kg.readers import SourceFile
from kg.spark import reading
from kg.spark.files import Found, find
from kg.spark.session import check
from kg.tables import columns
from tests.spark import corpus

PAPERS = 2000
TABLES = (
    "papers", "places", "sentences", "mentions", "found", "found_surfaces", "found_relations", "found_results", "resolved", "entities", "aliases",
    "families", "merges", "redirects", "links", "relations", "results", "cooccurrences", "unread", "sources",
)  # fmt: skip
QUICK = "".join(f"spark.{side}.extraJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC\n" for side in ("driver", "executor"))
"""A Java machine that runs for a minute does not earn back its best compiler."""
DECISIONS = (
    "decision\ta\tb\tvalue\tpaper\tnote\n"
    "different\tZornet\tzornet-2\t\t\t\n"
    "same\tMarformer\tFenformer\t\t\t\n"
    "wrong-link\tTalgate\t\t\t\t\n"
    "type\tBribert\t\tModel\t\t\n"
    "link\tHapflow\t\tused\tdoi:10.5555/x.3\t\n"
    "role\tLunmix\t\tused\tdoi:10.5555/x.6\t\n"
)


def missing() -> str:
    try:
        check()
    except KgError as error:
        return error.message
    return "" if Path("/proc/self/stat").exists() else "executors are found by /proc"


def executors(ancestor: int) -> list[int]:
    """The executors among the processes that a process has started."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue

    def below(pid: int) -> bool:
        while pid in parents and pid != ancestor:
            pid = parents[pid]
        return pid == ancestor

    def is_executor(pid: int) -> bool:
        try:
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in arguments and b"java" in arguments[0]

    return sorted(pid for pid in parents if below(pid) and is_executor(pid))


def kill_one(ancestor: int, begun: Callable[[], bool], killed: list[int], stop: threading.Event) -> None:
    """Kill an executor as soon as `begun` says that the first part is done, while others are under way."""
    while not stop.is_set():
        if begun():
            for pid in executors(ancestor)[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            return
        time.sleep(0.02)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_cluster_with_a_killed_executor_gives_what_one_machine_gives(tmp_path: Path) -> None:
    papers = corpus.write(tmp_path / "papers", PAPERS)
    (papers / "decisions.tsv").write_text(DECISIONS, encoding="utf-8")
    local = CliRunner().invoke(main, ["build", str(papers), "-o", str(tmp_path / "local"), "--tier", "rules", "--format", "papers", "--json"])
    assert local.exit_code == 3, local.output

    conf = tmp_path / "conf"
    conf.mkdir()
    conf.joinpath("spark-defaults.conf").write_text("spark.ui.enabled false\nspark.sql.files.maxPartitionBytes 200000\n" + QUICK)
    environment = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_CONF_DIR": str(conf), "SPARK_WORKER_DIR": str(tmp_path / "worker")}
    command = [
        sys.executable,
        "-c",
        "from kg.cli import main; main()",
        "build",
        "--engine",
        "spark",
        "--master",
        "local-cluster[2,1,1024]",
        str(papers),
        "-o",
    ]
    out, log = tmp_path / "cluster", tmp_path / "log"
    killed: list[int] = []
    stop = threading.Event()
    with log.open("wb") as errors:
        build = subprocess.Popen([*command, str(out), "--tier", "rules", "--json"], stdout=subprocess.PIPE, stderr=errors, env=environment)
        begun = lambda: any(out.glob(".tables.*.part/extracted/part-*.parquet"))  # noqa: E731
        killer = threading.Thread(target=kill_one, args=(build.pid, begun, killed, stop))
        killer.start()
        shown, _ = build.communicate()
        stop.set()
        killer.join()
    said = log.read_text(encoding="utf-8", errors="replace")
    assert build.returncode == 3, said[-5000:]
    assert killed
    assert "Lost executor" in said

    ours, theirs = json.loads(local.stdout), json.loads(shown)
    assert theirs["counts"] == ours["counts"]
    assert {name: unequal(tmp_path / "local", out, name) for name in TABLES if unequal(tmp_path / "local", out, name)} == {}
    with duckdb.connect(str(tmp_path / "local" / ".kg" / "build.duckdb"), read_only=True) as tables:
        (links,) = tables.execute("SELECT count(*) FROM links").fetchall()[0]
        (apart,) = tables.execute("SELECT count(*) FROM mentions WHERE k >= 100000").fetchall()[0]
    assert links > PAPERS
    assert apart, "the decisions part and add mentions"
    exported = CliRunner().invoke(main, ["export", "--in", str(tmp_path / "local"), "--format", "ntriples", "-o", str(tmp_path / "local.nt")])
    assert exported.exit_code == 0, exported.output
    parts = sorted((out / "ntriples").glob("*.nt"))
    assert len(parts) > 3
    assert triples(parts) == triples([tmp_path / "local.nt"])
    assert not (out / ".kg" / "spark").exists()


def unequal(local: Path, cluster: Path, table: str) -> list[tuple[object, ...]]:
    """Rows of a table that one build has and the other has not, the first few."""
    with duckdb.connect() as both:
        both.execute(f"ATTACH '{local / '.kg' / 'build.duckdb'}' AS one (READ_ONLY)")
        mine = f"SELECT * FROM one.{table}"
        names = ", ".join(f'"{column[0]}"' for column in both.execute(f"{mine} LIMIT 0").description)
        other = f"SELECT {names} FROM read_parquet('{cluster / 'tables' / table}/*.parquet', union_by_name=true)"
        return both.execute(
            f"SELECT 'local' AS side, * FROM ({mine} EXCEPT ALL {other}) UNION ALL SELECT 'cluster', * FROM ({other} EXCEPT ALL {mine}) LIMIT 3"
        ).fetchall()


def triples(files: list[Path]) -> set[str]:
    """The statements of N-Triples files, each file loaded by Oxigraph first."""
    import pyoxigraph

    store = pyoxigraph.Store()
    for file in files:
        store.bulk_load(path=str(file), format=pyoxigraph.RdfFormat.N_TRIPLES)
    lines = {line for file in files for line in file.read_text(encoding="utf-8").split("\n") if line}
    assert len(store) == len(lines)
    return lines


@pytest.mark.parametrize("size", [1, 7, 40])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_a_file_of_lines_cut_anywhere_gives_the_same_records(tmp_path: Path, size: int, start: str) -> None:
    pa = pytest.importorskip("pyarrow")
    maker = corpus.Maker(1)
    lines = [json.dumps(maker.paper(number), ensure_ascii=False) for number in range(30)]
    lines[3] = json.dumps({"results": [maker.paper(100), maker.paper(101)]})
    lines[11] = "{broken"
    lines[12] = ""
    lines[20] = '["no paper"]\r'
    path = tmp_path / "a [1] é%20+{x}.jsonl"
    path.write_text(start + "\n".join(lines), encoding="utf-8", newline="\n")
    source = Found(SourceFile(path.name, path.name, path, size=path.stat().st_size), f"file://{path}")

    def batches(block: int) -> Iterator[object]:
        part = lines[: len(lines) // 2] if block == 0 else lines[len(lines) // 2 :]
        for at in range(0, len(part), size):
            piece = [line.encode() for line in part[at : at + size]]
            yield pa.record_batch({"line": piece, "file": [f"file:{quote(str(path))}"] * len(piece), "block": [block] * len(piece)})

    splits = [tuple(row.values()) for block in (0, 5000) for one in reading.count_lines(batches(block)) for row in one.to_pylist()]
    known, refused = reading.described([source], splits)
    assert not refused
    rows = [
        tuple(row.values())
        for block in (5000, 0)
        for one in reading.read_lines(batches(block), SimpleNamespace(value=known), {}, full_text=False)
        for row in sorted(one.to_pylist(), key=lambda row: row["position"])
    ]
    expected = list(readers.read([tmp_path]))
    width, at = len(columns("records")), columns("records").index("position")
    records = [ingest.record_row(item, 0, path.name) for item in expected if isinstance(item, Paper)]
    given = [(*row[:at], 0, *row[at + 1 : width]) for row in sorted(rows, key=lambda row: row[at]) if row[-2] is None]
    assert given == records
    assert sorted(row[2] for row in rows if row[-2]) == sorted(item.record for item in expected if not isinstance(item, Paper))


def test_what_is_neither_lines_nor_parquet_is_named(tmp_path: Path) -> None:
    found = [Found(SourceFile(name, name, tmp_path / name, size=9), f"file://{tmp_path / name}") for name in ("a.json", "b.bib", "c.jsonl")]
    heads = [b'[\n{"title": "Kites"}\n]\n', b"@article{kite, title={Kites}}\n", '{"title": "Kites"}\n'.encode("utf-16")]
    known, unread = reading.described(found, [(one.uri, 0, 3, head) for one, head in zip(found, heads, strict=True)])
    assert not known
    assert [(item.source, item.reason) for item in unread] == [(one.source.name, reading.FORMATS) for one in found]


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, papers_file: Path, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    result = CliRunner().invoke(main, ["build", "--engine", "spark", str(papers_file), "-o", str(tmp_path)])
    assert result.exit_code == 1
    assert "needs pyspark" in result.stderr
    assert "pip install 'kg[spark]'" in result.stderr


def test_a_missing_java_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(KgError, match="needs Java"):
        check()


@pytest.mark.parametrize("options", [["--master", "local[2]"], ["--engine", "spark", "--watch"], ["--engine", "hadoop"]])
def test_options_that_do_not_go_together_are_refused(options: list[str], papers_file: Path, tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["build", str(papers_file), "-o", str(tmp_path), *options]).exit_code == 2


def test_other_formats_and_standard_input_are_refused(papers_file: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["build", "--engine", "spark", str(papers_file), "-o", str(tmp_path), "--format", "html"])
    assert result.exit_code == 1
    assert "--format" in result.stderr
    with pytest.raises(InputError, match="standard input"):
        find(None, ["-"])  # type: ignore[arg-type]

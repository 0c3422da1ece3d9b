"""`kg build --engine spark` on a cluster of processes gives what the local engine gives, link for link."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.errors import KgError
from kg.spark.session import check
from tests.spark import corpus

PAPERS = 2000
TABLES = (
    "papers", "places", "sentences", "mentions", "found", "found_surfaces", "found_relations", "found_results", "resolved", "entities", "aliases",
    "families", "merges", "redirects", "links", "relations", "results", "cooccurrences", "unread", "sources", "meta",
)  # fmt: skip
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
    conf.joinpath("spark-defaults.conf").write_text("spark.ui.enabled false\nspark.sql.files.maxPartitionBytes 200000\n")
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

"""`kg build` from papers to files, as a user runs it."""

import csv
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import networkx as nx
import pytest
import rdflib
from click.testing import CliRunner, Result

import kg
import kg.export
from kg.cli import main
from kg.outputs import FILES
from tests.conftest import PAPERS

ROOT = Path(__file__).parent.parent


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


def outputs(folder: Path) -> dict[str, bytes]:
    return {file: (folder / file).read_bytes() for file in FILES.values()}


def write(path: Path, papers: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(paper) + "\n" for paper in papers), encoding="utf-8")
    return path


def test_a_build_leaves_every_file(tiny_build: Path) -> None:
    assert {path.name for path in tiny_build.iterdir() if path.is_file()} == set(FILES.values())
    assert all(outputs(tiny_build).values())


def test_the_same_input_gives_the_same_bytes_whatever_the_workers(
    papers_file: Path, tiny_build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.pipeline.ALONE", 0)
    monkeypatch.setattr("kg.pipeline.CHUNK", 1)
    result = run("build", papers_file, "-o", tmp_path, "--workers", "2")
    assert result.exit_code == 0, result.output
    assert outputs(tmp_path) == outputs(tiny_build)


def test_an_incremental_build_equals_a_fresh_one(tmp_path: Path) -> None:
    papers = write(tmp_path / "papers.jsonl", PAPERS[:2])
    assert run("build", papers, "-o", tmp_path / "grown").exit_code == 0
    write(papers, PAPERS[1:])
    summary = json.loads(run("build", papers, "-o", tmp_path / "grown", "--json").stdout)
    assert summary["papers"] == {"total": 2, "new": 1, "removed": 1, "extracted": 1}
    assert run("build", papers, "-o", tmp_path / "fresh").exit_code == 0
    grown, fresh = outputs(tmp_path / "grown"), outputs(tmp_path / "fresh")
    assert [name for name in grown if grown[name] != fresh[name]] == []


def test_a_small_change_of_a_large_build_renews_the_tables_and_says_that_the_files_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.pipeline.LARGE", 2)
    monkeypatch.setattr("kg.pipeline.SMALL_SHARE", 0.5)
    papers = write(tmp_path / "papers.jsonl", PAPERS[:2])
    assert run("build", papers, "-o", tmp_path / "out").exit_code == 0
    before = outputs(tmp_path / "out")
    write(papers, PAPERS[:3])
    summary = json.loads(run("build", papers, "-o", tmp_path / "out", "--json").stdout)
    assert "kg export --format NAME" in summary["notes"][-1]
    assert outputs(tmp_path / "out") == before
    assert kg.load(tmp_path / "out").tables.execute("SELECT count(*) FROM papers").fetchone() == (3,)
    assert run("build", papers, "-o", tmp_path / "out", "--evidence", "none").exit_code == 0
    assert outputs(tmp_path / "out") != before, "other settings need other files"


def test_nothing_is_read_twice(papers_file: Path, tmp_path: Path) -> None:
    assert run("build", papers_file, "-o", tmp_path).exit_code == 0
    summary = json.loads(run("build", papers_file, "-o", tmp_path, "--json").stdout)
    assert summary["files"] == {"read": 0, "unchanged": 1}
    assert summary["papers"]["extracted"] == 0


def test_bad_records_are_named_counted_and_do_not_stop_the_rest(tmp_path: Path) -> None:
    good = tmp_path / "papers" / "good.jsonl"
    good.parent.mkdir()
    good.write_text(json.dumps(PAPERS[0]) + "\n{not json}\n" + json.dumps({"id": "empty", "title": "", "abstract": ""}) + "\n", encoding="utf-8")
    cut = gzip.compress(json.dumps(PAPERS[1]).encode() + b"\n" + os.urandom(4000))[:-900]
    (tmp_path / "papers" / "cut.jsonl.gz").write_bytes(cut)
    result = run("build", good.parent, "-o", tmp_path / "out", "--json")
    assert result.exit_code == 3
    summary = json.loads(result.stdout)
    assert "good.jsonl" in result.stderr
    assert "cut.jsonl.gz" in result.stderr
    assert summary["unread"] == sum(line.startswith("kg: ") for line in result.stderr.splitlines()) >= 3
    assert summary["records"] >= 1
    assert (tmp_path / "out" / "graph.ttl").exists()


def test_strict_stops_at_the_first_bad_record_and_keeps_the_last_good_export(papers_file: Path, tmp_path: Path) -> None:
    source = tmp_path / "papers.jsonl"
    shutil.copy(papers_file, source)
    assert run("build", source, "-o", tmp_path / "out").exit_code == 0
    before = outputs(tmp_path / "out")
    source.write_text("{not json}\n", encoding="utf-8")
    result = run("build", source, "-o", tmp_path / "out", "--strict")
    assert result.exit_code == 1
    assert "papers.jsonl" in result.stderr
    assert outputs(tmp_path / "out") == before


def test_a_full_disk_keeps_the_last_good_export(papers_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    assert run("build", papers_file, "-o", tmp_path).exit_code == 0
    before = outputs(tmp_path)
    real = kg.export.write

    def full(connection: object, name: str, *rest: object, **options: object) -> object:
        if name == "links":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(connection, name, *rest, **options)

    monkeypatch.setattr("kg.export.write", full)
    result = run("build", papers_file, "-o", tmp_path, "--fresh", "--tier", "rules")
    assert result.exit_code == 1
    assert "No space left" in result.stderr
    assert "free some space" in result.stderr
    assert outputs(tmp_path) == before


def test_the_same_paper_twice_is_one_paper_with_both_places(tmp_path: Path) -> None:
    first = dict(PAPERS[1], title="Loose String Sampling", authors=["Ada Quill"])
    write(tmp_path / "a.jsonl", [first])
    write(tmp_path / "b.jsonl", [dict(first, id="other", keywords=["sampling"])])
    assert run("build", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "-o", tmp_path / "out").exit_code == 0
    with kg.load(tmp_path / "out") as graph:
        assert list(graph.papers) == ["doi:10.1234/lss.2025"]
        assert len(graph.tables.execute("SELECT * FROM places").fetchall()) == 2


def test_a_bare_id_in_two_files_is_two_papers(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [{"id": "1", "abstract": "We propose KiteNet for image classification."}])
    write(tmp_path / "b.jsonl", [{"id": "1", "abstract": "We propose GustNet for wind prediction."}])
    assert run("build", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "-o", tmp_path / "out").exit_code == 0
    with kg.load(tmp_path / "out") as graph:
        assert len(graph.papers) == 2


def test_the_named_things_of_a_paper_are_found_with_their_evidence(tiny_build: Path) -> None:
    cards = {card["label"]: card for card in map(json.loads, (tiny_build / "cards.jsonl").read_text(encoding="utf-8").splitlines())}
    card = next(card for label, card in cards.items() if label.startswith("KiteNet"))
    entities = {entity["name"]: entity for entity in card["entities"]}
    assert {"KiteNet", "ImageNet", "CIFAR-10", "CIFAR-100"} <= set(entities)
    assert entities["KiteNet"]["role"] == "proposed"
    assert entities["ImageNet"]["type"] == entities["CIFAR-10"]["type"] == "Dataset"
    raw = f"{PAPERS[0]['title']}\n{PAPERS[0]['abstract']}"
    for entity in card["entities"]:
        proof = entity["evidence"]
        assert raw[proof["start"] : proof["end"]].replace("*", "") in proof["sentence"]
        assert 0 <= entity["confidence"] <= 1


def test_namesakes_and_expansions(tiny_build: Path) -> None:
    with kg.load(tiny_build) as graph:
        assert graph.entity("gsm8k")["id"] == graph.entity("GSM8K")["id"] == "gsm8k"
        assert graph.entity("LSS")["id"] == graph.entity("Loose String Sampling")["id"]
        assert graph.entity("MDMs")["id"] == graph.entity("masked diffusion model")["id"]


def test_the_graph_is_a_networkx_multidigraph(tiny_build: Path) -> None:
    with kg.load(tiny_build) as loaded:
        graph = loaded.graph
    assert isinstance(graph, nx.MultiDiGraph)
    kinds = {data["kind"] for _, data in graph.nodes(data=True)}
    assert {"paper", "dataset"} <= kinds <= {"paper", "method", "dataset", "model", "metric", "task"}
    again = nx.read_graphml(tiny_build / "graph.graphml", force_multigraph=True)
    assert set(again) == set(graph)
    node_link = json.loads((tiny_build / "graph.json").read_text(encoding="utf-8"))
    assert set(nx.node_link_graph(node_link, edges="edges")) == set(graph)


def test_a_notebook_shows_the_page(tiny_build: Path) -> None:
    with kg.load(tiny_build) as loaded:
        assert loaded._repr_html_().startswith("<iframe")
        assert "KiteNet" in loaded.show(around="KiteNet", hops=1).html


def test_the_turtle_parses_and_answers(tiny_build: Path) -> None:
    graph = rdflib.Graph().parse(tiny_build / "graph.ttl")
    assert graph.query("SELECT ?d WHERE { ?d a ?type . FILTER(STRENDS(STR(?type), 'Dataset')) }")


def test_hostile_titles_break_no_page(tiny_build: Path) -> None:
    assert b"<script>alert(1)" not in (tiny_build / "graph.html").read_bytes()


def test_a_build_is_named_when_there_is_none(tmp_path: Path) -> None:
    result = run("show", "GSM8K", "--in", tmp_path)
    assert result.exit_code == 1
    assert "there is no build" in result.stderr


def test_a_build_of_another_format_is_refused(papers_file: Path, tmp_path: Path) -> None:
    from kg import tables

    assert run("build", papers_file, "-o", tmp_path).exit_code == 0
    with tables.open_build(tmp_path, write=True) as connection:
        tables.set_meta(connection, format="0")
    result = run("build", papers_file, "-o", tmp_path)
    assert result.exit_code == 1
    assert "--fresh" in result.stderr
    assert run("build", papers_file, "-o", tmp_path, "--fresh").exit_code == 0


@pytest.mark.parametrize("name", ["typo", "empty"])
def test_nothing_to_read_leaves_the_last_build(papers_file: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    assert run("build", papers_file, "-o", tmp_path / "out").exit_code == 0
    before = outputs(tmp_path / "out")
    result = run("build", tmp_path / name, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "no papers in" in result.stderr
    assert outputs(tmp_path / "out") == before
    assert run("show", "GSM8K", "--in", tmp_path / "out").exit_code == 0


def test_named_queries_on_results_say_of_what(tiny_build: Path) -> None:
    result = run("query", "results-on", "--dataset", "GSM8K", "--in", tiny_build, "-f", "json")
    rows = json.loads(result.stdout)["results"]["bindings"]
    assert rows
    assert all("subject" in row and "metric_label" in row for row in rows)


def test_odd_files_in_a_folder_are_named_and_the_rest_is_built(papers_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    shutil.copy(papers_file, folder / "good.jsonl")
    (folder / "me.jsonl").symlink_to("me.jsonl")
    write(folder / "long.jsonl", [{"id": "long", "abstract": "kite " * 30_000}])
    try:
        shutil.copy(papers_file, os.fsencode(folder) + b"/bad\xff.jsonl")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    result = run("build", folder, "-o", tmp_path / "out", "--json", "--tier", "rules")
    assert result.exit_code == 3, result.output
    assert "me.jsonl" in result.stderr
    assert "long.jsonl" in result.stderr
    assert "149,999 characters" in result.stderr
    assert json.loads(result.stdout)["papers"]["total"] == len(PAPERS)


@pytest.mark.parametrize("line", ["workers = -3", 'map = "x"', "catalogue = 7", 'tier = "quick"', "strict = 1"])
def test_a_wrong_value_in_kg_toml_is_named(papers_file: Path, tmp_path: Path, line: str) -> None:
    shutil.copy(papers_file, tmp_path / "papers.jsonl")
    (tmp_path / "kg.toml").write_text(line + "\n", encoding="utf-8")
    result = run("build", tmp_path, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert line.split(maxsplit=1)[0] in result.stderr


def test_a_folder_that_cannot_be_made_is_named(papers_file: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    result = run("build", papers_file, "-o", tmp_path / "file" / "out")
    assert result.exit_code == 1
    assert "cannot be made" in result.stderr


def test_a_name_that_is_no_text_is_unknown(tiny_build: Path) -> None:
    assert run("show", "\udcff", "--in", tiny_build).exit_code == 1


def test_an_unknown_name_gets_suggestions(tiny_build: Path) -> None:
    result = run("show", "GSM8", "--in", tiny_build)
    assert result.exit_code == 1
    assert "GSM8K" in result.stderr or "gsm8k" in result.stderr


def test_show_a_paper_by_its_id_and_by_its_title(tiny_build: Path) -> None:
    with (tiny_build / "papers.csv").open(encoding="utf-8", newline="") as file:
        paper = next(row for row in csv.DictReader(file) if row["title"])
    with (tiny_build / "links.csv").open(encoding="utf-8", newline="") as file:
        linked = {row["entity"] for row in csv.DictReader(file) if row["paper"] == paper["paper"]}
    card = json.loads(run("show", paper["paper"], "--in", tiny_build, "--json").stdout)
    assert card["id"] == paper["paper"]
    assert {row["entity"] for row in card["links"]} == linked
    assert json.loads(run("show", paper["title"].upper(), "--in", tiny_build, "--json").stdout) == card
    assert paper["title"] in run("show", paper["paper"], "--in", tiny_build).stdout


def test_kg_toml_beside_the_papers_counts_and_the_command_line_wins(papers_file: Path, tmp_path: Path) -> None:
    shutil.copy(papers_file, tmp_path / "papers.jsonl")
    (tmp_path / "kg.toml").write_text('tier = "rules"\nworkers = 1\n', encoding="utf-8")
    shown = json.loads(run("config", tmp_path, "--workers", "2", "--json").stdout)
    assert shown["tier"] == {"value": "rules", "from": str(tmp_path / "kg.toml")}
    assert shown["workers"] == {"value": 2, "from": "command line"}
    (tmp_path / "kg.toml").write_text("teir = 1\n", encoding="utf-8")
    result = run("build", tmp_path, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "teir" in result.stderr


def test_config_names_papers_that_are_not_there(tmp_path: Path) -> None:
    result = run("config", tmp_path / "nowhere")
    assert result.exit_code == 0
    assert "there is no" in result.stderr


def test_find_says_how_many_papers_have_no_year(tmp_path: Path) -> None:
    papers = write(
        tmp_path / "papers.jsonl",
        [{**PAPERS[0], "year": None}, {"id": "later", "title": "Later", "abstract": "We evaluate it on ImageNet.", "year": 2023}],
    )
    run("build", papers, "-o", tmp_path / "out")
    result = run("find", "ImageNet", "--year", "2023", "--in", tmp_path / "out")
    assert "1 paper; 1 more without a year" in result.stderr


def test_extract_reads_standard_input() -> None:
    result = run("extract", "-", "--json", stdin="We train LLaDA-8B-Instruct on GSM8K and report accuracy in this short abstract.\n")
    assert result.exit_code == 0, result.output
    card = json.loads(result.stdout)
    assert "GSM8K" in [entity["name"] for entity in card["entities"]]


def test_two_builds_of_one_folder_do_not_mix(papers_file: Path, tmp_path: Path) -> None:
    from filelock import FileLock

    (tmp_path / ".kg").mkdir()
    with FileLock(tmp_path / ".kg" / "lock"):
        result = run("build", papers_file, "-o", tmp_path)
    assert result.exit_code == 1
    assert "another build" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")
@pytest.mark.slow
def test_a_killed_build_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    papers = [
        dict(PAPERS[n % 3], id=f"k{n}", doi=f"10.1/k{n}", title=f"Kite number {n}", abstract=f"{PAPERS[n % 3]['abstract']} Run {n}.")
        for n in range(60)
    ]
    source = write(tmp_path / "papers.jsonl", papers)
    program = [sys.executable, "-c", "from kg.cli import main; main()", "build", str(source), "--workers", "1", "--tier", "fast", "-o"]
    began = time.monotonic()
    subprocess.run([*program, str(tmp_path / "calm")], cwd=ROOT, check=True, capture_output=True)
    calm = time.monotonic() - began
    chance = random.Random(30)
    for number in range(30):
        again = ["--fresh"] if number % 5 == 4 else []
        process = subprocess.Popen([*program, str(tmp_path / "killed"), *again], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.1, calm))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert run("build", source, "-o", tmp_path / "killed", "--tier", "fast").exit_code == 0
    assert outputs(tmp_path / "killed") == outputs(tmp_path / "calm")

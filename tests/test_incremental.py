"""A small change of a large build: its tables and its store are what a fresh build has."""

import json
from pathlib import Path

import pyoxigraph
import pytest
from click.testing import CliRunner, Result

import kg
from kg import rdf
from kg.cli import main
from kg.rdf import stores
from kg.tables.schema import RESOLVED
from tests.conftest import PAPERS

MORE = [
    {
        "id": f"gust-{n}",
        "title": f"Gusts, part {n}",
        "abstract": f"We train GustNet-{n}B, a wind model, and evaluate GustNet-{n}B on WindBench by RMSE.",
    }
    for n in range(3)
]


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result


def write(path: Path, papers: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(paper) + "\n" for paper in papers), encoding="utf-8")
    return path


def said(folder: Path) -> dict[str, list[str]]:
    with kg.load(folder).tables as connection:
        names = [table for table in (*RESOLVED, "places") if table != "redirects"]
        tables = {table: sorted(map(repr, connection.execute(f"SELECT * FROM {table}").fetchall())) for table in names}
        return tables | {"labels": connection.execute("SELECT paper, label FROM papers ORDER BY ALL").fetchall()}


def quads(store: pyoxigraph.Store) -> set[str]:
    return {str(quad) for quad in store if "isReplacedBy" not in str(quad.predicate)}


@pytest.fixture(autouse=True)
def _everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.pipeline.APART", 0)
    monkeypatch.setattr("kg.pipeline.LARGE", 0)
    monkeypatch.setattr("kg.pipeline.SMALL_SHARE", 1)
    monkeypatch.setattr("kg.tables.partial.LARGEST_SHARE", 0)
    monkeypatch.setattr(stores, "SMALL", 0)


def test_tables_and_store_follow_papers_that_come_change_and_go(tmp_path: Path) -> None:
    papers, out = tmp_path / "papers.jsonl", tmp_path / "out"
    run("build", write(papers, [*PAPERS[:2], MORE[0]]), "-o", out)
    rdf.store(out)
    changed = {**PAPERS[1], "abstract": "Masked diffusion models (MDMs) generate text. GSM8K is not used."}
    for number, held in enumerate(([*PAPERS, *MORE], [PAPERS[0], changed, *MORE[:2]], [MORE[2], {**MORE[0], "venue": "WindConf"}, PAPERS[0]])):
        run("build", write(papers, held), "-o", out)
        assert stores.current(out), "the build renewed the store"
        fresh = tmp_path / f"fresh-{number}"
        run("build", papers, "-o", fresh)
        assert said(out) == said(fresh)
        assert quads(rdf.store(out)) == quads(rdf.store(fresh))


def test_a_build_killed_before_it_resolved_is_resolved_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    papers, out = tmp_path / "papers.jsonl", tmp_path / "out"
    run("build", write(papers, [*PAPERS[:2], MORE[0]]), "-o", out)
    write(papers, [*PAPERS, *MORE])
    with monkeypatch.context() as patch:
        patch.setattr("kg.pipeline.resolve_papers", lambda *arguments: (_ for _ in ()).throw(KeyboardInterrupt))
        CliRunner().invoke(main, ["build", str(papers), "-o", str(out)])
    run("build", papers, "-o", out)
    run("build", papers, "-o", tmp_path / "fresh")
    assert said(out) == said(tmp_path / "fresh")


def test_a_store_that_somebody_holds_is_left_and_loaded_anew(tmp_path: Path) -> None:
    papers, out = tmp_path / "papers.jsonl", tmp_path / "out"
    run("build", write(papers, PAPERS[:2]), "-o", out)
    rdf.store(out)
    (place,) = (out / ".kg" / "store").iterdir()
    holder = pyoxigraph.Store(str(place))
    run("build", write(papers, PAPERS), "-o", out)
    assert len(holder)
    assert stores.current(out) is None
    assert "kite-3" in " ".join(quads(rdf.store(out)))

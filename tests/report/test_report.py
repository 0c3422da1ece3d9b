import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pytest
from click.testing import CliRunner

from kg import report, tables
from kg.cli.report import command
from kg.report import data, draw
from tests import analysis_build


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return analysis_build.build(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def connection(built: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with tables.open_build(built) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(connection: duckdb.DuckDBPyConnection) -> str:
    return report.html(connection, title="A <b>title</b>")


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_every_section_is_there(page: str) -> None:
    headings = re.findall(r"<h2[^>]*>([^<]+)</h2>", page)
    assert headings == ["Most used", "What goes with what", "Communities", "Reported results", "Gaps", "How sure is this"]


def test_the_page_loads_and_runs_nothing(page: str) -> None:
    tags = Tags(page).seen
    assert not [tag for tag, _ in tags if tag in {"script", "link", "img", "iframe", "object", "base", "image"}]
    assert not [name for _, attributes in tags for name in attributes if name.startswith("on")]
    hrefs = [value or "" for _, attributes in tags for name, value in attributes.items() if name in {"href", "src", "xlink:href"}]
    assert all(value.startswith(("#", "data:text/csv", "https://example.org/p")) for value in hrefs)
    assert "url(http" not in page
    assert "@import" not in page


def test_outside_text_is_escaped(page: str) -> None:
    assert "A &lt;b&gt;title&lt;/b&gt;" in page
    assert "<script" not in page
    assert "<b>markup" not in page


def test_hostile_labels_stay_text_in_charts(tmp_path: Path) -> None:
    name = "$x^2$ <g onload=alert(1)>"
    rows = (("p1", 2024, "T", "We use the thing here.", [(name, "Dataset", "used", ["thing"])], [], []),)
    with tables.open_build(analysis_build.build(tmp_path, rows)) as opened:
        chart = report.most_used(opened, "dataset")
    assert chart is not None
    root = ElementTree.fromstring(chart.svg)
    assert not [node for node in root.iter() if any(key.startswith("on") for key in node.attrib)]
    assert "$x^2$ <g onload=alert(1)>" in "".join(root.itertext())


def test_each_chart_has_its_numbers(connection: duckdb.DuckDBPyConnection) -> None:
    charts = {chart.name: chart for chart in report.charts(connection)}
    assert {"most-used-dataset", "method-dataset", "communities", "years", "gaps", "confidence"} <= set(charts)
    assert charts["most-used-dataset"].csv().splitlines()[1] == "MazeWorld,0,2,0,0,1,3,mazeworld"
    assert charts["most-used-dataset"].title == "Most frequent dataset: MazeWorld, in 3 papers"
    assert charts["years"].data.rows == ((2023, 2), (2024, 2), (2025, 2))


def test_charts_are_the_same_bytes_each_time(connection: duckdb.DuckDBPyConnection, page: str) -> None:
    assert report.html(connection, title="A <b>title</b>") == page


def test_charts_are_text_with_tooltips_and_names(connection: duckdb.DuckDBPyConnection) -> None:
    chart = report.heat_map(connection)
    assert chart is not None
    root = ElementTree.fromstring(chart.svg)
    assert root.get("role") == "img"
    assert root.get("aria-label", "").startswith("Heat map. ")
    texts = {node.text for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"MazeWorld", "branching search"} <= texts
    titles = {node.text for node in root.iter("{http://www.w3.org/2000/svg}title")}
    assert "branching search with MazeWorld: 2 papers" in titles
    assert "var(--dataset)" in chart.themed
    assert "var(" not in chart.svg


def test_ids_of_a_page_are_unique(page: str) -> None:
    ids = [attributes["id"] for _, attributes in Tags(page).seen if attributes.get("id")]
    assert len(ids) == len(set(ids))


def test_gaps_are_pairs_that_never_met(connection: duckdb.DuckDBPyConnection) -> None:
    found = data.gaps(connection)
    pairs = {(row["method"], row["dataset"]) for row in found}
    assert ("tempering", "MazeWorld") in pairs
    assert ("folding", "MazeWorld") not in pairs
    assert ("branching search", "SumBench") not in pairs, "it met a variant of it"
    assert all(row["through"] for row in found)


def test_trends_want_three_years_and_enough_papers(tmp_path: Path) -> None:
    def paper(number: int, year: int, name: str) -> tuple[object, ...]:
        return (f"p{number}", year, "T", f"We use {name} here.", [(name, "Method", "used", [name])], [], [])

    years = [2021] * 6 + [2022] * 6 + [2023] * 6 + [2024] * 6
    rows = tuple(paper(n, year, "annealing" if year < 2023 else "tempering") for n, year in enumerate(years))
    with tables.open_build(analysis_build.build(tmp_path, rows)) as opened:
        found = data.trends(opened)
    assert {(row["label"], row["direction"]) for row in found} == {("tempering", "rising"), ("annealing", "fading")}
    assert [row["share"] for row in found if row["label"] == "tempering"] == [0.0, 0.0, 1.0, 1.0]


def test_no_trends_from_two_years(tmp_path: Path) -> None:
    with tables.open_build(analysis_build.build(tmp_path, analysis_build.PAPERS[:3])) as opened:
        assert len(data.trends(opened)) == 0


def test_results_best_first(connection: duckdb.DuckDBPyConnection) -> None:
    tables_of = dict(data.results(connection))
    assert [(row["subject"], row["value"]) for row in tables_of["SumBench"]] == [("tempering", "63 %"), ("Willow", "61.5%"), ("Oak", "58%")]


def test_an_empty_build_still_makes_a_page(tmp_path: Path) -> None:
    with tables.open_build(tmp_path, write=True) as empty:
        assert "<h1>" in report.html(empty)


def test_labels_are_cut() -> None:
    assert draw.cut("a" * 100, 10) == "aaaaaaaaa…"
    assert draw.cut("two\nlines") == "two lines"


def test_command(built: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    result = CliRunner().invoke(command, ["--in", str(built), "-o", str(out), "--csv", str(tmp_path / "n"), "--svg", str(tmp_path / "p")])
    assert (result.exit_code, result.stdout.strip()) == (0, str(out))
    assert (tmp_path / "n" / "gaps.csv").exists()
    assert (tmp_path / "p" / "gaps.svg").read_text(encoding="utf-8").startswith("<svg")


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from kg.errors import KgError

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(KgError, match=r"kg\[report\]"):
        draw.Drawing("chart", 100, 100)

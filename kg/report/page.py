"""The page around the charts."""

import base64
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import metrics
from kg.aside import replaced
from kg.frame import Frame
from kg.report import data
from kg.report import pictures as draw
from kg.report.chart import Chart
from kg.safe import deep, text

if TYPE_CHECKING:
    import duckdb

_SHOWN_SOURCES = 40


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page."""

    name: str
    heading: str
    intro: str
    charts: tuple[Chart, ...] = ()
    tables: tuple[tuple[str, Frame], ...] = field(default=())


def html(connection: "duckdb.DuckDBPyConnection", *, title: str = "What the papers use") -> str:
    """The whole page. All text from outside is escaped by the template; the page loads nothing and runs no script."""
    return _render(connection, title)[0]


def write(
    connection: "duckdb.DuckDBPyConnection",
    path: Path | str,
    *,
    title: str = "What the papers use",
    csv: Path | str | None = None,
    svg: Path | str | None = None,
) -> Path:
    """Write the page to a file, replaced as a whole; `csv` and `svg` are folders for the charts' numbers and pictures. Returns the page's path."""
    page, sections = _render(connection, title)
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    with replaced(target) as aside:
        aside.write_text(page, encoding="utf-8", newline="\n")
    for folder in (csv, svg):
        if folder is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
    for chart in (chart for section in sections for chart in section.charts):
        if csv is not None:
            (Path(csv) / f"{chart.name}.csv").write_text(chart.csv(), encoding="utf-8", newline="")
        if svg is not None:
            chart.save(Path(svg) / f"{chart.name}.svg")
    return target


def charts(connection: "duckdb.DuckDBPyConnection") -> list[Chart]:
    """All charts of the page, in order."""
    measured = metrics.measure(metrics.network(connection))
    return [chart for section in _sections(connection, measured) for chart in section.charts]


def _render(connection: "duckdb.DuckDBPyConnection", title: str) -> tuple[str, list[Section]]:
    import jinja2

    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["data_uri"] = _data_uri
    template = environment.from_string(files("kg.report").joinpath("template.html").read_text(encoding="utf-8"))
    measured = metrics.measure(metrics.network(connection))
    sections = [section for section in _sections(connection, measured) if section.charts or section.tables]
    tiles = _tiles(metrics.summary(connection, measured))
    return text(template.render(title=title, tiles=tiles, sections=sections, deep=lambda frame: map(deep, frame))), sections


def _sections(connection: "duckdb.DuckDBPyConnection", measured: Frame) -> list[Section]:
    def some(*found: Chart | None) -> tuple[Chart, ...]:
        return tuple(chart for chart in found if chart)

    unread = Frame.of(connection, "SELECT source, record, reason, remedy FROM unread ORDER BY file, rowid")
    sources = data.sources(connection)
    lists = [("Sources", sources.head(_SHOWN_SOURCES)), ("Found by", data.extractors(connection)), ("Not read", unread.head(_SHOWN_SOURCES))]
    return [
        Section(
            "used",
            "Most used",
            "What the papers work with, by type; the shade says what they do with it.",
            (*draw.most_used_charts(connection), *some(draw.years(connection))),
        ),
        Section(
            "together",
            "What goes with what",
            "",
            some(draw.heat_map(connection), draw.heat_map(connection, "model", "dataset"), draw.heat_map(connection, "task", "metric")),
        ),
        Section("communities", "Communities", "", some(draw.communities(connection, measured))),
        Section("trends", "Through the years", "", some(draw.trends(connection), draw.trends(connection, "fading"))),
        Section(
            "results",
            "Reported results",
            "As the abstracts state them, on the datasets with most of them. Settings differ between papers: a lead, not a leaderboard.",
            tables=tuple(data.results(connection)),
        ),
        Section("gaps", "Gaps", "", some(draw.gaps(connection))),
        Section(
            "sure",
            "How sure is this",
            "Every link has a confidence: the extraction's own estimate that it is right.",
            some(draw.confidence(connection)),
            tuple((name, frame) for name, frame in lists if len(frame)),
        ),
    ]


def _tiles(whole: dict[str, Any]) -> list[tuple[str, str]]:
    names = ("papers", "datasets", "models", "methods", "metrics", "tasks", "links", "relations", "results", "communities")
    return [(name, f"{whole.get(name, 0):,}") for name in names]


def _data_uri(frame: Frame) -> str:
    return "data:text/csv;charset=utf-8;base64," + base64.b64encode(frame.csv().encode()).decode()

"""The questions that a loaded build answers: metrics, projections, find, compare, related, path, timeline, charts, exports."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb
    import networkx as nx

    from kg.frame import Frame
    from kg.report import Chart


class Analysis:
    """Methods for an object with the connection of a build as `tables`. Tables come as kg.frame.Frame, which `.pandas()` or `.arrow()` turn.

    >>> import duckdb
    >>> from kg.tables.store import create
    >>> analysis = Analysis(); analysis.tables = duckdb.connect(); create(analysis.tables)
    >>> analysis.summary()["papers"]
    0
    """

    tables: "duckdb.DuckDBPyConnection"

    @cached_property
    def measured(self) -> "Frame":
        """Degree, strength, PageRank, betweenness, community, component and core of every node, most central first."""
        from kg import metrics

        return metrics.measure(metrics.network(self.tables))

    def metrics(self, kind: str = "") -> "Frame":
        """The measures of the nodes of one kind ("paper", "dataset", …), or of all."""
        return self.measured.where("kind", kind) if kind else self.measured

    def summary(self) -> dict[str, Any]:
        """Counts, densities, assortativity, components and communities of the whole graph."""
        from kg import metrics

        return metrics.summary(self.tables, self.measured)

    def communities(self, top: int = 12) -> "Frame":
        """The largest communities, each named by its most central entities."""
        from kg import metrics

        return metrics.community_names(self.measured, top=top)

    def cooccurrence(self, a: str = "", b: str = "", *, min_papers: int = 2) -> "Frame":
        """Pairs of entities in common papers: count, PMI, Jaccard."""
        from kg import metrics

        return metrics.cooccurrence(self.tables, a, b, min_papers=min_papers)

    def cooccurrence_graph(self, a: str = "", b: str = "", *, min_papers: int = 2) -> "nx.Graph[str]":
        """The same as a networkx.Graph."""
        from kg import metrics

        return metrics.cooccurrence_graph(self.tables, a, b, min_papers=min_papers)

    def similar_papers(self, paper: str = "", *, least: float = 0.2) -> "Frame":
        """Pairs of papers with rare entities in common, or the papers most like one."""
        from kg import metrics

        return metrics.paper_similarity(self.tables, paper, least=least)

    def similarity_graph(self, *, least: float = 0.2) -> "nx.Graph[str]":
        """The same as a networkx.Graph of papers."""
        from kg import metrics

        return metrics.paper_similarity_graph(self.tables, least=least)

    def matrix(self, rows: str = "method", columns: str = "dataset", *, top: int = 20) -> "Frame":
        """How many papers have both, for the entities of two types that meet most."""
        from kg import metrics

        return metrics.matrix(self.tables, rows, columns, top=top)

    def find(
        self, *anything: str, roles: Sequence[str] = (), year: str = "", venue: str = "", exact: bool = False, **names: str | Sequence[str]
    ) -> "Frame":
        """The papers that link all the named entities: `find(dataset="GSM8K", model="LLaDA", roles=["evaluated"], year="2024..")`."""
        from kg.find import find

        given = {kind: [value] if isinstance(value, str) else list(value) for kind, value in names.items()}
        return find(self.tables, {**given, "any": anything}, roles=roles, year=year, venue=venue, exact=exact)

    def compare(self, a: str, b: str) -> "Frame":
        """Two entities or two papers side by side."""
        from kg.explore import compare

        return compare(self.tables, a, b)

    def related(self, name: str, *, kind: str = "", limit: int = 20) -> "Frame":
        """The nearest entities, by graph and by text."""
        from kg.explore import related

        return related(self.tables, name, kind=kind, limit=limit)

    def path(self, a: str, b: str) -> "Frame":
        """The shortest explained chain between two entities or papers."""
        from kg.explore import path

        return path(self.tables, a, b)

    def timeline(self, name: str, *, exact: bool = False) -> "Frame":
        """An entity through the years."""
        from kg.explore import timeline

        return timeline(self.tables, name, exact=exact)

    def gaps(self, top: int = 14) -> "Frame":
        """Methods and datasets that never met although their neighbours did."""
        from kg.report import data

        return data.gaps(self.tables, top)

    def trends(self, top: int = 6) -> "Frame":
        """What rises and what fades, as its share of each year's papers."""
        from kg.report import data

        return data.trends(self.tables, top)

    def chart(self, name: str, *arguments: str) -> "Chart | None":
        """A chart of the report: years, most_used, heat_map, trends, gaps, confidence or timeline; None when there is too little for it.

        Arguments as in kg.report: `chart("most_used", "dataset")`, `chart("heat_map", "model", "dataset")`, `chart("timeline", "GSM8K")`.
        """
        from kg import report

        charts = {
            "years": report.years,
            "most_used": report.most_used,
            "heat_map": report.heat_map,
            "trends": report.trends,
            "gaps": report.gaps,
            "confidence": report.confidence,
            "timeline": report.timeline,
        }
        if name not in charts:
            from kg.errors import KgError

            raise KgError(f"there is no chart {name!r}", hint="one of " + ", ".join(charts))
        found: Chart | None = charts[name](self.tables, *arguments)  # type: ignore[operator]
        return found

    def report(self, path: str | Path, *, title: str = "What the papers use") -> Path:
        """Write the analysis page."""
        from kg import report

        return report.write(self.tables, path, title=title)

    def export(self, name: str, path: str | Path, **options: Any) -> Path:
        """Write the build in another format; kg.export.EXPORTERS names them."""
        from kg import export

        return export.write(self.tables, name, path, **options)

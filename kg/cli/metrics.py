"""`kg metrics`: measures of the graph and its projections."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import folder_option

if TYPE_CHECKING:
    import duckdb

    from kg.frame import Frame

_KINDS = ("paper", "dataset", "model", "method", "metric", "task")


@click.command(
    epilog="""\b
Examples:
  kg metrics
  kg metrics --type dataset --top 50 --csv datasets.csv
  kg metrics --graphml measured.graphml
  kg metrics --cooccurrence method:dataset --min-papers 3
  kg metrics --matrix method:dataset --top 15
  kg metrics --similar-papers --json"""
)
@folder_option
@click.option("--type", "kind", type=click.Choice(_KINDS), help="Nodes of this kind only.")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Rows to print, and size of a matrix; --csv has all rows.")
@click.option("--cooccurrence", metavar="A:B", help="Pairs of entities in common papers, of two types or of any (any:any).")
@click.option("--matrix", metavar="A:B", help="How many papers have both, e.g. method:dataset.")
@click.option("--similar-papers", is_flag=True, help="Pairs of papers with rare entities in common.")
@click.option("--distribution", is_flag=True, help="Degree distribution of papers and entities.")
@click.option("--min-papers", type=click.IntRange(1), default=2, show_default=True, help="Least number of common papers of a pair.")
@click.option("--sample", type=click.IntRange(1), default=64, show_default=True, help="Sources of the estimate of betweenness on large graphs.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the table to a CSV file.")
@click.option("--graphml", type=click.Path(path_type=Path, dir_okay=False), help="Write the graph with the measures as attributes.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(
    folder: Path,
    kind: str | None,
    top: int,
    cooccurrence: str | None,
    matrix: str | None,
    similar_papers: bool,
    distribution: bool,
    min_papers: int,
    sample: int,
    csv_file: Path | None,
    graphml: Path | None,
    as_json: bool,
) -> None:
    """Measure the graph: degree, PageRank, betweenness, community, component and core of every node, and the whole; or one of its projections."""
    from kg import metrics, tables

    whole = {}
    with tables.open_build(folder) as connection:
        if cooccurrence:
            found = metrics.cooccurrence(connection, *_pair(cooccurrence), min_papers=min_papers)
        elif matrix:
            found = metrics.matrix(connection, *_pair(matrix), top=top)
        elif similar_papers:
            found = metrics.paper_similarity(connection)
        elif distribution:
            found = metrics.degree_distribution(connection)
        else:
            found = metrics.measure(metrics.network(connection), sample=sample)
            whole = metrics.summary(connection, found)
            if graphml:
                _graphml(connection, found, graphml)
            found = found if kind is None else found.where("kind", kind)
    if csv_file:
        csv_file.write_text(found.csv(), encoding="utf-8", newline="")
    if as_json:
        click.echo(json.dumps({"summary": whole, "rows": list(found if csv_file is None else found.head(top))}, ensure_ascii=False, indent=1))
        return
    lines = [f"{name.replace('_', ' '):32s} {value}" for name, value in whole.items()]
    click.echo("\n".join([*lines, *([""] if lines else []), found.head(top).text()]))


def _pair(given: str) -> tuple[str, str]:
    a, _, b = given.partition(":")
    return ("" if a == "any" else a), ("" if b in {"any", ""} else b)


def _graphml(connection: "duckdb.DuckDBPyConnection", measured: "Frame", path: Path) -> None:
    from kg.aside import replaced
    from kg.export.graphml import write_measured

    with replaced(path) as aside:
        write_measured(connection, measured, aside)

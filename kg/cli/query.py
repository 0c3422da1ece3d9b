"""`kg query`: SPARQL on a build."""

import sys
from pathlib import Path

import click


@click.command("query")
@click.argument("query", required=False)
@click.option("-e", "--execute", metavar="SPARQL", help="The query itself, instead of a file.")
@click.option("-i", "--build", "folder", default="exports", show_default=True, help="The folder of the build.")
@click.option(
    "-f", "--format", "format_", help="table, json, csv, tsv, xml, ttl, nt, jsonld, rdf.  [default: table, csv when piped; ttl]"
)
@click.option("--timeout", type=float, default=60, show_default=True, help="Seconds after which the query is stopped.")
@click.option("--rows", type=int, default=1_000_000, show_default=True, help="The most rows of an answer.")
def command(query: str | None, execute: str | None, folder: str, format_: str | None, timeout: float, rows: int) -> None:
    """Run SPARQL on a build. QUERY is a file with a query, or "-" for standard input.

    The prefixes of the graph are filled in.

    \b
      kg query -e 'SELECT ?label { ?d a kg:Dataset ; skos:prefLabel ?label }'
      kg query question.rq --format json
    """
    from kg import query as queries
    from kg.rdf import prefixes

    if execute is None and query is None:
        raise click.UsageError("a query is needed: a file, or -e 'SELECT …'")
    text = execute if execute is not None else sys.stdin.read() if query == "-" else Path(str(query)).read_text(encoding="utf-8")
    shown = format_ or ("table" if sys.stdout.isatty() else "csv")
    form = queries.check(text, prefixes())
    chosen = ("ttl" if form in ("construct", "describe") else "json" if shown == "table" else shown) if format_ in (None, "table") else shown
    found = queries.run(folder, text, format=chosen, timeout=timeout, rows=rows)
    _show(found.body, as_table=shown == "table" and chosen == "json")


def _show(body: bytes, *, as_table: bool) -> None:
    if as_table:
        from kg.query.results import table
        from kg.rdf import prefixes

        click.echo(table(body, prefixes()))
        return
    sys.stdout.buffer.write(body)

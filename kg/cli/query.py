"""`kg query`: SPARQL on a build."""

import sys
from pathlib import Path

import click

from kg.cli.options import folder_option
from kg.errors import QueryError


@click.command("query", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("query", required=False)
@click.option("-e", "--execute", metavar="SPARQL", help="The query itself, instead of a file or name.")
@folder_option
@click.option("-f", "--format", "form", help="table, json, csv, tsv, xml, ttl, nt, jsonld, rdf.  [default: table, csv when piped; ttl]")
@click.option("--timeout", type=float, default=60, show_default=True, help="Seconds after which the query is stopped.")
@click.option("--rows", type=int, default=1_000_000, show_default=True, help="The most rows of an answer.")
@click.option("--list", "list_", is_flag=True, help="List the named queries and their parameters.")
@click.option("--show", is_flag=True, help="Show the query instead of running it.")
@click.pass_context
def command(
    ctx: click.Context, query: str | None, execute: str | None, folder: Path, form: str | None, timeout: float, rows: int, list_: bool, show: bool
) -> None:
    """Run SPARQL on a build. QUERY is a named query with its parameters, a file, or "-" for standard input.

    The prefixes of the graph are filled in. An entity is named as people name it, and its variants count as well.

    \b
    Examples:
      kg query --list
      kg query papers-on --dataset GSM8K --model LLaDA-8B
      kg query -e 'SELECT ?label { ?d a kg:Dataset ; skos:prefLabel ?label }'
      kg query question.rq --format json
    """
    from kg import query as queries

    if list_:
        click.echo(_listing())
        return
    text = execute if execute is not None else _text(query, ctx.args, folder)
    if show:
        click.echo(text, nl=not text.endswith("\n"))
        return
    as_table = form == "table" or (form is None and sys.stdout.isatty())
    found = queries.run(folder, text, formats=("json", "ttl") if as_table else (form or "csv", form or "ttl"), timeout=timeout, rows=rows)
    if as_table and found.format == "json":
        click.echo(queries.table(found.body))
    else:
        sys.stdout.buffer.write(found.body)


def _text(query: str | None, rest: list[str], folder: Path) -> str:
    from kg.query.named import bind, finder, named

    if query is None:
        raise click.UsageError("a query is needed: a name of kg query --list, a file, or -e 'SELECT …'")
    if query in named():
        return bind(named()[query], _values(rest), finder(folder))
    if rest:
        raise click.UsageError(f"no named query {query!r}; kg query --list lists them")
    if query == "-":
        return sys.stdin.read()
    try:
        return Path(query).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"{query!r} is neither a named query nor a file that can be read", hint="kg query --list") from error


def _values(rest: list[str]) -> dict[str, str]:
    values = {}
    words = iter(rest)
    for word in words:
        name, sign, value = word.partition("=")
        if not name.startswith("--"):
            raise click.UsageError(f"{word!r} belongs to no parameter")
        values[name[2:].replace("-", "_")] = value if sign else next(words, "")
    return values


def _listing() -> str:
    from kg.query.named import named

    lines = []
    for query in named().values():
        words = " ".join(f"[--{p.name} {p.kind.upper()}]" if p.optional else f"--{p.name} {p.kind.upper()}" for p in query.parameters)
        lines.append(f"{query.name} {words}".rstrip() + f"\n    {query.about}")
    return "\n".join(lines)

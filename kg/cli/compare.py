"""`kg compare`: two entities or papers side by side."""

import json
from pathlib import Path

import click

from kg.cli.options import folder_option


@click.command(
    epilog="""\b
Examples:
  kg compare LLaDA Dream
  kg compare GSM8K MATH --json
  kg compare arxiv:2401.00001 arxiv:2402.00002"""
)
@click.argument("a")
@click.argument("b")
@folder_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(a: str, b: str, folder: Path, as_json: bool) -> None:
    """Compare A with B: roles, what goes with one or both, relations between them, results on the same datasets."""
    from kg import tables
    from kg.explore import compare

    with tables.open_build(folder) as connection:
        found = compare(connection, a, b)
    if as_json:
        click.echo(json.dumps(list(found), ensure_ascii=False, indent=1))
        return
    for row in found.rows:
        click.echo(click.style(row[0], bold=True))
        for head, value in zip(found.columns[1:], row[1:], strict=True):
            shown = ", ".join(value) if isinstance(value, list) else value
            if shown not in (None, ""):
                click.echo(f"  {head}: {shown}")

"""`kg path`: the shortest explained chain."""

import json
from pathlib import Path

import click

from kg.cli.options import folder_option


@click.command(
    epilog="""\b
Examples:
  kg path LLaDA GSM8K
  kg path "masked diffusion model" GSM8K --json"""
)
@click.argument("a")
@click.argument("b")
@folder_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(a: str, b: str, folder: Path, as_json: bool) -> None:
    """Show the shortest chain of links and relations from A to B (entities or papers), each step with its sentence."""
    from kg import tables
    from kg.explore import path

    with tables.open_build(folder) as connection:
        found = path(connection, a, b)
    if as_json:
        click.echo(json.dumps(list(found), ensure_ascii=False, indent=1))
        return
    for row in found:
        click.echo(
            f"{row['step']}. {click.style(row['from'], bold=True)}  {row['how']}  {click.style(row['to'], bold=True)}  ({row['confidence']:.2f})"
        )
        click.echo(f"   “{row['evidence']}” [{row['paper']}]")

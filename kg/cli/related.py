"""`kg related`: the nearest entities."""

import json
from pathlib import Path

import click

from kg.cli.options import folder_option
from kg.model import EntityType


@click.command(
    epilog="""\b
Examples:
  kg related GSM8K
  kg related "flow matching" --type method --limit 10
  kg related LLaDA --json"""
)
@click.argument("name")
@folder_option
@click.option("--type", "kind", type=click.Choice([kind.lower() for kind in EntityType]), default=None, help="Entities of this type only.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(name: str, folder: Path, kind: str | None, limit: int, as_json: bool) -> None:
    """List the entities nearest to NAME: by the papers and company that they share, and by the words around them."""
    from kg import tables
    from kg.explore import related

    with tables.open_build(folder) as connection:
        found = related(connection, name, kind=kind or "", limit=limit)
    click.echo(json.dumps(list(found), ensure_ascii=False, indent=1) if as_json else found.text())

"""`kg diff`: what two builds gained and lost."""

import json
from pathlib import Path

import click

from kg.diff import diff, rdf_patch


@click.command(
    epilog="""\b
Examples:
  kg diff exports-may exports-june
  kg diff old new --format patch > change.rdfp"""
)
@click.argument("old", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("new", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--format", "kind", type=click.Choice(["text", "json", "patch"]), default="text", show_default=True, help="patch is an RDF Patch.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def command(old: Path, new: Path, kind: str, as_json: bool) -> None:
    """List the papers, entities and links that the build NEW gained and lost against OLD."""
    if kind == "patch" and not as_json:
        for line in rdf_patch(old, new):
            click.echo(line)
        return
    found = diff(old, new)
    if as_json or kind == "json":
        click.echo(json.dumps({"gained": found.gained, "lost": found.lost}, ensure_ascii=False, indent=2))
        return
    for sign, rows in (("+", found.gained), ("-", found.lost)):
        for table, members in rows.items():
            for row in members:
                click.echo(f"{sign} {table[:-1] if table != 'entities' else 'entity'}  {'  '.join(row)}")
    if not found:
        click.echo("the two builds hold the same papers, entities and links", err=True)

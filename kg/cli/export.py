"""`kg export`: a build in another format."""

import json
from pathlib import Path

import click

from kg.cli.options import folder_option


@click.command(
    epilog="""\b
Examples:
  kg export --list
  kg export --format gexf
  kg export --format jsonld --evidence none -o slim.jsonld
  kg export --format obsidian --in out -o ~/notes
  kg export --format turtle --vocabulary lpwc"""
)
@click.argument("build", required=False, type=click.Path(path_type=Path, file_okay=False))
@folder_option
@click.option("--format", "names", multiple=True, metavar="NAME", help="A format (may be repeated); --list names them.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="File or folder to write.  [default: the format's usual name in the build's folder]"
)
@click.option("--evidence", type=click.Choice(["none", "quotes", "full"]), default="quotes", show_default=True, help="Evidence in RDF formats.")
@click.option("--base", default="", help="Base IRI of entities and papers in RDF formats.")
@click.option("--vocabulary", type=click.Choice(["kg", "lpwc"]), default="kg", show_default=True, help="Vocabulary of RDF formats.")
@click.option("--list", "listing", is_flag=True, help="List the formats and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(
    build: Path | None,
    folder: Path,
    names: tuple[str, ...],
    out: Path | None,
    evidence: str,
    base: str,
    vocabulary: str,
    listing: bool,
    as_json: bool,
) -> None:
    """Write the build in the folder BUILD (or --in) in another format; prints the paths written."""
    from kg import export, tables

    if listing or not names:
        rows = [{"name": row.name, "file": row.file + ("/" if row.folder else ""), "about": row.about} for row in export.EXPORTERS.values()]
        lines = [f"{row['name']:12s} {row['file']:16s} {row['about']}" for row in rows]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2) if as_json else "\n".join(lines))
        if not listing:
            raise click.UsageError("say which with --format")
        return
    if out is not None and len(names) > 1 and not out.is_dir():
        raise click.UsageError("several formats want a folder that exists as --out")
    source = build or folder
    with tables.open_build(source) as connection:
        written = [
            str(export.write(connection, name, out or source / export.exporter(name).file, evidence=evidence, base=base, vocabulary=vocabulary))
            for name in names
        ]
    click.echo(json.dumps(written, ensure_ascii=False) if as_json else "\n".join(written))

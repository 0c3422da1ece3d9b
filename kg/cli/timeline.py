"""`kg timeline`: an entity through the years."""

import json
from pathlib import Path

import click

from kg.cli.options import folder_option

_WIDTH = 40


@click.command(
    epilog="""\b
Examples:
  kg timeline ImageNet
  kg timeline "diffusion model" --csv diffusion.csv
  kg timeline LLaDA-8B --exact --json"""
)
@click.argument("name")
@folder_option
@click.option("--exact", is_flag=True, help="The named entity alone, without its variants.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the table to a CSV file.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(name: str, folder: Path, exact: bool, csv_file: Path | None, as_json: bool) -> None:
    """Show in how many papers of each year NAME is, by role, and their share of that year's papers."""
    from kg import tables
    from kg.explore import timeline

    with tables.open_build(folder) as connection:
        found = timeline(connection, name, exact=exact)
    if csv_file:
        csv_file.write_text(found.csv(), encoding="utf-8", newline="")
    if as_json:
        click.echo(json.dumps(list(found), ensure_ascii=False, indent=1))
        return
    most = max(found.column("papers"), default=0) or 1
    for row in found:
        roles = ", ".join(f"{row[role]} {role}" for role in ("proposed", "evaluated", "compared", "used", "mentioned") if row[role])
        bar = "█" * round(_WIDTH * row["papers"] / most)
        click.echo(f"{row['year']}  {bar:{_WIDTH}s} {row['papers']:>6,}  {row['share']:6.1%}  {roles}".rstrip())
    if not len(found):
        click.echo("none of the papers that name it has a year", err=True)

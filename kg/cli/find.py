"""`kg find`: papers by what they do with which entities."""

import json
from itertools import groupby
from pathlib import Path

import click

from kg.cli.options import folder_option
from kg.model import Role


@click.command(
    epilog="""\b
Examples:
  kg find --dataset GSM8K
  kg find --dataset GSM8K --model LLaDA --role evaluated --year 2024..
  kg find --any "diffusion model" --venue neurips --json
  kg find --method "flow matching" --exact --csv papers.csv"""
)
@click.argument("names", nargs=-1)
@folder_option
@click.option("--dataset", multiple=True, metavar="NAME", help="A dataset that the paper links (may be repeated; all must be there).")
@click.option("--model", multiple=True, metavar="NAME", help="A model.")
@click.option("--method", multiple=True, metavar="NAME", help="A method.")
@click.option("--metric", multiple=True, metavar="NAME", help="A metric.")
@click.option("--task", multiple=True, metavar="NAME", help="A task.")
@click.option("--any", "anything", multiple=True, metavar="NAME", help="An entity of any type; the same as a bare NAME.")
@click.option(
    "--role", "roles", type=click.Choice([str(role) for role in Role]), multiple=True, help="What the paper does with each (may be repeated)."
)
@click.option("--year", default="", metavar="SPAN", help="2024, 2022..2024, 2024.. or ..2020.")
@click.option("--venue", default="", help="A part of the venue's name.")
@click.option("--exact", is_flag=True, help="The named entities alone, without their variants.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Papers to print; --csv and --json have all.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the rows to a CSV file.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(
    names: tuple[str, ...],
    folder: Path,
    roles: tuple[str, ...],
    year: str,
    venue: str,
    exact: bool,
    limit: int,
    csv_file: Path | None,
    as_json: bool,
    anything: tuple[str, ...],
    **typed: tuple[str, ...],
) -> None:
    """Find the papers that link all the named entities or their variants, newest first, each with the sentence that shows it."""
    from kg import tables
    from kg.find import find

    with tables.open_build(folder) as connection:
        wanted = {**typed, "any": (*names, *anything)}
        found = find(connection, wanted, roles=roles, year=year, venue=venue, exact=exact)
        undated = 0 if not year else len({row["paper"] for row in find(connection, wanted, roles=roles, venue=venue, exact=exact) if not row["year"]})
    if csv_file:
        csv_file.write_text(found.csv(), encoding="utf-8", newline="")
    if as_json:
        click.echo(json.dumps(list(found), ensure_ascii=False, indent=1))
        return
    papers = [list(rows) for _, rows in groupby(found, key=lambda row: row["paper"])]
    for rows in papers[:limit]:
        first = rows[0]
        click.echo(click.style(first["title"], bold=True) + f"  [{first['paper']}]  {first['venue']} {first['year'] or ''}".rstrip())
        for row in rows:
            text, start, end = row["evidence"] or "", row["mark_start"] or 0, row["mark_end"] or 0
            click.echo(f"  {row['role']} {row['name']}: {text[:start]}{click.style(text[start:end], bold=True, fg='green')}{text[end:]}")
    more = f", the first {limit} shown" if len(papers) > limit else ""
    left_out = f"; {undated:,} more without a year" if undated else ""
    click.echo(f"{len(papers):,} paper{'' if len(papers) == 1 else 's'}{more}{left_out}", err=True)

"""`kg results`: reported numbers across papers."""

import json
from pathlib import Path

import click

from kg.cli.options import folder_option

_WIDE = {"value": 18, "metric": 24, "subject": 26, "dataset": 24, "comparator": 26}


@click.command(
    epilog="""\b
Examples:
  kg results --dataset GSM8K
  kg results --metric FID --dataset ImageNet --csv fid.csv
  kg results --subject LLaDA --sentences"""
)
@folder_option
@click.option("--dataset", metavar="NAME", help="Numbers reported on a dataset or one of its variants.")
@click.option("--metric", metavar="NAME", help="Numbers of a metric, or of a word such as speedup.")
@click.option("--subject", metavar="NAME", help="Numbers of a model or method.")
@click.option("--comparator", metavar="NAME", help="Numbers set against a model or method.")
@click.option("--exact", is_flag=True, help="The named entities alone, without their variants.")
@click.option("--confidence", "least", type=click.FloatRange(0, 1), default=0.0, help="The smallest confidence.  [default: 0]")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="Rows to print; --csv and --json have all.")
@click.option("--sentences", is_flag=True, help="Print each number's sentence below it.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the rows to a CSV file.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(folder: Path, exact: bool, least: float, limit: int, sentences: bool, csv_file: Path | None, as_json: bool, **names: str | None) -> None:
    """Print the numbers that papers report, each with who claims it. Rows are not ranked: papers measure in different ways."""
    from kg import tables
    from kg.claims import claims

    with tables.open_build(folder) as connection:
        found = claims(connection, {place: name for place, name in names.items() if name}, exact=exact, least=least)
    if csv_file:
        csv_file.write_text(found.csv(), encoding="utf-8", newline="")
    if as_json:
        click.echo(json.dumps(list(found), ensure_ascii=False, indent=1))
        return
    if len(found):
        click.echo("  ".join(_fitted(name.removesuffix("_text"), width) for name, width in _WIDE.items()) + "  paper")
    for row in found.head(limit):
        click.echo("  ".join(_fitted(str(row[name] or ""), width) for name, width in _WIDE.items()) + f"  {row['title']} [{row['paper']}]")
        if sentences:
            click.echo(f"    {row['sentence']}")
    if len(found) > limit:
        click.echo(f"… and {len(found) - limit:,} more (--limit)", err=True)
    if not len(found):
        click.echo("no reported numbers fit", err=True)


def _fitted(text: str, width: int) -> str:
    return (text if len(text) <= width else text[: width - 1] + "…").ljust(width)

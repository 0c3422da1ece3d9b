"""`kg annotate`: cards to correct by hand."""

import json
import sys
from pathlib import Path

import click

FAULTY = 1


@click.command(
    epilog="""\b
Examples:
  kg annotate new.jsonl > cards.jsonl       pre-filled cards, one a line, to correct
  kg annotate --check cards.jsonl           what is wrong with them
  kg train cards.jsonl -o my-model          learn from them

\b
Exit status: 0 all well, 1 --check found faults, 3 a record could not be read."""
)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", "checking", is_flag=True, help="FILE holds cards: say what is wrong with them.")
@click.option("--tier", default="default", show_default=True, help="The extraction tier that fills the cards.")
def command(paths: tuple[str, ...], checking: bool, tier: str) -> None:
    """Write a card for each paper of FILE, filled with what is found, to be corrected; or check cards that were."""
    sys.exit(_check(paths) if checking else _prefill(paths, tier))


def _check(paths: tuple[str, ...]) -> int:
    from kg import annotate

    faults = cards = 0
    for path in paths:
        with click.open_file(path, encoding="utf-8", errors="replace") as stream:
            lines = stream.read().split("\n")
        cards += sum(bool(line.strip()) for line in lines)
        for fault in annotate.check(lines):
            faults += 1
            click.echo(f"{path}, {fault}")
    click.echo(f"{cards} cards, {faults} faults", err=True)
    return FAULTY if faults else 0


def _prefill(paths: tuple[str, ...], tier: str) -> int:
    from kg import annotate
    from kg.cli.build import PARTIAL, Bar
    from kg.model import Paper
    from kg.pipeline import read_card
    from kg.readers import read

    unread = 0
    with Bar(quiet=True) as report:
        for record in read([str(Path(path)) if path != "-" else path for path in paths]):
            if isinstance(record, Paper):
                click.echo(json.dumps(annotate.prefill(read_card(record, tier)), ensure_ascii=False))
            else:
                report.unread(record)
                unread += 1
    return PARTIAL if unread else 0

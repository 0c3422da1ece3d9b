"""`kg extract`: papers to cards, without a build."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from kg.cli.options import build_options, read_settings
from kg.errors import InputError
from kg.model import Card, Paper

_COLOURS = {"Dataset": "green", "Model": "blue", "Method": "magenta", "Metric": "yellow", "Task": "cyan"}


@click.command(
    epilog="""\b
Examples:
  kg extract paper.txt                     coloured text on a terminal
  kg extract papers.jsonl > cards.jsonl    one card a line
  echo "We train Foo on GSM8K." | kg extract -"""
)
@click.argument("paths", nargs=-1, metavar="[PAPERS]...")
@build_options
@click.option("--strict", is_flag=True, default=None, help="Stop at the first record that cannot be read.")
@click.option("--json/--text", "as_json", default=None, help="Cards as JSON lines, or coloured text.  [default: text on a terminal]")
def command(paths: tuple[str, ...], as_json: bool | None, **given: Any) -> None:
    """Extract the entities, roles, relations and results of PAPERS (default: standard input) and print a card for each."""
    from kg.cards import from_card
    from kg.cli.build import PARTIAL, Bar
    from kg.pipeline import read_card
    from kg.readers import read

    settings = read_settings(paths or ("-",), given)
    lines = not sys.stdout.isatty() if as_json is None else as_json
    unread = done = 0
    with Bar(quiet=True) as report:
        for record in read(paths or ("-",), mapping=settings.map, strict=settings.strict, full_text=settings.full_text):
            if not isinstance(record, Paper):
                report.unread(record)
                unread += 1
                continue
            done += 1
            card = read_card(record, settings.tier)
            click.echo(json.dumps(from_card(card), ensure_ascii=False) if lines else "".join(_coloured(card)))
    if not done:
        raise InputError("no papers to extract from", hint="kg inspect FILE; kg formats")
    if unread:
        sys.exit(PARTIAL)


def _coloured(card: Card) -> Iterator[str]:
    spans = sorted({(m.span.start, -m.span.end, e.type) for e in card.entities for m in e.mentions})
    last = 0
    for start, minus_end, kind in spans:
        if start < last:
            continue
        yield card.text.clean[last:start]
        yield click.style(card.text.clean[start:-minus_end], fg=_COLOURS[kind], bold=True)
        last = -minus_end
    yield card.text.clean[last:] + "\n"
    for entity in card.entities:
        yield f"  {click.style(f'{entity.type:8s}', fg=_COLOURS[entity.type])} {entity.role:10s} {entity.confidence:.2f}  {entity.name}\n"

"""`kg config`: the options in force."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from kg.cli.options import build_options, settings_and_origin


@click.command(
    epilog="""\b
Examples:
  kg config seeds
  kg config seeds --tier fast --json"""
)
@click.argument("paths", nargs=-1, metavar="[PAPERS]...")
@build_options
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(paths: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Show every option that kg build would use for PAPERS, and where it comes from: default, kg.toml or command line."""
    for missing in (path for path in paths if path != "-" and not Path(path).exists()):
        click.echo(f"note: there is no {missing}", err=True)
    settings, origin = settings_and_origin(paths, given)
    values = {name: {"value": value, "from": origin[name]} for name, value in asdict(settings).items()}
    if as_json:
        click.echo(json.dumps(values, ensure_ascii=False, indent=2, default=str))
        return
    for name, entry in values.items():
        click.echo(f"{name:18s} {_shown(entry['value']):30s} {entry['from']}")


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if value not in (None, "", {}) else "-"

"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from kg import settings

Function = Callable[..., Any]


def folder_option(function: Function) -> Function:
    """`--in FOLDER`: the build that a command reads."""
    return click.option(
        "--in", "folder", type=click.Path(path_type=Path, file_okay=False), default=Path("exports"), show_default=True, help="The build to read."
    )(function)


def build_options(function: Function) -> Function:
    """The options of a build that kg.toml may hold too."""
    for option in reversed(
        (
            click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder of the build.  [default: exports]"),
            click.option(
                "--tier",
                type=click.Choice(["default", "fast", "rules"]),
                help="Extractor: the best, the quickest, or without a trained model.  [default: default]",
            ),
            click.option("--workers", type=click.IntRange(0), help="Processes; 0 is one a core.  [default: 0]"),
            click.option("--catalogue", type=click.Path(path_type=Path, exists=True), multiple=True, help="CSV of your own names (may be repeated)."),
            click.option("--decisions", type=click.Path(path_type=Path, exists=True), help="Your decisions.tsv; see kg decide --help."),
            click.option(
                "--map", "mapping", multiple=True, metavar="FIELD=COLUMN", help="Column of a field, e.g. abstract=Summary (may be repeated)."
            ),
            click.option("--full-text", is_flag=True, default=None, help="Mine whole PDFs, not the abstract alone."),
            click.option(
                "--authors",
                is_flag=True,
                default=None,
                help="Authors as nodes too, one for each full name, in the graph files, the tables and the RDF (not on the page).",
            ),
            click.option("--evidence", type=click.Choice(["none", "quotes", "full"]), help="Evidence in the RDF.  [default: quotes]"),
            click.option("--base", help="Base IRI of entities and papers in the RDF."),
            click.option(
                "--config", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Another kg.toml than the one beside the papers."
            ),
        )
    ):
        function = option(function)
    return function


def read_settings(paths: tuple[str, ...], given: dict[str, Any]) -> settings.Settings:
    """The settings in force for a command line."""
    return settings_and_origin(paths, given)[0]


def settings_and_origin(paths: tuple[str, ...], given: dict[str, Any]) -> tuple[settings.Settings, dict[str, str]]:
    """The settings and where each comes from."""
    options = dict(given)
    file = options.pop("config", None) or settings.find(paths)
    pairs = options.pop("mapping", ()) or ()
    wrong = [pair for pair in pairs if "=" not in pair]
    if wrong:
        raise click.BadParameter(f"{wrong[0]!r} is not FIELD=COLUMN", param_hint="--map")
    options["map"] = dict(pair.split("=", 1) for pair in pairs) or None
    return settings.load(file, **options)

"""`kg decide`: write down what a build should take as so."""

from pathlib import Path
from typing import Any

import click

from kg.cli.options import folder_option
from kg.resolve.decisions import VERDICTS

_HELP = "\n".join(f"  {verdict:15s} {says}" for verdict, (_, _, says) in VERDICTS.items())


@click.command(
    epilog=f"""\b
Decisions:
{_HELP}
\b
Examples:
  kg decide different PGM "probabilistic graphical model"
  kg decide same "diffusion model" "denoising diffusion model"
  kg decide type MAUVE --value Metric
  kg decide wrong-link BF16
  kg decide relation FoSS "flow matching" --value basedOn
\b
The next kg build applies them all. A line taken out of the file is undone by the build after."""
)
@click.argument("verdict", type=click.Choice(list(VERDICTS)))
@click.argument("a")
@click.argument("b", required=False, default="")
@click.option("--value", default="", help="The type, role or relation.")
@click.option("--paper", default="", help="The paper's id.")
@click.option("--note", default="", help="Why, for whoever reads the file.")
@click.option(
    "--file", "file", type=click.Path(dir_okay=False, path_type=Path), help="The file of decisions [default: the build's, else ./decisions.tsv]."
)
@folder_option
def command(file: Path | None, folder: Path, **said: Any) -> None:
    """Record the decision VERDICT on A (and B), entities by name or id, in decisions.tsv, after checking that the build knows them."""
    from kg import deciding
    from kg.resolve import decisions

    path, new = deciding.decide(folder, file, decisions.Decision(**said))
    click.echo(f"{'added to' if new else 'already in'} {path}; the next kg build applies it", err=True)

"""`kg train`: annotated cards to a model."""

from pathlib import Path

import click


@click.command(
    epilog="""\b
Examples:
  kg train gold.jsonl mine.jsonl -o my-model    some hours on a laptop; a stopped run goes on
  kg train gold.jsonl -o my-model --fast-only   the fast tier's part alone, some minutes
  KG_MODEL=my-model kg evaluate dev.jsonl       use it

Needs the extra kg[train]."""
)
@click.argument("gold", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The model's folder.")
@click.option("--fast-only", is_flag=True, help="Train the fast tier and take the encoder over from the model in use.")
def command(gold: tuple[Path, ...], out: Path, fast_only: bool) -> None:
    """Make a model from the annotated cards GOLD, which carry title and abstract (kg annotate writes such cards)."""
    from kg.errors import KgError

    try:
        from kg.train import train

        manifest = train(gold, out, say=lambda line: click.echo(line, err=True), fast_only=fast_only)
    except ModuleNotFoundError as error:
        raise KgError(f"training needs a package that is not installed: {error.name}", hint="pip install 'kg[train]'") from error
    for tier, figures in manifest["figures"]["held out"].items():
        click.echo(f"{tier}: " + ", ".join(f"{name} {value}" for name, value in figures.items()))

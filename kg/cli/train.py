"""`kg train`: annotated cards to a model."""

from pathlib import Path

import click


@click.command(
    epilog="""\b
Examples:
  kg train gold.jsonl mine.jsonl -o my-model --unlabelled papers.jsonl    some hours; a stopped run goes on
  kg train gold.jsonl -o my-model --fast-only                             the fast tier's part alone
  KG_MODEL=my-model kg evaluate dev.jsonl                                 use it

Needs the extra kg[train]."""
)
@click.argument("gold", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The model's folder.")
@click.option(
    "--unlabelled",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Papers that nobody annotated: the fast tier learns from them what the model in use finds there. May be given several times.",
)
@click.option("--fast-only", is_flag=True, help="Train the fast tier and take the encoder over from the model in use.")
def command(gold: tuple[Path, ...], out: Path, unlabelled: tuple[Path, ...], fast_only: bool) -> None:
    """Make a model from the annotated cards GOLD, which carry title and abstract (kg annotate writes such cards).

    Of the first file a fifth is held out, to measure on; the cards of further files are only learnt from.
    """
    from kg.errors import KgError

    try:
        from kg.train import train

        manifest = train(gold, out, unlabelled=unlabelled, say=lambda line: click.echo(line, err=True), fast_only=fast_only)
    except ModuleNotFoundError as error:
        raise KgError(f"training needs a package that is not installed: {error.name}", hint="pip install 'kg[train]'") from error
    for tier, figures in manifest["figures"]["held out"].items():
        click.echo(f"{tier}: " + ", ".join(f"{name} {value}" for name, value in figures.items()))

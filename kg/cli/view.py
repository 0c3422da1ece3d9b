"""`kg view`: the interactive page of a build, or of a part of it."""

from pathlib import Path
from typing import Any

import click

from kg.model import EntityType


@click.command(
    epilog="""\b
Examples:
  kg view
  kg view exports --around GSM8K --hops 2 -o gsm8k.html
  kg view exports --whole -o whole.html
  kg view exports --type Dataset --min-papers 3 --top 200 -o datasets.html"""
)
@click.argument("folder", type=click.Path(path_type=Path), default=Path("exports"))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The page to write  [default: FOLDER/graph.html]")
@click.option("--around", metavar="NAME", default="", help="Only what lies around an entity or paper.")
@click.option("--hops", type=click.IntRange(0, 9), default=2, show_default=True, help="With --around: over how many links and relations.")
@click.option(
    "--type", "types", type=click.Choice([kind.value for kind in EntityType], case_sensitive=False), multiple=True, help="Only entities of a type."
)
@click.option("--min-papers", type=click.IntRange(1), default=1, show_default=True, help="Only entities in at least so many papers.")
@click.option("--top", type=click.IntRange(1), help="Only so many entities, the strongest first.")
@click.option("--whole", is_flag=True, help="Every node at once, drawn by the graphics card.")
@click.option("--title", default="", help="The heading of the page.")
def command(folder: Path, output: Path | None, types: tuple[str, ...], title: str, **wanted: Any) -> None:
    """Make the interactive page of the build in FOLDER (default: exports).

    One file that needs no network; it opens in any current browser.
    """
    from kg import view
    from kg.tables import open_build

    chosen = tuple(EntityType(kind) for kind in types)
    heading = title or (f"Around {wanted['around']}" if wanted["around"] else "Knowledge graph")
    with open_build(folder) as connection:
        written = view.write(connection, output or folder / "graph.html", title=heading, types=chosen, **wanted)
    click.echo(str(written))

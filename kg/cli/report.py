"""`kg report`: the analysis page."""

from pathlib import Path

import click

from kg.cli.options import folder_option


@click.command(
    epilog="""\b
Examples:
  kg report
  kg report --in out -o findings.html --title "Diffusion language models"
  kg report --csv numbers --svg pictures"""
)
@folder_option
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="The page to write.  [default: report.html in the build's folder]")
@click.option("--title", default="What the papers use", show_default=True, help="The heading of the page.")
@click.option("--csv", "csv_folder", type=click.Path(path_type=Path, file_okay=False), help="A folder for the numbers of each chart as CSV.")
@click.option("--svg", "svg_folder", type=click.Path(path_type=Path, file_okay=False), help="A folder for the charts as SVG files.")
def command(folder: Path, out: Path | None, title: str, csv_folder: Path | None, svg_folder: Path | None) -> None:
    """Make one HTML page of charts and findings that needs no network; prints its path."""
    from kg import report, tables

    with tables.open_build(folder) as connection:
        written = report.write(connection, out or folder / "report.html", title=title, csv=csv_folder, svg=svg_folder)
    click.echo(written)

"""`kg formats`: the input formats."""

import json

import click


@click.command(
    epilog="""\b
Examples:
  kg formats
  kg formats bibtex          one format with its whole example
  kg formats --json"""
)
@click.argument("names", nargs=-1, metavar="[FORMAT]...")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(names: tuple[str, ...], as_json: bool) -> None:
    """List the formats that kg reads, each with an example; the first that fits a file's content reads it."""
    from kg.readers import READERS

    if unknown := set(names) - {reader.name for reader in READERS}:
        raise click.BadParameter(f"{sorted(unknown)[0]!r} is none of: {', '.join(reader.name for reader in READERS)}", param_hint="FORMAT")
    chosen = [reader for reader in READERS if not names or reader.name in names]
    if as_json:
        rows = [{"name": r.name, "about": r.about, "suffixes": r.suffixes, "extra": r.extra, "example": r.example} for r in chosen]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for reader in chosen:
        needs = f"  (pip install 'kg[{reader.extra}]')" if reader.extra else ""
        click.echo(f"{click.style(f'{reader.name:17s}', bold=True)} {reader.about}{needs}")
        click.echo(f"{'':17s} {' '.join(reader.suffixes)}")
        for line in reader.example.strip().splitlines():
            click.echo(f"{'':17s} {click.style(line if names or len(line) <= 130 else line[:129] + '…', dim=True)}")
    if not names:
        click.echo(
            "\nEach also as .gz, .bz2, .xz, .zst (needs kg[zstd] before Python 3.14) or inside .zip and .tar; folders with a mix; - for stdin."
        )

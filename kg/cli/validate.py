"""`kg validate`: a build against its shapes."""

from pathlib import Path

import click

from kg.cli.options import folder_option


@click.command("validate")
@folder_option
@click.option("--engine", type=click.Choice(["auto", "shacl", "sparql"]), default="auto", show_default=True, help="pySHACL, or the shapes as SPARQL.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON.")
@click.pass_context
def command(ctx: click.Context, folder: Path, engine: str, as_json: bool) -> None:
    """Check a build against the SHACL shapes of its vocabulary. The exit status is 1 when something is wrong.

    \b
    Examples:
      kg validate --in exports
      kg validate --engine sparql --json
    """
    import dataclasses
    import json

    from kg.rdf.validate import validate

    report = validate(folder, engine=engine)
    click.echo(json.dumps(dataclasses.asdict(report), ensure_ascii=False, indent=1) if as_json else report.text())
    ctx.exit(0 if report.conforms else 1)

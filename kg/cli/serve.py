"""`kg serve`: a build on this machine's web."""

from pathlib import Path
from typing import Any

import click

from kg.cli.options import folder_option


@click.command("serve")
@folder_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; another address lets other machines ask.")
@click.option("--port", type=click.IntRange(0, 65535), default=7878, show_default=True, help="0 takes a free one.")
@click.option("--timeout", type=float, default=30, show_default=True, help="Seconds after which a query is stopped.")
@click.option("--memory", type=click.IntRange(100), default=1000, show_default=True, help="Megabytes that a query may take.")
@click.option("--rows", type=click.IntRange(1), default=100_000, show_default=True, help="The most rows of an answer.")
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True, help="Queries that run at a time.")
@click.option("--origin", default="*", show_default=True, help="The web origin whose pages may ask (CORS).")
def command(folder: Path, host: str, port: int, timeout: float, memory: int, rows: int, workers: int, origin: str) -> None:
    """Serve a build: its whole graph at /graph, a read-only SPARQL endpoint at /sparql, a query page at /, and a page for every entity and paper.

    \b
    Examples:
      kg serve --in exports
      curl -d query='ASK { ?paper a kg:Paper }' http://127.0.0.1:7878/sparql
    """
    from kg.serve import Limits, serve

    def ready(server: Any) -> None:
        click.echo(f"{server.address}graph and {server.address} (Ctrl+C ends it)", err=True)

    serve(folder, host, port, limits=Limits(timeout, memory, rows, workers), origin=origin, ready=ready)

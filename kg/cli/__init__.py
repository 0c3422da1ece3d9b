"""The command line: a lazy table of commands; each lives in its own module and is imported when it is called."""

import importlib
import sys
from typing import Any

import click

from kg.errors import KgError

COMMANDS = {
    "build": "read papers and build their graph, tables and exports",
    "extract": "extract entities from papers to cards, without a build",
    "show": "an entity's card, with the evidence, and why its names are one",
    "query": "run SPARQL on a build: -e, a file or a named query",
    "find": "papers by dataset, model, role, year …, with the evidence",
    "results": "reported numbers across papers",
    "decide": "record a decision on a merge, link, type or relation",
    "compare": "two entities or papers side by side",
    "related": "the nearest entities by graph and by text",
    "path": "the shortest explained chain between two entities",
    "timeline": "an entity through the years",
    "metrics": "graph metrics, communities and projections",
    "report": "one offline HTML page of charts and findings",
    "view": "make the interactive page of a build or a part of it",
    "export": "write a build in another format",
    "validate": "check a build against the SHACL shapes",
    "diff": "what two builds gained and lost",
    "serve": "a read-only SPARQL endpoint and browser on this machine",
    "inspect": "what a file is recognised as and how it will be read",
    "formats": "the input formats",
    "config": "the options in force and where each comes from",
    "evaluate": "score cards against gold",
    "annotate": "write and check pre-filled cards to correct",
    "train": "make the model from annotated cards",
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command object of `kg.cli.<name>`."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"kg.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands from the table, so that help imports none of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run; an error of kg's own is shown without a traceback and gives its exit status."""
        try:
            return super().main(*args, **kwargs)
        except KgError as error:
            click.echo(f"kg: {error}", err=True)
            sys.exit(error.exit_code)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog="""\b
Examples:
  kg build seeds -o exports        papers in, graph out
  kg show GSM8K                    one entity, with the evidence
  kg query -e "SELECT ?d WHERE { ?d a kg:Dataset } LIMIT 5"
  kg view                          open exports/graph.html

\b
Exit status: 0 done; 1 not done, the message says why and what to try; 2 wrong usage; 3 built, but some records could not be read.""",
)
@click.version_option(package_name="kg")
def main() -> None:
    """Build and explore a knowledge graph of machine-learning papers: methods, datasets, models, metrics and tasks, with the evidence."""

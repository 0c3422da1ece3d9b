"""`kg build`: papers to graph, tables and exports."""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from kg.cli.options import build_options, read_settings
from kg.errors import KgError
from kg.model import Unread
from kg.pipeline import Progress, Summary, build
from kg.settings import Settings

PARTIAL = 3
"""Exit status of a build that is complete but for records that could not be read."""
_NAMED = 20
_NUMBER = re.compile(r"\d[\d,]*")


@click.command(
    epilog="""\b
Examples:
  kg build seeds                          the graph of a folder, in exports/
  kg build papers.jsonl.gz refs.bib -o out
  zcat dump.gz | kg build - -o out --tier fast
  kg build --engine spark --master spark://head:7077 s3a://dumps/papers -o /shared/out
\b
Exit status: 0 all built; 1 nothing built; 2 wrong usage; 3 built, but some records could not be read (named on stderr)."""
)
@click.argument("paths", nargs=-1, required=True, metavar="PAPERS...")
@build_options
@click.option("--strict", is_flag=True, default=None, help="Stop at the first record that cannot be read.")
@click.option("--fresh", is_flag=True, default=None, help="Forget what earlier builds of the folder did.")
@click.option("--format", "formats", multiple=True, help="Write only these files (may be repeated); see kg export --help.")
@click.option("--watch", is_flag=True, help="Build again whenever PAPERS change, until interrupted.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option(
    "--engine",
    type=click.Choice(["local", "spark"]),
    default="local",
    show_default=True,
    help="spark: on a cluster, JSON Lines and Parquet in, Parquet tables and N-Triples out; --workers and --fresh say nothing there.",
)
@click.option("--master", default="", metavar="URL", help="Spark's master.  [default: what spark-submit says, else local[*]]")
def command(paths: tuple[str, ...], watch: bool, as_json: bool, engine: str, master: str, **given: Any) -> None:
    """Read PAPERS (files, folders, or - for standard input) and build their knowledge graph.

    Only what is new or changed since the last build of the folder is read and extracted again. A kg.toml beside the papers may hold any option.
    """
    settings = read_settings(paths, given)
    if master and engine != "spark":
        raise click.UsageError("--master goes with --engine spark")
    if settings.authors and engine == "spark":
        raise click.UsageError("--authors goes with --engine local")
    if watch and engine == "spark":
        raise click.UsageError("--watch goes with --engine local: on a cluster every build begins anew")
    if watch:
        _watch(paths, settings, as_json=as_json)
        return
    summary = _build(paths, settings, partial(_on_spark, master=master) if engine == "spark" else build, as_json=as_json)
    if summary.counts["unread"]:
        sys.exit(PARTIAL)


def _on_spark(paths: tuple[str, ...], settings: Settings, progress: Progress, master: str) -> Summary:
    from kg import spark

    return spark.build(paths, settings, master, progress)


def _build(paths: tuple[str, ...], settings: Settings, engine: Callable[..., Summary] = build, *, as_json: bool) -> Summary:
    with Bar(quiet=not sys.stderr.isatty()) as bar:
        summary = engine(paths, settings, bar)
    click.echo(json.dumps(as_object(summary), ensure_ascii=False, indent=2) if as_json else as_text(summary))
    return summary


def _watch(paths: tuple[str, ...], settings: Settings, *, as_json: bool) -> None:
    """Build now, and again after each change of the papers."""
    try:
        from watchfiles import watch
    except ImportError as error:
        raise KgError("--watch needs the package watchfiles", hint="pip install 'kg[watch]'") from error

    _build(paths, settings, as_json=as_json)
    home = settings.out.resolve()
    for changes in watch(*paths, raise_interrupt=False):
        if any(home not in Path(path).resolve().parents for _, path in changes):
            _build(paths, settings, as_json=as_json)


class Bar(Progress):
    """Progress on stderr: unreadable records as they come, and a bar when it is a terminal.

    Of many records of one file, or many files, with one reason, the first twenty are named and the rest counted when the stage ends.
    """

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self._bar: Any = None
        self._unread: Counter[tuple[str, str]] = Counter()

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *exception: object) -> None:
        self._close()

    def _close(self) -> None:
        for (source, reason), count in self._unread.items():
            if count > _NAMED:
                _say(f"{source or 'files'}: {count - _NAMED:,} more {'records ' if source else ''}like the last: {reason}")
        self._unread.clear()
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None

    def stage(self, name: str, total: int | None) -> None:
        """Start a bar, or name the stage when its length is not known."""
        self._close()
        if self.quiet:
            return
        if total is None:
            click.echo(f"{name} …", err=True)
            return
        self._bar = click.progressbar(length=total, label=name, file=sys.stderr, show_pos=True)
        self._bar.__enter__()

    def advance(self, count: int) -> None:
        """Move the bar."""
        if self._bar is not None:
            self._bar.update(count)

    def unread(self, unread: Unread) -> None:
        """One line a record: file, record, reason, remedy."""
        alike = (unread.source if unread.record else "", _NUMBER.sub("…", unread.reason))
        self._unread[alike] += 1
        if self._unread[alike] <= _NAMED:
            record = f", record {unread.record}" if unread.record else ""
            remedy = f" ({unread.remedy})" if unread.remedy else ""
            _say(f"{unread.source}{record}: {unread.reason}{remedy}")


def _say(line: str) -> None:
    click.echo("".join(c if c.isprintable() else ascii(c)[1:-1] for c in f"kg: {line}"), err=True)


def as_object(summary: Summary) -> dict[str, Any]:
    """The summary for scripts."""
    read = summary.ingested
    return {
        "folder": str(summary.folder),
        "files": {"read": read.files, "unchanged": read.unchanged_files},
        "records": read.records,
        "unread": read.unread,
        "papers": {"total": read.papers, "new": read.new, "removed": read.removed, "extracted": summary.extracted},
        "counts": summary.counts,
        "written": [path.as_posix() for path in summary.written],
        "notes": list(summary.notes),
    }


def as_text(summary: Summary) -> str:
    """The summary for people; the counts add up."""
    read, counts = summary.ingested, summary.counts
    unlinked = read.papers - counts["linked"]
    lines = [
        f"read      {read.records + read.unread:,} records of {read.files + read.unchanged_files:,} files ({read.unchanged_files:,} unchanged)",
        f"papers    {read.papers:,} = {read.records:,} read − {read.records - read.papers:,} said twice; {read.unread:,} records unread",
        f"extracted {summary.extracted:,} papers now; {counts['linked']:,} linked, {unlinked:,} without entities, "
        f"{counts['not English']:,} of them not English",
        f"found     {counts['mentions']:,} mentions, {counts['entities']:,} entities, {counts['links']:,} links, "
        f"{counts['relations']:,} relations, {counts['results']:,} results",
        *(f"wrote     {Path(path).as_posix()}" for path in summary.written),
        *(f"note      {note}" for note in summary.notes),
    ]
    return "\n".join(lines)

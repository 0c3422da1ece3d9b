"""`kg inspect`: what a file is and how it will be read."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from kg.model import Unread
    from kg.readers.inspection import Inspection

_WIDTH = 110


@click.command(
    epilog="""\b
Examples:
  kg inspect export.json                    what it is, how many papers, the first two
  kg inspect papers/ --first 0              one line and the problems of each file
  kg inspect t.csv --map abstract=Summary   with a column named
  kg inspect dump.jsonl.gz --json           for scripts

\b
Exit status: 0 all read, 3 something could not be read."""
)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option("--map", "mapping", multiple=True, metavar="FIELD=COLUMN", help="The column or key that holds a field. May be repeated.")
@click.option("--full-text", is_flag=True, help="Take all text of PDF, TEI and JATS.")
@click.option("--first", default=2, show_default=True, type=click.IntRange(0), metavar="N", help="Show the first N papers as they will be read.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")
def command(paths: tuple[str, ...], mapping: tuple[str, ...], full_text: bool, first: int, as_json: bool) -> None:
    """Say what each FILE is recognised as, how many papers it holds, how the first will be read, and what is wrong with the rest."""
    from kg.readers import sources
    from kg.readers.inspection import inspect

    unread = papers = files = 0
    for source in sources(paths, hashed=False):
        for found in inspect(source, mapping=_mapped(mapping), full_text=full_text, first=first):
            unread, papers, files = unread + found.unread, papers + found.papers, files + 1
            text = json.dumps(_plain(found), ensure_ascii=False) if as_json else "\n".join(_lines(found))
            click.echo(text.encode("utf-8", "replace").decode())
    if files > 1 and not as_json:
        click.echo(click.style(f"{files:,} files: {papers:,} papers, {unread:,} not read", bold=True))
    if unread:
        sys.exit(3)


def _mapped(pairs: tuple[str, ...]) -> dict[str, str]:
    split = [pair.partition("=") for pair in pairs]
    if wrong := [field for field, sign, column in split if not (sign and field and column)]:
        raise click.BadParameter(f"{wrong[0]!r} is not FIELD=COLUMN", param_hint="--map")
    return {field.strip(): column.strip() for field, _, column in split}


def _plain(found: "Inspection") -> dict[str, Any]:
    return {**asdict(found), "columns": dict(found.columns), "languages": dict(found.languages)}


def _lines(found: "Inspection") -> Iterator[str]:
    if not found.format and len(found.problems) == 1:
        yield f"{click.style(found.source, bold=True)}: {_reason(found.problems[0])}"
        return
    yield click.style(found.source, bold=True)
    yield f"  format     {found.format}: {found.about}" if found.format else "  format     not recognised"
    if found.encoding:
        yield f"  encoding   {found.encoding}"
    if found.columns:
        yield f"  columns    {', '.join(f'{field} ← {column}' for field, column in found.columns)}"
    if found.not_there:
        yield click.style(f"  --map      {', '.join(found.not_there)}: no column of this name", fg="red")
    yield f"  papers     {found.papers:,}{_missing(found)}"
    if [code for code, _ in found.languages] not in ([], ["en"]):
        yield f"  languages  {', '.join(f'{code} {count:,}' for code, count in found.languages)}  (only en is mined)"
    for paper in found.first:
        yield f"  {click.style(paper.id, fg='cyan')}"
        shown = {**asdict(paper), "abstract": _short(paper.abstract), "places": ", ".join(f"{p.source} {p.record}" for p in paper.places)}
        for name in (
            "title",
            "abstract",
            "authors",
            "year",
            "venue",
            "doi",
            "arxiv",
            "openreview",
            "acl",
            "pmid",
            "url",
            "code",
            "keywords",
            "places",
        ):
            if value := shown[name]:
                yield f"    {name:10s} {'; '.join(value) if isinstance(value, tuple) else value}"
    if found.unread:
        yield click.style(f"  not read   {found.unread:,}", fg="red")
    for problem in found.problems:
        yield f"    {_reason(problem)}"
        if problem.start:
            yield f"      {_short(problem.start)}"
    if found.unread > len(found.problems):
        yield f"    … and {found.unread - len(found.problems):,} more"


def _reason(problem: "Unread") -> str:
    record = f"record {problem.record}: " if problem.record else ""
    return f"{record}{problem.reason}{f' (try: {problem.remedy})' if problem.remedy else ''}"


def _missing(found: "Inspection") -> str:
    parts = [f"{count:,} without {what}" for what, count in (("title", found.without_title), ("abstract", found.without_abstract)) if count]
    return f"  ({', '.join(parts)})" if parts else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"

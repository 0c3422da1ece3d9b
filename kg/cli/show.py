"""`kg show`: what a build knows of one entity or paper."""

import json
from pathlib import Path
from typing import Any

import click

from kg.cli.options import folder_option


@click.command(
    epilog="""\b
Examples:
  kg show GSM8K
  kg show "diffusion model" --in out --all
  kg show MAUVE --json
  kg show arxiv:1810.04805"""
)
@click.argument("name")
@folder_option
@click.option("--all", "everything", is_flag=True, help="All papers, relations and merges, not the first ones.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(name: str, folder: Path, everything: bool, as_json: bool) -> None:
    """Show the entity or paper called NAME.

    Of an entity: its type, names, family, papers by role with the sentence that says so, and why its names are one, with the line that would part
    them. Of a paper, named by its id or title: its entities by role, relations and results.
    """
    from kg import show, tables

    limit = None if everything else 8
    with tables.open_build(folder) as connection:
        paper = show.paper_id(connection, name)
        card = show.paper_card(connection, paper) if paper else show.entity_card(connection, show.entity_id(connection, name))
    click.echo(json.dumps(card, ensure_ascii=False, indent=2) if as_json else _paper(card, limit) if paper else _text(card, limit))


def _paper(card: dict[str, Any], limit: int | None) -> str:
    lines = [f"{click.style(card['title'] or card['label'], bold=True)}  [{card['id']}]"]
    about = [", ".join(card["authors"] or ()), card["venue"], str(card["year"] or ""), card["url"]]
    lines += [", ".join(filter(None, about))] if any(about) else []
    for row in card["links"][:limit]:
        lines += [f"\n{row['role']:10s} {row['confidence']:.2f}  {row['label']}  {row['type']} [{row['entity']}]", f"           {row['sentence']}"]
    lines += _more(card["links"], limit, "entities")
    relations = [f"  {row['head']} {row['relation']} {row['tail']}" for row in card["relations"]]
    lines += ["\nrelations", *relations[:limit], *_more(relations, limit, "relations")] if relations else []
    results = [f"  {', '.join(str(row[k]) for k in ('subject', 'metric', 'value', 'dataset') if row[k])}" for row in card["results"]]
    lines += ["\nresults", *results[:limit], *_more(results, limit, "results")] if results else []
    return "\n".join(lines)


def _text(card: dict[str, Any], limit: int | None) -> str:
    kind = card["type"] + (f" (also {card['also']})" if card["also"] else "")
    names = ", ".join(f"{row['surface']} ({row['papers']})" for row in card["aliases"])
    lines = [
        f"{click.style(card['label'], bold=True)}  [{card['id']}]",
        f"{kind} in {_count(card['papers'], 'paper')}, {_count(card['mentions'], 'mention')}",
    ]
    lines += [f"in full    {card['expansion']}"] if card["expansion"] else []
    lines += [f"names      {names}"] if names else []
    lines += [f"variant of {row['parent']} ({row['reason']})" for row in card["family"]]
    lines += [f"variants   {', '.join(card['variants'])}"] if card["variants"] else []
    lines += [f"page       {url}" for url in card["urls"]]
    for row in card["links"][:limit]:
        lines += [f"\n{row['role']:10s} {row['confidence']:.2f}  {row['label']}  [{row['paper']}]", f"           {row['sentence']}"]
    lines += _more(card["links"], limit, "papers")
    relations = [f"  {row['head']} {row['relation']} {row['tail']}  [{row['paper']}]" for row in card["relations"]]
    lines += ["\nrelations", *relations[:limit], *_more(relations, limit, "relations")] if relations else []
    merges = [
        f"  {row['surface_a']} = {row['surface_b']}: {row['reason']}" + (f"  [{row['paper']}]" if row["paper"] else "") for row in card["merges"]
    ]
    lines += ["\nwhy these names are one", *merges[:limit], *_more(merges, limit, "reasons")] if merges else []
    if merges:
        first = card["merges"][0]
        lines.append(f'to part two of them: kg decide different "{first["surface_a"]}" "{first["surface_b"]}"')
        lines.append(f"or in decisions.tsv, with tabs between: {first['undo']}")
    return "\n".join(lines)


def _more(rows: list[Any], limit: int | None, what: str) -> list[str]:
    return [f"  … and {len(rows) - limit:,} more {what} (--all)"] if limit is not None and len(rows) > limit else []


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"

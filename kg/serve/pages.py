"""The pages at the IRIs of entities and papers, and the query page. Every text of the build passes html.escape."""

import json
from collections.abc import Callable, Mapping
from html import escape
from importlib import resources
from typing import Any
from urllib.parse import quote

from kg.rdf.terms import identifier

Ask = Callable[[str], list[dict[str, Any]]]

MOST = 500
"""Rows of each list of a page."""

_PROPERTIES = "SELECT ?p ?o ?name {{ {iri} ?p ?o OPTIONAL {{ ?o skos:prefLabel|rdfs:label ?name }} }} ORDER BY ?p ?name ?o LIMIT {most}"
_PAPERS = """SELECT ?node ?name ?does ?quote {{ ?node kg:mentions {iri} ; rdfs:label ?name
    OPTIONAL {{ ?node ?role {iri} FILTER (?role != kg:mentions) }} BIND (COALESCE(?role, kg:mentions) AS ?does)
    OPTIONAL {{ ?link oa:hasBody {iri} ; oa:hasTarget ?node ; kg:quote ?quote }} }} ORDER BY ?does ?name ?node LIMIT {most}"""
_ENTITIES = """SELECT ?node ?name ?does ?quote {{ {iri} kg:mentions ?node . ?node skos:prefLabel ?name
    OPTIONAL {{ {iri} ?role ?node FILTER (?role != kg:mentions) }} BIND (COALESCE(?role, kg:mentions) AS ?does)
    OPTIONAL {{ ?link oa:hasBody ?node ; oa:hasTarget {iri} ; kg:quote ?quote }} }} ORDER BY ?does ?name ?node LIMIT {most}"""
_WROTE = """SELECT ?node ?name ?does {{ ?node dcterms:creator {iri} ; rdfs:label ?name BIND (dcterms:creator AS ?does) }}
    ORDER BY ?name ?node LIMIT {most}"""
_REFERRERS = "SELECT ?node ?name ?does {{ ?node ?does {iri} ; skos:prefLabel ?name }} ORDER BY ?does ?name ?node LIMIT {most}"
_SHOWN_APART = ("kg:mentions", "kg:proposes", "kg:evaluates", "kg:comparesWith", "kg:uses", "kg:states")

GRAPH = "CONSTRUCT {{ {iri} ?p ?o . ?link ?q ?v }} {{ {{ {iri} ?p ?o }} UNION {{ ?link oa:hasBody|oa:hasTarget {iri} ; ?q ?v }} }}"


def asset(name: str) -> bytes:
    """A file of the query page."""
    return (resources.files("kg.serve") / "assets" / name).read_bytes()


def thing(kind: str, iri: str, base: str, prefixes: Mapping[str, str], ask: Ask) -> str | None:
    """The page of an entity, paper or author, None when the build does not know it. `iri` is its term in SPARQL, `ask` runs a SELECT."""
    properties = ask(_PROPERTIES.format(iri=iri, most=MOST))
    if not properties:
        return None
    short = _Shortener(base, prefixes)
    label = next((row["o"] for row in properties if short.curie(row["p"]) in ("skos:prefLabel", "rdfs:label")), iri)
    parts = [_properties(properties, short)]
    if kind == "entity":
        parts.append(_table("Papers", ask(_PAPERS.format(iri=iri, most=MOST)), short))
        parts.append(_table("Said of it", ask(_REFERRERS.format(iri=iri, most=MOST)), short))
    elif kind == "author":
        parts.append(_table("Papers", ask(_WROTE.format(iri=iri, most=MOST)), short))
    else:
        parts.append(_table("Entities", ask(_ENTITIES.format(iri=iri, most=MOST)), short))
    links = " · ".join(f'<a href="?format={form}">{form}</a>' for form in ("ttl", "jsonld", "nt", "rdf"))
    address = identifier(iri.strip("<>").removeprefix(f"{base}{kind}/"))
    return page(
        str(label),
        f"<p class=iri>{escape(iri.strip('<>'))}</p>" + "".join(parts) + f"<p>As data: {links}</p>",
        {"entity": address, "paper": f"paper:{address}"}.get(kind, ""),
    )


def page(title: str, body: str, address: str) -> str:
    """A page around a body that is HTML already, with a link to the node that the graph knows by `address`, or with "" to the graph."""
    graph = f'<a href="/graph{"#" if address else ""}{quote(address, safe="")}">Graph</a>'
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/assets/page.css"></head>'
        f'<body><nav>{graph} · <a href="/">Query</a></nav><main><h1>{escape(title)}</h1>{body}</main></body></html>\n'
    )


def settings(queries: Mapping[str, Any], prefixes: Mapping[str, str]) -> bytes:
    """What the query page needs: the named queries and the prefixes, as JSON."""
    named = [{"name": query.name, "about": query.about, "text": query.text} for query in queries.values()]
    return json.dumps({"queries": named, "prefixes": dict(prefixes)}, ensure_ascii=False).encode()


class _Shortener:
    def __init__(self, base: str, prefixes: Mapping[str, str]) -> None:
        self.base = base
        self.spaces = sorted(((iri, name) for name, iri in prefixes.items()), key=lambda item: -len(item[0]))

    def curie(self, iri: str) -> str:
        return next((f"{name}:{iri[len(space) :]}" for space, name in self.spaces if iri.startswith(space)), iri)

    def link(self, value: str, name: str = "") -> str:
        """A link to a page of this server, to another http address, or the plain text."""
        if value.startswith(self.base):
            return f'<a href="/{escape(value[len(self.base) :], quote=True)}">{escape(name or self.curie(value))}</a>'
        if value.startswith(("http://", "https://")):
            return f'<a href="{escape(value, quote=True)}" rel="noopener noreferrer">{escape(name or self.curie(value))}</a>'
        return escape(value)


def _properties(rows: list[dict[str, Any]], short: _Shortener) -> str:
    groups: dict[str, list[str]] = {}
    for row in rows:
        predicate = short.curie(row["p"])
        if predicate not in _SHOWN_APART:
            cell = short.link(str(row["o"]), str(row.get("name", "")))
            if cell not in groups.setdefault(predicate, []):
                groups[predicate].append(cell)
    lines = "".join(f"<tr><th>{escape(predicate)}</th><td>{'<br>'.join(cells)}</td></tr>" for predicate, cells in groups.items())
    return f"<table class=facts>{lines}</table>"


def _table(title: str, rows: list[dict[str, Any]], short: _Shortener) -> str:
    if not rows:
        return ""
    lines = []
    for row in rows:
        cells = (escape(short.curie(row["does"])), short.link(row["node"], str(row["name"])), escape(str(row.get("quote", ""))))
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    more = f"<p>The first {MOST} are shown.</p>" if len(rows) >= MOST else ""
    return f"<h2>{escape(title)}</h2><table class=list>{''.join(lines)}</table>{more}"

"""Answers as bytes: the formats of SPARQL results, and a table for the terminal."""

import csv
import io
import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from kg.errors import QueryError

Row = Sequence[Any]


@dataclass(frozen=True)
class Format:
    """A format of answers. `rows` writes those of SELECT; `engine` is Oxigraph's name of the RDF format for CONSTRUCT and DESCRIBE."""

    name: str
    media_type: str
    rows: Callable[[Sequence[str], Iterable[Row]], str] | None = None
    engine: str = ""


def _json_term(term: Any) -> dict[str, Any]:
    import pyoxigraph as ox

    if isinstance(term, ox.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, ox.BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, ox.Triple):
        return {"type": "triple", "value": {name: _json_term(getattr(term, name)) for name in ("subject", "predicate", "object")}}
    found = {"type": "literal", "value": term.value}
    if term.language:
        found["xml:lang"] = term.language
    elif not term.datatype.value.endswith("#string"):
        found["datatype"] = term.datatype.value
    return found


def _json(variables: Sequence[str], rows: Iterable[Row]) -> str:
    bindings = [{name: _json_term(term) for name, term in zip(variables, row, strict=True) if term is not None} for row in rows]
    return json.dumps({"head": {"vars": list(variables)}, "results": {"bindings": bindings}}, ensure_ascii=False)


def _csv(variables: Sequence[str], rows: Iterable[Row]) -> str:
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\r\n")
    writer.writerow(variables)
    writer.writerows([getattr(term, "value", str(term) if term is not None else "") for term in row] for row in rows)
    return output.getvalue()


def _tsv(variables: Sequence[str], rows: Iterable[Row]) -> str:
    lines = ["\t".join(f"?{name}" for name in variables)]
    lines += ["\t".join("" if term is None else str(term).replace("\t", "\\t") for term in row) for row in rows]
    return "\n".join(lines) + "\n"


_XML = '<?xml version="1.0"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">'


def _xml_term(term: Any) -> str:
    found = _json_term(term)
    if found["type"] == "triple":
        return "<triple>" + "".join(f"<{name}>{_xml_term(getattr(term, name))}</{name}>" for name in ("subject", "predicate", "object")) + "</triple>"
    if found["type"] != "literal":
        return f"<{found['type']}>{escape(found['value'])}</{found['type']}>"
    mark = "".join(f" {name}={quoteattr(found[name])}" for name in ("xml:lang", "datatype") if name in found)
    return f"<literal{mark}>{escape(found['value'], {chr(13): '&#13;'})}</literal>"


def _xml(variables: Sequence[str], rows: Iterable[Row]) -> str:
    head = "".join(f"<variable name={quoteattr(name)}/>" for name in variables)
    body = "".join(
        "<result>"
        + "".join(f"<binding name={quoteattr(n)}>{_xml_term(t)}</binding>" for n, t in zip(variables, row, strict=True) if t is not None)
        + "</result>\n"
        for row in rows
    )
    return f"{_XML}<head>{head}</head><results>\n{body}</results></sparql>\n"


FORMATS: Mapping[str, Format] = {
    row.name: row
    for row in (
        Format("json", "application/sparql-results+json", _json),
        Format("csv", "text/csv", _csv),
        Format("tsv", "text/tab-separated-values", _tsv),
        Format("xml", "application/sparql-results+xml", _xml),
        Format("ttl", "text/turtle", engine="TURTLE"),
        Format("nt", "application/n-triples", engine="N_TRIPLES"),
        Format("jsonld", "application/ld+json", engine="JSON_LD"),
        Format("rdf", "application/rdf+xml", engine="RDF_XML"),
    )
}


def answer(found: Any, form: Format, *, rows: int, prefixes: Mapping[str, str]) -> bytes:
    """An answer of the engine in a format, of at most `rows` rows or triples.

    Raises QueryError when there are more, or when the format cannot hold this kind of answer.
    """
    import pyoxigraph as ox

    if isinstance(found, ox.QueryTriples):
        if not form.engine:
            raise QueryError(f"the answer is a graph, which {form.name} cannot hold", hint="ttl, nt, jsonld or rdf")
        triples = _bounded(found, rows)
        body = ox.serialize(triples, format=getattr(ox.RdfFormat, form.engine), prefixes=dict(prefixes)) or b""
        return _sorted_prefixes(body) if form.engine == "TURTLE" else body
    if isinstance(found, ox.QueryBoolean):
        return _boolean(bool(found), form)
    if not form.rows:
        raise QueryError(f"the answer is a table, which {form.name} cannot hold", hint="json, csv, tsv or xml")
    variables = [variable.value for variable in found.variables]
    table = [tuple(solution[name] for name in variables) for solution in _bounded(found, rows)]
    return form.rows(variables, table).encode()


def _boolean(value: bool, form: Format) -> bytes:
    word = "true" if value else "false"
    if form.name == "json":
        return json.dumps({"head": {}, "boolean": value}).encode()
    if form.name == "xml":
        return f"{_XML}<head/><boolean>{word}</boolean></sparql>\n".encode()
    return f"{word}\n".encode()


def _sorted_prefixes(turtle: bytes) -> bytes:
    """Turtle with its prefixes in order: the engine declares them in another one each time."""
    lines = turtle.splitlines(keepends=True)
    last = next((n for n, line in enumerate(lines) if not line.startswith(b"@prefix ")), len(lines))
    return b"".join(sorted(lines[:last]) + lines[last:])


def _bounded(found: Iterable[Any], rows: int) -> list[Any]:
    taken = list(itertools.islice(found, rows + 1))
    if len(taken) > rows:
        raise QueryError(f"the answer has more than {rows} rows", hint="add LIMIT to the query, or allow more rows")
    return taken


def table(body: bytes, prefixes: Mapping[str, str], width: int = 100) -> str:
    """A JSON answer as a table to be read; IRIs are shortened by the prefixes and long cells cut.

    >>> print(table(b'{"head": {"vars": ["n"]}, "results": {"bindings": [{"n": {"type": "literal", "value": "3"}}]}}', {}))
    n
    -
    3
    1 row
    """
    found = json.loads(body)
    if "boolean" in found:
        return "yes" if found["boolean"] else "no"
    names = found["head"]["vars"]
    cells = [[_short(row[name], prefixes) if name in row else "" for name in names] for row in found["results"]["bindings"]]
    most = max(width // max(len(names), 1), 24)
    cells = [[cell if len(cell) <= most else cell[: most - 1] + "…" for cell in row] for row in cells]
    widths = [max([len(name), *(len(row[i]) for row in cells)]) for i, name in enumerate(names)]
    lines = [names, ["-" * n for n in widths], *cells]
    text = "\n".join("  ".join(cell.ljust(n) for cell, n in zip(row, widths, strict=True)).rstrip() for row in lines)
    return f"{text}\n{len(cells)} row{'' if len(cells) == 1 else 's'}"


def _short(term: Mapping[str, Any], prefixes: Mapping[str, str]) -> str:
    value = json.dumps(term["value"]) if isinstance(term["value"], dict) else str(term["value"])
    if term["type"] == "uri":
        name, iri = max(prefixes.items(), key=lambda item: len(item[1]) if value.startswith(item[1]) else -1, default=("", ""))
        if iri and value.startswith(iri):
            return f"{name}:{value[len(iri) :]}"
    return "".join(c if c.isprintable() else " " for c in value)

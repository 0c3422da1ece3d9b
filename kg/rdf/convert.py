"""JSON-LD and RDF/XML out of N-Triples that stand subject by subject.

Oxigraph writes both too, but declares prefixes in a new order each time and no JSON-LD context; these are the same bytes for the same statements.
"""

import itertools
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any
from xml.sax.saxutils import escape, quoteattr

from kg.rdf.syntax import XSD

_LOCAL = re.compile(r"[A-Za-z_][\w.-]*$")


def _subjects(pieces: Iterable[str]) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    import pyoxigraph

    with tempfile.TemporaryFile() as lines:
        for text in pieces:
            lines.write(text.encode("utf-8", "surrogatepass"))
        lines.seek(0)
        quads = pyoxigraph.parse(lines, pyoxigraph.RdfFormat.N_TRIPLES)
        for subject, group in itertools.groupby(quads, key=lambda quad: quad.subject.value):
            yield subject, [(quad.predicate.value, quad.object) for quad in group]


class _Short:
    """Shortens IRIs by prefixes, remembering each answer of a predicate or datatype."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self.by_space = sorted(((iri, name) for name, iri in prefixes.items()), key=lambda item: -len(item[0]))

    def __call__(self, iri: str) -> str:
        for space, name in self.by_space:
            if iri.startswith(space) and not iri.startswith("//", len(space)):
                return f"{name}:{iri[len(space) :]}"
        return iri


def json_ld(pieces: Iterable[str], output: IO[bytes], prefixes: Mapping[str, str]) -> None:
    """Write JSON-LD 1.1 with the prefixes as its context, one object a subject."""
    short = _Short(prefixes)
    context = json.dumps({"@version": 1.1, **dict(sorted(prefixes.items()))}, ensure_ascii=False)
    output.write(f'{{"@context": {context},\n"@graph": ['.encode())
    for number, (subject, pairs) in enumerate(_subjects(pieces)):
        node: dict[str, Any] = {"@id": short(subject)}
        for predicate, found in pairs:
            name, value = ("@type", short(found.value)) if predicate.endswith("#type") else (short(predicate), _json_value(found, short))
            node.setdefault(name, []).append(value)
        flat = {name: value[0] if isinstance(value, list) and len(value) == 1 else value for name, value in node.items()}
        output.write(((",\n" if number else "\n") + json.dumps(flat, ensure_ascii=False)).encode("utf-8", "surrogatepass"))
    output.write(b"\n]}\n")


def _json_value(term: Any, short: _Short) -> Any:
    import pyoxigraph

    if isinstance(term, pyoxigraph.NamedNode):
        return {"@id": short(term.value)}
    if term.datatype.value == XSD + "string":
        return term.value
    if term.datatype.value in (XSD + "integer", XSD + "boolean"):
        return json.loads(term.value)
    return {"@value": term.value, "@type": short(term.datatype.value)}


def rdf_xml(pieces: Iterable[str], output: IO[bytes], prefixes: Mapping[str, str]) -> None:
    """Write RDF/XML, one rdf:Description a subject."""
    import pyoxigraph

    short = _Short(prefixes)
    spaces = "".join(f"\n  xmlns:{name}={quoteattr(iri)}" for name, iri in sorted(prefixes.items()))
    output.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF{spaces}>\n'.encode())
    for subject, pairs in _subjects(pieces):
        lines = [f"<rdf:Description rdf:about={quoteattr(subject)}>"]
        for predicate, term in pairs:
            name = _xml_name(predicate, short)
            if isinstance(term, pyoxigraph.NamedNode):
                lines.append(f"  <{name} rdf:resource={quoteattr(term.value)}/>")
            else:
                mark = "" if term.datatype.value == XSD + "string" else f" rdf:datatype={quoteattr(term.datatype.value)}"
                lines.append(f"  <{name}{mark}>{escape(term.value)}</{name}>")
        output.write(("\n".join(lines) + "\n</rdf:Description>\n").encode("utf-8", "surrogatepass"))
    output.write(b"</rdf:RDF>\n")


def _xml_name(predicate: str, short: _Short) -> str:
    name = short(predicate)
    if not _LOCAL.match(name.partition(":")[2]):
        raise ValueError(f"{predicate} cannot be the name of an XML element")
    return name

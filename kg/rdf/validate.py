"""Checks a build's statements against the shapes of `ontology/shapes.ttl`, by pySHACL or, on a large build, by SPARQL made of the same shapes."""

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import ontology
from kg.errors import KgError, OntologyError
from kg.rdf.stores import store

if TYPE_CHECKING:
    import pyoxigraph
    import rdflib

SH = "http://www.w3.org/ns/shacl#"
SMALL = 150_000
"""Statements up to which pySHACL is used: it takes seconds there, and minutes on ten times as many."""

MOST = 100
"""Offending nodes that are listed for each constraint."""


@dataclass(frozen=True, order=True)
class Problem:
    """One node that breaks a shape: the shape's message says how; `value` is the offending value, where there is one."""

    message: str
    focus: str
    value: str = ""


@dataclass(frozen=True)
class Report:
    """What a validation found, sorted; `engine` is shacl or sparql."""

    engine: str
    statements: int
    problems: tuple[Problem, ...]

    @property
    def conforms(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    def text(self) -> str:
        """The report to be read: each message with the nodes that it is about.

        >>> print(Report("sparql", 12, (Problem("a paper has one label", "https://a.org/p"),)).text())
        12 statements checked by sparql: 1 problem
        a paper has one label
          https://a.org/p
        """
        count = len(self.problems)
        lines = [f"{self.statements} statements checked by {self.engine}: {count or 'no'} problem{'' if count == 1 else 's'}"]
        last = ""
        for problem in self.problems:
            if problem.message != last:
                lines.append(problem.message)
                last = problem.message
            lines.append(f"  {problem.focus}" + (f" has {problem.value}" if problem.value else ""))
        return "\n".join(lines)


def validate(folder: Path | str, *, engine: str = "auto") -> Report:
    """Check the build in `folder`. `engine` is shacl (pySHACL), sparql, or auto: pySHACL where it is installed and the build small.

    Raises KgError for another engine, or when pySHACL is asked for and missing.
    """
    held = store(folder)
    known = importlib.util.find_spec("pyshacl") is not None
    if engine not in ("auto", "shacl", "sparql"):
        raise KgError(f"there is no engine {engine!r}", hint="auto, shacl or sparql")
    if engine == "shacl" and not known:
        raise KgError("pySHACL is not installed", hint="pip install 'kg[validate]', or use --engine sparql")
    if engine == "shacl" or (engine == "auto" and known and len(held) <= SMALL):
        return Report("shacl", len(held), tuple(sorted(by_shacl(held))))
    return Report("sparql", len(held), tuple(sorted(by_sparql(held))))


def shapes() -> "rdflib.Graph":
    """The shapes of `ontology/shapes.ttl`."""
    import rdflib

    return rdflib.Graph(bind_namespaces="none").parse(ontology.folder() / "shapes.ttl", format="turtle")


def by_shacl(held: "pyoxigraph.Store") -> Iterator[Problem]:
    """The problems that pySHACL finds."""
    import io

    import pyoxigraph
    import pyshacl
    import rdflib

    text = io.BytesIO()
    held.dump(text, pyoxigraph.RdfFormat.N_TRIPLES, from_graph=pyoxigraph.DefaultGraph())
    data = rdflib.Graph(bind_namespaces="none").parse(data=text.getvalue(), format="nt")
    _, found, _ = pyshacl.validate(data, shacl_graph=shapes())
    sh = rdflib.Namespace(SH)
    for result in found.subjects(rdflib.RDF.type, sh.ValidationResult):
        value = found.value(result, sh.value)
        yield Problem(str(found.value(result, sh.resultMessage)), str(found.value(result, sh.focusNode)), "" if value is None else str(value))


def by_sparql(held: "pyoxigraph.Store") -> Iterator[Problem]:
    """The problems that the shapes' SPARQL finds, at most MOST for each constraint."""
    for message, query in checks(shapes()):
        found: Any = held.query(f"{query} LIMIT {MOST}")
        for row in found:
            value = row[1] if len(row) > 1 else None
            yield Problem(message, row[0].value, "" if value is None else value.value)


def checks(graph: "rdflib.Graph") -> Iterator[tuple[str, str]]:
    """The SPARQL of every constraint: its message and a query for the nodes that break it.

    Raises OntologyError for a constraint that it cannot translate, so that none is passed over.
    """
    import rdflib

    sh = rdflib.Namespace(SH)
    for shape, target in sorted(graph.subject_objects(sh.targetClass)):
        for part in graph.objects(shape, sh.property):
            message = str(graph.value(part, sh.message))
            path = _path(graph, graph.value(part, sh.path))
            for predicate, wanted in graph.predicate_objects(part):
                name = str(predicate).removeprefix(SH)
                if name in ("path", "message"):
                    continue
                if name not in _CONSTRAINTS:
                    raise OntologyError(f"shapes.ttl uses sh:{name}, which has no SPARQL check")
                values = list(graph.items(wanted)) if name == "in" else [wanted]
                yield message, _CONSTRAINTS[name](f"?focus a {target.n3()}", path, [value.n3() for value in values])


def _path(graph: "rdflib.Graph", path: Any) -> str:
    import rdflib

    inverse = graph.value(path, rdflib.URIRef(SH + "inversePath"))
    return f"^{inverse.n3()}" if inverse is not None else str(path.n3())


def _value(condition: str) -> Callable[[str, str, list[str]], str]:
    """A check of each value: `condition` is what offends, over ?v and the wanted terms."""
    return lambda target, path, wanted: f"SELECT ?focus ?v {{ {target} ; {path} ?v . {condition.format(', '.join(wanted))} }}"


def _least(target: str, path: str, wanted: list[str]) -> str:
    number = int(wanted[0].split('"')[1]) if '"' in wanted[0] else int(wanted[0])
    if number == 1:
        return f"SELECT ?focus {{ {target} FILTER NOT EXISTS {{ ?focus {path} ?v }} }}"
    return f"SELECT ?focus {{ {target} OPTIONAL {{ ?focus {path} ?v }} }} GROUP BY ?focus HAVING (COUNT(?v) < {number})"


def _most(target: str, path: str, wanted: list[str]) -> str:
    return f"SELECT ?focus {{ {target} ; {path} ?v }} GROUP BY ?focus HAVING (COUNT(?v) > {wanted[0]})"


def _kind(target: str, path: str, wanted: list[str]) -> str:
    test = {f"<{SH}IRI>": "isIRI", f"<{SH}Literal>": "isLiteral"}[wanted[0]]
    return f"SELECT ?focus ?v {{ {target} ; {path} ?v FILTER (!{test}(?v)) }}"


_CONSTRAINTS: Mapping[str, Callable[[str, str, list[str]], str]] = {
    "minCount": _least,
    "maxCount": _most,
    "nodeKind": _kind,
    "datatype": _value("FILTER (!isLiteral(?v) || DATATYPE(?v) != {0})"),
    "class": _value("FILTER NOT EXISTS {{ ?v a {0} }}"),
    "in": _value("FILTER (?v NOT IN ({0}))"),
    "pattern": _value("FILTER (!REGEX(STR(?v), {0}))"),
    "minLength": _value("FILTER (STRLEN(STR(?v)) < {0})"),
    "minInclusive": _value("FILTER (!COALESCE(?v >= {0}, false))"),
    "maxInclusive": _value("FILTER (!COALESCE(?v <= {0}, false))"),
    "disjoint": _value("?focus {0} ?v"),
    "lessThanOrEquals": _value("?focus {0} ?w FILTER (!COALESCE(?v <= ?w, false))"),
}

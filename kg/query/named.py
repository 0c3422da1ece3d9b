"""The named queries of `ontology/queries`: what each answers, its parameters, and the query with values put in.

A file begins with comments: what it answers, then a line `# @name kind[, optional]: meaning` for each parameter. In the query a parameter is a
block `VALUES ?name { … }` with an example, so that the file runs as it stands; a value takes the example's place as a term that the engine's own
library has written. Lines that end in `#if name` are left out when that optional parameter is not given.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kg import ontology
from kg.errors import QueryError, UnknownNameError
from kg.model import EntityType

_PARAMETER = re.compile(r"# @(\w+) (\w+)(, optional)?: (.*)")
_XSD = "http://www.w3.org/2001/XMLSchema#"


@dataclass(frozen=True)
class Parameter:
    """A parameter: `kind` is entity, paper, type, number, decimal or text."""

    name: str
    kind: str
    optional: bool
    about: str


@dataclass(frozen=True)
class Named:
    """A named query: what it answers, its parameters and its text."""

    name: str
    about: str
    parameters: tuple[Parameter, ...]
    text: str


@cache
def named() -> Mapping[str, Named]:
    """The named queries by name, in order.

    >>> named()["papers-on"].about
    'Papers that evaluate on a dataset or one of its variants, newest first.'
    """
    return {path.stem: read(path) for path in sorted((ontology.folder() / "queries").glob("*.rq"))}


def read(path: Path) -> Named:
    """The named query in a file."""
    text = path.read_text(encoding="utf-8")
    header = [line for line in text.splitlines() if line.startswith("#")]
    found = [match for line in header if (match := _PARAMETER.fullmatch(line))]
    about = " ".join(line[1:].strip() for line in header if not line.startswith("# @"))
    return Named(path.stem, about, tuple(Parameter(m[1], m[2], bool(m[3]), m[4]) for m in found), text)


def bind(query: Named, values: Mapping[str, str], find: Callable[[str, str], str]) -> str:
    """The text of a query with its parameters' values put in; `find` gives the IRI of an entity or paper from its kind and name.

    Raises QueryError for a parameter that is unknown or missing, and what `find` raises.

    >>> text = bind(named()["top"], {"type": "metric"}, lambda kind, name: "")
    >>> "VALUES ?type { <https://w3id.org/kg/ontology#Metric> }" in text
    True
    """
    known = {parameter.name: parameter for parameter in query.parameters}
    usage = f"kg query {query.name} " + " ".join(f"[--{p.name} …]" if p.optional else f"--{p.name} …" for p in query.parameters)
    for name in values:
        if name not in known:
            raise QueryError(f"{query.name} has no parameter {name!r}", hint=usage)
    text = query.text
    for name, parameter in known.items():
        if name in values:
            term = _term(parameter, values[name], find)
            text = re.sub(rf"VALUES \?{name} \{{[^{{}}]*\}}", lambda _, n=name, t=term: f"VALUES ?{n} {{ {t} }}", text)  # type: ignore[misc]
        elif parameter.optional:
            text = "".join(line for line in text.splitlines(keepends=True) if not line.rstrip().endswith(f"#if {name}"))
        else:
            raise QueryError(f"{query.name} needs --{name}: {parameter.about}", hint=usage)
    return text


def _term(parameter: Parameter, value: str, find: Callable[[str, str], str]) -> str:
    import pyoxigraph

    try:
        if parameter.kind in ("entity", "paper"):
            return str(pyoxigraph.NamedNode(find(parameter.kind, value)))
        if parameter.kind == "type":
            return str(pyoxigraph.NamedNode(f"https://w3id.org/kg/ontology#{_type(value)}"))
        if parameter.kind == "number":
            return str(pyoxigraph.Literal(int(value)))
        if parameter.kind == "decimal":
            return str(pyoxigraph.Literal(f"{float(value):.6f}", datatype=pyoxigraph.NamedNode(_XSD + "decimal")))
    except ValueError as error:
        raise QueryError(f"--{parameter.name} {value!r}: {error}", hint=f"a {parameter.kind}: {parameter.about}") from error
    return str(pyoxigraph.Literal(value))


def _type(value: str) -> EntityType:
    for member in EntityType:
        if value.lower() in (member.lower(), f"{member.lower()}s"):
            return member
    raise ValueError("one of " + ", ".join(EntityType))


def finder(folder: Path | str) -> Callable[[str, str], str]:
    """A function that finds the IRI of an entity or paper of the build in `folder` by id, label or any of its names.

    It raises UnknownNameError, with the nearest names.
    """
    import contextlib

    from kg import tables
    from kg.rdf import entity_iri, paper_iri
    from kg.rdf.stores import base_of
    from kg.show import entity_id

    def find(kind: str, name: str) -> str:
        with contextlib.closing(tables.open_build(folder)) as connection:
            base = base_of(connection)
            if kind == "entity":
                quick = connection.execute(_QUICK, {"name": name}).fetchone()
                return entity_iri(str(quick[0]) if quick else entity_id(connection, name), base)
            row = connection.execute(_PAPER, {"name": name}).fetchone()
            if not row:
                raise UnknownNameError(f"no paper is called {name!r}", hint="its id or its title, as kg find shows them")
            return paper_iri(str(row[0]), base)

    return find


_QUICK = """SELECT entity FROM (
    SELECT entity, papers, 0 AS rank FROM entities WHERE entity = $name OR label = $name
    UNION ALL SELECT entity, e.papers, 1 FROM aliases a JOIN entities e USING (entity) WHERE surface = $name
) ORDER BY rank, papers DESC, entity LIMIT 1"""

_PAPER = """SELECT paper FROM papers WHERE paper = $name OR lower(title) = lower($name) OR label = $name
    ORDER BY paper <> $name, paper LIMIT 1"""

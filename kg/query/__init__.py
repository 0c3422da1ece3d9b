"""SPARQL on a build: free queries, and the named ones of `ontology/queries`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import QueryError
from kg.query import results
from kg.query.check import check as _check
from kg.query.check import describe
from kg.query.named import named
from kg.query.results import FORMATS, answer
from kg.query.worker import ROWS, Stopped, Worker
from kg.rdf.write import prefixes

if TYPE_CHECKING:
    import pyoxigraph

__all__ = ["FORMATS", "Answer", "Stopped", "Worker", "named", "parameters", "respond", "run", "run_named", "table"]

_NUMBERS = {"integer": int, "decimal": float, "double": float, "gYear": int}


@dataclass(frozen=True)
class Answer:
    """An answer: `body` in `format`, and `form` is that of the query (select, ask, construct, describe)."""

    form: str
    format: str
    body: bytes = field(repr=False)

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of a SELECT in json: variable → text, number or truth value; what is unbound is left out."""
        found = json.loads(self.body)
        return [{name: _value(term) for name, term in row.items()} for row in found["results"]["bindings"]]

    def __bool__(self) -> bool:
        """What an ASK says, or whether there is anything in the answer."""
        found = json.loads(self.body) if self.format == "json" else {}
        return bool(found.get("boolean", found.get("results", {}).get("bindings", self.body if self.format != "json" else False)))


def _value(term: Mapping[str, Any]) -> Any:
    kind = term.get("datatype", "").rpartition("#")[2]
    if kind == "boolean":
        return term["value"] == "true"
    return _NUMBERS.get(kind, str)(term["value"]) if term["type"] == "literal" else term["value"]


def parameters(name: str) -> dict[str, str]:
    """The parameters of a named query and what each means.

    >>> parameters("papers-on")["dataset"]
    'the dataset'
    """
    if name not in named():
        raise QueryError(f"there is no query named {name!r}", hint="one of " + ", ".join(named()))
    return {parameter.name: parameter.about for parameter in named()[name].parameters}


def run_named(folder: Path | str, name: str, *, timeout: float | None = None, **values: str) -> Answer:
    """Run a named query with its parameters, in which entities and papers are named as people name them.

    Raises QueryError for a parameter that is missing or unknown, UnknownNameError for a name that the build does not hold.
    """
    from kg.query.named import bind, finder

    parameters(name)
    return run(folder, bind(named()[name], values, finder(folder)), timeout=timeout)


def table(body: bytes) -> str:
    """A JSON answer as a table for the terminal."""
    return results.table(body, prefixes())


def run(folder: Path | str, sparql: str, *, formats: tuple[str, str] = ("json", "ttl"), timeout: float | None = None, rows: int = ROWS) -> Answer:
    """Run a query on the build in `folder`. The prefixes of the graph need not be declared.

    `formats` are keys of FORMATS for a table and for a graph. With `timeout` (seconds) the query runs in a process of its own,
    which is killed when the time is up. Updates, SERVICE and FROM are refused.

    Raises QueryError when the query does not parse (its line is shown), is refused, takes too long or has more than `rows` rows.
    """
    for name in formats:
        if name not in FORMATS:
            raise QueryError(f"there is no format {name!r}", hint="one of " + ", ".join(FORMATS))
    if timeout is None:
        from kg.rdf.stores import base_in, store

        return Answer(*respond(store(folder), sparql, formats, rows=rows, terms=prefixes(base_in(folder))))
    worker = Worker(folder)
    try:
        return Answer(*worker.ask(sparql, formats, timeout=timeout, rows=rows))
    finally:
        worker.stop()


def respond(
    store: "pyoxigraph.Store", sparql: str, formats: tuple[str, str], *, rows: int = ROWS, terms: Mapping[str, str] | None = None
) -> tuple[str, str, bytes]:
    """Check a query and run it on an open store: its form, and the format and bytes of the answer.

    `formats` are keys of FORMATS for a table and for a graph; `terms` are the prefixes, those of the usual base when not given.
    Raises QueryError when it is refused, does not parse or has more than `rows` rows.
    """
    known = dict(terms or prefixes())
    form = _check(sparql, known)
    chosen = formats[form in ("construct", "describe")]
    try:
        return form, chosen, answer(store.query(sparql, prefixes=known), FORMATS[chosen], rows=rows, prefixes=known)
    except (SyntaxError, ValueError) as error:
        raise QueryError(describe(sparql, str(error), known), hint="kg query --list shows queries that run") from error
    except (OSError, RuntimeError) as error:
        raise QueryError(f"the engine could not answer: {error}") from error

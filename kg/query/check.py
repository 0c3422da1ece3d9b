"""What a query is, and whether it may run: only reading, only this graph, nothing over the network.

The engine itself makes the HTTP request of a SERVICE clause and offers no switch against it, so a query is parsed by rdflib first and its tree
searched; a plain reading of the words, in which strings, IRIs and comments are skipped, must find nothing either.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kg.errors import QueryError

_WORDS = re.compile(
    r'"""(?:\\.|"{0,2}[^"\\])*"""|\'\'\'(?:\\.|\'{0,2}[^\'\\])*\'\'\'|"(?:\\.|[^"\\\n\r])*"|\'(?:\\.|[^\'\\\n\r])*\''
    r"|<[^<>\"{}|^`\\\x00-\x20]*>|#[^\n\r]*|[?$:@][\w:.%-]*|(?P<prefix>[A-Za-z_][\w-]*):[\w:.%\\-]*|(?P<word>[A-Za-z]+)|.",
    re.DOTALL,
)
_DECLARED = re.compile(r"(?i:prefix)\s+([\w-]+):")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_PLACE = re.compile(r"(?:error )?at (\d+):(\d+): (.*)", re.DOTALL)
_REFUSED = {
    "service": "SERVICE would ask another machine; this graph is all that a query can see",
    "from": "FROM names another graph; this graph is all that a query can see",
}
_UPDATES = re.compile(r"insert|delete|load|clear|create|drop|copy|move|add|with")


def check(sparql: str, prefixes: Mapping[str, str]) -> str:
    """The form of a query: select, ask, construct or describe.

    Raises QueryError, showing the line, when it does not parse, and when it would change the graph or ask another machine.

    >>> check("SELECT ?s { ?s ?p ?o }", {})
    'select'
    >>> check("SELECT * { SERVICE <http://a.org/> { ?s ?p ?o } }", {})
    Traceback (most recent call last):
    kg.errors.QueryError: SERVICE would ask another machine; this graph is all that a query can see
      try: leave the clause out
    """
    text = _ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16) % 0x110000), sparql)
    form = _parsed(text, sparql, prefixes)
    for word in _words(text):
        if word in ("service", "from"):
            raise QueryError(_REFUSED[word], hint="leave the clause out")
    return form


def _parsed(text: str, sparql: str, prefixes: Mapping[str, str]) -> str:
    from pyparsing.exceptions import ParseBaseException
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        tree = parseQuery(text)[1]
    except (ParseBaseException, RecursionError, ValueError):
        return _by_engine(text, sparql, prefixes)
    names = {getattr(node, "name", "") for node in _nodes(tree)}
    if "ServiceGraphPattern" in names:
        raise QueryError(_REFUSED["service"], hint="leave the clause out")
    if "DatasetClause" in names or "datasetClause" in tree:
        raise QueryError(_REFUSED["from"], hint="leave the clause out")
    return str(tree.name).removesuffix("Query").lower()


def _nodes(tree: Any) -> Iterator[Any]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Mapping):
            waiting.extend(node.values())
        elif isinstance(node, list | tuple) or (hasattr(node, "__iter__") and not isinstance(node, str)):
            waiting.extend(node)


def _by_engine(text: str, sparql: str, prefixes: Mapping[str, str]) -> str:
    """A query that rdflib cannot parse: shown with the engine's message, or, when it is of SPARQL 1.2, let through if it never says SERVICE."""
    import pyoxigraph

    if "service" in text.lower():
        raise QueryError("the query does not parse, and holds the word SERVICE, which is refused", hint="leave the clause out")
    first = next((word for word in _words(text) if word not in ("prefix", "base")), "")
    if _UPDATES.fullmatch(first):
        raise QueryError(f"{first.upper()} would change the graph, which is read-only", hint="SELECT, ASK, CONSTRUCT or DESCRIBE")
    try:
        pyoxigraph.Store().query(sparql, prefixes=dict(prefixes))
    except (SyntaxError, ValueError) as error:
        raise QueryError(describe(sparql, str(error), prefixes), hint="kg query --list shows queries that run") from error
    return first


def _words(text: str) -> Iterator[str]:
    return (match["word"].lower() for match in _WORDS.finditer(text) if match["word"])


def describe(sparql: str, message: str, prefixes: Iterable[str] = ()) -> str:
    """A message of the parser with the line that it is about, and a mark under the place; a prefix that nobody declares is named.

    >>> print(describe("SELECT ?s {\\n ?s ?p }", "error at 2:7: expected a term"))
    line 2: expected a term
       ?s ?p }
            ^
    """
    match = _PLACE.search(message)
    if not match:
        return message
    line, column, what = int(match[1]), int(match[2]), match[3]
    lines = sparql.splitlines() or [""]
    text = lines[min(line, len(lines)) - 1]
    unknown = _undeclared(sparql, text, prefixes)
    said = f"the prefix {unknown}: is not declared" if unknown else what if len(what) < 200 else what[:200] + " …"
    return f"line {line}: {said}\n  {text}\n  {' ' * (column - 1)}^"


def _undeclared(sparql: str, line: str, prefixes: Iterable[str]) -> str:
    """The first prefix of a line that is neither declared in the query nor filled in; "" when there is none."""
    known = {*prefixes, *(name for name in _DECLARED.findall(sparql))}
    names = (match["prefix"] for match in _WORDS.finditer(line) if match["prefix"] is not None)
    return next((name for name in names if name not in known), "")

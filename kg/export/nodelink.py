"""Node-link JSON as networkx.node_link_graph reads it, one node or edge a line, streamed."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from kg.safe import deep

if TYPE_CHECKING:
    import duckdb


def write(connection: "duckdb.DuckDBPyConnection", path: Path) -> None:
    """The whole graph as JSON: `networkx.node_link_graph(json.load(file), edges="edges")` gives what `kg.graph.graph` gives."""
    from kg.graph import edges, nodes

    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write('{"directed": true, "multigraph": true, "graph": {"name": "kg"}, "nodes": [')
        _lines(out, ({"id": node} | attributes for node, attributes in nodes(connection)))
        out.write('], "edges": [')
        _lines(out, ({"source": s, "target": t, "key": k} | attributes for s, t, k, attributes in edges(connection)))
        out.write("]}\n")


def _lines(out: TextIO, items: Iterable[dict[str, Any]]) -> None:
    for number, item in enumerate(items):
        out.write("\n" if number == 0 else ",\n")
        out.write(json.dumps(deep(item), ensure_ascii=False))
    out.write("\n")

"""GraphML, streamed: networkx' own writer builds the whole document in memory and gives parallel edges the same id, which Gephi drops."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from kg.safe import flat, text

if TYPE_CHECKING:
    import duckdb

    from kg.frame import Frame
    from kg.graph import Edge, Node

NODE_KEYS = {
    "kind": "string", "label": "string", "aliases": "string", "title": "string", "year": "int", "venue": "string", "authors": "string",
    "doi": "string", "arxiv": "string", "openreview": "string", "acl": "string", "pmid": "string", "url": "string", "keywords": "string",
    "language": "string", "sources": "string", "expansion": "string", "also": "string", "catalogue": "boolean", "urls": "string",
    "papers": "int", "mentions": "int",
}  # fmt: skip
EDGE_KEYS = {
    "relation": "string", "confidence": "double", "evidence": "string", "paper": "string", "sentence": "int", "start": "int", "end": "int",
    "mentions": "int", "extractor": "string", "stated_by": "string",
}  # fmt: skip


def write(connection: "duckdb.DuckDBPyConnection", path: Path) -> None:
    """The whole graph as GraphML; lists are joined by "; "."""
    from kg.graph import edges, nodes

    dump(nodes(connection), edges(connection), path)


MEASURES = {
    "degree": "int", "strength": "double", "pagerank": "double", "betweenness": "double", "community": "int", "component": "int", "core": "int",
}  # fmt: skip


def write_measured(connection: "duckdb.DuckDBPyConnection", measured: "Frame", path: Path) -> None:
    """The whole graph with what kg.metrics.measure found as further node attributes."""
    from kg.graph import edges, nodes

    found = {row["node"]: {name: row[name] for name in MEASURES} for row in measured}
    dump(((node, attributes | found.get(node, {})) for node, attributes in nodes(connection)), edges(connection), path, MEASURES)


def dump(nodes: "Iterable[Node]", edges: "Iterable[Edge]", path: Path, more: Mapping[str, str] | None = None) -> None:
    """Write nodes and edges as they come. `more` names further node attributes and their GraphML types ("double", "int", "string").

    Every edge has an id of its own; its role or relation is its attribute "relation".
    """
    node_keys = NODE_KEYS | dict(more or {})
    ids = {name: f"n{number}" for number, name in enumerate(node_keys)}, {name: f"e{number}" for number, name in enumerate(EDGE_KEYS)}
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        for kind, names, keys in zip(("node", "edge"), ids, (node_keys, EDGE_KEYS), strict=True):
            for name, key in names.items():
                out.write(f'  <key id="{key}" for="{kind}" attr.name={quoteattr(name)} attr.type="{keys[name]}"/>\n')
        out.write('  <graph id="kg" edgedefault="directed">\n')
        for node, attributes in nodes:
            out.write(f"    <node id={_attribute(node)}>{_data(attributes, ids[0])}</node>\n")
        for number, (source, target, key, attributes) in enumerate(edges):
            data = _data({"relation": key} | attributes, ids[1])
            out.write(f'    <edge id="e{number}" source={_attribute(source)} target={_attribute(target)}>{data}</edge>\n')
        out.write("  </graph>\n</graphml>\n")


def _attribute(value: str) -> str:
    return quoteattr(text(value))


def _data(attributes: Mapping[str, Any], ids: Mapping[str, str]) -> str:
    return "".join(
        f'<data key="{ids[name]}">{_text(flat(value))}</data>' for name, value in attributes.items() if name in ids and value not in (None, [], "")
    )


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # A bare carriage return is read back as a line feed by every XML parser.
    return escape(str(value), {"\r": "&#13;"})

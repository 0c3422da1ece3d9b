"""Cytoscape: CX2 (Cytoscape 3.10 and NDEx) with a visual style, and the JSON of Cytoscape.js."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from kg import authors
from kg.export.gephi import degrees_of
from kg.export.graphml import EDGE_KEYS, NODE_KEYS
from kg.palette import AUTHOR, COLOURS, size
from kg.safe import deep, flat

if TYPE_CHECKING:
    import duckdb

_TYPES = {"int": "integer"}


def write_cx2(connection: "duckdb.DuckDBPyConnection", path: Path) -> None:
    """CX2: node ids are numbers, the graph's own ids are the attribute "represents"; a layout is left to Cytoscape."""
    from kg.graph import edges, nodes

    degrees = degrees_of(connection)
    numbers: dict[str, int] = {}
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for node, _ in nodes(connection):
            numbers[node] = len(numbers)
        out.write('[{"CXVersion": "2.0", "hasFragments": false},\n')
        out.write(_aspect("metaData", _meta({"nodes": len(numbers), "edges": sum(degrees.values()) // 2})) + ",\n")
        out.write(_aspect("attributeDeclarations", [_declarations()]) + ",\n")
        out.write(_aspect("networkAttributes", [{"name": "kg"}]) + ',\n{"nodes": [')
        _lines(out, ({"id": numbers[node], "v": _node(node, attributes, degrees)} for node, attributes in nodes(connection)))
        out.write(']},\n{"edges": [')
        _lines(
            out,
            (
                {"id": number, "s": numbers[source], "t": numbers[target], "v": {"interaction": key} | _flat(attributes)}
                for number, (source, target, key, attributes) in enumerate(edges(connection))
            ),
        )
        out.write("]},\n" + _aspect("visualProperties", [_style(authors.wanted(connection))]) + ",\n")
        out.write('{"status": [{"error": "", "success": true}]}]\n')


def write_cyjs(connection: "duckdb.DuckDBPyConnection", path: Path) -> None:
    """The JSON that Cytoscape.js and Cytoscape read, and networkx.cytoscape_graph."""
    from kg.graph import edges, nodes

    degrees = degrees_of(connection)
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write('{"data": [["name", "kg"]], "directed": true, "multigraph": true, "elements": {"nodes": [')
        _lines(out, ({"data": {"id": node, "value": node} | _node(node, attributes, degrees)} for node, attributes in nodes(connection)))
        out.write('], "edges": [')
        _lines(
            out,
            (
                {"data": {"id": f"e{number}", "source": source, "target": target, "key": key, "interaction": key} | _flat(attributes)}
                for number, (source, target, key, attributes) in enumerate(edges(connection))
            ),
        )
        out.write("]}}\n")


def _node(node: str, attributes: dict[str, Any], degrees: dict[str, int]) -> dict[str, Any]:
    count = degrees.get(node, 0)
    return {"represents": node, "name": attributes["label"], "degree": count, "size": size(count), **_flat(attributes)}


def _flat(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: flat(value) for name, value in attributes.items() if value not in (None, [], "")}


def _meta(counts: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {"name": "attributeDeclarations", "elementCount": 1},
        {"name": "networkAttributes", "elementCount": 1},
        {"name": "nodes", "elementCount": counts["nodes"]},
        {"name": "edges", "elementCount": counts["edges"]},
        {"name": "visualProperties", "elementCount": 1},
    ]


def _declarations() -> dict[str, Any]:
    node = {"represents": "string", "name": "string", "degree": "int", "size": "double"} | NODE_KEYS
    edge = {"interaction": "string"} | {name: kind for name, kind in EDGE_KEYS.items() if name != "relation"}
    return {
        "networkAttributes": {"name": {"d": "string"}},
        "nodes": {name: {"d": _TYPES.get(kind, kind)} for name, kind in node.items()},
        "edges": {name: {"d": _TYPES.get(kind, kind)} for name, kind in edge.items()},
    }


def _style(with_authors: bool) -> dict[str, Any]:
    colours = [{"v": kind, "vp": colour} for kind, colour in (COLOURS | ({"author": AUTHOR} if with_authors else {})).items()]
    return {
        "default": {"node": {"NODE_SHAPE": "ellipse", "NODE_LABEL_FONT_SIZE": 10}, "edge": {"EDGE_TARGET_ARROW_SHAPE": "triangle", "EDGE_WIDTH": 1}},
        "nodeMapping": {
            "NODE_LABEL": {"type": "PASSTHROUGH", "definition": {"attribute": "name", "type": "string"}},
            "NODE_BACKGROUND_COLOR": {"type": "DISCRETE", "definition": {"attribute": "kind", "type": "string", "map": colours}},
            "NODE_WIDTH": {"type": "PASSTHROUGH", "definition": {"attribute": "size", "type": "double"}},
            "NODE_HEIGHT": {"type": "PASSTHROUGH", "definition": {"attribute": "size", "type": "double"}},
        },
        "edgeMapping": {"EDGE_LABEL": {"type": "PASSTHROUGH", "definition": {"attribute": "interaction", "type": "string"}}},
    }


def _aspect(name: str, elements: list[dict[str, Any]]) -> str:
    return json.dumps({name: elements}, ensure_ascii=False)


def _lines(out: TextIO, items: Iterable[dict[str, Any]]) -> None:
    for number, item in enumerate(items):
        out.write("\n" if number == 0 else ",\n")
        out.write(json.dumps(deep(item), ensure_ascii=False))
    out.write("\n")

"""GEXF 1.3 with viz attributes, for Gephi, streamed: nodes by kind in colour and by degree in size, edges by confidence in thickness."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from kg.export.graphml import EDGE_KEYS, NODE_KEYS
from kg.palette import rgb, size
from kg.safe import flat, text

if TYPE_CHECKING:
    import duckdb

_TYPES = {"int": "integer"}
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">
  <graph mode="static" defaultedgetype="directed">
"""


def write(connection: "duckdb.DuckDBPyConnection", path: Path) -> None:
    """The whole graph as GEXF; an edge's label is its role or relation, its weight the confidence."""
    from kg.graph import edges, nodes

    degrees = degrees_of(connection)
    names = {name: key for name, key in NODE_KEYS.items() if name != "label"}, EDGE_KEYS
    ids = [{name: str(number) for number, name in enumerate(keys)} for keys in names]
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write(_HEAD)
        for kind, keys, number in zip(("node", "edge"), names, ids, strict=True):
            out.write(f'    <attributes class="{kind}">\n')
            for name, key in keys.items():
                out.write(f'      <attribute id="{number[name]}" title="{name}" type="{_TYPES.get(key, key)}"/>\n')
            out.write("    </attributes>\n")
        out.write("    <nodes>\n")
        for node, attributes in nodes(connection):
            red, green, blue = rgb(attributes["kind"])
            out.write(
                f"      <node id={_quoted(node)} label={_quoted(attributes['label'])}>{_values(attributes, ids[0])}"
                f'<viz:color r="{red}" g="{green}" b="{blue}"/><viz:size value="{size(degrees.get(node, 0))}"/></node>\n'
            )
        out.write("    </nodes>\n    <edges>\n")
        for number_of, (source, target, key, attributes) in enumerate(edges(connection)):
            weight = attributes["confidence"]
            out.write(
                f'      <edge id="{number_of}" source={_quoted(source)} target={_quoted(target)} label="{key}" weight="{weight}">'
                f'{_values({"relation": key} | attributes, ids[1])}<viz:thickness value="{round(0.5 + 1.5 * weight, 2)}"/></edge>\n'
            )
        out.write("    </edges>\n  </graph>\n</gexf>\n")


def degrees_of(connection: "duckdb.DuckDBPyConnection") -> dict[str, int]:
    """Node to its number of edges in the whole graph."""
    from kg.graph import edges

    degrees: dict[str, int] = {}
    for source, target, _, _ in edges(connection):
        degrees[source] = degrees.get(source, 0) + 1
        degrees[target] = degrees.get(target, 0) + 1
    return degrees


def _quoted(value: str) -> str:
    return quoteattr(text(value))


def _values(attributes: Mapping[str, Any], ids: Mapping[str, str]) -> str:
    given = [(ids[name], flat(value)) for name, value in attributes.items() if name in ids and value not in (None, [], "")]
    written = (str(value).lower() if isinstance(value, bool) else value for _, value in given)
    return (
        "<attvalues>"
        + "".join(f'<attvalue for="{number}" value={quoteattr(str(value))}/>' for (number, _), value in zip(given, written, strict=True))
        + "</attvalues>"
    )

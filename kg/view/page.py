"""The page itself: pyvis' Network in a template of our own, with everything it needs inside one file."""

import base64
import hashlib
import zlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kg.view.data import Data
from kg.view.layout import place
from kg.view.overview import Drawing

if TYPE_CHECKING:
    from pyvis.network import Network

ASSETS = Path(__file__).parent / "assets"


class Form(NamedTuple):
    """What a page is made of: where its data come from, and what draws."""

    source: tuple[str, ...]
    drawing: tuple[str, ...]
    is_served: bool = False

    @property
    def scripts(self) -> tuple[str, ...]:
        """The page's own scripts in the order in which they run."""
        panels = ("search", "filters", "parts", "card", "tie", "table", "save", "route", "keys", "main")
        return ("start", "inflate", "data", *self.source, "state", "look", "room", *self.drawing, *panels)


_MAP = ("graph", "place", "frame", "labels", "glow")
FILE = Form(("embedded", "names"), _MAP)
"""A file that draws a part of what it holds."""
WHOLE = Form(("embedded", "names"), ("whole",))
"""A file that draws all of it, by WebGL."""
SERVED = Form(("served",), _MAP, is_served=True)
"""A page that asks a server for what it does not draw at first."""
PLAIN = 1_000_000
"""Data of up to so many characters stays readable; more is compressed. Compressors differ in their bytes between machines, plain text does not."""
_COMPACT: dict[str, Any] = {"sort_keys": True, "ensure_ascii": False, "separators": (",", ":")}
_OPTIONS = {
    "physics": {
        "enabled": False,
        "solver": "forceAtlas2Based",
        "forceAtlas2Based": {"gravitationalConstant": -60, "springLength": 70, "avoidOverlap": 0.4, "damping": 0.6},
        "stabilization": False,
    },
    "interaction": {"hover": True, "multiselect": True, "hideEdgesOnDrag": True, "hideEdgesOnZoom": True, "tooltipDelay": 10_000_000},
    "nodes": {"shape": "dot", "borderWidth": 1, "borderWidthSelected": 1, "chosen": False},
    "edges": {"smooth": False, "chosen": False, "hoverWidth": 0, "selectionWidth": 0},
    "layout": {"improvedLayout": False, "randomSeed": 7},
}


def network(data: Data, drawing: Drawing) -> "Network":
    """A pyvis Network of the drawing, with positions; nodes and edges go in directly, because pyvis' add_edge looks through all edges each time."""
    from pyvis.network import Network

    graph = data.graph
    entities = len(graph["entities"]["id"])
    sizes = node_sizes(graph, drawing)
    spots = place(drawing.nodes, drawing.weights, sizes)
    net = Network(height="100%", directed=True, cdn_resources="in_line")
    net.options = _OPTIONS
    labels = graph["entities"]["label"] + graph["papers"]["label"]
    groups = graph["types"]
    net.nodes = [
        {
            "id": node,
            "label": shorten(labels[node]),
            "group": groups[graph["entities"]["type"][node]] if node < entities else "Paper",
            "x": spots[node][0],
            "y": spots[node][1],
            "size": sizes[node],
        }
        for node in drawing.nodes
    ]
    net.node_ids = list(drawing.nodes)
    net.node_map = {node["id"]: node for node in net.nodes}
    net.edges = [{"from": tie.source, "to": tie.target, "kind": tie.kind, "papers": tie.papers} for tie in drawing.ties]
    return net


def shorten(text: str, most: int = 60) -> str:
    """A label of bounded length on one line.

    >>> shorten("a" * 100, 5)
    'aaaa…'
    """
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1] + "…"


def node_sizes(graph: dict[str, Any], drawing: Drawing) -> dict[int, float]:
    """The radius of each drawn node: it grows with the root of an entity's papers or a paper's entities. The page's script has the same rule."""
    papers, entities = graph["entities"]["papers"], len(graph["entities"]["id"])
    linked = Counter(graph["links"]["paper"])
    return {
        node: round(min(14.0, 6 + 1.3 * linked[node - entities] ** 0.5) if node >= entities else min(34.0, 5 + 2.4 * max(1, papers[node]) ** 0.5), 1)
        for node in drawing.nodes
    }


def render(data: Data, drawing: Drawing, *, title: str, facts: dict[str, Any], form: Form = FILE) -> str:
    """The page as text. `facts` are counts that it shows; a served page carries the first part of its data alone."""
    net = network(data, drawing)
    net.set_template_dir(str(ASSETS))
    net.templateEnv.autoescape = True
    net.templateEnv.policies["json.dumps_kwargs"] = _COMPACT
    parts = {"graph": data.graph} if form.is_served else {"graph": data.graph, "text": data.text}
    packed = [(name, *_packed(part)) for name, part in parts.items()]
    libraries = [_asset("vendor/sigma.js")] if form is WHOLE else [_bundle()]
    if any(kind == "application/deflate" for _, kind, _ in packed):
        libraries.append(_asset("vendor/fflate.js"))
    scripts = [*libraries, "".join(_asset(f"js/{name}.js") for name in form.scripts)]
    style = _asset("style.css")
    net.templateEnv.globals.update(
        title=_printable(title),
        scripts=scripts,
        licences=_asset("vendor/LICENSES.txt") if len(libraries) > 1 or form is WHOLE else "",
        style=style,
        policy=policy(scripts, [style], connects=form.is_served),
        facts={**facts, "overview": drawing.is_overview, "communities": drawing.communities},
        packed=packed,
    )
    return str(net.generate_html())


def _packed(part: dict[str, Any]) -> tuple[str, str]:
    """The media type and text of a part of the data."""
    from jinja2.utils import htmlsafe_json_dumps

    text = str(htmlsafe_json_dumps(part, **_COMPACT))
    if len(text) <= PLAIN:
        return "application/json", text
    return "application/deflate", base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode()


def policy(scripts: list[str], styles: list[str], *, connects: bool = False) -> str:
    """A Content-Security-Policy that lets these very scripts and styles run, and nothing be fetched unless the page `connects` to its own server."""
    return "; ".join(
        (
            *(["connect-src 'self'"] if connects else []),
            "default-src 'none'",
            "script-src " + " ".join(map(_hash, scripts)),
            "style-src " + " ".join(map(_hash, styles)),
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _bundle() -> str:
    """vis-network as pyvis carries it."""
    import pyvis

    text = (Path(pyvis.__file__).parent / "lib" / "vis-9.1.2" / "vis-network.min.js").read_text(encoding="utf-8")
    return text.replace("</script", "<\\/script")


def _printable(text: str) -> str:
    return "".join(c for c in text if c.isprintable())

"""The interactive page of a build: one file that works offline, made from the tables alone."""

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.view.select import LIMIT, Wanted

if TYPE_CHECKING:
    import duckdb

__all__ = ["LIMIT", "Wanted", "frame", "html", "write"]


def html(connection: "duckdb.DuckDBPyConnection", *, title: str = "Knowledge graph", whole: bool = False, **wanted: Any) -> str:
    """The page of a build, as text: an overview that brings in neighbours on demand, or with `whole` every node at once, drawn by WebGL.

    `wanted` are the fields of `kg.view.Wanted`: top, around, hops, types, min_papers, limit. The same tables give the same text.

    Raises UnknownNameError when the build does not hold the name that the page is to lie around.
    """
    from kg.view import data, overview, page, select, spread

    entities, papers = select.choose(connection, Wanted(**wanted))
    data.prepare(connection)
    found = data.read(connection)
    found.graph["redirects"] = data.redirects(connection)
    facts = {
        "held": {"entities": entities, "papers": papers, "links": len(found.graph["links"]["paper"])},
        "whole": data.totals(connection),
        "counts": data.counts(connection),
    }
    if whole:
        found.graph["spots"] = spread.spread(connection, found.graph)
        return page.render(found, overview.Drawing([], []), title=title, facts=facts, form=page.WHOLE)
    return page.render(found, overview.opening(connection, found.graph), title=title, facts=facts)


def write(connection: "duckdb.DuckDBPyConnection", path: Path | str, **options: Any) -> Path:
    """Write the page of a build to a file, as UTF-8, replacing it only when the new one is complete; `options` are those of `html`."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(html(connection, **options).encode("utf-8", "replace"))
        os.chmod(draft, 0o644)
        os.replace(draft, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
    return target


def frame(page: str, *, height: int = 640) -> str:
    """A page as an iframe for a notebook's cell, `height` pixels high: the page travels inside, cut off from the notebook around it.

    >>> frame("<p>&</p>", height=300)[:52]
    '<iframe style="width:100%;height:300px;border:0" tit'
    """
    from html import escape

    style = f"width:100%;height:{height}px;border:0"
    rights = "allow-scripts allow-downloads allow-popups"
    return f'<iframe style="{style}" title="Knowledge graph" sandbox="{rights}" srcdoc="{escape(page)}"></iframe>'

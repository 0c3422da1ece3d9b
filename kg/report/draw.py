"""Charts as SVG, drawn by matplotlib without pyplot: the same bytes for the same numbers, colours that a page may theme, text that stays text."""

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from kg.errors import KgError
from kg.model import Role
from kg.palette import COLOURS
from kg.safe import text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, SOFT, LINE, LIGHT = "#1b2130", "#4d5666", "#e3e5ea", "#fefefe"
THEMED = {INK: "ink", SOFT: "soft", LINE: "line", **{colour: kind for kind, colour in COLOURS.items()}}
"""The colours that a page replaces by its variables of these names."""

ROLE_ALPHA = dict(zip(Role, (1.0, 0.78, 0.56, 0.38, 0.22), strict=True))
_SVG = "http://www.w3.org/2000/svg"
_LABEL, _HEAD = 27, 22
_NARROW, _WIDE = 440, 980


class Drawing:
    """A figure of a width and height in pixels, whose marks carry tooltips."""

    def __init__(self, name: str, width: float, height: float) -> None:
        try:
            from matplotlib.figure import Figure
        except ImportError as error:
            raise KgError("charts are drawn by matplotlib, which is not installed", hint="pip install 'kg[report]'") from error

        self.name, self.width, self.height = name, width, height
        self.figure = Figure(figsize=(width / 72, height / 72), dpi=72)
        self.tips: list[str] = []

    def axes(self, left: float, top: float, width: float, height: float) -> "Axes":
        """Axes without frame, at a place in pixels from the upper left corner."""
        axes = self.figure.add_axes((left / self.width, 1 - (top + height) / self.height, width / self.width, height / self.height))
        axes.set_facecolor("none")
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.tick_params(length=0, colors=SOFT, labelsize=11)
        return axes

    def tip(self, mark: Any, words: str) -> None:
        """Words that a browser shows over a mark."""
        mark.set_gid(f"{self.name}-tip-{len(self.tips)}")
        self.tips.append(words)

    def svg(self, about: str) -> str:
        """The drawing as an SVG element, without a fixed size; `about` is read out by screen readers."""
        out = io.StringIO()
        with style(self.name):
            self.figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
        ElementTree.register_namespace("", _SVG)
        ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
        root = ElementTree.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", out.getvalue()))  # noqa: S314 - matplotlib's own output
        for part in root.findall(f"{{{_SVG}}}metadata") + root.findall(f"{{{_SVG}}}defs/{{{_SVG}}}style/.."):
            root.remove(part)
        for name in ("width", "height", "version"):
            root.attrib.pop(name, None)
        root.set("role", "img")
        root.set("aria-label", text(about))
        for node in root.iter(f"{{{_SVG}}}g"):
            if (node.get("id") or "").startswith(f"{self.name}-tip-"):
                title = ElementTree.Element(f"{{{_SVG}}}title")
                title.text = text(self.tips[int(str(node.attrib.pop("id")).rpartition("-")[2])])
                node.insert(0, title)
            else:
                node.attrib.pop("id", None)
        return ElementTree.tostring(root, encoding="unicode")


@contextmanager
def style(name: str) -> Iterator[None]:
    """The settings of matplotlib for one drawing. The salt makes ids differ between the drawings of a page and agree between two runs."""
    import matplotlib as mpl

    settings: Any = {
        "svg.hashsalt": name,
        "svg.fonttype": "none",
        "text.parse_math": False,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "text.color": INK,
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        # Glyphs that the font for measuring lacks are drawn by the reader's browser all the same.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


def themed(svg: str) -> str:
    """A drawing with its colours as CSS variables.

    >>> themed('style="fill: #0072b2"')
    'style="fill: var(--dataset)"'
    """
    for colour, name in THEMED.items():
        svg = svg.replace(colour, f"var(--{name})")
    return svg.replace(LIGHT, "#ffffff")


def cut(label: str, length: int = _LABEL) -> str:
    """A label in at most `length` characters."""
    label = " ".join(text(label).split())
    return label if len(label) <= length else label[: length - 1].rstrip() + "…"


def role_bars(name: str, kind: str, rows: Sequence[dict[str, Any]]) -> Drawing:
    """Bars of papers by role, in shades of the type's colour; each row has label, papers and a count for each role."""
    width, step = _NARROW, 25
    left = _room([row["label"] for row in rows], _LABEL)
    drawing = Drawing(name, width, 14 + step * len(rows))
    with style(name):
        axes = drawing.axes(left, 4, width - left - 52, step * len(rows))
        most = max((row["papers"] for row in rows), default=1)
        for place, row in enumerate(rows):
            begin = 0
            for role in Role:
                if row[role]:
                    bar = axes.barh(place, row[role], left=begin, height=0.66, color=COLOURS[kind], alpha=ROLE_ALPHA[role], linewidth=0)[0]
                    drawing.tip(bar, f"{row['label']}: {role} in {row[role]:,} of {row['papers']:,} papers")
                    begin += row[role]
            axes.text(begin + most * 0.02, place, f"{row['papers']:,}", va="center", fontsize=11, color=SOFT)
        _named(axes, [row["label"] for row in rows], most)
    return drawing


def bars(name: str, kind: str, rows: Sequence[tuple[str, float, str, str]], *, length: int = 60, right: int = 90) -> Drawing:
    """Plain bars; each row is label, value, the value as shown, and the words of its tooltip; `right` is the room for the longest of those shown."""
    step, width = 27, _WIDE
    left = _room([row[0] for row in rows], length)
    drawing = Drawing(name, width, 14 + step * len(rows))
    with style(name):
        axes = drawing.axes(left, 4, width - left - right, step * len(rows))
        most = max((row[1] for row in rows), default=1)
        for place, (_, value, shown, tip) in enumerate(rows):
            bar = axes.barh(place, value, height=0.62, color=COLOURS[kind], alpha=0.85, linewidth=0)[0]
            drawing.tip(bar, tip)
            axes.text(value + most * 0.012, place, shown, va="center", fontsize=11, color=SOFT)
        _named(axes, [row[0] for row in rows], most, length)
    return drawing


def _room(labels: Sequence[str], length: int) -> float:
    """The width, in pixels, that labels at the left of a chart take."""
    return 20 + 6.8 * max((len(cut(label, length)) for label in labels), default=0)


def _named(axes: "Axes", labels: Sequence[str], most: float, length: int = _LABEL) -> None:
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlim(0, most or 1)
    axes.set_xticks([])
    axes.set_yticks(range(len(labels)), [cut(label, length) for label in labels])
    axes.tick_params(axis="y", pad=8, colors=INK, labelsize=12)


def columns(name: str, kind: str, rows: Sequence[tuple[str, float, str]], *, every: int = 1, height: int = 170) -> Drawing:
    """Upright bars; each row is its label below, the value and the words of its tooltip; every n-th label is shown."""
    drawing = Drawing(name, _NARROW, height)
    with style(name):
        axes = drawing.axes(46, 12, _NARROW - 56, height - 42)
        most = max((row[1] for row in rows), default=1) or 1
        for place, (_, value, tip) in enumerate(rows):
            bar = axes.bar(place, value, width=0.78, color=COLOURS[kind], alpha=0.85, linewidth=0)[0]
            drawing.tip(bar, tip)
        axes.set_xlim(-0.6, len(rows) - 0.4)
        axes.set_ylim(0, most * 1.05)
        axes.set_xticks(range(0, len(rows), every), [row[0] for row in rows[::every]])
        _counts(axes)
    return drawing


def _counts(axes: "Axes") -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.yaxis.grid(True, color=LINE, linewidth=1)
    axes.set_axisbelow(True)


def heat(name: str, rows: Sequence[str], heads: Sequence[str], counts: Sequence[Sequence[int]]) -> Drawing:
    """A matrix of counts as shaded squares."""
    from matplotlib.patches import Rectangle

    left, top = _room(rows, _LABEL), 18 + 0.62 * _room(heads, _HEAD)
    cell = min(52.0, (_WIDE - left - 0.7 * top) / len(heads))
    drawing = Drawing(name, max(_WIDE, left + cell * len(heads) + 0.9 * top), top + 0.82 * cell * len(rows) + 8)
    # One paper is never the full colour: a matrix of ones has nothing to stand out.
    most = max(4, *(count for row in counts for count in row))
    with style(name):
        axes = drawing.axes(left, top, cell * len(heads), 0.82 * cell * len(rows))
        for y, row in enumerate(counts):
            for x, count in enumerate(row):
                alpha = 0.10 + 0.90 * (count / most) ** 0.6 if count else 1.0
                square = Rectangle(
                    (x + 0.04, y + 0.04), 0.92, 0.92, facecolor=COLOURS["dataset"] if count else LINE, alpha=alpha if count else 0.45, linewidth=0
                )
                axes.add_patch(square)
                drawing.tip(square, f"{rows[y]} with {heads[x]}: {count:,} paper{'' if count == 1 else 's'}")
                if count:
                    axes.text(x + 0.5, y + 0.53, f"{count:,}", ha="center", va="center", fontsize=11, color=LIGHT if alpha > 0.6 else INK)
        axes.set_xlim(0, len(heads))
        axes.set_ylim(len(rows), 0)
        axes.xaxis.tick_top()
        axes.set_xticks([x + 0.5 for x in range(len(heads))], [cut(head, _HEAD) for head in heads], rotation=42, ha="left", rotation_mode="anchor")
        axes.set_yticks([y + 0.5 for y in range(len(rows))], [cut(row) for row in rows])
        axes.tick_params(axis="x", colors=INK, labelsize=12, pad=3)
        axes.tick_params(axis="y", colors=INK, labelsize=12, pad=8)
    return drawing


def sparks(name: str, lines: Sequence[tuple[str, str, Sequence[tuple[int, float, int]]]]) -> Drawing:
    """Small lines of shares by year, one below the other; each line is label, kind and (year, share, papers)."""
    step, width = 46, _NARROW
    left = _room([line[0] for line in lines], _LABEL)
    drawing = Drawing(name, width, 28 + step * len(lines))
    with style(name):
        for place, (label, kind, points) in enumerate(lines):
            axes = drawing.axes(left, 8 + step * place, width - left - 62, step - 14)
            xs, ys = [point[0] for point in points], [point[1] for point in points]
            axes.fill_between(xs, ys, color=COLOURS[kind], alpha=0.18, linewidth=0)
            (line,) = axes.plot(xs, ys, color=COLOURS[kind], linewidth=2, solid_capstyle="round")
            drawing.tip(line, f"{label}: " + ", ".join(f"{year} {share:.1%}" for year, share, _ in points))
            axes.plot(xs[-1:], ys[-1:], marker="o", markersize=5, color=COLOURS[kind], linewidth=0)
            axes.set_xlim(min(xs) - 0.1, max(xs) + 0.1)
            axes.set_ylim(0, max(ys) * 1.12 or 1)
            axes.set_yticks([])
            last = place == len(lines) - 1
            axes.set_xticks([min(xs), max(xs)] if last else [], [str(min(xs)), str(max(xs))] if last else [])
            axes.text(-0.03, 0.4, cut(label), transform=axes.transAxes, ha="right", va="center", fontsize=12, color=INK)
            axes.text(1.03, 0.4, f"{ys[-1]:.1%}", transform=axes.transAxes, ha="left", va="center", fontsize=11, color=SOFT)
            axes.axhline(0, color=LINE, linewidth=1, zorder=0)
    return drawing

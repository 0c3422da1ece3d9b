"""Colours by kind of node. Okabe and Ito's palette, which people with any colour vision can tell apart; the page of the graph has the same."""

import math

COLOURS = {
    "paper": "#8a93a3",
    "method": "#009e73",
    "task": "#e69f00",
    "model": "#d55e00",
    "dataset": "#0072b2",
    "metric": "#cc79a7",
}
AUTHOR = "#56b4e9"
"""Of authors, where a build has them as nodes."""


def rgb(kind: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255.

    >>> rgb("dataset")
    (0, 114, 178)
    """
    code = COLOURS.get(kind, AUTHOR)
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def size(degree: int) -> float:
    """A diameter for a node of a degree, so that the area follows the degree.

    >>> size(0), size(9), size(10_000)
    (4.0, 10.0, 60.0)
    """
    return round(min(60.0, 4 + 2 * math.sqrt(degree)), 1)

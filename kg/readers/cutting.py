"""Cuts a text that comes in pieces at the marks with which its records begin (BibTeX, RIS), in the memory of one record."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kg.readers import limits

_NEAR = 200
"""No mark is longer (characters)."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of the text that begins with `mark`, "" for what stands before the first.

    One beyond the bound is `long`: only how it begins is kept.
    """

    line: int
    mark: str
    text: str
    long: bool = False


def cut(pieces: Iterator[str], mark: re.Pattern[str]) -> Iterator[Cut]:
    r"""The stretches of a text, each from one mark to the next.

    Args:
        pieces: the text, in order.
        mark: matches where a record begins; its first group is kept as the cut's `mark`.

    >>> [(part.line, part.mark, part.text) for part in cut(iter(["% x\n@a{1", "}\n", "@b{2}"]), re.compile(r"^@(\w)", re.MULTILINE))]
    [(1, '', '% x\n'), (2, 'a', '@a{1}\n'), (3, 'b', '@b{2}')]

    """
    buffer, line, begun, name, seen, start = "", 1, 1, "", 0, ""
    for piece in _ended(pieces):
        buffer += piece or ""
        at = 0
        # The last characters may be the beginning of a mark.
        for match in mark.finditer(buffer, seen, len(buffer) if piece is None else max(seen, len(buffer) - _NEAR)):
            if match.start() or start:
                yield Cut(begun, name, start or buffer[at : match.start()], bool(start))
            line += buffer.count("\n", at, match.start())
            at, name, begun, start = match.start(), match[1], line, ""
        buffer = buffer[at:]
        if len(buffer) > limits.RECORD:
            start = start or buffer[:_NEAR]
            line += buffer.count("\n", 0, len(buffer) - 2 * _NEAR)
            buffer = buffer[-2 * _NEAR :]
        seen = max(1 if name or start else 0, len(buffer) - 2 * _NEAR)
    if buffer:
        yield Cut(begun, name, start or buffer, bool(start))


def _ended(pieces: Iterator[str]) -> Iterator[str | None]:
    yield from pieces
    yield None

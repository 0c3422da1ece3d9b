"""CSV and TSV: the delimiter and the columns are guessed, or said with --map."""

import csv
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, count

from kg.readers import limits
from kg.readers.base import Fault, Fields, Input, Look, Reader, Record
from kg.readers.json_generic import field_of, guessed, pick

_DELIMITERS = "\t,;|"
_LONG = 120
"""A column whose cells are longer than this on average (characters) holds abstracts."""


def lines(pieces: Iterable[str]) -> Iterator[str]:
    """The lines of a text that comes in pieces, line ends of any kind kept; of a line beyond the bound only its beginning, still beyond it."""
    left, long = "", False
    for piece in pieces:
        left += piece
        if "\n" not in piece and "\r" not in piece and len(left) <= limits.CELL:
            continue
        end = "\r" if "\r" in left and "\n" not in left else "\n"
        *whole, left = left.split(end)
        for part in whole[long:]:
            yield part + end
        long = long and not whole
        if len(left) > limits.CELL:
            if not long:
                yield left
            left, long = "", True
    if left and not long:
        yield left


class _Lines:
    """The lines of a table for a csv.reader. `row` has those of the row that is being read, to begin again behind the first when it fails."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self._fresh = lines(pieces)
        self._again: deque[str] = deque()
        self.row: list[str] = []

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._fresh)
        self.row.append(line)
        if len(line) > limits.CELL:
            raise csv.Error(f"a line of more than {limits.CELL >> 20} MiB")
        return line

    def back(self) -> None:
        """Give the lines of the row again, but the first."""
        self._again.extendleft(reversed(self.row[1:]))


def _header(text: str) -> tuple[str, list[str]]:
    """The delimiter under which the first row names the most known columns, and that row."""
    best: tuple[tuple[int, int], str, list[str]] = ((-1, 0), ",", [])
    for delimiter in _DELIMITERS:
        try:
            row = next(csv.reader(lines([text]), delimiter=delimiter), [])
        except csv.Error:
            continue
        known = {field for field, _ in guessed(tuple(cell.strip() for cell in row))} if len(row) < 500 else set()
        score = (len(known & {"title", "abstract"}) * 10 + len(known), len(row))
        if score > best[0]:
            best = (score, delimiter, row)
    return best[1], best[2]


def header(text: str) -> list[str]:
    """The cells of the first row."""
    return [cell.strip() for cell in _header(text)[1]]


def sniff(look: Look) -> bool:
    if look.suffix in (".csv", ".tsv", ".tab"):
        return bool(look.text)
    first = look.text.lstrip().split("\n", 1)[0]
    if len(first) > 2000 or not look.text:
        return False
    row = header(look.text.lstrip())
    # Without the ending, only names that are known exactly: prose may start with "Title: this, and that".
    known = {field_of(cell) for cell in row} - {""}
    return len(row) > 1 and all(len(cell) < 40 for cell in row) and bool(known & {"title", "abstract"}) and 2 * len(known) >= min(len(row), 4)


def read(source: Input) -> Iterator[Record | Fault]:
    """The rows below the header, numbered from 1."""
    csv.field_size_limit(limits.CELL)
    rows = _rows(source)
    _, header = next(rows, (0, []))
    if isinstance(header, Fault):
        yield header
        return
    names = [cell.strip() for cell in header]
    columns = tuple(name or f"column {index}" for index, name in enumerate(names, 1))
    first = next(rows, None)
    known = {field for field, _ in guessed(columns, tuple(source.mapping.items()))}
    if not known & {"title", "abstract"}:
        sample = first[1] if first and not isinstance(first[1], Fault) else []
        yield from _unnamed(header, [] if first is None else [first], rows, sample)
        return
    for number, row in chain([first] if first else [], rows):
        # Tables put one behind the other repeat their header.
        if isinstance(row, Fault) or [cell.strip() for cell in row] != names:
            yield _record(number, row, columns, source)


def _rows(source: Input) -> Iterator[tuple[int, list[str] | Fault]]:
    found = _Lines(source.text())
    reader = csv.reader(found, delimiter=_header(Look(source.name, source.head).text)[0])
    for number in count():
        found.row = []
        try:
            row = next(reader, None)
            if len(found.row) > 1 and sum(line.count('"') for line in found.row) % 2:
                raise csv.Error("a quote that is never closed")
        except csv.Error as error:
            found.back()
            yield number, Fault(str(number), f"not a row of a table: {error}", "check the quotes near it", found.row[0][:80])
            continue
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield number, row


def _record(number: int, row: list[str] | Fault, columns: tuple[str, ...], source: Input) -> Record | Fault:
    if isinstance(row, Fault):
        return row
    if len(row) > len(columns) and any(cell.strip() for cell in row[len(columns) :]):
        return Fault(str(number), f"{len(row)} cells where the header has {len(columns)}", "put cells that hold the delimiter in quotes", row[0][:80])
    return Record(str(number), pick(dict(zip(columns, row, strict=False)), source.mapping))


def _unnamed(
    header: list[str], begun: list[tuple[int, list[str] | Fault]], rows: Iterator[tuple[int, list[str] | Fault]], sample: list[str]
) -> Iterator[Record | Fault]:
    """A table without a header that says anything: its column of long texts is taken as the abstracts, the longest of the others as titles."""
    row = sample or header
    lengths = [len(cell) for cell in row]
    longest = max(range(len(row)), key=lengths.__getitem__, default=-1)
    if longest < 0 or lengths[longest] < _LONG:
        names = ", ".join(cell.strip()[:30] for cell in header[:12])
        yield Fault("", f"no column is known as title or abstract: {names}", "say which: --map abstract=COLUMN --map title=COLUMN")
        return
    others = [index for index in range(len(row)) if index != longest and 10 < lengths[index] <= 300 and not row[index].startswith("http")]
    title = max(others, key=lengths.__getitem__, default=-1)
    if longest < len(header) and len(header[longest]) >= _LONG:
        yield Record("0", _by_place(header, longest, title))
    for number, cells in chain(begun, rows):
        yield cells if isinstance(cells, Fault) else Record(str(number), _by_place(cells, longest, title))


def _by_place(row: list[str], abstract: int, title: int) -> Fields:
    return {"title": row[title] if 0 <= title < len(row) else "", "abstract": row[abstract] if abstract < len(row) else ""}


READER = Reader(
    "table",
    "CSV and TSV with any sensible column names (else --map abstract=COLUMN)",
    (".csv", ".tsv", ".tab"),
    sniff,
    read,
    'Title,Authors,Year,Abstract\n"Small Nets","Ray, A.; Lee, B.",2024,"We propose …"\n',
)

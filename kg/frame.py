"""A small table: what questions to a build answer with. It turns into pandas, Arrow or CSV where one of those is wanted."""

import csv
import html
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kg.errors import KgError
from kg.safe import cell

if TYPE_CHECKING:
    import duckdb
    import pandas
    import pyarrow

_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Frame:
    """Named columns and rows.

    >>> frame = Frame(("name", "papers"), (("GSM8K", 3), ("MATH", 2)))
    >>> len(frame), frame.column("papers"), next(iter(frame))
    (2, [3, 2], {'name': 'GSM8K', 'papers': 3})
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, connection: "duckdb.DuckDBPyConnection", query: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> "Frame":
        """The rows of a query."""
        found = connection.execute(query, parameters)
        return cls(tuple(column[0] for column in found.description or ()), tuple(found.fetchall()))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def column(self, name: str) -> list[Any]:
        """The values of one column."""
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def head(self, count: int) -> "Frame":
        """The first rows."""
        return Frame(self.columns, self.rows[:count])

    def where(self, name: str, value: Any) -> "Frame":
        """The rows that have a value in a column."""
        place = self.columns.index(name)
        return Frame(self.columns, tuple(row for row in self.rows if row[place] == value))

    def csv(self) -> str:
        """As CSV with a header; lists are joined by "; ", cells that a spreadsheet would run as formulas are defused."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([cell(value) for value in row] for row in self.rows)
        return out.getvalue()

    def pandas(self) -> "pandas.DataFrame":
        """As a pandas.DataFrame. Raises KgError when pandas is not installed."""
        try:
            import pandas as pd
        except ImportError as error:
            raise KgError("pandas is not installed", hint="pip install 'kg[tables]'") from error
        return pd.DataFrame.from_records(list(self.rows), columns=list(self.columns))

    def arrow(self) -> "pyarrow.Table":
        """As a pyarrow.Table. Raises KgError when pyarrow is not installed."""
        try:
            import pyarrow as pa
        except ImportError as error:
            raise KgError("pyarrow is not installed", hint="pip install 'kg[tables]'") from error
        return pa.table({name: self.column(name) for name in self.columns})

    def text(self, width: int = 48) -> str:
        """As aligned text for a terminal; cells longer than `width` characters are cut."""
        cells = [[_short(cell(value), width) for value in row] for row in [self.columns, *self.rows]]
        widths = [max((len(row[place]) for row in cells), default=0) for place in range(len(self.columns))]
        numeric = [all(isinstance(row[place], int | float | None) for row in self.rows) for place in range(len(self.columns))]
        return "\n".join(
            "  ".join(text.rjust(size) if right else text.ljust(size) for text, size, right in zip(row, widths, numeric, strict=True)).rstrip()
            for row in cells
        )

    def _repr_html_(self) -> str:
        """For notebooks."""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell(value)))}</td>" for value in row) + "</tr>" for row in self.rows[:_SHOWN])
        more = f"<p>{len(self.rows) - _SHOWN:,} more rows</p>" if len(self.rows) > _SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _short(value: Any, width: int) -> str:
    shown = f"{value:.4g}" if isinstance(value, float) else str(value)
    return shown if len(shown) <= width else shown[: width - 1] + "…"

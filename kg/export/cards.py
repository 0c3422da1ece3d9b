"""Cards as JSON lines: the format of the gold files, plus ids, confidence and evidence."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from kg.safe import deep

if TYPE_CHECKING:
    import duckdb


def write(connection: "duckdb.DuckDBPyConnection", path: Path) -> None:
    """One line a paper, in the order of their ids."""
    from kg.cards import from_build

    with path.open("w", encoding="utf-8", newline="\n") as out:
        for card in from_build(connection):
            out.write(json.dumps(deep(card), ensure_ascii=False) + "\n")

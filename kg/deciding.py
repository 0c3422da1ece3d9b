"""Recording a decision, with checks against a build."""

from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import UnknownNameError
from kg.nearest import nearest
from kg.resolve import decisions
from kg.resolve.decisions import Decision
from kg.surface import key

if TYPE_CHECKING:
    import duckdb


def decide(folder: Path, file: Path | None, decision: Decision) -> tuple[Path, bool]:
    """Check a decision against the build in `folder` and add it to `file` (the build's own file when None); returns the file and whether it was new.

    Raises UnknownNameError with the nearest names when the build holds no such entity or paper, OntologyError when the decision lacks something or
    contradicts the file.
    """
    from kg import tables

    decision = decisions.check(decision)
    with tables.open_build(folder) as connection:
        for name in filter(None, (decision.a, decision.b)):
            _check_entity(connection, name)
        if decision.paper:
            _check_paper(connection, decision.paper)
        path = file or Path(tables.meta(connection).get("decisions") or decisions.FILE)
    return path, decisions.append(path, decision)


def _check_entity(connection: "duckdb.DuckDBPyConnection", name: str) -> None:
    names = {
        row[0]
        for row in connection.execute(
            "SELECT entity FROM entities UNION SELECT label FROM entities UNION SELECT surface FROM aliases UNION SELECT old FROM redirects"
            " UNION SELECT expansion FROM entities"
        ).fetchall()
    }
    if name not in names and key(name) not in {key(known) for known in names}:
        raise UnknownNameError(
            f"no entity is called {name!r}",
            hint=nearest(name, names),
        )


def _check_paper(connection: "duckdb.DuckDBPyConnection", paper: str) -> None:
    if not connection.execute("SELECT 1 FROM papers WHERE paper = ?", [paper]).fetchall():
        papers = {row[0] for row in connection.execute("SELECT paper FROM papers").fetchall()}
        raise UnknownNameError(
            f"no paper has the id {paper!r}",
            hint=nearest(paper, papers, "papers.csv has the ids"),
        )

"""The whole graph of a build, answered in parts: what a page asks for while somebody walks through it."""

import base64
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import QueryError
from kg.model import Role
from kg.tables import database, open_build
from kg.view import data, names, overview, page
from kg.view.filters import Filters
from kg.view.select import Wanted, choose

if TYPE_CHECKING:
    import duckdb

LINKS = 300
"""The most links of each role that an answer lists of a node."""
ROWS = 400
"""The most relations, results and companions that an answer lists of a node."""
NODES = 200
"""The most nodes that a question may name, or an answer find."""
MEMORY = "2GB"
"""The most memory that the tables take; more lies on disk."""

_IDS = """CREATE TEMP TABLE page_ids AS
SELECT id, n AS node, 0 AS rank FROM page_entities UNION ALL SELECT old, n, 1 FROM redirects JOIN view_entities ON entity = new
UNION ALL SELECT 'paper:' || id, $size + n, 2 FROM page_papers UNION ALL SELECT id, $size + n, 3 FROM page_papers"""
_AMONG = "IN (SELECT unnest(CAST({} AS INTEGER[])))"
_OF_NODE = "FROM page_links l JOIN page_papers p ON p.n = l.paper WHERE {passes} AND {end} = ?"
_LINKS = f"SELECT l.n {_OF_NODE} QUALIFY row_number() OVER (PARTITION BY l.role ORDER BY l.confidence DESC, l.n) <= ?"
_TOGETHER = f"""SELECT a.entity, b.entity, count(*) AS papers, count(*) OVER (PARTITION BY a.entity)
FROM page_links a JOIN page_papers p ON p.n = a.paper JOIN page_links b ON b.paper = a.paper AND b.entity <> a.entity
WHERE a.entity {_AMONG.format("?")} AND {{a}} AND {{b}} GROUP BY a.entity, b.entity
QUALIFY row_number() OVER (PARTITION BY a.entity ORDER BY papers DESC, b.entity) <= ? ORDER BY a.entity, papers DESC, b.entity"""
_RELATIONS = f"""SELECT DISTINCT n FROM (SELECT n, confidence, unnest([head, tail]) AS node FROM page_relations) WHERE node {_AMONG.format("?")}
QUALIFY row_number() OVER (PARTITION BY node ORDER BY confidence DESC, n) <= ?"""
_SHARED = """SELECT n FROM page_links WHERE entity = $node AND paper IN (SELECT paper FROM page_links WHERE entity = $other)
ORDER BY confidence DESC, n LIMIT $most"""
_STRONGEST = """SELECT l.entity FROM page_links l JOIN page_papers p ON p.n = l.paper JOIN page_entities e ON e.n = l.entity
WHERE {passes} AND {shown} GROUP BY l.entity ORDER BY count(*) DESC, l.entity LIMIT ?"""
_CHOSEN = {table: f"(SELECT * FROM page_{table} WHERE n {_AMONG.format('$' + table)})" for table in ("links", "relations", "results")}
_ENDS = {
    "entities": """SELECT entity FROM {links} UNION SELECT unnest([head, tail]) FROM {relations}
        UNION SELECT unnest([subject, metric, dataset, comparator]) FROM {results}""",
    "papers": "SELECT paper FROM {links} UNION SELECT paper FROM {relations} UNION SELECT paper FROM {results}",
    "sentences": "SELECT sentence FROM {links} UNION SELECT sentence FROM {relations} UNION SELECT sentence FROM {results}",
}


class Live:
    """The graph of the build in a folder, to be asked by several threads. A copy: the build can be renewed meanwhile. `close` ends it."""

    def __init__(self, folder: Path | str, *, title: str = "Knowledge graph") -> None:
        self._lock = threading.Lock()
        self._connection = _copied(folder)
        self.size: int = self._one("SELECT count(*) FROM page_entities")
        self.papers: int = self._one("SELECT count(*) FROM page_papers")
        self._connection.execute(_IDS, {"size": self.size})
        self._connection.execute("USE memory")
        self._connection.execute("DETACH build")
        names.prepare(self._connection, self.size)
        self.page = self._drawn(title)
        """The page that asks, as text."""

    def close(self) -> None:
        """Let go of the tables."""
        self._connection.close()

    def ask(self, what: str, asked: Mapping[str, str]) -> bytes:
        """The answer to a question of the page, as JSON: `what` is a key of QUESTIONS, `asked` its parameters.

        Rows of the graph stand under `graph` and `text`, as in `kg.view.data.read`. Raises QueryError when a parameter is missing or wrong.
        """
        import duckdb
        import orjson

        try:
            with self._lock:
                return orjson.dumps(QUESTIONS[what](self, asked))
        except KeyError as error:
            raise QueryError(f"{what}: the parameter {error.args[0]} is missing", hint="docs/view.md lists the questions") from error
        except (ValueError, duckdb.ConversionException, duckdb.OutOfRangeException) as error:
            raise QueryError(f"{what}: {str(error).splitlines()[0]}", hint="docs/view.md lists the questions") from error

    def _drawn(self, title: str) -> str:
        whole = {"entities": self.size, "papers": self.papers, "links": self._one("SELECT count(*) FROM page_links")}
        if self.size + self.papers <= overview.WHOLE:
            found = data.read(self._connection)
            drawing = overview.opening(self._connection, found.graph)
        else:
            drawn = min(overview.STRONGEST, self.size)
            found = data.read(self._connection, {"entities": range(drawn)})
            drawing = overview.strongest(self._connection, found.graph, drawn)
        facts = {"held": whole, "whole": whole, "counts": data.counts(self._connection)}
        return page.render(found, drawing, title=title, facts=facts, form=page.SERVED)

    def _one(self, query: str, values: Sequence[Any] = ()) -> int:
        return int(self._connection.execute(query, values).fetchall()[0][0])

    def _list(self, query: str, values: Any = ()) -> list[int]:
        return [row[0] for row in self._connection.execute(query, values).fetchall()]

    def _rows(self, nodes: Iterable[int], *, with_ends: bool = False, **rows: Sequence[int]) -> dict[str, Any]:
        """The columns of nodes, and of rows of links, relations and results; `with_ends` with the nodes and sentences that these name."""
        chosen = {table: list(rows.get(table, ())) for table in _CHOSEN}
        numbers: dict[str, set[int]] = {"entities": set(), "papers": set(), "sentences": set()}
        for node in nodes:
            numbers["papers" if node >= self.size else "entities"].add(node - self.size if node >= self.size else node)
        if with_ends:
            for table, query in _ENDS.items():
                numbers[table] |= {number for number in self._list(query.format(**_CHOSEN), chosen) if number is not None}
        found = data.read(self._connection, chosen | {table: sorted(values) for table, values in numbers.items()})
        return {"graph": found.graph, "text": found.text}

    def _together(self, entities: Sequence[int], filters: Filters) -> tuple[dict[int, list[tuple[int, int]]], dict[int, int]]:
        """With which entities each of some shares papers, and in how many, most first; and how many such entities there are."""
        found: dict[int, list[tuple[int, int]]] = {entity: [] for entity in entities}
        totals = dict.fromkeys(entities, 0)
        query = _TOGETHER.format(a=filters.of_links("a", "p"), b=filters.of_links("b", "p"))
        for entity, other, papers, total in self._connection.execute(query, [list(entities), ROWS]).fetchall() if entities else ():
            found[entity].append((other, papers))
            totals[entity] = total
        return found, totals

    def seek(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """`id`: the node that an id means, None when there is none."""
        found = self._list("SELECT node FROM page_ids WHERE id = ? ORDER BY rank, node LIMIT 1", [asked["id"]])
        return {"node": found[0], **self._rows(found)} if found else {"node": None}

    def search(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """`q`, `limit`: the nodes whose names hold a text, best first, with the alias that each was found by."""
        hits = names.find(self._connection, asked["q"][:NODES], self.size, max(0, min(NODES, int(asked["limit"]))))
        return {"hits": [{"n": node, "name": alias or None} for node, alias in hits], **self._rows(node for node, _ in hits)}

    def meet(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """`nodes`: what it takes to draw these: the links of papers, the relations of entities and what these occur with."""
        nodes = [int(node) for node in asked["nodes"].split(",")][:NODES]
        entities = [node for node in nodes if node < self.size]
        papers = [node - self.size for node in nodes if node >= self.size]
        together, _ = self._together(entities, Filters())
        links = self._list(f"SELECT n FROM page_links WHERE paper {_AMONG.format('?')}", [papers])
        return {"together": list(together.items()), **self._rows(nodes, links=links, relations=self._list(_RELATIONS, [entities, ROWS]))}

    def reach(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """`node` and the filters: what its card shows, and the counts of all that there is."""
        node, filters = int(asked["node"]), Filters.read(asked)
        is_paper = node >= self.size
        entities = [] if is_paper else [node]
        number, end = (node - self.size, "l.paper") if is_paper else (node, "l.entity")
        passes = {"passes": filters.of_links("l", "p"), "end": end}
        roles = dict(self._connection.execute(f"SELECT l.role, count(*) {_OF_NODE} GROUP BY l.role".format(**passes), [number]).fetchall())
        sides = "paper" if is_paper else "subject, metric, dataset, comparator"
        results = self._list(f"SELECT n FROM page_results WHERE ? IN ({sides}) ORDER BY n", [number])
        together, others = self._together(entities, filters)
        tally = {
            "links": self._one(f"SELECT count(*) FROM page_links l WHERE {end} = ?", [number]),
            "roles": [roles.get(role.value, 0) for role in Role],
            "relations": self._one("SELECT count(*) FROM page_relations WHERE [head, tail] && CAST(? AS INTEGER[])", [entities]),
            "results": len(results),
            "together": others.get(node, 0),
        }
        near = together.get(node, [])
        kin = self._list(
            f"SELECT unnest(coalesce(parents, []) || coalesce(variants, [])) FROM page_entities WHERE n {_AMONG.format('?')}", [entities]
        )
        found = self._rows(
            [node, *kin, *(other for other, _ in near)],
            with_ends=True,
            links=self._list(_LINKS.format(**passes), [number, LINKS]),
            relations=self._list(_RELATIONS, [entities, ROWS]),
            results=results[:ROWS],
        )
        return {"tally": tally, "together": near, **found}

    def shared(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """`node`, `other`: the links of an entity in the papers that name another as well."""
        links = self._list(_SHARED, {"node": int(asked["node"]), "other": int(asked["other"]), "most": LINKS})
        return {"links": links, **self._rows([], with_ends=True, links=links)}

    def strongest(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """`count` and the filters: the entities with most links that pass."""
        filters = Filters.read(asked)
        query = _STRONGEST.format(passes=filters.of_links("l", "p"), shown=filters.of_entities("e"))
        nodes = self._list(query, [max(0, min(NODES, int(asked["count"])))])
        return {"nodes": nodes, **self._rows(nodes)}

    def passing(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """The filters: a bit for each node, whether it passes, eight a byte, in base64. The rules are those of the page in a file."""
        import numpy as np

        filters = Filters.read(asked)
        passes = np.zeros(self.size + self.papers, dtype=bool)
        linked = "SELECT DISTINCT {0} FROM page_links l JOIN page_papers p ON p.n = l.paper WHERE " + filters.of_links("l", "p")
        shown = set(self._list(f"SELECT n FROM page_entities e WHERE {filters.of_entities('e')}"))
        passes[[entity for entity in self._list(linked.format("l.entity")) if entity in shown]] = True
        if "Paper" not in filters.types:
            bare = f"SELECT n FROM page_papers p WHERE {filters.of_papers('p')} AND n NOT IN (SELECT paper FROM page_links)"
            passes[[self.size + paper for paper in self._list(linked.format("l.paper")) + self._list(bare)]] = True
        families = self._connection.execute("SELECT n, variants FROM page_entities WHERE papers = 0 AND variants IS NOT NULL").fetchall()
        waiting = [(family, variants) for family, variants in families if family in shown]
        while risen := [family for family, variants in waiting if not passes[family] and passes[variants].any()]:
            passes[risen] = True
        return {"passes": base64.b64encode(np.packbits(passes).tobytes()).decode()}


QUESTIONS: dict[str, Callable[[Live, Mapping[str, str]], dict[str, Any]]] = {
    question.__name__: question for question in (Live.seek, Live.search, Live.meet, Live.reach, Live.shared, Live.strongest, Live.passing)
}
"""What can be asked."""


def _copied(folder: Path | str) -> "duckdb.DuckDBPyConnection":
    """A connection to a database in memory, with the build attached as `build` and the tables of its whole graph prepared."""
    import duckdb

    open_build(folder).close()
    connection = duckdb.connect(":memory:", config={"memory_limit": MEMORY, "preserve_insertion_order": "false"})
    connection.execute("SET enable_progress_bar = false")
    path = str(database(folder)).replace("'", "''")
    connection.execute(f"ATTACH '{path}' AS build (READ_ONLY)")
    connection.execute("USE build")
    choose(connection, Wanted(limit=2**31 - 1))
    data.prepare(connection)
    return connection

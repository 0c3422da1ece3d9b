"""What a page knows: the chosen papers, entities, links, relations and results as columns, small enough to travel inside the file."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from kg.model import EntityType, RelationKind, Role

if TYPE_CHECKING:
    import duckdb

Columns = dict[str, list[Any]]

_WEB = re.compile(r"https?://[^\s<>\"'\\]+", re.IGNORECASE)
_LISTED = "SELECT c.{0} AS entity, list(DISTINCT v.n ORDER BY v.n) AS ns FROM families c JOIN view_entities v ON v.entity = c.{1} GROUP BY c.{0}"
_TABLES = {
    "sentences": """SELECT s.n, coalesce(t.text, '') AS text FROM view_sentences s LEFT JOIN sentences t USING (paper, sentence)""",
    "entities": f"""SELECT v.n, e.entity AS id, e.label, e.type, e.papers, e.expansion, e.urls, a.aliases, p.ns AS parents, c.ns AS variants
        FROM view_entities v JOIN entities e USING (entity)
        LEFT JOIN (SELECT entity, list(surface ORDER BY papers DESC, surface) AS aliases FROM aliases GROUP BY entity) a USING (entity)
        LEFT JOIN ({_LISTED.format("entity", "parent")}) p USING (entity) LEFT JOIN ({_LISTED.format("parent", "entity")}) c USING (entity)""",
    "papers": """SELECT n, paper AS id, label, title, authors, year, venue, doi, arxiv, openreview, acl, pmid, url
        FROM view_papers v JOIN papers USING (paper)""",
    "links": """SELECT CAST(row_number() OVER (ORDER BY p.n, e.n) - 1 AS INTEGER) AS n, p.n AS paper, e.n AS entity, l.role,
        CAST(round_even(100 * l.confidence, 0) AS INTEGER) AS confidence, s.n AS sentence, l.inner_start AS "from", l.inner_end AS "to"
        FROM links l JOIN view_papers p USING (paper) JOIN view_entities e USING (entity) LEFT JOIN view_sentences s USING (paper, sentence)""",
    "relations": """SELECT CAST(row_number() OVER (ORDER BY h.n, t.n, r.relation, p.n, s.n) - 1 AS INTEGER) AS n, h.n AS head, r.relation AS kind,
        t.n AS tail, p.n AS paper, s.n AS sentence, CAST(round_even(100 * r.confidence, 0) AS INTEGER) AS confidence
        FROM relations r JOIN view_papers p USING (paper) JOIN view_entities h ON h.entity = r.head JOIN view_entities t ON t.entity = r.tail
        LEFT JOIN view_sentences s USING (paper, sentence)""",
    "results": """SELECT CAST(row_number() OVER (ORDER BY p.n, r.n) - 1 AS INTEGER) AS n, p.n AS paper, r.value, r.kind, a.n AS subject,
        b.n AS metric, c.n AS dataset, d.n AS comparator, r.subject_text, r.metric_text, r.dataset_text, r.comparator_text, s.n AS sentence
        FROM results r JOIN view_papers p USING (paper) LEFT JOIN view_entities a ON a.entity = r.subject
        LEFT JOIN view_entities b ON b.entity = r.metric LEFT JOIN view_entities c ON c.entity = r.dataset
        LEFT JOIN view_entities d ON d.entity = r.comparator LEFT JOIN view_sentences s USING (paper, sentence)""",
}
_SENTENCES = """CREATE OR REPLACE TEMP TABLE view_sentences AS
SELECT paper, sentence, CAST(row_number() OVER (ORDER BY n, sentence) - 1 AS INTEGER) AS n FROM (
    SELECT paper, sentence FROM links JOIN view_entities USING (entity)
    UNION SELECT paper, sentence FROM relations UNION SELECT paper, sentence FROM results
) JOIN (SELECT paper, n FROM view_papers) USING (paper)"""


class Data(NamedTuple):
    """The two parts of a page's data: `graph` is needed to draw, `text` when a card opens."""

    graph: dict[str, Any]
    text: dict[str, Any]


def prepare(connection: "duckdb.DuckDBPyConnection") -> None:
    """Make the temporary tables `page_…` of what `kg.view.select.choose` chose.

    Entities and papers are numbered by rank, all other rows by these two, from 0; everything names everything else by number. Confidences are whole
    per cent; `from` and `to` count code points in the sentence.
    """
    connection.execute(_SENTENCES)
    for name, query in _TABLES.items():
        connection.execute(f"CREATE OR REPLACE TEMP TABLE page_{name} AS {query} ORDER BY n")


def totals(connection: "duckdb.DuckDBPyConnection") -> dict[str, int]:
    """How many entities, papers and links the build has."""
    return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in ("entities", "papers", "links")}


def counts(connection: "duckdb.DuckDBPyConnection") -> dict[str, Any]:
    """What the filters of a page show: entities by type, links by role, papers by year, and how many stated relations there are."""
    by = {"types": ("type", "entities"), "roles": ("role", "links"), "years": ("year", "papers")}
    found: dict[str, Any] = {
        name: dict(connection.execute(f"SELECT {column}, count(*) FROM page_{table} WHERE {column} IS NOT NULL GROUP BY ALL ORDER BY ALL").fetchall())
        for name, (column, table) in by.items()
    }
    found["relations"] = connection.execute("SELECT count(*) FROM page_relations").fetchall()[0][0]
    return found


def read(connection: "duckdb.DuckDBPyConnection", rows: Mapping[str, Sequence[int]] | None = None) -> Data:
    """The columns of the prepared tables: of all rows, or of the rows with the numbers given for each table, which then stand in a column `n`."""
    tables = {name: _columns(connection, name, None if rows is None else rows.get(name, ())) for name in _TABLES}
    entities, papers, links, relations = (tables[name] for name in ("entities", "papers", "links", "relations"))
    types, roles, kinds = ([member.value for member in enum] for enum in (EntityType, Role, RelationKind))
    for table, column, values in ((entities, "type", types), (links, "role", roles), (relations, "kind", kinds)):
        number = {value: place for place, value in enumerate(values)}
        table[column] = [number[value] for value in table[column]]
    entities["urls"] = [_web(urls or ()) for urls in entities["urls"]]
    entities["aliases"] = [
        [alias for alias in aliases or () if alias != label] for aliases, label in zip(entities["aliases"], entities["label"], strict=True)
    ]
    for column in ("parents", "variants"):
        entities[column] = [numbers or [] for numbers in entities[column]]
    text = {
        "sentences": tables["sentences"],
        "links": _split(links, "sentence", "from", "to"),
        "relations": _split(relations, "sentence"),
        "results": tables["results"],
        "papers": {"urls": _addresses(papers), **_split(papers, "authors", "venue")},
    }
    graph = {"types": types, "roles": roles, "kinds": kinds, "entities": entities, "papers": papers, "links": links, "relations": relations}
    return Data(graph, text)


def redirects(connection: "duckdb.DuckDBPyConnection") -> dict[str, int]:
    """Ids that a merge has replaced, and the entity that each leads to."""
    return dict(connection.execute("SELECT old, n FROM redirects JOIN view_entities ON entity = new ORDER BY old").fetchall())


def _columns(connection: "duckdb.DuckDBPyConnection", name: str, numbers: Sequence[int] | None) -> Columns:
    chosen = "" if numbers is None else "WHERE n IN (SELECT unnest(CAST(? AS INTEGER[])))"
    cursor = connection.execute(f"SELECT * FROM page_{name} {chosen} ORDER BY n", [] if numbers is None else [list(numbers)])
    names = [column[0] for column in cursor.description or ()]
    values = list(zip(*cursor.fetchall(), strict=True)) or [()] * len(names)
    return {column: list(cells) for column, cells in zip(names, values, strict=True) if numbers is not None or column != "n"}


def _split(table: Columns, *names: str) -> Columns:
    """Some columns, taken away from a table; the number of the row stays in both."""
    return {name: table.pop(name) for name in names} | ({"n": table["n"]} if "n" in table else {})


def _web(urls: Any) -> list[str]:
    """Those of the addresses that lead to the web; a `javascript:` or `data:` link never reaches the page."""
    return [url for url in urls if url and _WEB.fullmatch(url)]


def _addresses(papers: Columns) -> list[list[str]]:
    """The web addresses of each paper, its own first; takes the identifying columns away."""
    templates = {
        "doi": "https://doi.org/{}",
        "arxiv": "https://arxiv.org/abs/{}",
        "openreview": "https://openreview.net/forum?id={}",
        "acl": "https://aclanthology.org/{}",
        "pmid": "https://pubmed.ncbi.nlm.nih.gov/{}/",
    }
    from urllib.parse import quote

    found = [_web([url]) for url in papers.pop("url")]
    for name, template in templates.items():
        for urls, value in zip(found, papers.pop(name), strict=True):
            urls.extend(_web([template.format(quote(value, safe="/.:;()-_"))] if value else []))
    return [list(dict.fromkeys(urls)) for urls in found]

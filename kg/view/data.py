"""What a page knows: the chosen papers, entities, links, relations and results as columns, small enough to travel inside the file."""

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from kg.model import EntityType, RelationKind, Role

if TYPE_CHECKING:
    import duckdb

Columns = dict[str, list[Any]]

_WEB = re.compile(r"https?://[^\s<>\"'\\]+", re.IGNORECASE)
_ENTITIES = """SELECT e.entity AS id, e.label, e.type, e.papers, e.expansion, e.urls, a.aliases, f.parents
FROM view_entities v JOIN entities e USING (entity)
LEFT JOIN (SELECT entity, list(surface ORDER BY papers DESC, surface) AS aliases FROM aliases GROUP BY entity) a USING (entity)
LEFT JOIN (
    SELECT c.entity, list(DISTINCT p.n ORDER BY p.n) AS parents FROM families c JOIN view_entities p ON p.entity = c.parent GROUP BY c.entity
) f
    USING (entity)
ORDER BY v.n"""
_PAPERS = """SELECT paper AS id, label, title, authors, year, venue, doi, arxiv, openreview, acl, pmid, url
FROM view_papers v JOIN papers USING (paper) ORDER BY v.n"""
_SENTENCES = """CREATE OR REPLACE TEMP TABLE view_sentences AS
SELECT paper, sentence, CAST(row_number() OVER (ORDER BY n, sentence) - 1 AS INTEGER) AS s FROM (
    SELECT paper, sentence FROM links JOIN view_entities USING (entity)
    UNION SELECT paper, sentence FROM relations UNION SELECT paper, sentence FROM results
) JOIN view_papers USING (paper)"""
_LINKS = """SELECT p.n AS paper, e.n AS entity, l.role, l.confidence, s.s AS sentence, l.inner_start AS "from", l.inner_end AS "to"
FROM links l JOIN view_papers p USING (paper) JOIN view_entities e USING (entity)
LEFT JOIN view_sentences s USING (paper, sentence) ORDER BY p.n, e.n"""
_RELATIONS = """SELECT h.n AS head, r.relation AS kind, t.n AS tail, p.n AS paper, s.s AS sentence, r.confidence
FROM relations r JOIN view_papers p USING (paper) JOIN view_entities h ON h.entity = r.head JOIN view_entities t ON t.entity = r.tail
LEFT JOIN view_sentences s USING (paper, sentence) ORDER BY h.n, t.n, kind, p.n"""
_RESULTS = """SELECT p.n AS paper, r.value, r.kind, a.n AS subject, b.n AS metric, c.n AS dataset, d.n AS comparator,
    r.subject_text, r.metric_text, r.dataset_text, r.comparator_text, s.s AS sentence
FROM results r JOIN view_papers p USING (paper) LEFT JOIN view_entities a ON a.entity = r.subject LEFT JOIN view_entities b ON b.entity = r.metric
LEFT JOIN view_entities c ON c.entity = r.dataset LEFT JOIN view_entities d ON d.entity = r.comparator
LEFT JOIN view_sentences s USING (paper, sentence) ORDER BY p.n, r.n"""


class Data(NamedTuple):
    """The two parts of a page's data: `graph` is needed to open it, `text` when the first card opens."""

    graph: dict[str, Any]
    text: dict[str, Any]


def read(connection: "duckdb.DuckDBPyConnection") -> Data:
    """The data of what `kg.view.select.choose` chose. Entities and papers are numbered by rank; everything else names them by number.

    Confidences are whole per cent; `from` and `to` count code points in the sentence.
    """
    connection.execute(_SENTENCES)
    entities, papers, links = (_columns(connection, query) for query in (_ENTITIES, _PAPERS, _LINKS))
    relations, results = (_columns(connection, query) for query in (_RELATIONS, _RESULTS))
    sentences = connection.execute("SELECT t.text FROM view_sentences v LEFT JOIN sentences t USING (paper, sentence) ORDER BY v.s").fetchall()
    types, roles, kinds = ([member.value for member in enum] for enum in (EntityType, Role, RelationKind))
    for table, column, values in ((entities, "type", types), (links, "role", roles), (relations, "kind", kinds)):
        table[column] = [values.index(value) for value in table[column]]
    for table in (links, relations):
        table["confidence"] = [round(100 * value) for value in table["confidence"]]
    entities["urls"] = [_web(urls or ()) for urls in entities["urls"]]
    entities["aliases"] = [
        [alias for alias in aliases or () if alias != label] for aliases, label in zip(entities["aliases"], entities["label"], strict=True)
    ]
    entities["parents"] = [parents or [] for parents in entities["parents"]]
    text = {
        "sentences": [text or "" for (text,) in sentences],
        "links": {name: links.pop(name) for name in ("sentence", "from", "to")},
        "relations": {"sentence": relations.pop("sentence")},
        "results": results,
        "papers": {"authors": papers.pop("authors"), "venue": papers.pop("venue"), "urls": _addresses(papers)},
    }
    redirects = connection.execute("SELECT old, n FROM redirects JOIN view_entities ON entity = new ORDER BY old").fetchall()
    graph = {"types": types, "roles": roles, "kinds": kinds, "entities": entities, "papers": papers, "links": links, "relations": relations}
    return Data({**graph, "redirects": dict(redirects)}, text)


def _columns(connection: "duckdb.DuckDBPyConnection", query: str) -> Columns:
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description or ()]
    rows = cursor.fetchall()
    return {name: [row[index] for row in rows] for index, name in enumerate(names)}


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

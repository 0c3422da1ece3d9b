"""The tables of a build as CSV: UTF-8, a header, one record a line, lists joined by "; "."""

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from kg.authors import AUTHORS, WRITTEN
from kg.safe import cell

if TYPE_CHECKING:
    import duckdb

_BATCH = 10_000

PAPERS = """
SELECT p.paper, p.label, p.title, p.year, p.venue, p.authors, p.doi, p.arxiv, p.openreview, p.acl, p.pmid, p.url, p.code, p.keywords, p.language,
    (SELECT list(s.source || '#' || s.record ORDER BY s.source, s.record) FROM places s WHERE s.paper = p.paper) AS places,
    coalesce(n.entities, 0) AS entities, n.proposed
FROM papers p LEFT JOIN (
    SELECT l.paper, count(*) AS entities, list(e.label ORDER BY l.start, e.label) FILTER (l.role = 'proposed') AS proposed
    FROM links l JOIN entities e USING (entity) GROUP BY l.paper
) n USING (paper) ORDER BY p.paper
"""

ENTITIES = """
SELECT e.entity, e.label, e.type, e.also, e.expansion, a.aliases, f.families, e.catalogue, e.urls, e.papers, e.mentions
FROM entities e
LEFT JOIN (SELECT entity, list(surface ORDER BY papers DESC, surface) AS aliases FROM aliases GROUP BY entity) a USING (entity)
LEFT JOIN (SELECT entity, list(DISTINCT parent ORDER BY parent) AS families FROM families GROUP BY entity) f USING (entity)
ORDER BY e.entity
"""

LINKS = """
SELECT l.paper, l.entity, e.label, e.type, l.role, l.confidence, l.mentions, l.start, l."end", l.sentence, t.text AS evidence, l.extractor
FROM links l JOIN entities e USING (entity) LEFT JOIN sentences t ON t.paper = l.paper AND t.sentence = l.sentence ORDER BY l.paper, l.entity
"""

RELATIONS = """
SELECT r.head, h.label AS head_label, r.relation, r.tail, t.label AS tail_label, r.paper, r.confidence, r.sentence, s.text AS evidence, r.extractor
FROM relations r JOIN entities h ON h.entity = r.head JOIN entities t ON t.entity = r.tail
LEFT JOIN sentences s ON s.paper = r.paper AND s.sentence = r.sentence ORDER BY r.head, r.relation, r.tail, r.paper
"""

RESULTS = """
SELECT r.paper, r.n, coalesce(s.label, r.subject_text) AS subject, coalesce(m.label, r.metric_text) AS metric,
    coalesce(d.label, r.dataset_text) AS dataset, coalesce(c.label, r.comparator_text) AS comparator, r.value, r.kind, r.low, r.high, r.before,
    r.unit, r.higher_is_better,
    r.subject AS subject_id, r.metric AS metric_id, r.dataset AS dataset_id, r.comparator AS comparator_id, r.start, r."end",
    r.confidence, t.text AS evidence, r.extractor
FROM results r LEFT JOIN entities s ON s.entity = r.subject LEFT JOIN entities m ON m.entity = r.metric
LEFT JOIN entities d ON d.entity = r.dataset LEFT JOIN entities c ON c.entity = r.comparator
LEFT JOIN sentences t ON t.paper = r.paper AND t.sentence = r.sentence ORDER BY r.paper, r.n
"""

MERGES = "SELECT entity, surface_a, surface_b, reason, paper FROM merges ORDER BY ALL"


_AUTHORS = f"""
SELECT author, label, aliases, papers, w.paper_ids FROM (
    {AUTHORS}
) JOIN (SELECT author, list(DISTINCT paper ORDER BY paper) AS paper_ids FROM ({WRITTEN}) GROUP BY author) w USING (author) ORDER BY author
"""

TABLES = {"papers": PAPERS, "entities": ENTITIES, "links": LINKS, "relations": RELATIONS, "results": RESULTS, "merges": MERGES, "authors": _AUTHORS}


def write(connection: "duckdb.DuckDBPyConnection", path: Path, *, table: str) -> None:
    """One of TABLES as CSV. `start` and `end` count code points in the paper's raw text; a place is file#record.

    In results, the columns ending in _id are empty where the text names something that is no entity.
    """
    dump(connection, TABLES[table], path)


def dump(connection: "duckdb.DuckDBPyConnection", query: str, path: Path) -> None:
    """Any query's rows as CSV, read in batches."""
    with connection.cursor() as cursor, path.open("w", encoding="utf-8", newline="") as out:
        cursor.execute(query)
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([column[0] for column in cursor.description or ()])
        while batch := cursor.fetchmany(_BATCH):
            writer.writerows([cell(value) for value in row] for row in batch)

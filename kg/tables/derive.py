"""Links, relations, results and counts from the found rows and their resolved entities, as set operations."""

from typing import TYPE_CHECKING

from kg.model import Role

if TYPE_CHECKING:
    import duckdb

_STRENGTH = "CASE {0} " + " ".join(f"WHEN '{role}' THEN {rank}" for rank, role in enumerate(Role)) + " END"

LINKS = f"""
INSERT INTO links
WITH linked AS (
    SELECT r.paper, r.entity, f.k, f.role, f.confidence, f.extractor FROM resolved r JOIN found f USING (paper, k)
), strongest AS (
    SELECT paper, entity, arg_min(role, {_STRENGTH.format("role")} * 1000000 + k) AS role, max(confidence) AS confidence,
        arg_min(extractor, (-confidence, k)) AS extractor
    FROM linked GROUP BY paper, entity
), seen AS (
    SELECT r.paper, r.entity, m.start, m."end", m.sentence, m.inner_start, m.inner_end, m.score, t.start = 0 AND p.title <> '' AS in_title
    FROM resolved r JOIN mentions m USING (paper, k) JOIN sentences t ON t.paper = r.paper AND t.sentence = m.sentence
    JOIN papers p ON p.paper = r.paper
), evidence AS (
    SELECT paper, entity, count(DISTINCT (start, "end")) AS mentions,
        arg_min({{'sentence': sentence, 'start': start, 'end': "end", 'inner_start': inner_start, 'inner_end': inner_end}},
            (in_title, -score, start, "end")) AS best
    FROM seen GROUP BY paper, entity
)
SELECT s.paper, s.entity, s.role, s.confidence, s.extractor, e.mentions, e.best.sentence, e.best.start, e.best."end", e.best.inner_start,
    e.best.inner_end
FROM strongest s JOIN evidence e USING (paper, entity) ORDER BY s.paper, s.entity
"""

RELATIONS = """
INSERT INTO relations
SELECT f.paper, h.entity, f.relation, t.entity, max(f.confidence), arg_min(f.extractor, (-f.confidence, f.sentence)),
    arg_min(f.sentence, (-f.confidence, f.sentence))
FROM found_relations f
JOIN resolved h ON h.paper = f.paper AND h.k = f.head
JOIN resolved t ON t.paper = f.paper AND t.k = f.tail
WHERE h.entity <> t.entity
GROUP BY f.paper, h.entity, f.relation, t.entity ORDER BY ALL
"""

RESULTS = """
INSERT INTO results
SELECT f.paper, f.n, f.value, f.kind, f.low, f.high, f.before, f.unit, f.higher_is_better, s.entity, m.entity, d.entity, c.entity,
    f.subject_text, f.metric_text, f.dataset_text, f.comparator_text, f.sentence, f.start, f."end", f.confidence, f.extractor
FROM found_results f
LEFT JOIN resolved s ON s.paper = f.paper AND s.k = f.subject
LEFT JOIN resolved m ON m.paper = f.paper AND m.k = f.metric
LEFT JOIN resolved d ON d.paper = f.paper AND d.k = f.dataset
LEFT JOIN resolved c ON c.paper = f.paper AND c.k = f.comparator
ORDER BY f.paper, f.n
"""

_COUNTS = """
UPDATE entities SET papers = coalesce(n.papers, 0), mentions = coalesce(n.mentions, 0)
FROM (SELECT e.entity, count(l.paper) AS papers, sum(l.mentions) AS mentions FROM entities e LEFT JOIN links l USING (entity) GROUP BY e.entity) n
WHERE n.entity = entities.entity
"""

_COOCCURRENCES = """
INSERT INTO cooccurrences
SELECT a.entity, b.entity, count(*) AS papers FROM links a JOIN links b ON a.paper = b.paper AND a.entity < b.entity
GROUP BY ALL HAVING count(*) >= ? ORDER BY ALL
"""

LABELS = """
UPDATE papers SET label = coalesce(nullif(n.label, ''), papers.paper)
FROM (
    SELECT p.paper, CASE
        WHEN p.title <> '' THEN first(t.text)
        ELSE coalesce(string_agg(e.label, ', ' ORDER BY l.start) FILTER (l.role = 'proposed'),
            array_to_string(string_split(first(t.text), ' ')[1:8], ' ') || ' …')
    END AS label
    FROM papers p LEFT JOIN sentences t ON t.paper = p.paper AND t.sentence = 0
    LEFT JOIN links l ON l.paper = p.paper LEFT JOIN entities e ON e.entity = l.entity
    GROUP BY p.paper, p.title
) n WHERE n.paper = papers.paper
"""


def derive(connection: "duckdb.DuckDBPyConnection", *, min_cooccurrences: int = 1) -> None:
    """Fill links, relations, results, co-occurrences, counts and paper labels from `resolved` and the found layer.

    A paper's role for an entity is the strongest that any of its joined names has; the evidence is the best-scored mention outside the title.
    Pairs of entities are counted from `min_cooccurrences` common papers on.
    """
    for table in ("links", "relations", "results", "cooccurrences"):
        connection.execute(f"DELETE FROM {table}")
    for statement in (LINKS, RELATIONS, RESULTS, _COUNTS, LABELS):
        connection.execute(statement)
    connection.execute(_COOCCURRENCES, [min_cooccurrences])

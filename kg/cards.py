"""Cards: one JSON object a paper, in the format of the gold files, plus entity ids, confidence and evidence."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kg.model import Card, Mention

if TYPE_CHECKING:
    import duckdb

CardObject = dict[str, Any]


def from_card(card: Card) -> CardObject:
    """The card of one extracted paper, names as the paper has them.

    The order of keys is that of the gold files: id, title, entities, relations, results.
    """
    names = [entity.name for entity in card.entities]
    return {
        "id": card.paper.id,
        "title": card.paper.title,
        "entities": [
            {
                "name": entity.name,
                "type": str(entity.type),
                "also": [str(entity.also)] if entity.also else [],
                "role": str(entity.role),
                "mentions": list(entity.surfaces),
                "confidence": round(entity.confidence, 3),
                "extractor": entity.extractor,
                "evidence": _evidence(card, max(entity.mentions, key=lambda m: (m.span.start > card.text.title_end, m.score, -m.span.start))),
            }
            for entity in card.entities
        ],
        "relations": [[names[r.head], str(r.kind), names[r.tail]] for r in card.relations],
        "results": [
            {
                "subject": names[r.subject] if r.subject is not None else r.subject_text,
                "metric": r.metric_text or (names[r.metric] if r.metric is not None else ""),
                "value": r.value,
                "dataset": names[r.dataset] if r.dataset is not None else r.dataset_text,
                "comparator": names[r.comparator] if r.comparator is not None else r.comparator_text,
            }
            for r in card.results
        ],
    }


def _evidence(card: Card, mention: Mention) -> dict[str, Any]:
    sentence = card.text.sentences[card.text.sentence_of(mention.span.start)]
    raw = card.text.original(mention.span)
    return {"sentence": card.text.clean[sentence.start : sentence.end], "start": raw.start, "end": raw.end}


_SQL = """
SELECT p.paper, p.label, p.title,
    (SELECT list({'source': source, 'record': record, 'start': start} ORDER BY source, record) FROM places x WHERE x.paper = p.paper),
    (SELECT list({'name': f.name, 'id': r.entity, 'type': f.type, 'also': f.also, 'role': f.role, 'confidence': f.confidence,
        'extractor': f.extractor, 'k': f.k} ORDER BY f.k) FROM found f JOIN resolved r USING (paper, k) WHERE f.paper = p.paper),
    (SELECT list({'k': k, 'surface': surface} ORDER BY k, start, surface) FROM (
        SELECT k, surface, min(start) AS start FROM mentions m WHERE m.paper = p.paper GROUP BY k, surface)),
    (SELECT list({'entity': l.entity, 'sentence': s.text, 'start': l.start, 'end': l."end"} ORDER BY l.entity)
        FROM links l JOIN sentences s ON s.paper = l.paper AND s.sentence = l.sentence WHERE l.paper = p.paper),
    (SELECT list({'head': h.name, 'relation': x.relation, 'tail': t.name, 'confidence': x.confidence, 'sentence': s.text}
        ORDER BY x.head, x.relation, x.tail)
        FROM found_relations x JOIN found h ON h.paper = x.paper AND h.k = x.head JOIN found t ON t.paper = x.paper AND t.k = x.tail
        JOIN sentences s ON s.paper = x.paper AND s.sentence = x.sentence WHERE x.paper = p.paper),
    (SELECT list({'subject': coalesce(s.name, x.subject_text), 'metric': coalesce(nullif(x.metric_text, ''), m.name, ''), 'value': x.value,
        'dataset': coalesce(d.name, x.dataset_text), 'comparator': coalesce(c.name, x.comparator_text)} ORDER BY x.n)
        FROM found_results x LEFT JOIN found s ON s.paper = x.paper AND s.k = x.subject LEFT JOIN found m ON m.paper = x.paper AND m.k = x.metric
        LEFT JOIN found d ON d.paper = x.paper AND d.k = x.dataset LEFT JOIN found c ON c.paper = x.paper AND c.k = x.comparator
        WHERE x.paper = p.paper)
FROM papers p ORDER BY p.paper
"""


def from_build(connection: "duckdb.DuckDBPyConnection") -> Iterator[CardObject]:
    """The cards of a build, ordered by paper id; decisions of the user are in them."""
    rows = connection.execute(_SQL)
    while batch := rows.fetchmany(500):
        for paper, label, title, places, entities, surfaces, evidence, relations, results in batch:
            yield _object(paper, label, title, places, entities or [], surfaces or [], evidence or [], relations or [], results or [])


def _object(paper: str, label: str, title: str, places: Any, entities: Any, surfaces: Any, evidence: Any, relations: Any, results: Any) -> CardObject:
    mentions: dict[int, list[str]] = {}
    for row in surfaces:
        mentions.setdefault(row["k"], []).append(row["surface"])
    proof = {row["entity"]: {"sentence": row["sentence"], "start": row["start"], "end": row["end"]} for row in evidence}
    return {
        "id": paper,
        "title": title,
        "label": label,
        "places": places or [],
        "entities": [
            {
                "name": entity["name"],
                "id": entity["id"],
                "type": entity["type"],
                "also": [entity["also"]] if entity["also"] else [],
                "role": entity["role"],
                "mentions": mentions.get(entity["k"], []),
                "confidence": entity["confidence"],
                "extractor": entity["extractor"],
                "evidence": proof.get(entity["id"]),
            }
            for entity in entities
        ],
        "relations": [[r["head"], r["relation"], r["tail"]] for r in relations],
        "results": results,
    }

"""The nearest entities, by graph and by text."""

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from kg.find import named
from kg.frame import Frame
from kg.metrics.projections import entity_type

if TYPE_CHECKING:
    import duckdb

_CANDIDATES = 300
_SENTENCES = 30
_WORD = re.compile(r"[^\W\d_][\w-]+")
_GRAPH, _TEXT = 0.6, 0.4

_TEXTS = f"""
SELECT l.entity, t.text FROM (
    SELECT DISTINCT m.paper, r.entity, m.sentence FROM resolved r JOIN mentions m USING (paper, k) WHERE r.entity IN (SELECT unnest($entities))
) l JOIN sentences t USING (paper, sentence)
QUALIFY row_number() OVER (PARTITION BY l.entity ORDER BY l.paper, l.sentence) <= {_SENTENCES} ORDER BY l.entity, l.paper, l.sentence
"""


def related(connection: "duckdb.DuckDBPyConnection", name: str, *, kind: str = "", limit: int = 20) -> Frame:
    """The entities nearest to one, of one type when `kind` is given.

    `graph` is the mean of two cosines: of the papers that both are in, and of the company that they keep there. `text` is the cosine of the words
    (by rarity) of the sentences that name them, so that two things which never met can be near. `score` weighs graph 0.6 and text 0.4.
    Columns: entity, label, kind, papers (in common), graph, text, score. Raises UnknownNameError with the nearest names.
    """
    import numpy as np

    entity = named(connection, name)
    entities, labels, kinds, held = _incidence(connection)
    here = entities.index(entity)
    together, company = _near(held, here)
    wanted = entity_type(kind).lower() if kind else ""
    order = [n for n in np.lexsort((np.arange(len(entities)), -(together + company))).tolist() if n != here and (not wanted or kinds[n] == wanted)]
    chosen = [n for n in order[:_CANDIDATES] if together[n] + company[n] > 0]
    words = _words(connection, [entity, *(entities[n] for n in chosen)])
    common = np.asarray((held @ held[[here]].T).todense()).ravel()
    rows = []
    for n, text in zip(chosen, words, strict=True):
        graph = float(together[n] + company[n]) / 2
        rows.append((entities[n], labels[n], kinds[n], int(common[n]), round(graph, 4), round(text, 4), round(_GRAPH * graph + _TEXT * text, 4)))
    rows.sort(key=lambda row: (-row[6], row[0]))
    return Frame(("entity", "label", "kind", "papers", "graph", "text", "score"), tuple(rows[:limit]))


def _incidence(connection: "duckdb.DuckDBPyConnection") -> tuple[list[str], list[str], list[str], Any]:
    """Entities, labels, kinds, and the matrix of entities by papers."""
    import numpy as np
    from scipy import sparse

    rows = connection.execute("SELECT entity, label, lower(type) FROM entities ORDER BY entity").fetchall()
    found = connection.execute(
        """SELECT e.n AS e, p.n AS p FROM links l JOIN (SELECT entity, row_number() OVER (ORDER BY entity) - 1 AS n FROM entities) e USING (entity)
        JOIN (SELECT paper, row_number() OVER (ORDER BY paper) - 1 AS n FROM papers) p USING (paper) ORDER BY ALL"""
    ).fetchnumpy()
    papers = connection.execute("SELECT count(*) FROM papers").fetchall()[0][0]
    held = sparse.csr_array((np.ones(len(found["e"])), (np.asarray(found["e"]), np.asarray(found["p"]))), shape=(len(rows), papers))
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows], held


def _near(held: Any, here: int) -> tuple[Any, Any]:
    """For every entity: the cosine of its papers with those of one, and of its company with that one's company."""
    import numpy as np
    from scipy import sparse

    papers = held.sum(axis=1)
    rarity = np.log1p(held.shape[1] / np.maximum(papers, 1))
    common = np.asarray((held @ held[[here]].T).todense()).ravel()
    together = np.divide(common, np.sqrt(papers * papers[here]), out=np.zeros_like(common), where=papers * papers[here] > 0)
    mine = common * rarity
    mine[here] = 0
    # The company of every entity is never written out: its product with one vector goes through the papers.
    met = held @ (held.T @ (mine * rarity)) - papers * mine * rarity
    chosen = np.lexsort((np.arange(len(met)), -met / np.sqrt(np.maximum(papers, 1))))[: 2 * _CANDIDATES]
    theirs = (held[chosen] @ held.T) @ sparse.diags_array(rarity)
    itself = papers[chosen] * rarity[chosen]
    squares = (theirs**2).sum(axis=1) - itself**2 - (common[chosen] * rarity[here]) ** 2
    lengths = np.sqrt(np.maximum(squares, 0) * (mine**2).sum())
    company = np.zeros_like(common)
    company[chosen] = np.divide(theirs @ mine - itself * mine[chosen], lengths, out=np.zeros(len(chosen)), where=lengths > 1e-9)
    return together, np.clip(company, 0, 1)


def _words(connection: "duckdb.DuckDBPyConnection", entities: list[str]) -> list[float]:
    """The cosine of the first entity's sentences with each other's, words weighed by their rarity among these entities."""
    bags: dict[str, Counter[str]] = {entity: Counter() for entity in entities}
    for entity, text in connection.execute(_TEXTS, {"entities": entities}).fetchall():
        bags[entity].update(word.lower() for word in _WORD.findall(text))
    spread = Counter(word for bag in bags.values() for word in bag)
    vectors = [_weighted(bags[entity], spread, len(entities)) for entity in entities]
    return [_cosine(vectors[0], other) for other in vectors[1:]]


def _weighted(bag: "Counter[str]", spread: "Counter[str]", total: int) -> dict[str, float]:
    from math import log

    return {word: (1 + log(count)) * log((1 + total) / spread[word]) for word, count in sorted(bag.items())}


def _cosine(a: dict[str, float], b: dict[str, float]) -> float:
    from math import fsum, sqrt

    dot = fsum(value * b[word] for word, value in a.items() if word in b)
    lengths = sqrt(fsum(value * value for value in a.values()) * fsum(value * value for value in b.values()))
    return dot / lengths if lengths else 0.0

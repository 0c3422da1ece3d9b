"""The graph of a build as a sparse matrix: papers and entities, undirected, one edge a pair."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb
    import scipy.sparse

_NODES = """
SELECT paper AS node, 'paper' AS kind, label FROM papers UNION ALL SELECT entity, lower(type), label FROM entities
"""

# Confidences are added as decimals: sums of floats would depend on how the work was split among threads.
_EDGES = f"""
WITH nodes AS (SELECT node, kind = 'paper' AS is_paper, row_number() OVER (ORDER BY kind = 'paper' DESC, node) - 1 AS number FROM ({_NODES})),
ties AS (
    SELECT a.number AS a, b.number AS b, l.confidence FROM links l JOIN nodes a ON a.node = l.paper AND a.is_paper
    JOIN nodes b ON b.node = l.entity AND NOT b.is_paper
    UNION ALL
    SELECT least(a.number, b.number), greatest(a.number, b.number), r.confidence FROM
        (SELECT head, tail, max(confidence) AS confidence FROM relations GROUP BY head, tail, relation) r
    JOIN nodes a ON a.node = r.head AND NOT a.is_paper JOIN nodes b ON b.node = r.tail AND NOT b.is_paper
)
SELECT a, b, CAST(sum(CAST(confidence AS DECIMAL(9, 3))) AS DOUBLE) AS weight FROM ties WHERE a <> b GROUP BY a, b ORDER BY a, b
"""


@dataclass(frozen=True, slots=True)
class Network:
    """Nodes, papers first, and what ties them.

    `nodes`, `kinds` and `labels` are in the order of the matrix' rows; `weights` is symmetric, the sum of the confidences of all edges of a pair.
    """

    nodes: tuple[str, ...]
    kinds: tuple[str, ...]
    labels: tuple[str, ...]
    weights: "scipy.sparse.csr_array[Any]"

    def __len__(self) -> int:
        return len(self.nodes)


def network(connection: "duckdb.DuckDBPyConnection") -> Network:
    """The links and relations of a build as a Network."""
    import numpy as np
    from scipy import sparse

    rows = connection.execute(f"SELECT node, kind, label FROM ({_NODES}) ORDER BY kind = 'paper' DESC, node").fetchall()
    edges = connection.execute(_EDGES).fetchnumpy()
    a, b, weight = (np.asarray(edges[name]) for name in ("a", "b", "weight"))
    size = len(rows)
    both = sparse.coo_array((np.concatenate([weight, weight]), (np.concatenate([a, b]), np.concatenate([b, a]))), shape=(size, size))
    nodes, kinds, labels = zip(*rows, strict=True) if rows else ((), (), ())
    return Network(nodes, kinds, labels, both.tocsr())

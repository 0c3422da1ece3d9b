"""Measures of the graph and its projections: who matters, what hangs together, what goes with what."""

from kg.metrics.measures import betweenness, communities, measure
from kg.metrics.network import Network, network
from kg.metrics.projections import cooccurrence, cooccurrence_graph, entity_type, matrix, paper_similarity, paper_similarity_graph
from kg.metrics.summary import community_names, degree_distribution, mixing, summary

__all__ = [
    "Network",
    "betweenness",
    "communities",
    "community_names",
    "cooccurrence",
    "cooccurrence_graph",
    "degree_distribution",
    "entity_type",
    "matrix",
    "measure",
    "mixing",
    "network",
    "paper_similarity",
    "paper_similarity_graph",
    "summary",
]

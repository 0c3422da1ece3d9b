"""A build as RDF: every syntax, the store for SPARQL, and the check against the shapes."""

from kg.rdf.stores import graph, store
from kg.rdf.terms import BASE, entity_iri, paper_iri
from kg.rdf.write import EVIDENCE, FORMATS, prefixes, write

__all__ = ["BASE", "EVIDENCE", "FORMATS", "entity_iri", "graph", "paper_iri", "prefixes", "store", "write"]

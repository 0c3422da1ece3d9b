"""A build on this machine's web: the graph to walk through, a read-only SPARQL 1.1 endpoint, a query page, a page at each IRI. HTTP only, no logic.

The standard library's server carries it: a few requests at a time from one person need neither an event loop nor a framework.
"""

from kg.serve.server import Limits, Server, serve

__all__ = ["Limits", "Server", "serve"]

"""A build on this machine's web: a read-only SPARQL 1.1 endpoint, a query page, and a page at each entity's and paper's IRI. HTTP only, no logic.

The standard library's server carries it: a few requests at a time from one person need neither an event loop nor a framework.
"""

from kg.serve.server import Limits, Server, serve

__all__ = ["Limits", "Server", "serve"]

"""Questions about one or two things of a build: compare, related, path, timeline."""

from kg.explore.compare import compare
from kg.explore.path import path
from kg.explore.related import related
from kg.explore.timeline import timeline

__all__ = ["compare", "path", "related", "timeline"]

"""kg builds a knowledge graph of the methods, datasets, models, metrics and tasks in machine-learning papers.

>>> import kg
>>> sorted(kg.__all__)
['KgError', 'KnowledgeGraph', 'build', 'card', 'load']
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kg.api import KnowledgeGraph, build, card, load
    from kg.errors import KgError

__all__ = ["KgError", "KnowledgeGraph", "build", "card", "load"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'kg' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module("kg.errors" if name == "KgError" else "kg.api"), name)

"""The numbers that a paper reports."""

from collections.abc import Sequence

from kg.model import Found, FoundRelation, FoundResult, Text

__all__ = ["read_results"]


def read_results(text: Text, entities: Sequence[Found], relations: Sequence[FoundRelation]) -> tuple[FoundResult, ...]:
    """Every number that reports an outcome; see `kg.results.reading.read_results`."""
    from kg.results.reading import read_results as read

    return read(text, entities, relations)

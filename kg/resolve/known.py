"""What resolution asks of a catalogue: the row of a name, when that is near certain."""

from dataclasses import dataclass
from typing import Protocol

from kg.model import EntityType


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the catalogue, as resolution sees it."""

    id: str
    name: str
    type: EntityType
    also: EntityType | None = None


class Known(Protocol):
    """Anything that answers a surface form with its row, or with None when it does not know it or is not near certain."""

    def lookup(self, surface: str) -> Entry | None:
        """The row whose name or alias this surface form is."""


class NothingKnown:
    """A catalogue without rows."""

    def lookup(self, surface: str) -> Entry | None:  # noqa: ARG002
        """None, always."""
        return None

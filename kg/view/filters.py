"""What a reader of the page has hidden, as the page says it in its questions and as conditions in SQL."""

from collections.abc import Mapping
from dataclasses import dataclass

from kg.model import EntityType, Role


@dataclass(frozen=True, slots=True)
class Filters:
    """Hidden are some types ("Paper" is one), some roles, papers outside a span of years, and links below a confidence in per cent."""

    types: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    years: tuple[int, int] | None = None
    confidence: int = 0

    @staticmethod
    def read(asked: Mapping[str, str]) -> "Filters":
        """The filters among a question's parameters, lists with commas; what is no type and no role counts for nothing.

        Raises ValueError when a number is none.

        >>> Filters.read({"roles": "used,nonsense", "years": "2019,2024", "confidence": "50"}).of_links("l", "p")
        "l.confidence >= 50 AND p.year BETWEEN 2019 AND 2024 AND l.role <> 'used'"
        """
        types, roles = (frozenset(asked.get(name, "").split(",")) for name in ("types", "roles"))
        first, _, last = asked.get("years", "").partition(",")
        years = (int(first), int(last)) if first else None
        return Filters(types & {*EntityType, "Paper"}, roles & frozenset(Role), years, int(asked.get("confidence") or 0))

    def of_links(self, link: str, paper: str) -> str:
        """The condition on a link and its paper, by the names that a query gives these. It is made of numbers and of names of roles alone."""
        return " AND ".join(
            [f"{link}.confidence >= {self.confidence}", self.of_papers(paper), *(f"{link}.role <> '{role}'" for role in sorted(self.roles))]
        )

    def of_papers(self, paper: str) -> str:
        """The condition on a paper's year."""
        return "{}.year BETWEEN {} AND {}".format(paper, *self.years) if self.years else "true"

    def of_entities(self, entity: str) -> str:
        """The condition on an entity's type."""
        return " AND ".join(["true", *(f"{entity}.type <> '{kind}'" for kind in sorted(self.types))])

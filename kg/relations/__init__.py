"""What a paper does with its entities, and what it says of them: roles and relations."""

from collections.abc import Sequence

from kg.model import Found, FoundRelation, Text

__all__ = ["assign_roles", "relate"]


def assign_roles(text: Text, entities: Sequence[Found]) -> tuple[Found, ...]:
    """The same entities, each with its role; see `kg.relations.roles.assign_roles`."""
    from kg.relations.roles import assign_roles as assign

    return assign(text, entities)


def relate(text: Text, entities: Sequence[Found]) -> tuple[FoundRelation, ...]:
    """The relations between the entities; see `kg.relations.related.relate`."""
    from kg.relations.related import relate as decide

    return decide(text, entities)

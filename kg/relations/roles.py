"""What a paper does with each of its entities: features of the places where it is named, in a linear model, and what the tagger believes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np

from kg.model import Found, Role, Text
from kg.relations.linear import Linear, Matrix, softmax
from kg.relations.scene import Scene, build_scene
from kg.relations.weights import load_arrays
from kg.surface import is_acronym, is_named

ROLES = tuple(Role)
_WITH_TYPE = ("L1", "R1", "we=", "place", "form")
"""How the features begin that are told apart by the entity's type besides."""
_MENTIONS = 5
TAGGER = 0.75
"""The weight of the tagger's beliefs beside the linear model's scores, chosen on the held-out fold."""
_TINY = 1e-4
_SILENT = np.zeros(len(ROLES), dtype=np.float32)


def bucket(count: int) -> str:
    """A count as a coarse class: 0 to 4 themselves, then 5-6, 7-9 and more."""
    return str(count) if count < 5 else "5" if count < 7 else "7" if count < 10 else "10"


@dataclass(frozen=True, slots=True)
class RoleCases:
    """The features of a paper's entities; those of an entity are its `own` and those of its first sentence of the abstract, if it has one."""

    own: list[list[str]]
    sentences: list[list[str]]
    of: list[int | None]

    def joined(self) -> list[list[str]]:
        """The features of each entity in one list, as training needs them."""
        return [own if at is None else [*own, *self.sentences[at]] for own, at in zip(self.own, self.of, strict=True)]

    def scores(self, model: Linear) -> Matrix:
        """The scores of each entity, shape (entities, labels), each sentence scored once."""
        parts = model.scores([*self.sentences, *self.own])
        count = len(self.sentences)
        rows: Matrix = parts[count:]
        for row, at in enumerate(self.of):
            if at is not None:
                rows[row] += parts[at]
        return rows


def role_features(text: Text, entities: Sequence[Found], scene: Scene) -> RoleCases:
    """The features of each entity, as strings: form of its name, where it stands, the words around each mention and its place among the others."""
    order: dict[str, list[int]] = {}
    first = [at[0] if at else len(scene.words) for at in scene.at]
    for index in sorted(range(len(entities)), key=lambda e: (first[e], e)):
        order.setdefault(entities[index].type.value, []).append(index)
    titled = bool(text.title_end)
    rows = []
    for index, entity in enumerate(entities):
        kind = entity.type.value
        rank = order[kind].index(index)
        row = ["bias", f"type={kind}", f"rank={kind}{bucket(rank)}", f"of={kind}{bucket(len(order[kind]))}"]
        row += _form(entity, scene, index)
        row += _place(scene, index, titled)
        for at in scene.at[index][:_MENTIONS]:
            row += _around(scene, index, at, titled)
        row += [f"has={other}{bucket(len(members))}" for other, members in order.items()]
        row += [f"{kind}|{f}" for f in row if f.startswith(_WITH_TYPE)]
        rows.append(row)
    of, numbers = _first_sentences(scene, titled)
    return RoleCases(rows, [_bag(scene, number) for number in numbers], of)


def _first_sentences(scene: Scene, titled: bool) -> tuple[list[int | None], list[int]]:
    """For each entity the place, in the list of sentences returned, of the first one after the title that names it."""
    firsts = [next((n for n in (scene.sentence[a] for a in ats) if n or not titled), None) for ats in scene.at]
    numbers = sorted({n for n in firsts if n is not None})
    return [None if n is None else numbers.index(n) for n in firsts], numbers


def _bag(scene: Scene, number: int) -> list[str]:
    return [f"S={w}" for w in dict.fromkeys(scene.words[scene.begins[number] : scene.stops[number]]) if len(w) > 1]


def _form(entity: Found, scene: Scene, index: int) -> Iterator[str]:
    surfaces = entity.surfaces or (entity.name,)
    named = any(is_named(s) for s in surfaces)
    words = entity.name.lower().split()
    yield f"form={'named' if named else 'plain'}"
    yield f"known={bool(entity.catalogue)}"
    yield f"form={'named' if named else 'plain'},known={bool(entity.catalogue)}"
    yield f"surfaces={bucket(len(surfaces))}"
    yield f"words={bucket(len(words))}"
    yield f"last={words[-1] if words else ''}"
    yield f"capital={entity.name[:1].isupper()}"
    short = any(is_acronym(s) for s in surfaces)
    ats = scene.at[index]
    paired = any(scene.words[a + 1] == "(" and b == a + 2 for a, b in pairwise(ats))
    yield f"acronym={short}{paired}"
    yield f"form=pair{paired}"


def _place(scene: Scene, index: int, titled: bool) -> Iterator[str]:
    ats = scene.at[index]
    total = len(scene.begins)
    if not ats:
        yield "place=none"
        return
    first, last = scene.sentence[ats[0]], scene.sentence[ats[-1]]
    in_title = titled and first == 0
    body = [scene.sentence[a] for a in ats if not (titled and scene.sentence[a] == 0)]
    yield f"place=title{in_title}"
    yield f"mentions={bucket(len(ats))}"
    yield f"place=title{in_title},body{bool(body)}"
    if in_title and (ats[0] == 0 or (ats[0] == 1 and scene.words[0] in {"the", "a"})):
        yield "place=title start"
        if ats[0] + 1 < len(scene.words) and scene.words[ats[0] + 1] in {":", "-", "–", "—"}:
            yield "place=title head"
    if body:
        start = body[0] - titled
        yield f"sentence={bucket(start)}"
        yield f"third={3 * start // max(1, total - titled)}"
        yield f"end={bucket(total - 1 - last)}"
        yield f"spread={bucket(last - start)}"


def _around(scene: Scene, index: int, at: int, titled: bool) -> Iterator[str]:
    words, number = scene.words, scene.sentence[at]
    begin, stop = scene.begins[number], scene.stops[number]
    zone = "T" if titled and number == 0 else ""
    left = [words[i] if i >= begin else "^" for i in range(at - 3, at)]
    right = [words[i] if i < stop else "$" for i in range(at + 1, at + 4)]
    yield f"{zone}L1={left[2]}"
    yield f"{zone}L2={left[1]} {left[2]}"
    yield f"{zone}L3={left[0]} {left[1]} {left[2]}"
    yield f"{zone}R1={right[0]}"
    yield f"{zone}R2={right[0]} {right[1]}"
    yield f"{zone}R3={right[0]} {right[1]} {right[2]}"
    yield f"{zone}LR={left[2]} {right[0]}"
    if zone:
        return
    for i in range(max(begin, at - 8), at):
        yield f"before={words[i]}"
    for i in range(at + 1, min(stop, at + 9)):
        yield f"after={words[i]}"
    for i in range(at - 1, begin - 1, -1):
        if words[i] in {"we", "paper", "work", "that", "which", "our", "this"}:
            yield f"we={words[i]} {words[i + 1] if i + 1 < at else ''}"
            yield f"we={words[i]} {words[i + 1] if i + 1 < at else ''} {min(3, (at - i) // 4)}"
            break


def _believed(entity: Found) -> Matrix:
    """The mean logarithm of what the tagger believes of each role, over the mentions; zeros when it says nothing."""
    said = [mention.roles for mention in entity.mentions if mention.roles]
    out: Matrix = np.log(np.array(said, dtype=np.float32) + _TINY).mean(axis=0) if said else _SILENT
    return out


@cache
def _model() -> Linear:
    return Linear.unpack(load_arrays("roles"), "role")


def assign_roles(text: Text, entities: Sequence[Found]) -> tuple[Found, ...]:
    """The same entities in the same order, each with its role.

    A multinomial linear model, trained on annotated cards, over the form of the name, where it stands and the words around it; what the tagger
    believes of the role at each mention, where it does, is added with the weight TAGGER.
    """
    if not entities:
        return ()
    scores = role_features(text, entities, build_scene(text, entities)).scores(_model())
    chances = softmax(scores + TAGGER * np.array([_believed(entity) for entity in entities], dtype=np.float32))
    return tuple(replace(entity, role=ROLES[best]) for entity, best in zip(entities, chances.argmax(axis=1).tolist(), strict=True))

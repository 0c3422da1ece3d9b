"""A paper as the role and relation models see it: words in lower case, each entity mention folded into one unit that shows its type."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kg.model import Found, Mention, Span, Text

_TOKEN = re.compile(r"[^\W\d_]+|\d[\d.,]*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Scene:
    """The units of a text and where each entity stands among them.

    `words[i]` is a lower-case word, "0" for a number or "<Type>" for a mention; `sentence[i]` is its sentence; `at[e]` lists the units of
    entity e, in order; `inside[i]` is the entities that unit i names; `begins` and `stops` are the unit range of each sentence;
    `starts[i]` is the clean offset at which unit i begins.
    """

    words: tuple[str, ...]
    sentence: tuple[int, ...]
    at: tuple[tuple[int, ...], ...]
    inside: dict[int, tuple[int, ...]]
    begins: tuple[int, ...]
    stops: tuple[int, ...]
    starts: tuple[int, ...]


def _merged(entities: Sequence[Found]) -> list[tuple[int, int, list[int]]]:
    spans = sorted((m.span.start, -m.span.end, e) for e, entity in enumerate(entities) for m in entity.mentions if m.span.end > m.span.start)
    merged: list[tuple[int, int, list[int]]] = []
    for start, minus_end, entity in spans:
        if merged and start < merged[-1][1]:
            begin, end, inside = merged[-1]
            merged[-1] = (begin, max(end, -minus_end), inside if entity in inside else [*inside, entity])
        else:
            merged.append((start, -minus_end, [entity]))
    return merged


_last: list[tuple[Text, tuple[tuple[Mention, ...], ...], Scene]] = []


def build_scene(text: Text, entities: Sequence[Found]) -> Scene:
    """Fold the mentions of `entities` (indexes of the scene are indexes of this sequence) into units and number the rest of the words.

    Roles, relations and results of one paper ask for the same scene in turn, so the last one is kept.
    """
    mentions = tuple(entity.mentions for entity in entities)
    for known, its, scene in _last:
        if known is text and len(its) == len(mentions) and all(a is b for a, b in zip(its, mentions, strict=True)):
            return scene
    scene = _fold(text, entities)
    _last[:] = [(text, mentions, scene)]
    return scene


def _fold(text: Text, entities: Sequence[Found]) -> Scene:
    words: list[str] = []
    starts: list[int] = []
    sentence: list[int] = []
    inside: dict[int, tuple[int, ...]] = {}
    at: list[list[int]] = [[] for _ in entities]
    merged = _merged(entities)
    following = 0
    begins, stops = [], []
    for number, span in enumerate(text.sentences):
        begins.append(len(words))
        cursor = span.start
        while following < len(merged) and merged[following][0] < span.end:
            start, end, members = merged[following]
            _plain(text.clean, cursor, start, words, starts)
            inside[len(words)] = tuple(members)
            for member in members:
                at[member].append(len(words))
            words.append(f"<{entities[members[0]].type.value}>")
            starts.append(start)
            cursor = max(cursor, end)
            following += 1
        _plain(text.clean, cursor, span.end, words, starts)
        stops.append(len(words))
        sentence += [number] * (len(words) - len(sentence))
    return Scene(tuple(words), tuple(sentence), tuple(map(tuple, at)), inside, tuple(begins), tuple(stops), tuple(starts))


def _plain(clean: str, start: int, end: int, words: list[str], starts: list[int]) -> None:
    tokens = _TOKEN.findall(clean, start, end)
    words += ["0" if token[0].isdigit() else token.lower() for token in tokens]
    for token in tokens:  # only spaces and underscores stand between two tokens, so each begins where it is next found
        start = clean.index(token, start)
        starts.append(start)
        start += len(token)


def sentence_span(text: Text, number: int) -> Span:
    """The span of a sentence; a text without sentences is one."""
    return text.sentences[number] if text.sentences else Span(0, len(text.clean))

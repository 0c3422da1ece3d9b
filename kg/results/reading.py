"""The numbers that a paper reports as outcomes, each with what it measures, of which system, on what data and against what."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from kg.model import EntityType, Found, FoundRelation, FoundResult, RelationKind, ResultKind, Role, Text
from kg.relations.linear import Linear, softmax
from kg.relations.scene import Scene, build_scene, sentence_span
from kg.relations.weights import load_arrays
from kg.results.context import Option, Placed, dataset_options, metric_options, number_features, option_features, place
from kg.results.numbers import find_numbers
from kg.results.words import HIGHER, LOWER

EXTRACTOR = "results"
REPORTED = 0.5
"""From which probability on a number counts as an outcome."""
DATASET = 0.5
_SYSTEMS = frozenset({EntityType.METHOD, EntityType.MODEL})
_AGAINST = frozenset(
    ("than", "over", "versus", "vs", "against", "outperforms", "outperforming", "surpasses", "surpassing", "outperform", "baseline", "to", "beats")
)
_RIVALS = re.compile(
    r"\b(?:(?:previous|existing|current|prior|strong|other|best|recent)\s+)*"
    r"(?:state[- ]of[- ]the[- ]arts?|SOTA|SoTA|baselines?|human(?: performance)?)(?:\s+(?:methods?|models?|approach(?:es)?|results?))?\b|"
    r"\b(?:previous|existing|prior)\s+(?:methods?|models?|approach(?:es)?|works?)\b"
)
_UP = re.compile(
    r"\b(?:improv\w+|gains?|boosts?|increas\w+|higher|better|outperform\w*|surpass\w*|exceed\w*|advantage|rais\w+|enhanc\w+|more)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:reduc\w+|decreas\w+|drops?|lower\w*|fewer|less|smaller|sav(?:e|es|ing|ings)|cut(?:s|ting)?|shrink\w*|degrad\w+|worse|loss|declin\w+)\b",
    re.IGNORECASE,
)
_DIFFERENCES = frozenset(("improvement", "gain", "reduction", "increase", "drop", "saving", "degradation"))
_BY = re.compile(r"\bby\s+(?:up to|at least|about|around|over|more than|nearly|approximately|an average of|a margin of|~)?\s*$")
_MORE = re.compile(r"\s*(?:\w+\s+){0,2}(?:improvement|gain|reduction|increase|boost|higher|lower|better|fewer|less|more|faster|drop|decrease|saving)")
_OF = re.compile(r"\b(?:improvements?|gains?|reductions?|increases?|drop|decrease) of\b[^,;]*$")


class Models(NamedTuple):
    """Which numbers report an outcome, and which metric and which dataset a number belongs to."""

    number: Linear
    metric: Linear
    dataset: Linear


@cache
def _models() -> Models:
    arrays = load_arrays("results")
    return Models(*(Linear.unpack(arrays, name) for name in Models._fields))


def read_results(text: Text, entities: Sequence[Found], relations: Sequence[FoundRelation], models: Models | None = None) -> tuple[FoundResult, ...]:
    """Every number that reports an outcome, in the order of the text.

    `entities` carry their roles; `relations` are those between them. Indexes of the results are indexes of `entities`. What `models` decide, the
    shipped ones unless others are given, they learnt from annotated cards; `confidence` is the probability that the number reports an outcome.
    """
    models = models or _models()
    numbers = find_numbers(text.clean)
    if not numbers:
        return ()
    scene = build_scene(text, entities)
    placed = place(numbers, scene)
    if not placed:
        return ()
    options = [metric_options(item, scene, entities) for item in placed]
    titled = bool(text.title_end)
    cases = [number_features(item, near, scene, titled) for item, near in zip(placed, options, strict=True)]
    chances = softmax(models.number.scores(cases))[:, 1]
    return tuple(
        _result(item, near, float(chance), placed, text, scene, entities, relations, models)
        for item, near, chance in zip(placed, options, chances, strict=True)
        if chance >= REPORTED
    )


def choose(options: Sequence[Option], placed: Placed, scene: Scene, every: Sequence[Placed], model: Linear) -> tuple[Option | None, float]:
    """The option that the number belongs to most probably, and how probably; None without any."""
    if not options:
        return None, 0.0
    chances = softmax(model.scores([option_features(placed, option, options, scene, every) for option in options]))[:, 1]
    best = int(chances.argmax())
    return options[best], float(chances[best])


def _result(
    item: Placed,
    options: Sequence[Option],
    chance: float,
    every: Sequence[Placed],
    text: Text,
    scene: Scene,
    entities: Sequence[Found],
    relations: Sequence[FoundRelation],
    models: Models,
) -> FoundResult:
    metric, _ = choose(options, item, scene, every, models.metric)
    dataset, sure = choose(dataset_options(scene, entities, item), item, scene, every, models.dataset)
    dataset_index = dataset.entity if dataset is not None and sure >= DATASET else None
    subject, comparator = _systems(item, scene, entities, relations)
    span = sentence_span(text, scene.sentence[min(item.begin, len(scene.sentence) - 1)])
    clause = text.clean[scene.starts[item.begin] : item.number.span.end + 40]
    kind = result_kind(item, clause[-140:], metric)
    low, high, before = parsed(item.number.form, item.number.values)
    rival = _RIVALS.search(text.clean, span.start, span.end) if comparator is None else None
    return FoundResult(
        item.number.value, kind, low, high, item.number.unit, span, round(chance, 4), EXTRACTOR, before, better(metric, kind, clause[-140:]),
        subject, metric.entity if metric else None, dataset_index, comparator,
        metric_text=metric.text if metric else "", comparator_text=rival[0] if rival else "",
    )  # fmt: skip


def parsed(form: str, values: Sequence[float]) -> tuple[float | None, float | None, float | None]:
    """Low, high and before. A change has its first value before and its last as low and high; a spread its least and greatest.

    >>> parsed("change", (256.0, 30.0)), parsed("spread", (5.0, 5.5)), parsed("error", (9.5, 0.1)), parsed("growth", ())
    ((30.0, 30.0, 256.0), (5.0, 5.5, None), (9.4, 9.6, None), (None, None, None))
    """
    if not values:
        return None, None, None
    if form == "change" and len(values) > 1:
        return values[-1], values[-1], values[0]
    if form == "error" and len(values) > 1:
        return round(values[0] - values[1], 9), round(values[0] + values[1], 9), None
    if form in {"spread", "word"}:
        return min(values), max(values), None
    return values[0], values[0], None


def result_kind(item: Placed, clause: str, metric: Option | None) -> ResultKind:
    """Ratio: so many times as much. Change: from one value to another. Gain: a difference to something else. Absolute: the value itself."""
    number = item.number
    if number.form == "change":
        return ResultKind.CHANGE
    if number.unit in {"×", "orders of magnitude"} or (number.form == "word" and number.unit == "×"):
        return ResultKind.RATIO
    if number.value[0] in "+-−" or (metric is not None and metric.text in _DIFFERENCES):
        return ResultKind.GAIN
    at = clause.rfind(number.value)
    before, after = clause[max(0, at - 90) : at], clause[at + len(number.value) :]
    return ResultKind.GAIN if _BY.search(before) or _MORE.match(after) or _OF.search(before) else ResultKind.ABSOLUTE


def better(metric: Option | None, kind: ResultKind, clause: str) -> bool | None:
    """Whether more of the value is better: by the metric, turned round for a reduction; None when nothing tells."""
    words = re.split(r"[\s\-@]+", metric.text.lower()) if metric else []
    if kind in {ResultKind.GAIN, ResultKind.RATIO} and (_UP.search(clause) or _DOWN.search(clause)):
        return None if metric is not None and metric.text in {"drop", "degradation", "slowdown"} else True
    if any(w in HIGHER for w in words):
        return True
    return False if any(w in LOWER for w in words) else None


def _systems(item: Placed, scene: Scene, entities: Sequence[Found], relations: Sequence[FoundRelation]) -> tuple[int | None, int | None]:
    """Whose number it is and what it is set against: by the words before each system of the sentence, then by roles and `outperforms`."""
    subject: int | None = None
    rival: int | None = None
    for at in range(item.begin, item.stop):
        for entity in scene.inside.get(at, ()):
            if entities[entity].type not in _SYSTEMS:
                continue
            against = any(w in _AGAINST for w in scene.words[max(item.begin, at - 2) : at])
            if entities[entity].role is Role.COMPARED or (against and entities[entity].role is not Role.PROPOSED):
                rival = entity if rival is None else rival
            elif at <= item.before and (subject is None or entities[subject].role is not Role.PROPOSED or entities[entity].role is Role.PROPOSED):
                subject = entity
    if subject is None:
        proposed = [k for k, e in enumerate(entities) if e.role is Role.PROPOSED and e.type in _SYSTEMS]
        subject = min(proposed, key=lambda k: (-len(entities[k].mentions), k)) if proposed else None
    if rival is None and subject is not None:
        beaten = sorted(r.tail for r in relations if r.head == subject and r.kind is RelationKind.OUTPERFORMS)
        rival = next((k for k in beaten if any(item.begin <= a < item.stop for a in scene.at[k])), None)
    return subject, rival if rival != subject else None

"""A number among the words of its sentence, and what it may be a number of: the features of the results models."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.model import EntityType, Found
from kg.relations.roles import bucket
from kg.relations.scene import Scene
from kg.results.numbers import Number
from kg.results.words import EMPTY, MEASURES, PHRASES, UNITS_OF_TIME

_JOINERS = {",", "and", "/", "respectively", "or", "&", ";", "than", "less", "more", "over", "to"}


@dataclass(frozen=True, slots=True)
class Placed:
    """A number, the units just before it and after it, the range of its sentence's units and its place in a list of numbers (nth of total)."""

    number: Number
    before: int
    after: int
    begin: int
    stop: int
    nth: int
    total: int


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a number may belong to: `entity` is its index, or None for a measure in plain words; `at` is the unit that names it.

    `kind` is "entity", "measure" (a word that says what is measured), "next", "prev" or "of" (the noun beside the number), "time" or "none" (nothing
    in the sentence says what is measured).
    """

    text: str
    entity: int | None
    at: int
    kind: str = "entity"
    nth: int = 0
    total: int = 1


def place(numbers: Sequence[Number], scene: Scene) -> tuple[Placed, ...]:
    """Find each number among the units; a number inside a mention is part of a name and left out."""
    found: list[Placed] = []
    for number in numbers:
        first = bisect_left(scene.starts, number.span.start)
        if first < len(scene.starts) and scene.starts[first] == number.span.start and first in scene.inside:
            continue
        if first and (first == len(scene.starts) or scene.starts[first] > number.span.start):
            first -= 1
            if first in scene.inside:
                continue
        after = bisect_left(scene.starts, number.span.end)
        sentence = scene.sentence[min(first, len(scene.sentence) - 1)]
        found.append(Placed(number, first - 1, after, scene.begins[sentence], scene.stops[sentence], 0, 1))
    return tuple(_in_lists(found, scene))


def _in_lists(found: Sequence[Placed], scene: Scene) -> Iterator[Placed]:
    run: list[Placed] = []
    for item in found:
        if run and not _listed(scene, run[-1].after, item.before):
            yield from _numbered(run)
            run = []
        run.append(item)
    yield from _numbered(run)


def _numbered(run: Sequence[Placed]) -> Iterator[Placed]:
    for nth, item in enumerate(run):
        yield Placed(item.number, item.before, item.after, item.begin, item.stop, nth, len(run))


def _listed(scene: Scene, start: int, last: int) -> bool:
    return start <= last + 1 and last - start < 3 and all(scene.words[i] in _JOINERS for i in range(start, last + 1))


def number_features(placed: Placed, options: Sequence[Option], scene: Scene, titled: bool) -> list[str]:
    """What tells an outcome from a size, a year or an enumeration; `options` are what it may be a number of."""
    number, words = placed.number, scene.words
    left = [words[i] if i >= placed.begin else "^" for i in range(placed.before - 3, placed.before + 1)]
    right = [words[i] if i < placed.stop else "$" for i in range(placed.after, placed.after + 4)]
    value = number.values[0] if number.values else -1.0
    whole = "." not in number.value
    shape = f"{number.form} {number.unit} {'whole' if whole else 'decimal'}"
    sentence = scene.sentence[placed.begin] if placed.begin < len(scene.sentence) else 0
    row = ["bias", f"form={number.form}", f"unit={number.unit}", f"shape={shape}", f"sign={number.value[0] if not number.value[0].isalnum() else ''}"]
    row += [f"year={whole and 1980 <= value <= 2035 and not number.unit}", f"size={_magnitude(value)}{whole}", f"list={min(placed.total, 4)}"]
    row += [f"L1={left[3]}", f"L2={left[2]} {left[3]}", f"L3={left[1]} {left[2]} {left[3]}"]
    row += [f"R1={right[0]}", f"R2={right[0]} {right[1]}", f"R3={right[0]} {right[1]} {right[2]}", f"LR={left[3]} {right[0]}"]
    row += [f"L1={left[3]} {number.unit}", f"R1={right[0]} {number.unit}", f"{shape} R1={right[0]}", f"{shape} L1={left[3]}"]
    row += [f"before={words[i]}" for i in range(max(placed.begin, placed.before - 7), placed.before + 1)]
    row += [f"after={words[i]}" for i in range(placed.after, min(placed.stop, placed.after + 7))]
    row += [f"S={word}" for word in dict.fromkeys(words[placed.begin : placed.stop]) if len(word) > 1]
    near = sorted(((abs(o.at - placed.before), o.at, o) for o in options if o.kind in {"entity", "measure"}), key=lambda n: n[:2])
    if near:
        distance, at, option = near[0]
        way = "<" if at <= placed.before else ">"
        row += [f"measure={option.kind} {way}{bucket(distance)}", f"measure={option.text if option.entity is None else 'entity'}", f"{shape} {way}"]
    row.append(f"measures={min(len(near), 3)}")
    row += [f"end={bucket(len(scene.begins) - 1 - sentence)}", f"title={titled and sentence == 0}", f"sentence={bucket(sentence)}"]
    return row


def _magnitude(value: float) -> str:
    return next((name for limit, name in ((0, "none"), (1, "1"), (2, "2"), (10, "10"), (100, "100"), (1000, "1000")) if value <= limit), "more")


def metric_options(placed: Placed, scene: Scene, entities: Sequence[Found]) -> list[Option]:
    """The metrics of the number's sentence, and the plain words in it that say what is measured."""
    options = []
    skip = -1
    for at in range(placed.begin, placed.stop):
        if at <= skip:
            continue
        metrics = [e for e in scene.inside.get(at, ()) if entities[e].type is EntityType.METRIC]
        if metrics:
            options.append(Option(_stated(entities[metrics[0]], scene.starts[at]), metrics[0], at))
        elif at not in scene.inside:
            length = next((n for n in (3, 2) if tuple(scene.words[at : at + n]) in PHRASES), 1)
            measure = PHRASES.get(tuple(scene.words[at : at + length])) or MEASURES.get(scene.words[at])
            if measure:
                options.append(Option(measure, None, at + length - 1, "measure"))
                skip = at + length - 1
    return [*_listed_options(options, scene), *_beside(placed, scene, {o.at for o in options})]


def _stated(entity: Found, start: int) -> str:
    """The metric as the sentence writes it, unless it stands in a coordinated span there."""
    surface = next((m.surface for m in entity.mentions if m.span.start == start), entity.name)
    return entity.name if re.search(r" and | or |[/,]", surface) else surface


def _beside(placed: Placed, scene: Scene, taken: set[int]) -> Iterator[Option]:
    """The nouns right beside a number: 90% overlap, 26% of shots, a stroke of 4 mm; for a time without any, the time itself."""
    words, at = scene.words, placed.after
    if at < placed.stop and words[at] == "of":
        at += 1
        while at < placed.stop - 1 and words[at] in {"the", "all", "its", "their", "our"}:
            at += 1
        if at < placed.stop and at not in taken and _noun(words[at]):
            yield Option(words[at], None, at, "of")
    elif at < placed.stop and at not in taken and _noun(words[at]):
        yield Option(words[at], None, at, "next")
    at = placed.before
    while at > placed.begin and words[at] in {"of", "to", "about", "around", "nearly", "over", "only", "at", "up", "is", "by"}:
        at -= 1
    if placed.begin <= at < placed.before and at not in taken and _noun(words[at]):
        yield Option(words[at], None, at, "prev")
    if placed.number.unit.lower() in UNITS_OF_TIME:
        yield Option("time", None, placed.before, "time")
    elif not taken:
        yield Option("performance", None, placed.before, "none")


def _noun(word: str) -> bool:
    return word.isalpha() and len(word) > 2 and word not in EMPTY


def dataset_options(scene: Scene, entities: Sequence[Found], placed: Placed) -> list[Option]:
    """The paper's datasets, each where it is named nearest to the number."""
    options = []
    for index, entity in enumerate(entities):
        if entity.type is EntityType.DATASET and scene.at[index]:
            at = min(scene.at[index], key=lambda a: (not placed.begin <= a < placed.stop, abs(a - placed.before), a))
            options.append(Option(entity.name, index, at))
    return _listed_options(sorted(options, key=lambda o: o.at), scene)


def _listed_options(options: list[Option], scene: Scene) -> list[Option]:
    done: list[Option] = []
    run: list[Option] = []
    for option in [*options, None]:
        if option is None or (run and not _listed(scene, run[-1].at + 1, option.at - 1)):
            done += [Option(o.text, o.entity, o.at, o.kind, nth, len(run)) for nth, o in enumerate(run)]
            run = []
        if option is not None:
            run.append(option)
    return done


def option_features(placed: Placed, option: Option, options: Sequence[Option], scene: Scene, every: Sequence[Placed]) -> list[str]:
    """What tells whether a number is a number of this option."""
    kind = option.text if option.kind == "measure" else option.kind
    near = placed.begin <= option.at < placed.stop
    row = ["bias", f"kind={kind}", f"options={min(len(options), 5)}", f"near={near}", f"way={option.kind}"]
    if not near:
        here = scene.sentence[min(placed.begin, len(scene.sentence) - 1)]
        return [*row, f"gap={max(-3, min(3, scene.sentence[option.at] - here))}", f"far only={len(options) == 1}"]
    ahead = option.at <= placed.before
    way = "<" if ahead else ">"
    between = scene.words[option.at + 1 : placed.before + 1] if ahead else scene.words[placed.after : option.at]
    low, high = (option.at, placed.before) if ahead else (placed.after - 1, option.at)
    others = sum(low < o.at < high for o in options)
    numbers = sum(low < p.before + 1 <= high for p in every if p is not placed)
    closest = min(abs(o.at - placed.before) for o in options) == abs(option.at - placed.before)
    row += [f"{way}d{bucket(len(between))}", f"{way}others{min(others, 3)}", f"{way}numbers{min(numbers, 3)}", f"closest={closest}{way}"]
    closed, task = ")" in between, "<Task>" in between
    row += [f"{way}bracket{'(' in between}{closed}", f"{way}task{task}", f"{way}bracket{closed} task{task}"]
    row += [f"{way}others{min(others, 3)} numbers{min(numbers, 3)}", f"{way}unit={placed.number.unit} {kind}", f"unit={placed.number.unit} {kind}"]
    lists = f"{option.total == placed.total}{option.nth == placed.nth}"
    row += [f"aligned={lists}{placed.total > 1}", f"lists={min(option.total, 4)} {min(placed.total, 4)} {option.nth == placed.nth}"]
    row.append(f"respectively={'respectively' in scene.words[placed.begin : placed.stop]} {lists}")
    row.append(f"{option.kind} of {len({o.kind for o in options})} {closest} {way}")
    left = scene.words[placed.before] if placed.before >= placed.begin else "^"
    right = scene.words[placed.after] if placed.after < placed.stop else "$"
    row += [f"{way}L1={left} {closest}", f"{way}R1={right} {closest}", f"{way}L1={left} {option.kind}", f"{way}R1={right} {option.kind}"]
    if len(between) <= 5:
        row.append(f"{way}w {' '.join(between)}")
    row += [f"{way}b {word}" for word in between[-6:]]
    row += [f"{way}first {between[0]}", f"{way}last {between[-1]}"] if between else [f"{way}touch {kind}"]
    return row

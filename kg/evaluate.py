"""Cards against gold cards: precision, recall and F1 for entities, mentions, roles, relations and results, with a bootstrap interval."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kg.errors import InputError
from kg.model import EntityType
from kg.surface import is_named, key

if TYPE_CHECKING:
    from kg.model import Card, Paper

CardObject = Mapping[str, Any]
Pairs = list[tuple[int, int]]

_COMMAND = re.compile(r"\\(?:text(?:it|bf|sc|rm|tt)?|emph|underline|math(?:rm|bf|cal|it)|cite\w*)\b")
_MARKS = re.compile(r"[*_`$\\{}~^]")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def _of_type(kind: EntityType) -> Callable[[CardObject], bool]:
    return lambda entity: bool(entity["type"] == kind)


ENTITY_ROWS: Mapping[str, Callable[[CardObject], bool]] = {
    "typed": lambda entity: True,
    "mission (no Task)": lambda entity: bool(entity["type"] != EntityType.TASK),
    "named": lambda entity: is_named(entity["name"]),
    **{str(kind): _of_type(kind) for kind in EntityType},
}
"""The figures that count entities, each over the gold entities (and the predictions paired with them) that a test picks."""

ROWS = ("typed", "mission (no Task)", "named", "untyped", "mentions", "Method", "Dataset", "Model", "Metric", "Task", "relations", "results")


class Count(NamedTuple):
    """How many were right, how many gold has and how many were predicted."""

    hit: int = 0
    gold: int = 0
    predicted: int = 0

    def __add__(self, other: object) -> "Count":
        if not isinstance(other, Count):
            return NotImplemented
        return Count(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def precision(self) -> float:
        """The share of the predictions that are right; 0 without any."""
        return self.hit / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of gold that was found; 0 without any."""
        return self.hit / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class PaperScore:
    """One paper's counts by row, its roles (pairs, right, right on proposed or not) and what went wrong."""

    paper: str
    counts: dict[str, Count]
    roles: Count
    proposed: int
    missed: tuple[str, ...] = ()
    spurious: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of a set of papers."""

    papers: list[PaperScore]
    predicted_papers: int
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)

    def count(self, row: str) -> Count:
        """The sum of a row over all papers."""
        return sum((p.counts.get(row, Count()) for p in self.papers), Count())

    @property
    def roles(self) -> Count:
        """Typed hits whose role is right, of those where both sides have one."""
        return sum((p.roles for p in self.papers), Count())

    @property
    def proposed(self) -> int:
        """Typed hits where both or neither say "proposed"."""
        return sum(p.proposed for p in self.papers)


def surface(name: str) -> str:
    """The form under which the measure compares names: without markup, case, hyphens, spaces, article and plural ending.

    >>> surface(r"the \\textbf{Diffusion} Models") == surface("diffusion-model")
    True
    """
    plain = _MARKS.sub("", _COMMAND.sub("", re.sub(r"\\times\b", "x", name)))
    return key(plain)


def _surfaces(entity: CardObject) -> frozenset[str]:
    return frozenset(surface(name) for name in (entity["name"], *entity["mentions"])) - {""}


def _types(entity: CardObject) -> set[str]:
    return {entity["type"], *entity.get("also", ())}


def pair(gold: Sequence[CardObject], predicted: Sequence[CardObject], *, typed: bool) -> Pairs:
    """Pairs (gold index, predicted index), one to one: they share a surface, and half of the predicted surfaces or more are gold's.

    With `typed` the predicted type must be gold's type or its second one. The same type goes first, then the greater number of shared surfaces.
    """
    gold_surfaces = [_surfaces(entity) for entity in gold]
    candidates = []
    for j, entity in enumerate(predicted):
        own = _surfaces(entity)
        for i, other in enumerate(gold):
            shared = len(gold_surfaces[i] & own)
            right = entity["type"] in _types(other)
            if shared and 2 * shared >= len(own) and (right or not typed):
                candidates.append((not right, entity["type"] != other["type"], -shared, i, j))
    pairs: Pairs = []
    for *_, i, j in sorted(candidates):
        if all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return pairs


def _same_result(gold: CardObject, predicted: CardObject) -> bool:
    def agree(name: str) -> bool:
        one, two = surface(gold.get(name, "")), surface(predicted.get(name, ""))
        return bool(gold.get(name) and predicted.get(name)) and (one in two or two in one)

    numbers = [_NUMBER.findall(card["value"].replace(",", "")) for card in (gold, predicted)]
    return numbers[0] == numbers[1] and (agree("metric") or agree("dataset"))


def _count_results(gold: Sequence[CardObject], predicted: Sequence[CardObject]) -> Count:
    left = list(predicted)
    hit = 0
    for result in gold:
        match = next((j for j, other in enumerate(left) if _same_result(result, other)), None)
        if match is not None:
            del left[match]
            hit += 1
    return Count(hit, len(gold), len(predicted))


def _count_mentions(gold: Sequence[CardObject], predicted: Sequence[CardObject]) -> Count:
    right = {(surface(m), kind) for entity in gold for m in entity["mentions"] for kind in _types(entity)}
    own = {(surface(m), entity["type"]) for entity in predicted for m in entity["mentions"]}
    return Count(len(right & own), len({form for form, _ in right}), len(own))


def _count_relations(gold: CardObject, predicted: CardObject, pairs: Pairs) -> Count:
    names = {predicted["entities"][j]["name"]: gold["entities"][i]["name"] for i, j in pairs}
    right = {tuple(r) for r in gold.get("relations", ())}
    own = {(names.get(head, head), kind, names.get(tail, tail)) for head, kind, tail in predicted.get("relations", ())}
    return Count(len(right & own), len(right), len(own))


def score_paper(gold: CardObject, predicted: CardObject) -> PaperScore:
    """One paper's card against its gold card."""
    ours, theirs = gold["entities"], predicted["entities"]
    typed, loose = pair(ours, theirs, typed=True), pair(ours, theirs, typed=False)
    back = {j: i for i, j in typed}
    counts = {
        row: Count(
            sum(test(ours[i]) for i, _ in typed),
            sum(map(test, ours)),
            sum(test(ours[back[j]] if j in back else entity) for j, entity in enumerate(theirs)),
        )
        for row, test in ENTITY_ROWS.items()
    }
    counts["untyped"] = Count(len(loose), len(ours), len(theirs))
    counts["mentions"] = _count_mentions(ours, theirs)
    counts["relations"] = _count_relations(gold, predicted, loose)
    counts["results"] = _count_results(gold.get("results", ()), predicted.get("results", ()))
    roles = [(ours[i]["role"], theirs[j]["role"]) for i, j in typed if ours[i].get("role") and theirs[j].get("role")]
    found = set(back.values())
    return PaperScore(
        gold["id"],
        counts,
        Count(sum(a == b for a, b in roles), len(roles), len(roles)),
        sum((a == "proposed") == (b == "proposed") for a, b in roles),
        tuple(f"{gold['id']} {e['type']}: {e['name']}" for i, e in enumerate(ours) if i not in found),
        tuple(f"{gold['id']} {e['type']}: {e['name']}" for j, e in enumerate(theirs) if j not in back),
    )


def score(gold: Iterable[CardObject], predicted: Iterable[CardObject], *, bootstrap: int = 0) -> Score:
    """Score predicted cards; a gold paper without a card counts as missed.

    `bootstrap` is how many resamples of the papers give the 95 % interval of each F1 (0: none); the same cards give the same interval.

    >>> card = {"id": "p", "entities": [{"name": "GSM8K", "type": "Dataset", "mentions": ["GSM8K"]}]}
    >>> score([card], [card]).count("typed").f1
    1.0
    """
    wanted = {card["id"]: card for card in gold}
    cards = {card["id"]: card for card in predicted if card["id"] in wanted}
    papers = [score_paper(card, cards.get(paper, {"entities": []})) for paper, card in wanted.items()]
    return Score(papers, len(cards), _intervals(papers, bootstrap) if bootstrap else {})


def _intervals(papers: Sequence[PaperScore], resamples: int) -> dict[str, tuple[float, float]]:
    import numpy as np

    chance = np.random.default_rng(0)
    draws = [chance.integers(len(papers), size=len(papers)) for _ in range(resamples)]
    out = {}
    for row in ROWS:
        table = np.array([p.counts.get(row, Count()) for p in papers], dtype=np.int64).reshape(-1, 3)
        if table[:, 1].sum():
            values = np.sort([Count(*table[draw].sum(axis=0).tolist()).f1 for draw in draws])
            out[row] = (float(values[int(0.025 * resamples)]), float(values[min(resamples - 1, int(0.975 * resamples))]))
    return out


def read_cards(path: str | Path) -> list[dict[str, Any]]:
    """The cards of a JSON Lines file. Raises InputError that names the line which is no card."""
    cards = []
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            cards.append(_card(line, f"{path}, line {number}"))
    return cards


def _card(line: str, where: str) -> dict[str, Any]:
    try:
        card: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON ({error})") from error
    entities = card.get("entities") if isinstance(card, dict) else None
    if not isinstance(entities, list) or not isinstance(card.get("id"), str):
        raise InputError(f"{where}: a card has an id and entities", hint="kg annotate --check says what is wrong with a file of cards")
    for entity in entities:
        if not isinstance(entity, dict) or not {"name", "type", "mentions"} <= entity.keys():
            raise InputError(
                f"{where}: an entity has a name, a type and mentions", hint="kg annotate --check says what is wrong with a file of cards"
            )
    return dict(card)


def report(result: Score, errors: int = 0) -> Iterator[str]:
    """The lines of a report: a line a row, then the roles, then up to `errors` of what was missed and what was spurious."""
    yield f"{len(result.papers)} papers, {result.predicted_papers} predicted"
    for row in ROWS:
        count = result.count(row)
        if count.gold:
            low, high = result.intervals.get(row, (0.0, 0.0))
            interval = f"  [{low:.3f}, {high:.3f}]" if row in result.intervals else ""
            yield (f"{row:18s} P {count.precision:.3f}  R {count.recall:.3f}  F1 {count.f1:.4f}{interval}   gold {count.gold} pred {count.predicted}")
    roles = result.roles
    if roles.gold:
        yield f"role accuracy      {roles.recall:.3f} (proposed or not {result.proposed / roles.gold:.3f}) over {roles.gold} typed hits"
    for name in ("missed", "spurious") if errors else ():
        wrong = [line for paper in result.papers for line in getattr(paper, name)]
        yield f"-- {name} ({len(wrong)})"
        yield from (f"   {line}" for line in wrong[:errors])


def as_json(result: Score) -> dict[str, Any]:
    """The figures as one JSON object."""
    roles = result.roles
    rows = {}
    for row in ROWS:
        count = result.count(row)
        if count.gold:
            rows[row] = {**count._asdict(), "precision": round(count.precision, 4), "recall": round(count.recall, 4), "f1": round(count.f1, 4)}
            if row in result.intervals:
                rows[row]["interval"] = [round(v, 4) for v in result.intervals[row]]
    share = {"accuracy": round(roles.recall, 4), "proposed": round(result.proposed / roles.gold, 4), "pairs": roles.gold} if roles.gold else None
    return {"papers": len(result.papers), "predicted": result.predicted_papers, "rows": rows, "roles": share}


def predict(gold: Sequence[CardObject], *, tier: str = "default", given_entities: bool = False) -> Iterator[dict[str, Any]]:
    """The cards that a tier makes of gold's own papers; with `given_entities` only roles, relations and results are predicted."""
    from kg import pipeline
    from kg.cards import from_card
    from kg.model import Paper

    for card in gold:
        paper = Paper(card["id"], card.get("title") or "", card.get("abstract") or "", ())
        yield from_card(_given(paper, card["entities"]) if given_entities else pipeline.read_card(paper, tier))


def _given(paper: "Paper", entities: Sequence[CardObject]) -> "Card":
    from kg import relations, results
    from kg.given import gold_entities
    from kg.model import Card
    from kg.text import read_text

    text = read_text(paper)
    found = relations.assign_roles(text, gold_entities(text, [dict(entity) for entity in entities]))
    related = relations.relate(text, found)
    return Card(paper, text, found, related, results.read_results(text, found, related))

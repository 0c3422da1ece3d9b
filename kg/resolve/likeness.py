"""Whether two surface forms of one paper say the same in other words ("bias mitigation", "mitigating bias").

A logistic model of a few dozen yes-or-no questions; its weights, in log-odds, are `weights.tsv`: logistic regression (L2 3, questions that at
least six pairs answer with yes) over the pairs of forms of the annotated papers.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from kg.model import EntityType, Mention
from kg.ontology import Catalogue
from kg.resolve.known import certain
from kg.surface import is_named

THRESHOLD = 0.0
_SUFFIXES = (
    "ially", "ally", "ization", "isation", "ational", "ation", "ional", "ative", "ition", "ating", "ness", "ment", "ing", "ion", "ive", "or", "er",
    "ed", "al", "ity", "izer", "ize", "ise", "ly", "ate", "ic", "e", "y",
)  # fmt: skip
STOP = frozenset(
    [
        "a", "an", "the", "of", "for", "in", "on", "with", "to", "and", "or", "from", "by", "via", "at", "as", "using", "into", "these",
        "their", "its", "this", "such",
    ]
)  # fmt: skip
GENERIC = frozenset(
    [
        "approach", "method", "model", "framework", "algorithm", "technique", "system", "task", "problem", "network", "strategy",
        "module", "mechanism", "architecture", "scheme", "dataset", "benchmark", "score", "paradigm", "procedure", "pipeline",
        "objective", "loss", "process", "training", "learning", "policy", "function", "challenge", "set", "setting", "corpus",
        "baseline", "tool", "agent", "solver", "approachs", "methods", "models", "frameworks", "algorithms", "techniques", "systems",
        "tasks", "problems", "networks", "modules", "mechanisms", "architectures", "schemes", "datasets", "benchmarks", "scores",
        "paradigms", "procedures", "pipelines", "objectives", "trainings", "learnings", "functions", "challenges", "sets", "settings",
        "baselines", "tools", "agents", "solvers",
    ]
)  # fmt: skip
_WIDE = frozenset(
    [
        "deep", "large", "novel", "general", "efficient", "standard", "proposed", "neural", "learned", "overall", "average", "mean",
        "total", "final", "single", "automatic", "automated", "joint", "based", "robust", "better", "accurate", "fast", "end", "simple",
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Described:
    """What the comparison looks at in one surface form."""

    surface: str
    type: EntityType
    stems: tuple[str, ...]
    words: tuple[str, ...]
    named: bool
    entry: str
    spans: tuple[tuple[int, int], ...]
    in_title: bool
    all_stems: frozenset[str]


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A word without its ending, so that noun, verb and adjective compare equal; rough on purpose.

    >>> [stem(w) for w in ("classification", "classifying", "classifier", "detectors", "detect", "policies")]
    ['classif', 'classif', 'classif', 'detect', 'detect', 'polic']
    """
    word = word.lower()
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for _ in range(2):
        for suffix in _SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= (3 if suffix in {"ing", "ed"} else 4):
                word = word[: -len(suffix)]
                break
    return re.sub(r"(?<=.{4})i(?:f|fi|fic)$", "if", word)


def content_words(surface: str) -> tuple[str, ...]:
    """The words of a surface form in lower case, without the small ones."""
    return tuple(w for w in re.findall(r"[^\W_]+", re.sub(r"[’']s\b", "", surface.lower())) if w not in STOP)


def describe(surface: str, mentions: Sequence[Mention], title_end: int, catalogue: Catalogue) -> Described:
    """What `score` needs of one surface form and its mentions."""
    words = content_words(surface)
    entry = certain(catalogue, surface)
    stems = tuple(map(stem, words))
    return Described(
        surface,
        mentions[0].type,
        stems,
        words,
        is_named(surface),
        entry.id if entry else "",
        tuple((m.span.start, m.span.end) for m in mentions),
        any(m.span.end <= title_end for m in mentions),
        frozenset(stems),
    )


def features(first: Described, second: Described, others: Sequence[Described], clean: str) -> Iterator[str]:
    """The questions that are answered yes for a pair of a paper's forms; none when the two share no word."""
    short, long = sorted((first, second), key=lambda d: (len(d.stems), len(d.surface)))
    small, big = short.all_stems, long.all_stems
    shared = small & big
    if not shared:
        return
    relation = "equal" if small == big else "subset" if small <= big else "overlap"
    kind = first.type.value if first.type == second.type else "types differ"
    extra = [w for w, s in zip(long.words, long.stems, strict=True) if s not in shared]
    missing = [w for w, s in zip(short.words, short.stems, strict=True) if s not in shared]
    yield "bias"
    yield kind
    yield f"{relation} {kind}"
    yield f"{relation} of {min(len(small), 3)}, {min(len(extra), 3)} more {_where(extra, long)}"
    yield f"{relation} head {short.stems[-1] == long.stems[-1]}"
    yield f"{relation} start {short.stems[0] == long.stems[0]}"
    yield f"{relation} wider {min(sum(small < other.all_stems for other in others if other is not long), 3)}"
    yield from (f"{relation} more is {sort}" for sort in _sorts(extra))
    yield from (f"more {word}" for word in extra[:3])
    if missing:
        yield f"{kind} shares {min(len(shared), 3)}, {min(len(missing), 3)} and {min(len(extra), 3)} more"
        yield f"share {int(4 * len(shared) / len(small))}/4 of {min(len(small), 4)}"
        yield f"missing {missing[0]}"
        yield from (f"missing is {sort}" for sort in _sorts(missing))
    yield from _standing(first, second, short, long, relation)
    if _coordinated(first, second, clean):
        yield "coordinated"


def _where(extra: Sequence[str], long: Described) -> str:
    if len(extra) != 1:
        return ""
    return "at its start" if long.words[0] == extra[0] else "at its end" if long.words[-1] == extra[0] else "inside"


def _sorts(words: Sequence[str]) -> Iterator[str]:
    if words and set(words) <= GENERIC:
        yield "generic"
    if words and set(words) <= _WIDE:
        yield "wide"


def _standing(first: Described, second: Described, short: Described, long: Described, relation: str) -> Iterator[str]:
    yield f"{relation} named {first.named + second.named}"
    known = bool(first.entry) + bool(second.entry)
    yield f"{relation} known {known}"
    if known == 1:
        yield f"known {'short' if short.entry else 'long'}"
    if first.entry and second.entry:
        yield f"both known {relation}"
    yield f"title {short.in_title:d}{long.in_title:d}"
    yield f"counts {min(len(short.spans), 3)}{min(len(long.spans), 3)}"
    yield f"long first {long.spans[0] < short.spans[0]}"
    if first.words[0] == second.words[0] and first.words[-1] == second.words[-1]:
        yield "same ends"
    if set(short.words) <= set(long.words):
        yield "same words"


_BETWEEN = re.compile(r"(?:,? (?:and|or|vs\.?|versus|than|over|to|from|into)|,|/| and the| or the)(?: [a-z]+)? ?")


def _coordinated(first: Described, second: Described, clean: str) -> bool:
    """Whether the two are listed side by side somewhere, as different things are."""
    for a in first.spans:
        for b in second.spans:
            low, high = sorted((a, b))
            if 0 < high[0] - low[1] < 20 and _BETWEEN.fullmatch(clean, low[1], high[0]):
                return True
    return False


@cache
def weights() -> dict[str, float]:
    """The log-odds of each question."""
    lines = files("kg.resolve").joinpath("weights.tsv").read_text(encoding="utf-8").splitlines()
    return {question: float(value) for question, value in (line.split("\t") for line in lines)}


def log_odds(first: Described, second: Described, others: Sequence[Described], clean: str) -> float | None:
    """How likely two forms of one paper name one entity, in log-odds; None when they share no word.

    `others` are all forms of the paper: a form that several longer ones contain is likely a class of its own.
    """
    if first.all_stems.isdisjoint(second.all_stems):
        return None
    known = weights()
    return sum(known.get(feature, 0.0) for feature in features(first, second, others, clean))


def reason(first: Described, second: Described) -> str:
    """Why two alike forms were joined, in words."""
    same = set(first.stems) == set(second.stems)
    return f"the words of {first.surface}" if same else f"shares words with {first.surface}"

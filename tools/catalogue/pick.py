"""Which mined names become rows: acronyms with their expansion, names beside cues, and phrases that a classifier takes for entities.

The classifier learns from the lexicon, whose every term was read and labelled (a type, or none), by the words of a term; it needs scikit-learn.
"""

import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from catalogue.casing import Casing
from catalogue.facts import Fact

from kg.surface import is_named, key, singular

NAME_PAPERS = 2
PAIR_PAPERS = 3
PHRASE_PAPERS = 5
SURE = 0.75
_GENERIC = re.compile(
    r"^(?:AI|ML|NLP|CV|GPU|CPU|API|IoT|UAV|USA|SOTA|IID|OOD|ID|2D|3D|RGB|IMU|GPS|ROS|MRI|CT|EEG|ECG|LiDAR|PhD|UN|EU|US|UK|DoF|DOF)s?$"
)

_TAIL = re.compile(r"-(?:based|style|like|free|driven|denied|generated|enhanced|trained|type|[a-z]+ed)$|^\d+[BMK]$|^(?:I+|CPU|type) ")
_VAGUE_HEAD = re.compile(
    r"\b(?:methods?|algorithms?|problems?|frameworks?|tasks?|systems?|training|strateg(?:y|ies)|process(?:es)?|functions?|questions?|benchmarks?|models?|images?|time|times|"
    r"performance|efficiency|complexity|interactions?|representations?|agents?|layers?|training|bounds?|data|gap|cost|costs|design|analysis|quality|errors?|accuracy|"
    r"communication|attention|information|understanding|control|controllers?|exploration|regret|policy|program|programs|surgery|simulation|processing|tracking|"
    r"comparison|evaluation|environment|likelihood|reduction|speech|language)$"
)
_VAGUE_FIRST = re.compile(
    r"^(?:state-of-the-art|increasing|increased|little|considerable|after|before|although|deeper|deep|excellent|improving|improved|enhance|enhanced|modern|joint|optimal|"
    r"real-world|real-time|recent|s|t|b|k|n|open|initial|original|reasonable|limited|linear|constant|varying|minimal|marginal|inherent|greater|longer|shorter|mean|local|global|"
    r"critical|unsolved|holistic|scientific|applied|answer|example|rate|part|minimize|sacrificing|balancing|considering|modeling|growing|expected|end-to-end|data-efficient|"
    r"learning-based|low-level|high-level|fine-grained|independent)$"
)
_ADJECTIVE = re.compile(
    r"^(?:memory|visual|semantic|image|video|model|feature|object|state|motion|human|robot|data|network|domain|target|source|input|output|"
    r"[a-z]+(?:ing|ed|al|ive|ic|ous|able))$"
)


def _features(term: str) -> dict[str, int]:
    words = re.sub(r"[-/]", " ", term.lower()).split() or [""]
    found = {f"last={words[-1].removesuffix('s')}": 1, f"first={words[0]}": 1, f"count={min(len(words), 5)}": 1, f"end={words[-1][-4:]}": 1}
    found |= {f"word={word.removesuffix('s')}": 1 for word in words}
    found |= {f"pair={a} {b.removesuffix('s')}": 1 for a, b in pairwise(words)}
    found["named"] = int(is_named(term))
    found["hyphen"] = int("-" in term)
    found[f"shape={words[0][-3:]}"] = 1
    return found


class Judge:
    """Tells by its words whether a term is an entity, and of which type."""

    def __init__(self, lexicon: Path) -> None:
        """Learn from the lexicon."""
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression

        with lexicon.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
        self._vectors: Any = DictVectorizer()
        self._model: Any = LogisticRegression(C=3.0, max_iter=60)
        self._model.fit(self._vectors.fit_transform([_features(row["term"]) for row in rows]), [row["type"] for row in rows])

    def types(self, terms: list[str]) -> list[tuple[str, float]]:
        """The likeliest label of each term and its probability; "none" when it is no entity."""
        if not terms:
            return []
        odds = self._model.predict_proba(self._vectors.transform([_features(term) for term in terms]))
        labels = self._model.classes_
        return [(str(labels[row.argmax()]), float(row.max())) for row in odds]


def facts(mined: Path, judge: Judge, casing: Casing, known: set[str], blocked: set[str], accepted: set[str]) -> Iterator[Fact]:
    """The rows that the corpus suggests; `known` holds the keys of names that have one, `blocked` of terms that were read and
    are none, `accepted` the phrases that were read and are names.
    """
    found = json.loads(mined.read_text(encoding="utf-8"))
    yield from _pairs(found["pairs"], judge, casing, blocked)
    yield from _names(found["names"], known | blocked)
    yield from _phrases(found["phrases"], judge, known | blocked, accepted)


def _names(names: dict[str, dict[str, int]], known: set[str]) -> Iterator[Fact]:
    for name, kinds in sorted(names.items()):
        kind, papers = max(kinds.items(), key=lambda item: (item[1], item[0]))
        if (
            papers < NAME_PAPERS
            or papers < 0.7 * sum(kinds.values())
            or key(name) in known
            or _GENERIC.match(name)
            or len(name) < 3
            or _TAIL.search(name)
        ):
            continue
        if is_named(name) and " " not in name:
            yield Fact(singular(name), kind, "corpus", forms={singular(name): None}, weight=papers)
        elif kind == "Dataset" and papers >= 3 and " " in name:
            yield Fact(name, kind, "corpus", forms={name: None}, exact={name}, weight=papers)


def _pairs(pairs: dict[str, dict[str, int]], judge: Judge, casing: Casing, blocked: set[str]) -> Iterator[Fact]:
    """Acronyms: each expansion with enough papers is a name; its short form is ambiguous unless nine of ten papers mean that."""
    chosen = []
    for short, longs in sorted(pairs.items()):
        groups: dict[str, Counter[str]] = defaultdict(Counter)
        for long, papers in longs.items():
            groups[key(long)][long] += papers
        total = sum(longs.values())
        for at, forms in sorted(groups.items()):
            papers = sum(forms.values())
            long = max(forms, key=lambda f: (forms[f], f == f.lower(), f))
            if papers >= PAIR_PAPERS and at not in blocked and not _GENERIC.match(short) and len(re.findall(r"[^\W_]+", long)) > 1:
                chosen.append((short, long, papers, total))
    for (short, long, papers, total), (kind, share) in zip(chosen, judge.types([long for _, long, _, _ in chosen]), strict=True):
        if kind != "none" and share >= 0.5:
            name = casing.canonical(long, kind)
            fact = Fact(name, kind, "corpus", forms={name: None, long: None, short: None}, weight=papers)
            if papers < 0.9 * total or len(short) < 3:
                fact.ambiguous.add(short)
            yield fact


def _phrases(phrases: dict[str, int], judge: Judge, known: set[str], accepted: set[str]) -> Iterator[Fact]:
    """Phrases, read and accepted, that are no part of a longer one in most of their papers, whose head says what they are and whose first word is no mere adjective."""
    inside: Counter[str] = Counter()
    for phrase, papers in phrases.items():
        inside[phrase.partition(" ")[2]] = max(inside[phrase.partition(" ")[2]], papers)
    terms = []
    for phrase, papers in sorted(phrases.items()):
        term = "3" + phrase if phrase.startswith("D ") else phrase
        first = phrase.split()[0]
        if papers < PHRASE_PAPERS or inside[phrase] > 0.5 * papers or key(term) in known or _VAGUE_HEAD.search(term):
            continue
        if _VAGUE_FIRST.match(term.split()[0]) or (_ADJECTIVE.match(first) and len(phrase.split()) < 3):
            continue
        terms.append((singular(term), papers))
    for (term, papers), (kind, share) in zip(terms, judge.types([term for term, _ in terms]), strict=True):
        if kind in ("Method", "Task", "Metric") and share >= SURE and term in accepted:
            yield Fact(term, kind, "corpus", forms={term: None}, weight=papers)


def keys(forms: Iterable[str]) -> set[str]:
    """Names by their comparison keys."""
    return {key(form) for form in forms}

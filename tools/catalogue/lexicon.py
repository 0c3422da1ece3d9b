"""The lexicon of read terms: labels cleaned, spellings settled, terms with one name joined."""

import csv
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from catalogue.casing import Casing
from catalogue.facts import Fact

from kg.extract.catalogue import signatures


def read(path: Path, mends: Mapping[str, Mapping[str, str]], casing: Casing) -> list[Fact]:
    """The lexicon's entities, a fact for each catalogue name; `mends` overrides rows by their term."""
    groups: dict[str, list[dict[str, str]]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as lines:
        for given in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            row = {**given, **mends.get(given["term"], {})}
            if row["type"] != "none":
                name = casing.canonical(row["name"] or row["term"], row["type"])
                groups[name.lower()].append({**row, "name": name})
    return [_fact(rows) for rows in groups.values()]


def _fact(rows: list[dict[str, str]]) -> Fact:
    kinds: Counter[str] = Counter()
    also: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for row in rows:
        papers = int(row["papers"])
        kinds[row["type"]] += papers
        if row["also"]:
            also[row["also"]] += papers
        names[row["name"]] += papers + 1_000_000 * (row["term"] == row["name"])
    kind = max(kinds, key=lambda k: (kinds[k], k))
    for other in kinds:
        if other != kind:
            also[other] += kinds[other]
    del also[kind]
    fact = Fact(max(names, key=lambda n: (names[n], n)), kind, "lexicon", also=max(also, key=lambda k: (also[k], k)) if also else "")
    for row in rows:
        if _wider(row["term"], fact.name):
            continue
        papers, tagged = int(row["papers"]), int(row["tagged"])
        fact.forms[row["term"]] = round(min(1.0, tagged / papers), 2) if papers >= 5 else None
        fact.weight += papers
        if row["ambiguous"] == "yes":
            fact.ambiguous.add(row["term"])
    return fact


def _wider(term: str, name: str) -> bool:
    """Whether a term is the name with more words about it ("competitive accuracy"): a wrong boundary, not an alias."""
    return any(f" {' '.join(short)} " in f" {' '.join(long)} " and len(short) < len(long) for short in signatures(name) for long in signatures(term))


def terms(path: Path) -> list[str]:
    """Every term of the lexicon, whatever its label."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [row["term"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]

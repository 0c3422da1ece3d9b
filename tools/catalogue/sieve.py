"""Which of the names that packages carry are names of the field, and how they are written: the corpus decides."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from catalogue.facts import Fact

from kg.surface import is_named

WORD_SHARE = 0.1
"""A name that stands in lower case in more than this share of its papers is a word as well."""


def sift(facts: Iterable[Fact], seen: Mapping[str, Counter[str]], stop: set[str]) -> Iterator[Fact]:
    """The facts that the corpus confirms, spelled as most papers spell them; unseen ones only from a place that gives official spellings."""
    for fact in facts:
        if fact.name in stop or "Report" in fact.name:
            continue
        best: Counter[str] = Counter()
        for form in fact.forms:
            for surface, papers in seen.get(form.lower(), Counter()).items():
                if _squashed(surface) == _squashed(form):
                    best[surface] = max(best[surface], papers)
        settled = _spelled(fact, best) if best else None
        if settled and settled.name not in stop:
            yield settled
        elif not best and fact.trusted and is_named(fact.name) and len(fact.name.split()) <= 3:
            fact.forms = {fact.name: None}
            yield fact


def _squashed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _spelled(fact: Fact, written: Counter[str]) -> Fact | None:
    papers = sum(written.values())
    lower = sum(count for surface, count in written.items() if surface == surface.lower())
    if fact.type in ("Task", "Metric") or (fact.type == "Method" and " " in max(written, key=lambda s: (written[s], s))):
        name = max(written, key=lambda s: (written[s], s))
        if papers < 2 or (" " not in name and not is_named(name)) or fact.source in ("sktime", "adversarial_robustness_toolbox"):
            return None
        return Fact(name.lower() if name.istitle() else name, fact.type, fact.source, forms={name: None}, urls=fact.urls, weight=papers)
    proper = Counter({surface: count for surface, count in written.items() if surface != surface.lower()})
    if fact.name in proper and is_named(fact.name):
        name = fact.name if lower > WORD_SHARE * papers else max(proper, key=lambda s: (proper[s], s == fact.name, s))
    elif proper and lower <= WORD_SHARE * papers:
        name = max(proper, key=lambda s: (proper[s], s))
    else:
        return None
    if not is_named(name) and (fact.type == "Method" or proper[name] < 2 or not fact.trusted):
        return None
    if lower > WORD_SHARE * papers and not fact.trusted:
        return None
    kept = Fact(name, fact.type, fact.source, forms={name: None}, urls=fact.urls, weight=papers)
    if lower or not is_named(name):
        kept.exact.add(name)
    if lower > WORD_SHARE * papers or not is_named(name):
        kept.ambiguous.add(name)
    return kept

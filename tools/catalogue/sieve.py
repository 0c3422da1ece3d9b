"""Which of the names that packages carry are names of the field, and how they are written: the corpus decides."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from catalogue.facts import Fact
from kg.surface import is_named

WORD_SHARE = 0.25
"""A name that stands in lower case in more than this share of its papers is a word as well."""


def sift(facts: Iterable[Fact], seen: Mapping[str, Counter[str]], trusted: frozenset[str]) -> Iterator[Fact]:
    """The facts that the corpus confirms, spelled as most papers spell them; unseen ones only from a trusted source and with the shape of a name."""
    for fact in facts:
        best: Counter[str] = Counter()
        for form in fact.forms:
            best.update(seen.get(form.lower(), Counter()))
        if not best:
            if fact.source in trusted and is_named(fact.name) and not fact.name.islower() and len(fact.name.split()) <= 3:
                yield fact
            continue
        settled = _spelled(fact, best)
        if settled:
            yield settled


def _spelled(fact: Fact, written: Counter[str]) -> Fact | None:
    papers = sum(written.values())
    proper = Counter({surface: count for surface, count in written.items() if surface != surface.lower()})
    lower = papers - sum(proper.values())
    if fact.type in ("Dataset", "Model") or is_named(fact.name):
        if not proper:
            return None
        name = max(proper, key=lambda s: (proper[s], s == fact.name, s))
        if not is_named(name) and fact.type != "Dataset" and proper[name] < 3:
            return None
        kept = Fact(name, fact.type, fact.source, fact.also, forms={name: None}, urls=fact.urls, weight=papers)
        if lower > WORD_SHARE * papers or not is_named(name):
            kept.exact.add(name)
        if lower > WORD_SHARE * papers:
            kept.ambiguous.add(name)
        return kept
    name = max(written, key=lambda s: (written[s], s))
    return (
        Fact(name.lower() if name.istitle() else name, fact.type, fact.source, fact.also, forms={name: None}, urls=fact.urls, weight=papers)
        if papers > 1
        else None
    )

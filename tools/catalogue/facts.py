"""What the sources say, and how it becomes rows: names are joined, and get ids, families and marks."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from catalogue.casing import Casing
from catalogue.families import parents

from kg.extract.catalogue import signatures
from kg.surface import is_acronym, slug

CLOSE = {frozenset(("Model", "Method")), frozenset(("Task", "Method")), frozenset(("Metric", "Method"))}
Signature = tuple[str, ...]


@dataclass
class Fact:
    """One name as a source gives it. `forms` are its names with their priors; `ambiguous` those that mean other things too;
    `sense` tells it from a namesake when it has no expansion; `trusted` says that the source gives official spellings.
    """

    name: str
    type: str
    source: str
    also: str = ""
    forms: dict[str, float | None] = field(default_factory=dict)
    family: str = ""
    exact: set[str] = field(default_factory=set)
    ambiguous: set[str] = field(default_factory=set)
    urls: list[str] = field(default_factory=list)
    expansion: str = ""
    sense: str = ""
    trusted: bool = False
    weight: int = 0


class Joiner:
    """Joins the facts of all sources; the first to name a thing decides its name and type."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self._by_signature: dict[Signature, list[Fact]] = defaultdict(list)

    def _owners(self, form: str) -> list[Fact]:
        found: list[Fact] = []
        for signature in sorted(signatures(form)):
            found += [fact for fact in self._by_signature[signature] if fact not in found]
        return found

    def _note(self, fact: Fact, form: str) -> None:
        for signature in signatures(form):
            if fact not in self._by_signature[signature]:
                self._by_signature[signature].append(fact)

    def _same(self, fact: Fact) -> Fact | None:
        """The fact that a new one repeats: same name, and a type that fits."""
        fits = [
            known
            for known in self._owners(fact.name)
            if known.type == fact.type or known.also == fact.type or frozenset((known.type, fact.type)) in CLOSE
        ]
        fits = [known for known in fits if not fact.expansion or not known.expansion or known.expansion.lower() == fact.expansion.lower()]
        plain = [known for known in fits if not known.ambiguous & {f for f in known.forms if signatures(f) & signatures(fact.name)}]
        named = [known for known in plain or fits if signatures(known.name) & signatures(fact.name)]
        same_type = [known for known in fits if known.type == fact.type]
        return (named or plain or (same_type if len(same_type) == 1 else []) or [None])[0]

    def forms(self) -> set[str]:
        """Every form of every fact."""
        return {form for fact in self.facts for form in fact.forms}

    def add(self, fact: Fact, *, decides: bool = True) -> None:
        """Take a fact in. A source that does not decide adds nothing to a name that is known under another type."""
        same = self._same(fact)
        if same is None and not decides and (owners := self._owners(fact.name)):
            if fact.source != "corpus" or len(owners) > 1:
                return
            same = owners[0]
        if same is None:
            self.facts.append(fact)
            same = fact
        else:
            same.source = ";".join(dict.fromkeys((*same.source.split(";"), *fact.source.split(";"))))
            same.urls += [url for url in fact.urls if url not in same.urls]
            same.also = same.also or (fact.also if fact.also != same.type else "")
            same.weight += fact.weight
            same.family = same.family or fact.family
            same.exact |= fact.exact
        for form in (fact.name, *fact.forms):
            self._take(same, form, fact)

    def _take(self, same: Fact, form: str, fact: Fact) -> None:
        others = [known for known in self._owners(form) if known is not same and known.type == same.type]
        if form != fact.name and others and form not in fact.ambiguous:
            return
        if same.forms.get(form) is None:
            same.forms[form] = fact.forms.get(form)
        if form in fact.ambiguous or [known for known in self._owners(form) if known is not same]:
            same.ambiguous.add(form)
        self._note(same, form)


def finish(facts: Iterable[Fact], casing: Casing, free: set[str]) -> dict[str, list[dict[str, str]]]:
    """The rows of each type's file, by id."""
    ordered = sorted(facts, key=lambda f: (-f.weight, f.name, f.type))
    ids: dict[str, Fact] = {}
    for fact in ordered:
        identifier = slug(fact.name)
        if identifier in ids and (fact.expansion or fact.sense):
            identifier = slug(f"{fact.name} {fact.expansion or fact.sense}")
        if identifier in ids:
            print(f"left out, a namesake without an expansion: {fact.name} ({fact.type}, {fact.source})")
            continue
        ids[identifier] = fact
    by_name = {
        form: identifier for identifier, fact in reversed(ids.items()) for form in fact.forms if form not in fact.ambiguous and not form.islower()
    }
    by_name |= {fact.name: identifier for identifier, fact in ids.items()}
    out: dict[str, list[dict[str, str]]] = defaultdict(list)
    for identifier, fact in sorted(ids.items()):
        family = by_name.get(fact.family, "") or next(
            (by_name[p] for p in parents(fact.name) if p in by_name and by_name[p] != identifier and ids[by_name[p]].type == fact.type), ""
        )
        out[fact.type].append(_row(identifier, fact, family if family != identifier else "", casing, free))
    return out


def _row(identifier: str, fact: Fact, family: str, casing: Casing, free: set[str]) -> dict[str, str]:
    forms = _distinct(fact)
    exact = [f for f in forms if f in fact.exact or _is_word(f, casing, free)]
    return {
        "id": identifier,
        "name": fact.name,
        "aliases": "|".join(forms[1:]),
        "family": family,
        "also": fact.also if fact.also != fact.type else "",
        "exact": "|".join(exact),
        "ambiguous": "|".join(f for f in forms if f in fact.ambiguous or (f in exact and f[1:].islower())),
        "priors": "|".join("" if fact.forms.get(f) is None else f"{fact.forms[f]:g}" for f in forms).rstrip("|"),
        "url": " ".join(sorted(fact.urls)),
        "source": fact.source,
    }


def _distinct(fact: Fact) -> list[str]:
    """The name and those other forms that match what no form before them matches."""
    kept = [fact.name]
    seen = set(signatures(fact.name))
    cased = {fact.name}
    for form in sorted(set(fact.forms) - {fact.name}, key=lambda f: (not is_acronym(f), f.lower(), f)):
        own = signatures(form)
        if not own <= seen or (is_acronym(fact.name) != is_acronym(form) and form not in cased):
            kept.append(form)
            cased.add(form)
        elif fact.forms.get(fact.name) is None and own & signatures(fact.name):
            fact.forms[fact.name] = fact.forms[form]
        seen |= own
    return kept


def _is_word(form: str, casing: Casing, free: set[str]) -> bool:
    """Whether a one-word name with capitals is also a plain word of running text."""
    return form.isalpha() and form != form.lower() and form not in free and casing.counts[form.lower()] >= 3

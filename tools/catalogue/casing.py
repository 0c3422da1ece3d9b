"""How words are written when no title gives them capitals: counted in running text."""

import re
from collections import Counter
from collections.abc import Iterable

from kg.surface import singular

_WORD = re.compile(r"(?<=[a-z,] )[A-Za-z][A-Za-z'’]*")


_PLURALS = {"squares", "words", "neighbors", "neighbours", "dynamics", "statistics", "series", "bias", "flops"}


class Casing:
    """Counts of words inside sentences, by their case."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Count in clean texts."""
        self.counts: Counter[str] = Counter()
        for text in texts:
            self.counts.update(set(_WORD.findall(text)))

    def lowers(self, word: str) -> bool:
        """Whether a capitalised word is usually written without its capital."""
        lower, upper = self.counts[word.lower()], self.counts[word[:1].upper() + word[1:].lower()]
        return lower >= 2 and lower > 0.5 * upper

    def canonical(self, name: str, kind: str) -> str:
        """A name in the form of a catalogue: singular; without a title's capitals, unless it is a proper name."""
        name = " ".join(name.replace("’", "'").split())
        proper = kind in ("Dataset", "Model")
        if not proper and name.rpartition(" ")[2].lower() not in _PLURALS:
            name = singular(name)
        words = name.split(" ")
        if proper and len(words) == 1:
            return name
        out = []
        for given in words:
            word = given
            parts = word.split("-")
            plain = all((p[:1].isupper() and p[1:].islower()) or p.islower() for p in parts if p)
            if plain and not proper and len(word) > 1:
                word = "-".join(p.lower() if self.lowers(p) else p for p in parts)
            out.append(word)
        return " ".join(out)

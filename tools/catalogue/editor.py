"""What the editors of the catalogue wrote by hand: rows of their own, and mends of the lexicon."""

import csv
from collections.abc import Iterator
from pathlib import Path

from catalogue.facts import Fact

HERE = Path(__file__).parent / "editor"
TYPES = ("dataset", "model", "method", "metric", "task")


def facts() -> Iterator[Fact]:
    """The rows of `editor/TYPE.txt` and of `editor/TYPE.corpus.txt`, whose names were read in lists that the corpus gave.

    A row is `name | alias | alias`, and after ` # ` marks: also=, family=, exp= (expansion), sense= (what tells it from a namesake), amb (all
    forms ambiguous), amb=form, exact=form.
    """
    for kind in TYPES:
        for source in ("editor", "corpus"):
            path = HERE / (f"{kind}.txt" if source == "editor" else f"{kind}.corpus.txt")
            if path.is_file():
                for line in path.read_text(encoding="utf-8").splitlines():
                    if line.strip() and not line.startswith("##"):
                        yield _fact(line, kind.capitalize(), source)


def _fact(line: str, kind: str, source: str) -> Fact:
    names, _, marks = line.partition(" # ")
    name, *aliases = [part.strip() for part in names.split("|")]
    fact = Fact(name, kind, source, forms=dict.fromkeys((name, *aliases)))
    for mark in marks.split(";"):
        word, _, value = mark.strip().partition("=")
        match word:
            case "also":
                fact.also = value.capitalize()
            case "family":
                fact.family = value
            case "exp":
                fact.expansion = value
                fact.forms[value] = None
            case "sense":
                fact.sense = value
            case "amb":
                fact.ambiguous |= set(value.split(",")) if value else set(fact.forms)
            case "exact":
                fact.exact |= set(value.split(",")) if value else set(fact.forms)
            case "":
                pass
            case _:
                raise SystemExit(f"{kind}: unknown mark {word!r} in {line!r}")
    return fact


def mends() -> dict[str, dict[str, str]]:
    """Corrections of lexicon rows by their term, from `editor/mends.tsv`."""
    path = HERE / "mends.tsv"
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    header = rows[0]
    return {
        row[0]: {column: "" if cell == "-" else cell for column, cell in zip(header[1:], row[1:], strict=False) if cell} for row in rows[1:] if row
    }


def stop() -> set[str]:
    """Names that no package puts into the catalogue, from `editor/stop.txt`."""
    path = HERE / "stop.txt"
    return set(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else set()


def phrases() -> set[str]:
    """Phrases of the corpus that were read and are names, from `editor/phrases.txt`."""
    path = HERE / "phrases.txt"
    return set(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else set()


def free() -> set[str]:
    """Names that may stand in lower case although they are words as well, from `editor/free.txt`."""
    path = HERE / "free.txt"
    return set(path.read_text(encoding="utf-8").split()) if path.is_file() else set()

"""Add what the editors wrote to the compiled catalogue: `python tools/catalogue/extend.py [--build BUILD.duckdb --without GOLD.jsonl]`.

Takes `ontology/catalogue/*.csv` as it is and the rows of `editor/*.txt`; needs neither the lexicon nor the packages. No id, name or type of a row
changes, and no form is taken from a row. A second run changes nothing.
"""

import argparse
import csv
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent.parent.parent)]

from catalogue import editor  # noqa: E402
from catalogue.compile import ROOT, TYPES, write  # noqa: E402
from catalogue.facts import CLOSE, Fact  # noqa: E402

from kg.extract.catalogue import Matcher, signatures  # noqa: E402
from kg.model import EntityType  # noqa: E402
from kg.ontology import CatalogueRow  # noqa: E402
from kg.surface import is_named, key, slug  # noqa: E402

MEASURED = 5
Row = dict[str, str]


class Rows:
    """The catalogue's rows, and which of them own a form."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Index the rows; each has its type under "type"."""
        self.by_id: dict[str, Row] = {}
        self._owners: dict[object, list[Row]] = defaultdict(list)
        for row in rows:
            self.by_id[row["id"]] = row
            for form in forms(row):
                self._note(row, form)

    def _note(self, row: Row, form: str) -> None:
        for at in (*signatures(form), key(form)):
            if row not in self._owners[at]:
                self._owners[at].append(row)

    def owners(self, form: str) -> list[Row]:
        """The rows that have a form, by their ids."""
        return sorted({row["id"]: row for at in (*signatures(form), key(form)) for row in self._owners[at]}.values(), key=lambda row: row["id"])

    def add(self, fact: Fact) -> str:
        """Take a fact in; returns why it was left out, or ""."""
        owners = self.owners(fact.name)
        row = _fitting(owners, fact)
        if row is None and not fact.sense and any(not _other_case(fact, known) for known in owners):
            named = [known for known in owners if key(known["name"]) == key(fact.name)]
            if len(named) != 1 or named[0]["also"]:
                return f"{fact.type} {fact.name}: known as " + ", ".join(f"{known['type']} {known['name']}" for known in owners)
            row = named[0]
        if row is None:
            identifier = slug(fact.name)
            if identifier in self.by_id:
                if not fact.sense:
                    return f"{fact.type} {fact.name}: its id is taken by {self.by_id[identifier]['type']}"
                identifier = slug(f"{fact.name} {fact.sense}")
                if identifier in self.by_id:
                    return ""
            row = {"id": identifier, "name": fact.name, "type": fact.type, "also": fact.also, "source": fact.source}
            row |= dict.fromkeys(("aliases", "family", "exact", "ambiguous", "priors", "url"), "")
            self.by_id[identifier] = row
            if owners:
                fact.ambiguous.add(fact.name)
        if not row["also"] and row["type"] != (other := fact.also if row["type"] == fact.type else fact.type):
            row["also"] = other
        row["family"] = row["family"] or self._family(fact, row)
        for form in (fact.name, *sorted(set(fact.forms) - {fact.name})):
            self._take(row, form, fact)
        return ""

    def _family(self, fact: Fact, row: Row) -> str:
        found = (
            [known["id"] for known in self.owners(fact.family) if known["type"] == row["type"] and known["id"] != row["id"]] if fact.family else []
        )
        return found[0] if len(found) == 1 else ""

    def _take(self, row: Row, form: str, fact: Fact) -> None:
        if form not in forms(row):
            others = [known for known in self.owners(form) if known is not row]
            marked = form in fact.ambiguous
            if (others and not marked) or any(known is row for known in self.owners(form)):
                return
            row["aliases"] = "|".join(filter(None, (row["aliases"], form)))
            if fact.source not in row["source"].split(";"):
                row["source"] += f";{fact.source}"
        self._note(row, form)
        for column, chosen in (("ambiguous", fact.ambiguous), ("exact", fact.exact)):
            before = list(filter(None, row[column].split("|")))
            added = row["source"] == fact.source or row["aliases"].endswith(form)
            if form in chosen and form not in before and added:
                row[column] = "|".join((*before, form))


def forms(row: Row) -> list[str]:
    """The name and the aliases of a row."""
    return [row["name"], *filter(None, row["aliases"].split("|"))]


def _fitting(owners: list[Row], fact: Fact) -> Row | None:
    """The row that a fact repeats: one of its type, of its second type, or of a type close to it; by its name before an alias."""
    if fact.sense:
        return None
    named = [row for row in owners if signatures(row["name"]) & signatures(fact.name)]
    for rows in (named, owners):
        for fits in (
            [row for row in rows if row["type"] == fact.type],
            [row for row in rows if row["also"] == fact.type],
            [row for row in rows if frozenset((row["type"], fact.type)) in CLOSE],
        ):
            if len(fits) == 1:
                return fits[0]
    return None


def _other_case(fact: Fact, row: Row) -> bool:
    """Whether a row meets a fact only in another case: a name with capitals inside and a word."""
    return is_named(fact.name) and fact.name not in forms(row) and not any(is_named(form) and key(form) == key(fact.name) for form in forms(row))


def measure(rows: Iterable[Row], build: Path, without: set[str]) -> None:
    """Fill in priors that are not known: of the papers that hold a form, the share in which a build's extraction took it for an entity."""
    import duckdb

    connection = duckdb.connect(str(build), read_only=True)
    left_out = {paper for paper, record in connection.execute("SELECT paper, record FROM places").fetchall() if record in without}
    wanted: dict[str, str] = {}
    for row in rows:
        if not row["priors"]:
            wanted |= {form.lower(): form for form in forms(row)}
    matcher = Matcher(
        [CatalogueRow(low, form, EntityType.METHOD, exact=(form,) if form != low else (), priors=(None,)) for low, form in wanted.items()]
    )
    held: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    found: dict[str, set[str]] = defaultdict(set)
    for paper, surface in connection.execute("SELECT paper, surface FROM found_surfaces").fetchall():
        found[paper].update(signature for signature in map(" ".join, signatures(surface)))
    for paper, abstract in connection.execute("SELECT paper, abstract FROM papers").fetchall():
        if paper not in left_out:
            for low in {hit.row.id for hit in matcher.hits(abstract)}:
                held[low] += 1
                taken[low] += bool(found[paper] & {" ".join(signature) for signature in signatures(low)})
    for row in rows:
        if not row["priors"]:
            cells = [f"{round(taken[f.lower()] / held[f.lower()], 2):g}" if held[f.lower()] >= MEASURED else "" for f in forms(row)]
            row["priors"] = "|".join(cells).rstrip("|")


def main() -> None:
    """Read, add, write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--catalogue", type=Path, default=ROOT / "ontology" / "catalogue")
    options.add_argument("--build", type=Path, help="a build's .kg/build.duckdb: priors of the rows that are new are measured in it")
    options.add_argument("--without", type=Path, action="append", default=[], help="JSON Lines of papers that no prior is measured on")
    given = options.parse_args()
    known: list[Row] = []
    for kind in TYPES:
        with (given.catalogue / f"{kind.lower()}.csv").open(encoding="utf-8", newline="") as lines:
            known += [{**row, "type": kind} for row in csv.DictReader(lines)]
    rows = Rows(known)
    before = set(rows.by_id)
    for fact in editor.facts():
        if why := rows.add(fact):
            print(f"left out: {why}")
    if given.build:
        without = {json.loads(line)["id"] for file in given.without for line in file.read_text(encoding="utf-8").splitlines()}
        measure([row for identifier, row in rows.by_id.items() if identifier not in before], given.build, without)
    out: dict[str, list[Row]] = defaultdict(list)
    for _, row in sorted(rows.by_id.items()):
        out[row.pop("type")].append(row)
    write(out, given.catalogue)


if __name__ == "__main__":
    main()

"""What the program knows beforehand, read from `ontology/`: the catalogue of names, and the terms and prefixes of the vocabulary.

In a checkout the files lie in the top-level folder `ontology/`; an installed wheel carries the same folder as `kg/ontology_data`.
"""

import csv
import gc
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from kg.errors import OntologyError
from kg.model import EntityType, RelationKind
from kg.surface import key, slug

COLUMNS = ("id", "name", "aliases", "family", "also", "exact", "ambiguous", "priors", "url", "source")
_TYPES = {member.value: member for member in EntityType}
_ALSO: dict[str, EntityType | None] = {"": None, **_TYPES}


class CatalogueRow(NamedTuple):
    """One name of the field. `exact` holds the forms that count only in this very case, `ambiguous` those that mean other things as well.

    `priors` has a number for each form: the share of the papers holding the form in which it stands for this entity, as far as that was measured,
    else None. `added` marks the rows of the user's own catalogue.
    """

    id: str
    name: str
    type: EntityType
    also: EntityType | None = None
    aliases: tuple[str, ...] = ()
    family: str = ""
    exact: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    priors: tuple[float | None, ...] = ()
    urls: tuple[str, ...] = ()
    source: str = ""
    added: bool = False

    @property
    def forms(self) -> tuple[str, ...]:
        """The name and its aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, eq=False)
class Catalogue:
    """The rows in the order of their ids, and the ways to find one."""

    rows: tuple[CatalogueRow, ...]
    version: str

    @cached_property
    def by_id(self) -> Mapping[str, CatalogueRow]:
        """The row of each id."""
        return {row.id: row for row in self.rows}

    @cached_property
    def _by_key(self) -> Mapping[str, tuple[CatalogueRow, ...]]:
        found: dict[str, tuple[CatalogueRow, ...]] = {}
        for row in self.rows:
            for form in row.forms:
                at = key(form)
                known = found.get(at, ())
                if row not in known:
                    found[at] = (*known, row)
        return found

    def lookup(self, surface: str) -> tuple[CatalogueRow, ...]:
        """The rows that have a surface form as their name or alias, compared by `kg.surface.key`; several when it is ambiguous.

        >>> [row.id for row in load().catalogue.lookup("GSM-8K")]
        ['gsm8k']
        """
        return self._by_key.get(key(surface), ())

    def families(self, identifier: str) -> tuple[CatalogueRow, ...]:
        """The ancestors of a row, nearest first.

        >>> [row.id for row in load().catalogue.families("resnet-50")]
        ['resnet']
        """
        found = []
        row = self.by_id.get(identifier)
        while row is not None and row.family:
            row = self.by_id[row.family]
            found.append(row)
        return tuple(found)


@dataclass(frozen=True, eq=False)
class Ontology:
    """Everything that `ontology/` says."""

    folder: Path
    catalogue: Catalogue

    @cached_property
    def prefixes(self) -> Mapping[str, str]:
        """Prefix to namespace, from `context.jsonld`."""
        path = self.folder / "context.jsonld"
        try:
            context = json.loads(path.read_text(encoding="utf-8"))["@context"]
        except (OSError, ValueError, KeyError) as error:
            raise OntologyError(f"{path}: no usable JSON-LD context ({error})") from error
        return {name: iri for name, iri in sorted(context.items()) if isinstance(iri, str) and iri.endswith(("#", "/"))}

    @cached_property
    def terms(self) -> "Mapping[str, Term]":
        """The classes and properties of `kg.ttl` by their local names; every type and relation is among them.

        >>> load().terms["Dataset"].label
        'dataset'
        """
        return _terms(self.folder / "kg.ttl", self.prefixes["kg"])


class Term(NamedTuple):
    """A class or property of the vocabulary, in its own words."""

    iri: str
    label: str
    comment: str


def _terms(path: Path, namespace: str) -> dict[str, Term]:
    """The terms that a Turtle file defines in a namespace, by their local names."""
    import pyoxigraph

    label, comment = (f"http://www.w3.org/2000/01/rdf-schema#{name}" for name in ("label", "comment"))
    said: dict[str, dict[str, str]] = {}
    try:
        for quad in pyoxigraph.parse(path=str(path), format=pyoxigraph.RdfFormat.TURTLE):
            if isinstance(quad.subject, pyoxigraph.NamedNode) and isinstance(quad.object, pyoxigraph.Literal):
                said.setdefault(quad.subject.value, {})[quad.predicate.value] = quad.object.value
    except (OSError, SyntaxError) as error:
        raise OntologyError(f"{path}: cannot be read ({error})", hint="install the package again, or check out the folder ontology/") from error
    terms = {iri.removeprefix(namespace): Term(iri, text[label], text.get(comment, "")) for iri, text in said.items() if label in text}
    missing = [member.value for member in (*EntityType, *RelationKind) if member.value not in terms]
    if missing:
        raise OntologyError(f"{path}: no label for {', '.join(missing)}")
    return terms


def folder() -> Path:
    """The folder of the ontology: beside the installed package, else of the checkout."""
    installed = Path(__file__).parent / "ontology_data"
    return installed if installed.is_dir() else Path(__file__).parent.parent / "ontology"


def _priors(cell: str, count: int, where: str) -> tuple[float | None, ...]:
    if not cell:
        return (None,) * count
    try:
        priors = [float(part) if part else None for part in cell.split("|")]
    except ValueError:
        raise OntologyError(f"{where}: the priors {cell!r}", hint="a number from 0 to 1 for each form, or nothing, parted by |") from None
    return (*priors, *[None] * (count - len(priors)))


def _row(cells: Sequence[str], kind: EntityType, where: str) -> CatalogueRow:
    """A row from its cells in the order of COLUMNS."""
    identifier, name, aliases_cell, family, also, exact, ambiguous, priors, url, source = cells
    if not name:
        raise OntologyError(f"{where}: a row without a name")
    if also not in _ALSO:
        raise OntologyError(f"{where}: {name!r} has {also!r} as its second type", hint="one of " + ", ".join(_TYPES))
    aliases = tuple(aliases_cell.split("|")) if aliases_cell else ()
    row = CatalogueRow(
        identifier or slug(name),
        name,
        kind,
        _ALSO[also],
        aliases,
        family,
        tuple(exact.split("|")) if exact else (),
        tuple(ambiguous.split("|")) if ambiguous else (),
        _priors(priors, 1 + len(aliases), where),
        tuple(url.split()),
        source,
    )
    for form in (*row.exact, *row.ambiguous):
        if form != name and form not in aliases:
            raise OntologyError(f"{where}: {form!r} is marked, but is no name of {name!r}", hint="list it among the aliases first")
    return row


def _table(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV or TSV file as cells in the order of `columns`, "" where the file lacks one, each with its line number."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise OntologyError(f"{path}: cannot be read ({error})", hint="a CSV file in UTF-8") from error
    lines = text.splitlines()
    reader = csv.reader(lines, delimiter="\t" if lines and "\t" in lines[0] else ",")
    header = [cell.strip() for cell in next(reader, [])]
    if "name" not in header or not set(header) <= set(columns):
        raise OntologyError(f"{path}: its first line must name the columns", hint="name and any of " + ", ".join(c for c in columns if c != "name"))
    at = [header.index(column) if column in header else -1 for column in columns]
    plain = at == list(range(len(columns)))
    try:
        for cells in reader:
            if len(cells) == len(header):
                yield reader.line_num, cells if plain else [cells[i].strip() if i >= 0 else "" for i in at]
            elif cells:
                raise OntologyError(
                    f"{path}:{reader.line_num}: {len(cells)} cells under {len(header)} columns", hint="quote a cell that holds a comma"
                )
    except csv.Error as error:
        raise OntologyError(f"{path}:{reader.line_num}: {error}") from error


def _merged(before: CatalogueRow, row: CatalogueRow) -> CatalogueRow:
    aliases = tuple(form for form in dict.fromkeys((*before.aliases, *row.forms)) if form != before.name)
    return before._replace(
        type=row.type,
        also=row.also or before.also,
        aliases=aliases,
        priors=(*before.priors, *[None] * (len(aliases) + 1 - len(before.priors))),
        family=row.family or before.family,
        exact=tuple(dict.fromkeys((*before.exact, *row.exact))),
        ambiguous=tuple(dict.fromkeys((*before.ambiguous, *row.ambiguous))),
        urls=tuple(dict.fromkeys((*before.urls, *row.urls))),
    )


def _add_extra(path: Path, known: dict[str, CatalogueRow]) -> None:
    """Add a user's rows; one with an id that is known gives that row a type, more aliases and what else it fills in."""
    for number, (*cells, stated) in _table(path, (*COLUMNS, "type")):
        where = f"{path}:{number}"
        before = known.get(cells[0] or slug(cells[1] or "-"))
        kind = stated or (before.type.value if before else "")
        if kind not in _TYPES:
            raise OntologyError(f"{where}: {cells[1]!r} has the type {kind!r}", hint="one of " + ", ".join(_TYPES))
        row = _row(cells, _TYPES[kind], where)
        row = _merged(before, row) if before else row
        known[row.id] = row._replace(source=row.source or path.name, added=True)


def _check_families(known: Mapping[str, CatalogueRow]) -> None:
    for row in known.values():
        seen = {row.id}
        at = row
        while at.family:
            if at.family not in known:
                raise OntologyError(f"catalogue: {at.name!r} belongs to the family {at.family!r}, which no row has as its id")
            if at.family in seen:
                raise OntologyError(f"catalogue: the families of {row.name!r} go round in a circle")
            seen.add(at.family)
            at = known[at.family]


def _catalogue(files: Iterable[Path], extra: Sequence[Path]) -> Catalogue:
    known: dict[str, CatalogueRow] = {}
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
        kind = _TYPES[path.stem.capitalize()]
        for number, cells in _table(path, COLUMNS):
            row = _row(cells, kind, f"{path}:{number}")
            if row.id in known:
                raise OntologyError(f"{path}:{number}: the id {row.id!r} stands twice: {known[row.id].name!r} and {row.name!r}")
            known[row.id] = row
    for path in extra:
        _add_extra(path, known)
        digest.update(path.read_bytes())
    _check_families(known)
    return Catalogue(tuple(known[identifier] for identifier in sorted(known)), digest.hexdigest()[:16])


@contextmanager
def without_collector() -> Iterator[None]:
    """Hold the cyclic garbage collector while very many small objects are made, none of them in a cycle: it would walk them again and again."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


@cache
def _load(extra: tuple[Path, ...]) -> Ontology:
    root = folder()
    files = [root / "catalogue" / f"{name.lower()}.csv" for name in _TYPES]
    missing = [path for path in files if not path.is_file()]
    if missing:
        raise OntologyError(f"{missing[0]} is missing", hint="install the package again, or check out the folder ontology/")
    with without_collector():
        return Ontology(root, _catalogue(files, extra))


_in_use: tuple[Path, ...] = ()


def use(extra: Sequence[str | Path]) -> None:
    """Add the user's catalogue files to what `load()` gives in this process from now on; every worker process calls it once."""
    global _in_use  # noqa: PLW0603  the extractors take nothing but a text
    _in_use = tuple(Path(path) for path in extra)


def load(extra: Sequence[str | Path] | None = None) -> Ontology:
    """The ontology, with the user's own catalogue files added (those of `use` when none are given); read once per set of files.

    A user's file is CSV or TSV with a header: `name` and `type`, and any of the catalogue's other columns.

    Raises OntologyError naming file and line when something does not hold together.

    >>> load().catalogue.by_id["gsm8k"].type.value
    'Dataset'
    """
    return _load(_in_use if extra is None else tuple(Path(path) for path in extra))

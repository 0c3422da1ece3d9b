"""What the program knows beforehand, read from `ontology/`: the catalogue of names, and the terms and prefixes of the vocabulary.

In a checkout the files lie in the top-level folder `ontology/`; an installed wheel carries the same folder as `kg/ontology_data`.
"""

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from kg.errors import OntologyError
from kg.model import EntityType
from kg.surface import key, slug

COLUMNS = ("id", "name", "aliases", "family", "also", "exact", "ambiguous", "prior", "url", "source")
_TYPES = {member.value: member for member in EntityType}
_ALSO: dict[str, EntityType | None] = {"": None, **_TYPES}


class CatalogueRow(NamedTuple):
    """One name of the field. `exact` holds the forms that count only in this very case, `ambiguous` those that mean other things as well.

    `prior` is the share of the papers holding the name in which it stands for this entity, as far as it was measured; None when it was not.
    """

    id: str
    name: str
    type: EntityType
    also: EntityType | None = None
    aliases: tuple[str, ...] = ()
    family: str = ""
    exact: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    prior: float | None = None
    urls: tuple[str, ...] = ()
    source: str = ""

    @property
    def forms(self) -> tuple[str, ...]:
        """The name and its aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


def folder() -> Path:
    """The folder of the ontology: beside the installed package, else of the checkout."""
    installed = Path(__file__).parent / "ontology_data"
    return installed if installed.is_dir() else Path(__file__).parent.parent / "ontology"


def _split(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("|")) if cell else ()


def _row(cells: Mapping[str, str], type_name: str, where: str) -> CatalogueRow:
    name = cells.get("name", "").strip()
    if not name:
        raise OntologyError(f"{where}: a row without a name")
    if type_name not in _TYPES:
        raise OntologyError(f"{where}: {name!r} has the type {type_name!r}", hint="one of " + ", ".join(_TYPES))
    also = cells.get("also", "")
    if also not in _ALSO:
        raise OntologyError(f"{where}: {name!r} has {also!r} as its second type", hint="one of " + ", ".join(_TYPES))
    try:
        prior = float(cells["prior"]) if cells.get("prior") else None
    except ValueError:
        raise OntologyError(f"{where}: {name!r} has the prior {cells['prior']!r}", hint="a number from 0 to 1, or nothing") from None
    row = CatalogueRow(
        cells.get("id") or slug(name),
        name,
        _TYPES[type_name],
        _ALSO[also],
        _split(cells.get("aliases", "")),
        cells.get("family", ""),
        _split(cells.get("exact", "")),
        _split(cells.get("ambiguous", "")),
        prior,
        tuple(cells.get("url", "").split()),
        cells.get("source", ""),
    )
    stray = [form for form in (*row.exact, *row.ambiguous) if form != name and form not in row.aliases]
    if stray:
        raise OntologyError(f"{where}: {stray[0]!r} is marked, but is no name of {name!r}", hint="list it among the aliases first")
    return row


def _read(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The rows of a CSV or TSV file with a header, each with where it stands."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise OntologyError(f"{path}: cannot be read ({error})", hint="a CSV file in UTF-8") from error
    lines = text.splitlines()
    delimiter = "\t" if lines and "\t" in lines[0] else ","
    reader = csv.reader(lines, delimiter=delimiter)
    header = [cell.strip() for cell in next(reader, [])]
    if "name" not in header or not set(header) <= set(columns):
        raise OntologyError(f"{path}: its first line must name the columns", hint="name and any of " + ", ".join(c for c in columns if c != "name"))
    try:
        for cells in reader:
            if cells and len(cells) != len(header):
                raise OntologyError(f"{path}:{reader.line_num}: {len(cells)} cells under {len(header)} columns", hint="quote a cell that holds a comma")
            if cells:
                yield f"{path}:{reader.line_num}", dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise OntologyError(f"{path}:{reader.line_num}: {error}") from error


def _own(path: Path) -> Iterator[CatalogueRow]:
    for where, cells in _read(path, COLUMNS):
        yield _row(cells, path.stem.capitalize(), where)


def _extra(path: Path, known: dict[str, CatalogueRow]) -> None:
    """Add a user's rows; one with an id that is known gives it a type, more aliases and what else it fills in."""
    for where, cells in _read(path, (*COLUMNS, "type")):
        before = known.get(cells.get("id") or slug(cells["name"].strip() or "-"))
        row = _row(cells, cells.get("type") or (before.type.value if before else ""), where)
        if before:
            joined = dict.fromkeys((*before.forms, *row.forms))
            joined.pop(before.name)
            row = before._replace(
                type=row.type,
                also=row.also or before.also,
                aliases=tuple(joined),
                family=row.family or before.family,
                exact=tuple(dict.fromkeys((*before.exact, *row.exact))),
                ambiguous=tuple(dict.fromkeys((*before.ambiguous, *row.ambiguous))),
                urls=tuple(dict.fromkeys((*before.urls, *row.urls))),
            )
        known[row.id] = row._replace(source=row.source or path.name)


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
        for row in _own(path):
            if row.id in known:
                raise OntologyError(f"{path}: the id {row.id!r} stands twice: {known[row.id].name!r} and {row.name!r}")
            known[row.id] = row
    for path in extra:
        _extra(path, known)
        digest.update(path.read_bytes())
    _check_families(known)
    return Catalogue(tuple(known[identifier] for identifier in sorted(known)), digest.hexdigest()[:16])


@cache
def _load(extra: tuple[Path, ...]) -> Ontology:
    root = folder()
    files = [root / "catalogue" / f"{name.lower()}.csv" for name in _TYPES]
    missing = [path for path in files if not path.is_file()]
    if missing:
        raise OntologyError(f"{missing[0]} is missing", hint="install the package again, or check out the folder ontology/")
    return Ontology(root, _catalogue(files, extra))


def load(extra: Sequence[Path] = ()) -> Ontology:
    """The ontology, with the user's own catalogue files added; read once per set of files.

    A user's file is CSV or TSV with a header: `name` and `type`, and any of the catalogue's other columns.

    Raises OntologyError naming file and line when something does not hold together.

    >>> load().catalogue.by_id["gsm8k"].type.value
    'Dataset'
    """
    return _load(tuple(Path(path) for path in extra))

"""The store that answers SPARQL: in memory for a small build, on disk beside a large one."""

import contextlib
import hashlib
import io
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import BuildError
from kg.rdf.write import lines
from kg.tables import database, meta, open_build

if TYPE_CHECKING:
    import duckdb
    import pyoxigraph
    import rdflib

SMALL = 60_000
"""Links up to which the store is made in memory whenever it is needed."""

VERSION = "1"
"""Changes when the statements that are written change, so that an older store on disk is made anew."""

_LOAD_BYTES = 64 * 2**20
_ABANDONED = 24 * 3600
"""Seconds after which a store that somebody began to make counts as left behind by a process that died."""


def store(folder: Path | str) -> "pyoxigraph.Store":
    """The store of the build in `folder`, ready to be queried.

    A large build's store lies in `.kg/store/<version>`: it is loaded in another folder, which then takes that name, so that nobody reads a half.
    Where the tables are missing, as in a published copy of a build, `graph.ttl` is loaded.

    Raises BuildError when there is neither.
    """
    folder = Path(folder)
    if not database(folder).exists() and (folder / "graph.ttl").exists():
        return _from_turtle(folder / "graph.ttl")
    with contextlib.closing(open_build(folder)) as connection:
        if is_small(connection):
            return memory(connection)
        return _on_disk(folder, connection)


def is_small(connection: "duckdb.DuckDBPyConnection") -> bool:
    """Whether a build is small enough for a store in memory."""
    return bool(connection.execute(f"SELECT count(*) <= {SMALL} FROM links").fetchall()[0][0])


def base_of(connection: "duckdb.DuckDBPyConnection") -> str:
    """The base IRI that a build was made with."""
    from kg.rdf.terms import BASE, check_base

    return check_base(meta(connection).get("base") or BASE)


def base_in(folder: Path | str) -> str:
    """The base IRI of the build in `folder`; the usual one where only `graph.ttl` is there."""
    from kg.rdf.terms import BASE

    if not database(folder).exists():
        return BASE
    with contextlib.closing(open_build(folder)) as connection:
        return base_of(connection)


def memory(connection: "duckdb.DuckDBPyConnection") -> "pyoxigraph.Store":
    """A store in memory of a build's statements, with the evidence quoted."""
    import pyoxigraph

    made = pyoxigraph.Store()
    _load(made, connection)
    return made


def graph(connection: "duckdb.DuckDBPyConnection", folder: Path | str | None = None) -> "rdflib.Graph":
    """A build as an rdflib Graph with its prefixes bound, for people's own scripts.

    A store of Oxigraph stands behind it, by oxrdflib: in memory, or the one on disk when the build is large and its `folder` is given.
    """
    import rdflib
    from oxrdflib.store import OxigraphStore
    from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

    from kg.rdf.write import prefixes

    held = memory(connection) if folder is None or is_small(connection) else _on_disk(Path(folder), connection)
    made = rdflib.Graph(OxigraphStore(store=held), DATASET_DEFAULT_GRAPH_ID, bind_namespaces="none")
    for name, iri in prefixes(base_of(connection)).items():
        made.bind(name, iri)
    return made


def _from_turtle(path: Path) -> "pyoxigraph.Store":
    import pyoxigraph

    made = pyoxigraph.Store()
    try:
        made.bulk_load(path=str(path), format=pyoxigraph.RdfFormat.TURTLE)
    except (SyntaxError, OSError) as error:
        raise BuildError(f"{path} cannot be read: {error}", hint="build again") from error
    return made


def _load(made: "pyoxigraph.Store", connection: "duckdb.DuckDBPyConnection") -> None:
    import pyoxigraph

    part = io.BytesIO()
    for piece in lines(connection, base_of(connection)):
        part.write(piece.encode("utf-8", "surrogatepass"))
        if part.tell() > _LOAD_BYTES:
            made.bulk_load(part.getvalue(), pyoxigraph.RdfFormat.N_TRIPLES)
            part = io.BytesIO()
    made.bulk_load(part.getvalue(), pyoxigraph.RdfFormat.N_TRIPLES)


def _on_disk(folder: Path, connection: "duckdb.DuckDBPyConnection") -> "pyoxigraph.Store":
    import pyoxigraph

    ready = _place(folder)
    if not ready.exists():
        with building(ready.parent) as place:
            made = pyoxigraph.Store(str(place))
            _load(made, connection)
            made.optimize()
            made.flush()
            del made
            install(folder, place)
    return pyoxigraph.Store.read_only(str(ready))


def current(folder: Path | str) -> Path | None:
    """The store on disk of the build in `folder`, when there is one and it holds what the tables hold."""
    return ready if database(folder).exists() and (ready := _place(folder)).exists() else None


def install(folder: Path | str, place: Path) -> None:
    """Make the store in `place` that of the build in `folder`; the ones before it go."""
    ready = _place(folder)
    with contextlib.suppress(OSError):
        place.rename(ready)
    _remove_others(ready.parent, ready)


def _place(folder: Path | str) -> Path:
    found = database(folder).stat()
    version = hashlib.sha256(f"{VERSION} {found.st_mtime_ns} {found.st_size}".encode()).hexdigest()[:16]
    return database(folder).parent / "store" / version


@contextlib.contextmanager
def building(stores: Path) -> Iterator[Path]:
    """A new folder beside the stores, which is gone in the end unless it was given another name."""
    for left in stores.glob("building-*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _ABANDONED:
                shutil.rmtree(left)
    place = stores / f"building-{os.getpid()}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _remove_others(stores: Path, ready: Path) -> None:
    for other in stores.iterdir():
        if other != ready and not other.name.startswith("building-"):
            shutil.rmtree(other, ignore_errors=True)

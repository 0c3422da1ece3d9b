"""Which files are read: paths given by the user → SourceFile, in an order that does not depend on the machine."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from itertools import count as count_from
from pathlib import Path

from kg.readers.limits import CHUNK

STDIN = "-"
OWN_FILES = frozenset({"kg.toml", "decisions.tsv"})
"""Files of kg's own that may lie beside the papers."""


NOTES = frozenset(
    {
        "readme",
        "license",
        "licence",
        "copying",
        "notice",
        "changelog",
        "changes",
        "history",
        "authors",
        "contributors",
        "contributing",
        "makefile",
        "todo",
    }
)
"""Files by these names in a folder are about the folder; they are read when named themselves."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read. `name` is shown to the user, `label` stands in the ids of records that have only an id of their own.

    `path` is None for standard input, whose `sha256` is "" because it can be read only once. With a `problem` the file cannot be read.
    """

    name: str
    label: str
    path: Path | None
    sha256: str = ""
    size: int = 0
    problem: str = ""
    remedy: str = ""


def content_hash(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hex.

    Raises:
        OSError: the file cannot be read.

    """
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def sources(paths: Sequence[str | Path], *, hashed: bool = True) -> Iterator[SourceFile]:
    """List the files behind paths: files as given, folders walked in the order of their names; each real file once.

    Hidden files and kg's own (kg.toml, decisions.tsv) inside folders are passed over. Names are as given, inside a folder relative to it, with "/".

    Args:
        paths: files, folders, or "-" for standard input.
        hashed: fill `sha256`, which reads every file once.

    >>> [source.problem for source in sources(["no-such-file.json"])]
    ['no such file or folder']

    """
    seen: set[str] = set()
    names: set[str] = set()
    labels: set[str] = set()
    for given in paths:
        for found, tag, path, problem in _listed(given):
            name, label = _shown(found), _shown(tag)
            real = os.path.realpath(path) if path else STDIN
            if real not in seen:
                seen.add(real)
                outer = f"{_posix(given).strip('/').split('/')[-1]}/{label}" if name != _posix(given) else name
                yield _source(_free(name, outer, names), _free(label, outer, labels), path, problem, hashed)


def _free(name: str, outer: str, taken: set[str]) -> str:
    """A name that no file before has: its own, else with its folder's, else with a number."""
    free = next(choice for choice in chain((name, outer), (f"{outer}+{count}" for count in count_from(2))) if choice not in taken)
    taken.add(free)
    return free


def _source(name: str, label: str, path: Path | None, problem: tuple[str, str], hashed: bool) -> SourceFile:
    if problem[0] or path is None:
        return SourceFile(name, label, path, problem=problem[0], remedy=problem[1])
    try:
        if not path.is_file():
            return SourceFile(name, label, path)
        return SourceFile(name, label, path, content_hash(path) if hashed else "", path.stat().st_size)
    except OSError as error:
        return SourceFile(name, label, path, problem=(error.strerror or str(error)).lower(), remedy="check that the file is there and may be read")


def _posix(given: str | Path) -> str:
    return str(given).replace(os.sep, "/")


def _listed(given: str | Path) -> Iterator[tuple[str, str, Path | None, tuple[str, str]]]:
    """Name, label, path and problem of each file behind one given path."""
    if str(given) == STDIN:
        yield STDIN, "stdin", None, ("", "")
        return
    path = Path(given)
    name = _posix(given)
    if path.is_dir():
        yield from _walked(path)
    elif path.exists():
        yield name, path.name, path, ("", "")
    else:
        yield name, path.name, path, ("no such file or folder", "check the spelling; a folder, a file or - may be given")


def _walked(top: Path, folder: Path | None = None) -> Iterator[tuple[str, str, Path | None, tuple[str, str]]]:
    here = folder or top
    try:
        entries = sorted(os.scandir(here), key=lambda entry: entry.name)
    except OSError as error:
        name = here.relative_to(top).as_posix() if folder else _posix(top)
        yield name, name, here, (f"the folder cannot be listed: {error.strerror}", "check its permissions")
        return
    for entry in entries:
        path = here / entry.name
        name = path.relative_to(top).as_posix()
        if entry.name.startswith(".") or entry.name in OWN_FILES:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walked(top, path)
        elif path.stem.lower() in NOTES and path.suffix.lower() in ("", ".md", ".txt", ".rst", ".markdown"):
            yield name, name, path, ("notes about a folder, not papers", "name the file itself to have it read")
        elif _is_dir(path):
            yield name, name, path, ("a link to a folder is not followed", "name the folder itself on the command line")
        elif _is_special(path):
            yield name, name, path, ("not a regular file", "move it out of the folder")
        else:
            yield name, name, path, ("", "")


def _is_dir(path: Path) -> bool:
    """Whether a link leads to a folder; one that leads to itself leads nowhere."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _is_special(path: Path) -> bool:
    try:
        return path.exists() and not path.is_file()
    except OSError:
        return False


def _shown(name: str) -> str:
    """A file's name as text: bytes that are not UTF-8 are spelled out."""
    return name.encode("utf-8", "backslashreplace").decode()

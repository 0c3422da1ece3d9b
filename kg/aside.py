"""Files and folders written aside, then put in place: whoever looks sees the old whole or the new whole."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from kg.errors import KgError

MARK = ".written-by-kg"
"""A file in each exported folder: only a folder that holds it is ever replaced."""


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A path to write to, which takes the place of `path` when the block ends well and vanishes when it fails."""
    aside = _beside(path)
    try:
        yield aside
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


@contextlib.contextmanager
def replaced_folder(path: Path) -> Iterator[Path]:
    """An empty folder to fill, which takes the place of the folder `path` when the block ends well.

    Raises KgError when `path` exists and was not made by an earlier export: notes that someone keeps are not thrown away.
    """
    if path.exists() and not (path / MARK).exists() and (not path.is_dir() or any(path.iterdir())):
        raise KgError(f"{path} exists and was not written by kg", hint="choose another folder, or move that one away")
    aside, old = _beside(path), path.with_name(f".{path.name}.{os.getpid()}.old")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    try:
        yield aside
        (aside / MARK).write_text("This folder is written anew by each export; keep your own files elsewhere.\n", encoding="utf-8")
        if path.exists():
            os.replace(path, old)
        os.replace(aside, path)
    finally:
        if old.exists() and not path.exists():
            os.replace(old, path)
        shutil.rmtree(old, ignore_errors=True)
        shutil.rmtree(aside, ignore_errors=True)


def _beside(path: Path) -> Path:
    """The process id keeps two exports of the same file from writing into one another; it is no part of what stays."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")

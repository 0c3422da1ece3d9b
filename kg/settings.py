"""The options of a build: their defaults, the user's kg.toml, the command line. The command line wins."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from kg.errors import KgError

FILE = "kg.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a build. `workers` 0 means one a core; `catalogue` and `decisions` are the user's own files."""

    out: Path = Path("exports")
    tier: str = "default"
    workers: int = 0
    strict: bool = False
    fresh: bool = False
    full_text: bool = False
    authors: bool = False
    map: Mapping[str, str] = field(default_factory=dict)
    catalogue: tuple[Path, ...] = ()
    decisions: Path | None = None
    formats: tuple[str, ...] = ()
    evidence: str = "quotes"
    base: str = ""
    min_cooccurrences: int = 2


_CHOICES = {"tier": ("default", "fast", "rules"), "evidence": ("none", "quotes", "full")}


def load(file: Path | None, **given: Any) -> tuple[Settings, dict[str, str]]:
    """The options in force and where each comes from ("default", the file's path or "command line").

    `file` is a kg.toml or None; `given` are the command line's, None where the user said nothing. Paths in the file are relative to it.

    >>> settings, origin = load(None, tier="fast", workers=None)
    >>> settings.tier, origin["tier"], origin["workers"]
    ('fast', 'command line', 'default')
    """
    settings = Settings()
    origin = {f.name: "default" for f in fields(Settings)}
    if file is not None:
        for name, value in _read(file).items():
            settings = replace(settings, **{name: _value(name, value, file.parent, str(file))})
            origin[name] = str(file)
    for name, value in given.items():
        if value is not None and value != ():
            settings = replace(settings, **{name: _value(name, value, Path(), "the command line")})
            origin[name] = "command line"
    return settings, origin


def find(paths: tuple[str, ...]) -> Path | None:
    """The kg.toml beside the papers: in the first folder given or beside the first file, else in the working folder."""
    places = [Path(path) if Path(path).is_dir() else Path(path).parent for path in paths if path != "-"]
    return next((place / FILE for place in [*places[:1], Path()] if (place / FILE).is_file()), None)


def _read(file: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise KgError(f"{file} cannot be read: {error}", hint='it holds lines such as  tier = "fast"') from error
    names = {f.name for f in fields(Settings)}
    for name in values:
        if name not in names:
            raise KgError(f"{file} has an unknown option: {name}", hint=f"the options are {', '.join(sorted(names))}")
    return values


def _value(name: str, value: Any, folder: Path, where: str) -> Any:
    """The option's value in its type; raises KgError when it does not fit."""
    default = getattr(Settings(), name)
    texts = [value] if isinstance(value, str | Path) else value
    if name in {"out", "decisions", "catalogue", "formats"} and not (
        isinstance(texts, list | tuple) and all(isinstance(part, str | Path) for part in texts)
    ):
        raise KgError(f"{where}: {name} wants text, not {value!r}", hint="kg build --help")
    if name == "map" and not (isinstance(value, Mapping) and all(isinstance(part, str) for part in value.values())):
        raise KgError(f'{where}: map wants a table of field = "column", not {value!r}', hint="kg build --help")
    if name in {"workers", "min_cooccurrences"} and type(value) is int and value < 0:
        raise KgError(f"{where}: {name} wants a number from 0, not {value}", hint="kg build --help")
    if name in {"out", "decisions"}:
        return folder / Path(value)
    if name == "catalogue":
        return tuple(folder / Path(part) for part in texts)
    if name == "formats":
        return tuple(texts)
    if name == "map":
        return dict(value)
    if type(value) is not type(default):
        raise KgError(f"{where}: {name} wants {type(default).__name__}, not {value!r}", hint="kg build --help")
    if value not in _CHOICES.get(name, (value,)):
        raise KgError(f"{where}: {name} is one of {', '.join(_CHOICES[name])}, not {value!r}", hint="kg build --help")
    return value

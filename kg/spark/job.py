"""What every task of a build on a cluster must know."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Job:
    """The folders of a build, which the driver and all executors see under the same path, and the options that change what a task does.

    `tables` and `ntriples` are filled aside and take their places at the end; `work` is thrown away. `version` is that of the extraction.
    """

    tables: Path
    ntriples: Path
    work: Path
    tier: str
    version: str
    catalogue: tuple[Path, ...]
    base: str
    evidence: str
    decisions: Path | None

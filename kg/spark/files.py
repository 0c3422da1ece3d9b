"""The files behind the paths of a build on a cluster: folders and files that the driver sees, and whatever else Spark can read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from kg import readers
from kg.errors import InputError
from kg.readers import SourceFile

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOST_TASKS = 1000
"""Tasks in which files are hashed, at most."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_GLOB = re.compile(r"([\\*?\[\]{}])")
_LOCAL = re.compile(r"^file:/+")


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read: its name, label and what is wrong with it, and the URI under which Spark reads it, without percent signs of its own."""

    source: SourceFile
    uri: str

    @property
    def key(self) -> str:
        """What `key` makes of the path that Spark reports for the file's rows."""
        return _LOCAL.sub("/", self.uri)

    @property
    def parquet(self) -> bool:
        """Whether the file is Parquet, by its ending."""
        return self.uri.lower().endswith(".parquet")


def key(path: str) -> str:
    """The key of the file that Spark reports by this path.

    >>> key("file:/tmp/a%20b.jsonl") == key("file:///tmp/a%20b.jsonl") == Found(SourceFile("a b", "a b", None), "file:///tmp/a b.jsonl").key
    True
    """
    return _LOCAL.sub("/", unquote(path))


def find(spark: "SparkSession", paths: Sequence[str | Path]) -> list[Found]:
    """The files behind paths: those without a scheme as `kg.readers.sources` lists them, those with one (s3a://…, hdfs://…) as Spark does.

    A file on a disk of this machine has its hash; its name and label are the same as in a build without Spark. Any other goes by its URI.
    """
    given = [str(path) for path in paths]
    if "-" in given:
        raise InputError("Spark cannot read standard input", hint="name a file or folder that every executor can read")
    here = [path for path in given if not _SCHEME.match(path)]
    found = [Found(source, _uri(source)) for source in readers.sources(here, hashed=False)]
    for path in given:
        if _SCHEME.match(path):
            listed = spark.read.option("recursiveFileLookup", True).text(path).inputFiles()
            found += [Found(SourceFile(unquote(uri), unquote(uri), None), unquote(uri)) for uri in sorted(listed)]
    return _hashed(spark, found)


def _uri(source: SourceFile) -> str:
    return f"file://{source.path.resolve().as_posix()}" if source.path else ""


def spark_path(uri: str) -> str:
    r"""A URI as a path for Spark, which would take some of its characters for a pattern.

    >>> spark_path("file:///tmp/a[1].jsonl")
    'file:///tmp/a\\[1\\].jsonl'
    """
    return _GLOB.sub(r"\\\1", uri)


def _hashed(spark: "SparkSession", found: list[Found]) -> list[Found]:
    """Hash and size of the files on disk, worked out by the executors."""
    paths = [one.uri.removeprefix("file://") for one in found if one.source.path and not one.source.problem]
    if not paths:
        return found
    stamps = dict(zip(paths, spark.sparkContext.parallelize(paths, min(len(paths), MOST_TASKS)).map(_stamp).collect(), strict=True))
    return [replace(one, source=replace(one.source, **stamps.get(one.uri.removeprefix("file://"), {}))) for one in found]


def _stamp(path: str) -> dict[str, Any]:
    return {"sha256": readers.content_hash(Path(path)), "size": Path(path).stat().st_size}

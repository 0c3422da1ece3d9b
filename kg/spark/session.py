"""The connection to a cluster: started late, with errors that say what is missing."""

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import BuildError, KgError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DEFAULT_MASTER = "local[*]"
JAVA = "install Java 17 or later (Debian: apt install openjdk-17-jre-headless), or set JAVA_HOME"


@contextlib.contextmanager
def session(master: str = "") -> "Iterator[SparkSession]":
    """A Spark session: the one that runs already, else a new one, which ends with the block.

    `master` is Spark's master URL; "" is what spark-submit or spark-defaults.conf says, else `local[*]`. Everything else about the cluster is
    Spark's own configuration. Raises KgError when PySpark or Java is missing, BuildError for what Spark cannot do.
    """
    check()
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    try:
        spark = running or _start(master)
    except (PySparkException, Py4JError, RuntimeError) as error:
        raise KgError(f"Spark does not start: {_first_line(error)}", hint=f"{JAVA}; check --master {master or DEFAULT_MASTER}") from error
    try:
        yield spark
    except (PySparkException, Py4JError) as error:
        raise BuildError(f"Spark stopped: {_first_line(error)}", hint="its log and those of its executors say more") from error
    finally:
        if running is None:
            spark.stop()


@contextlib.contextmanager
def configured(spark: "SparkSession", rows: int) -> Iterator[None]:
    """What a build needs of a session, for the time of the block: `rows` at once for Python, columns told apart by case, and files
    cut the same way each time that they are read, however many executors are up.
    """
    wanted = {
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(rows),
        "spark.sql.caseSensitive": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.files.minPartitionNum": str(spark.sparkContext.defaultParallelism),
    }
    before = {name: spark.conf.get(name, None) for name in wanted}
    for name, value in wanted.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            spark.conf.unset(name) if old is None else spark.conf.set(name, old)


def check() -> None:
    """Raise KgError when PySpark or Java is not installed."""
    try:
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as error:
        raise KgError(f"--engine spark needs {error.name}", hint="pip install 'kg[spark]'") from error
    home = os.environ.get("JAVA_HOME")
    if not (home and any((Path(home) / "bin").glob("java*"))) and not shutil.which("java"):
        raise KgError("--engine spark needs Java, and there is no java on the PATH", hint=JAVA)


def _start(master: str) -> "SparkSession":
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    if master.startswith("local") or not master:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    SparkContext._ensure_initialized()
    conf = SparkConf()
    conf.setMaster(master) if master else conf.setIfMissing("spark.master", DEFAULT_MASTER)
    conf.setIfMissing("spark.app.name", "kg build")
    conf.set("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    return SparkSession.builder.config(conf=conf).getOrCreate()


def _first_line(error: BaseException) -> str:
    """What went wrong, without the stack of the Java machine; of an error on an executor, what it was there."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    raised = [line for line in lines if line.startswith(("kg.errors.", "OSError", "MemoryError"))]
    return (raised[-1] if raised else lines[0] if lines else type(error).__name__)[:400]

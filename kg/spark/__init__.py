"""`kg build` on a cluster: Spark reads, joins the records of a paper, extracts and derives; the same functions as on one machine do the work."""

from kg.spark.build import build

__all__ = ["build"]

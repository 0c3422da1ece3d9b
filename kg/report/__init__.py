"""The analysis page: one HTML file with charts, their numbers and findings, which needs no network."""

from kg.report.chart import Chart
from kg.report.page import charts, html, write
from kg.report.pictures import communities, confidence, gaps, heat_map, most_used, timeline, trends, years

__all__ = ["Chart", "charts", "communities", "confidence", "gaps", "heat_map", "html", "most_used", "timeline", "trends", "write", "years"]

"""The charts of the report, each from its numbers."""

from typing import TYPE_CHECKING

from kg import metrics
from kg.frame import Frame
from kg.model import EntityType
from kg.report import data, draw
from kg.report.chart import Chart

if TYPE_CHECKING:
    import duckdb


def most_used(connection: "duckdb.DuckDBPyConnection", kind: str, top: int = 12) -> Chart | None:
    """The entities of a type in most papers, by what the papers do with them."""
    of = metrics.entity_type(kind)
    found = data.most_used(connection, of, top)
    if not len(found):
        return None
    rows = list(found)
    first = rows[0]
    title = f"Most frequent {of.lower()}: {first['label']}, in {first['papers']:,} paper{'' if first['papers'] == 1 else 's'}"
    picture = draw.role_bars(f"most-used-{of.lower()}", of.lower(), rows)
    about = f"The {of.lower()}s in most papers, and the number of papers."
    return Chart(picture.name, title, about, picture.svg(f"Bar chart. {title}"), found)


def years(connection: "duckdb.DuckDBPyConnection") -> Chart | None:
    """Papers a year."""
    found = data.years(connection)
    if len(found) < 2:
        return None
    counts = dict(found.rows)
    span = range(min(counts), max(counts) + 1)
    rows = [(str(year), counts.get(year, 0), f"{year}: {counts.get(year, 0):,} papers") for year in span]
    picture = draw.columns("years", "paper", rows, every=max(1, len(rows) // 8))
    title = f"{sum(counts.values()):,} papers from {min(counts)} to {max(counts)}"
    return Chart("years", title, "Papers a year, of those with a year.", picture.svg(f"Column chart. {title}"), found)


def heat_map(connection: "duckdb.DuckDBPyConnection", rows: str = "method", columns: str = "dataset", top: int = 14) -> Chart | None:
    """What goes with what: in how many papers two things are together."""
    found = metrics.matrix(connection, rows, columns, top=top)
    if len(found) < 2 or len(found.columns) < 3:
        return None
    names, heads = [str(row[0]) for row in found.rows], list(found.columns[1:])
    counts = [[int(count) for count in row[1:]] for row in found.rows]
    best, y, x = max((count, -y, -x) for y, row in enumerate(counts) for x, count in enumerate(row))
    title = f"{names[-y]} and {heads[-x]} meet most often: in {best:,} papers" if best > 1 else f"No {rows} and {columns} meet in more than one paper"
    picture = draw.heat(f"{rows}-{columns}", names, heads, counts)
    about = f"In how many papers a {rows} (rows) and a {columns} (columns) are together; those that meet most often."
    return Chart(picture.name, title, about, picture.svg(f"Heat map. {title}"), found, wide=True)


def communities(connection: "duckdb.DuckDBPyConnection", measured: Frame, top: int = 12) -> Chart | None:
    """The largest communities, each named by its most central entities."""
    found = metrics.community_names(measured, top=top)
    if not len(found):
        return None
    rows = [
        (row["name"], row["papers"], f"{row['papers']:,} papers", f"{row['name']}: {row['nodes']:,} nodes, {row['papers']:,} of them papers")
        for row in sorted(found, key=lambda row: (-row["papers"], row["community"]))
    ]
    picture = draw.bars("communities", "method", rows, length=72, right=100)
    together = {community for community, degree in zip(measured.column("community"), measured.column("degree"), strict=True) if degree}
    title = f"The largest of {len(together):,} communities: {rows[0][0]}"
    about = "Papers and entities that hang together (Leiden on the confidence of links and relations), each named by its most central entities."
    return Chart("communities", title, about, picture.svg(f"Bar chart. {title}"), found, wide=True)


def trends(connection: "duckdb.DuckDBPyConnection", direction: str = "rising", top: int = 6) -> Chart | None:
    """What rises ("rising") or fades ("fading") as its share of each year's papers."""
    found = data.trends(connection, top).where("direction", direction)
    lines: dict[str, tuple[str, list[tuple[int, float, int]]]] = {}
    for row in found:
        lines.setdefault(row["label"], (row["kind"], []))[1].append((row["year"], row["share"], row["papers"]))
    if not lines:
        return None
    picture = draw.sparks(direction, [(label, kind, points) for label, (kind, points) in lines.items()])
    verb = "rises" if direction == "rising" else "fades"
    title = f"{next(iter(lines))} {verb} most"
    about = "Share of each year's papers; at the right, that of the last year. Compared: the later half of the papers with the earlier."
    return Chart(direction, title, about, picture.svg(f"Lines by year. {title}"), found)


def gaps(connection: "duckdb.DuckDBPyConnection", top: int = 12) -> Chart | None:
    """Methods and datasets that never met although their neighbours did."""
    found = data.gaps(connection, top)
    if not len(found):
        return None
    rows = [
        (
            f"{row['method']}  ×  {row['dataset']}",
            row["score"],
            "via " + ", ".join(row["through"][:2]),
            f"Both are seen with {', '.join(row['through'])}",
        )
        for row in found
    ]
    picture = draw.bars("gaps", "task", [(a, b, draw.cut(c, 46), d) for a, b, c, d in rows], length=56, right=330)
    first = next(iter(found))
    title = f"No paper here has {first['method']} with {first['dataset']}"
    about = "Pairs of a method and a dataset without a common paper whose company overlaps most; longer is more, and rarer, company in common."
    return Chart("gaps", title, about, picture.svg(f"Bar chart. {title}"), found, wide=True)


def confidence(connection: "duckdb.DuckDBPyConnection") -> Chart | None:
    """How sure the extraction is of its links."""
    found = data.confidence(connection)
    total = sum(found.column("links"))
    if not total:
        return None
    sure = sum(links for low, links in found.rows if low >= 0.75)
    rows = [(f"{low:.2f}".rstrip("0").rstrip(".") or "0", links, f"{low:.2f} to {low + 0.05:.2f}: {links:,} links") for low, links in found.rows]
    picture = draw.columns("confidence", "dataset", rows, every=4)
    title = f"{sure / total:.0%} of the links have a confidence of 0.75 or more"
    return Chart("confidence", title, "Links by confidence, from 0 to 1.", picture.svg(f"Histogram. {title}"), found)


def timeline(connection: "duckdb.DuckDBPyConnection", name: str) -> Chart | None:
    """Papers a year that name an entity or its variants."""
    from kg.explore import timeline as numbers

    found = numbers(connection, name)
    if not len(found):
        return None
    rows = [(str(row["year"]), row["papers"], f"{row['year']}: {row['papers']:,} papers, {row['share']:.1%}") for row in found]
    picture = draw.columns("timeline", "dataset", rows, every=max(1, len(rows) // 8))
    title = f"{name} in {sum(found.column('papers')):,} papers"
    return Chart("timeline", title, "Papers a year, variants included.", picture.svg(f"Column chart. {title}"), found)


def most_used_charts(connection: "duckdb.DuckDBPyConnection") -> list[Chart]:
    """One chart for each type that has entities."""
    return [chart for kind in EntityType if (chart := most_used(connection, str(kind)))]

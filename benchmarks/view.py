"""The page of a build in Chromium: seconds until it is ready, frames a second while it moves, beside pyvis' own page of the same graph.

Run from the checkout: python benchmarks/view.py [--nodes 50000] [--gpu]
The graph is invented, with the shape of a real one: few entities in many papers, most in one or two. Frames are counted by requestAnimationFrame
while the view pans for three seconds, as a person drags it. Without --gpu the browser draws in software.
"""

import argparse
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import tables, view
from kg.tables.derive import derive
from kg.tables.schema import columns

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

TYPES = ("Method", "Method", "Method", "Task", "Task", "Dataset", "Metric", "Model")
PAN = """
const done = arguments[0], milliseconds = 3000;
const before = kg.graph.net.getViewPosition();
const start = performance.now();
let frames = 0;
kg.graph.isMoving = true;
kg.graph.net.renderer.dragging = true;
const step = (now) => {
  frames++;
  const part = (now - start) / milliseconds;
  kg.graph.net.moveTo({ position: { x: before.x + 200 * Math.sin(6 * part), y: before.y + 120 * Math.cos(6 * part) } });
  if (part < 1) return requestAnimationFrame(step);
  kg.graph.net.renderer.dragging = kg.graph.isMoving = false;
  return done((1000 * frames) / (performance.now() - start));
};
requestAnimationFrame(step);
"""
PAN_WHOLE = """
const done = arguments[0], milliseconds = 3000;
const camera = kg.graph.renderer.getCamera();
const start = performance.now();
let frames = 0;
kg.graph.renderer.on("afterRender", () => frames++);
const step = (now) => {
  const part = (now - start) / milliseconds;
  camera.setState({ x: 0.5 + 0.1 * Math.sin(6 * part), y: 0.5 + 0.1 * Math.cos(6 * part) });
  if (part < 1) return requestAnimationFrame(step);
  return done((1000 * frames) / (performance.now() - start));
};
requestAnimationFrame(step);
"""
PAN_PYVIS = """
const done = arguments[0], milliseconds = 3000;
network.stopSimulation();
network.setOptions({ physics: { enabled: false } });
const start = performance.now();
let frames = 0;
const step = (now) => {
  frames++;
  const part = (now - start) / milliseconds;
  network.moveTo({ position: { x: 200 * Math.sin(6 * part), y: 120 * Math.cos(6 * part) } });
  if (part < 1) return requestAnimationFrame(step);
  return done((1000 * frames) / (performance.now() - start));
};
requestAnimationFrame(step);
"""


def graph(nodes: int, links: int) -> tuple[int, list[tuple[int, int]]]:
    """How many papers there are, and the links as (paper, entity), drawn from a skewed distribution with a fixed seed."""
    chance = random.Random(1)
    papers = nodes * 2 // 5
    entities = nodes - papers
    found = {(n % papers, n) for n in range(entities)}
    while len(found) < links:
        found.add((chance.randrange(papers), min(entities - 1, int(entities * chance.random() ** 4))))
    return papers, sorted(found)


def build(folder: Path, papers: int, links: list[tuple[int, int]]) -> None:
    """Write the graph as a build, with a sentence of evidence for every link."""
    entities = 1 + max(entity for _, entity in links)
    lists = ("authors", "code", "keywords")
    rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in ("papers", "sentences", "found", "mentions", "resolved")}
    rows["entities"] = [(f"e{n}", f"entity {n}", TYPES[n % len(TYPES)], "", "", False, [], 0, 0) for n in range(entities)]
    for n in range(papers):
        known = {"paper": f"p{n}", "title": f"Paper {n} on something", "year": 2000 + n % 26}
        rows["papers"].append(tuple(known.get(name, [] if name in lists else "") for name in columns("papers")))
    for k, (paper, entity) in enumerate(links):
        text = f"Here we evaluate entity {entity} in a sentence of about the length that such sentences have in abstracts, number {k}."
        role = ("evaluated", "used", "mentioned", "proposed")[k % 4]
        rows["sentences"].append((f"p{paper}", k, k, k + len(text), text))
        rows["found"].append((f"p{paper}", k, f"entity {entity}", TYPES[entity % len(TYPES)], "", role, 0.9, "bench", "", ""))
        rows["mentions"].append((f"p{paper}", k, k, k + 8, f"entity {entity}", TYPES[entity % len(TYPES)], "bench", 0.9, k, 17, 25))
        rows["resolved"].append((f"p{paper}", k, f"e{entity}"))
    with tables.open_build(folder, write=True) as connection, tables.transaction(connection):
        for table, values in rows.items():
            tables.insert(connection, table, values)
        derive(connection, min_cooccurrences=2)


def browser(profile: str, gpu: bool) -> "Chrome":
    """A headless Chromium of a laptop's size."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    drawn = "" if gpu else "disable-gpu use-angle=swiftshader enable-unsafe-swiftshader"
    for flag in f"headless no-sandbox disable-quic no-first-run disable-background-networking disable-component-update disable-sync {drawn}".split():
        options.add_argument(f"--{flag}")
    options.add_argument(f"--user-data-dir={profile}")
    options.add_argument("--window-size=1440,900")
    driver = webdriver.Chrome(options=options, service=Service())
    driver.set_script_timeout(300)
    driver.set_page_load_timeout(600)
    return driver


def opened(driver: "Chrome", path: Path, ready: str) -> float:
    """Seconds from the start of loading until the page says that it is ready."""
    driver.get(path.as_uri())
    end = time.monotonic() + 300
    while not driver.execute_script(f"return Boolean({ready})"):
        if time.monotonic() > end:
            raise TimeoutError(path.name)
        time.sleep(0.02)
    return float(driver.execute_script("return window.readyAt || performance.now()")) / 1000


def pyvis_page(path: Path, papers: int, links: list[tuple[int, int]]) -> float:
    """The same graph by pyvis' from_nx and write_html; returns the seconds of writing."""
    import networkx as nx
    from pyvis.network import Network

    start = time.perf_counter()
    made = nx.Graph((f"p{paper}", f"e{entity}") for paper, entity in links)
    net = Network(cdn_resources="in_line")
    net.from_nx(made)
    path.write_text(net.generate_html(), encoding="utf-8")
    return time.perf_counter() - start


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--links", type=int, default=150_000)
    parser.add_argument("--peer", type=int, default=1_500, help="nodes of the graph that pyvis gets as well")
    parser.add_argument("--gpu", action="store_true")
    asked = parser.parse_args()
    print("| page | nodes | links | file MB | seconds to write | seconds until ready | frames a second |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        driver = browser(str(folder / "profile"), asked.gpu)
        for nodes, links in ((asked.peer, asked.peer * 3), (asked.nodes, asked.links)):
            papers, found = graph(nodes, links)
            build(folder / str(nodes), papers, found)
            for whole in (False, True):
                path = folder / f"{nodes}-{whole}.html"
                start = time.perf_counter()
                with tables.open_build(folder / str(nodes)) as connection:
                    view.write(connection, path, whole=whole)
                written = time.perf_counter() - start
                seconds = opened(driver, path, "document.body.classList.contains('ready')")
                frames = driver.execute_async_script(PAN_WHOLE if whole else PAN)
                report("kg view --whole" if whole else "kg view", nodes, len(found), path, (written, seconds, frames))
            if nodes == asked.peer:
                path = folder / "pyvis.html"
                written = pyvis_page(path, papers, found)
                seconds = opened(driver, path, "window.network && document.querySelector('canvas')")
                report("pyvis from_nx", nodes, len(found), path, (written, seconds, driver.execute_async_script(PAN_PYVIS)))
        driver.quit()


def report(page: str, nodes: int, links: int, path: Path, figures: tuple[float, float, float]) -> None:
    """One row of the table."""
    written, seconds, frames = figures
    print(f"| {page} | {nodes:,} | {links:,} | {path.stat().st_size / 1e6:.1f} | {written:.1f} | {seconds:.1f} | {frames:.0f} |", flush=True)


if __name__ == "__main__":
    main()

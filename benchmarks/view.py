"""The page of a build in Chromium: seconds until it is ready, frames a second while it moves, beside pyvis' own page of the same graph.

Run from the checkout: python benchmarks/view.py [--nodes 50000] [--gpu]
The graph is invented, with the shape of a real one: few entities in many papers, most in one or two. Frames are counted
while the view pans, as a person drags it, for a hundred frames or six seconds. Without --gpu the browser draws in software. The processor time
of all the browser's processes stands beside the clock's, because it says the same on a busy machine.
"""

import argparse
import contextlib
import random
import shutil
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
MOVE = """
const done = arguments[0], most = 6000, enough = 100;
const start = performance.now();
let frames = 0;
const step = (now) => {
  frames++;
  const turn = frames / 12;
  move(Math.sin(turn), Math.cos(turn));
  if (frames < enough && now - start < most) return requestAnimationFrame(step);
  end();
  return done([frames, performance.now() - start]);
};
"""
PAN = (
    MOVE
    + """
const before = kg.graph.net.getViewPosition();
const move = (x, y) => kg.graph.net.moveTo({ position: { x: before.x + 200 * x, y: before.y + 120 * y } });
const end = () => (kg.graph.net.renderer.dragging = kg.graph.isMoving = false);
kg.graph.isMoving = kg.graph.net.renderer.dragging = true;
requestAnimationFrame(step);
"""
)
PAN_WHOLE = (
    MOVE
    + """
const camera = kg.graph.renderer.getCamera();
const move = (x, y) => camera.setState({ x: 0.5 + 0.1 * x, y: 0.5 + 0.1 * y });
const end = () => {};
requestAnimationFrame(step);
"""
)
PAN_PYVIS = (
    MOVE
    + """
network.stopSimulation();
network.setOptions({ physics: { enabled: false } });
const move = (x, y) => network.moveTo({ position: { x: 200 * x, y: 120 * y } });
const end = () => {};
requestAnimationFrame(step);
"""
)


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
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_script_timeout(300)
    driver.set_page_load_timeout(600)
    return driver


def spent(driver: "Chrome") -> float:
    """The processor seconds of the browser's processes so far."""
    import psutil

    total = 0.0
    for process in psutil.Process(driver.service.process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:2])
    return total


def opened(driver: "Chrome", path: Path, ready: str) -> tuple[float, float]:
    """Seconds by the clock and of the processors, from the start of loading until the page says that it is ready."""
    driver.get("about:blank")
    before = spent(driver)
    driver.get(path.as_uri())
    end = time.monotonic() + 300
    while not driver.execute_script(f"return Boolean({ready})"):
        if time.monotonic() > end:
            raise TimeoutError(path.name)
        time.sleep(0.02)
    return float(driver.execute_script("return window.readyAt || performance.now()")) / 1000, spent(driver) - before


def moved(driver: "Chrome", script: str) -> tuple[float, float]:
    """Frames a second by the clock, and processor milliseconds a frame."""
    before = spent(driver)
    frames, milliseconds = driver.execute_async_script(script)
    return 1000 * frames / milliseconds, 1000 * (spent(driver) - before) / frames


def pyvis_page(path: Path, links: list[tuple[int, int]]) -> float:
    """The same graph by pyvis' from_nx and write_html; returns the seconds of writing."""
    import networkx as nx
    from pyvis.network import Network

    start = time.process_time()
    made = nx.Graph((f"p{paper}", f"e{entity}") for paper, entity in links)
    net = Network(cdn_resources="in_line")
    net.from_nx(made)
    path.write_text(net.generate_html(), encoding="utf-8")
    return time.process_time() - start


def measure(driver: "Chrome", folder: Path, nodes: int, links: int, with_peer: bool) -> None:
    """One graph: both pages of ours, and pyvis' own."""
    papers, found = graph(nodes, links)
    build(folder / str(nodes), papers, found)
    ready = "document.body.classList.contains('ready')"
    for whole in (False, True):
        path = folder / f"{nodes}-{whole}.html"
        start = time.process_time()
        with tables.open_build(folder / str(nodes)) as connection:
            view.write(connection, path, whole=whole)
        written = time.process_time() - start
        figures = (written, *opened(driver, path, ready), *moved(driver, PAN_WHOLE if whole else PAN))
        report("kg view --whole" if whole else "kg view", nodes, len(found), path, figures)
    if with_peer:
        path = folder / "pyvis.html"
        written = pyvis_page(path, found)
        figures = (written, *opened(driver, path, "window.network && document.querySelector('canvas')"), *moved(driver, PAN_PYVIS))
        report("pyvis from_nx", nodes, len(found), path, figures)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--links", type=int, default=150_000)
    parser.add_argument("--peer", type=int, default=1_500, help="nodes of the graph that pyvis gets as well")
    parser.add_argument("--gpu", action="store_true")
    asked = parser.parse_args()
    names = ("page", "nodes", "links", "MB", "CPU s to write", "s until ready", "of CPU", "frames a second", "CPU ms a frame")
    print("| " + " | ".join(names) + " |\n" + "|---" * len(names) + "|")
    with tempfile.TemporaryDirectory() as name:
        driver = browser(str(Path(name) / "profile"), asked.gpu)
        for nodes, links in ((asked.peer, asked.peer * 3), (asked.nodes, asked.links)):
            measure(driver, Path(name), nodes, links, nodes == asked.peer)
        driver.quit()


def report(page: str, nodes: int, links: int, path: Path, figures: tuple[float, ...]) -> None:
    """One row of the table."""
    cells = [page, f"{nodes:,}", f"{links:,}", f"{path.stat().st_size / 1e6:.1f}", *(f"{figure:.1f}" for figure in figures)]
    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

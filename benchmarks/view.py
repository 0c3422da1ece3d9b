"""The page in Chromium: until it is ready, a search, and frames a second while it moves, beside pyvis' own page of the same graph.

Run from the checkout: python benchmarks/view.py [--nodes 50000 --links 150000] [--drawn 640] [--patience 300] [--gpu]

The graph is invented with a fixed seed and has the shape of a real one: few entities in many papers, most in one or two. pyvis gets it by from_nx, as
its users would; where that does not end in time, its page is made with the edges put in directly, to see whether a browser can show it. The view is
dragged and zoomed with the mouse, through the browser's own input, and its frames are counted. Without --gpu the browser draws in software. The
processor time of all its processes stands beside the clock's, because it says much the same on a busy machine; the load is printed too.
"""

import argparse
import contextlib
import math
import multiprocessing
import os
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import tables, view
from kg.serve import Server
from kg.tables.derive import derive
from kg.tables.schema import columns

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

TYPES = ("Method", "Method", "Method", "Task", "Task", "Dataset", "Metric", "Model")
WIDTH, HEIGHT = 1440, 900
SECONDS = 6
"""So long the view is moved."""
READY = "document.body && document.body.classList.contains('ready')"
READY_PYVIS = "window.network && document.querySelector('canvas')"
COUNT = """
window.frames_drawn = 0;
window.counting = true;
const step = () => { window.frames_drawn++; if (window.counting) requestAnimationFrame(step); };
requestAnimationFrame(step);
"""
SEARCH = """
const done = arguments[0];
(async () => {
  const times = [];
  for (const query of ["entity 29", "paper 1999", "entity 7", "ENTITY-123", "something", "nothing like it", "paper 1", "entity 29999"]) {
    const start = performance.now();
    await kg.data.find(query, 12);
    times.push(performance.now() - start);
  }
  done([times[0], times.slice(1).reduce((a, b) => a + b) / (times.length - 1)]);
})();
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
        rows["mentions"].append(
            (f"p{paper}", k, k, k + 8, f"entity {entity}", TYPES[entity % len(TYPES)], "bench", 0.9, k, 17, 17 + len(f"entity {entity}"))
        )
        rows["resolved"].append((f"p{paper}", k, f"e{entity}"))
    with tables.open_build(folder, write=True) as connection, tables.transaction(connection):
        for table, values in rows.items():
            tables.insert(connection, table, values)
        derive(connection, min_cooccurrences=2)


@contextlib.contextmanager
def browser(gpu: bool, patience: int) -> "Iterator[Chrome]":
    """A headless Chromium of a laptop's size, ended even when its page hangs."""
    import psutil
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    drawn = "" if gpu else "disable-gpu use-angle=swiftshader enable-unsafe-swiftshader"
    for flag in f"headless no-sandbox disable-quic no-first-run disable-background-networking disable-component-update disable-sync {drawn}".split():
        options.add_argument(f"--{flag}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options.add_argument(f"--user-data-dir={profile}")
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        driver.set_script_timeout(patience)
        driver.set_page_load_timeout(patience)
        measures = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", measures)
        try:
            yield driver
        finally:
            service = psutil.Process(driver.service.process.pid)
            for process in [*service.children(recursive=True), service]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()


def spent(driver: "Chrome") -> dict[int, float]:
    """The processor seconds so far of each process of the browser."""
    import psutil

    found = {}
    for process in psutil.Process(driver.service.process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            found[process.pid] = sum(process.cpu_times()[:2])
    return found


def since(driver: "Chrome", before: dict[int, float]) -> float:
    """The processor seconds that the browser has spent since then; a process that a new page replaced does not count."""
    return sum(seconds - before.get(process, 0.0) for process, seconds in spent(driver).items())


def opened(driver: "Chrome", address: str, ready: str, patience: int) -> dict[str, float]:
    """Seconds by the clock and of the processors, from the start of loading until the page says that it is ready; raises TimeoutError."""
    from selenium.common.exceptions import TimeoutException

    before, start = spent(driver), time.monotonic()
    try:
        driver.get(address)
        while not driver.execute_script(f"return Boolean({ready})"):
            if time.monotonic() - start > patience:
                raise TimeoutError(address)
            time.sleep(0.02)
    except TimeoutException as error:
        raise TimeoutError(address) from error
    seconds = driver.execute_script("return window.readyAt || performance.now()") / 1000
    return {"s until ready": float(seconds), "of CPU": since(driver, before)}


def moved(driver: "Chrome", *, zoom: bool) -> tuple[float, float]:
    """Frames a second by the clock, and processor milliseconds a frame, while the mouse drags the view or its wheel zooms."""

    def mouse(kind: str, x: float, y: float, **more: Any) -> None:
        driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    x, y = WIDTH / 2, HEIGHT - 8
    held = {"button": "left", "buttons": 1}
    driver.execute_script(COUNT)
    before, start, step = spent(driver), time.monotonic(), 0
    if not zoom:
        mouse("mousePressed", x, y, clickCount=1, **held)
    while time.monotonic() - start < SECONDS:
        step += 1
        if zoom:
            mouse("mouseWheel", WIDTH / 2, HEIGHT / 2, deltaX=0, deltaY=60 if step % 24 < 12 else -60)
        else:
            mouse("mouseMoved", x + 200 * math.sin(step / 12), y - 200 + 200 * math.cos(step / 12), **held)
    seconds = time.monotonic() - start
    frames = max(1, driver.execute_script("window.counting = false; return window.frames_drawn"))
    used = since(driver, before)
    if not zoom:
        mouse("mouseReleased", x, y, clickCount=1, **held)
    return frames / seconds, 1000 * used / frames


def shown(address: str, ready: str, asked: argparse.Namespace) -> dict[str, float]:
    """The figures of one page in a browser of its own; those that it does not live to give are left out."""
    figures: dict[str, float] = {}
    with browser(asked.gpu, asked.patience) as driver, contextlib.suppress(TimeoutError):
        figures |= opened(driver, address, ready, asked.patience)
        if ready is READY:
            figures["ms first search"], figures["ms a search"] = driver.execute_async_script(SEARCH)
        figures["frames a second dragged"], figures["CPU ms a frame"] = moved(driver, zoom=False)
        figures["zoomed"], _ = moved(driver, zoom=True)
    return figures


def pyvis_page(path: Path, links: list[tuple[int, int]], straight: bool) -> None:
    """The graph by pyvis' from_nx and generate_html; `straight` puts the edges in directly, without its add_edge."""
    import networkx as nx
    from pyvis.network import Network

    made = nx.Graph((f"p{paper}", f"e{entity}") for paper, entity in links)
    net = Network(cdn_resources="in_line")
    if straight:
        net.add_nodes(list(made))
        net.edges = [{"from": a, "to": b, "width": 1} for a, b in made.edges]
    else:
        net.from_nx(made)
    path.write_text(net.generate_html(), encoding="utf-8")


def within(seconds: int, work: Any, *arguments: Any) -> float | None:
    """The seconds that a function takes in a process of its own, with what it imports; None when it does not end in time."""
    process = multiprocessing.get_context("spawn").Process(target=work, args=arguments)
    start = time.monotonic()
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.kill()
        return None
    return time.monotonic() - start


def kg_page(folder: Path, path: Path, whole: bool) -> None:
    """A page of kg."""
    with tables.open_build(folder) as connection:
        view.write(connection, path, whole=whole)


def ours(folder: Path, path: Path, asked: argparse.Namespace, whole: bool) -> dict[str, float]:
    """The figures of a page of kg."""
    written = within(asked.patience, kg_page, folder, path, whole) or 0.0
    return {"s to write": written, "MB": path.stat().st_size / 1e6, **shown(path.as_uri(), READY, asked)}


def served(folder: Path, asked: argparse.Namespace) -> dict[str, float]:
    """The page of kg serve; the seconds to write are those until its tables are ready."""
    server = Server(folder, port=0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    start = time.monotonic()
    size = len(server.live.page) / 1e6
    written = time.monotonic() - start
    figures = {"s to write": written, "MB": size, **shown(f"{server.address}graph", READY, asked)}
    server.close()
    return figures


def measure(folder: Path, nodes: int, links: int, asked: argparse.Namespace) -> None:
    """One graph: our pages and pyvis', first as ratios."""
    papers, found = graph(nodes, links)
    build(folder / str(nodes), papers, found)
    rows = {
        "kg view": ours(folder / str(nodes), folder / "view.html", asked, whole=False),
        "kg view --whole": ours(folder / str(nodes), folder / "whole.html", asked, whole=True),
        "kg serve": served(folder / str(nodes), asked),
    }
    path = folder / f"pyvis-{nodes}.html"
    written = within(asked.patience, pyvis_page, path, found, False)
    name = "pyvis from_nx"
    if written is None:
        rows[name] = {}
        name = "pyvis, edges put in directly"
        written = within(asked.patience, pyvis_page, path, found, True)
    rows[name] = {"s to write": written or 0.0, "MB": path.stat().st_size / 1e6, **shown(path.as_uri(), READY_PYVIS, asked)}
    report(nodes, len(found), rows, asked.patience)


def compared(name: str, figure: str, mine: float, peer_name: str, peer: dict[str, float], patience: int) -> str:
    """One figure as a ratio to the peer's."""
    if figure not in peer:
        return f"{name}, {figure}: {mine:.1f}; {peer_name}: not within {patience} s"
    ratio = mine / peer[figure] if figure.startswith("frames") else peer[figure] / mine
    return f"{name}, {figure}: {ratio:,.1f} times " + ("the frames of" if figure.startswith("frames") else "as fast as") + f" {peer_name}"


def report(nodes: int, links: int, rows: dict[str, dict[str, float]], patience: int) -> None:
    """The ratios to the peer, then the table."""
    print(f"\n{nodes:,} nodes, {links:,} links; load at the end {os.getloadavg()[0]:.1f}\n")
    *_, (peer_name, peer) = rows.items()
    for name in ("kg view", "kg view --whole"):
        for figure in ("s to write", "s until ready", "frames a second dragged"):
            print(compared(name, figure, rows[name][figure], peer_name, peer, patience))
    figures = list(dict.fromkeys(figure for row in rows.values() for figure in row))
    print("\n| page | " + " | ".join(figures) + " |\n|---" + "|---" * len(figures) + "|")
    for name, row in rows.items():
        cells = [f"{row[figure]:,.1f}" if figure in row else "–" for figure in figures]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--links", type=int, default=150_000)
    parser.add_argument("--drawn", type=int, default=640, help="nodes of a graph that is drawn at once, with four times as many links")
    parser.add_argument("--patience", type=int, default=300, help="seconds after which a page or its writing is given up")
    parser.add_argument("--gpu", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for nodes, links in ((asked.drawn, asked.drawn * 4), (asked.nodes, asked.links)):
            measure(Path(name), nodes, links, asked)


if __name__ == "__main__":
    main()

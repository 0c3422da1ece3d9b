"""Every figure of the docs in one run: `python benchmarks/all.py PAPERS.jsonl.gz GOLD.jsonl -o FOLDER [--only NAME…] [--papers N]`.

Runs the other scripts of this folder one after the other, so that what is compared is measured in the same minutes on the same machine. FOLDER gets
`figures.json` (the machine, each script's lines and its ratios) and `ratios.png`. A script that fails is named and the others run on. Some hours with
all papers; `--papers` takes the first N for the builds.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RATIO = re.compile(r"^(?:ratio (?P<name>[^:\n]+): (?P<value>[\d.]+)|(?P<page>kg [^:\n]+): (?P<times>[\d.,]+) times .*)$", re.MULTILINE)


def scripts(papers: str, gold: str, out: Path, count: int | None) -> dict[str, list[str]]:
    """The scripts with their arguments, the quick ones first."""
    some = ["--papers", str(count)] if count else []
    return {
        "coverage": [gold],
        "resolution": [],
        "matcher": [papers],
        "extraction": [papers],
        "readers": [papers],
        "rdf": [],
        "view": [],
        "scale": [papers, "--json", str(out / "scale.json")],
        "corpus": [papers, "-o", str(out / "corpus"), "--json", str(out / "corpus.json"), *some],
    }


def machine() -> dict[str, Any]:
    """What the figures were measured on; the load is that before the first script."""
    names = re.findall(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE) if os.name == "posix" else []
    return {
        "system": platform.platform(),
        "processor": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load": os.getloadavg()[0],
    }


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """A script's lines, ratios, seconds and exit status; its lines are shown as they come."""
    print(f"== {name}", flush=True)
    began, lines = time.perf_counter(), []
    with subprocess.Popen([sys.executable, str(HERE / f"{name}.py"), *arguments], stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line.rstrip("\n"))
    found = RATIO.finditer("\n".join(lines))
    ratios = {match["name"] or match["page"]: float((match["value"] or match["times"]).replace(",", "")) for match in found}
    return {"seconds": round(time.perf_counter() - began, 1), "exit": process.returncode, "ratios": ratios, "lines": lines}


def plot(figures: dict[str, Any], path: Path) -> None:
    """How many times as fast as its peer each thing is, on a logarithmic axis."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    ratios = {name: value for result in figures["scripts"].values() for name, value in result["ratios"].items()}
    if not ratios:
        return
    figure, axes = pyplot.subplots(figsize=(8, 1 + 0.4 * len(ratios)), layout="constrained")
    axes.barh(list(ratios), list(ratios.values()), color="#4477aa")
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.bar_label(axes.containers[0], fmt="%.3g×", padding=3)
    axes.margins(x=0.15)
    axes.set_xlabel("times as fast as the peer, in the same run")
    figure.savefig(path, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers")
    parser.add_argument("gold")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--only", nargs="+", help="these scripts alone")
    parser.add_argument("--papers", dest="count", type=int, help="so many papers for the builds")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    wanted = scripts(chosen.papers, chosen.gold, chosen.out, chosen.count)
    figures: dict[str, Any] = {"machine": machine(), "scripts": {}}
    for name in chosen.only or wanted:
        figures["scripts"][name] = run(name, wanted[name])
        (chosen.out / "figures.json").write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    plot(figures, chosen.out / "ratios.png")
    failed = [name for name, result in figures["scripts"].items() if result["exit"]]
    print(f"{chosen.out / 'figures.json'}" + (f"; failed: {', '.join(failed)}" if failed else ""))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

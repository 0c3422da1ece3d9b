"""Compile `ontology/catalogue/*.csv`: `python tools/catalogue/compile.py --lexicon TSV --corpus JSONL.GZ --packages FOLDER`.

See docs/catalogue.md for the sources and what was taken from each.
"""

import argparse
import csv
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent.parent.parent)]

from catalogue import editor, lexicon
from catalogue.casing import Casing
from catalogue.facts import Joiner, finish

from kg.ontology import COLUMNS

ROOT = Path(__file__).parent.parent.parent


def main() -> None:
    """Read every source, join, write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lexicon", type=Path, required=True)
    options.add_argument("--corpus", type=Path, required=True, help="abstracts in which the case of words is counted")
    options.add_argument("--packages", type=Path, help="folder of downloaded wheels")
    options.add_argument("--out", type=Path, default=ROOT / "ontology" / "catalogue")
    given = options.parse_args()
    casing = Casing(given.corpus)
    joiner = Joiner()
    for fact in editor.facts():
        joiner.add(fact)
    for fact in lexicon.read(given.lexicon, editor.mends(), casing):
        joiner.add(fact)
    rows = finish(joiner.facts, casing, editor.free())
    given.out.mkdir(parents=True, exist_ok=True)
    for name in ("Dataset", "Metric", "Method", "Model", "Task"):
        with (given.out / f"{name.lower()}.csv").open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows[name])
        print(name, len(rows[name]))


if __name__ == "__main__":
    main()

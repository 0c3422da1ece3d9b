"""Compile `ontology/catalogue/*.csv`: `python tools/catalogue/compile.py --lexicon TSV --corpus JSONL.GZ --packages FOLDER`.

See docs/catalogue.md for the sources and what was taken from each.
"""

import argparse
import csv
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent), str(Path(__file__).parent.parent.parent)]

from catalogue import editor, lexicon, packages, pick  # noqa: E402
from catalogue.casing import Casing  # noqa: E402
from catalogue.corpus import Corpus  # noqa: E402
from catalogue.facts import Joiner, finish  # noqa: E402
from catalogue.sieve import sift  # noqa: E402

from kg.ontology import COLUMNS  # noqa: E402

ROOT = Path(__file__).parent.parent.parent
TYPES = ("Dataset", "Metric", "Method", "Model", "Task")


def main() -> None:
    """Read every source, join, write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lexicon", type=Path, required=True)
    options.add_argument("--corpus", type=Path, required=True, help="abstracts as gzipped JSON Lines: how names are written, and how often")
    options.add_argument("--without", type=Path, action="append", default=[], help="JSON Lines of papers to leave out of the corpus")
    options.add_argument("--packages", type=Path, required=True, help="folder of downloaded wheels")
    options.add_argument("--mined", type=Path, help="what mine.py counted")
    options.add_argument("--cache", type=Path, help="file that keeps the clean corpus between runs")
    options.add_argument("--out", type=Path, default=ROOT / "ontology" / "catalogue")
    given = options.parse_args()
    corpus = Corpus(given.corpus, given.without, given.cache)
    casing = Casing(text[2] for text in corpus.texts[::8])
    joiner = Joiner()
    for fact in editor.facts():
        joiner.add(fact)
    for fact in lexicon.read(given.lexicon, editor.mends(), casing):
        joiner.add(fact)
    carried = list(packages.facts(given.packages))
    for fact in sift(carried, corpus.surfaces(form for one in carried for form in one.forms), editor.stop()):
        joiner.add(fact, decides=False)
    if given.mined:
        known = pick.keys(joiner.forms())
        blocked = pick.keys([*lexicon.terms(given.lexicon), *editor.stop()]) - known
        for fact in pick.facts(given.mined, pick.Judge(given.lexicon), casing, known, blocked | pick.keys(editor.stop()), editor.phrases()):
            joiner.add(fact, decides=False)
    write(finish(joiner.facts, casing, editor.free()), given.out)


def write(rows: dict[str, list[dict[str, str]]], out: Path) -> None:
    """A CSV file for each type."""
    out.mkdir(parents=True, exist_ok=True)
    for name in TYPES:
        with (out / f"{name.lower()}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows[name])
        print(name, len(rows[name]))


if __name__ == "__main__":
    main()

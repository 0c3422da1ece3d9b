"""Cards to train on from the annotations beside this file: `python tools/annotations/cards.py PAPERS.jsonl.gz > more.jsonl`.

`cards.jsonl.gz` holds names, types, roles and relations of 1,000 papers by their ids, and no text; PAPERS.jsonl.gz are the papers with title and
abstract.
"""

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path


def cards(papers: str) -> Iterator[str]:
    """The annotated papers with their text, a line each, in the order of `papers`."""
    with gzip.open(Path(__file__).parent / "cards.jsonl.gz", "rt", encoding="utf-8") as lines:
        annotated = {card["id"]: card for card in map(json.loads, lines)}
    with gzip.open(papers, "rt", encoding="utf-8") as lines:
        for paper in map(json.loads, lines):
            if paper["id"] in annotated:
                yield json.dumps({"title": paper["title"], "abstract": paper["abstract"], **annotated[paper["id"]]}, ensure_ascii=False)


if __name__ == "__main__":
    for line in cards(sys.argv[1]):
        print(line)

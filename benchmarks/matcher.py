"""Speed of the catalogue: seconds to load and abstracts a second on one core. `python benchmarks/matcher.py CORPUS.jsonl.gz [N]`."""

import gzip
import itertools
import json
import sys
import time


def main() -> None:
    """Print the figures."""
    started = time.perf_counter()
    from kg.extract.catalogue import matcher

    matcher()
    loaded = time.perf_counter()
    from kg.text import clean

    with gzip.open(sys.argv[1], "rt", encoding="utf-8") as lines:
        texts = [clean(json.loads(line)["abstract"]) for line in itertools.islice(lines, int(sys.argv[2]) if len(sys.argv) > 2 else 2000)]
    begun = time.perf_counter()
    found = sum(len(matcher().hits(text)) for text in texts)
    seconds = time.perf_counter() - begun
    print(f"load {loaded - started:.3f} s; {len(texts) / seconds:,.0f} abstracts/s; {found / len(texts):.1f} hits an abstract")


if __name__ == "__main__":
    main()

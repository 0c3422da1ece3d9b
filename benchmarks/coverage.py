"""How much of the entities that papers mention the catalogue knows: `python benchmarks/coverage.py GOLD.jsonl [--missing N] [--fold]`.

For each type the share of the entities that their paper does not itself introduce, of which some surface form is a name or alias of a row of
that type (or whose second type it is). `--missing N` lists the N most frequent unknown ones; `--fold` counts only the papers held out.
"""

import json
import sys
import zlib
from collections import Counter

from kg.ontology import load


def main(gold: str, missing: int, fold: bool) -> None:
    """Print the table."""
    catalogue = load().catalogue
    total: Counter[str] = Counter()
    known: Counter[str] = Counter()
    untyped: Counter[str] = Counter()
    lacking: Counter[tuple[str, str, str]] = Counter()
    with open(gold, encoding="utf-8") as lines:
        cards = [json.loads(line) for line in lines]
    for card in cards:
        if fold and zlib.crc32(card["id"].encode()) % 5:
            continue
        for entity in card["entities"]:
            if entity["role"] == "proposed":
                continue
            rows = [row for form in (entity["name"], *entity["mentions"]) for row in catalogue.lookup(form)]
            kinds = {entity["type"], *entity.get("also", [])}
            total[entity["type"]] += 1
            untyped[entity["type"]] += bool(rows)
            if any(row.type in kinds or row.also == entity["type"] for row in rows):
                known[entity["type"]] += 1
            else:
                lacking[entity["type"], entity["name"], "/".join(sorted({row.type.value for row in rows}))] += 1
    for kind in sorted(total):
        print(f"{kind:8} {known[kind]:5} of {total[kind]:5}  {known[kind] / total[kind]:.3f}   any type {untyped[kind] / total[kind]:.3f}")
    for (kind, name, other), count in lacking.most_common(missing):
        print(f"   {count} {kind}: {name}" + (f" (known as {other})" if other else ""))


if __name__ == "__main__":
    options = sys.argv[1:]
    count = int(options[options.index("--missing") + 1]) if "--missing" in options else 0
    main(options[0], count, "--fold" in options)

"""The two word lists that the taggers see: `python tools/model_lexicon.py TERMS.tsv PAPERS.jsonl.gz FOLDER`.

TERMS.tsv is the lexicon (term, type, also, name, ambiguous, papers, tagged); PAPERS.jsonl.gz are unlabelled abstracts. Writes `terms.tsv.gz` and
`words.tsv.gz`. Words of fewer than three papers are left out: a name that a paper introduces is to look new in training as it does afterwards.
"""

import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

TYPES = ("Dataset", "Model", "Method", "Metric", "Task")
FREQUENCIES = (3, 6, 15, 50, 150, 500, 2000, 6000, 20000)
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.?!]")


def terms(path: Path) -> Iterator[str]:
    """Lines of term, type, second type (0: none, else from 1), ambiguous, the tenth of its papers in which it names an entity, papers."""
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        term, kind, also, _, ambiguous, papers, tagged = line.split("\t")
        numbers = [1 + TYPES.index(name) if name in TYPES else 0 for name in (kind, also)]
        share = min(9, 10 * int(tagged) // max(1, int(papers)))
        yield "\t".join(map(str, (term, *numbers, int(ambiguous == "yes"), share, papers)))


def words(path: Path) -> Iterator[str]:
    """Lines of a bin and its words: the bin is that of the frequency (1 to 9) and of the share of capitals inside sentences (three)."""
    papers: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            abstract = record["abstract"] or ""
            seen = {w.lower() for w in _WORD.findall(record["title"] or "")}
            for match in _WORD.finditer(abstract):
                lower = match[0].lower()
                seen.add(lower)
                if match.start() > 2 and not _SENTENCE_END.search(abstract, match.start() - 2, match.start()):
                    inside[lower] += 1
                    capital[lower] += match[0] != lower
            papers.update(seen)
    bins: dict[int, list[str]] = defaultdict(list)
    for word, count in papers.items():
        size = sum(count >= least for least in FREQUENCIES)
        if size:
            share = capital[word] / max(1, inside[word])
            bins[1 + 3 * (size - 1) + (share >= 0.2) + (share >= 0.8)].append(word)
    for value in sorted(bins):
        yield f"{value}\t{' '.join(sorted(bins[value]))}"


def write(path: Path, lines: Iterable[str]) -> None:
    """Write lines compressed, without a time in the file."""
    with path.open("wb") as file, gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
        packed.write(("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    lexicon, corpus, out = map(Path, sys.argv[1:4])
    write(out / "terms.tsv.gz", terms(lexicon))
    write(out / "words.tsv.gz", words(corpus))

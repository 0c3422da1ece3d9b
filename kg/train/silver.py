"""Self-training: papers that nobody annotated, labelled by the model in use, for the chain to learn from.

After D. Yarowsky, "Unsupervised word sense disambiguation rivaling supervised methods" (ACL 1995), and G. Hinton, O. Vinyals, J. Dean,
"Distilling the knowledge in a neural network" (2015): the encoder teaches the chain what it learnt of places without annotation.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from kg.errors import InputError
from kg.extract.features import TYPES, Lexicon, see
from kg.model import EntityType, Paper
from kg.readers import read
from kg.text import read_text
from kg.train.examples import Example, GoldSpan

_SEED = 7


def choose(paths: Sequence[Path], count: int, without: frozenset[str], say: Callable[[str], None]) -> list[Paper]:
    """So many papers with an abstract, drawn at random, always the same ones; those whose abstract is in `without` are left out.

    `say` hears of each record that cannot be read. Raises InputError when no paper is left.
    """
    papers = []
    for item in read(paths):
        if not isinstance(item, Paper):
            say(f"unread: {item.source} {item.record}: {item.reason} ({item.remedy})")
        elif item.abstract and item.language == "en" and item.abstract not in without:
            papers.append(item)
    if not papers:
        raise InputError(f"no unlabelled papers in {', '.join(map(str, paths))}", hint="kg inspect FILE shows what can be read")
    random.Random(_SEED).shuffle(papers)  # noqa: S311
    return papers[:count]


def label(papers: Sequence[Paper], out: Path, say: Callable[[str], None]) -> None:
    """Write the mentions that the default tier finds, a line a paper; a run that was stopped goes on after the last line."""
    from kg import extract

    done = sum(1 for _ in out.open(encoding="utf-8")) if out.exists() else 0
    with out.open("a", encoding="utf-8") as lines:
        for number, paper in enumerate(papers[done:], done + 1):
            mentions = extract.run(read_text(paper), "default").mentions
            found = [[m.span.start, m.span.end, m.type.value] for m in mentions]
            lines.write(json.dumps({"id": paper.id, "title": paper.title, "abstract": paper.abstract, "mentions": found}) + "\n")
            if number % 100 == 0:
                lines.flush()
                say(f"labelled {number} of {len(papers)}")


def examples(path: Path, lexicon: Lexicon) -> Iterator[Example]:
    """The labelled papers as examples."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            card = json.loads(line)
            text = read_text(Paper(card["id"], card["title"], card["abstract"], ()))
            seen = see(text, lexicon)
            starts = dict(zip(seen.tokens.starts, range(len(seen.tokens)), strict=True))
            ends = dict(zip(seen.tokens.ends, range(1, len(seen.tokens) + 1), strict=True))
            spans = sorted(
                (starts[start], ends[end], TYPES.index(EntityType(kind))) for start, end, kind in card["mentions"] if start in starts and end in ends
            )
            yield Example(card, text, seen, tuple(GoldSpan(a, b, (kind,), 0) for a, b, kind in spans), reference=False)

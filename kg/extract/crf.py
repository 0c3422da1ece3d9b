"""The fast tier's extractor: a linear chain's beliefs, judged over the whole paper."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from kg.extract.chain import Chain
from kg.extract.features import see
from kg.extract.judge import home, lexicon, mentions, trees
from kg.model import Mention, Text


@cache
def chain(folder: Path) -> Chain:
    """The linear chain of the model in a folder."""
    return Chain(folder / "chain.npz")


def extract(text: Text) -> Iterator[Mention]:
    """The mentions that the fast model finds.

    >>> from kg.model import Paper
    >>> from kg.text import read_text
    >>> text = read_text(Paper("p", "", "We evaluate BERT on the SQuAD dataset.", ()))
    >>> sorted((m.surface, m.type.value) for m in extract(text))
    [('BERT', 'Model'), ('SQuAD', 'Dataset')]
    """
    folder = home()
    seen = see(text, lexicon(folder))
    yield from mentions(text, seen, [chain(folder).beliefs(seen, text)], trees(folder, "crf"), "crf")

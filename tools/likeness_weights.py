"""The weights by which two forms of one paper are told alike: `python tools/likeness_weights.py GOLD.jsonl… > kg/resolve/weights.tsv`.

Logistic regression over the questions of `kg.resolve.likeness`, for every pair of different surface forms of an annotated paper that share a word:
right when both are mentions of one entity. Pairs that abbreviations or the catalogue join stay in: leaving them out cost 0.004 of typed F1.
"""

import itertools
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kg import ontology
from kg.evaluate import read_cards
from kg.resolve.likeness import Described, describe, features
from kg.surface import key
from kg.train_relations import example
from kg.train_relations.fitting import matrix, vocabulary

MINIMUM = 6
"""A question that fewer pairs answer with yes tells nothing."""
STRENGTH = 1 / 3


def forms(card: Mapping[str, Any]) -> tuple[str, list[tuple[int, Described]]]:
    """The clean text, and each form with the number of its entity."""
    item = example(dict(card))
    catalogue = ontology.load().catalogue
    found = []
    for number, entity in enumerate(item.entities):
        by_key: dict[str, list[Any]] = {}
        for mention in entity.mentions:
            by_key.setdefault(key(mention.surface), []).append(mention)
        found += [(number, describe(mentions[0].surface, mentions, item.text.title_end, catalogue)) for mentions in by_key.values()]
    return item.text.clean, found


def pairs(card: Mapping[str, Any]) -> Iterator[tuple[list[str], bool]]:
    """The answers of each pair of a paper's forms, and whether the two are one."""
    clean, found = forms(card)
    everything = [described for _, described in found]
    for (one, first), (two, second) in itertools.combinations(found, 2):
        if asked := list(features(first, second, everything, clean)):
            yield asked, one == two


def main(paths: list[str]) -> Iterator[str]:
    """The lines of the file: a question and its log-odds."""
    from sklearn.linear_model import LogisticRegression

    known = [pair for path in paths for card in read_cards(Path(path)) for pair in pairs(card)]
    cases, labels = [case for case, _ in known], np.array([label for _, label in known])
    rows = vocabulary(cases, MINIMUM)
    model = LogisticRegression(C=STRENGTH, max_iter=500, fit_intercept=False).fit(matrix(cases, rows), labels)
    for question, row in rows.items():
        if abs(model.coef_[0, row]) >= 0.05:
            yield f"{question}\t{model.coef_[0, row]:.2f}"


if __name__ == "__main__":
    print("\n".join(main(sys.argv[1:])))

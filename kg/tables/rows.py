"""Cards to rows: what one paper says, as rows of the found layer."""

import hashlib
from typing import Any

from kg.model import Card, Paper, Span, Text

Rows = dict[str, list[tuple[Any, ...]]]


def text_hash(paper: Paper) -> str:
    """A hash of what extraction reads of a paper: its raw text and its language.

    >>> text_hash(Paper("a", "T", "x", ())) == text_hash(Paper("b", "T", "x", ()))
    True
    """
    return hashlib.sha256("\x1f".join((paper.language, paper.title, paper.abstract)).encode("utf-8", "replace")).hexdigest()[:32]


def card_rows(card: Card, extractor: str) -> Rows:
    """The rows of the found layer for one card. `extractor` is the version of the extraction that made it."""
    paper, text = card.paper.id, card.text
    rows: Rows = {
        "extracted": [(paper, text_hash(card.paper), extractor)],
        "sentences": [_sentence(text, number, span) for number, span in enumerate(text.sentences)],
        "found": [],
        "found_surfaces": [],
        "mentions": [],
    }
    for k, entity in enumerate(card.entities):
        rows["found"].append(
            (
                paper,
                k,
                entity.name,
                entity.type,
                entity.also or "",
                entity.role,
                round(entity.confidence, 3),
                entity.extractor,
                entity.expansion,
                entity.catalogue,
            )
        )
        reasons = dict(entity.reasons)
        rows["found_surfaces"].extend((paper, k, surface, reasons.get(surface, "")) for surface in entity.surfaces)
        for mention in entity.mentions:
            number = text.sentence_of(mention.span.start)
            begin = text.sentences[number].start if text.sentences else 0
            raw = text.original(mention.span)
            rows["mentions"].append(
                (
                    paper,
                    k,
                    raw.start,
                    raw.end,
                    mention.surface,
                    mention.type,
                    mention.extractor,
                    round(mention.score, 3),
                    number,
                    mention.span.start - begin,
                    mention.span.end - begin,
                )
            )
    rows["found_relations"] = [
        (paper, r.head, r.kind, r.tail, text.sentence_of(r.span.start), round(r.confidence, 3), r.extractor) for r in card.relations
    ]
    rows["found_results"] = [_result(card, n) for n in range(len(card.results))]
    return rows


def _sentence(text: Text, number: int, span: Span) -> tuple[Any, ...]:
    raw = text.original(span)
    return (text.paper, number, raw.start, raw.end, text.clean[span.start : span.end])


def _result(card: Card, n: int) -> tuple[Any, ...]:
    r, text = card.results[n], card.text
    raw = text.original(r.span)
    return (
        card.paper.id, n, r.value, r.kind, r.low, r.high, r.before, r.unit, r.higher_is_better, r.subject, r.metric, r.dataset, r.comparator,
        r.subject_text, r.metric_text, r.dataset_text, r.comparator_text, text.sentence_of(r.span.start), raw.start, raw.end,
        round(r.confidence, 3), r.extractor,
    )  # fmt: skip

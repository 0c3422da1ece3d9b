"""The frozen types that the stages exchange. Offsets count Unicode code points, ends are exclusive."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class EntityType(StrEnum):
    """The five kinds of thing that a paper mentions."""

    DATASET = "Dataset"
    MODEL = "Model"
    METHOD = "Method"
    METRIC = "Metric"
    TASK = "Task"


class Role(StrEnum):
    """What a paper does with an entity, strongest first."""

    PROPOSED = "proposed"
    EVALUATED = "evaluated"
    COMPARED = "compared"
    USED = "used"
    MENTIONED = "mentioned"


class RelationKind(StrEnum):
    """A relation between two entities that a paper states."""

    EVALUATED_ON = "evaluatedOn"
    TRAINED_ON = "trainedOn"
    BASED_ON = "basedOn"
    APPLIED_TO = "appliedTo"
    OUTPERFORMS = "outperforms"
    VARIANT_OF = "variantOf"
    PART_OF = "partOf"
    MEASURED_BY = "measuredBy"


class ResultKind(StrEnum):
    """How a reported number is meant."""

    ABSOLUTE = "absolute"
    GAIN = "gain"
    RATIO = "ratio"
    CHANGE = "change"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a paper was read: `source` is the file as the user named it, `record` the line, index or key in it.

    `offset` is where the record's text starts in the file's own decoded text, when the file holds it verbatim.
    """

    source: str
    record: str
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper as its source has it: fields decoded, never cleaned of markup."""

    id: str
    title: str
    abstract: str
    places: tuple[Place, ...]
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    doi: str = ""
    arxiv: str = ""
    openreview: str = ""
    acl: str = ""
    pmid: str = ""
    url: str = ""
    code: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    language: str = "en"

    @property
    def raw(self) -> str:
        """The text that offsets count in: the title, a line feed and the abstract, or the abstract alone."""
        return f"{self.title}\n{self.abstract}" if self.title else self.abstract


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that could not be read; `start` shows how it begins."""

    source: str
    record: str
    reason: str
    remedy: str = ""
    start: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of offsets."""

    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        """Whether the two ranges share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Text:
    """The clean text of one paper, its sentences, and the way back to `Paper.raw`.

    `starts[i]` and `ends[i]` are the range of `Paper.raw` that became `clean[i]`; `title_end` is the clean length of the title.
    """

    paper: str
    clean: str
    sentences: tuple[Span, ...]
    starts: Sequence[int] = field(repr=False)
    ends: Sequence[int] = field(repr=False)
    title_end: int = 0

    def original(self, span: Span) -> Span:
        """The range of `Paper.raw` that a range of the clean text came from."""
        if span.start >= span.end:
            raise ValueError(f"an empty range has no original: {span}")
        return Span(self.starts[span.start], self.ends[span.end - 1])

    def sentence_of(self, offset: int) -> int:
        """The number of the sentence that holds a clean offset (the nearest before it, between two sentences)."""
        from bisect import bisect_right

        return max(0, bisect_right(self.sentences, offset, key=lambda s: s.start) - 1)


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in the clean text where an entity is named.

    `score` is the probability, in [0, 1], that span and type are right; `roles` that of each role, in the order of Role, where the extractor has one.
    """

    span: Span
    surface: str
    type: EntityType
    extractor: str
    score: float
    roles: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Alias:
    """A short form that the text itself expands: "Full Name (FN)"."""

    short: Span
    long: Span


@dataclass(frozen=True, slots=True)
class Found:
    """One entity as one paper knows it: all its mentions in that paper, joined.

    `name` is its canonical form; `expansion` is the full name when the paper gives one; `catalogue` is the id of the catalogue's row,
    or "" when the catalogue does not know it. `reasons` says why each surface form was joined: (surface, reason).
    """

    name: str
    type: EntityType
    mentions: tuple[Mention, ...]
    confidence: float
    extractor: str
    role: Role = Role.MENTIONED
    also: EntityType | None = None
    expansion: str = ""
    catalogue: str = ""
    reasons: tuple[tuple[str, str], ...] = ()

    @property
    def surfaces(self) -> tuple[str, ...]:
        """The distinct surface forms, in order of first appearance."""
        return tuple(dict.fromkeys(m.surface for m in self.mentions))


@dataclass(frozen=True, slots=True)
class FoundRelation:
    """A relation that a paper states between two of its entities, given by their index in the card; `span` is the stating sentence."""

    head: int
    kind: RelationKind
    tail: int
    span: Span
    confidence: float
    extractor: str


@dataclass(frozen=True, slots=True)
class FoundResult:
    """A number that a paper reports. `value` is verbatim; texts are "" and indexes None when the paper does not say.

    `low` and `high` bound the parsed value (equal when it is one number); `before` is the value that it is set against ("58" in 58→67).
    `higher_is_better` is None when neither the metric nor the sentence tells.
    """

    value: str
    kind: ResultKind
    low: float | None
    high: float | None
    unit: str
    span: Span
    confidence: float
    extractor: str
    before: float | None = None
    higher_is_better: bool | None = None
    subject: int | None = None
    metric: int | None = None
    dataset: int | None = None
    comparator: int | None = None
    subject_text: str = ""
    metric_text: str = ""
    dataset_text: str = ""
    comparator_text: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """All that one paper says: what the per-paper stages hand to the tables."""

    paper: Paper
    text: Text
    entities: tuple[Found, ...] = ()
    relations: tuple[FoundRelation, ...] = ()
    results: tuple[FoundResult, ...] = ()

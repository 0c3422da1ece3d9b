"""Names that the words beside them give away: "on the X benchmark", "X score", "datasets such as X, Y and Z"."""

import re
from collections.abc import Iterator

from kg.extract.shapes import NAME, is_proper
from kg.model import EntityType, Mention, Span, Text
from kg.surface import is_named

_AFTER: dict[EntityType, str] = {
    EntityType.DATASET: (
        r"(?:[a-z-]+ ){0,2}?(?:datasets?|data sets?|benchmarks?|corpus|corpora|leaderboards?|simulators?|environments?|challenges?|test sets?|"
        r"testbeds?|treebank)\b"
    ),
    EntityType.MODEL: r"(?:[a-z-]+ )?(?:models?|backbones?|networks?|architectures?|checkpoints?|LLMs?)\b",
    EntityType.METRIC: r"(?:scores?|metrics?|points?)\b",
    EntityType.METHOD: r"(?:algorithms?|methods?|frameworks?|approach(?:es)?|optimizers?|loss(?:es)?|estimators?|techniques?)\b",
}
_BEFORE: dict[EntityType, str] = {
    EntityType.DATASET: r"(?:datasets?|benchmarks?|corpora|environments?|leaderboards?|suites)",
    EntityType.MODEL: r"(?:models?|LLMs?|architectures?|networks?|backbones?)",
    EntityType.METRIC: r"(?:metrics?|scores?|measures?)",
    EntityType.METHOD: r"(?:methods?|algorithms?|approaches|baselines?|optimizers?|techniques?)",
}
_LIST = rf"{NAME}(?:(?:, | and |, and | or |/| & ){NAME}){{0,8}}"
_FOLLOWED = {kind: re.compile(rf"(?<![\w-])(?P<list>{_LIST}) {cue}") for kind, cue in _AFTER.items()}
_LED = {
    kind: re.compile(rf"\b{cue}(?:, | )?(?:such as|including|like|namely|\(e\.g\.,?|e\.g\.,?|\(i\.e\.,?|i\.e\.,?|:|\()\s*(?P<list>{_LIST})")
    for kind, cue in _BEFORE.items()
}
_NAMES = re.compile(NAME)
_NOT = re.compile(
    r"^(?:We|This|The|In|Our|It|Here|These|Such|Both|Each|Large|Deep|Neural|Bayesian|Gaussian|Markov|Existing|Current|Many|Most|Several|Two|Three|English|Chinese|German|French|AI|ML|NLP|RL|SOTA|CV|GPU|3D|2D|RGB|EEG|MRI|ICLR|CVPR|COVID|New|Real|State|Recent|Public|Common|Standard|Monte|All|Some|Other|Various|For|On|Using|A|An|I)\b"
)


def extract(text: Text) -> Iterator[Mention]:
    """The names beside a cue word; one with the shape of a plain capitalised word only away from the start of its sentence.

    >>> from kg.model import Paper
    >>> from kg.text import read_text
    >>> text = read_text(Paper("p", "", "Tested on the FooBar and Quxly datasets; The dataset is big.", ()))
    >>> [(m.surface, m.type.value) for m in extract(text)]
    [('FooBar', 'Dataset'), ('Quxly', 'Dataset')]
    """
    clean = text.clean
    starts = {sentence.start for sentence in text.sentences}
    for patterns, score in ((_FOLLOWED, 0.6), (_LED, 0.6)):
        for kind, pattern in patterns.items():
            for match in pattern.finditer(clean):
                yield from _names(clean, match.start("list"), match.end("list"), kind, score, starts)


def _names(clean: str, start: int, end: int, kind: EntityType, score: float, starts: set[int]) -> Iterator[Mention]:
    for match in _NAMES.finditer(clean, start, end):
        name = match[0]
        plain = not is_named(name) and (match.start() in starts or kind is not EntityType.DATASET)
        if plain or clean[match.end() : match.end() + 1] == "-" or _NOT.match(name):
            continue
        yield Mention(Span(match.start(), match.end()), name, kind, "cues", score if is_proper(name) else score - 0.15)

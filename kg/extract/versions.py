"""Names that carry a version or a size: Llama-3.1-8B/70B-Instruct, Wan2.1, o3-mini, ImageNet 256×256, SQuAD v2.0, ResNet-50, ViT-L/14.

A coordinated name gives one mention over the whole span for each name that it holds; `names` spells them out. The type comes from the catalogue's
row of the family, else from the form of the name and from the words beside it.
"""

import re
from collections.abc import Iterator

from kg import ontology
from kg.model import EntityType, Mention, Span, Text

_SIZE = r"\d+(?:\.\d+)?[BMKbm]"
_STAGE = (
    r"Instruct|Chat|Base|Large|Small|Tiny|Mini|Nano|Micro|Medium|Huge|Turbo|Preview|Pro|Flash|Lite|Ultra|Plus|Coder|Math|Vision|VL|Audio|Omni|"
    r"Distill|Thinking|XL|XXL|Opus|Sonnet|Haiku|Next|Max|High|Low"
)
_VERSION = r"[vV]?\d+\.\d+(?:\.\d+)*[a-z]?|[vV]\.? ?\d+(?:\.\d+)*|version \d+(?:\.\d+)*"
_CORE = r"[A-Za-z][A-Za-z0-9+]*(?:(?:-|(?<=\d)\.(?=\d)|(?<=[\dA-Z])/-?(?=\d))[A-Za-z0-9+×]+)*"
_NAME = re.compile(
    rf"(?<![\w.\-/@])({_CORE})"
    rf"((?:[ ](?:{_VERSION}|{_SIZE}(?![\w])|\d+(?= (?:{_STAGE}|{_SIZE})\b)|(?:{_STAGE})(?![\w])|"
    rf"\d{{2,4}}×\d{{2,4}}|(?:19|20)\d\d))*|[-]\d{{2,4}}×\d{{2,4}})(?![\w×@]|\.\d)"
)
_COORDINATED = re.compile(rf"(?P<a>{_SIZE})(?P<rest>(?:\s?/\s?-?{_SIZE})+)")
_MODEL_SHAPE = re.compile(
    rf"(?<=[-\s\dA-Za-z]){_SIZE}(?![A-Za-z\d])|-(?:{_STAGE}|mini|base|large|small|turbo)(?![a-z])|(?:^|-)o[134](?:-|$)|^[A-Z][A-Za-z]+\d\.\d$"
)
_END = re.compile(
    rf"(?:[-\s/]+(?:{_VERSION}|{_SIZE}|{_STAGE}|{_STAGE.lower()}|\d+×\d+|[A-Za-z]?\d+[a-zA-Z]?|(?:19|20)\d\d|[BLSTHG])|[vV]?\d+(?:\.\d+)*[a-z]?|\.\d+)$"
)
_HEAD = re.compile(r"^[A-Za-z+]+(?:-[A-Za-z+]+)*?(?=[-\s]?[vV]?\d|$)")
_NOTHING = re.compile(
    r"^(?:COVID|GPU|RTX|GTX|[A-Za-z]|TPU|SE|SO|SU|SL|GL|Sp|[Tt]op|[Rr]ank|pass|CVPR|ICLR|NeurIPS|NIPS|ICML|ACL|EMNLP|NAACL|ECCV|ICCV|AAAI|IJCAI|"
    r"[Ss]ection|Fig|[Ll]evel|[Ss]tage|[Ss]tep|[Ll]ayer|[Tt]ype|[Cc]lass|[Oo]rder|INT|FP|fp|BF|float|UTF|ISO|MPEG|Python|CUDA|USB|IPv|HTTP|"
    r"[Pp]hase|[Pp]art|DoF|DOF|SARS-CoV|Wi-Fi|No|Tesla|Xeon|Intel|Windows|Ubuntu|NP|[Pp]re|[Pp]ost|[Nn]on|[Mm]id|[Ss]emi|[Mm]ulti|[Bb]i|[Cc]o|[Rr]e|In|in|"
    r"January|February|March|April|May|June|July|August|September|October|November|December|[Ss]ince|[Ff]rom|[Tt]he|[Oo]ver|[Aa]bout|[Uu]p|[Aa]nd|[Oo]f|[Tt]o|F|AUC|Recall|Precision|Hits|recall|precision|hits|and)$"
)
_DATA = re.compile(r"[\s,]*(?:and\s+)?(?:[a-z-]+\s+)?(?:data|bench|corp|test|valid|challenge|track|task|image|video|set\b)", re.IGNORECASE)
_DATA_BEFORE = re.compile(r"(?:\b(?:[Oo]n|datasets?|benchmarks?|unconditional|conditional)(?: the)? )$")
_MODEL = re.compile(r"[\s,]*(?:model|network|architect|backbone|LLM|encoder|checkpoint|detector|classifier|transformer)", re.IGNORECASE)
_TYPED = (EntityType.MODEL, EntityType.DATASET, EntityType.METRIC)


def extract(text: Text) -> Iterator[Mention]:
    """The versioned names of a text.

    >>> from kg.model import Paper
    >>> from kg.text import read_text
    >>> [m.surface for m in extract(read_text(Paper("p", "", "Wan2.1 and o3-mini; 3D points, 2021, COVID-19.", ())))]
    ['Wan2.1', 'o3-mini']
    """
    clean = text.clean
    for match in _NAME.finditer(clean):
        if any(map(str.isdigit, match[0])) and not (match[1].isalpha() and match[1].islower()):
            kind, score = _typed(clean, match)
            if kind:
                yield Mention(Span(match.start(), match.end()), match[0], kind, "versions", score)


def _typed(clean: str, match: re.Match[str]) -> tuple[EntityType | None, float]:
    """The type of a versioned name and how sure it is; none when neither the catalogue nor form and surroundings give one."""
    name = match[0]
    head = _HEAD.search(name)
    if _NOTHING.match(head[0] if head else name) and not re.fullmatch(r"o[134](?:-\w+)?", name):
        return None, 0.0
    catalogue = ontology.load().catalogue
    for form in (name, *_parents(name)):
        rows = [row for row in catalogue.lookup(form) if row.type in _TYPED or form == name]
        if rows and any(map(str.isupper, form)):
            return rows[0].type, 0.9 if form == name else 0.8
    if name.islower() and not re.fullmatch(r"o[134](?:-\w+)?", name):
        return None, 0.0
    return _guessed(name, clean[match.end() : match.end() + 24], clean[max(0, match.start() - 24) : match.start()])


def _guessed(name: str, after: str, before: str) -> tuple[EntityType | None, float]:
    """The type of a name that the catalogue does not know, by its form and the words beside it."""
    if _DATA.match(after):
        return EntityType.DATASET, 0.6
    if _MODEL_SHAPE.search(name) or _MODEL.match(after):
        return EntityType.MODEL, 0.7
    if _DATA_BEFORE.search(before):
        return EntityType.DATASET, 0.5
    return None, 0.0


def _parents(name: str) -> Iterator[str]:
    """A name with ever more of its end cut off, down to its head: what the catalogue may know."""
    at = _COORDINATED.sub(lambda match: match["a"], name)
    while True:
        cut = _END.sub("", at, count=1).rstrip("-/ ")
        if cut == at or len(cut) < 2:
            return
        at = cut
        yield at


def names(surface: str) -> tuple[str, ...]:
    """The names that a surface form holds: several for coordinated sizes, else the form itself.

    >>> names("Llama-3.1-8B/70B-Instruct"), names("Wan2.1")
    (('Llama-3.1-8B-Instruct', 'Llama-3.1-70B-Instruct'), ('Wan2.1',))
    """
    match = _COORDINATED.search(surface)
    if not match:
        return (surface,)
    sizes = [match["a"], *(part.strip().lstrip("-") for part in match["rest"].split("/")[1:])]
    return tuple(surface[: match.start()] + size + surface[match.end() :] for size in sizes)

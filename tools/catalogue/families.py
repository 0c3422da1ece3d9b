"""From a variant's name to the names of its family: sizes, versions, training stages and resolutions are peeled off its end."""

import re
from collections.abc import Iterator

_STAGE = r"(?:instruct|chat|it|base|large|small|tiny|mini|nano|micro|medium|huge|giant|xl|xxl|turbo|preview|pro|flash|lite|ultra|plus|coder|math|vision|vl|hd|hard|lite|full|dev|schnell|uncased|cased|distilled|distill|thinking|reasoner|zero|large-v\d)"
_ENDS = (
    re.compile(rf"[-_ ]{_STAGE}$", re.IGNORECASE),
    re.compile(r"[-_ ]?\d+(?:\.\d+)?[BMK](?:-?A\d+(?:\.\d+)?B)?$"),
    re.compile(r"[-_ ]?\d+×\d+(?:×\d+)?$"),
    re.compile(r"[-_ ]?v\.?\d+(?:\.\d+)*$", re.IGNORECASE),
    re.compile(r"(?:[-_ ](?:19|20)\d\d)$"),
    re.compile(r"\.\d+$"),
    re.compile(r"[-_ ]\d+[a-zA-Z]?$"),
    re.compile(r"(?<=[A-Za-z])\d+$"),
    re.compile(r"\+\+$"),
)


def parents(name: str) -> Iterator[str]:
    """The names of the families that a name may belong to, nearest first.

    >>> list(parents("LLaDA-8B-Instruct")), list(parents("SQuAD v2.0")), list(parents("ImageNet 256×256"))
    (['LLaDA-8B', 'LLaDA'], ['SQuAD'], ['ImageNet'])
    """
    at = name
    while True:
        shorter = next((cut for end in _ENDS if (cut := end.sub("", at)) != at and len(cut) > 1), None)
        if shorter is None:
            return
        at = shorter
        yield at

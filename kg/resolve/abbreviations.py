"""Short forms told from the full names that stand near them in the same paper."""

import re
from collections import Counter

from kg.surface import expands, is_acronym, is_named

_SMALL = frozenset(["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "via", "with", "using"])
_WORD = re.compile(r"[^\W\d_]+")


def stands_beside(short: str, long: str) -> bool:
    """Whether a short form and the name right beside it (in brackets, after a colon or comma) are one.

    The letters of the short form stand in order in the name, or nearly all its capitals begin words of the name, or the name's words begin with
    its letters but for one or two that the name left out.

    >>> stands_beside("L2C2W", "Line-to-Character-to-Word"), stands_beside("UNITER", "UNiversal Image-TExt Representation")
    (True, True)
    >>> stands_beside("FVQVAE", "Folded Vector-Quantized Autoencoder")
    True
    >>> stands_beside("Cars196", "CUB-200-2011"), stands_beside("GPT-2", "GPT-Neo/J")
    (False, False)
    """
    if not is_named(short) or " " in short or len(long) < len(short) + 3 or len(_WORD.findall(long)) < 2 or short in long:
        return False
    if {w.lower() for w in _WORD.findall(short) if len(w) > 1} & {w.lower() for w in _WORD.findall(long)}:
        return False
    if expands(_bare(short), long) or _abridged(short, long):
        return True
    return sum(map(str.isupper, short)) > 1 and _covered(short, long) >= 0.75 and not re.search(r"\d{2}", long)


def is_initialism(short: str, long: str) -> bool:
    """Whether an acronym is made of the initials of all words of a name that stands anywhere in the paper, small words apart.

    >>> is_initialism("GPs", "Gaussian processes"), is_initialism("SPADE", "State Space Transformers"), is_initialism("DQN", "deep Q-network")
    (True, False, True)
    """
    letters = [c.lower() for c in _bare(short) if c.isalpha()]
    words = [w.lower() for w in _WORD.findall(long)]
    full = [w[0] for w in words if w not in _SMALL]
    return is_acronym(short) and len(letters) > 1 and letters in (full, [w[0] for w in words])


def _bare(short: str) -> str:
    return short[:-1] if short.endswith("s") and short[:-1].isupper() else short


def _abridged(short: str, long: str) -> bool:
    """Whether the initials of a name, three at least, are the letters of an acronym in order with at most two left out, the first not."""
    letters = [c.lower() for c in _bare(short) if c.isalpha()]
    initials = [w[0].lower() for w in _WORD.findall(long) if w.lower() not in _SMALL]
    rest = iter(letters)
    in_order = all(initial in rest for initial in initials)
    return is_acronym(short) and len(initials) > 2 and len(letters) - len(initials) <= 2 and letters[0] == initials[0] and in_order


def _covered(short: str, long: str) -> float:
    """The share of a short form's capitals that begin a word of the name, or stand as capitals inside one."""
    capitals = Counter(c.lower() for c in _bare(short) if c.isupper())
    initials = Counter(c.lower() for word in _WORD.findall(long) for c in word[:1] + "".join(filter(str.isupper, word[1:])))
    return (capitals & initials).total() / max(1, capitals.total())

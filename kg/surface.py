"""Comparison of names: keys, acronym shapes, slugs. Pure functions of strings."""

import re
import unicodedata
from functools import lru_cache

_DROPPED = re.compile(r"[\s\-‐‑‒–—−/*_`$\\{}~^]+")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_NAMED = re.compile(r"\d|[A-Z]{2}|[a-z][A-Z]")
_SPOKEN = {"+": " plus ", "#": " sharp ", "*": " star ", "&": " and ", "@": " at ", "%": " percent ", "→": " to ", "×": "x"}
_GREEK = {chr(code): unicodedata.name(chr(code)).split()[-1].lower() for code in range(0x3B1, 0x3CA) if code != 0x3C2}


@lru_cache(maxsize=1 << 16)
def key(surface: str) -> str:
    """The form under which surface forms compare equal: without case, hyphens, spaces, article and plural ending.

    >>> key("GSM-8K") == key("gsm8k"), key("Diffusion Models") == key("diffusion model"), key("AS-ARMs")
    (True, True, 'asarm')
    """
    bare = surface.strip()
    if bare.isalnum():  # one word, with nothing to drop
        return _singular_end(bare.lower())
    folded = _ARTICLE.sub("", bare).lower().replace("×", "x").replace("’", "'")
    return _singular_end(_DROPPED.sub("", folded))


def _singular_end(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def singular(name: str) -> str:
    """A name with its last word in the singular; an acronym loses its plural s.

    >>> singular("diffusion models"), singular("VAEs"), singular("inverse problem classes"), singular("analysis")
    ('diffusion model', 'VAE', 'inverse problem class', 'analysis')
    """
    head, _, last = name.rpartition(" ")
    lower = last.lower()
    if len(last) < 3 or not lower.endswith("s") or lower.endswith(("ss", "us", "is", "ics", "'s", "as", "os")):
        return name
    if lower.endswith("ies") and len(last) > 4:
        last = last[:-3] + "y"
    elif lower.endswith(("sses", "shes", "ches", "xes", "zes")) and not lower.endswith("axes"):
        last = last[:-2]
    else:
        last = last[:-1]
    return f"{head} {last}" if head else last


@lru_cache(maxsize=1 << 16)
def is_named(name: str) -> bool:
    """Whether a name has the shape of a proper name: a digit, two capitals in a row or a capital inside a word (GSM8K, BERT, FoSS)."""
    return bool(_NAMED.search(name))


@lru_cache(maxsize=1 << 16)
def is_acronym(name: str) -> bool:
    """Whether a name is one word written like an acronym: two to ten characters, mostly capitals, a plural s apart.

    >>> [is_acronym(name) for name in ("FoSS", "MDMs", "AS-ARM", "Dream", "GPT-4")]
    [True, True, True, False, True]
    """
    letters = [c for c in name.removesuffix("s") if c.isalpha()]
    return " " not in name and 2 <= len(name) <= 12 and sum(c.isupper() for c in letters) >= max(2, (len(letters) + 1) // 2)


def expands(short: str, long: str) -> bool:
    """Whether the letters of a short form are found in order in a long one, its first letter at the start of a word.

    The test of Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical text" (PSB 2003).

    >>> expands("FOSS", "Flow of SpanS"), expands("MDMs", "masked diffusion models"), expands("RL", "deep learning")
    (True, True, False)
    """
    letters = [c for c in short.lower() if c.isalnum()]
    lower = long.lower()
    at = len(lower) - 1
    for index in range(len(letters) - 1, -1, -1):
        while at >= 0 and (lower[at] != letters[index] or (index == 0 and at > 0 and lower[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return False
        at -= 1
    return bool(letters)


def slug(name: str) -> str:
    """A readable id made of a name alone: lower case, words joined by hyphens; letters of other scripts stay.

    >>> slug("ImageNet 256×256"), slug("A*"), slug("β-VAE"), slug("Schrödinger bridge"), slug("强化学习")
    ('imagenet-256x256', 'a-star', 'beta-vae', 'schrodinger-bridge', '强化学习')
    """
    spoken = "".join(_SPOKEN.get(c) or _GREEK.get(c.lower()) or c for c in name)
    plain = "".join(c for c in unicodedata.normalize("NFKD", spoken) if not unicodedata.combining(c)).casefold()
    return re.sub(r"[\W_]+", "-", plain).strip("-") or "x" + name.encode("utf-8", "backslashreplace").hex()

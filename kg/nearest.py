"""Which known names a mistyped one may mean."""

from collections.abc import Iterable

LISTED = "kg query top --type Method lists the most used; so for Dataset, Model, Metric, Task"


def nearest(name: str, names: Iterable[str], otherwise: str = LISTED) -> str:
    """A hint with the known names nearest to `name`, compared without case; `otherwise` when none is near.

    >>> nearest("Mauv", ["MAUVE", "FID"])
    'did you mean MAUVE?'
    """
    from rapidfuzz import fuzz, process

    found = process.extract(name, sorted(set(names)), scorer=fuzz.ratio, processor=str.casefold, limit=5, score_cutoff=60)
    return f"did you mean {', '.join(match for match, *_ in found)}?" if found else otherwise

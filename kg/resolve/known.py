"""The catalogue's row for a surface form that stands without any context, when it is near certain."""

from functools import lru_cache

from kg.ontology import Catalogue, CatalogueRow
from kg.surface import is_acronym, key

NOTHING = Catalogue((), "")
"""A catalogue without rows."""

_SURE = 0.9
_SHORT = 6


@lru_cache(maxsize=1 << 16)
def certain(catalogue: Catalogue, surface: str) -> CatalogueRow | None:
    """The one row that a surface form means almost always, or None.

    A form that the catalogue binds to its case, a short acronym always, must stand in it (plural s apart); an ambiguous form counts only when
    it was measured to mean this row in nine papers of ten.

    >>> from kg.model import EntityType
    >>> rows = (CatalogueRow("adam", "Adam", EntityType.METHOD, exact=("Adam",)), CatalogueRow("gsm8k", "GSM8K", EntityType.DATASET))
    >>> [row and row.id for row in (certain(Catalogue(rows, "1"), s) for s in ("Adam", "adam", "GSM-8K"))]
    ['adam', None, 'gsm8k']
    """
    rows = catalogue.lookup(surface)
    if not rows:
        return None
    at = key(surface)
    fitting = [row for row in rows if any(_fits(row, form, surface) for form in row.forms if key(form) == at)]
    return fitting[0] if len(fitting) == 1 else None


def _fits(row: CatalogueRow, form: str, surface: str) -> bool:
    bare = surface.removesuffix("s")
    bound = form in row.exact or (len(form) <= _SHORT and is_acronym(form) and not any(c.isdigit() for c in form))
    if bound and surface != form and bare != form.removesuffix("s") and not (surface.isupper() and len(surface) >= 4):
        return False
    if form not in row.ambiguous:
        return True
    prior = row.priors[row.forms.index(form)] if row.priors else None
    return prior is not None and prior >= _SURE

"""The unlabelled abstracts: read once, cleaned, without the papers that the catalogue is measured on."""

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from kg.extract.catalogue import Matcher
from kg.model import EntityType
from kg.ontology import CatalogueRow
from kg.text import clean


class Corpus:
    """Abstracts with their titles, clean. `cache` keeps the clean texts between runs."""

    def __init__(self, path: Path, without: Iterable[Path], cache: Path | None) -> None:
        """Read the corpus; papers whose id a file of `without` holds are left out."""
        if cache and cache.is_file():
            self.texts = [json.loads(line) for line in cache.read_text(encoding="utf-8").splitlines()]
            return
        left_out = {json.loads(line)["id"] for file in without for line in file.read_text(encoding="utf-8").splitlines()}
        self.texts = list(_read(path, left_out))
        if cache:
            cache.write_text("".join(json.dumps(text, ensure_ascii=False) + "\n" for text in self.texts), encoding="utf-8")

    def surfaces(self, forms: Iterable[str]) -> dict[str, Counter[str]]:
        """For each form (in lower case) how it is written in the corpus, and in how many papers."""
        rows = [CatalogueRow(form, form, EntityType.METHOD, priors=(None,)) for form in sorted({form.lower() for form in forms})]
        matcher = Matcher(rows)
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for _, _, abstract in self.texts:
            for name, surface in {(hit.row.name, abstract[hit.start : hit.end]) for hit in matcher.hits(abstract)}:
                found[name][surface] += 1
        return found


def _read(path: Path, left_out: set[str]) -> Iterator[tuple[str, str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["id"] not in left_out:
                yield record["id"], clean(record.get("title") or ""), clean(record.get("abstract") or "")

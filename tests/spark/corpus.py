"""Invented papers, from a seed: known and invented names, acronyms that mean two things, papers given twice, other languages, broken lines."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

from kg import ontology

_START = ("Zor", "Quil", "Mar", "Fen", "Tal", "Bri", "Osk", "Vel", "Hap", "Lun", "Dra", "Pim")
_END = ("net", "former", "gate", "bert", "mix", "flow", "diff", "prune", "graph", "cast", "field", "lens")
_WORDS = ("sparse", "gated", "parallel", "masked", "latent", "graph", "temporal", "modular", "robust", "hybrid", "causal", "spectral")
_HEADS = ("mixers", "machines", "networks", "transformers", "samplers", "encoders", "decoders", "models", "policies", "kernels")
_THINGS = ("weather", "proteins", "tables", "songs", "maps", "bridges", "insects", "harbours", "recipes", "glaciers")
_OTHER = (
    "In dieser Arbeit wird ein Verfahren vorgestellt, das mit {a} arbeitet und auf {b} geprüft wurde; die Ergebnisse sind besser als bisher.",
    "Dans cet article nous présentons une méthode fondée sur {a}, évaluée sur {b}, et nous montrons que les résultats sont meilleurs.",
    "En este trabajo presentamos un método que utiliza {a} y lo evaluamos con {b}, y los resultados son mejores que los anteriores.",
)
_FIRST = (
    "We propose {new}, {article} for {task}.",
    "In this paper we introduce {long} ({short}), a new way to do {task}.",
    "This work presents {new}, which builds on {model} and needs no labels about {thing}.",
    "We study how {long} ({short}) handle {thing}.",
)
_MORE = (
    "We evaluate {new} on {data} and {data2}, where it outperforms {model} by {n}.{m}% in {metric}.",
    "{short} is trained on {data} and reaches {n}.{m} {metric} on {data2}.",
    "It is compared with {model} and {model2}; on {data} the {metric} rises from {n} to {top}.",
    "{new} reduces the cost of {task} by {n}% while keeping the {metric} of {model}.",
    "Experiments on {data} show that {long} help with {thing}.",
    "Unlike {model}, {new} uses {method} and no pre-training on {data}.",
    "We release {invented}, a dataset of {n},{top} questions about {thing}.",
    "Ablations over {method} and {method2} confirm this on **{data}**.",
)


class Maker:
    """Makes papers; the same seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        by_type: dict[str, list[str]] = {}
        for row in sorted(ontology.load().catalogue.rows, key=lambda row: row.id):
            by_type.setdefault(row.type.value, []).append(row.name)
        self.known = {kind: names[:150] for kind, names in by_type.items()}
        self.longs = [f"{a} {b} {c}" for a in _WORDS for b in _WORDS if a != b for c in _HEADS]
        self.random.shuffle(self.longs)
        del self.longs[60:]

    def name(self) -> str:
        """An invented name."""
        made = self.random.choice(_START) + self.random.choice(_END)
        return made + self.random.choice(("", "", "-2", "-7B", "++", " v2"))

    def values(self) -> dict[str, str]:
        """What stands in the sentences of one paper. Several long names have the same initials."""
        pick = self.random.choice
        long = pick(self.longs)
        short = "".join(word[0] for word in long.split()).upper()
        kinds = {"data": "Dataset", "data2": "Dataset", "model": "Model", "model2": "Model", "task": "Task", "metric": "Metric",
                 "method": "Method", "method2": "Method"}  # fmt: skip
        found = {field: pick(self.known[kind]) for field, kind in kinds.items()}
        extra = {"n": str(self.random.randrange(2, 60)), "m": str(self.random.randrange(10)), "top": str(self.random.randrange(60, 99))}
        return found | extra | {"new": self.name(), "invented": pick(_START) + "Bench", "long": long, "short": short, "thing": pick(_THINGS),
                                "article": pick(("a network", "a method", "a model"))}  # fmt: skip

    def paper(self, number: int) -> dict[str, Any]:
        """One paper."""
        values, pick = self.values(), self.random.choice
        if number % 41 == 0:
            abstract = pick(_OTHER).format(a=values["model"], b=values["data"]) * 2
        else:
            abstract = " ".join(sentence.format(**values) for sentence in (pick(_FIRST), *self.random.sample(_MORE, 2)))
        made: dict[str, Any] = {"id": f"x{number}", "abstract": abstract, "year": 2015 + number % 10}
        if number % 5:
            made["title"] = f"{values['new']}: {values['long'].title()} for {values['thing'].title()} {number}"
            made["authors"] = [f"{pick(_START)}a {pick(_START)}{pick(_END)}", "Bo Marsh"]
        if number % 3 == 0:
            made["doi"] = f"10.5555/X.{number}"
        if number % 7 == 0:
            made["arxiv"] = f"23{number % 12 + 1:02d}.{number:05d}"
        return made


def write(folder: Path, count: int, seed: int = 7) -> Path:
    """A folder with `count` distinct papers and some again, in four files: two of lines, one of them packed, one with a broken gap, one Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    maker = Maker(seed)
    papers = [maker.paper(number) for number in range(count)]
    parts = [papers[: count // 2], papers[count // 2 : 9 * count // 10], papers[9 * count // 10 :]]
    again = [paper | {"id": f"again-{paper['id']}", "venue": "KiteConf"} for paper in papers[:count:17]]
    for number, paper in enumerate(again):
        # The same title, year and author, or the same abstract; two and two share an id too, so that four records hang together in a chain.
        paper.pop("doi", None)
        if number % 2:
            paper["arxiv"] = f"2401.{number // 4:05d}"
    folder.mkdir(parents=True)
    lines = [json.dumps(paper, ensure_ascii=number % 2 == 0) for number, paper in enumerate(parts[0])]
    for at in range(0, len(lines), 97):
        lines[at] += "\n{broken" if at % 2 else '\n\n["no", "paper"]\n{"id": "nothing"}\r'
    (folder / "first.jsonl").write_text("\n".join(lines), encoding="utf-8", newline="\n")
    with gzip.open(folder / "second.jsonl.gz", "wt", encoding="utf-8", newline="\n") as packed:
        packed.write("".join(json.dumps(paper) + "\n" for paper in [*parts[1], *again]))
    (folder / "more").mkdir()
    rows = [{"doi": "", "arxiv": "", "title": "", "authors": [], **paper} for paper in parts[2]]
    pq.write_table(pa.Table.from_pylist(rows), folder / "more" / "third.parquet")
    (folder / "more" / "empty.jsonl").write_bytes(b"")
    return folder

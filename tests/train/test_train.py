"""Training: gold spans in words, the chain's arrays say what python-crfsuite says, the judge's arrays what scikit-learn says, and a small run."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kg.errors import InputError
from kg.extract.features import words
from kg.extract.judge import home, lexicon
from kg.train import train
from kg.train.examples import Example, example, gold_spans

crfsuite = pytest.importorskip("pycrfsuite")
ensemble = pytest.importorskip("sklearn.ensemble")

NAMES = ("FooNet", "BarNet", "QuxNet", "ZapNet", "KimNet")
SETS = ("FOO-1K", "BAR-2K", "QUX-3K")
TASKS = ("image captioning", "speech recognition", "text retrieval", "link prediction")


def card(number: int) -> dict[str, Any]:
    name, data, task = NAMES[number % 5], SETS[number % 3], TASKS[number % 4]
    score = f"On {data}, {name} reaches an accuracy of {50 + number}.5%, where 10 people gave 7 answers."
    abstract = f"We propose {name}, a network for {task}. {score} It is the {number}th of its kind."
    return {
        "id": f"paper{number}",
        "title": f"{name} for {task}",
        "abstract": abstract,
        "entities": [
            {"name": name, "type": "Model", "also": [], "role": "proposed", "mentions": [name]},
            {"name": data, "type": "Dataset", "also": [], "role": "evaluated", "mentions": [data]},
            {"name": task, "type": "Task", "also": [], "role": "evaluated", "mentions": [task]},
            {"name": "accuracy", "type": "Metric", "also": [], "role": "evaluated", "mentions": ["accuracy"]},
        ],
        "relations": [[name, "evaluatedOn", data], [name, "measuredBy", "accuracy"]],
        "results": [{"subject": name, "metric": "accuracy", "value": f"{50 + number}.5%", "dataset": data, "comparator": ""}],
    }


def examples(count: int) -> list[Example]:
    return [example(card(number), lexicon(home())) for number in range(count)]


def entity(*mentions: str, kind: str = "Method", also: str = "") -> dict[str, Any]:
    return {"mentions": list(mentions), "type": kind, "also": [also] if also else [], "role": "used"}


@pytest.mark.parametrize(
    ("text", "mentions", "spans"),
    [
        ("a GAN and GANs", ["GAN"], ["GAN", "GANs"]),
        ("BERT-large beats BERT", ["BERT", "BERT-large"], ["BERT-large", "BERT"]),
        ("Diffusion models and diffusion models", ["diffusion models"], ["Diffusion models", "diffusion models"]),
        ("the MOSS and the moss", ["MOSS"], ["MOSS"]),
        ("adamant Adam", ["Adam"], ["Adam"]),
        ("only IMAGENET is there", ["ImageNet"], ["IMAGENET"]),
        ("nothing here", ["GAN"], []),
    ],
)
def test_gold_spans(text: str, mentions: list[str], spans: list[str]) -> None:
    tokens = words(text)
    found = gold_spans(text, tokens, [entity(*mentions)])
    assert [tokens.between(s.start, s.end) for s in found] == spans


def test_a_second_type_is_right_too() -> None:
    made = example({"id": "p", "abstract": "A CNN works.", "entities": [entity("CNN", also="Model")]}, lexicon(home()))
    allowed = made.allowed()
    assert np.flatnonzero(allowed[1]).tolist() == [3, 5], "begin of a Model (second of the five types) or of a Method (third)"
    assert allowed[0].tolist() == [True] + [False] * 10


def test_chain_says_what_crfsuite_says(tmp_path: Path) -> None:
    from kg.extract.chain import Chain
    from kg.train import chain

    items = examples(12)
    trainer = crfsuite.Trainer(params=chain.RECIPE, verbose=False)
    for item in items:
        features, right = chain.attributes(item), chain.labels(item)
        for begin, end in item.sentences:
            trainer.append(features[begin:end], right[begin:end])
    trainer.train(str(tmp_path / "model"))
    tagger = crfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    info = tagger.info()
    np.savez(tmp_path / "chain.npz", **chain.convert(info.state_features, info.transitions))
    made = Chain(tmp_path / "chain.npz")
    for item in examples(15)[10:]:
        ours, features = made.beliefs(item.seen, item.text), chain.attributes(item)
        for begin, end in item.sentences:
            tagger.set(features[begin:end])
            for label in tagger.labels():
                theirs = [tagger.marginal(label, at) for at in range(end - begin)]
                np.testing.assert_allclose(ours[begin:end, chain.NAMES.index(label)], theirs, atol=0.03)


def test_trees_say_what_scikit_learn_says(tmp_path: Path) -> None:
    from kg.extract.trees import Trees
    from kg.train.judge import flatten

    chance = np.random.default_rng(3)
    rows = chance.normal(size=(400, 6))
    model = ensemble.HistGradientBoostingClassifier(max_iter=20, max_leaf_nodes=5, random_state=0)
    model.fit(rows, (rows[:, 0] + rows[:, 1] ** 2 > 0.7).astype(int))
    np.savez(tmp_path / "judge.npz", cut=0.4, **flatten(model))
    trees = Trees(tmp_path / "judge.npz")
    np.testing.assert_allclose(trees.probabilities(rows), model.predict_proba(rows)[:, 1], atol=1e-6)
    assert trees.cut == 0.4


def test_a_small_run_makes_a_model_that_works_and_the_same_one_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, papers = tmp_path / "gold.jsonl", tmp_path / "papers.jsonl"
    gold.write_text("\n".join(json.dumps(card(number)) for number in range(30)), encoding="utf-8")
    papers.write_text("\n".join(json.dumps({k: card(number)[k] for k in ("title", "abstract")}) for number in range(25, 45)), encoding="utf-8")
    monkeypatch.setattr("kg.train.train_relations.train", lambda cards, out, reference, say: None)  # tested beside its own code
    monkeypatch.setattr("kg.train.SILVER", 12)
    said: list[str] = []
    manifest = train([gold], tmp_path / "model", unlabelled=[papers], say=said.append, fast_only=True)
    again = train([gold], tmp_path / "again", unlabelled=[papers], fast_only=True)
    assert manifest["files"]["chain.npz"] == again["files"]["chain.npz"]
    assert manifest["files"]["judge.crf.npz"] == again["files"]["judge.crf.npz"]
    assert (manifest["papers"], manifest["unlabelled"]) == (30, 12)
    labelled = [json.loads(line) for line in (tmp_path / "model" / "work.silver.jsonl").read_text(encoding="utf-8").splitlines()]
    assert not {row["abstract"] for row in labelled} & {card(number)["abstract"] for number in range(30)}, "annotated papers need no labels"
    assert said == ["chain", "judge of the chain"]
    resumed: list[str] = []
    train([gold], tmp_path / "model", unlabelled=[papers], say=resumed.append, fast_only=True)
    assert resumed == ["judge of the chain"], "what was made before is not made again"
    monkeypatch.setenv("KG_MODEL", str(tmp_path / "model"))
    from kg.extract.crf import chain

    item = example(card(31), lexicon(home()))
    beliefs = chain(home()).beliefs(item.seen, item.text)
    at = item.seen.tokens.surfaces.index("BarNet")
    assert beliefs[at].argmax() == 3, "BarNet begins a Model"


def test_too_few_papers(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps(card(1)), encoding="utf-8")
    with pytest.raises(InputError, match="too few"):
        train([gold], tmp_path / "model", fast_only=True)


def test_a_card_without_its_abstract(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({"id": "p", "entities": []}), encoding="utf-8")
    with pytest.raises(InputError, match="p has no abstract"):
        train([gold], tmp_path / "model", fast_only=True)


def test_unlabelled_papers_that_cannot_be_read_are_named_and_none_is_an_error(tmp_path: Path) -> None:
    from kg.train.silver import choose

    papers = tmp_path / "papers.jsonl"
    papers.write_text('{"id": "a", "abstract": "We fold kites on the wind."}\n{broken\n', encoding="utf-8")
    said: list[str] = []
    assert [paper.abstract for paper in choose([papers], 5, frozenset(), said.append)] == ["We fold kites on the wind."]
    assert [line.startswith("unread: ") and "papers.jsonl" in line for line in said] == [True]
    with pytest.raises(InputError, match="no unlabelled papers"):
        choose([papers], 5, frozenset({"We fold kites on the wind."}), said.append)

"""The shipped model files and the facts beside them belong together."""

import json
from hashlib import sha256

import numpy as np
import pytest

from kg.relations.linear import Linear, linear, softmax
from kg.relations.weights import SHIPPED, load_arrays
from kg.train_relations import FILES

FACTS = json.loads((SHIPPED / "relations.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FILES)
def test_the_recorded_figures_are_those_of_the_shipped_file(name):
    assert sha256((SHIPPED / name).read_bytes()).hexdigest() == FACTS["files"][name]["sha256"]


def test_the_figures_do_not_fall():
    figures = FACTS["figures"]
    assert figures["role accuracy"] >= 0.77
    assert figures["relation F1, gold entities"] >= 0.56
    assert figures["result precision"] >= 0.74
    assert figures["result recall"] >= 0.72


def test_a_packed_model_gives_the_same_scores():
    model = linear(["bias", "near"], np.array([[0.5, -0.5], [1.0, 2.0]], np.float32))
    again = Linear.unpack(model.pack("m"), "m")
    cases = [["bias", "near", "unknown"], ["unknown"], ["bias", "bias"]]
    assert again.scores(cases).tolist() == [[1.5, 1.5], [0.0, 0.0], [0.5, -0.5]]


def test_softmax_sums_to_one():
    assert softmax(np.array([[1000.0, 0.0], [3.0, 3.0]], np.float32)).tolist() == [[1.0, 0.0], [0.5, 0.5]]


def test_another_model_folder_is_used_where_it_has_the_file(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "roles.npz", own=np.array([1]))
    monkeypatch.setenv("KG_MODEL", str(tmp_path))
    assert list(load_arrays("roles")) == ["own"]
    assert "thresholds" in load_arrays("relations")

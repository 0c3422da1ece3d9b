import pytest

from kg.extract.acronyms import extract
from kg.model import Paper
from kg.text import read_text


def pairs(raw: str) -> list[tuple[str, str]]:
    text = read_text(Paper("p", "", raw, ()))
    return [(text.clean[a.short.start : a.short.end], text.clean[a.long.start : a.long.end]) for a in extract(text)]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("We use any-subset autoregressive models (AS-ARMs).", [("AS-ARMs", "any-subset autoregressive models")]),
        ("**F**low **o**f **S**pan**S** (**FOSS**) works.", [("FOSS", "Flow of SpanS")]),
        ("MMD (maximum mean discrepancy) is small.", [("MMD", "maximum mean discrepancy")]),
        ("FS-XYM, Few-Step Xylophone Matching, is new.", [("FS-XYM", "Few-Step Xylophone Matching")]),
        ("PGM: Partition Generative Modeling. Next.", [("PGM", "Partition Generative Modeling")]),
        ("graph neural networks (GNNs; GNN) learn", [("GNNs", "graph neural networks"), ("GNN", "graph neural networks")]),
        ("the 3D quokka pose (3DQP) set", [("3DQP", "3D quokka pose")]),
        ("k-nearest neighbors (k-NN) votes", [("k-NN", "k-nearest neighbors")]),
        ("the area under the ROC curve (AUC) rises", [("AUC", "area under the ROC curve")]),
        ("Reinforcement Learning from Human Feedback (RLHF)", [("RLHF", "Reinforcement Learning from Human Feedback")]),
        ("eXtreme Gradient Boosting (XGBoost)", [("XGBoost", "eXtreme Gradient Boosting")]),
        ("a Kalman filter (KF, linear) runs", [("KF", "Kalman filter")]),
        ("large language models (LLMs) (e.g., GPT-4)", [("LLMs", "large language models")]),
    ],
)
def test_pairs(raw: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [
        "deep learning (left) and (right)",
        "see the results (Fig. 2) of GLUE (Section 3)",
        "it was shown (2021) by many (e.g., BERT)",
        "deep learning. (DL) stands alone",
        "we compare methods (ResNet)",
        "networks (and more)",
        "We present BERT, a new model.",
        "the sum (a + b) of terms (x, y)",
        "BERT (Devlin et al., 2019)",
        "()",
        "(A)",
        "NASA, the space agency, helped",
    ],
)
def test_what_must_not_fire(raw: str) -> None:
    assert pairs(raw) == []


def test_a_long_hostile_text_is_quick() -> None:
    assert pairs("a " * 3000 + "(AAAAAAAAAAAAA)" + " a (" * 2000) is not None

"""Names: what compares equal, and the ids that are made of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.surface import expands, is_acronym, is_named, key, singular, slug


@pytest.mark.parametrize(
    ("a", "b"), [("GSM8K", "gsm-8k"), ("Diffusion Models", "diffusion model"), ("a kite's tail", "kite’s tail"), ("U-Net", "UNet")]
)
def test_the_same_name(a: str, b: str) -> None:
    assert key(a) == key(b)


@pytest.mark.parametrize(("a", "b"), [("GSM8K", "GSM"), ("BERT", "BART"), ("loss", "los"), ("C", "C++")])
def test_other_names(a: str, b: str) -> None:
    assert key(a) != key(b)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("A*", "a-star"), ("C++", "c-plus-plus"), ("β-VAE", "beta-vae"), ("ImageNet 256×256", "imagenet-256x256"), ("Llama-3.1-8B", "llama-3-1-8b")],
)
def test_slugs(name: str, wanted: str) -> None:
    assert slug(name) == wanted


@given(st.text(min_size=1))
def test_a_slug_is_never_empty_and_never_breaks_a_path(name: str) -> None:
    made = slug(name)
    assert made
    assert not set(made) & set("/\\ ?#<>\"'")


def test_singular_leaves_names_alone() -> None:
    assert [singular(n) for n in ("MAUVE scores", "analysis", "GANs", "Adam's", "loss", "queries", "corpus")] == [
        "MAUVE score", "analysis", "GAN", "Adam's", "loss", "query", "corpus",
    ]  # fmt: skip


def test_shapes() -> None:
    assert [is_named(n) for n in ("GSM8K", "FoSS", "diffusion model", "Dream")] == [True, True, False, False]
    assert [is_acronym(n) for n in ("MDMs", "AS-ARM", "Dream", "text generation")] == [True, True, False, False]


@pytest.mark.parametrize(
    ("short", "long", "wanted"), [("FOK", "Flow of Kites", True), ("MDMs", "masked diffusion models", True), ("RL", "deep learning", False)]
)
def test_expansions(short: str, long: str, wanted: bool) -> None:
    assert expands(short, long) is wanted

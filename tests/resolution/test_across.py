"""One thing, one node; two things, two nodes."""

import random

import pytest

from tests.resolution.found import Row, build, dump, ids


def test_spellings_of_one_name_are_one_node() -> None:
    found = ids(build([Row("a", "GSM8K", "Dataset"), Row("b", "GSM-8K", "Dataset"), Row("c", "gsm8k", "Dataset"), Row("d", "GSM 8K", "Dataset")]))
    assert found == {"gsm8k": {"GSM8K", "GSM-8K", "gsm8k", "GSM 8K"}}


def test_full_name_plural_and_short_form_are_one_node() -> None:
    rows = [
        Row("a", "zorb field model", expansion="zorb field models", surfaces=("zorb field models", "ZFMs")),
        Row("b", "Zorb Field Model"),
        Row("c", "zorb-field models"),
        Row("d", "ZFM", expansion="Zorb Field Model"),
        Row("e", "ZFM", expansion="Zorb-Field Models"),
        Row("f", "ZFM"),
    ]
    assert len(ids(build(rows))) == 1


def test_namesakes_stay_apart_and_carry_their_expansions() -> None:
    rows = [
        Row("a", "QWX", "Model", "Quilted Wave Xylophone"),
        Row("b", "QWX", "Model", "quasi wandering expander"),
        Row("c", "QWX", "Model"),
    ]
    assert set(ids(build(rows))) == {"qwx-quilted-wave-xylophone", "qwx-quasi-wandering-expander", "qwx"}


def test_partition_generative_model_is_not_the_probabilistic_graphical_model() -> None:
    rows = [
        Row("a", "PGM", "Model", "Partition Generative Model"),
        Row(
            "b",
            "probabilistic graphical model",
            "Method",
            "probabilistic graphical models",
            ("probabilistic graphical models", "PGMs"),
            "probabilistic-graphical-model",
        ),
        Row("c", "PGM", "Method", "Probabilistic Graphical Model"),
    ]
    assert ids(build(rows)) == {"pgm": {"PGM"}, "probabilistic-graphical-model": {"probabilistic graphical model", "PGM"}}
    other = [*rows, Row("d", "PGM", "Model", "Zorb Gain Meter")]
    assert set(ids(build(other))) == {"pgm-partition-generative-model", "pgm-zorb-gain-meter", "probabilistic-graphical-model"}


def test_a_bare_acronym_follows_only_a_near_certain_meaning() -> None:
    sure = [Row(f"p{n}", "zorb field model", expansion="zorb field model", surfaces=("zorb field model", "ZFM")) for n in range(3)]
    assert len(ids(build([*sure, Row("bare", "ZFM")]))) == 1
    torn = [*sure, Row("q", "ZFM", expansion="Zippy Fox Matcher"), Row("bare", "ZFM")]
    assert len(ids(build(torn))) == 3
    few = [sure[0], Row("bare", "ZFM")]
    assert len(ids(build(few))) == 2


def test_type_clash_parts_the_word_from_the_name() -> None:
    found = ids(build([Row("a", "FLUXX", "Model"), Row("b", "fluxx", "Metric")]))
    assert set(found) == {"fluxx", "fluxx-word"}
    assert len(ids(build([Row("a", "FLUXX", "Model"), Row("b", "fluxx", "Method")]))) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("graph convolutional network", "GCN"), ("Graph Convolution Networks", "GCN")),
        (("Large Zebra and Okapi Assistant", "LZOA"), ("large zebra okapi assistant model", "LZOA")),
    ],
)
def test_full_names_that_differ_in_small_things_join(first: tuple[str, str], second: tuple[str, str]) -> None:
    rows = [Row("a", first[1], "Model", first[0]), Row("b", second[1], "Model", second[0])]
    assert len(ids(build(rows))) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("masked zebra model", "multimodal zebra model"),
        ("mean zonal error", "median zonal error"),
        ("deep okapi policy gradient", "distributed okapi policy gradient"),
    ],
)
def test_full_names_that_differ_in_a_word_that_matters_do_not_join(first: str, second: str) -> None:
    short = "".join(w[0] for w in first.split()).upper()
    assert len(ids(build([Row("a", short, expansion=first), Row("b", short, expansion=second)]))) == 2


def test_a_head_noun_after_a_name_does_not_make_another_thing() -> None:
    rows = [
        Row("a", "ZORB-7", "Dataset"),
        Row("b", "ZORB-7 dataset", "Dataset"),
        Row("c", "ZORB-7 loss", "Method"),
        Row("d", "okapi dataset", "Dataset"),
    ]
    assert len(ids(build(rows))) == 3


def test_the_same_rows_in_any_order_give_the_same_tables() -> None:
    rows = [
        Row("a", "QWX", "Model", "Quilted Wave Xylophone"), Row("b", "QWX", "Model", "quasi wandering expander"), Row("c", "zorb net"),
        Row("d", "Zorb-Net"),
        Row("e", "LLaDA-8B-Instruct", "Model"), Row("f", "LLaDA", "Model"), Row("g", "diffusion model", expansion="diffusion models"),
    ]  # fmt: skip
    first = dump(build(rows))
    for seed in range(3):
        shuffled = list(rows)
        random.Random(seed).shuffle(shuffled)
        assert dump(build(shuffled)) == first


def test_an_id_that_goes_leaves_a_redirect_and_one_that_returns_takes_it_back() -> None:
    alone = [Row("a", "QWX", "Model", "Quilted Wave Xylophone")]
    connection = build(alone)
    assert set(ids(connection)) == {"qwx"}
    build([*alone, Row("b", "QWX", "Model", "quasi wandering expander")], connection=connection)
    assert ("qwx", "qwx-quilted-wave-xylophone") in connection.execute("SELECT old, new FROM redirects").fetchall()
    build(alone, connection=connection)
    assert set(ids(connection)) == {"qwx"}
    assert connection.execute("SELECT * FROM redirects WHERE old = 'qwx'").fetchall() == []


def test_ids_do_not_change_with_the_type() -> None:
    assert set(ids(build([Row("a", "Zorbinator", "Model")]))) == set(ids(build([Row("a", "Zorbinator", "Dataset")]))) == {"zorbinator"}


def test_every_join_has_a_reason() -> None:
    connection = build([Row("a", "ZorbNet", "Model"), Row("b", "Zorb-Net", "Model"), Row("c", "zorbnet", "Model")])
    names = {row[0] for row in connection.execute("SELECT surface_a FROM merges UNION SELECT surface_b FROM merges").fetchall()}
    assert names == {"ZorbNet", "Zorb-Net", "zorbnet"}
    assert all(reason for (reason,) in connection.execute("SELECT reason FROM merges").fetchall())


def test_resolving_again_gives_the_same_reasons() -> None:
    rows = [Row("a", "okapinet", "Model"), Row("b", "Okapi-Net", "Model"), Row("b", "gsm-8k", "Dataset")]
    connection = build(rows)
    before = dump(connection)
    assert "OkapiNet" not in {row.name for row in rows}, "the label comes from the catalogue alone"
    build(rows, connection=connection)
    assert dump(connection) == before

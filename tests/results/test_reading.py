"""Exact results of the shipped models on invented sentences."""

import pytest

from kg.model import ResultKind, Role
from kg.results import read_results
from tests.relations.helpers import marked

ROLES = {"KiteNet": Role.PROPOSED, "BarNet": Role.COMPARED, "SkyBench-7": Role.EVALUATED, "accuracy": Role.EVALUATED, "FID": Role.EVALUATED}


def read(abstract):
    text, entities = marked(abstract, roles=ROLES)
    names = [entity.name for entity in entities]

    def name(index, words):
        return names[index] if index is not None else words

    return text, [
        (
            r,
            name(r.subject, r.subject_text),
            name(r.metric, r.metric_text),
            r.value,
            name(r.dataset, r.dataset_text),
            name(r.comparator, r.comparator_text),
        )
        for r in read_results(text, entities, ())
    ]


def test_a_gain_over_a_baseline():
    text, (row,) = read("On [[SkyBench-7|Dataset]], our [[KiteNet|Model]] outperforms [[BarNet|Model]] by 3.2% in [[accuracy|Metric]].")
    result, *words = row
    assert words == ["KiteNet", "accuracy", "3.2%", "SkyBench-7", "BarNet"]
    assert (result.kind, result.low, result.high, result.unit, result.higher_is_better) == (ResultKind.GAIN, 3.2, 3.2, "%", True)
    assert text.clean[result.span.start : result.span.end] == text.clean


def test_an_absolute_value():
    _, (row,) = read("[[KiteNet|Model]] achieves an [[FID|Metric]] of 2.16 on [[SkyBench-7|Dataset]].")
    result, *words = row
    assert words == ["KiteNet", "FID", "2.16", "SkyBench-7", ""]
    assert (result.kind, result.low, result.higher_is_better) == (ResultKind.ABSOLUTE, 2.16, False)


def test_a_ratio_without_a_named_metric():
    _, (row,) = read("[[KiteNet|Model]] achieves up to 8.5× speedup compared to [[BarNet|Model]].")
    result, *words = row
    assert words == ["KiteNet", "speedup", "8.5×", "", "BarNet"]
    assert (result.kind, result.unit, result.higher_is_better) == (ResultKind.RATIO, "×", True)


def test_a_change_keeps_what_was_before():
    _, (row,) = read("[[KiteNet|Model]] improves [[accuracy|Metric]] on [[SkyBench-7|Dataset]] from 58% to 67%.")
    result, *words = row
    assert words == ["KiteNet", "accuracy", "58% to 67%", "SkyBench-7", ""]
    assert (result.kind, result.before, result.low, result.unit) == (ResultKind.CHANGE, 58.0, 67.0, "%")


@pytest.mark.parametrize(
    "abstract",
    [
        "We evaluate [[KiteNet|Model]] on 3 datasets with 12 tasks.",
        "The 2019 challenge had 120 participants.",
        "Images have a resolution of 512×512 pixels.",
        "We release a corpus of 14,000 annotated documents in 25 languages.",
        "[[KiteNet|Model]] was presented in 2021.",
        "It is an open problem.",
        "",
    ],
)
def test_sizes_years_and_counts_are_no_results(abstract):
    assert read(abstract)[1] == []


def test_a_number_inside_a_name_is_none():
    _, rows = read("[[KiteNet-152|Model]] achieves 81.4% [[accuracy|Metric]] on [[ImageNet 256×256|Dataset]].")
    assert [row[3] for row in rows] == ["81.4%"]


def test_each_of_two_numbers_has_its_own_dataset():
    _, rows = read(
        "[[KiteNet|Model]] achieves 91.2% [[accuracy|Metric]] on [[SkyBench-7|Dataset]] and 84.5% [[accuracy|Metric]] on [[WindBench|Dataset]]."
    )
    assert [(row[3], row[4]) for row in rows] == [("91.2%", "SkyBench-7"), ("84.5%", "WindBench")]


def test_the_rival_that_no_entity_names_is_kept_in_words():
    _, (row,) = read("[[KiteNet|Model]] improves [[accuracy|Metric]] by 4.1% over previous state-of-the-art methods.")
    assert row[5] == "previous state-of-the-art methods"

import pytest

from kg.results.numbers import find_numbers
from kg.results.reading import parsed


@pytest.mark.parametrize(
    ("text", "value", "form", "values", "unit"),
    [
        ("it is 8.5× faster", "8.5×", "one", (8.5,), "×"),
        ("it is 2x faster", "2x", "one", (2.0,), "×"),
        ("steps fall from 256 to 30.", "256 to 30", "change", (256.0, 30.0), ""),
        ("gains 12.5% here", "12.5%", "one", (12.5,), "%"),
        ("GSM8K, 58%→67%", "58%→67%", "change", (58.0, 67.0), "%"),
        ("5-5.5× faster", "5-5.5×", "spread", (5.0, 5.5), "×"),
        ("FID of 2.16.", "2.16", "one", (2.16,), ""),
        ("by ~2.31% more", "2.31%", "one", (2.31,), "%"),
        ("between 9.3% and 18.6% more", "9.3% and 18.6%", "spread", (9.3, 18.6), "%"),
        ("a score of 9.49 ± 0.15", "9.49 ± 0.15", "error", (9.49, 0.15), ""),
        ("best on 14 out of 20 tasks", "14 out of 20", "share", (14.0, 20.0), ""),
        ("best on 7/10 sets", "7/10", "share", (7.0, 10.0), ""),
        ("with 1,024 samples", "1,024", "one", (1024.0,), ""),
        ("two orders of magnitude faster", "two orders of magnitude", "word", (2.0,), "orders of magnitude"),
        ("three times faster", "three times", "word", (3.0,), "×"),
        ("in O(n log n) time", "O(n log n)", "growth", (), ""),
        ("takes 13ms a frame", "13ms", "one", (13.0,), "ms"),
        ("gains +1.9 BLEU", "+1.9", "one", (1.9,), ""),
        ("a kappa of .78", ".78", "one", (0.78,), ""),
    ],
)
def test_a_number_is_read_as_it_is_meant(text, value, form, values, unit):
    (number,) = find_numbers(text)
    assert (number.value, number.form, number.values, number.unit) == (value, form, values, unit)
    assert text[number.span.start : number.span.end] == value


def test_two_numbers_set_side_by_side_stay_two():
    assert [n.value for n in find_numbers("84.2 vs. 79.6, 4.94% and 9.61%")] == ["84.2", "79.6", "4.94%", "9.61%"]


@pytest.mark.parametrize("text", ["GPT-style models", "the ResNet backbone", "v2ray", "it halved nothing at all", ""])
def test_words_and_names_are_no_numbers(text):
    assert [n.value for n in find_numbers(text)] == []


@pytest.mark.parametrize(
    ("form", "values", "expected"),
    [
        ("one", (2.16,), (2.16, 2.16, None)),
        ("change", (58.0, 67.0), (67.0, 67.0, 58.0)),
        ("spread", (5.5, 5.0), (5.0, 5.5, None)),
        ("error", (9.5, 0.25), (9.25, 9.75, None)),
        ("growth", (), (None, None, None)),
    ],
)
def test_low_high_and_before(form, values, expected):
    assert parsed(form, values) == expected


def test_a_long_run_of_digits_is_read_quickly():
    import time

    start = time.process_time()
    find_numbers("1" * 50_000 + " " + "1,000 - " * 5_000 + "O(" * 5_000)
    assert time.process_time() - start < 5

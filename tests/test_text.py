"""Cleaning: what goes, what stays, and the way back to the original."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Paper, Place, Span
from kg.text import clean, read_text, sentences

CASES = {
    r"We present **F**low **o**f **K**ites (**FOK**)": "We present Flow of Kites (FOK)",
    r"\GRACE{} and \KITE beat it": "GRACE and KITE beat it",
    r"the $\text{\emph{KitePrints}}$ mark": "the KitePrints mark",
    r"$8.5\times$ faster, 12.5\% less, $256 \times 256$ px": "8.5× faster, 12.5% less, 256×256 px",
    "po- tentially, short- and long-term": "potentially, short- and long-term",
    "pre-\ntraining on\r\nkites": "pretraining on kites",
    r"Schr\"odinger, na\"{\i}ve, Erd\H{o}s, Fran\c{c}ois": "Schrödinger, naïve, Erdős, François",
    r"as in \cite{kite2020}, we~see ``this'' -- and 1\,024 more": 'as in, we see "this" – and 1024 more',
    "H<sub>2</sub>O &amp; CO<sub>2</sub>, p < 0.05 and q > 1": "H2O & CO2, p < 0.05 and q > 1",
    "see [the kite page](https://example.org/a_b) and `kite`": "see the kite page and kite",
    "a*b, A* search, IS* and snake_case_name stay": "a*b, A* search, IS* and snake_case_name stay",
    r"$\frac{a}{b}$, $x_{i}$, $\alpha$-KITE, $\beta$": "a/b, xi, α-KITE, β",
    "eﬃcient ﬁlms\u00a0fly\u200b\u0000 \ufeffhigh\ud800": "efficient films fly high",
    "e\u0301tude": "étude",
    r"costs \$5 or $\sim$2.31\%": "costs $5 or ~2.31%",
    r"$100 million": "$100 million",
    r"\ours{} wins": "ours wins",
}


@pytest.mark.parametrize(("raw", "wanted"), CASES.items())
def test_cleaning(raw: str, wanted: str) -> None:
    assert clean(raw) == wanted


def paper(title: str, abstract: str) -> Paper:
    return Paper("p", title, abstract, (Place("file", "1"),))


def test_a_mention_is_shown_at_its_offsets_in_the_original() -> None:
    text = read_text(paper("On **KITE**", r"We build **F**low **o**f **K**ites. It is $8.5\times$ faster."))
    start = text.clean.index("Flow of Kites")
    back = text.original(Span(start, start + len("Flow of Kites")))
    assert (
        paper("On **KITE**", r"We build **F**low **o**f **K**ites. It is $8.5\times$ faster.").raw[back.start : back.end] == "F**low **o**f **K**ites"
    )
    assert text.clean[: text.title_end] == "On KITE"


def test_an_empty_range_has_no_original() -> None:
    with pytest.raises(ValueError, match="empty range"):
        read_text(paper("", "KITE")).original(Span(2, 2))


@given(st.text(max_size=40), st.text(alphabet=st.sampled_from(list("ab AB.$\\{}*_`~<>&;-\n\r\t()[]\u0301\ud800é×x9")), max_size=80))
@settings(max_examples=400, deadline=None)
def test_the_map_back_holds_for_any_text(title: str, abstract: str) -> None:
    source = paper(title, abstract)
    text = read_text(source)
    assert len(text.starts) == len(text.ends) == len(text.clean)
    assert all(0 <= a < b <= len(source.raw) for a, b in zip(text.starts, text.ends, strict=True))
    assert list(text.starts) == sorted(text.starts)
    assert not any("\ud800" <= c <= "\udfff" or c in "\x00\ufeff\r" for c in text.clean)
    text.clean.encode("utf-8")
    for sentence in text.sentences:
        assert sentence.start < sentence.end <= len(text.clean)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It beats BERT, e.g. GLUE. See Fig. 2. Done?", ["It beats BERT, e.g. GLUE.", "See Fig. 2.", "Done?"]),
        ("A score of 3.5 vs. 2.1 on Kite v2.0 is high.", ["A score of 3.5 vs. 2.1 on Kite v2.0 is high."]),
        ("Kites by J. Doe et al. Fly well.", ["Kites by J. Doe et al. Fly well."]),
        ("我们飞风筝。它很高。", ["我们飞风筝。", "它很高。"]),
        ("It ends.Then it goes on.", ["It ends.", "Then it goes on."]),
        ("", []),
    ],
)
def test_sentences(text: str, wanted: list[str]) -> None:
    assert [text[s.start : s.end] for s in sentences(text)] == wanted

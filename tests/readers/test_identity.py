"""Ids, keys under which papers are the same, and merging."""

import re
import unicodedata
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.identity import arxiv, doi, merge, normalised, openreview, paper_id, pmid, same_paper_keys
from kg.model import Paper, Place

LONG = "We train kites to fly by themselves and measure how high they get over the hills of the county, with and without wind. " * 3


def paper(number: str, **fields: object) -> Paper:
    return Paper(**{"id": number, "title": "", "abstract": "", "places": (Place("a", number),), **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("10.1234/Kites.2031", "10.1234/kites.2031"),
        ("https://doi.org/10.1234/KITES", "10.1234/kites"),
        ("doi: 10.1234/kites.", "10.1234/kites"),
        ("see 10.1234/kites) and", "10.1234/kites"),
        ("10.1002/1097-4679(197704)33:2<318::aid-jclp>3.0.co;2-u", "10.1002/1097-4679(197704)33:2<318::aid-jclp>3.0.co;2-u"),
        ("https://doi.org/10.1234%2Fkites", "10.1234/kites"),
        ("10.48550/arXiv.3101.00001", ""),
        ("1.10.2024/3", ""),
        ("version 10.2", ""),
    ],
)
def test_dois(written: str, found: str) -> None:
    assert doi(written) == found


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("3101.00001v2", "3101.00001"),
        ("https://arxiv.org/pdf/3101.00001.pdf", "3101.00001"),
        ("arXiv:3101.00001v3 [cs.LG]", "3101.00001"),
        ("oai:arXiv.org:math/0309136", "math/0309136"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("10.48550/arXiv.3101.00001", "3101.00001"),
        ("2031.12", ""),
        ("kites", ""),
    ],
)
def test_arxiv_ids(written: str, found: str) -> None:
    assert arxiv(written) == found


def test_other_ids() -> None:
    assert openreview("https://openreview.net/pdf?id=kItE00001a") == "kItE00001a"
    assert openreview("https://openreview.net/group?id=KiteConf.cc/2031") == ""
    assert pmid("https://www.ncbi.nlm.nih.gov/pubmed/12345") == "12345"
    assert pmid("kite 7") == ""


def test_the_strongest_id_wins() -> None:
    full = paper("", title="Kites", doi="10.1/k", arxiv="3101.00001", openreview="kItE00001a", acl="2031.kite-main.1", pmid="12345")
    order = []
    for scheme in ("doi", "arxiv", "openreview", "acl", "pmid"):
        order.append(paper_id(full, "a#1").split(":")[0])
        full = paper(
            "",
            **{"title": "Kites", **{s: getattr(full, s) for s in ("doi", "arxiv", "openreview", "acl", "pmid") if s != scheme and getattr(full, s)}},
        )
    assert order == ["doi", "arxiv", "openreview", "acl", "pmid"]
    assert paper_id(full, "a#1") == "a#1"
    assert paper_id(full).startswith("text:")


def test_the_same_paper_from_two_sources_shares_a_key() -> None:
    one = paper("doi:10.1/k", title="Kites That Learn", authors=("Ada Quill",), year=2031, doi="10.1/k", abstract=LONG)
    by_title = paper("a#1", title="KITES that *learn*!", authors=("Quill, A.",), year=2031)
    by_doi = paper("b#1", title="Other", doi="10.1/k")
    by_text = paper("text:0", abstract=LONG.replace("We", "**We**"))
    for other in (by_title, by_doi, by_text):
        assert set(same_paper_keys(one)) & set(same_paper_keys(other))


def test_what_is_not_the_same_paper() -> None:
    one = paper("a#1", title="Kites That Learn", authors=("Ada Quill",), year=2031, abstract="No abstract is available for this paper yet.")
    others = [
        paper("b#1", title="Kites That Learn", authors=("Ada Quill",), year=2030),
        paper("b#2", title="Kites That Learn", authors=("Bo Marsh",), year=2031),
        paper("b#3", title="Kites That Learn"),
        paper("b#4", title="Editorial", authors=("Ada Quill",), year=2031),
        paper("b#5", title="Strings", abstract="No abstract is available for this paper yet."),
        paper("a#11", title="Kites That Learn More", authors=("Ada Quill",), year=2031),
    ]
    for other in others:
        assert not set(same_paper_keys(one)) & set(same_paper_keys(other)), other
    editorial = paper("c#1", title="Editorial", authors=("Ada Quill",), year=2031)
    assert not set(same_paper_keys(editorial)) & set(same_paper_keys(others[3]))


def test_merging_keeps_everything() -> None:
    one = paper("text:0", abstract=LONG, places=(Place("list.txt", "3", 20),), keywords=("kites",))
    two = paper("arxiv:3101.00001", title="Kites That Learn", abstract="Short.", arxiv="3101.00001", year=2031, keywords=("wind", "kites"))
    three = paper(
        "x.csv#7", title="KITES", doi="10.1/k", venue="KiteConf", authors=("Ada Quill", "Bo Marsh"), code=("https://github.com/invented/k",)
    )
    merged = merge([one, two, three])
    assert merged.id == "doi:10.1/k"
    assert (merged.title, merged.abstract, merged.year, merged.venue) == ("Kites That Learn", LONG, 2031, "KiteConf")
    assert merged.authors == ("Ada Quill", "Bo Marsh")
    assert merged.keywords == ("wind", "kites")
    assert {place.source for place in merged.places} == {"a", "list.txt"}
    # With a title in front the text no longer starts where it does in the file.
    assert all(place.offset is None for place in merged.places)


def test_offsets_stay_when_the_text_does() -> None:
    copies = [paper("text:0", abstract=LONG, places=(Place(name, "1", 20),)) for name in ("b.txt", "a.txt")]
    assert merge(copies).places == (Place("a.txt", "1", 20), Place("b.txt", "1", 20))


loose = st.builds(
    paper,
    st.sampled_from(["text:1", "a#1", "b#2", "arxiv:3101.00001"]),
    title=st.sampled_from(["", "Kites", "Strings"]),
    abstract=st.sampled_from(["", "Short.", LONG, LONG[::-1]]),
    year=st.sampled_from([None, 2030, 2031]),
    doi=st.sampled_from(["", "10.1/k"]),
    venue=st.sampled_from(["", "KiteConf"]),
    authors=st.sampled_from([(), ("Ada Quill",), ("Bo Marsh",)]),
    keywords=st.sampled_from([(), ("a",), ("b", "a")]),
    language=st.sampled_from(["en", "de"]),
    places=st.sampled_from([(Place("a", "1"),), (Place("a", "2", 5),), (Place("b", "1"),)]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(loose, min_size=1, max_size=3))
def test_merging_does_not_depend_on_the_order(papers: list[Paper]) -> None:
    results = {merge(order) for order in permutations(papers)}
    assert len(results) == 1


def test_merging_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="no papers"):
        merge([])


@settings(deadline=None)
@given(st.text() | st.text(st.characters(max_codepoint=0x17F)))
def test_normalising_keeps_letters_and_digits_alone(text: str) -> None:
    folded = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", text.casefold()))
    kept = normalised(text)
    assert kept == " ".join(kept.split())
    if not re.search("[\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]", folded):
        assert kept == re.sub(r"[\W_]+", " ", folded).strip()

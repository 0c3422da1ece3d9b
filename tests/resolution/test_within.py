"""One paper's mentions: what is one entity, and what is not."""

import pytest

from kg.model import Alias, EntityType, Found, Mention, Paper, Span
from kg.ontology import Catalogue, CatalogueRow
from kg.resolve.coordination import conjuncts
from kg.resolve.known import NOTHING, certain
from kg.resolve.within import join
from kg.text import read_text

KINDS = {"M": EntityType.METHOD, "L": EntityType.MODEL, "D": EntityType.DATASET, "R": EntityType.METRIC, "T": EntityType.TASK}


def read(text: str, marked: dict[str, str], aliases: tuple[tuple[str, str], ...] = (), catalogue: Catalogue = NOTHING) -> tuple[Found, ...]:
    """The entities of a text in which each marked string is a mention wherever it first stands after the one before."""
    clean = read_text(Paper("p", "", text, ()))
    mentions, at = [], 0
    for surface, kind in marked.items():
        at = clean.clean.index(surface.split("#")[0], at)
        end = at + len(surface.split("#")[0])
        mentions.append(Mention(Span(at, end), clean.clean[at:end], KINDS[kind], "hand", 0.9))
        at += 1
    spans = {s: Span(clean.clean.index(s), clean.clean.index(s) + len(s)) for pair in aliases for s in pair}
    return join(clean, mentions, [Alias(spans[short], spans[long]) for short, long in aliases], catalogue=catalogue)


def names(found: tuple[Found, ...]) -> list[str]:
    return [f.name for f in found]


def test_full_name_acronym_and_markup_are_one() -> None:
    found = read(
        "**F**low **o**f **Z**orb**S** (**FoZS**) is new. FOZS wins.", {"Flow of ZorbS": "M", "FoZS": "M", "FOZS": "M"}, (("FoZS", "Flow of ZorbS"),)
    )
    assert len(found) == 1
    assert found[0].surfaces == ("Flow of ZorbS", "FoZS", "FOZS")
    assert found[0].expansion == "Flow of ZorbS"


def test_class_takes_its_spelled_out_singular_and_contribution_its_short_name() -> None:
    text = "Any-subset zorb models (AS-ZMs) are slow. We propose ZorbNet, the Zorb Okapi Network (ZON)."
    marked = {"Any-subset zorb models": "M", "AS-ZMs": "M", "ZorbNet": "L", "Zorb Okapi Network": "L", "ZON": "L"}
    found = read(text, marked, (("AS-ZMs", "Any-subset zorb models"), ("ZON", "Zorb Okapi Network")))
    assert names(found) == ["any-subset zorb model", "ZorbNet", "ZON"]


def test_an_abbreviated_name_is_not_the_class_that_it_narrows() -> None:
    text = "We introduce FS-DZM, Few-Step Discrete Zorb Matching. A discrete zorb matching model is fast."
    marked = {"FS-DZM": "M", "Few-Step Discrete Zorb Matching": "M", "discrete zorb matching": "M"}
    found = read(text, marked, (("FS-DZM", "Few-Step Discrete Zorb Matching"),))
    assert [f.surfaces for f in found] == [("FS-DZM", "Few-Step Discrete Zorb Matching"), ("discrete zorb matching",)]


def test_bracket_beside_a_name_needs_no_alias() -> None:
    assert len(read("We present Line-to-Zorb-to-Word (L2Z2W) here.", {"Line-to-Zorb-to-Word": "M", "L2Z2W": "M"})) == 1


def test_neighbours_that_are_not_short_for_each_other_stay_two() -> None:
    found = read("On ZORB196 (CUB-200-2011) and GPT-2 (GPT-Neo/J) we win.", {"ZORB196": "D", "CUB-200-2011": "D", "GPT-2": "L", "GPT-Neo/J": "L"})
    assert len(found) == 4


def test_versions_in_one_mention_give_both_names_with_the_mention() -> None:
    found = read("We test Llama-3.1-8B/70B-Instruct.", {"Llama-3.1-8B/70B-Instruct": "L"})
    assert names(found) == ["Llama-3.1-70B-Instruct", "Llama-3.1-8B-Instruct"]
    assert {f.surfaces for f in found} == {("Llama-3.1-8B/70B-Instruct",)}


def test_a_class_inside_a_longer_name_is_not_counted() -> None:
    found = read("A zorb diffusion model for diffusion.", {"zorb diffusion model": "M", "diffusion model": "M"})
    assert names(found) == ["zorb diffusion model"]


def test_the_same_word_as_another_thing_stays_apart() -> None:
    found = read("FLUXX measures the fluxx.", {"FLUXX": "L", "fluxx": "R"})
    assert len(found) == 2


def test_type_is_by_vote_with_the_catalogue_as_prior() -> None:
    catalogue = Catalogue((CatalogueRow("zorbnet", "ZorbNet", EntityType.MODEL, EntityType.METHOD),), "1")
    found = read("ZorbNet is quick. ZorbNet is good.", {"ZorbNet": "L", "ZorbNet#": "M"}, catalogue=catalogue)
    assert [(f.type, f.also, f.catalogue) for f in found] == [(EntityType.MODEL, EntityType.METHOD, "zorbnet")]


def test_a_papers_own_expansion_wins_over_the_catalogues_acronym() -> None:
    catalogue = Catalogue((CatalogueRow("probabilistic-zorb-model", "probabilistic zorb model", EntityType.METHOD, aliases=("PZM",)),), "1")
    found = read("Partition Zorb Model (PZM) is new.", {"Partition Zorb Model": "L", "PZM": "L"}, (("PZM", "Partition Zorb Model"),), catalogue)
    assert [(f.name, f.catalogue) for f in found] == [("PZM", "")]


def test_every_surface_has_a_reason_and_the_confidence_is_a_probability() -> None:
    found = read("GSM-8K, GSM8K and gsm8k.", {"GSM-8K": "D", "GSM8K": "D", "gsm8k": "D"})
    assert len(found) == 1
    assert {surface for surface, reason in found[0].reasons if reason} == {"GSM-8K", "GSM8K", "gsm8k"}
    assert 0.9 <= found[0].confidence <= 0.99


@pytest.mark.parametrize(
    ("surface", "expected"),
    [
        ("audio, video, and motion generation", ("audio generation", "video generation", "motion generation")),
        ("FewZorb 1.0 and 2.0", ("FewZorb 1.0", "FewZorb 2.0")),
        ("Zorb-VIS-19/21", ("Zorb-VIS-19", "Zorb-VIS-21")),
        ("ZM/VIO", ()),
        ("Tanks and Temples", ()),
        ("Label and Text Driven Object Radiance Fields", ()),
        ("joint reconstruction of hands and objects", ()),
    ],
)
def test_coordinated_names(surface: str, expected: tuple[str, ...]) -> None:
    assert conjuncts(surface, NOTHING) == expected


def test_a_slash_between_two_known_things_of_one_type_joins_nothing() -> None:
    rows = (
        CatalogueRow("zse", "ZSE", EntityType.METRIC),
        CatalogueRow("zae", "ZAE", EntityType.METRIC, ambiguous=("ZAE",)),
        CatalogueRow("zbench", "ZBench", EntityType.DATASET),
    )
    known = Catalogue(rows, "invented")
    assert conjuncts("ZSE/ZAE", known) == ("ZSE", "ZAE")
    assert conjuncts("ZSE/ZBench", known) == ()


def test_near_certain_names_only() -> None:
    rows = (
        CatalogueRow("dream", "Dream", EntityType.MODEL, exact=("Dream",), ambiguous=("Dream",)),
        CatalogueRow("zorb-a", "zorb alpha", EntityType.METHOD, aliases=("ZA",)),
        CatalogueRow("zorb-b", "zorb beta", EntityType.METHOD, aliases=("ZA",)),
    )
    catalogue = Catalogue(rows, "1")
    assert certain(catalogue, "Dream") is None
    assert certain(catalogue, "ZA") is None
    assert certain(catalogue, "Zorb Alphas") is rows[1]

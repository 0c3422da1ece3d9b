"""Languages: others than English are told, and English is never taken for another."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.readers.language import code, detect, words

TEXTS = {
    "en": "We train kites to fly by themselves and measure how high they get over the hills of the county.",
    "de": "Wir bringen Drachen bei, von selbst zu fliegen, und messen, wie hoch sie über den Hügeln der Gegend steigen.",
    "fr": "Nous apprenons aux cerfs-volants à voler seuls et nous mesurons la hauteur qu'ils atteignent dans les collines.",
    "es": "Enseñamos a las cometas a volar solas y medimos la altura que alcanzan sobre las colinas de la región.",
    "pt": "Ensinamos as pipas a voar sozinhas e medimos a altura que elas alcançam sobre as colinas da região, não mais.",
    "it": "Insegniamo agli aquiloni a volare da soli e misuriamo la quota che raggiungono sopra le colline della regione.",
    "nl": "Wij leren vliegers om zelf te vliegen en meten hoe hoog zij boven de heuvels van het land komen met de wind.",
    "pl": "Uczymy latawce latać samodzielnie i mierzymy, jak wysoko wznoszą się nad wzgórzami, które są w okolicy, oraz jak to się dzieje.",
    "tr": "Uçurtmalara kendi başına uçmayı öğretiyoruz ve bu yüksekliği ölçüyoruz; daha çok rüzgâr için ve bir yöntem olarak.",
    "ru": "Мы учим воздушных змеев летать самостоятельно и измеряем высоту.",
    "uk": "Ми навчаємо повітряних зміїв літати самостійно і вимірюємо висоту.",
    "zh": "我们教风筝自己飞行，并测量它们在山上能飞多高。",
    "ja": "我々は凧が自分で飛ぶように教え、その高さを測定する。",
    "ko": "우리는 연이 스스로 날도록 가르치고 높이를 측정한다.",
    "ar": "نعلم الطائرات الورقية أن تطير بنفسها ونقيس الارتفاع",
    "fa": "ما به بادبادک‌ها می‌آموزیم که خودشان پرواز کنند و ارتفاع را می‌سنجیم گرچه پرنده‌اند",
    "el": "Μαθαίνουμε στους χαρταετούς να πετούν μόνοι τους.",
    "hi": "हम पतंगों को अपने आप उड़ना सिखाते हैं और ऊँचाई मापते हैं।",
}


@pytest.mark.parametrize("language", list(TEXTS))
def test_a_language_is_told(language: str) -> None:
    assert detect(TEXTS[language]) == language


@pytest.mark.parametrize(
    "text",
    [
        "Deep Residual Learning for Image Recognition",
        "GPT-4",
        "YOLOv3: An Incremental Improvement",
        "La La Land is a film on which kites were never trained by us",
        "$\\alpha$-$\\beta$-CROWN y z a e o",
        "Kites (风筝) in the wild: a survey of 风筝 data sets",
        "",
        "We use the Schrödinger–Föllmer sampler of naïve Bayes in São Paulo.",
    ],
)
def test_english_is_not_taken_for_another(text: str) -> None:
    assert detect(text) == "en"


def test_the_source_decides_only_where_the_text_cannot() -> None:
    assert detect("Drachenflug", stated="de") == "de"
    assert detect(TEXTS["en"], stated="de") == "en"
    assert [code(name) for name in ("eng", "en-US", "Deutsch", "zh_TW", "klingon")] == ["en", "en", "de", "zh", ""]


@settings(deadline=None)
@given(st.text() | st.text(st.characters(max_codepoint=0x17F)))
def test_words_are_those_that_a_pattern_finds(text: str) -> None:
    assert words(text) == [word.lower() for word in re.findall(r"[^\W\d_]+", text)]

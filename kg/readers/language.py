"""Which language a paper is in, well enough to keep English extraction away from the rest.

A rule over scripts and stop words: a text of three sentences is told apart by its commonest words. What was weighed is in docs/dependencies.md.
"""

import re
from functools import cache
from typing import TYPE_CHECKING

from kg.letters import beyond_ascii

if TYPE_CHECKING:
    from ahocorasick_rs import BytesAhoCorasick

ENGLISH = "en"
_WORD = re.compile(r"[^\W\d_]+")
_STOP = {
    "en": "the of and to in a is that for we with on this as are by from be an which our it has can these not have their at or its was were been",
    "de": "der die und das den von zu mit des ist ein eine im dem für auf nicht wird wir als auch einer werden sich bei durch sind dass oder diese",
    "fr": "le la les des et de du un une dans pour que est sur nous par avec ce cette qui aux au sont plus ces à en d l être ont notre",
    "es": "el la los las de y en que un una para con por del se es como este esta al lo más su son sobre entre nos hemos han o",
    "pt": "o os as de e em que um uma para com por do da dos das se é como este esta no na ao mais são sobre entre nos ou não foram",
    "it": "il lo la i gli le di e che un una per con del della dei delle in è come questo questa nel nella sono si da più su al alla non",
    "nl": "de het een en van in is dat op te voor met zijn die niet aan er om ook als door bij naar dit deze wordt we uit kan",
    "sv": "och att det som en på är av för med den till i inte ett de har vi om kan från denna detta vid eller så",
    "da": "og at det som en på er af for med den til i ikke et de har vi om kan fra denne dette ved eller så der",
    "no": "og at det som en på er av for med den til i ikke et de har vi om kan fra denne dette ved eller så",
    "fi": "ja on ei että se joka ovat tai kuin myös ole sekä tämä tässä mutta voi sen niiden",
    "pl": "w i na z do jest się nie że o jak dla po od oraz przez są które który to tym tej ze może",
    "cs": "která jsme byla bylo které tento tato kde lze více a v na je se že s z do k pro o jsou jako které který byl nebo při jeho této pomocí od",
    "hu": "a az és hogy nem is egy meg van de ez mint csak vagy ezek amely által",
    "tr": "ve bir bu için ile olarak de da olan daha çok gibi en ise veya tarafından bu",
    "ro": "și în de la cu pe este un o care pentru din sunt prin mai ca nu sau acest această",
    "id": "dan yang di dari untuk dengan pada ini adalah dalam tidak oleh sebagai itu dapat atau ke",
    "vi": "và của là các cho một có trong được với không này những để từ khi đã",
    "la": "et in est non ad cum quod ut sunt per ex ab qui",
}  # fmt: skip
_WORDS = {language: frozenset(words.split()) for language, words in _STOP.items()}
_OTHER = frozenset().union(*(words for language, words in _WORDS.items() if language != ENGLISH))
_CLEAR = frozenset(["the", "of", "and", "that", "with", "this", "are", "from", "which", "our", "these", "have", "their", "been", "were", "has"])
"""English words that are no words of the other languages."""
_SCRIPTS = (
    ("ja", "\u3040-\u30ff"),
    ("ko", "\uac00-\ud7af"),
    ("zh", "\u4e00-\u9fff"),
    ("ru", "\u0400-\u04ff"),
    ("ar", "\u0600-\u06ff"),
    ("he", "\u0590-\u05ff"),
    ("el", "\u0370-\u03ff"),
    ("hi", "\u0900-\u097f"),
    ("th", "\u0e00-\u0e7f"),
    ("fa", "\u06a9\u06af\u067e\u0686\u06cc"),
    ("uk", "\u0456\u0457\u0454\u0491"),
)
_SCRIPT = {language: re.compile(f"[{letters}]") for language, letters in _SCRIPTS}
_WIDE = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff]")
_NOT_LATIN = re.compile(f"{_WIDE.pattern[:-1]}{''.join(letters for _, letters in _SCRIPTS)}]")
_LETTERS = bytes(code if chr(code).isalpha() else 32 for code in range(128)).lower() + bytes(128)
"""Byte → byte: ASCII letters in lower case, all else to blanks."""
_SPACED = bytes(32 if chr(code).isspace() else code for code in range(128)).lower() + bytes(128)
"""Byte → byte: ASCII in lower case, all that parts words to blanks."""
_SAMPLE = 1500
_NAMES = {
    "english": "en", "german": "de", "deutsch": "de", "ngerman": "de", "french": "fr", "français": "fr", "spanish": "es", "español": "es",
    "chinese": "zh",     "japanese": "ja", "korean": "ko", "russian": "ru", "portuguese": "pt", "brazilian": "pt", "italian": "it",
    "dutch": "nl", "polish": "pl", "turkish": "tr",
    "american": "en", "british": "en", "usenglish": "en", "ukenglish": "en", "eng": "en", "ger": "de", "deu": "de", "fre": "fr",
    "fra": "fr", "spa": "es",
    "chi": "zh", "zho": "zh", "jpn": "ja", "kor": "ko", "rus": "ru", "por": "pt", "ita": "it", "dut": "nl", "nld": "nl", "pol": "pl", "tur": "tr",
}  # fmt: skip


def code(name: str) -> str:
    """The two-letter code of a language as sources write it, "" when it is not known.

    >>> code("eng"), code("zh-CN"), code("ngerman"), code("x")
    ('en', 'zh', 'de', '')
    """
    lower = name.strip().lower()
    if lower in _NAMES:
        return _NAMES[lower]
    head = re.split(r"[-_]", lower)[0]
    return head if len(head) == 2 and head.isalpha() else _NAMES.get(head, "")


def detect(text: str, stated: str = "") -> str:
    """The language of a text, as a two-letter code. The text decides; what its source states counts only when the text is too short to tell.

    >>> detect("We study the limits of attention in long documents."), detect("Wir untersuchen die Grenzen der Aufmerksamkeit in langen Texten.")
    ('en', 'de')
    >>> detect("深度学习在自然语言处理中的应用"), detect("Deep ResNets"), detect("Réseaux profonds", stated="fr")
    ('zh', 'en', 'fr')
    """
    found, clear = _begins(text[:320])
    if found > 12 and 8 * clear >= found:
        return ENGLISH
    sample = text[:_SAMPLE]
    rare = beyond_ascii(sample)
    return (_script(sample) if rare and _NOT_LATIN.search(rare) else "") or _by_words(sample, rare) or stated or ENGLISH


def _script(sample: str) -> str:
    """The language by script, when at least 30 of 100 letters are of one that is not Latin; a wide letter weighs as much as three others."""
    wide = len(_WIDE.findall(sample))
    letters = sum(map(len, _WORD.findall(sample))) + 2 * wide
    counts = {language: len(pattern.findall(sample)) for language, pattern in _SCRIPT.items()}
    if wide * 3 * 10 >= letters * 4 and wide:
        if counts["ja"] * 10 >= wide:
            return "ja"
        return "ko" if counts["ko"] * 2 >= wide else "zh"
    best = max(("ru", "ar", "he", "el", "hi", "th"), key=lambda language: counts[language])
    if counts[best] * 10 < letters * 4 or not counts[best]:
        return ""
    if best == "ru":
        return "uk" if counts["uk"] else "ru"
    return "fa" if best == "ar" and counts["fa"] > 2 else best


def words(sample: str) -> list[str]:
    """The words of a text in lower case, digits and signs left out.

    >>> words("GPT-4, naïve_Bayes")
    ['gpt', 'naïve', 'bayes']
    """
    return [word.lower() for word in _WORD.findall(sample)]


def _begins(start: str) -> tuple[int, int]:
    """How many words a text begins with, as blanks part them, and how many of them are English and of no other language."""
    if start.isascii() and b"  " not in (plain := b" %b " % start.encode().translate(_SPACED)):
        return plain.count(b" ") - 1, len(_clear_words().find_matches_as_indexes(plain, overlapping=True))
    found = start.lower().split()
    return len(found), sum(map(_CLEAR.__contains__, found))


@cache
def _clear_words() -> "BytesAhoCorasick":
    from ahocorasick_rs import BytesAhoCorasick, Implementation

    return BytesAhoCorasick([f" {word} ".encode() for word in sorted(_CLEAR)], implementation=Implementation.DFA)


@cache
def _stop_words() -> tuple["BytesAhoCorasick", list[bool], list[bool]]:
    """What finds the stop words of ASCII letters between blanks, and for each whether it is English, and whether it is of another language."""
    from ahocorasick_rs import BytesAhoCorasick, Implementation

    known = sorted(word for word in _OTHER | _WORDS[ENGLISH] if word.isascii())
    finder = BytesAhoCorasick([f" {word} ".encode() for word in known], implementation=Implementation.DFA)
    return finder, [word in _WORDS[ENGLISH] for word in known], [word in _OTHER for word in known]


def _stops(sample: str, rare: str) -> tuple[int, int]:
    """How many words of a text are English stop words, and how many are stop words of any other language; `rare` is what is not ASCII in it."""
    if any(map(str.isalnum, rare)):
        found = words(sample)
        return sum(map(_WORDS[ENGLISH].__contains__, found)), sum(map(_OTHER.__contains__, found))
    # Where all letters are ASCII, as in most texts, the words need not be taken apart.
    finder, english, other = _stop_words()
    hits = finder.find_matches_as_indexes(b" %b " % sample.encode("ascii", "replace").translate(_LETTERS), overlapping=True)
    return sum([english[word] for word, _, _ in hits]), sum([other[word] for word, _, _ in hits])


def _by_words(sample: str, rare: str) -> str:
    """The language whose stop words are the most, if they are enough; English wins a near draw."""
    english, others = _stops(sample, rare)
    if others <= 1.5 * english:
        # Not all the other languages together could win.
        return ENGLISH if english >= 2 else ""
    found = words(sample)
    counts = {language: sum(map(stop.__contains__, found)) for language, stop in _WORDS.items() if language != ENGLISH}
    best = max(counts, key=lambda language: (counts[language], language))
    # Single letters stand in formulas and names of every language.
    clear = {word for word in found if len(word) > 1 and word in _WORDS[best]}
    if len(clear) >= 2 and counts[best] > 1.5 * english and counts[best] * 8 >= len(found):
        return best
    return ENGLISH if english >= 2 else ""

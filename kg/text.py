"""Markup cleaning with a map back to the original, and sentences."""

import html
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kg.model import Paper, Span, Text

Piece = int | str
"""What a match leaves: the group of that number, with its offsets, or a new string that stands for the whole match."""


@dataclass(frozen=True, slots=True)
class _Mapped:
    """A string and, for each of its characters, the range of the original that it came from."""

    string: str
    starts: list[int]
    ends: list[int]


_SYMBOLS = {
    "times": "×", "%": "%", "&": "&", "#": "#", "_": "_", "$": "$", "{": "{", "}": "}", "pm": "±", "sim": "~", "approx": "≈", "leq": "≤",
    "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "to": "→", "rightarrow": "→", "uparrow": "↑", "downarrow": "↓", "infty": "∞", "cdot": "·",
    "ldots": "…", "dots": "…", "textasciitilde": "~", "ell": "ℓ", "log": "log", "sqrt": "√", "in": "∈", "star": "*", "ast": "*",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ",
    "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "aa": "å", "l": "ł",
    "L": "Ł", "i": "ı", "textendash": "–", "textemdash": "—", "textregistered": "®", "texttrademark": "™",
}  # fmt: skip
_ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "r": "\u030a"}  # fmt: skip
_STYLES = r"text(?:it|bf|sc|rm|tt|sf|sl|up|md|normal|color\{\w+\})?|emph|underline|math(?:rm|bf|cal|it|bb|sf|tt|scr|frak|normal)|boldsymbol|bm|mbox|operatorname\*?|textsuperscript|textsubscript|uline|url|href\{[^{}]*\}|ensuremath|xspace|hat|tilde|bar|overline"  # fmt: skip
_TAGS = r"i|b|em|strong|sub|sup|u|tt|code|p|br|div|span|scp|inline-formula|tex-math|jats:\w+|mml:\w+|math|mi|mn|mo|mrow|msub|msup"

_WORD_PAIRS = r"(?!(?:and|or|to|vs|nor|but|versus)\b)"


def _accent(match: re.Match[str]) -> list[Piece]:
    return [unicodedata.normalize("NFC", match[2] + _ACCENTS[match[1]])]


def _symbol(match: re.Match[str]) -> list[Piece]:
    return [_SYMBOLS[match[1]]] if match[1] in _SYMBOLS else [1]


def _entity(match: re.Match[str]) -> list[Piece]:
    text = html.unescape(match[0])
    return [text] if text != match[0] else [0]


def _nfkc_ligature(match: re.Match[str]) -> list[Piece]:
    return [unicodedata.normalize("NFKC", match[0])]


def _compose(match: re.Match[str]) -> list[Piece]:
    return [unicodedata.normalize("NFC", match[0])]


_NOTHING: list[Piece] = []
_STEPS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Iterable[Piece]]], ...] = (
    # Characters that no reader sees and no format keeps.
    (re.compile("[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]+"), lambda m: _NOTHING),
    (re.compile("[\ufb00-\ufb06]"), _nfkc_ligature),
    (re.compile("[A-Za-z][\u0300-\u036f]+"), _compose),
    # HTML.
    (re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>", re.IGNORECASE), lambda m: _NOTHING),
    (re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z]{2,8}\d?);"), _entity),
    # LaTeX: quotes, accents, citations, styles, symbols, macros, and at last the bare dollars and braces.
    (re.compile(r"``|''"), lambda m: ['"']),
    (re.compile(r"\\([\'`^\"~=.])\s*\{?\\?([A-Za-z])\}?"), _accent),
    (re.compile(r"\\([cvuHr])\s*\{([A-Za-z])\}"), _accent),
    (re.compile(r"\s*~?\\(?:cite\w*|ref|label|footnote|cref|autoref)\*?(?:\[[^\]]*\])*\{[^{}]*\}"), lambda m: _NOTHING),
    (re.compile(rf"\\(?:{_STYLES})(?![A-Za-z])\s*(?=\{{)"), lambda m: _NOTHING),
    (re.compile(r"\\(?:begin|end)\{\w+\*?\}|\\item\b|\\(?:left|right|displaystyle|bf|it|rm|sc|tt|em|sf|xspace|noindent|small)(?![A-Za-z])\s?"), lambda m: _NOTHING),
    (re.compile(r"\\d?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), lambda m: [1, "/", 2]),
    (re.compile(r"\\\\"), lambda m: [" "]),
    (re.compile(r"\\[,!;: ](?=\d{3}\b)"), lambda m: _NOTHING),
    (re.compile(r"\\[,!;: /]"), lambda m: [" "]),
    (re.compile(r"(?<=\d)\{,\}(?=\d)"), lambda m: [","]),
    (re.compile(r"\s*\\(times)(?![A-Za-z])(?:\{\})?(?:\s*(?=\d))?"), _symbol),
    (re.compile(r"\\([A-Za-z]+)(?:\{\})?"), _symbol),
    (re.compile(r"\\([%&#_${}])"), _symbol),
    (re.compile(r"(?<=[A-Za-z0-9)])[_^]\{([^{}]{1,20})\}"), lambda m: [1]),
    (re.compile(r"\$(?=\s*\d[\d.,]*\s*(?:million|billion|thousand|k\b|M\b|B\b|per\b|USD))"), lambda m: [0]),
    (re.compile(r"\$\$?"), lambda m: _NOTHING),
    (re.compile(r"[{}]"), lambda m: _NOTHING),
    (re.compile(r"(?<=\S)~(?=[A-Za-z(])"), lambda m: [" "]),
    # Markdown.
    (re.compile(r"!?\[([^\[\]]+)\]\((?:https?://|#|/|mailto:)[^\s()]*\)"), lambda m: [1]),
    (re.compile(r"\*\*\*(?=\S)([^*]+?)(?<=\S)\*\*\*"), lambda m: [1]),
    (re.compile(r"\*\*(?=\S)([^*]+?)(?<=\S)\*\*"), lambda m: [1]),
    (re.compile(r"__(?=\S)([^_]+?)(?<=\S)__(?!\w)"), lambda m: [1]),
    (re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![*])"), lambda m: [1]),
    (re.compile(r"(?<=\w)\*(?=[^\s*])([^*\n]{1,40}?)(?<=[^\s*])\*(?!\*)"), lambda m: [1]),
    (re.compile(r"(?<![\w\\])_(?=[^\s_])([^_\n]+?)(?<=[^\s_])_(?!\w)"), lambda m: [1]),
    (re.compile(r"`+([^`]+)`+"), lambda m: [1]),
    # Hyphens left from line breaks, dashes, spaces.
    (re.compile(rf"(?<=[a-z]{{2}})-[ \t]*\r?\n[ \t]*(?={_WORD_PAIRS}[a-z])|(?<=[a-z]{{2}})- (?={_WORD_PAIRS}[a-z]{{2}})"), lambda m: _NOTHING),
    (re.compile("[\u2010\u2011]"), lambda m: ["-"]),
    (re.compile("(?<=\\d)[ \u00a0\u2009\u202f]*[x×](?=[ \u00a0\u2009\u202f]*\\d)[ \u00a0\u2009\u202f]*"), lambda m: ["×"]),
    (re.compile(r"---"), lambda m: ["—"]),
    (re.compile(r"(?<!-)--(?!-)"), lambda m: ["–"]),
    (re.compile(r"\s+(?=[,.;:!?)](?:\s|$))"), lambda m: _NOTHING),
    (re.compile(r"[^\S ]+|\s{2,}"), lambda m: [" "]),
)  # fmt: skip


def _substitute(mapped: _Mapped, pattern: re.Pattern[str], rewrite: Callable[[re.Match[str]], Iterable[Piece]]) -> _Mapped:
    matches = list(pattern.finditer(mapped.string))
    if not matches:
        return mapped
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []

    def keep(begin: int, end: int) -> None:
        parts.append(mapped.string[begin:end])
        starts.extend(mapped.starts[begin:end])
        ends.extend(mapped.ends[begin:end])

    last = 0
    for match in matches:
        keep(last, match.start())
        for piece in rewrite(match):
            if isinstance(piece, int):
                keep(*match.span(piece))
            elif match.start() < match.end():
                parts.append(piece)
                starts.extend([mapped.starts[match.start()]] * len(piece))
                ends.extend([mapped.ends[match.end() - 1]] * len(piece))
        last = match.end()
    keep(last, len(mapped.string))
    return _Mapped("".join(parts), starts, ends)


def _clean(raw: str, base: int) -> _Mapped:
    mapped = _Mapped(raw, list(range(base, base + len(raw))), list(range(base + 1, base + len(raw) + 1)))
    for pattern, rewrite in _STEPS:
        mapped = _substitute(mapped, pattern, rewrite)
    begin = len(mapped.string) - len(mapped.string.lstrip())
    end = max(begin, len(mapped.string.rstrip()))
    return _Mapped(mapped.string[begin:end], mapped.starts[begin:end], mapped.ends[begin:end])


def clean(raw: str) -> str:
    """A text without its markup: Markdown, LaTeX, HTML, broken hyphens, control characters.

    >>> clean(r"We propose **F**low **o**f **S**pan**S** (**FOSS**), po- tentially 8.5\\times faster (12.5\\%)")
    'We propose Flow of SpanS (FOSS), potentially 8.5× faster (12.5%)'
    """
    return _clean(raw, 0).string


def read_text(paper: Paper) -> Text:
    """The clean text of a paper: its title, a line feed and its abstract, each cleaned alone so that no markup runs over the border.

    >>> text = read_text(Paper("p", "", "**GSM8K** rises. It does.", ()))
    >>> text.clean, text.original(Span(0, 5)), [text.clean[s.start:s.end] for s in text.sentences]
    ('GSM8K rises. It does.', Span(start=2, end=7), ['GSM8K rises.', 'It does.'])
    """
    title = _clean(paper.title, 0)
    body = _clean(paper.abstract, len(paper.title) + 1 if paper.title else 0)
    if not title.string:
        return Text(paper.id, body.string, sentences(body.string), body.starts, body.ends)
    title_end = len(title.string)
    gap = [len(paper.title)], [len(paper.title) + 1]
    shifted = (Span(s.start + title_end + 1, s.end + title_end + 1) for s in sentences(body.string))
    return Text(
        paper.id,
        f"{title.string}\n{body.string}",
        (Span(0, title_end), *shifted),
        [*title.starts, *gap[0], *body.starts],
        [*title.ends, *gap[1], *body.ends],
        title_end,
    )


_BREAK = re.compile(r"[.!?…]+[\"”’')\]]*\s+(?=[\"“‘'(\[]?[A-Z0-9α-ωΑ-Ω])|[。！？]\s*|(?<=[a-z]{3})\.(?=[A-Z][a-z]+\s)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|et al|etc|resp|w\.r\.t|a\.k\.a|approx|Fig|Figs|Eq|Eqs|Sec|Tab|Ref|No|Dr|Prof|St|i\.i\.d|U\.S|ca|incl)|(?:^|\s)[A-Z])\.$"
)


def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a clean text, as spans without the spaces between them; an abbreviation or an initial ends none.

    >>> text = "It beats BERT, e.g. GLUE. See Fig. 2. Done?"
    >>> [text[s.start:s.end] for s in sentences(text)]
    ['It beats BERT, e.g. GLUE.', 'See Fig. 2.', 'Done?']
    """
    spans = []
    start = 0
    for match in _BREAK.finditer(text):
        if _ABBREVIATION.search(text, max(0, match.start() - 12), match.start() + 1):
            continue
        spans.append(Span(start, match.start() + len(match[0].rstrip())))
        start = match.end()
    if text[start:].strip():
        spans.append(Span(start, len(text)))
    return tuple(spans)

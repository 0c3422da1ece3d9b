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
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308",
    "~": "\u0303", "=": "\u0304", ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "r": "\u030a"
}  # fmt: skip
_STYLES = (
    r"text(?:it|bf|sc|rm|tt|sf|sl|up|md|normal|color\{\w+\})?|emph|underline|math(?:rm|bf|cal|it|bb|sf|tt|scr|frak|normal)"
    r"|boldsymbol|bm|mbox|operatorname\*?|textsuperscript|textsubscript|uline|url|href\{[^{}]*\}|ensuremath|xspace|hat|tilde|bar|overline"
)
_TAGS = r"i|b|em|strong|sub|sup|u|tt|code|p|br|div|span|scp|inline-formula|tex-math|jats:\w+|mml:\w+|math|mi|mn|mo|mrow|msub|msup"

_WORD_PAIRS = r"(?!(?:and|or|to|vs|nor|but|versus)\b)"


def _accent(match: re.Match[str]) -> list[Piece]:
    return [unicodedata.normalize("NFC", match[2] + _ACCENTS[match[1]])]


def _symbol(match: re.Match[str]) -> list[Piece]:
    return [_SYMBOLS[match[1]]] if match[1] in _SYMBOLS else [1]


def _entity(match: re.Match[str]) -> list[Piece]:
    text = html.unescape(match[0])
    return [text] if text != match[0] else [0]


def _ligature(match: re.Match[str]) -> list[Piece]:
    return [unicodedata.normalize("NFKC", match[0])]


def _compose(match: re.Match[str]) -> list[Piece]:
    return [unicodedata.normalize("NFC", match[0])]


@dataclass(frozen=True, slots=True)
class _Step:
    """One rewriting. It can only match a string that holds one of `needs`, so others skip it; without `needs`, one that is not plain ASCII.

    `probe` is a quicker pattern without which the other never fits.
    """

    pattern: re.Pattern[str]
    rewrite: Callable[[re.Match[str]], Iterable[Piece]]
    needs: tuple[str, ...]
    probe: re.Pattern[str] | None = None

    def may_match(self, string: str) -> bool:
        """Whether the pattern is worth a search."""
        if not self.needs:
            return not (string.isascii() and string.isprintable())
        for part in self.needs:  # a loop and no any(): it is run eighty times a paper
            if part in string:
                return self.probe is None or bool(self.probe.search(string))
        return False


def _step(pattern: str, rewrite: Callable[[re.Match[str]], Iterable[Piece]] | int | str | None, *needs: str, flags: int = 0) -> _Step:
    """A step; a group's number, a string or None (nothing is left) stand for functions that give just that."""
    if callable(rewrite):
        return _Step(re.compile(pattern, flags), rewrite, needs)
    pieces: list[Piece] = [] if rewrite is None else [rewrite]
    return _Step(re.compile(pattern, flags), lambda match: pieces, needs)


_UNSEEN: tuple[_Step, ...] = (
    # Characters that no reader sees and no format keeps.
    _step(
        "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069"
        "\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]+",
        None,
    ),
    _step("[\ufb00-\ufb06]", _ligature),
    _step("[A-Za-z][\u0300-\u036f]+", _compose),
)  # fmt: skip
_SIGN = re.compile(r"[\\<&{}$~*_`]|''|\]\(")
"""What stands in every text that one of `_MARKUP` rewrites."""
_MARKUP: tuple[_Step, ...] = (
    # HTML.
    _step(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>", None, "<", flags=re.IGNORECASE),
    _step(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z]{2,8}\d?);", _entity, "&"),
    # LaTeX: quotes, accents, citations, styles, symbols, macros, and at last the bare dollars and braces.
    _step(r"``|''", '"', "``", "''"),
    _step(r"\\([\'`^\"~=.])\s*\{?\\?([A-Za-z])\}?", _accent, "\\"),
    _step(r"\\([cvuHr])\s*\{([A-Za-z])\}", _accent, "\\"),
    _step(r"\s*~?\\(?:cite\w*|ref|label|footnote|cref|autoref)\*?(?:\[[^\]]*\])*\{[^{}]*\}", None, "\\"),
    _step(rf"\\(?:{_STYLES})(?![A-Za-z])\s*(?=\{{)", None, "\\"),
    _step(r"\\(?:begin|end)\{\w+\*?\}|\\item\b|\\(?:left|right|displaystyle|bf|it|rm|sc|tt|em|sf|xspace|noindent|small)(?![A-Za-z])\s?", None, "\\"),
    _step(r"\\d?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", lambda match: [1, "/", 2], "\\"),
    _step(r"\\\\", " ", "\\"),
    _step(r"\\[,!;: ](?=\d{3}\b)", None, "\\"),
    _step(r"\\[,!;: /]", " ", "\\"),
    _step(r"(?<=\d)\{,\}(?=\d)", ",", "{,}"),
    _step(r"\s*\\(times)(?![A-Za-z])(?:\{\})?(?:\s*(?=\d))?", _symbol, "\\times"),
    _step(r"\\([A-Za-z]+)(?:\{\})?", _symbol, "\\"),
    _step(r"(?<=[A-Za-z0-9)])[_^]\{([^{}]{1,20})\}", 1, "_{", "^{"),
    _step(r"(?<!\\)\$\$?(?!\d[\d.,]*\s*(?:million|billion|thousand|k\b|M\b|B\b|per\b))", None, "$"),
    _step(r"(?<!\\)[{}]", None, "{", "}"),
    _step(r"\\([%&#_${}])", _symbol, "\\"),
    _step(r"(?<=\S)~(?=[A-Za-z(])", " ", "~"),
    # Markdown.
    _step(r"!?\[([^\[\]]+)\]\((?:https?://|#|/|mailto:)[^\s()]*\)", 1, "]("),
    _step(r"\*\*\*(?=\S)([^*]+?)(?<=\S)\*\*\*", 1, "***"),
    _step(r"\*\*(?=\S)([^*]+?)(?<=\S)\*\*", 1, "**"),
    _step(r"__(?=\S)([^_]+?)(?<=\S)__(?!\w)", 1, "__"),
    _step(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![*])", 1, "*"),
    _step(r"(?<=\w)\*([^*\s]{1,40})\*(?!\*)", 1, "*"),
    _step(r"(?<![\w\\])_(?=[^\s_])([^_\n]+?)(?<=[^\s_])_(?!\w)", 1, "_"),
    _step(r"`+([^`]+)`+", 1, "`"),
)  # fmt: skip
_SPACING: tuple[_Step, ...] = (
    # Hyphens left from line breaks, dashes, spaces.
    _step(rf"(?<=[a-z]{{2}})-[ \t]*\r?\n[ \t]*(?={_WORD_PAIRS}[a-z])", None, "\n"),
    _step(rf"(?<=[a-z]{{2}})- (?={_WORD_PAIRS}[a-z]{{2}})", None, "- "),
    _step("[\u2010\u2011]", "-", "\u2010", "\u2011"),
    _Step(
        re.compile("(?<=\\d)[ \u00a0\u2009\u202f]*[x×](?=[ \u00a0\u2009\u202f]*\\d)[ \u00a0\u2009\u202f]*"),
        lambda match: ["×"],
        ("x", "×"),
        re.compile("\\d[ \u00a0\u2009\u202f]*[x×]"),
    ),
    _step(r"---", "—", "---"),
    _step(r"(?<!-)--(?!-)", "–", "--"),
    _step(r"\s+(?=[,.;:!?)](?:\s|$))", None, " ,", " .", " ;", " :", " !", " ?", " )", "\n"),
    _step(r"[^\S ]+", " "),
    _step(r"  +", " ", "  "),
)  # fmt: skip


def _apply(step: _Step, mapped: _Mapped) -> _Mapped:
    if not step.may_match(mapped.string) or not (matches := list(step.pattern.finditer(mapped.string))):
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
        for piece in step.rewrite(match):
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
    for steps in (_UNSEEN, _MARKUP, _SPACING):
        if steps is not _MARKUP or _SIGN.search(mapped.string):
            for step in steps:
                mapped = _apply(step, mapped)
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


_BREAK = re.compile(r"[.!?…。！？][.!?…。！？]*[\"”’')\]]*(?:\s+(?=[\"“‘'(\[]?[A-Z0-9α-ωΑ-Ω])|(?<=[。！？])\s*|(?<=[a-z]{3}\.)(?=[A-Z][a-z]+\s))")
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

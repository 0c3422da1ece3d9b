"""From bytes to text: byte order marks, UTF-8, and what else a file may be in."""

import codecs
import io
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from kg.readers import language
from kg.readers.limits import CHUNK

_CENTRAL = {"pl", "cs", "hu", "ro"}

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def is_binary(head: bytes) -> bool:
    r"""Whether the first bytes are no text: NUL bytes without the pattern of UTF-16, or many control characters.

    >>> is_binary(b"PAR1\0\0\0\0"), is_binary("Grüße".encode("utf-16")), is_binary(b"a stray \0 in a long text" * 9)
    (True, False, False)
    """
    if _wide(head):
        return False
    sample = head[:65536]
    controls = sum(sample.count(bytes((code,))) for code in range(32) if code not in (9, 10, 12, 13, 27))
    return controls * 16 > len(sample)


def _wide(head: bytes) -> str:
    """The UTF-16 or UTF-32 flavour of a head, by its mark or by where the zeros stand; "" for none."""
    for mark, name in _MARKS[1:]:
        if head.startswith(mark):
            return name
    sample = head[:4096]
    half = len(sample) // 2
    if half < 8:
        return ""
    if sample[1::2].count(0) * 2 > half and not sample[::2].count(0):
        return "utf-16-le"
    return "utf-16-be" if sample[::2].count(0) * 2 > half and not sample[1::2].count(0) else ""


@lru_cache(maxsize=16)
def detect(head: bytes) -> str:
    r"""The encoding of a file by its first bytes: a byte order mark, else UTF-8 if they are it, else the likeliest of the older ones.

    >>> detect("é".encode()), detect(b"\xef\xbb\xbfa"), detect("naïve café, déjà vu: une méthode à noyaux".encode("latin-1"))
    ('utf-8', 'utf-8-sig', 'cp1252')
    """
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if wide := _wide(head):
        return wide
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError as error:
        # One bad byte in much good UTF-8 is damage, not another encoding.
        if len(head[: error.start].decode("utf-8")) < error.start:
            return "utf-8"
        return _guess(head)
    return "utf-8"


def _guess(head: bytes) -> str:
    from charset_normalizer import from_bytes

    sample = head[:65536]
    best = from_bytes(sample, cp_isolation=["cp1252", "cp1251", "cp1250", "koi8_r", *_EAST]).best()
    if best is None or (best.encoding == "cp1250" and language.detect(str(best)) not in _CENTRAL):
        # The two differ in a dozen letters, and most papers that are neither UTF-8 nor plain ASCII come from the West.
        return "cp1252"
    return _east(sample) or best.encoding if best.encoding in _EAST else best.encoding


_EAST = ("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr")


def _east(sample: bytes) -> str:
    """Which of the East Asian encodings: they decode each other's bytes, but only the right one into the commonest characters."""
    texts = {name: "".join(c for c in sample.decode(name, "ignore") if not c.isascii()) for name in _EAST}

    def share(name: str, common: Callable[[str], bool]) -> float:
        return sum(map(common, texts[name])) / max(1, len(texts[name]))

    if share("euc_kr", lambda c: "가" <= c <= "힣") > 0.85:
        return "euc_kr"
    kana = max(("shift_jis", "euc_jp"), key=lambda name: share(name, lambda c: "ぁ" <= c <= "ヿ"))
    if share(kana, lambda c: "ぁ" <= c <= "ヿ") > 0.25:
        return kana
    return "gb18030" if share("gb18030", _frequent) > 0.7 else "big5"


def _frequent(c: str) -> bool:
    """Whether a character is of the first level of GB 2312, the 3,755 commonest, or punctuation."""
    code = c.encode("gb2312", "ignore")
    return len(code) == 2 and code[0] < 0xD8


_LATER_MARK = re.compile("(?:\\A|(?<=[\\r\\n]))\ufeff")


def decoded(stream: io.BufferedReader, head: bytes) -> Iterator[str]:
    """The text of a stream in pieces; bytes that do not decode become lone surrogates (UTF-8) or U+FFFD (the rest).

    A byte order mark before a later line, as in files put one behind the other, becomes a blank, so that offsets stay.
    """
    last = ""
    for text in _decoded(stream, head):
        yield _LATER_MARK.sub(" ", last + text)[len(last) :] if "\ufeff" in text else text
        last = text[-1]


def _decoded(stream: io.BufferedReader, head: bytes) -> Iterator[str]:
    name = detect(head)
    decoder = codecs.getincrementaldecoder(name)("surrogateescape" if name.startswith("utf-8") else "replace")
    while chunk := stream.read(CHUNK):
        if text := decoder.decode(chunk):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text


class _Transcoded(io.RawIOBase):
    """Reads another encoding as UTF-8."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        if not self._left:
            self._left = next(self._pieces, "").encode("utf-8", "replace")
        part = self._left[: len(buffer)]
        buffer[: len(part)] = part
        self._left = self._left[len(part) :]
        return len(part)


def as_utf8(stream: io.BufferedReader, head: bytes) -> io.BufferedReader:
    """The stream in UTF-8 without a byte order mark; untouched, and so at full speed, when it is that already."""
    name = detect(head)
    if name == "utf-8":
        return stream
    if name == "utf-8-sig":
        stream.read(len(codecs.BOM_UTF8))
        return stream
    return io.BufferedReader(_Transcoded(decoded(stream, head)), CHUNK)

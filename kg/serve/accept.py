"""Content negotiation: the best of what a client accepts (RFC 9110, section 12.5.1)."""

from collections.abc import Sequence


def best(accept: str, offered: Sequence[tuple[str, str]], default: str) -> str | None:
    """The name of the offer that an Accept header likes best; `offered` are (name, media type), the server's favourites first.

    Without a header it is `default`; None when nothing offered is accepted.

    >>> best("text/html;q=0.5, text/csv", [("html", "text/html"), ("csv", "text/csv")], "html")
    'csv'
    >>> best("image/png", [("csv", "text/csv")], "csv") is None
    True
    """
    wanted = _parsed(accept)
    if not wanted:
        return default
    scored = [(_quality(media, wanted), name == default, -place, name) for place, (name, media) in enumerate(offered)]
    quality, _, _, name = max(scored)
    return name if quality > 0 else None


def _parsed(accept: str) -> dict[str, float]:
    found = {}
    for part in accept.split(","):
        media, *parameters = (piece.strip().lower() for piece in part.split(";"))
        if media:
            text = next((p[2:] for p in parameters if p.startswith("q=")), "1")
            try:
                found[media] = max(0.0, min(float(text), 1.0))
            except ValueError:
                found[media] = 0.0
    return found


def _quality(media: str, wanted: dict[str, float]) -> float:
    for name in (media, media.partition("/")[0] + "/*", "*/*"):
        if name in wanted:
            return wanted[name]
    return 0.0

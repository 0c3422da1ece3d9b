"""Whether two surface forms of one paper say the same in other words."""

THRESHOLD = 0.5


def describe(surface, mentions, title_end, known):
    return surface


def score(first, second):
    return 0.0, ""

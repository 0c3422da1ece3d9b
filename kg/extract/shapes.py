"""Patterns that the rule extractors share: a proper name in running text, and the nouns that tell what a thing is."""

import re

from kg.model import EntityType
from kg.surface import is_named

_NO_TAIL = r"(?!(?:based|style|like|free|trained|tuned|specific|driven|aware|level|inspired|equipped|related|type|derived)\b)"
WORD = rf"(?:[A-Z][\w+*]*|\d+[A-Z]\w*|[a-z]{{1,6}}[A-Z]\w*|[α-ω])(?:[-–.&/@](?=\w){_NO_TAIL}[\w+*]+)*(?:\+\+|[+*])?"
"""A word that is written like a name: GSM8K, mAP, 20Newsgroups, Chain-of-Thought, β-VAE."""
NAME = rf"{WORD}(?:[ ](?:{WORD}|\d[\w×]*(?:\.\d+)*)){{0,4}}"
"""One to five such words; versions and sizes may follow."""

NOUNS: dict[EntityType, tuple[str, ...]] = {
    EntityType.DATASET: (
        "dataset", "data set", "benchmark", "corpus", "testbed", "test suite", "benchmark suite", "suite", "leaderboard", "simulator",
        "environment", "challenge",
        "collection", "treebank", "data", "database", "testset", "test set", "shared task",
    ),
    EntityType.MODEL: (
        "model", "network", "architecture", "tokenizer", "encoder", "decoder", "transformer", "backbone", "language model", "agent",
        "foundation model", "LLM",
        "autoencoder", "generator", "parser", "detector", "tagger", "assistant",
    ),
    EntityType.METHOD: (
        "method", "framework", "approach", "algorithm", "technique", "strategy", "scheme", "paradigm", "loss", "objective",
        "procedure", "pipeline", "system", "optimizer",
        "sampler", "regularizer", "mechanism", "module", "toolkit", "library", "solver", "planner", "estimator", "policy", "solution",
        "formulation", "attack", "defense",
        "representation", "layer", "operator", "kernel", "process", "controller", "tool", "platform", "protocol", "attention",
        "learning", "training", "optimization", "search",
        "regularization", "augmentation", "tuning", "prompting", "distillation", "inference", "sampling", "variant", "family",
        "plugin", "extension", "machine", "rule", "theory",
        "language", "interface", "wrapper", "engine", "recipe", "heuristic", "tracker", "filter", "embedding", "embeddings", "program",
        "concept", "baseline", "criterion",
    ),
    EntityType.METRIC: ("metric", "score", "measure", "evaluation metric", "distance", "index", "evaluation measure",
        "divergence", "similarity measure"),
    EntityType.TASK: ("task", "problem", "setting"),
}  # fmt: skip
TYPE_OF_NOUN = {noun: kind for kind, nouns in NOUNS.items() for noun in nouns}
_NOUN = re.compile(r"\b(" + "|".join(sorted(map(re.escape, TYPE_OF_NOUN), key=len, reverse=True)) + r")(?:s|es)?\b")
_STOP = re.compile(
    r"[,.;:()\n]|\b(?:that|which|who|for|to|with|by|based|using|whose|where|from|of|in|on|designed|capable|aimed|trained|built|and|we|is|are)\b"
)


def type_of(phrase: str) -> EntityType | None:
    """The type that the head noun of a description gives: the last known noun before the phrase goes on with "that", "for", "of", a comma.

    >>> type_of("new training framework for language models"), type_of("simple and fast benchmark of 8 tasks"), type_of("result")
    (<EntityType.METHOD: 'Method'>, <EntityType.DATASET: 'Dataset'>, None)
    """
    words = phrase[:160].replace(" and ", " , ", 1) if re.match(r"[\w-]+ and [\w-]+ ", phrase) else phrase[:160]
    if words != phrase[:160]:
        words = words.replace(" , ", " ", 1)
    stop = _STOP.search(words)
    found = _NOUN.findall(words[: stop.start()] if stop else words)
    return TYPE_OF_NOUN[found[-1]] if found else None


def is_proper(name: str) -> bool:
    """Whether a name has the shape of a proper name and is more than a word with a capital at the start of a sentence."""
    return is_named(name) or " " in name

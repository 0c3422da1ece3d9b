"""The default tier's extractor: a small pretrained encoder and the linear chain, their beliefs averaged and judged over the whole paper.

The encoder is MiniLM (W. Wang et al., NeurIPS 2020) fine-tuned to label words; it sees, beside the word pieces, the categories of `features`.
One text a run and one thread, so that int8 arithmetic gives the same spans whatever else is read.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kg.extract.candidates import Beliefs
from kg.extract.chain import sentence_ranges
from kg.extract.crf import chain
from kg.extract.features import OFFSETS, SLOTS, WIDTH, Seen, see
from kg.extract.judge import home, lexicon, mentions, trees
from kg.model import Mention, Role, Text

LABELS = 11
ROLES = tuple(Role)
PIECES = 510
"""The most word pieces that the encoder reads at once, its two marks apart."""
SHARE = 0.5
"""The encoder's weight in the average of the two taggers."""
_START, _END = 101, 102


class Encoder:
    """The fine-tuned encoder and its tokenizer, loaded from a model's folder."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session: Any = onnxruntime.InferenceSession(str(folder / "tagger.onnx"), options, providers=["CPUExecutionProvider"])
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._offsets = np.array([OFFSETS[name] for name in SLOTS])

    def read(self, seen: Seen, text: Text) -> tuple[Beliefs, Beliefs]:
        """The probability of each label at each word, words × 11, and of each role, words × 5. A long text is read in windows of whole sentences."""
        out = np.zeros((len(seen.tokens), LABELS), dtype=np.float32)
        out[:, 0] = 1
        roles = np.full((len(seen.tokens), len(ROLES)), 1 / len(ROLES), dtype=np.float32)
        encoded = self._tokenizer.encode(seen.tokens.surfaces, is_pretokenized=True, add_special_tokens=False)
        owners: list[int] = encoded.word_ids
        firsts: dict[int, int] = {}
        for piece, owner in enumerate(owners):
            firsts.setdefault(owner, piece)
        rows = np.array(seen.rows, dtype=np.int64).reshape(-1, len(SLOTS)) + self._offsets
        for begin, end in windows(firsts, sentence_ranges(seen, text), len(owners)):
            ids = np.array([_START, *encoded.ids[begin:end], _END], dtype=np.int64)
            features = np.full((len(ids), len(SLOTS)), WIDTH, dtype=np.int64)
            features[1:-1] = rows[owners[begin:end]]
            tags, parts = self._session.run(["tags", "roles"], {"ids": ids[None], "features": features[None]})
            heads = {word: piece for word, piece in firsts.items() if begin <= piece < end}
            chosen = [piece - begin + 1 for piece in heads.values()]
            out[list(heads)], roles[list(heads)] = softmax(tags[0][chosen]), softmax(parts[0][chosen])
        return out, roles


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probabilities along the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    out: NDArray[np.float32] = raised / raised.sum(axis=-1, keepdims=True)
    return out


def windows(firsts: dict[int, int], ranges: Sequence[tuple[int, int]], pieces: int) -> list[tuple[int, int]]:
    """Ranges of word pieces that the encoder reads at once: whole sentences while they fit, a longer sentence cut.

    `firsts` gives the first piece of each word, `ranges` the words of each sentence, `pieces` the number of all pieces.

    >>> windows({0: 0, 1: 300, 2: 600}, [(0, 1), (1, 2), (2, 3)], 700)
    [(0, 300), (300, 700)]
    """
    if pieces <= PIECES:
        return [(0, pieces)] if pieces else []
    borders = sorted({firsts[a] for a, _ in ranges if a in firsts} | {0, pieces})
    out: list[tuple[int, int]] = []
    begin = 0
    for border, after in zip(borders[1:], [*borders[2:], pieces + PIECES + 1], strict=True):
        while border - begin > PIECES:
            out.append((begin, begin + PIECES))
            begin += PIECES
        if after - begin > PIECES:
            out.append((begin, border))
            begin = border
    return [window for window in out if window[0] < window[1]]


@cache
def encoder(folder: Path) -> Encoder:
    """The encoder of the model in a folder."""
    return Encoder(folder)


def mix(first: Beliefs, second: Beliefs) -> list[Beliefs]:
    """The weighted average of the encoder's and the chain's beliefs, then each."""
    mixed: Beliefs = (SHARE * first + (1 - SHARE) * second).astype(np.float32)
    return [mixed, first, second]


def extract(text: Text) -> Iterator[Mention]:
    """The mentions that the default model finds.

    >>> from kg.model import Paper
    >>> from kg.text import read_text
    >>> text = read_text(Paper("p", "", "We evaluate BERT on the SQuAD dataset.", ()))
    >>> sorted((m.surface, m.type.value) for m in extract(text))
    [('BERT', 'Model'), ('SQuAD', 'Dataset')]
    """
    folder = home()
    seen = see(text, lexicon(folder))
    if len(seen.tokens):
        beliefs, roles = encoder(folder).read(seen, text)
        yield from mentions(text, seen, mix(beliefs, chain(folder).beliefs(seen, text)), trees(folder, "tagger"), "tagger", roles)

"""Annotated cards → a model folder like the shipped one: `kg train`. Needs the extra `kg[train]`.

The chain and its judge: five chains, each trained without a fifth of the papers, give beliefs that the judge learns from; the shipped chain
learns from all. The encoder: five epochs on four fifths of the papers, measured and judged on the rest; the shipped one shares the first three of
these epochs and has its last two on all papers.
"""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import train_relations
from kg.errors import InputError
from kg.evaluate import read_cards

if TYPE_CHECKING:
    from kg.extract.candidates import Beliefs
    from kg.train.examples import Example

EPOCHS, SHARED = 5, 3
LAST_SCALE = (EPOCHS - SHARED) / EPOCHS
"""What the learning rates, which fall in a straight line, have come down to when the encoder sees all papers."""
FEWEST = 25
MODEL_FILES = ("chain.npz", "judge.crf.npz", "judge.tagger.npz", "tagger.onnx", "terms.tsv.gz", "tokenizer.json", "words.tsv.gz")
COPIED = ("terms.tsv.gz", "words.tsv.gz")


def train(gold: Sequence[Path], out: Path, *, say: Callable[[str], None] = lambda line: None, fast_only: bool = False) -> dict[str, Any]:
    """Train on annotated cards, which carry title and abstract, and write a model folder; returns its manifest.

    A run that was stopped goes on where it was: finished parts are not made again. `fast_only` trains the chain alone and takes the encoder over from
    the model in use. Raises InputError for cards without an abstract and for too few of them.
    """
    from kg.extract.judge import home, lexicon
    from kg.train.examples import example

    out.mkdir(parents=True, exist_ok=True)
    shipped = home()
    for name in COPIED if not fast_only else (*COPIED, "tagger.onnx", "tokenizer.json", "judge.tagger.npz"):
        if (shipped / name).exists():
            shutil.copyfile(shipped / name, out / name)
    cards = _cards(gold)
    lexicon_used = lexicon(shipped)
    items = [example(card, lexicon_used) for card in cards]
    figures = {"crf": _train_chain(items, out, say)}
    if not fast_only:
        untitled = [example(card, lexicon_used, title=False) for card in cards]
        figures["tagger"] = _train_encoder(items, untitled, out, say)
    train_relations.train(cards, out, say=say)
    return write_manifest(out, {"papers": len(items), "figures": {"held out": figures}})


def _cards(gold: Sequence[Path]) -> list[dict[str, Any]]:
    cards = {card["id"]: card for path in gold for card in read_cards(path)}
    for card in cards.values():
        if not isinstance(card.get("abstract"), str) or not card["abstract"].strip():
            raise InputError(f"the card {card['id']} has no abstract to learn from", hint="kg annotate writes cards with title and abstract")
    if len(cards) < FEWEST or not any(card["entities"] for card in cards.values()):
        raise InputError(f"{len(cards)} annotated papers are too few to learn from", hint=f"{FEWEST} at the least; some hundreds for a useful model")
    return [cards[identifier] for identifier in sorted(cards)]


def _train_chain(items: Sequence["Example"], out: Path, say: Callable[[str], None]) -> Mapping[str, float]:
    from kg.extract.chain import Chain
    from kg.train import chain, judge
    from kg.train.examples import FOLDS

    beliefs: dict[str, list[Beliefs]] = {}
    for fold in range(FOLDS):
        path = out / f"work.chain{fold}.npz"
        if not path.exists():
            say(f"chain without fold {fold}")
            chain.fit([item for item in items if item.fold != fold], path)
        model = Chain(path)
        beliefs |= {item.card["id"]: [model.beliefs(item.seen, item.text)] for item in items if item.fold == fold}
    if not (out / "chain.npz").exists():
        say("chain on all papers")
        chain.fit(items, out / "chain.npz")
    say("judge of the chain")
    return judge.fit(items, beliefs, out / "judge.crf.npz", "crf")


def _train_encoder(items: Sequence["Example"], untitled: Sequence["Example"], out: Path, say: Callable[[str], None]) -> Mapping[str, float]:
    from tokenizers import Tokenizer

    from kg.extract.chain import Chain
    from kg.extract.tagger import Encoder, mix
    from kg.train import encoder, judge

    base = encoder.base_folder()
    shutil.copyfile(base / "tokenizer.json", out / "tokenizer.json")
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    pieces = [(encoder.Piece(item, tokenizer), encoder.Piece(bare, tokenizer)) for item, bare in zip(items, untitled, strict=True)]
    network = encoder.Network(base)
    kept = [pair for item, pair in zip(items, pieces, strict=True) if item.fold]
    shared = out / "work.shared.pt"
    encoder.train([a for a, _ in kept], [b for _, b in kept], network, EPOCHS, out / "work.first.pt", say, fork=(SHARED, shared))
    held = [item for item in items if not item.fold]
    encoder.export(network, out / "tagger.onnx")
    reader, other = Encoder(out), Chain(out / "work.chain0.npz")
    beliefs = {item.card["id"]: mix(reader.beliefs(item.seen, item.text), other.beliefs(item.seen, item.text)) for item in held}
    say("judge of the encoder and the chain")
    figures = judge.fit(held, beliefs, out / "judge.tagger.npz", "tagger")
    network.load(shared)
    encoder.train([a for a, _ in pieces], [b for _, b in pieces], network, EPOCHS - SHARED, out / "work.last.pt", say, scale=LAST_SCALE)
    encoder.export(network, out / "tagger.onnx")
    return figures


def write_manifest(folder: Path, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Write which files make the model, with size and hash, and the facts about it."""
    files = {}
    for name in MODEL_FILES:
        if (folder / name).exists():
            data = (folder / name).read_bytes()
            files[name] = {"bytes": len(data), "sha256": sha256(data).hexdigest()}
    manifest = {"format": 1, "files": files, **facts}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return manifest

"""Annotated cards → a model folder like the shipped one: `kg train`. Needs the extra `kg[train]`.

The first file is the reference: what is held out, measured and judged comes from it; the cards of further files are only learnt from.

The chain learns from everything but fold 0 of the reference, and from unlabelled papers with the labels of the model in use. The encoder: three
epochs on everything but fold 0 of the reference, on which both tiers are measured and their judges fitted.
"""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence, Set
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import train_relations
from kg.errors import InputError
from kg.evaluate import read_cards

if TYPE_CHECKING:
    from kg.train.examples import Example

EPOCHS = 3
FEWEST = 25
SILVER = 4500
"""Unlabelled papers that the chain learns from."""
TWICE = 2
"""How often the chain sees a paper of the reference: what is annotated counts more than what a model labelled."""
MODEL_FILES = ("chain.npz", "judge.crf.npz", "judge.tagger.npz", "tagger.onnx", "terms.tsv.gz", "tokenizer.json", "words.tsv.gz")
COPIED = ("terms.tsv.gz", "words.tsv.gz")


def train(
    gold: Sequence[Path],
    out: Path,
    *,
    unlabelled: Sequence[Path] = (),
    say: Callable[[str], None] = lambda line: None,
    fast_only: bool = False,
) -> dict[str, Any]:
    """Train on annotated cards, which carry title and abstract, and write a model folder; returns its manifest.

    `unlabelled` are files of papers, SILVER of which teach the chain with the labels of the model in use. A run that was stopped goes on where it
    was: finished parts are not made again. `fast_only` trains the chain alone and takes the encoder over from the model in use. Raises InputError for
    cards without an abstract and for too few of them.
    """
    from kg.extract.judge import home, lexicon
    from kg.train import silver
    from kg.train.examples import example

    out.mkdir(parents=True, exist_ok=True)
    shipped = home()
    for name in COPIED if not fast_only else (*COPIED, "tagger.onnx", "tokenizer.json", "judge.tagger.npz"):
        if (shipped / name).exists():
            shutil.copyfile(shipped / name, out / name)
    cards, reference = _cards(gold)
    lexicon_used = lexicon(shipped)
    items = [example(card, lexicon_used, reference=card["id"] in reference) for card in cards]
    if unlabelled:
        papers = silver.choose(unlabelled, SILVER, frozenset(card["abstract"] for card in cards), say)
        silver.label(papers, out / "work.silver.jsonl", say)
        labelled = list(silver.examples(out / "work.silver.jsonl", lexicon_used))
    else:
        labelled = []
    figures = {"fast": _train_chain(items, labelled, out, say)}
    if not fast_only:
        untitled = [example(card, lexicon_used, title=False) for card in cards]
        figures["default"] = _train_encoder(items, untitled, out, say)
    train_relations.train(cards, out, reference=reference, say=say)
    return write_manifest(out, {"papers": len(items), "unlabelled": len(labelled), "figures": {"held out": figures}})


def _cards(gold: Sequence[Path]) -> tuple[list[dict[str, Any]], Set[str]]:
    """The cards by id, and the ids of the first file; a paper that several files annotate counts as the last one says."""
    read = [list(read_cards(path)) for path in gold]
    cards = {card["id"]: card for file in read for card in file}
    for card in cards.values():
        if not isinstance(card.get("abstract"), str) or not card["abstract"].strip():
            raise InputError(f"the card {card['id']} has no abstract to learn from", hint="kg annotate writes cards with title and abstract")
    if len(cards) < FEWEST or not any(card["entities"] for card in cards.values()):
        raise InputError(f"{len(cards)} annotated papers are too few to learn from", hint=f"{FEWEST} at the least; some hundreds for a useful model")
    return [cards[identifier] for identifier in sorted(cards)], {card["id"] for card in read[0]}


def _train_chain(items: Sequence["Example"], labelled: Sequence["Example"], out: Path, say: Callable[[str], None]) -> Mapping[str, float]:
    from kg.extract.chain import Chain
    from kg.train import chain, judge

    if not (out / "chain.npz").exists():
        say("chain")
        learnt = [item for item in items for _ in range(TWICE if item.reference else 1) if item.fold]
        chain.fit([*labelled, *learnt], out / "chain.npz")
    model = Chain(out / "chain.npz")
    held = [item for item in items if not item.fold]
    say("judge of the chain")
    return judge.fit(held, {item.card["id"]: [model.beliefs(item.seen, item.text)] for item in held}, out / "judge.crf.npz", "crf")


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
    encoder.seed()
    network = encoder.Network(base)
    learnt = [pair for item, pair in zip(items, pieces, strict=True) if item.fold]
    encoder.train([a for a, _ in learnt], [b for _, b in learnt], network, EPOCHS, out / "work.encoder.pt", say)
    encoder.export(network, out / "tagger.onnx")
    held = [item for item in items if not item.fold]
    reader, other = Encoder(out), Chain(out / "chain.npz")
    beliefs = {item.card["id"]: mix(reader.read(item.seen, item.text)[0], other.beliefs(item.seen, item.text)) for item in held}
    say("judge of the encoder and the chain")
    return judge.fit(held, beliefs, out / "judge.tagger.npz", "tagger")


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

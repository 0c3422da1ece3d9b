import pytest

from kg.extract.versions import extract, names
from kg.model import Paper
from kg.text import read_text


def found(raw: str) -> list[tuple[str, str]]:
    return [(m.surface, m.type.value) for m in extract(read_text(Paper("p", "", raw, ())))]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("We run Llama-3.1-8B/70B-Instruct.", [("Llama-3.1-8B/70B-Instruct", "Model")]),
        ("Wan2.1 and o3-mini agree.", [("Wan2.1", "Model"), ("o3-mini", "Model")]),
        (r"On ImageNet $256 \times 256$.", [("ImageNet 256×256", "Dataset")]),
        ("On SQuAD v2.0 it wins.", [("SQuAD v2.0", "Dataset")]),
        ("ResNet-50, ViT-L/14, YOLOv8", [("ResNet-50", "Model"), ("ViT-L/14", "Model"), ("YOLOv8", "Model")]),
        ("Claude 3.5 Sonnet and Gemini 1.5 Pro", [("Claude 3.5 Sonnet", "Model"), ("Gemini 1.5 Pro", "Model")]),
        ("the unheard-of Quxly-7B-Chat", [("Quxly-7B-Chat", "Model")]),
        ("on the Quxly-2 benchmark", [("Quxly-2", "Dataset")]),
    ],
)
def test_versioned_names(raw: str, expected: list[tuple[str, str]]) -> None:
    assert found(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [
        "In 2021, COVID-19 spread.",
        "a 7B model, only 13B, than 1B",
        "top-5 and SE-3 and 3D points",
        "on H100 GPUs with 8-bit weights",
        "Section 3 and Fig. 2",
        "Results rise. 3 of them.",
        "level-2 cache, layer-1, GPT",
        "since May 2020",
    ],
)
def test_what_must_not_fire(raw: str) -> None:
    assert found(raw) == []


@pytest.mark.parametrize(
    ("surface", "expected"),
    [
        ("Llama-3.1-8B/70B-Instruct", ("Llama-3.1-8B-Instruct", "Llama-3.1-70B-Instruct")),
        ("Qwen2.5-1.5B/7B/14B", ("Qwen2.5-1.5B", "Qwen2.5-7B", "Qwen2.5-14B")),
        ("ViT-L/14", ("ViT-L/14",)),
        ("GPT-4", ("GPT-4",)),
    ],
)
def test_the_names_in_a_coordination(surface: str, expected: tuple[str, ...]) -> None:
    assert names(surface) == expected

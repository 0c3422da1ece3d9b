"""Invented papers and a build of them that the tests share."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

PAPERS = [
    {
        "id": "kite-1",
        "title": "KiteNet: Tethered Attention for Image Classification",
        "abstract": (
            "Vision transformers need large datasets. We propose **KiteNet**, a tethered attention network for image classification. "
            "KiteNet is trained on ImageNet and evaluated on CIFAR-10 and CIFAR-100. It outperforms ResNet-50 by 2.3\\% in accuracy "
            "and reduces inference time from 30 ms to 12 ms."
        ),
        "authors": ["Ada Quill", "Bo Marsh"],
        "year": 2023,
        "venue": "KiteConf",
        "url": "https://example.org/kite-1",
    },
    {
        "id": "kite-2",
        "title": "",
        "abstract": (
            "Masked diffusion models (MDMs) generate text in parallel. In this work we introduce Loose String Sampling (LSS), a sampler for "
            "masked diffusion models. On GSM8K, LSS improves accuracy from 58% to 67% over LLaDA-8B-Instruct, and it reaches a MAUVE score of "
            "0.91 on text generation. Code: https://example.org/lss."
        ),
        "year": 2025,
        "doi": "10.1234/LSS.2025",
    },
    {
        "id": "kite-3",
        "title": "Probabilistic kites </script><script>alert(1)</script>",
        "abstract": (
            "Probabilistic graphical models (PGMs) describe wind. We study how probabilistic graphical models and diffusion models predict gusts "
            "on the WindBench benchmark, measured by RMSE. Diffusion models win on gsm8k-style wind puzzles as well."
        ),
        "year": 2024,
    },
]


@pytest.fixture(scope="session")
def papers_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The invented papers as JSON Lines."""
    path = tmp_path_factory.mktemp("papers") / "papers.jsonl"
    path.write_text("".join(json.dumps(paper, ensure_ascii=False) + "\n" for paper in PAPERS), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def tiny_build(papers_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the build of the invented papers, with everything that `kg build` writes."""
    from kg.cli import main

    out = tmp_path_factory.mktemp("build")
    result = CliRunner().invoke(main, ["build", str(papers_file), "-o", str(out)])
    assert result.exit_code == 0, result.output
    return out

"""Data flows one way: a module imports only what stands before it in the flow."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "kg"
LAYERS = (
    {"errors"},
    {"model", "letters", "surface", "safe", "palette", "aside", "nearest"},
    {"frame"},
    {"ontology"},
    {"text", "identity"},
    {"readers"},
    {"extract"},
    {"resolve", "relations"},
    {"results", "given"},
    {"tables"},
    {"authors"},
    {"ingest", "cards", "show", "graph", "deciding"},
    {"rdf", "view", "metrics", "find", "settings"},
    {"query"},
    {"explore"},
    {"report", "export", "claims"},
    {"analysis"},
    {"outputs", "diff"},
    {"pipeline"},
    {"spark"},
    {"api", "evaluate", "annotate", "serve"},
    {"train_relations"},
    {"train"},
    {"cli"},
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def part(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module} if node.module != "kg" else {f"kg.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("kg.")}


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_module_imports_what_comes_after_it(path: Path) -> None:
    here = part(path)
    if here == "__init__":
        return
    assert here in RANK, f"{here} has no place in the flow: add it to LAYERS"
    later = {name for name in imported(ast.parse(path.read_text(encoding="utf-8"))) if name != here and RANK[name] >= RANK[here]}
    assert not later


def test_a_later_import_would_be_seen() -> None:
    assert imported(ast.parse("from kg import cli\nimport kg.rdf.write\nfrom kg.text import clean")) == {"cli", "rdf", "text"}

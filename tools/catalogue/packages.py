"""Names that well-kept packages carry, read from their downloaded wheels without installing them.

Only names and addresses are taken, never a sentence. docs/catalogue.md lists the packages with their licences.
"""

import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from catalogue.facts import Fact

Found = tuple[str, str]
"""A name and an address, "" where the file has none."""

_TITLE = re.compile(r"""\btitle\b\s*[:=]\s*[{"'`]*\s*[{]*([A-Za-z0-9][^:{}"`\n]{1,40})[}]*\s*:\s""", re.IGNORECASE)
_ARXIV = re.compile(r"https?://arxiv\.org/abs/\d{4}\.\d{4,5}")
_CLASS = re.compile(r"^class ([A-Za-z]\w+)\s*(?:\(([^)]*)\))?:", re.MULTILINE)


@dataclass(frozen=True)
class Take:
    """What is taken from a package: the files, what they name, and how names are found in a file's path and text."""

    wheel: str
    files: str
    type: str
    find: Callable[[str, str], Iterable[Found]]
    trusted: bool = False


def stem(path: str, text: str) -> Iterator[Found]:
    """The file's own name."""
    yield Path(path).stem.lstrip("_"), _address(text)


def parent(path: str, text: str) -> Iterator[Found]:
    """The name of the file's folder."""
    yield Path(path).parent.name, _address(text)


def title(path: str, text: str) -> Iterator[Found]:
    """The names before the colon of cited titles, with the paper's address when the file cites one paper alone."""
    names = [match[1].strip().strip("`*") for match in _TITLE.finditer(text)]
    names = [name for name in dict.fromkeys(names) if len(name.split()) <= 3]
    address = _address(text)
    for name in names:
        yield name, address if len(names) == 1 else ""


def both(path: str, text: str) -> Iterator[Found]:
    """The folder's name and the titles."""
    yield from parent(path, text)
    yield from title(path, text)


def stem_and_title(path: str, text: str) -> Iterator[Found]:
    """The file's name and the titles."""
    yield from stem(path, text)
    yield from title(path, text)


def classes(ending: str = "", base: str = "") -> Callable[[str, str], Iterator[Found]]:
    """The classes of a module without an ending of their names, of a base that matches."""

    def find(path: str, text: str) -> Iterator[Found]:
        for match in _CLASS.finditer(text):
            if not match[1].startswith(("_", "Base", "Abs")) and re.search(base, match[2] or ""):
                yield re.sub(rf"(?:{ending})$", "", match[1]) if ending else match[1], ""

    return find


def pattern(expression: str) -> Callable[[str, str], Iterator[Found]]:
    """The first group of each match in the text, and the second as address."""
    compiled = re.compile(expression, re.MULTILINE)

    def find(path: str, text: str) -> Iterator[Found]:
        for match in compiled.finditer(text):
            yield match[1].strip(), (match[2] or "") if compiled.groups > 1 else ""

    return find


def _address(text: str) -> str:
    found = dict.fromkeys(_ARXIV.findall(text))
    return next(iter(found)) if len(found) == 1 else ""


_META = pattern(r"^ {2,4}- Name: ([A-Z][^\n]{1,40})\n(?:(?!  - Name)[^\n]*\n){0,14}?\s+URL:\s*['\"]?(https?://arxiv\.org/\S+?)['\"]?\s*$")
TABLE = (
    Take("transformers", "transformers/models/*/configuration_*.py", "Model", classes("Config", "Config")),
    Take("timm", "timm/models/*.py", "Model", stem_and_title),
    Take("timm", "timm/models/*.py", "Model", classes("", "nn.Module")),
    Take("torchvision", "torchvision/models/*.py", "Model", classes("", "nn.Module")),
    Take("torchvision", "torchvision/datasets/*.py", "Dataset", classes("", "Dataset|MNIST|CIFAR|Folder")),
    Take("torchaudio", "torchaudio/datasets/*.py", "Dataset", classes("", "Dataset")),
    Take("torchtext", "torchtext/datasets/*.py", "Dataset", stem),
    Take("torch_geometric", "torch_geometric/datasets/*.py", "Dataset", classes("Dataset", "Dataset")),
    Take("torch_geometric", "torch_geometric/nn/models/*.py", "Model", classes("", "Module|BasicGNN")),
    Take("torch_geometric", "torch_geometric/nn/conv/*.py", "Method", classes("Conv", "MessagePassing")),
    Take("dgl", "dgl/data/*.py", "Dataset", classes("(?:Graph|Node)?Dataset", "Dataset")),
    Take("ogb", "ogb/*/master.csv", "Dataset", pattern(r"(?:^|,)(ogb[a-z]-[A-Za-z0-9]+)"), trusted=True),
    Take("tensorflow_datasets", "tensorflow_datasets/*/*/*_dataset_builder.py", "Dataset", parent),
    Take("tensorflow_datasets", "tensorflow_datasets/*/*.py", "Dataset", title),
    Take("tensorflow_datasets", "tensorflow_datasets/datasets/*/CITATIONS.bib", "Dataset", title),
    Take("tensorflow_datasets", "tensorflow_datasets/*/*.py", "Dataset", classes("", "Builder")),
    Take("ir_datasets", "ir_datasets/docs/*.yaml", "Dataset", pattern(r"pretty_name: '([^'(]+)"), trusted=True),
    Take("ir_datasets", "ir_datasets/docs/bibliography.bib", "Dataset", title),
    Take("mteb", "mteb/tasks/*.py", "Dataset", title),
    Take(
        "mteb",
        "mteb/tasks/*.py",
        "Dataset",
        pattern(r'^\s+name="([A-Za-z0-9+ -]+?)(?:Retrieval|Reranking|Classification|Clustering\S*|S2S|P2P)?(?:\.v\d)?",'),
    ),
    Take("mteb", "mteb/benchmarks/benchmarks/benchmarks.py", "Dataset", pattern(r'^\s+name="([A-Za-z0-9+-]+)[("]'), trusted=True),
    Take("mteb", "mteb/models/model_implementations/*.py", "Model", pattern(r'name="[\w.-]+/([A-Za-z0-9.-]+)"')),
    Take("mteb", "mteb/models/model_implementations/*.py", "Model", title),
    Take("lm_eval", "lm_eval/tasks/*/README.md", "Dataset", both),
    Take("lmms_eval", "lmms_eval/tasks/*/README.md", "Dataset", both),
    Take("lmms_eval", "lmms_eval/tasks/*/__init__.py", "Dataset", parent),
    Take("lmms_eval", "lmms_eval/tasks/*/*.yaml", "Dataset", parent),
    Take(
        "inspect_evals",
        "inspect_evals/*/eval.yaml",
        "Dataset",
        pattern(r"^title: ['\"]?([A-Za-z0-9][^:'\"\n(]{1,30}?)['\"]?\s*(?:[:(\n])"),
        trusted=True,
    ),
    Take("inspect_evals", "inspect_evals/*/eval.yaml", "Dataset", parent),
    Take("opencompass", "opencompass/configs/datasets/*/*.py", "Dataset", parent),
    Take("opencompass", "opencompass/configs/datasets/*/README.md", "Dataset", title),
    Take("crfm_helm", "helm/benchmark/scenarios/*_scenario.py", "Dataset", classes("Scenario", "Scenario")),
    Take("crfm_helm", "helm/benchmark/scenarios/*.py", "Dataset", title),
    Take(
        "crfm_helm",
        "helm/benchmark/static/schema_*.yaml",
        "Dataset",
        pattern(r"^    display_name: ([A-Z][A-Za-z0-9-]+(?: [A-Z0-9][A-Za-z0-9-]*)?)\s*(?:\(|$)"),
    ),
    Take("crfm_helm", "helm/config/model_metadata.yaml", "Model", pattern(r"display_name: ([A-Za-z][^\n(]{1,40}?)\s*(?:\(|$)"), trusted=True),
    *(
        Take(name, "*/.mim/configs/*/metafile.yml", "Model", _META, trusted=True)
        for name in ("mmdet", "mmsegmentation", "mmpretrain", "mmpose", "mmaction2", "mmocr")
    ),
    *(
        Take(
            name,
            "*/.mim/configs/*/metafile.yml",
            "Dataset",
            pattern(r"^\s+- ?(?:Task:[^\n]*\n\s+)?Dataset: ([A-Z][A-Za-z0-9 -]{1,28})$"),
            trusted=True,
        )
        for name in ("mmdet", "mmsegmentation", "mmpretrain", "mmpose", "mmaction2", "mmocr")
    ),
    *(
        Take(name, "*/.mim/configs/*/metafile.yml", "Dataset", pattern(r"^\s+Training Data: ([A-Z][A-Za-z0-9 -]{1,28})$"), trusted=True)
        for name in ("mmdet", "mmsegmentation", "mmpretrain", "mmpose", "mmaction2", "mmocr")
    ),
    *(
        Take(name, "*/.mim/configs/*/metafile.yml", "Task", pattern(r"^\s+- Task: ([A-Z][A-Za-z0-9 -]{5,40})$"))
        for name in ("mmdet", "mmsegmentation", "mmpretrain", "mmpose", "mmaction2", "mmocr")
    ),
    Take("open_clip_torch", "open_clip/model_configs/*.json", "Model", stem),
    Take("diffusers", "diffusers/pipelines/*/pipeline_*.py", "Model", classes("(?:Img2Img|Inpaint|Control|Image|Video|Text)*Pipeline", "Pipeline")),
    Take("diffusers", "diffusers/schedulers/scheduling_*.py", "Method", classes("(?:Multistep|Singlestep|Discrete|Inverse)*Scheduler", "Mixin")),
    Take("peft", "peft/tuners/*/config.py", "Method", classes("Config", "Config")),
    Take("trl", "trl/*/*_trainer.py", "Method", classes("Trainer", "")),
    Take("pytorch_optimizer", "pytorch_optimizer/optimizer/*.py", "Method", classes("", "BaseOptimizer")),
    Take("pyod", "pyod/models/*.py", "Method", classes("", "Detector")),
    Take("pykeen", "pykeen/models/unimodal/*.py", "Model", classes("", "Model")),
    Take("pykeen", "pykeen/datasets/*.py", "Dataset", classes("", "Dataset")),
    Take("recbole", "recbole/model/*_recommender/*.py", "Model", classes("", "Recommender")),
    Take("torchattacks", "torchattacks/attacks/*.py", "Method", classes("", "Attack")),
    Take("adversarial_robustness_toolbox", "art/attacks/*/*.py", "Method", classes("", "Attack")),
    Take("adversarial_robustness_toolbox", "art/defences/*/*.py", "Method", classes("", "")),
    Take("captum", "captum/attr/_core/*.py", "Method", classes("", "Attribution")),
    Take("gluonts", "gluonts/torch/model/*/estimator.py", "Model", classes("Estimator", "Estimator")),
    Take("gluonts", "gluonts/dataset/repository/datasets.py", "Dataset", pattern(r'^    "([a-z0-9_]+)":')),
    Take("neuralforecast", "neuralforecast/models/*.py", "Model", classes("", "BaseModel")),
    Take("avalanche_lib", "avalanche/training/*/*.py", "Method", classes("Plugin|Strategy", "Template|Plugin|Strategy")),
    Take("avalanche_lib", "avalanche/benchmarks/datasets/*/*.py", "Dataset", classes("(?:Dataset)?", "Dataset")),
    Take("d3rlpy", "d3rlpy/algos/*/*.py", "Method", classes("Config", "Config")),
    Take("stable_baselines3", "stable_baselines3/*/*.py", "Method", classes("", "Algorithm")),
    Take("sb3_contrib", "sb3_contrib/*/*.py", "Method", classes("", "Algorithm")),
    Take("torchrl", "torchrl/envs/libs/*.py", "Dataset", classes("Env|Wrapper", "Env|Wrapper")),
    Take("gymnasium", "gymnasium/envs/__init__.py", "Dataset", pattern(r'id="([A-Za-z]+)-v\d"')),
    Take("minigrid", "minigrid/envs/*.py", "Dataset", classes("Env", "Env")),
    Take("pettingzoo", "pettingzoo/*/*/*.py", "Dataset", parent),
    Take("torchmetrics", "torchmetrics/*/*.py", "Metric", classes("", "Metric")),
    Take("pytorch_ignite", "ignite/metrics/*.py", "Metric", classes("", "Metric|Average")),
    Take("sacrebleu", "sacrebleu/metrics/*.py", "Metric", classes("", "Metric")),
    Take("scikit_learn", "sklearn/metrics/*.py", "Metric", pattern(r"^def ([a-z]\w+_(?:score|error|loss|distance))\(")),
    Take("scikit_learn", "sklearn/*/*.py", "Method", classes("Classifier|Regressor|CV|Transformer", "Mixin|BaseEstimator|Base")),
    Take("sktime", "sktime/*/*.py", "Method", classes("Classifier|Regressor|Forecaster|Transformer", "Base|Delegator")),
)
_SPLIT = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z]{2,}$)|_")
_JUNK = re.compile(
    r"^(?:test|utils?|base|common|custom|default|config|data|main|init|core|model|dataset|wrapper|.*\b(?:Abstract|Mixin|Wrapper|Block|Layer|Output|Embeddings?|Head)\b.*)$",
    re.IGNORECASE,
)


def facts(folder: Path) -> Iterator[Fact]:
    """The names of all packages, in the order of the table; a name that is several words run together has both ways of writing it."""
    for take in TABLE:
        for wheel in sorted(folder.glob(f"{take.wheel}-*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                for path in sorted(archive.namelist()):
                    if fnmatch(path, take.files) and "test" not in Path(path).name:
                        text = archive.read(path).decode("utf-8", "replace")
                        for name, address in take.find(path, text):
                            yield from _facts(name, address, take)


def _facts(name: str, address: str, take: Take) -> Iterator[Fact]:
    name = " ".join(name.split()).strip(" .,-*`\"'")
    if not 2 < len(name) < 45 or _JUNK.match(name) or not name[0].isalnum():
        return
    spaced = " ".join(_SPLIT.split(name)).strip()
    fact = Fact(name, take.type, take.wheel, forms={name: None, spaced: None}, trusted=take.trusted or take.find is title)
    if address.startswith("http"):
        fact.urls.append(address)
    yield fact

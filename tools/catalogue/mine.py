"""Names that recur in the corpus: beside cue words, as acronyms with one expansion, and as phrases with a telling head noun.

`python tools/catalogue/mine.py CLEAN.jsonl OUT.json` counts them in one pass (papers, not places); `pick.py` decides what becomes a row.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent.parent)]

from kg.extract import acronyms, cues  # noqa: E402
from kg.model import Mention, Text  # noqa: E402
from kg.surface import is_named  # noqa: E402
from kg.text import sentences  # noqa: E402

HEADS = """accuracy adaptation agent aggregation algorithm alignment allocation analysis annotation answering approximation assessment assignment association
attack attention augmentation autoencoder automaton backbone bandit bank benchmark bound calibration captioning classification classifier clustering coding coloring
comparison completion complexity composition compression computation control controller convolution correction correlation correspondence cost counting coverage
decoder decoding decomposition defense deblurring dehazing deraining delay denoising design desummarization detection detector diagnosis dialogue discovery discriminator
disambiguation disentanglement distance distillation distribution divergence diversity editing efficiency elicitation embedding encoder encoding energy enhancement
ensemble entailment entropy equation error estimation estimator evaluation exploration extraction factorization fairness feedback fidelity field filter filtering fitting
flow forecasting forest formation framework function fusion game gap generalization generation generator grammar graph grasping grounding hashing heuristic identification
imaging imitation imputation induction inference information initialization inpainting integration interaction interpolation interpretability inversion kernel kinematics
labeling language latency layer learner learning likelihood linking localization locomotion logic loss machine manipulation mapping margin masking matching matrix
maximization measure mechanism memory message method metric mining minimization mining mixture model modeling modelling module monitoring navigation network noise norm
normalization odometry optimization optimizer ordering parsing partitioning perception perplexity perturbation planner planning policy pooling precision prediction
pretraining pre-training preference prevention pricing privacy probability probing problem process processing program programming projection prompting propagation
pruning quality quantization querying question rate ratio ranking reasoning recall recognition recommendation reconstruction recovery reduction refinement registration
regression regret regularization regularizer rehearsal relaxation rendering repair representation resolution restoration retargeting retrieval reuse reward rewriting
robustness routing runtime sampler sampling scheduling score scoring search segmentation selection separation shaping similarity simplification simulation simulator
smoothing solver solving sorting speech speedup splatting stabilization steering strategy summarization supervision surgery synthesis system tagging task teleoperation
tensor testing throughput time tracking training transfer transform transformer translation transport tree trees tuning fine-tuning understanding unlearning upsampling
validation variance verification voting warping weighting""".split()  # noqa: SIM905
STOP = set(
    """a an the of for and in on to with by from via as at or is are we our its this that these those it be been can will may not no than then their they which
    who whose when where while both each any all some such other another many most more less few several various different same new novel proposed propose using use used
    based existing current previous prior recent our two three four five first second third one also very much however but only so into over under between among across
    through during within without about against per if else do does did has have had was were being show shows shown present presents introduce achieve achieves improve
    improves improved outperform outperforms art state better best good high higher low lower large larger small smaller simple complex effective efficient significant
    significantly important challenging difficult key main major common typical standard traditional conventional classical popular well even still just often usually
    generally typically widely highly extensive comprehensive empirical theoretical experimental real synthetic practical useful general specific particular certain
    given corresponding resulting underlying overall final total entire whole own full complete partial further additional extra potential possible available suitable
    appropriate proper desired required necessary sufficient similar related relevant rich diverse wide broad great powerful promising superior comparable competitive
    remarkable strong weak poor fast faster slow slower accurate precise reliable robust stable consistent flexible scalable unified principled fundamental basic
    learn learns learned perform performs performing performance make makes making provide provides enable enables allow allows allowing require requires requiring
    solve solves solving address addresses addressing obtain reduce reduces reducing increase increases develop design designing apply applies applying consider study
    investigate explore demonstrate evaluate evaluating compare comparing train trained test tested build building create called named i.e e.g etc how what why
    including include includes like following follow due according respectively up down out off there here thus hence therefore moreover furthermore finally
    specifically instead rather yet once since because whether either neither nor must should would could might need needs help helps lead leads leading single multiple
    numerous automatic automatically successful promising end""".split()  # noqa: SIM905
)
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*|[^\w\s]|\d+")
_HEADS = set(HEADS) | {head + "s" for head in HEADS}


def phrases(clean: str) -> set[str]:
    """The phrases of two to four words, in lower case, that end with a head noun and hold no stop word."""
    found = set()
    tokens = _TOKEN.findall(clean)
    for at, token in enumerate(tokens):
        if token.lower() in _HEADS:
            for length in range(1, 4):
                if at < length:
                    break
                first = tokens[at - length]
                low = first.lower()
                if not first[0].isalpha() or low in STOP or low.endswith("ly") or (first[0].isupper() and first[1:].islower() and at - length == 0):
                    break
                found.add(" ".join(t if t.isupper() else t.lower() for t in tokens[at - length : at + 1]))
    return found


def main(source: str, target: str) -> None:
    """Count, in papers, and write what two papers at least hold."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    pairs: dict[str, Counter[str]] = defaultdict(Counter)
    grams: Counter[str] = Counter()
    with open(source, encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            identifier, _, clean = json.loads(line)
            text = Text(identifier, clean, sentences(clean), (), ())
            for name, kind in {(m.surface, m.type.value) for m in cues.extract(text) if isinstance(m, Mention)}:
                if is_named(name) or kind == "Dataset":
                    names[name][kind] += 1
            for short, long in {(clean[a.short.start : a.short.end], clean[a.long.start : a.long.end]) for a in acronyms.extract(text)}:
                pairs[short.removesuffix("s") if short[-2:-1].isupper() else short][long] += 1
            grams.update(phrases(clean))
            if number % 20000 == 19999:
                print(number + 1, flush=True)
                grams = Counter({gram: count for gram, count in grams.items() if count > 1 or number < 60000})
    kept = {
        "names": {name: dict(kinds) for name, kinds in names.items() if sum(kinds.values()) > 1},
        "pairs": {short: dict(longs) for short, longs in pairs.items() if sum(longs.values()) > 1},
        "phrases": {gram: count for gram, count in grams.items() if count > 2},
    }
    Path(target).write_text(json.dumps(kept, ensure_ascii=False, sort_keys=True), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

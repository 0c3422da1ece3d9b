"""Plain words that say what a number measures, where no metric is named, and whether more of it is better."""

_SAME = (
    "accuracy advantage agreement annotations ap auc bandwidth bias bleu budget cer complexity compression computation "
    "consumption correlation cost coverage degradation distance drop efficiency energy epochs error evaluations f1 failure "
    "fid flops fps gain gap generalization improvement increase iterations labels latency loss mae map memory miou mrr mse "
    "ndcg operations overhead parameters performance perplexity power precision psnr quality queries rank rate recall "
    "reduction regret rmse robustness rouge runtime samples saving score similarity size speed speedup ssim steps storage "
    "success throughput time tokens usage utilization variance wer"
)
_RENAMED = {
    "accuracy": "accuracies",
    "cost": "cheaper costs",
    "drop": "drops",
    "error": "errors",
    "failure": "failures",
    "gain": "gains",
    "improvement": "boost boosts improve improved improvements improves improving outperform outperforming outperforms surpasses surpassing",
    "increase": "increased increases increasing",
    "performance": "better",
    "rank": "ranking",
    "reduction": "decrease decreases reduce reduced reduces reducing reductions",
    "saving": "saves savings",
    "score": "scores",
    "size": "larger smaller",
    "slowdown": "slower",
    "speedup": "accelerates acceleration faster quicker speedups",
    "win rate": "win wins",
}
MEASURES = {word: word for word in _SAME.split()} | {word: measure for measure, words in _RENAMED.items() for word in words.split()}
"""A word and the measure that it stands for."""

_PHRASES = {
    "approximation ratio": ("approximation ratio",),
    "compression ratio": ("compression ratio",),
    "convergence rate": ("convergence rate",),
    "data efficiency": ("data efficiency",),
    "energy consumption": ("energy consumption",),
    "error rate": ("error rate", "error rates"),
    "frame rate": ("frame rate",),
    "inference cost": ("inference cost",),
    "inference latency": ("inference latency",),
    "inference speed": ("inference speed",),
    "inference time": ("inference time",),
    "memory consumption": ("memory consumption",),
    "memory footprint": ("memory footprint",),
    "memory usage": ("memory usage",),
    "model size": ("model size",),
    "parameters": ("fewer parameters",),
    "power consumption": ("power consumption",),
    "running time": ("running time",),
    "runtime": ("run time",),
    "sample complexity": ("sample complexity",),
    "sample efficiency": ("sample efficiency",),
    "speedup": ("speed - up", "speed - ups", "speed up"),
    "success rate": ("success rate", "success rates"),
    "time complexity": ("time complexity",),
    "time steps": ("time steps",),
    "training cost": ("training cost",),
    "training data": ("training data",),
    "training speed": ("training speed",),
    "training time": ("training time",),
    "win rate": ("win rate", "win rates"),
}
PHRASES = {tuple(phrase.split()): measure for measure, phrases in _PHRASES.items() for phrase in phrases}
"""Two or three units and the measure that they stand for."""

_HIGHER = (
    "accuracy advantage agreement ap auc auroc bleu cider compression correlation coverage dice efficiency f1 fps gain "
    "generalization improvement increase iou map mauve meteor miou mrr ndcg performance precision psnr quality recall "
    "robustness rouge saving score similarity speed speedup ssim throughput"
)
HIGHER = frozenset(_HIGHER.split())
"""Words of measures of which more is better."""

_LOWER = (
    "bias cer complexity computation consumption cost degradation distance drop ece energy error errors failure fid flops "
    "fvd gap iterations kid latency loss lpips mae memory mse nll overhead parameters perplexity queries rank regret rmse "
    "runtime size slowdown steps storage time variance wer"
)
LOWER = frozenset(_LOWER.split())
"""Words of measures of which less is better."""

_UNITS_OF_TIME = (
    "day days hour hours millisecond milliseconds min mins minute minutes month months ms s sec second seconds secs week weeks year years"
)
UNITS_OF_TIME = frozenset(_UNITS_OF_TIME.split())
"""Units of time, in lower case."""

_EMPTY = (
    "a about absolute all an and are around as at average be better both but by compared different each faster fewer fold "
    "for from higher if improved in is it its larger least less lower margin more most new of on only or other our over "
    "overall per percent percentage point points relative respectively smaller than that the their these they this those "
    "times to under up using various was we were when which while with worse"
)
EMPTY = frozenset(_EMPTY.split())
"""Words beside a number that never name what it measures."""

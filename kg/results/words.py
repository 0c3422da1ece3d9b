"""Plain words that say what a number measures, where no metric is named, and whether more of it is better."""

MEASURES = {
    **{w: w for w in "accuracy accuracies precision recall error errors performance latency throughput runtime speed memory cost costs parameters efficiency score scores "
       "loss gap overhead perplexity similarity agreement correlation quality coverage bandwidth energy power complexity rank ranking regret robustness time rate "
       "storage size computation flops fps steps bias variance correlation distance success failures failure usage consumption budget utilization "
       "generalization bleu f1 auc map miou psnr ssim fid wer cer mae rmse mse ap ndcg mrr rouge queries samples iterations epochs tokens hours minutes seconds "
       "labels annotations points percentage frames pixels evaluations operations".split()},
    "accuracies": "accuracy", "errors": "error", "scores": "score", "costs": "cost", "failures": "failure", "ranking": "rank",
    "speedup": "speedup", "speedups": "speedup", "faster": "speedup", "acceleration": "speedup", "quicker": "speedup", "accelerates": "speedup", "slower": "slowdown",
    "improvement": "improvement", "improvements": "improvement", "improves": "improvement", "improved": "improvement", "improve": "improvement", "improving": "improvement",
    "gain": "gain", "gains": "gain", "boost": "improvement", "boosts": "improvement", "increase": "increase", "increases": "increase", "increased": "increase",
    "increasing": "increase", "reduction": "reduction", "reductions": "reduction", "reduces": "reduction", "reduced": "reduction", "reduce": "reduction",
    "reducing": "reduction", "decrease": "reduction", "decreases": "reduction", "drop": "drop", "drops": "drop", "degradation": "degradation",
    "outperforms": "performance", "outperforming": "performance", "outperform": "performance", "outperformed": "performance", "surpasses": "performance",
    "surpassing": "performance", "savings": "saving", "saving": "saving", "saves": "saving", "smaller": "size", "larger": "size", "cheaper": "cost",
    "advantage": "advantage", "better": "performance", "higher": "performance", "worse": "performance", "compression": "compression", "win": "win rate", "wins": "win rate",
}  # fmt: skip
PHRASES = {
    ("speed", "-", "up"): "speedup", ("speed", "-", "ups"): "speedup", ("speed", "up"): "speedup", ("success", "rate"): "success rate", ("success", "rates"): "success rate",
    ("error", "rate"): "error rate", ("error", "rates"): "error rate", ("win", "rate"): "win rate", ("win", "rates"): "win rate", ("frame", "rate"): "frame rate",
    ("inference", "time"): "inference time", ("training", "time"): "training time", ("running", "time"): "running time", ("run", "time"): "runtime",
    ("training", "data"): "training data", ("model", "size"): "model size", ("memory", "usage"): "memory usage", ("memory", "footprint"): "memory footprint",
    ("memory", "consumption"): "memory consumption", ("energy", "consumption"): "energy consumption", ("power", "consumption"): "power consumption",
    ("sample", "efficiency"): "sample efficiency", ("data", "efficiency"): "data efficiency", ("compression", "ratio"): "compression ratio",
    ("approximation", "ratio"): "approximation ratio", ("sample", "complexity"): "sample complexity", ("time", "complexity"): "time complexity",
    ("fewer", "parameters"): "parameters", ("inference", "speed"): "inference speed", ("training", "speed"): "training speed", ("time", "steps"): "time steps",
    ("inference", "latency"): "inference latency", ("inference", "cost"): "inference cost", ("training", "cost"): "training cost", ("convergence", "rate"): "convergence rate",
}  # fmt: skip
HIGHER = frozenset(
    "accuracy precision recall f1 auc auroc map miou iou psnr ssim bleu rouge meteor cider throughput speedup speed improvement gain efficiency coverage agreement "
    "correlation similarity quality score ndcg mrr ap dice advantage robustness generalization performance increase saving compression fps mauve".split()
)
LOWER = frozenset(
    "error errors loss latency runtime time memory cost parameters overhead perplexity fid wer cer mae rmse mse regret distance energy consumption complexity flops bias "
    "variance drop degradation slowdown size steps gap ece kid fvd lpips nll queries iterations storage computation failure rank".split()
)

"""`kg evaluate`: cards against gold cards."""

import json
import sys
from pathlib import Path

import click


@click.command(
    epilog="""\b
Examples:
  kg evaluate gold.jsonl                    extract from gold's own papers and score
  kg evaluate gold.jsonl cards.jsonl        score cards that were made before
  kg evaluate gold.jsonl --tier fast        another tier
  kg evaluate gold.jsonl --gold-entities    roles, relations and results alone
  kg evaluate gold.jsonl --errors 40        and what was missed or spurious"""
)
@click.argument("gold", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("pred", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tier", default="default", show_default=True, help="The extraction tier, when PRED is not given.")
@click.option("--gold-entities", is_flag=True, help="Take the entities from gold and score the later stages alone.")
@click.option("--errors", default=0, type=click.IntRange(0), metavar="N", help="List up to N missed and N spurious entities.")
@click.option(
    "--bootstrap", default=1000, show_default=True, type=click.IntRange(0), metavar="N", help="Resamples for the 95 % intervals; 0 for none."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(gold: Path, pred: Path | None, tier: str, gold_entities: bool, errors: int, bootstrap: int, as_json: bool) -> None:
    """Score predicted cards PRED against GOLD: entities by type, mentions, relations, results and roles.

    GOLD and PRED hold a card a line. Without PRED the papers of GOLD, which then carry title and abstract, are extracted first.
    """
    from kg import evaluate

    if pred and gold_entities:
        raise click.UsageError("--gold-entities predicts by itself: leave PRED out")
    cards = evaluate.read_cards(gold)
    if pred:
        result = evaluate.score(cards, evaluate.read_cards(pred), bootstrap=bootstrap)
    else:
        made = evaluate.predict(cards, tier=tier, given_entities=gold_entities)
        with click.progressbar(made, length=len(cards), label="extracting", file=sys.stderr) as bar:
            result = evaluate.score(cards, bar, bootstrap=bootstrap)
    lines = [json.dumps(evaluate.as_json(result), ensure_ascii=False)] if as_json else evaluate.report(result, errors)
    for line in lines:
        click.echo(line)

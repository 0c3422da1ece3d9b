"""A build in the vocabulary of Linked Papers With Code, so that queries written for that graph run on this one.

Source: Färber and Lamprecht, "Linked Papers With Code: The Latest in Machine Learning as an RDF Knowledge Graph" (ISWC 2023), and its published
ontology. `ontology/lpwc.ttl` holds the mapping. Entities lie under their type (`dataset/gsm8k`), as they do there: with that graph's own base IRI
queries that name an IRI run as well. There is no class for metrics: a metric is the name on an evaluation result.
"""

from collections.abc import Mapping, Sequence

from kg.rdf.syntax import Kind, Part, Syntax
from kg.rdf.terms import sql_local
from kg.rdf.vocabulary import Detail

_TYPES = {"Dataset": "dataset", "Model": "model", "Method": "method", "Task": "task"}
_LINKS = {"Dataset": "lpwc:usesDataset", "Model": "lpwc:hasModel", "Method": "lpwc:hasMethod", "Task": "lpwc:hasTask"}

_TYPE = "CASE type " + " ".join(f"WHEN '{kind}' THEN '{word}'" for kind, word in _TYPES.items()) + " END"


def prefixes(base: str) -> Mapping[str, str]:
    """The prefixes of this vocabulary and of a build whose IRIs begin with `base`."""
    return {
        "dbp": "http://dbpedia.org/property/",
        "dcterms": "http://purl.org/dc/terms/",
        "fabio": "http://purl.org/spar/fabio/",
        "foaf": "http://xmlns.com/foaf/0.1/",
        "g": base,
        "lpwc": "https://linkedpaperswithcode.com/property/",
        "lpwcc": "https://linkedpaperswithcode.com/class/",
        "p": f"{base}paper/",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
    }


def preamble_kinds(x: Syntax) -> Sequence[Kind]:
    """Conferences, and repositories of code."""
    conferences = "SELECT 0 AS n, venue FROM (SELECT DISTINCT venue FROM papers WHERE venue <> '')"
    named = [Part("rdf:type", x.constant("lpwcc:conference")), Part("foaf:name", x.text("venue"))]
    repositories = "SELECT 0 AS n, url FROM (SELECT DISTINCT unnest(code) AS url FROM papers) WHERE url <> ''"
    kept = [Part("rdf:type", x.constant("lpwcc:repository")), Part("fabio:hasURL", _uri(x, "url"))]
    return [
        Kind(conferences, "venue", _node(x, "'conference'", sql_local("venue")), named),
        Kind(repositories, "url", _node(x, "'repository'", sql_local("url")), kept),
    ]


def entity_kinds(x: Syntax, detail: Detail) -> Sequence[Kind]:
    """Datasets, models, methods and tasks."""
    rows = f"""SELECT e.*, c.name, c.n, {_TYPE.replace("CASE type", "CASE e.type")} AS word, proposers, children, variants
    FROM chunk c JOIN entities e USING (entity)
    LEFT JOIN (SELECT entity, list({x.node("paper", "p.name")} ORDER BY p.n) AS proposers FROM links JOIN chunk USING (entity)
        JOIN rdf_papers p USING (paper) WHERE role = 'proposed' GROUP BY entity) q USING (entity)
    LEFT JOIN (SELECT f.parent AS entity, list({_node(x, "'task'", "r.name")} ORDER BY r.n) FILTER (r.type = 'Task') AS children,
        list({x.text("v.label")} ORDER BY v.label) AS variants FROM (SELECT DISTINCT entity, parent FROM families) f
        JOIN chunk ON chunk.entity = f.parent JOIN rdf_entities r ON r.entity = f.entity JOIN entities v ON v.entity = f.entity GROUP BY f.parent
    ) t USING (entity) WHERE e.type IN ({", ".join(f"'{kind}'" for kind in _TYPES)})"""
    parts = [
        Part("rdf:type", x.named("lpwcc", "word")),
        Part("dcterms:title", f"CASE WHEN type = 'Dataset' THEN {x.text('label')} END"),
        Part("foaf:name", f"CASE WHEN type <> 'Dataset' THEN {x.text('label')} END"),
        Part("dbp:fullname", x.filled("expansion")),
        Part("lpwc:numberPapers", x.integer("papers")),
        Part("lpwc:introducedBy", "CASE WHEN type IN ('Dataset', 'Method') THEN proposers END", many=True),
        Part("lpwc:hasVariant", "CASE WHEN type = 'Dataset' THEN variants END", many=True),
        Part("lpwc:hasSubtask", "CASE WHEN type = 'Task' THEN children END", many=True),
        Part("foaf:homepage", f"CASE WHEN type = 'Dataset' THEN {_uri(x, 'urls[1]')} END"),
    ]
    return [Kind(rows, "entity", _node(x, "word", "name"), parts)]


def paper_kinds(x: Syntax, detail: Detail) -> Sequence[Kind]:
    """Papers, their evaluations, and the results of these."""
    return [_papers(x), _evaluations(x), *_results(x)]


def _papers(x: Syntax) -> Kind:
    repository = _node(x, "'repository'", sql_local("i"))
    conference = _node(x, "'conference'", sql_local("venue"))
    lists = ", ".join(f"list(t ORDER BY entity) FILTER (type = '{kind}') AS \"{kind}\"" for kind in _TYPES)
    rows = f"""SELECT p.*, c.name AS paper_name, c.n, m.* EXCLUDE (paper), evaluations FROM chunk c JOIN papers p USING (paper)
    LEFT JOIN (SELECT paper, {lists} FROM (SELECT l.paper, l.entity, r.type, {_node(x, "word", "r.name")} AS t FROM links l JOIN chunk USING (paper)
        JOIN (SELECT *, {_TYPE} AS word FROM rdf_entities) r USING (entity)) GROUP BY paper) m USING (paper)
    LEFT JOIN (SELECT paper, list({_node(x, "'evaluation'", "c.name || ':' || k.n")} ORDER BY k.n) AS evaluations
        FROM results k JOIN chunk c USING (paper) GROUP BY paper) e USING (paper)"""
    parts = [
        Part("rdf:type", x.constant("lpwcc:paper")),
        Part("dcterms:title", x.text("CASE WHEN title <> '' THEN title ELSE label END")),
        Part("dcterms:abstract", x.filled("abstract")),
        Part("dcterms:date", x.typed("printf('%04d-01-01', year)", "date")),
        Part("fabio:hasArXivId", x.filled("arxiv")),
        Part("lpwc:hasURLAbstract", _uri(x, "url")),
        Part("lpwc:creatorName", f"list_sort(list_distinct(list_transform(authors, lambda i: {x.text('i')})))", many=True),
        Part("lpwc:hasConference", f"CASE WHEN venue <> '' THEN {conference} END"),
        *(Part(predicate, f'"{kind}"', many=True) for kind, predicate in _LINKS.items()),
        Part("lpwc:hasRepository", f"list_transform(code, lambda i: {repository})", many=True),
        Part("lpwc:hasEvaluation", "evaluations", many=True),
    ]
    return Kind(rows, "''", x.node("paper", "paper_name"), parts)


_RESULT_ROWS = f"""SELECT c.n, c.name AS paper_name, k.n AS number, k.* EXCLUDE (n), s.name AS subject_name, d.name AS dataset_name,
    m.label AS metric_name, s.word AS subject_word, d.word AS dataset_word FROM results k JOIN chunk c USING (paper)
    LEFT JOIN (SELECT *, {_TYPE} AS word FROM rdf_entities) s ON s.entity = k.subject
    LEFT JOIN (SELECT *, {_TYPE} AS word FROM rdf_entities) d ON d.entity = k.dataset LEFT JOIN entities m ON m.entity = k.metric"""

_NUMBER = "lpad(CAST(number AS VARCHAR), 6, '0')"


def _evaluations(x: Syntax) -> Kind:
    name = "paper_name || ':' || number"
    dataset = _node(x, "dataset_word", "dataset_name")
    parts = [
        Part("rdf:type", x.constant("lpwcc:evaluation")),
        Part("lpwc:hasDataset", f"CASE WHEN dataset_word = 'dataset' THEN {dataset} END"),
        Part("lpwc:hasTask", f"CASE WHEN dataset_word = 'task' THEN {dataset} END"),
        Part("lpwc:hasModel", f"CASE WHEN subject_word = 'model' THEN {_node(x, 'subject_word', 'subject_name')} END"),
        Part("lpwc:hasEvaluationResult", _node(x, "'evaluationresult'", name)),
    ]
    return Kind(_RESULT_ROWS, _NUMBER, _node(x, "'evaluation'", name), parts)


def _results(x: Syntax) -> list[Kind]:
    parts = [
        Part("rdf:type", x.constant("lpwcc:evaluationresult")),
        Part("lpwc:metricName", x.filled("coalesce(metric_name, metric_text)")),
        Part("lpwc:metricValue", x.text("value")),
    ]
    return [Kind(_RESULT_ROWS, _NUMBER, _node(x, "'evaluationresult'", "paper_name || ':' || number"), parts)]


def _node(x: Syntax, word: str, local: str) -> str:
    """The SQL of an IRI in the folder of a type; a prefixed name escapes the slash."""
    slash = "'\\/'" if x.prefixed else "'/'"
    return x.node("", f"{word} || {slash} || {local}")


def _uri(x: Syntax, expression: str) -> str:
    return f"CASE WHEN {expression} <> '' THEN {x.text(expression)} || {_mark(x)} END"


def _mark(x: Syntax) -> str:
    return "'^^xsd:anyURI'" if x.prefixed else "'^^<http://www.w3.org/2001/XMLSchema#anyURI>'"

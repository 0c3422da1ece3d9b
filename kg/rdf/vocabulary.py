"""The statements of a build in its own vocabulary, which `ontology/kg.ttl` defines: for each kind of subject, its rows and their parts.

The SQL reads the tables and temporary ones that the stream makes, `rdf_papers` and `rdf_entities` (id, `name`: the local part of its IRI, `n`:
its place in the order); `chunk` is the slice of one of them that is being written.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kg.authors import written
from kg.model import RelationKind, Role
from kg.rdf.syntax import Kind, Part, Syntax
from kg.rdf.terms import sql_iri, sql_local

ROLES = {
    Role.PROPOSED: "kg:proposes",
    Role.EVALUATED: "kg:evaluates",
    Role.COMPARED: "kg:comparesWith",
    Role.USED: "kg:uses",
}
"""The property of each role; the weakest has none beside `kg:mentions`."""

WIKIDATA = "http://www.wikidata.org/entity/"
CONTEXT = 32
"""Characters that a text-quote selector shows before and after the quoted ones."""


@dataclass(frozen=True)
class Touched:
    """The tables of ids of papers, entities and pairs (a, b) that alone are written."""

    papers: str
    entities: str
    pairs: str


@dataclass(frozen=True)
class Detail:
    """What is written beside the direct statements: `evidence` is none, quotes or full; `reified` writes it on RDF 1.2 triple terms.

    `graphs` puts what a paper states about two entities into the paper's graph instead of gathering it under the entity.
    Without `sort` the statements come in whatever order the engine has them ready.
    With `authors` these are nodes beside the literals; with `only`, nothing else is written.
    """

    evidence: str = "quotes"
    reified: bool = False
    graphs: bool = False
    min_cooccurrences: int = 2
    sort: bool = True
    authors: bool = False
    only: Touched | None = None


def preamble_kinds(x: Syntax) -> Sequence[Kind]:
    """The graph itself, the build that made it, and the files that it read."""
    facts = """SELECT 0 AS n, (SELECT value FROM meta WHERE name = 'program') AS program,
        (SELECT value FROM meta WHERE name = 'catalogue') AS catalogue,
        (SELECT string_agg(DISTINCT extractor, ', ' ORDER BY extractor) FROM extracted) AS extractor"""
    graph = [
        Part("rdf:type", f"[{x.constant('void:Dataset')}, {x.constant('prov:Entity')}]", many=True),
        Part("void:vocabulary", x.constant("kg:")),
        Part("prov:wasGeneratedBy", x.node("", "'build'")),
        Part("prov:wasDerivedFrom", "sources", many=True),
    ]
    build = [
        Part("rdf:type", x.constant("prov:Activity")),
        Part("schema:softwareVersion", x.filled("program")),
        Part("kg:extractorVersion", x.filled("extractor")),
        Part("kg:catalogueVersion", x.filled("catalogue")),
        Part("prov:used", "sources", many=True),
    ]
    file = [
        Part("rdf:type", x.constant("prov:Entity")),
        Part("rdfs:label", x.text("source")),
        Part("dc:format", x.filled("format")),
        Part("kg:sha256", x.filled("sha256")),
    ]
    with_sources = f"{facts}, (SELECT list({x.node('source', 'name')} ORDER BY source) FROM rdf_sources) AS sources"
    return [
        Kind(with_sources, "''", x.node("", "'graph'"), graph),
        Kind(with_sources, "''", x.node("", "'build'"), build),
        Kind("SELECT n, name, source, format, sha256 FROM rdf_sources LEFT JOIN sources USING (source)", "source", x.node("source", "name"), file),
        _redirects(x),
    ]


def _redirects(x: Syntax) -> Kind:
    rows = f"""SELECT 0 AS n, old, {sql_local("old")} AS old_name, r.name AS new_name FROM redirects JOIN rdf_entities r ON r.entity = new
        WHERE old NOT IN (SELECT entity FROM entities)"""
    return Kind(rows, "old", x.node("entity", "old_name"), [Part("dcterms:isReplacedBy", x.node("entity", "new_name"))])


def author_kinds(x: Syntax) -> Sequence[Kind]:
    """Authors, by their full names."""
    parts = [Part("rdf:type", x.constant("schema:Person")), Part("rdfs:label", x.text("label"))]
    return [Kind("SELECT * FROM chunk", "author", x.node("author", "name"), parts)]


def entity_kinds(x: Syntax, detail: Detail) -> Sequence[Kind]:
    """Entities, and the pairs of them that share papers."""
    return [_entities(x, detail), _pairs(x, detail)]


def paper_kinds(x: Syntax, detail: Detail) -> Sequence[Kind]:
    """Papers and all that they say."""
    kinds = [_papers(x, detail), _results(x, detail)]
    if detail.graphs:
        kinds.append(_stated(x))
    if detail.evidence != "none":
        kinds += [_links(x, detail), _statements(x, detail)]
    if detail.evidence == "full":
        kinds += _selectors(x)
    return kinds


def _entities(x: Syntax, detail: Detail) -> Kind:
    relations = "" if detail.graphs else _relation_lists("relations", "head", "head AS entity")
    rows = f"""
    (SELECT e.*, c.name, c.n FROM chunk c JOIN entities e USING (entity)) e
    LEFT JOIN (SELECT entity, list({x.text("surface")} ORDER BY surface) AS alts FROM (
        SELECT DISTINCT entity, surface FROM aliases JOIN chunk USING (entity)
        UNION SELECT entity, expansion FROM entities JOIN chunk USING (entity) WHERE expansion <> ''
    ) a JOIN entities USING (entity) WHERE surface <> label GROUP BY entity) a USING (entity)
    LEFT JOIN (SELECT f.entity, list({x.node("entity", "r.name")} ORDER BY f.parent) AS parents FROM (SELECT DISTINCT entity, parent FROM families) f
        JOIN chunk USING (entity) JOIN rdf_entities r ON r.entity = f.parent GROUP BY f.entity) f USING (entity)
    LEFT JOIN (SELECT entity, list({sql_iri("url")} ORDER BY url) FILTER (prefix(url, '{WIKIDATA}')) AS same,
        list({sql_iri("url")} ORDER BY url) FILTER (NOT prefix(url, '{WIKIDATA}')) AS pages
        FROM (SELECT DISTINCT entity, unnest(urls) AS url FROM entities JOIN chunk USING (entity)) WHERE {sql_iri("url")} IS NOT NULL GROUP BY entity
    ) u USING (entity) {relations}"""
    types = f"[{x.named('kg', 'type')}, {x.constant('kg:Entity')}]"
    parts = [
        Part("rdf:type", f"{types} || CASE WHEN also <> '' THEN [{x.named('kg', 'also')}] ELSE [] END", many=True),
        Part("skos:prefLabel", x.text("label")),
        Part("skos:altLabel", "alts", many=True),
        Part("skos:broader", "parents", many=True),
    ]
    if not detail.graphs:
        parts += [Part(f"kg:{kind}", f'"{kind}"', many=True) for kind in RelationKind]
    parts += [
        Part("kg:paperCount", x.integer("papers")),
        Part("kg:mentionCount", x.integer("mentions")),
        Part("skos:exactMatch", "same", many=True),
        Part("rdfs:seeAlso", "pages", many=True),
    ]
    return Kind(f"SELECT e.*, alts, parents, same, pages{_relation_columns(detail)} FROM {rows.replace('__NODE__', x.node('entity', 'r.name'))}",
                "entity", x.node("entity", "name"), parts)  # fmt: skip


def _relation_columns(detail: Detail) -> str:
    return "" if detail.graphs else "".join(f', rel."{kind}"' for kind in RelationKind)


def _relation_lists(table: str, key: str, selected: str) -> str:
    lists = ", ".join(f"list(__NODE__ ORDER BY tail) FILTER (relation = '{kind}') AS \"{kind}\"" for kind in RelationKind)
    return f"""
    LEFT JOIN (SELECT {selected}, {lists} FROM (SELECT DISTINCT {key}, relation, tail FROM {table} SEMI JOIN chunk ON chunk.entity = {key})
        JOIN rdf_entities r ON r.entity = tail GROUP BY {key}) rel USING (entity)"""


def _pairs(x: Syntax, detail: Detail) -> Kind:
    rows = f"""SELECT chunk.n, chunk.name AS a_name, r.name AS b_name, b, o.papers FROM cooccurrences o JOIN chunk ON chunk.entity = o.a
        JOIN rdf_entities r ON r.entity = o.b {f"SEMI JOIN {detail.only.pairs} USING (a, b)" if detail.only else ""}
        WHERE o.papers >= {detail.min_cooccurrences}"""
    parts = [
        Part("rdf:type", x.constant("kg:Cooccurrence")),
        Part("kg:member", f"[{x.node('entity', 'a_name')}, {x.node('entity', 'b_name')}]", many=True),
        Part("kg:paperCount", x.integer("papers")),
    ]
    return Kind(rows, "b", x.node("entity", "a_name", "b_name"), parts)


def _papers(x: Syntax, detail: Detail) -> Kind:
    roles = ", ".join(f"list(t ORDER BY entity) FILTER (role = '{role}') AS \"{role}\"" for role in ROLES)
    states = "" if detail.evidence == "none" else ", states"
    stated = f"""LEFT JOIN (SELECT paper, list({x.node("paper", "c.name", _statement_name())} ORDER BY head, relation, tail) AS states FROM relations
        JOIN chunk c USING (paper) JOIN rdf_entities h ON h.entity = head JOIN rdf_entities t ON t.entity = tail GROUP BY paper) st USING (paper)"""
    with_authors = ", creators" if detail.authors else ""
    rows = f"""SELECT p.*, c.name AS paper_name, c.n, m.*, reports, sources, places{states}{with_authors}, {_identities()}
    FROM chunk c JOIN papers p USING (paper)
    LEFT JOIN (SELECT paper, list(t ORDER BY entity) AS mentions, {roles} FROM (
        SELECT l.paper, l.entity, role, {x.node("entity", "r.name")} AS t FROM links l JOIN chunk USING (paper) JOIN rdf_entities r USING (entity)
    ) GROUP BY paper) m USING (paper)
    LEFT JOIN (SELECT paper, list({x.node("paper", "c.name", "'result-' || k.n")} ORDER BY k.n) AS reports
        FROM results k JOIN chunk c USING (paper) GROUP BY paper) r USING (paper)
    LEFT JOIN (SELECT paper, list_sort(list_distinct(list(file))) AS sources, list_sort(list_distinct(list(place))) AS places FROM (
        SELECT paper, {x.node("source", "f.name")} AS file, {x.text("source || '#' || record")} AS place
        FROM places JOIN chunk c USING (paper) JOIN rdf_sources f USING (source)) GROUP BY paper) w USING (paper)
    {stated if states else ""} {_creators(x) if detail.authors else ""}"""
    parts = [
        Part("rdf:type", f"[{x.constant('kg:Paper')}, {x.constant('schema:ScholarlyArticle')}]", many=True),
        Part("rdfs:label", x.filled("label")),
        Part("dcterms:title", x.filled("title")),
        Part("dcterms:abstract", x.filled("abstract")),
        Part("dcterms:issued", x.typed("printf('%04d', year)", "gYear")),
        Part("dc:creator", _texts(x, "authors"), many=True),
        *([Part("dcterms:creator", "creators", many=True)] if detail.authors else []),
        Part("dc:language", x.filled("language")),
        Part("prism:publicationName", x.filled("venue")),
        Part("bibo:doi", x.filled("doi")),
        Part("fabio:hasArXivId", x.filled("arxiv")),
        Part("fabio:hasPubMedId", x.filled("pmid")),
        Part("schema:keywords", _texts(x, "keywords"), many=True),
        Part("schema:sameAs", f"list_filter([{', '.join(sql_iri(page) for page in _PAGES)}], lambda i: i IS NOT NULL)", many=True),
        Part("schema:url", sql_iri("url")),
        Part("kg:code", _iris("code"), many=True),
        *(Part(predicate, f'"{role}"', many=True) for role, predicate in ROLES.items()),
        Part("kg:mentions", "mentions", many=True),
        Part("kg:reports", "reports", many=True),
        *([Part("kg:states", "states", many=True)] if states else []),
        Part("prov:wasDerivedFrom", "sources", many=True),
        Part("dcterms:source", "places", many=True),
    ]
    return Kind(rows.replace("m.*", "m.* EXCLUDE (paper)"), "''", x.node("paper", "paper_name"), parts)


def _creators(x: Syntax) -> str:
    return f"""LEFT JOIN (SELECT paper, list_sort(list_distinct(list({x.node("author", sql_local("author"))}))) AS creators
        FROM ({written("papers SEMI JOIN chunk USING (paper)")}) GROUP BY paper) wr USING (paper)"""


_PAGES = {
    "doi_page": "'https://doi.org/' || replace(url_encode(nullif(doi, '')), '%2F', '/')",
    "arxiv_page": "'https://arxiv.org/abs/' || replace(url_encode(nullif(arxiv, '')), '%2F', '/')",
    "openreview_page": "'https://openreview.net/forum?id=' || url_encode(nullif(openreview, ''))",
    "acl_page": "'https://aclanthology.org/' || url_encode(nullif(acl, '')) || '/'",
    "pmid_page": "'https://pubmed.ncbi.nlm.nih.gov/' || url_encode(nullif(pmid, '')) || '/'",
}


def _identities() -> str:
    return ", ".join(f"{expression} AS {name}" for name, expression in _PAGES.items())


def _texts(x: Syntax, column: str) -> str:
    return f"list_sort(list_distinct(list_transform(list_filter({column}, lambda i: i <> ''), lambda i: {x.text('i')})))"


def _iris(column: str) -> str:
    return f"list_sort(list_distinct(list_filter(list_transform({column}, lambda i: {sql_iri('i')}), lambda i: i IS NOT NULL)))"


def _statement_name() -> str:
    return "replace(h.name, ':', '%3A') || ':' || relation || ':' || replace(t.name, ':', '%3A')"


def _stated(x: Syntax) -> Kind:
    tail = x.node("entity", "t.name")
    lists = ", ".join(f"list_sort(list_distinct(list({tail}) FILTER (relation = '{kind}'))) AS \"{kind}\"" for kind in RelationKind)
    rows = f"""SELECT any_value(c.n) AS n, any_value(c.name) AS paper_name, head, any_value(h.name) AS name, {lists}
        FROM relations JOIN chunk c USING (paper) JOIN rdf_entities h ON h.entity = head JOIN rdf_entities t ON t.entity = tail
        GROUP BY paper, head"""
    return Kind(rows, "head", x.node("entity", "name"), [Part(f"kg:{kind}", f'"{kind}"', many=True) for kind in RelationKind])


def _quote(x: Syntax, detail: Detail) -> list[Part]:
    return [] if detail.evidence == "none" else [Part("kg:quote", x.text("quote"))]


def _by(x: Syntax, detail: Detail) -> list[Part]:
    if detail.evidence != "full":
        return []
    return [Part("prov:wasAttributedTo", x.node("", "'extractor:' || " + sql_local("extractor")))]


def _links(x: Syntax, detail: Detail) -> Kind:
    rows = """SELECT c.n, c.name AS paper_name, r.name AS entity_name, replace(r.name, ':', '%3A') AS link_name, l.*, t.text AS quote
        FROM links l JOIN chunk c USING (paper) JOIN rdf_entities r USING (entity)
        LEFT JOIN sentences t ON t.paper = l.paper AND t.sentence = l.sentence"""
    paper, entity = x.node("paper", "paper_name"), x.node("entity", "entity_name")
    if detail.reified:
        roles = " ".join(f"WHEN '{role}' THEN {x.constant(name)}" for role, name in ROLES.items())
        verb = f"CASE role {roles} ELSE {x.constant('kg:mentions')} END"
        what = [Part("rdf:reifies", x.quoted_triple(paper, verb, entity))]
    else:
        place = x.node("paper", "paper_name", "link_name || ':at'")
        targets = Part("oa:hasTarget", f"[{paper}, {place}]", many=True) if detail.evidence == "full" else Part("oa:hasTarget", paper)
        what = [Part("rdf:type", x.constant("oa:Annotation")), Part("oa:hasBody", entity), targets]
    extra = [Part("kg:role", x.text("role")), Part("kg:mentionCount", x.integer("mentions"))] if detail.evidence == "full" else []
    parts = [*what, *_quote(x, detail), Part("kg:confidence", x.number("confidence")), *extra, *_by(x, detail)]
    return Kind(rows, "entity", x.node("paper", "paper_name", "link_name"), parts)


def _statements(x: Syntax, detail: Detail) -> Kind:
    rows = f"""SELECT c.n, c.name AS paper_name, h.name AS head_name, t.name AS tail_name, {_statement_name()} AS statement, k.*, z.text AS quote
        FROM relations k JOIN chunk c USING (paper) JOIN rdf_entities h ON h.entity = head JOIN rdf_entities t ON t.entity = tail
        LEFT JOIN sentences z ON z.paper = k.paper AND z.sentence = k.sentence"""
    head, verb, tail = x.node("entity", "head_name"), x.named("kg", "relation"), x.node("entity", "tail_name")
    if detail.reified:
        what = [Part("rdf:reifies", x.quoted_triple(head, verb, tail))]
    else:
        what = [Part("rdf:type", x.constant("rdf:Statement")), Part("rdf:subject", head), Part("rdf:predicate", verb), Part("rdf:object", tail)]
    parts = [*what, *_quote(x, detail), Part("kg:confidence", x.number("confidence")), *_by(x, detail)]
    return Kind(rows, "statement", x.node("paper", "paper_name", "statement"), parts)


def _results(x: Syntax, detail: Detail) -> Kind:
    roles = ("subject", "metric", "dataset", "comparator")
    joins = " ".join(f"LEFT JOIN rdf_entities {r} ON {r}.entity = k.{r}" for r in roles)
    names = ", ".join(f"{r}.name AS {r}_name" for r in roles)
    quote = "" if detail.evidence == "none" else "LEFT JOIN sentences z ON z.paper = k.paper AND z.sentence = k.sentence"
    rows = f"""SELECT c.n, c.name AS paper_name, k.n AS number, k.* EXCLUDE (n), {names}{", z.text AS quote" if quote else ""}
        FROM results k JOIN chunk c USING (paper) {joins} {quote}"""
    parts = [
        Part("rdf:type", x.constant("kg:Result")),
        Part("rdf:value", x.text("value")),
        Part("kg:kind", x.text("kind")),
        Part("schema:minValue", x.number("low")),
        Part("schema:maxValue", x.number("high")),
        Part("kg:before", x.number('"before"')),
        Part("schema:unitText", x.filled("unit")),
        Part("kg:higherIsBetter", x.boolean("higher_is_better")),
        *(Part(f"kg:{r}", x.node("entity", f"{r}_name")) for r in roles),
        *(Part(f"kg:{r}Text", x.filled(f"{r}_text")) for r in roles),
        *_quote(x, detail),
        Part("kg:confidence", x.number("confidence")),
        *_by(x, detail),
    ]
    return Kind(rows, "lpad(CAST(number AS VARCHAR), 6, '0')", x.node("paper", "paper_name", "'result-' || number"), parts)


def _selectors(x: Syntax) -> list[Kind]:
    rows = """SELECT c.n, c.name AS paper_name, replace(r.name, ':', '%3A') AS link_name, l.*,
        CASE WHEN p.title <> '' THEN p.title || chr(10) || p.abstract ELSE p.abstract END AS raw
        FROM links l JOIN chunk c USING (paper) JOIN rdf_entities r USING (entity) JOIN papers p USING (paper)"""

    def node(end: str) -> str:
        return x.node("paper", "paper_name", f"link_name || ':{end}'")

    target = [
        Part("rdf:type", x.constant("oa:SpecificResource")),
        Part("oa:hasSource", x.node("paper", "paper_name")),
        Part("oa:hasSelector", f"[{node('position')}, {node('text')}]", many=True),
    ]
    position = [
        Part("rdf:type", x.constant("oa:TextPositionSelector")),
        Part("oa:start", x.integer("start")),
        Part("oa:end", x.integer('"end"')),
    ]
    quote = [
        Part("rdf:type", x.constant("oa:TextQuoteSelector")),
        Part("oa:exact", x.text('substring(raw, start + 1, "end" - start)')),
        Part("oa:prefix", x.filled(f"substring(raw, greatest(start - {CONTEXT}, 0) + 1, least({CONTEXT}, start))")),
        Part("oa:suffix", x.filled(f'substring(raw, "end" + 1, {CONTEXT})')),
    ]
    return [Kind(rows, f"entity || ':{end}'", node(end), parts) for end, parts in (("at", target), ("position", position), ("text", quote))]

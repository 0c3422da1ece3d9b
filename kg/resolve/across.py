"""The entities of a whole build: the found rows of all papers joined by set operations in the database."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kg.resolve import decisions as made
from kg.resolve import families, verdicts
from kg.resolve.keys import add_macros, fill_keys, fill_slugs, is_short, register
from kg.resolve.senses import Edge, Senses, group_expansions

if TYPE_CHECKING:
    import duckdb

    from kg.ontology import Catalogue
    from kg.resolve.decisions import Decision

SURE_SHARE = 90
"""A short form without an expansion means what it means in so many percent of the papers that expand it …"""
SURE_PAPERS = 3
"""… when at least so many papers expand it; a form that is nobody's plain abbreviation needs one."""


def resolve(connection: "duckdb.DuckDBPyConnection", *, catalogue: "Catalogue | None" = None, decisions: "Sequence[Decision]" = ()) -> None:
    """Fill resolved, entities, aliases, families, merges and redirects from the found layer.

    `catalogue` holds the known names (the shipped ones unless given); `decisions` are the user's, as `kg.resolve.decisions.load` reads them.
    Entities of the previous run that are no more leave a redirect to the one that took their names. The same found rows give the same entities,
    whatever their order.
    """
    if catalogue is None:
        from kg import ontology

        catalogue = ontology.load().catalogue
    part(connection, decisions)
    _fill_catalogue(connection, catalogue)
    connection.execute(_UNITS)
    made.part_units(connection)
    connection.execute(_EXPANDED)
    senses = Senses(made.apart(connection))
    senses.join(made.same(connection), forced=True)
    senses.join(_rows(connection, _CATALOGUE_EDGES))
    senses.join(_rows(connection, _KNOWN_NAME_EDGES))
    senses.join(group_expansions(connection.execute(_EXPANSIONS).fetchall()))
    senses.join(_rows(connection, _KNOWN_SHORT_EDGES))
    _store_tops(connection, senses)
    senses.join(_rows(connection, _HEAD_EDGES))
    _store_tops(connection, senses)
    senses.join(_rows(connection, _BARE_EDGES))
    _store_tops(connection, senses)
    _make_entities(connection, senses)
    families.fill(connection)
    _redirect(connection)
    verdicts.before_links(connection)


def part(connection: "duckdb.DuckDBPyConnection", decisions: "Sequence[Decision]") -> None:
    """Empty the resolved layer and apply to the found layer what decisions say of single papers, each paper by itself."""
    add_macros(connection)
    _keep_old_names(connection)
    fill_keys(connection)
    made.store(connection, decisions)
    made.part_found(connection)


def _rows(connection: "duckdb.DuckDBPyConnection", statement: str) -> list[Edge]:
    return connection.execute(statement).fetchall()


def _fill_catalogue(connection: "duckdb.DuckDBPyConnection", catalogue: "Catalogue") -> None:
    """The catalogue as tables: its rows, and those of its forms that mean one row in any paper."""
    rows = catalogue.rows
    columns = {
        "id": [r.id for r in rows], "name": [r.name for r in rows], "type": [r.type.value for r in rows],
        "also": [r.also.value if r.also else "" for r in rows], "family": [r.family for r in rows], "urls": [" ".join(r.urls) for r in rows],
    }  # fmt: skip
    register(connection, "catalogue_rows", columns)
    forms = [
        (
            row.id,
            form,
            str(form == row.name),
            str(form in row.ambiguous),
            str(form in row.exact),
            str(len(form) <= 6 and is_short(form)),
        )
        for row in rows
        for form in row.forms
    ]
    names = ("id", "form", "main", "ambiguous", "exact", "short")
    register(connection, "listed_forms", {name: [form[n] for form in forms] for n, name in enumerate(names)})
    fill_keys(connection, "SELECT DISTINCT form AS text FROM listed_forms", "form_keys")
    connection.execute("CREATE OR REPLACE TEMP TABLE raw_forms AS SELECT f.*, k.loose AS key FROM listed_forms f JOIN form_keys k ON k.text = f.form")
    connection.execute(
        """CREATE OR REPLACE TEMP TABLE catalogue_forms AS
        SELECT key, min(id) AS id, min(form) AS form, bool_or(main = 'True') AS main, bool_or(short = 'True') AS short
        FROM raw_forms WHERE ambiguous = 'False' AND exact = 'False' GROUP BY 1 HAVING count(DISTINCT id) = 1"""
    )


def _keep_old_names(connection: "duckdb.DuckDBPyConnection") -> None:
    """What the previous run called things, and how often, before it is forgotten."""
    connection.execute("CREATE OR REPLACE TEMP TABLE old_redirects AS SELECT old, new FROM redirects")
    connection.execute("CREATE OR REPLACE TEMP TABLE old_aliases AS SELECT entity, surface, papers FROM aliases")
    connection.execute("CREATE OR REPLACE TEMP TABLE old_entities AS SELECT entity, label FROM entities")
    for table in ("resolved", "entities", "aliases", "families", "merges", "redirects"):
        connection.execute(f"DELETE FROM {table}")


def _store_tops(connection: "duckdb.DuckDBPyConnection", senses: Senses) -> None:
    tops = senses.tops()
    register(connection, "tops", {"sense": [sense for sense, _ in tops], "top": [top for _, top in tops]})
    connection.execute("UPDATE units SET top = sense")
    connection.execute("UPDATE units SET top = t.top FROM tops t WHERE t.sense = units.sense")


def _make_entities(connection: "duckdb.DuckDBPyConnection", senses: Senses) -> None:
    for statement in (_VOTES, _CLUSTERS):
        connection.execute(statement)
    fill_slugs(connection, "SELECT label AS name FROM clusters UNION SELECT expansion FROM clusters WHERE expansion <> ''")
    for statement in (_IDS, _RESOLVED, _ENTITIES, _ALIASES, _MERGES_WITHIN, _MERGES_ACROSS):
        connection.execute(statement)
    columns = ("a", "b", "name_a", "name_b", "reason")
    register(connection, "joined", {name: [edge[n] for edge in senses.joined] for n, name in enumerate(columns)})
    connection.execute(_MERGES_JOINED)


def _redirect(connection: "duckdb.DuckDBPyConnection") -> None:
    connection.execute(_REDIRECTS)


_UNITS = """
CREATE OR REPLACE TEMP TABLE units AS
WITH typed AS (
    SELECT name, expansion, catalogue, type, count(*) AS papers FROM named GROUP BY ALL
), grouped AS (
    SELECT name, expansion, catalogue, sum(papers)::INTEGER AS papers, arg_max(type, (papers, type)) AS type FROM typed GROUP BY ALL
), keyed AS (
    SELECT g.*, coalesce(n.loose, '') AS own, coalesce(x.loose, '') AS long, coalesce(n.short, false) AS short, coalesce(n.named, false) AS is_named,
        g.name = lower(g.name) AND NOT contains(g.name, ' ') AS word
    FROM grouped g LEFT JOIN keys n ON n.text = g.name LEFT JOIN keys x ON x.text = g.expansion
), sides AS (
    SELECT own, word, arg_max(type, (papers, type)) AS type FROM keyed WHERE catalogue = '' AND expansion = '' AND (word OR short) GROUP BY ALL
), clash AS (
    SELECT a.own FROM sides a JOIN sides b ON a.own = b.own AND a.word AND NOT b.word WHERE types_clash(a.type, b.type)
)
SELECT name, expansion, catalogue, papers, type, own, long, short, is_named,
    CASE WHEN catalogue <> '' THEN 'c:' || catalogue WHEN long <> '' THEN long WHEN word AND c.own IS NOT NULL THEN own || '|word'
        WHEN own = '' THEN name ELSE own END AS sense,
    NULL::VARCHAR AS top
FROM keyed LEFT JOIN clash c USING (own)
"""
"""The distinct ways in which papers name something. Its sense is the catalogue's row, else the full name, else the name itself; a common word
parts from the short name that is written like it when their types cannot be one (flux, FLUX)."""

_EXPANDED = """
CREATE OR REPLACE TEMP TABLE expanded AS
WITH shorts AS (
    SELECT f.paper, f.k, f.name AS short FROM named f WHERE f.expansion <> ''
    UNION SELECT s.paper, s.k, s.surface FROM found_surfaces s JOIN named f USING (paper, k) WHERE f.expansion <> ''
)
SELECT n.loose AS short, u.sense, u.expansion, count(DISTINCT f.paper)::INTEGER AS papers,
    bool_or(regexp_matches(g.short, '[0-9]|[a-z].*[A-Z]|[A-Z]{5}|[A-Z][a-z]+[A-Z]')) AS coined
FROM shorts g JOIN named f USING (paper, k) JOIN units u ON u.name = f.name AND u.expansion = f.expansion AND u.catalogue = f.catalogue
JOIN keys n ON n.text = g.short
WHERE n.short AND length(g.short) < length(f.expansion) AND n.loose <> u.long
GROUP BY ALL
"""
"""Which senses the short forms have where papers expand them."""

_EXPANSIONS = """
SELECT short, sense, expansion, papers FROM expanded WHERE short IN (SELECT short FROM expanded GROUP BY short HAVING count(DISTINCT sense) > 1)
ORDER BY ALL
"""

_CATALOGUE_EDGES = """
SELECT DISTINCT 'c:' || c.id, u.sense, c.form, CASE WHEN u.long <> '' THEN u.expansion ELSE u.name END, 'a name in the catalogue'
FROM units u JOIN catalogue_forms c ON c.key = CASE WHEN u.long <> '' THEN u.long ELSE u.own END
WHERE u.catalogue = '' AND NOT c.short AND u.sense NOT LIKE '%|%' ORDER BY ALL
"""

_KNOWN_NAME_EDGES = """
WITH forms AS (
    SELECT id, form, key, ambiguous = 'True' AS ambiguous, regexp_full_match(form, '[A-Z]{2,4}') AS plain FROM raw_forms
), fitting AS (
    SELECT DISTINCT u.sense, u.name, f.form, f.id FROM units u JOIN forms f ON f.key = u.own JOIN catalogue_rows c ON c.id = f.id
    WHERE u.catalogue = '' AND u.expansion = '' AND u.sense = u.own AND u.type IN (c.type, c.also)
        AND (NOT f.ambiguous OR u.type IN ('Dataset', 'Model', 'Metric') OR (f.form = u.name AND NOT f.plain))
)
SELECT 'c:' || min(id), sense, min(form), min(name), 'a name in the catalogue, of the same type' FROM fitting GROUP BY sense
HAVING count(DISTINCT id) = 1 ORDER BY ALL
"""

_KNOWN_SHORT_EDGES = """
WITH senses AS (
    SELECT short, sense, arg_max(expansion, (papers, expansion)) AS expansion, sum(papers) AS papers FROM expanded GROUP BY short, sense
), fitting AS (
    SELECT e.*, c.id, c.form, max(e.papers) OVER (PARTITION BY e.short) AS most FROM senses e JOIN catalogue_forms c ON c.key = e.short AND c.main
    WHERE e.sense NOT LIKE 'c:%'
)
SELECT 'c:' || id, min(sense), form, min(expansion), 'the full name of ' || form || ' in the catalogue' FROM fitting
WHERE papers = most AND papers >= 3 GROUP BY id, form HAVING count(*) = 1 ORDER BY ALL
"""
"""The catalogue knows a thing by its short name alone: the full name that most papers give is its own."""

HEADS = (
    "^(.+?)[ -](datasets?|benchmarks?|corpus|corpora|models?|architectures?|algorithms?|scores?|metrics?|framework|method|optimizer|network|challenge"
    "|suite|leaderboard)$"
)
_HEAD_EDGES = f"""
WITH headed AS (
    SELECT DISTINCT top, name, type, regexp_extract(name, '{HEADS}', ['base', 'head']) AS parts
    FROM units WHERE contains(name, ' ') AND expansion = '' AND catalogue = ''
), keyed AS (
    SELECT h.*, coalesce(k.loose, '') AS key FROM headed h LEFT JOIN keys k ON k.text = h.parts.base WHERE h.parts.base <> ''
), tops AS (
    SELECT u.own, u.top, arg_max(u.name, (u.papers, u.name)) AS name, coalesce(any_value(c.type), arg_max(u.type, (u.papers, u.type))) AS type,
        sum(u.papers) AS papers
    FROM units u LEFT JOIN catalogue_rows c ON u.top = 'c:' || c.id WHERE u.is_named AND NOT contains(u.name, ' ') GROUP BY u.own, u.top
), bases AS (
    SELECT * FROM tops QUALIFY 100 * papers >= 90 * sum(papers) OVER (PARTITION BY own)
)
SELECT DISTINCT b.top, h.top, b.name, h.name, 'the same name with "' || h.parts.head || '" after it' FROM keyed h
JOIN bases b ON h.parts.base <> '' AND b.own = h.key
WHERE b.top <> h.top AND CASE
    WHEN h.parts.head SIMILAR TO 'dataset.*|benchmark.*|corp.*|challenge|suite|leaderboard' THEN b.type = 'Dataset' AND h.type = 'Dataset'
    WHEN h.parts.head SIMILAR TO 'score.*|metric.*' THEN b.type = 'Metric' AND h.type = 'Metric'
    WHEN h.parts.head SIMILAR TO 'model.*|architecture.*|network' THEN b.type = 'Model' AND h.type = 'Model'
    ELSE b.type = 'Method' AND h.type = 'Method' END ORDER BY ALL
"""

_BARE_EDGES = f"""
WITH meanings AS (
    SELECT e.short, u.top, sum(e.papers) AS papers, bool_or(e.coined) AS coined, arg_max(e.expansion, (e.papers, e.expansion)) AS expansion
    FROM expanded e JOIN (SELECT DISTINCT sense, top FROM units) u USING (sense) GROUP BY ALL
), shares AS (
    SELECT *, 100 * papers / sum(papers) OVER (PARTITION BY short) AS share FROM meanings
), sure AS (
    SELECT s.*, t.type FROM shares s JOIN (SELECT top, arg_max(type, (papers, type)) AS type FROM units GROUP BY top) t USING (top)
        WHERE share >= {SURE_SHARE}
), bare AS (
    SELECT sense, top, own, arg_max(name, (papers, name)) AS name, arg_max(type, (papers, type)) AS type, sum(papers) AS papers FROM units
    WHERE short AND expansion = '' AND catalogue = '' AND sense = own GROUP BY ALL
)
SELECT s.top, b.top, s.expansion, b.name, 'what ' || s.share::INTEGER || ' % of the ' || s.papers || ' papers that spell it out mean'
FROM bare b JOIN sure s ON s.short = b.own
WHERE s.top <> b.top AND NOT types_clash(s.type, b.type) AND (s.papers >= {SURE_PAPERS} OR (s.coined AND b.papers <= 10 * s.papers)) ORDER BY ALL
"""

_VOTES = """
CREATE OR REPLACE TEMP TABLE votes AS
SELECT u.top, f.type, sum(round(f.confidence * 1000)::BIGINT) AS weight
FROM named f JOIN units u ON u.name = f.name AND u.expansion = f.expansion AND u.catalogue = f.catalogue GROUP BY ALL
"""

_CLUSTERS = """
CREATE OR REPLACE TEMP TABLE clusters AS
WITH names AS (
    SELECT top, own, name, sum(papers) AS papers FROM units GROUP BY ALL
), keyed AS (
    SELECT top, own, sum(papers) AS papers, arg_max(name, (papers, name = lower(name), name)) AS name FROM names GROUP BY ALL
), labels AS (
    SELECT top, arg_max(name, (papers, name)) AS label, sum(papers) AS papers FROM keyed GROUP BY top
), long AS (
    SELECT top, expansion, sum(papers) AS papers FROM units WHERE expansion <> '' GROUP BY ALL
), longs AS (
    SELECT top, arg_max(expansion, (papers, expansion)) AS expansion FROM long GROUP BY top
), kinds AS (
    SELECT top, arg_max(type, (weight, type)) AS type FROM votes GROUP BY top
), others AS (
    SELECT v.top, arg_max(v.type, (v.weight, v.type)) AS also FROM votes v JOIN kinds k ON k.top = v.top AND k.type <> v.type
    WHERE 10 * v.weight >= 3 * (SELECT sum(o.weight) FROM votes o WHERE o.top = v.top) GROUP BY v.top
)
SELECT l.top, coalesce(c.name, l.label) AS label, coalesce(c.type, k.type) AS type, coalesce(c.also, o.also, '') AS also,
    coalesce(x.expansion, '') AS expansion, c.id IS NOT NULL AS known, coalesce(c.id, '') AS id, coalesce(c.urls, '') AS urls, l.papers
FROM labels l JOIN kinds k USING (top) LEFT JOIN longs x USING (top) LEFT JOIN others o USING (top)
LEFT JOIN catalogue_rows c ON l.top = 'c:' || c.id
"""

_IDS = """
CREATE OR REPLACE TEMP TABLE ids AS
WITH slugged AS (
    SELECT c.*, s.slug, coalesce(x.slug, '') AS long FROM clusters c JOIN slugs s ON s.name = c.label LEFT JOIN slugs x ON x.name = c.expansion
        AND c.expansion <> ''
), ranked AS (
    SELECT *, count(*) OVER w AS n, bool_or(known) OVER w OR slug IN (SELECT id FROM catalogue_rows) AS taken, sum(papers) OVER w AS together,
        count(*) FILTER ((long = '' OR long = slug) AND top NOT LIKE '%|%') OVER w AS bare
    FROM slugged WINDOW w AS (PARTITION BY slug)
), named AS (
    SELECT *, CASE WHEN known THEN id
        WHEN NOT taken AND (n = 1 OR ((long = '' OR long = slug) AND bare = 1 AND top NOT LIKE '%|%') OR (10 * papers >= 9 * together
            AND papers >= 3)) THEN slug
        WHEN long <> '' AND long <> slug THEN slug || '-' || long
        WHEN top LIKE '%|word' THEN slug || '-word'
        WHEN taken THEN slug || '-namesake'
        ELSE slug || '-' || left(md5(top), 6) END AS entity
    FROM ranked
)
SELECT *, CASE WHEN count(*) OVER (PARTITION BY entity) = 1 OR known THEN entity ELSE entity || '-' || left(md5(top), 6) END AS final FROM named
"""
"""Ids: the catalogue's, else the slug of the label. Namesakes carry the slug of their expansion, but for the one that nearly all papers mean."""

_RESOLVED = """
INSERT INTO resolved SELECT f.paper, f.k, i.final FROM named f
JOIN units u ON u.name = f.name AND u.expansion = f.expansion AND u.catalogue = f.catalogue JOIN ids i ON i.top = u.top
"""

_ENTITIES = """
INSERT INTO entities SELECT final, label, type, also, expansion, known, list_filter(string_split(urls, ' '), lambda u: u <> ''), 0, 0
    FROM ids ORDER BY final
"""

_ALIASES = """
INSERT INTO aliases SELECT r.entity, s.surface, count(DISTINCT r.paper) FROM resolved r JOIN found_surfaces s USING (paper, k)
WHERE s.reason <> 'conjunct' GROUP BY ALL ORDER BY ALL
"""

_MERGES_WITHIN = """
INSERT INTO merges SELECT r.entity, f.name, s.surface, s.reason, min(r.paper) FROM resolved r JOIN named f USING (paper, k)
    JOIN found_surfaces s USING (paper, k)
WHERE s.surface <> f.name AND s.reason NOT IN ('conjunct', 'name') GROUP BY ALL ORDER BY ALL
"""

_MERGES_ACROSS = """
INSERT INTO merges SELECT DISTINCT i.final, i.label, u.name, CASE WHEN u.catalogue <> '' THEN 'a name in the catalogue' ELSE 'same letters' END, ''
FROM units u JOIN ids i USING (top) LEFT JOIN keys k ON k.text = i.label AND k.text IN (
    SELECT name FROM found UNION SELECT expansion FROM found UNION SELECT surface FROM found_surfaces)
WHERE u.name <> i.label AND (u.catalogue <> '' OR u.own = k.loose) ORDER BY ALL
"""

_MERGES_JOINED = """
INSERT INTO merges SELECT i.final, j.name_a, j.name_b, j.reason, '' FROM joined j
LEFT JOIN tops t ON t.sense = j.a JOIN ids i ON i.top = coalesce(t.top, j.a) WHERE j.name_a <> j.name_b ORDER BY ALL
"""

_REDIRECTS = """
INSERT INTO redirects
WITH old_names AS (
    SELECT a.entity, k.key, sum(a.papers) AS papers FROM old_aliases a JOIN keys k ON k.text = a.surface GROUP BY ALL
    UNION ALL SELECT e.entity, k.key, 1 FROM old_entities e JOIN keys k ON k.text = e.label
), gone AS (
    SELECT DISTINCT entity AS old FROM old_names WHERE entity NOT IN (SELECT entity FROM entities)
), now AS (
    SELECT a.entity, k.key, sum(a.papers) AS papers FROM aliases a JOIN keys k ON k.text = a.surface GROUP BY ALL
), heirs AS (
    SELECT o.entity AS old, n.entity AS new, sum(least(o.papers, n.papers)) AS weight FROM old_names o JOIN gone g ON g.old = o.entity
        JOIN now n USING (key) GROUP BY ALL
), fresh AS (
    SELECT old, arg_max(new, (weight, new)) AS new FROM heirs GROUP BY old
), kept AS (
    SELECT r.old, coalesce(f.new, r.new) AS new FROM old_redirects r LEFT JOIN fresh f ON f.old = r.new
)
SELECT old, new FROM (SELECT old, new FROM fresh UNION SELECT old, new FROM kept WHERE old NOT IN (SELECT old FROM fresh))
WHERE old NOT IN (SELECT entity FROM entities) AND new IN (SELECT entity FROM entities) ORDER BY ALL
"""

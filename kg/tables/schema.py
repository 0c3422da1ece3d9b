"""The tables of a build: names, columns and types. Everything downstream reads these and nothing else.

Three layers. *Read*: what the files hold. *Found*: what each paper says, extracted from its text alone, kept between builds. *Resolved*: what holds
across papers, made anew from the found layer by set operations. Offsets named `start` and `end` count code points in the paper's raw text (title,
line feed, abstract); `sentence` is the number of a row of `sentences`; `inner_start` and `inner_end` are offsets inside that sentence's clean text.
"""

FORMAT = 1
"""The version of this schema. A build of another version is refused with the command that renews it."""

READ: dict[str, str] = {
    "meta": "name VARCHAR PRIMARY KEY, value VARCHAR",
    "sources": "source VARCHAR, format VARCHAR, sha256 VARCHAR, options VARCHAR, bytes BIGINT, records BIGINT, unread BIGINT",
    "records": """file VARCHAR, source VARCHAR, record VARCHAR, position BIGINT, start BIGINT, id VARCHAR, keys VARCHAR[], title VARCHAR,
        abstract VARCHAR, authors VARCHAR[], year INTEGER, venue VARCHAR, doi VARCHAR, arxiv VARCHAR, openreview VARCHAR,
        acl VARCHAR, pmid VARCHAR, url VARCHAR, code VARCHAR[], keywords VARCHAR[], language VARCHAR, hash VARCHAR""",
    "unread": "file VARCHAR, source VARCHAR, record VARCHAR, reason VARCHAR, remedy VARCHAR, beginning VARCHAR",
    "papers": """paper VARCHAR, label VARCHAR, title VARCHAR, abstract VARCHAR, authors VARCHAR[], year INTEGER, venue VARCHAR, doi VARCHAR,
        arxiv VARCHAR, openreview VARCHAR, acl VARCHAR, pmid VARCHAR, url VARCHAR, code VARCHAR[], keywords VARCHAR[], language VARCHAR,
        text_hash VARCHAR, fingerprint VARCHAR""",
    "places": "paper VARCHAR, source VARCHAR, record VARCHAR, start BIGINT",
}

FOUND: dict[str, str] = {
    "extracted": "paper VARCHAR, text_hash VARCHAR, extractor VARCHAR",
    "sentences": 'paper VARCHAR, sentence INTEGER, start INTEGER, "end" INTEGER, text VARCHAR',
    "found": """paper VARCHAR, k INTEGER, name VARCHAR, type VARCHAR, also VARCHAR, role VARCHAR, confidence DOUBLE, extractor VARCHAR,
        expansion VARCHAR, catalogue VARCHAR""",
    "found_surfaces": "paper VARCHAR, k INTEGER, surface VARCHAR, reason VARCHAR",
    "mentions": """paper VARCHAR, k INTEGER, start INTEGER, "end" INTEGER, surface VARCHAR, type VARCHAR, extractor VARCHAR, score DOUBLE,
        sentence INTEGER, inner_start INTEGER, inner_end INTEGER""",
    "found_relations": "paper VARCHAR, head INTEGER, relation VARCHAR, tail INTEGER, sentence INTEGER, confidence DOUBLE, extractor VARCHAR",
    "found_results": """paper VARCHAR, n INTEGER, value VARCHAR, kind VARCHAR, low DOUBLE, high DOUBLE, before DOUBLE, unit VARCHAR,
        higher_is_better BOOLEAN, subject INTEGER, metric INTEGER, dataset INTEGER, comparator INTEGER, subject_text VARCHAR, metric_text VARCHAR,
        dataset_text VARCHAR, comparator_text VARCHAR, sentence INTEGER, start INTEGER, "end" INTEGER, confidence DOUBLE, extractor VARCHAR""",
}

RESOLVED: dict[str, str] = {
    "resolved": "paper VARCHAR, k INTEGER, entity VARCHAR",
    "entities": """entity VARCHAR, label VARCHAR, type VARCHAR, also VARCHAR, expansion VARCHAR, catalogue BOOLEAN, urls VARCHAR[], papers INTEGER,
        mentions INTEGER""",
    "aliases": "entity VARCHAR, surface VARCHAR, papers INTEGER",
    "families": "entity VARCHAR, parent VARCHAR, reason VARCHAR",
    "merges": "entity VARCHAR, surface_a VARCHAR, surface_b VARCHAR, reason VARCHAR, paper VARCHAR",
    "redirects": "old VARCHAR, new VARCHAR",
    "links": """paper VARCHAR, entity VARCHAR, role VARCHAR, confidence DOUBLE, extractor VARCHAR, mentions INTEGER, sentence INTEGER, start INTEGER,
        "end" INTEGER, inner_start INTEGER, inner_end INTEGER""",
    "relations": "paper VARCHAR, head VARCHAR, relation VARCHAR, tail VARCHAR, confidence DOUBLE, extractor VARCHAR, sentence INTEGER",
    "results": """paper VARCHAR, n INTEGER, value VARCHAR, kind VARCHAR, low DOUBLE, high DOUBLE, before DOUBLE, unit VARCHAR,
        higher_is_better BOOLEAN, subject VARCHAR, metric VARCHAR, dataset VARCHAR, comparator VARCHAR, subject_text VARCHAR, metric_text VARCHAR,
        dataset_text VARCHAR, comparator_text VARCHAR, sentence INTEGER, start INTEGER, "end" INTEGER, confidence DOUBLE, extractor VARCHAR""",
    "cooccurrences": "a VARCHAR, b VARCHAR, papers INTEGER",
}

STATE: dict[str, str] = {
    "changed": "paper VARCHAR",
    "kin": "name UBIGINT, key UBIGINT",
}
"""What lets a small change be resolved alone: papers whose found rows changed since the last resolution, and the keys by which a name can meet
others, both as hashes (`kg.resolve.kin`)."""

TABLES: dict[str, str] = READ | FOUND | RESOLVED | STATE


def columns(table: str) -> tuple[str, ...]:
    """The column names of a table, in order.

    >>> columns("extracted")
    ('paper', 'text_hash', 'extractor')
    """
    return tuple(part.split()[0].strip('"') for part in TABLES[table].split(","))

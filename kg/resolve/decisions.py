"""What the user decided: a small file of lines, read with checks and applied on every build.

Tab-separated, with a header: decision, a, b, value, paper, note. `a` and `b` are names or ids of entities, as `kg show` prints them.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import OntologyError
from kg.model import EntityType, RelationKind, Role
from kg.resolve.keys import fill_keys, loose_key, register
from kg.resolve.senses import Edge
from kg.surface import key

if TYPE_CHECKING:
    import duckdb

VERDICTS: dict[str, tuple[tuple[str, ...], type[EntityType] | type[Role] | type[RelationKind] | None, str]] = {
    "same": (("a", "b"), None, "A and B are one entity"),
    "different": (("a", "b"), None, "A and B are two entities"),
    "type": (("a", "value"), EntityType, "A is of this type"),
    "wrong-type": (("a", "value"), EntityType, "A is not of this type"),
    "link": (("a", "value", "paper"), Role, "the paper mentions A, in this role"),
    "wrong-link": (("a",), None, "the paper (all papers, when none is given) does not mention A"),
    "role": (("a", "value", "paper"), Role, "A has this role in the paper"),
    "wrong-role": (("a", "value", "paper"), Role, "A does not have this role in the paper"),
    "relation": (("a", "value", "b", "paper"), RelationKind, "the paper says that A stands in this relation to B"),
    "wrong-relation": (("a", "value", "b"), RelationKind, "A does not stand in this relation to B, in the paper or in any"),
}
"""What each decision needs, the values that it takes, and what it says."""

PARTED = 100_000
"""Found rows that a decision adds have numbers from here on; they are taken back before each resolution."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of decisions.tsv; what a decision does not need is ""."""

    verdict: str
    a: str
    b: str = ""
    value: str = ""
    paper: str = ""
    note: str = ""

    @property
    def line(self) -> str:
        """The line of the file, as the user would write it.

        >>> Decision("different", "PGM", "probabilistic graphical model").line
        'different\\tPGM\\tprobabilistic graphical model\\t\\t\\t'
        """
        return "\t".join(" ".join(getattr(self, f.name).split()) for f in fields(self))


FILE = "decisions.tsv"
HEADER = "\t".join(["decision", *[f.name for f in fields(Decision)][1:]])


def check(decision: Decision, where: str = "decisions") -> Decision:
    """The decision itself, when it has all it needs; else OntologyError with what is missing.

    >>> check(Decision("type", "GSM8K", value="dataset")).value
    'Dataset'
    """
    if decision.verdict not in VERDICTS:
        raise OntologyError(f"{where}: {decision.verdict!r} is no decision", hint="one of " + ", ".join(VERDICTS))
    needs, values, _ = VERDICTS[decision.verdict]
    for name in needs:
        if not getattr(decision, name):
            raise OntologyError(f"{where}: {decision.verdict!r} needs {' and '.join(needs)}; {name} is missing")
    if decision.verdict in ("same", "different") and decision.a == decision.b:
        raise OntologyError(f"{where}: {decision.verdict} needs two names, not {decision.a!r} twice")
    if values is None:
        return decision
    member = next((v.value for v in values if v.value.lower() == decision.value.lower()), None)
    if member is None:
        raise OntologyError(f"{where}: {decision.value!r} is no value of {decision.verdict!r}", hint="one of " + ", ".join(v.value for v in values))
    return Decision(decision.verdict, decision.a, decision.b, member, decision.paper, decision.note)


def load(path: Path | str | None) -> tuple[Decision, ...]:
    """The decisions of a file, in its order; none when there is no file. Raises OntologyError for a line that does not hold together.

    Two lines that contradict each other (same and different, a role that is and is not) are refused, so that their order never matters.
    """
    if path is None or not Path(path).is_file():
        return ()
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise OntologyError(f"{path}: cannot be read ({error})", hint="a tab-separated file in UTF-8") from error
    names = HEADER.split("\t")
    found: list[Decision] = []
    for number, cells in enumerate(csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE), 1):
        if not any(cell.strip() for cell in cells) or cells[0].startswith("#") or [c.strip() for c in cells] == names:
            continue
        if len(cells) > len(names):
            raise OntologyError(f"{path}:{number}: {len(cells)} cells, at most {len(names)}", hint="the columns are " + ", ".join(names))
        found.append(check(Decision(*(cell.strip() for cell in cells)), f"{path}:{number}"))
    _refuse_contradictions(found, str(path))
    return tuple(dict.fromkeys(found))


_OPPOSITE = {"same": "different", "type": "wrong-type", "link": "wrong-link", "role": "wrong-role", "relation": "wrong-relation"}


def _refuse_contradictions(found: Iterable[Decision], where: str) -> None:
    said = {_gist(d) for d in found}
    for verdict, *rest in sorted(said):
        if verdict in _OPPOSITE and (_OPPOSITE[verdict], *rest) in said:
            raise OntologyError(f"{where}: both {verdict!r} and {_OPPOSITE[verdict]!r} for {' and '.join(x for x in rest if x)}", hint="take one out")


def _gist(decision: Decision) -> tuple[str, ...]:
    pair = sorted((decision.a, decision.b)) if decision.verdict in ("same", "different") else [decision.a, decision.b]
    value = "" if decision.verdict in ("link", "wrong-link") else decision.value
    return (decision.verdict, *pair, value, decision.paper)


def find(paths: Sequence[str | Path]) -> Path | None:
    """The decisions.tsv in the first folder given or beside the first file, else in the working folder; None when there is none."""
    places = [Path(path) if Path(path).is_dir() else Path(path).parent for path in paths if str(path) != "-"]
    return next((place / FILE for place in [*places[:1], Path()] if (place / FILE).is_file()), None)


def append(path: Path | str, decision: Decision) -> bool:
    """Add a decision to a file, which is made when missing; returns whether it was new. Raises OntologyError when it contradicts the file."""
    decision = check(decision)
    held = load(path)
    if decision in held:
        return False
    _refuse_contradictions([*held, decision], str(path))
    file = Path(path)
    before = file.read_text(encoding="utf-8-sig") if file.is_file() else HEADER + "\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(before + ("" if before.endswith("\n") or not before else "\n") + decision.line + "\n", encoding="utf-8", newline="\n")
    return True


def store(connection: "duckdb.DuckDBPyConnection", decisions: Sequence[Decision]) -> None:
    """Make the temporary table `decided(n, verdict, a, b, value, paper)` with the keys of a and b."""
    names = [f.name for f in fields(Decision)][:-1]
    ordered = sorted(decisions, key=lambda d: (d.verdict, d.a, d.b, d.value, d.paper))
    columns = {"n": [str(n) for n in range(len(ordered))]} | {name: [getattr(d, name) for d in ordered] for name in names}
    keys: dict[str, Callable[[str], str]] = {"key_a": key, "key_b": key, "loose_a": loose_key, "loose_b": loose_key}
    register(connection, "decided", columns | {column: [make(d.a if column[-1] == "a" else d.b) for d in ordered] for column, make in keys.items()})


_TAKE_BACK = (
    f"DELETE FROM found WHERE k >= {PARTED}",
    f"DELETE FROM found_surfaces WHERE k >= 2 * {PARTED}",
    f"DELETE FROM mentions WHERE k >= 2 * {PARTED}",
    f"UPDATE found_surfaces SET k = k % {PARTED} WHERE k >= {PARTED}",
    f"UPDATE mentions SET k = k % {PARTED} WHERE k >= {PARTED}",
)

_FITS = "({0} = d.{1} OR (d.key_a <> d.key_b AND (SELECT key FROM keys WHERE text = {0}) = d.key_{1}))"

_PART = (
    f"""CREATE OR REPLACE TEMP TABLE split AS WITH paired AS (
        SELECT s.paper, s.k, d.n FROM found_surfaces s JOIN decided d ON d.verdict = 'different'
        GROUP BY ALL HAVING bool_or({_FITS.format("s.surface", "a")}) AND bool_or({_FITS.format("s.surface", "b")})
    ), first AS (
        SELECT paper, k, min(n::INTEGER)::VARCHAR AS n FROM paired GROUP BY paper, k
    ) SELECT f.paper, f.k, d.a, d.b, d.key_a, d.key_b FROM first f JOIN decided d USING (n)""",
    f"""INSERT INTO found SELECT f.paper, f.k + {PARTED}, d.b, f.type, f.also, f.role, f.confidence, f.extractor, '', ''
    FROM found f JOIN split d USING (paper, k) ORDER BY ALL""",
    f"""CREATE OR REPLACE TEMP TABLE parted AS
    SELECT f.paper, f.k, CASE WHEN {_FITS.format("f.name", "b")} THEN d.a ELSE f.name END AS name,
        CASE WHEN {_FITS.format("f.expansion", "a")} OR {_FITS.format("f.expansion", "b")} THEN '' ELSE f.expansion END AS expansion,
        CASE WHEN {_FITS.format("f.name", "b")} THEN '' ELSE f.catalogue END AS catalogue
    FROM found f JOIN split d USING (paper, k)""",
    f"""UPDATE found_surfaces SET k = found_surfaces.k + {PARTED} FROM split d
    WHERE found_surfaces.paper = d.paper AND found_surfaces.k = d.k AND {_FITS.format("found_surfaces.surface", "b")}""",
    f"""UPDATE mentions SET k = mentions.k + {PARTED} FROM split d
    WHERE mentions.paper = d.paper AND mentions.k = d.k AND {_FITS.format("mentions.surface", "b")}""",
)

_LINKS = (
    f"""CREATE OR REPLACE TEMP TABLE added AS
    SELECT d.paper, 2 * {PARTED} + d.n::INTEGER AS k, d.a AS name, d.value AS role, s.sentence, s.start, s."end", length(s.text) AS length
    FROM decided d JOIN sentences s ON s.paper = d.paper WHERE d.verdict = 'link'
    QUALIFY row_number() OVER (PARTITION BY d.n ORDER BY NOT contains(lower(s.text), lower(d.a)), s.sentence) = 1""",
    """INSERT INTO found SELECT paper, k, name, coalesce((SELECT arg_max(f.type, (f.confidence, f.type)) FROM found f WHERE f.name = a.name),
    'Method'), '', role, 1, 'decision', '', coalesce((SELECT max(f.catalogue) FROM found f WHERE f.name = a.name), '') FROM added a ORDER BY ALL""",
    "INSERT INTO found_surfaces SELECT paper, k, name, 'decision' FROM added ORDER BY ALL",
    """INSERT INTO mentions SELECT paper, k, start, "end", name, '', 'decision', 1, sentence, 0, length FROM added ORDER BY ALL""",
)


def part_found(connection: "duckdb.DuckDBPyConnection") -> None:
    """Part the rows in which one paper joined two names that are different, and add the links that the user says are so.

    Both are taken back first, so that a decision which is gone leaves nothing behind. Makes the view `named` of what the rows are now called.
    """
    for statement in _TAKE_BACK:
        connection.execute(statement)
    connection.execute("CREATE OR REPLACE TEMP TABLE parted (paper VARCHAR, k INTEGER, name VARCHAR, expansion VARCHAR, catalogue VARCHAR)")
    if connection.execute("SELECT 1 FROM decided WHERE verdict IN ('different', 'link') LIMIT 1").fetchall():
        for statement in (*_PART, *_LINKS):
            connection.execute(statement)
        fill_keys(connection)
    connection.execute(
        """CREATE OR REPLACE TEMP VIEW named AS SELECT f.paper, f.k, coalesce(p.name, f.name) AS name, f.type, f.confidence,
        coalesce(p.expansion, f.expansion) AS expansion, coalesce(p.catalogue, f.catalogue) AS catalogue FROM found f
            LEFT JOIN parted p USING (paper, k)"""
    )


_MEANT = """
CREATE OR REPLACE TEMP TABLE meant AS
WITH sides AS (
    SELECT n, verdict, 'a' AS side, a AS said, loose_a AS mine, loose_b AS other FROM decided
    UNION ALL SELECT n, verdict, 'b', b, loose_b, loose_a FROM decided
)
SELECT s.n::INTEGER AS n, s.verdict, s.side, s.said, u.sense, sum(u.papers) AS papers FROM sides s JOIN units u
ON u.name = s.said OR u.sense = 'c:' || s.said OR (s.mine <> s.other AND (s.mine IN (u.own, u.long) OR s.mine = u.own || u.long))
WHERE s.verdict IN ('same', 'different') AND s.said <> '' GROUP BY ALL
"""
"""The senses that each side of a decision means."""


def part_units(connection: "duckdb.DuckDBPyConnection") -> None:
    """Give the second name of each pair that is different a sense of its own where both would have the same."""
    connection.execute(_MEANT)
    if not connection.execute("SELECT 1 FROM meant LIMIT 1").fetchall():
        return
    connection.execute(
        """UPDATE units SET sense = units.own || '|' || m.said FROM (
            SELECT b.said, b.sense, d.loose_b AS mine FROM meant b JOIN decided d ON d.n::INTEGER = b.n JOIN meant a ON a.n = b.n
                AND a.side = 'a' AND b.side = 'b' AND a.sense = b.sense WHERE b.verdict = 'different'
        ) m WHERE units.sense = m.sense AND (units.name = m.said OR (units.own = m.mine AND units.sense LIKE 'c:%'))"""
    )
    connection.execute(_MEANT)


def apart(connection: "duckdb.DuckDBPyConnection") -> list[tuple[frozenset[str], frozenset[str]]]:
    """For each pair that is different, the senses of the one and of the other."""
    sides: dict[int, tuple[set[str], set[str]]] = {}
    for n, side, sense in connection.execute("SELECT n, side, sense FROM meant WHERE verdict = 'different' ORDER BY ALL").fetchall():
        sides.setdefault(n, (set(), set()))[side == "b"].add(sense)
    return [(frozenset(a - b), frozenset(b - a)) for a, b in sides.values()]


def same(connection: "duckdb.DuckDBPyConnection") -> list[Edge]:
    """For each pair that is the same, the edge between the senses that most papers mean by the two names."""
    return connection.execute(
        """WITH chosen AS (SELECT n, side, arg_max(said, (papers, sense)) AS said, arg_max(sense, (papers, sense)) AS sense FROM meant
            WHERE verdict = 'same'
        GROUP BY ALL) SELECT a.sense, b.sense, a.said, b.said, 'decided by the user' FROM chosen a JOIN chosen b ON a.n = b.n AND a.side = 'a'
            AND b.side = 'b'
        ORDER BY ALL"""
    ).fetchall()

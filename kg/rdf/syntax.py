"""How Turtle and N-Triples write terms and blocks of statements, as SQL expressions that the database evaluates.

The database builds the text of the file: a million statements are concatenated by its vector engine and not, one by one, by Python.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kg.rdf.terms import sql_literal, sql_text

XSD = "http://www.w3.org/2001/XMLSchema#"


@dataclass(frozen=True)
class Part:
    """A predicate, as a prefixed name, and the SQL of its object: a term, a list of terms with `many`, or NULL for none."""

    predicate: str
    object: str
    many: bool = False


@dataclass(frozen=True)
class Kind:
    """One kind of subject: `rows` is the SQL after FROM, `key` the columns it is ordered by, `subject` and the parts SQL over its columns."""

    rows: str
    key: str
    subject: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Syntax:
    """A syntax: `prefixed` for Turtle and TriG, else N-Triples and N-Quads; `prefixes` maps names to namespaces, those of the build among them."""

    prefixes: Mapping[str, str]
    prefixed: bool
    spaces: Mapping[str, str] = field(default_factory=lambda: {"": "g", "entity": "e", "paper": "p", "source": "s", "author": "a"})

    def curie(self, name: str) -> str:
        """A fixed term given as a prefixed name.

        >>> Syntax({"kg": "http://k#"}, prefixed=False).curie("kg:Paper")
        '<http://k#Paper>'
        """
        prefix, _, rest = name.partition(":")
        return name if self.prefixed else f"<{self.prefixes[prefix]}{rest}>"

    def named(self, prefix: str, local: str) -> str:
        """The SQL of a term of a vocabulary from the SQL of its local part, which must need no escapes."""
        return f"('{prefix}:' || {local})" if self.prefixed else f"('<{self.prefixes[prefix]}' || {local} || '>')"

    def constant(self, name: str) -> str:
        """A fixed term as an SQL constant."""
        return sql_text(self.curie(name))

    def node(self, space: str, local: str, fragment: str = "") -> str:
        """The SQL of an IRI of the build from the SQL of its local part and, when there is one, of its fragment."""
        prefix = self.spaces[space]
        start = f"{prefix}:" if self.prefixed else f"<{self.prefixes[prefix]}"
        inner = f"{local} || '{self.hash}' || {fragment}" if fragment else local
        return f"({sql_text(start)} || {inner})" if self.prefixed else f"({sql_text(start)} || {inner} || '>')"

    @property
    def hash(self) -> str:
        """The sign before a fragment; a prefixed name escapes it."""
        return "\\#" if self.prefixed else "#"

    def typed(self, text: str, datatype: str) -> str:
        """The SQL of a typed literal from the SQL of its lexical form, which must need no escapes."""
        mark = f"xsd:{datatype}" if self.prefixed else f"<{XSD}{datatype}>"
        return f"('\"' || {text} || '\"^^{mark}')"

    def text(self, expression: str) -> str:
        """The SQL of a plain literal."""
        return sql_literal(expression)

    def filled(self, expression: str) -> str:
        """The SQL of a plain literal, NULL for an empty text."""
        return f"CASE WHEN {expression} <> '' THEN {sql_literal(expression)} END"

    def integer(self, expression: str) -> str:
        """The SQL of an xsd:integer."""
        text = f"CAST({expression} AS VARCHAR)"
        return text if self.prefixed else self.typed(text, "integer")

    def boolean(self, expression: str) -> str:
        """The SQL of an xsd:boolean."""
        text = f"CAST({expression} AS VARCHAR)"
        return text if self.prefixed else self.typed(text, "boolean")

    def number(self, expression: str) -> str:
        """The SQL of a number: a decimal wherever its shortest form is one, else a double; NULL when it is no number."""
        text = f"CAST({expression} AS VARCHAR)"
        decimal = text if self.prefixed else self.typed(text, "decimal")
        return (
            f"CASE WHEN regexp_full_match({text}, '-?[0-9]+\\.[0-9]+') THEN {decimal} "
            f"WHEN isfinite({expression}) THEN {self.typed(text, 'double')} END"
        )

    def quoted_triple(self, subject: str, predicate: str, object_: str) -> str:
        """The SQL of a triple term of RDF 1.2."""
        return f"('<<( ' || {subject} || ' ' || {predicate} || ' ' || {object_} || ' )>>')"

    def block(self, kind: Kind, graph: str = "") -> str:
        """The SQL of all statements about one subject, without the last line feed; `graph` is the SQL of a graph's name, for N-Quads."""
        if self.prefixed:
            return self._turtle(kind)
        close = f"(' ' || {graph} || ' .')" if graph else "' .'"
        lines = []
        for part in kind.parts:
            verb = f"' {self._verb(part.predicate)} '"
            if part.many:
                lines.append(f"array_to_string(nullif(list_transform({part.object}, lambda o: concat(s, {verb}, o, {close})), []), chr(10))")
            else:
                lines.append(f"CASE WHEN ({part.object}) IS NOT NULL THEN concat(s, {verb}, {part.object}, {close}) END")
        return f"concat_ws(chr(10), {', '.join(lines)})"

    def _turtle(self, kind: Kind) -> str:
        values = []
        for part in kind.parts:
            value = f"array_to_string(nullif({part.object}, []), ' , ')" if part.many else f"({part.object})"
            values.append(f"'{self._verb(part.predicate)} ' || {value}")
        return f"s || chr(10) || '  ' || concat_ws(' ;' || chr(10) || '  ', {', '.join(values)}) || ' .' || chr(10)"

    def _verb(self, predicate: str) -> str:
        return "a" if self.prefixed and predicate == "rdf:type" else self.curie(predicate)

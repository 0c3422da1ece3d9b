"""The exceptions that kg raises on purpose, and the exit status of each."""


class KgError(Exception):
    """Something the user can mend. `hint` says what to try next.

    >>> str(KgError("no build in exports", hint="run: kg build seeds -o exports"))
    'no build in exports\\n  try: run: kg build seeds -o exports'
    """

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  try: {self.hint}" if self.hint else self.message


class InputError(KgError):
    """A file or record that cannot be read (raised only with --strict; otherwise an Unread value)."""


class BuildError(KgError):
    """A build folder that is missing, locked, of an older format or damaged."""


class OntologyError(KgError):
    """A file of ontology/ or of the user's catalogue or decisions that does not hold together."""


class QueryError(KgError):
    """A query that does not parse, runs too long or asks for what is not allowed."""


class UnknownNameError(KgError):
    """A name that the build does not hold; the hint carries the nearest ones."""

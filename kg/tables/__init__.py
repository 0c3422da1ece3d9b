"""The build: tables in an embedded database, from which everything downstream is made."""

from kg.tables.rows import card_rows, text_hash
from kg.tables.schema import FORMAT, TABLES, columns
from kg.tables.store import database, insert, meta, open_build, set_meta, transaction

__all__ = ["FORMAT", "TABLES", "card_rows", "columns", "database", "insert", "meta", "open_build", "set_meta", "text_hash", "transaction"]

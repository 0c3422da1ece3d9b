"""Every bound that reading keeps, in one place. Bytes unless said otherwise."""

HEAD = 1 << 18
"""How much of a file is looked at to recognise its format."""
CHUNK = 1 << 18
"""How much is read at a time."""
LINE = 32 << 20
"""The longest line; S2ORC lines with full text stay under 8 MiB."""
RECORD = 32 << 20
"""The largest single record of a format that is not read line by line."""
DOCUMENT = 16 << 20
"""The largest Markdown or HTML document: these are held in memory whole, in many times their size."""
NESTING = 200
"""The deepest nesting of JSON brackets or XML elements inside one record (levels)."""
EXPANSION = 400
"""How many times larger than its packed form a file may get, once it is past EXPANSION_FREE. Text packs 3 to 100 times."""
EXPANSION_FREE = 64 << 20
WINDOW = 256 << 20
"""The memory that unpacking a file may ask for; xz -9 needs 65 MiB."""
MEMBERS = 100_000
"""Members of one archive (count)."""
ARCHIVES = 3
"""Archives and compressions inside each other (levels)."""
SPOOL = 8 << 30
"""The largest archive or Parquet file that is copied to a temporary file because it cannot be read in place."""
PDF = 256 << 20
"""The largest PDF."""
PAGES = 400
"""Pages of one PDF that --full-text reads (count)."""
CELL = 8 << 20
"""The largest cell of a table."""
ABSTRACT = 100_000
"""The longest abstract (characters); with --full-text FULL_TEXT. A longer one is no abstract, and mining it would take minutes."""
FULL_TEXT = 2_000_000
"""The longest full text (characters)."""
TITLE = 2_000
"""The longest title (characters); a longer one is taken as text."""
KEY = 300
"""The longest record id that is kept as it is (characters)."""

"""Languages: words by the words they translate, plural forms, numbers. Knows nothing of games or of paper."""

from duckpress.core.language import program
from duckpress.core.language.speech import (
    CATEGORIES,
    OTHER,
    PROGRAM,
    Forms,
    RecordingSpeech,
    Speech,
    categories,
    category,
    phrase_key,
    write_number,
)

__all__ = [
    "CATEGORIES",
    "OTHER",
    "PROGRAM",
    "Forms",
    "RecordingSpeech",
    "Speech",
    "categories",
    "category",
    "phrase_key",
    "program",
    "write_number",
]

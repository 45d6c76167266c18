"""What a version of a game was, written down so that another can be compared with it.

`lock_of` gives a lock (ids, field values, hashes of faces, copies, setup tables, rules), `lock_bytes` and `read_lock`
write and read the file that is kept under version control. `compare` gives what changed between two locks, `in_words`
says it, and `swap_of` is what a tester takes out of a deck and puts in, so that it becomes the new version.
"""

from duckpress.releases.changes import (
    CardChange,
    Changes,
    FieldChange,
    Swap,
    SwapLine,
    apply_swap,
    compare,
    fields_since,
    swap_of,
)
from duckpress.releases.changes_report import as_data, field_words, in_words
from duckpress.releases.lock import Lock, LockedCard, SeenFace, changed_in, give_codes, lock_of, recognised
from duckpress.releases.release_files import LockRead, lock_bytes, lock_from_manifest, read_lock

__all__ = [
    "CardChange",
    "Changes",
    "FieldChange",
    "Lock",
    "LockRead",
    "LockedCard",
    "SeenFace",
    "Swap",
    "SwapLine",
    "apply_swap",
    "as_data",
    "changed_in",
    "compare",
    "field_words",
    "fields_since",
    "give_codes",
    "in_words",
    "lock_bytes",
    "lock_from_manifest",
    "lock_of",
    "read_lock",
    "recognised",
    "swap_of",
]

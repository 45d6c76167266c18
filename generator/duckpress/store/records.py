"""What a run that holds a folder is doing: noted in the held file, for whoever finds it there after the run is dead.

The note lies in a folder that may have come from a stranger: it is only believed where it can be one of ours, and no
name in it leads out of the folder that it is about.
"""

from __future__ import annotations

import json
import os
from typing import Any

from duckpress.store.output_places import is_plain_name

STAGING, SWAPPING, RENAMING = "staging", "swapping", "renaming"
_MOST_BYTES = 8_000_000


def read_record(handle: int) -> dict[str, Any]:
    """Give what a run noted; where that cannot have been one, as if it had only begun."""
    nothing = {"state": STAGING}
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        data = b""
        while len(data) <= _MOST_BYTES and (more := os.read(handle, 1_000_000)):
            data += more
        record = json.loads(data)
        if record["state"] == STAGING:
            return nothing
        lists = [record["names"], record["gone"], record["fresh"] if record["state"] == RENAMING else []]
        names = [name for every in lists for name in every]
        part = record.get("part", "")
        is_ours = all(isinstance(name, str) and is_plain_name(name) for name in (*names, part or "x"))
        return record if is_ours and record["state"] in (SWAPPING, RENAMING) else nothing
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return nothing

"""Finished files -> `output/<game>/`, whole or not at all, with a manifest of what they are.

`publish` is the way through: it merges with what an earlier build left (`keeping`) and writes everything in one step
(`writing`). `file_name` gives the names.

What happens to files of earlier builds. The manifest describes one version of a game. A build of one piece, one paper,
one ink or one language keeps the other files listed in the manifest as long as they still hold: same version, a piece
the game still has, the bytes that were written, and (for other papers of a piece built now) the same cards. What no
longer holds is removed in the same step, so that no stale file lies beside a fresh one. A file that the manifest does
not list, or that someone changed since, is never removed.

What stands here is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duckpress.core.lazy_exports import from_modules

if TYPE_CHECKING:
    from duckpress.store.file_names import ALL_PIECES, COVER, GANG, file_name
    from duckpress.store.holding import Busy
    from duckpress.store.manifest import (
        CardFacts,
        Edition,
        FileFacts,
        read_manifest,
        source_date,
    )
    from duckpress.store.merging import Output, publish, publish_into
    from duckpress.store.output_places import OUTPUT, outputs_of, sources_of
    from duckpress.store.output_reader import is_as_written, read_whole
    from duckpress.store.scratch import scratch_folder
    from duckpress.store.single_file import write_file
    from duckpress.store.writing import Outputs, clear_up, held_outputs, write_outputs

__all__ = [
    "ALL_PIECES",
    "COVER",
    "GANG",
    "OUTPUT",
    "Busy",
    "CardFacts",
    "Edition",
    "FileFacts",
    "Output",
    "Outputs",
    "clear_up",
    "file_name",
    "held_outputs",
    "is_as_written",
    "outputs_of",
    "publish",
    "publish_into",
    "read_manifest",
    "read_whole",
    "scratch_folder",
    "source_date",
    "sources_of",
    "write_file",
    "write_outputs",
]

if not TYPE_CHECKING:  # to the type checker every name is there, and no other
    __getattr__ = from_modules(
        __name__,
        {
            "holding": ("Busy",),
            "manifest": (
                "CardFacts",
                "Edition",
                "FileFacts",
                "read_manifest",
                "source_date",
            ),
            "file_names": ("ALL_PIECES", "COVER", "GANG", "file_name"),
            "single_file": ("write_file",),
            "output_places": (
                "OUTPUT",
                "outputs_of",
                "sources_of",
            ),
            "merging": (
                "Output",
                "publish",
                "publish_into",
            ),
            "output_reader": (
                "is_as_written",
                "read_whole",
            ),
            "scratch": ("scratch_folder",),
            "writing": (
                "Outputs",
                "clear_up",
                "held_outputs",
                "write_outputs",
            ),
        },
    )

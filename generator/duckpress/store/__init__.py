"""Finished files -> `output/<game>/`, all or nothing, with a manifest; caches, and single files.

`write_merged` is the way through: it merges a build with what earlier builds left and hands all of it to the
`OutputFolder`, which `locked_outputs` locks against other runs and writes in one step. `file_name` gives the names.

What happens to files of earlier builds. The manifest describes one version of a game. A build of one piece, one paper,
one ink or one language keeps the other files listed in the manifest as long as they still hold: same version, a piece
the game still has, the bytes that were written, and (for other papers of a piece built now) the same cards. What no
longer holds is removed in the same step, so that no stale file lies beside a fresh one. A file that the manifest does
not list, or that someone changed since, is never removed.
"""

from duckpress.store.file_writing import scratch_folder, write_file
from duckpress.store.manifest import (
    ALL_PIECES,
    COVER,
    GANG,
    CardFacts,
    Edition,
    FileFacts,
    Output,
    file_name,
    source_date,
    write_merged,
)
from duckpress.store.output_folder import OutputFolder, clear_up, locked_outputs, write_outputs
from duckpress.store.output_places import OUTPUT, is_as_written, read_whole, sources_of

"""The fonts of a program that goes on: what was loaded is kept, as long as all files of fonts say what they said."""

from __future__ import annotations

import json

from duckpress.files.recording import RecordingWorkspace, is_unchanged
from duckpress.files.workspace import Workspace
from duckpress.fonts.library import FontLibrary


class KeptFonts:
    """The fonts that were loaded last; `is_in_doubt` where more was loaded before than a new program would load."""

    def __init__(self) -> None:
        self._library: FontLibrary | None = None
        self._recording: RecordingWorkspace | None = None
        self._is_kept = False

    @property
    def is_in_doubt(self) -> bool:
        """Whether something is wrong with fonts that may be so for the sake of fonts that nobody asks for any more."""
        return self._is_kept and self._library is not None and bool(self._library.problems)

    def forget(self) -> None:
        """Load everything again the next time."""
        self._library = None

    def library(self, workspace: Workspace) -> FontLibrary:
        """Return the fonts of a workspace."""
        library, answers = self._library, {}
        self._is_kept = False
        if library is not None and self._recording is not None and not library.problems:
            for question, answer in self._recording.answers.items():
                if json.loads(question)[1].partition("/")[0] == "fonts":
                    answers[question] = answer
            self._is_kept = is_unchanged(workspace, answers)
        if library is None or not self._is_kept:
            library = FontLibrary(workspace)
        else:
            library = library.reading_through(workspace)
            workspace.add(answers)
        self._library = library
        self._recording = workspace if isinstance(workspace, RecordingWorkspace) else None
        return library

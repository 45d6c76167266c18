"""A workspace that notes all it is asked: what a build was made of, so that it can be asked again later."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from duckpress.files.workspace import Refused, Workspace

_TORN = "changed meanwhile"  # answered in two ways within one build: it can never be found to stand

Seen = dict[str, str]
"""A question, as JSON (`["read", path, limited by]`), and the hash of its answer."""


class Witness(Workspace):
    """The door to the files of a workspace; `seen` holds every question that came through it, with its answer."""

    def __init__(self, behind: Workspace) -> None:
        self.root = behind.root
        self._roots = behind._roots
        self._content_roots = behind._content_roots
        self.seen: Seen = {}
        self._news: list[str] = []  # the questions in the order in which their answers came, or turned out to be torn

    def read(self, path: str, limited_by: str = "text-file") -> bytes:
        """Give a file's bytes."""
        try:
            data = super().read(path, limited_by)
        except Refused as refused:
            self._note(f"{refused.code} {refused.what}", "read", path, limited_by)
            raise
        self._note(data, "read", path, limited_by)
        return data

    def read_all(self, path: str, limited_by: str = "text-file") -> list[bytes]:
        """Give the bytes of every file of that path."""
        try:
            found = super().read_all(path, limited_by)
        except Refused as refused:
            self._note(f"{refused.code} {refused.what}", "read_all", path, limited_by)
            raise
        self._note(" ".join(hashlib.sha256(data).hexdigest() for data in found), "read_all", path, limited_by)
        return found

    def has(self, path: str) -> bool:
        """Tell whether there is a file of that path."""
        found = super().has(path)
        self._note(str(found), "has", path)
        return found

    def files(self, folder: str, *suffixes: str) -> list[str]:
        """Give the paths of the files in a folder."""
        found = super().files(folder, *suffixes)
        self._note("\n".join(found), "files", folder, *suffixes)
        return found

    def folders(self, folder: str) -> list[str]:
        """Give the paths of the folders in a folder."""
        found = super().folders(folder)
        self._note("\n".join(found), "folders", folder)
        return found

    def _note(self, answer: str | bytes, *question: str | int) -> None:
        data = answer if isinstance(answer, bytes) else answer.encode("utf-8", "surrogateescape")
        asked, found = json.dumps(question), hashlib.sha256(data).hexdigest()
        self._remember(asked, found)

    @property
    def answers_given(self) -> int:
        """How many answers are remembered."""
        return len(self._news)

    def answers_since(self, count: int) -> list[tuple[str, str]]:
        """Give the questions answered since there were so many answers, with the hashes of the answers."""
        return [(asked, self.seen[asked]) for asked in self._news[count:]]

    def take_answers(self, answers: Iterable[tuple[str, str]]) -> None:
        """Remember what another process asked and was answered."""
        for asked, found in answers:
            self._remember(str(asked), str(found))

    def _remember(self, asked: str, found: str) -> None:
        known = self.seen.get(asked)
        if known in (found, _TORN):
            return
        self.seen[asked] = found if known is None else _TORN
        self._news.append(asked)


def is_as_seen(workspace: Workspace, seen: Seen) -> bool:
    """Tell whether a workspace answers everything as it did."""
    again = Witness(workspace)
    for question, answer in seen.items():
        try:
            kind, *asked = json.loads(question)
            if kind not in _QUESTIONS:
                return False
            getattr(again, kind)(*asked)
        except Refused:
            pass
        except (OSError, ValueError, TypeError):
            return False
        if again.seen.get(question) != answer:
            return False
    return True


_QUESTIONS = ("read", "read_all", "has", "files", "folders")

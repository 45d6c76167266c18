"""A workspace that records every question and answer: the dependencies of a build."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from duckpress.files.workspace import Refused, Workspace

_TORN = "changed meanwhile"  # answered in two ways within one build: it never counts as unchanged

Answers = dict[str, str]
"""A question, as JSON (`["read", path, limited by]`), and the hash of its answer."""


class RecordingWorkspace(Workspace):
    """A wrapper of a workspace; `answers` maps every recorded question to its answer.

    `trusted` are answers to questions that need not be asked again to know that they are the same.
    """

    def __init__(self, workspace: Workspace, trusted: Mapping[str, str] | None = None) -> None:
        self.root = workspace.root
        self.roots = workspace.roots
        self._content_roots = workspace._content_roots
        self._workspace: Workspace = workspace._workspace if isinstance(workspace, RecordingWorkspace) else workspace
        self.answers: Answers = {}
        self.trusted = trusted or {}

    def read(self, path: str, limited_by: str = "text-file") -> bytes:
        """Return a file's bytes."""
        try:
            data = self._workspace.read(path, limited_by)
        except Refused as refused:
            self._record(f"{refused.code} {refused.what}", "read", path, limited_by)
            raise
        self._record(data, "read", path, limited_by)
        return data

    def read_all(self, path: str, limited_by: str = "text-file") -> list[bytes]:
        """Return the bytes of every file of that path."""
        try:
            result = self._workspace.read_all(path, limited_by)
        except Refused as refused:
            self._record(f"{refused.code} {refused.what}", "read_all", path, limited_by)
            raise
        self._record(" ".join(hashlib.sha256(data).hexdigest() for data in result), "read_all", path, limited_by)
        return result

    def has(self, path: str) -> bool:
        """Return whether there is a file of that path."""
        result = self._workspace.has(path)
        self._record(str(result), "has", path)
        return result

    def files(self, folder: str, *suffixes: str) -> list[str]:
        """Return the paths of the files in a folder."""
        result = self._workspace.files(folder, *suffixes)
        self._record("\n".join(result), "files", folder, *suffixes)
        return result

    def folders(self, folder: str) -> list[str]:
        """Return the paths of the folders in a folder."""
        result = self._workspace.folders(folder)
        self._record("\n".join(result), "folders", folder)
        return result

    def _record(self, answer: str | bytes, *question: str | int) -> None:
        data = answer if isinstance(answer, bytes) else answer.encode("utf-8", "surrogateescape")
        self.add({json.dumps(question): hashlib.sha256(data).hexdigest()})

    def add(self, answers: Mapping[str, str]) -> None:
        """Record questions and answers from elsewhere, such as another process."""
        for question, answer in answers.items():
            if self.answers.setdefault(question, answer) != answer:
                self.answers[question] = _TORN

    def take(self) -> Answers:
        """Return the answers recorded since the last call."""
        answers, self.answers = self.answers, {}
        return answers


def is_unchanged(workspace: Workspace, answers: Answers) -> bool:
    """Return whether a workspace still gives the same answers.

    One that records is not asked what it answered before, nor what it trusts.
    """
    again = RecordingWorkspace(workspace)
    known = {**workspace.trusted, **workspace.answers} if isinstance(workspace, RecordingWorkspace) else {}
    for question, answer in answers.items():
        if question in known:
            if known[question] != answer:
                return False
            continue
        try:
            kind, *arguments = json.loads(question)
            if kind not in _QUESTIONS:
                return False
            getattr(again, kind)(*arguments)
        except Refused:
            pass
        except (OSError, ValueError, TypeError):
            return False
        if again.answers.get(question) != answer:
            return False
    return True


def asked_anew(workspace: Workspace) -> Workspace:
    """Return the workspace without its recording wrapper, so that it reads its files every time."""
    return workspace._workspace if isinstance(workspace, RecordingWorkspace) else workspace


READING = ("read", "read_all")
_QUESTIONS = (*READING, "has", "files", "folders")

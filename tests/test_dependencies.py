"""What the program is built on: as few packages as can be, pinned, free, and none that is asked to open the network."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from duckpress.views.licence_list import package_licence
from program_trees import nodes

ROOT = Path(__file__).resolve().parent.parent

# Free licences that ask nothing of who prints a game. Weak copyleft (MPL, LGPL) holds for the package itself only.
FREE = re.compile(r"\b(MIT|BSD|Apache|MPL|Mozilla Public|PSF|HPND|ISC|Zlib|LGPL|Lesser General Public)")
NOT_FREE = re.compile(r"AGPL|Affero|SSPL|Commons Clause|Business Source|proprietary|non-?commercial", re.IGNORECASE)

# Nothing older may be installed: what each of these mended is reached by what a stranger writes into a game.
FLOORS = {
    "reportlab": "5.1.0",  # code run by a colour (up to 3.6.12), pictures fetched from the network (up to 4.4)
    "jinja2": "3.1.6",  # ways out of the sandbox (CVE-2024-56326, CVE-2024-56201, CVE-2025-27516)
    "pillow": "13.0.0",  # a JPEG that overflows the decoder (GHSA-5x8w-8jj5-q52h)
    "pyyaml": "6.0.2",
}
# Modules that can open the network or start a program, and who may import them: for what, stands in docs/security.md.
CLOSED = {
    "socket", "ssl", "http", "ftplib", "smtplib", "poplib", "imaplib", "telnetlib", "asyncio", "socketserver",
    "xmlrpc", "webbrowser", "urllib.request", "requests", "httpx", "aiohttp", "subprocess", "multiprocessing", "pty",
    "ctypes", "distributed", "pickle", "marshal", "shelve", "runpy", "code", "codeop",
}  # fmt: skip
ALLOWED = {
    ("files/download.py", "socket"),  # tables that decks name with an address, for `pull` alone
    ("files/download.py", "ssl"),
    ("views/live/web_server.py", "socket"),  # the page on this computer, for `preview --live` alone
    ("views/live/web_server.py", "http"),  # what statuses are called
    ("views/live/web_server.py", "socketserver"),
    ("views/live/web_process.py", "webbrowser"),  # the person's own browser, at that page
    ("views/live/gate.py", "subprocess"),
    ("share/revisions.py", "subprocess"),  # git, for the files of an earlier revision
    ("share/editions/cluster.py", "distributed"),  # a cluster that a person names, for `edition --cluster` alone
    ("expressions/kept_code.py", "marshal"),  # templates that this process has compiled, now or in a run before
    ("pool/parallel.py", "pickle"),  # between this program's own processes
    ("pool/starting.py", "pickle"),
    ("pool/starting.py", "ctypes"),  # prctl of Linux: a process ends with the one that started it
    ("pool/starting.py", "subprocess"),  # a worker, where a process cannot be forked
    ("pool/worker_loop.py", "pickle"),
}


@cache
def project() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@cache
def direct() -> dict[str, Requirement]:
    """Return what pyproject.toml asks for, by name."""
    found = (Requirement(words) for words in project()["dependencies"])  # type: ignore[attr-defined]
    return {canonicalize_name(one.name): one for one in found}


@cache
def behind() -> frozenset[str]:
    """Return all packages that a run of the program can load: those asked for, and what they ask for in turn."""
    found: set[str] = set()
    waiting = list(direct())
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for words in metadata.requires(name) or []:
            one = Requirement(words)
            if one.marker is None or one.marker.evaluate({"extra": ""}):
                waiting.append(canonicalize_name(one.name))
    return frozenset(found)


@cache
def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pairs}


@cache
def imports() -> dict[str, set[str]]:
    """Return every module that the program imports, with the files that do."""
    found: dict[str, set[str]] = {}
    for path, node in nodes(ast.Import, ast.ImportFrom, ast.Call):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "find_spec":
            names = [arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant)]
        else:
            continue
        for name in names:
            found.setdefault(name, set()).add(path)
    return found


def test_they_are_few() -> None:
    """A package more is a decision: it is written down here."""
    assert sorted(behind()) == [
        "charset-normalizer", "click", "deflate", "jinja2", "lxml", "markupsafe", "msgspec", "packaging",
        "pikepdf", "pillow", "pypdfium2", "pyphen", "pyyaml", "reportlab", "resvg-py", "segno", "uharfbuzz",
        "zlib-ng",
    ]  # fmt: skip


def test_they_are_pinned_as_they_are_tested_and_free() -> None:
    for name in behind():
        assert pinned()[name] == metadata.version(name), f"make constraints: {name}"
        licence = package_licence(name).licence
        assert FREE.search(licence), (name, licence)
        assert not NOT_FREE.search(licence), (name, licence)


def test_what_is_asked_for_is_imported_and_the_other_way_round() -> None:
    tops = {name.partition(".")[0] for name in imports()} - set(sys.stdlib_module_names) - {"duckpress", "__future__"}
    tops.remove("distributed")  # an extra, for `edition --cluster` alone
    modules = {name: {path.parts[0].partition(".")[0] for path in metadata.files(name) or []} for name in direct()}
    assert [name for name in modules if not modules[name] & tops] == []
    assert tops <= set().union(*modules.values())


@pytest.mark.parametrize("name", sorted(FLOORS))
def test_nothing_older_than_what_mended_it_can_be_installed(name: str) -> None:
    floor = Version(FLOORS[name])
    wanted = direct()[name].specifier
    below = f"{floor.major}.{floor.minor}.{floor.micro}.dev0" if name != "pyyaml" else "6.0.1"
    assert wanted.contains(floor)
    assert not wanted.contains(below, prereleases=True)


def test_pull_alone_imports_what_opens_the_network() -> None:
    assert imports()["duckpress.files.download"] == {"views/pulling.py"}
    assert imports()["duckpress.views.pulling"] == {"cli/tables.py"}


def test_no_module_opens_the_network_or_starts_a_program() -> None:
    found = {(path, name) for name, paths in imports().items() if name in CLOSED for path in paths}
    assert found == ALLOWED


@pytest.mark.parametrize(("extra", "name"), [("fuzz", "atheris"), ("mutation", "mutmut"), ("cluster", "distributed")])
def test_what_tries_the_program_is_no_part_of_it(extra: str, name: str) -> None:
    extras = project()["optional-dependencies"]  # type: ignore[index]
    assert [Requirement(words).name for words in extras[extra]] == [name]  # type: ignore[index]
    assert name not in behind()

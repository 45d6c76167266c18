"""Nothing the program does opens the network or starts another program; what would is refused and written down."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import assert_refused, assert_sound, needs_posix, run_command
from hostile_game import GAME, GOOD, game


def test_the_network_is_refused_to_every_test() -> None:
    import socket

    with pytest.raises(OSError, match="no network"):
        socket.getaddrinfo("localhost", 80)
    with pytest.raises(OSError, match="no network"):
        socket.socket()


@needs_posix
def test_a_bundle_is_made_without_the_network(tmp_path: Path) -> None:
    """As a process, with its workers; inside the tests `conftest.py` refuses the network to all that is tested."""
    ran = run_command(tmp_path, "bundle", "g", files=game(game=GAME + "bundle: {papers: [a5]}\n"), form=None)
    assert_sound(ran, status=0)
    assert any(path.endswith(".zip") for path in ran.written), ran


@needs_posix
def test_changes_ask_git_and_nobody_else(tmp_path: Path) -> None:
    """The one other program there is: `git`, for the files of an earlier revision, in the workspace and by its name."""
    ran = run_command(tmp_path, "changes", "g", "--since", "v1", files=GOOD, form=None)
    assert "Traceback" not in ran.err
    assert not ran.sockets
    assert all("/git'" in line for line in ran.programs), ran.programs


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/x.png", "//127.0.0.1/x.png", "file:///etc/hostname", "data:image/png;base64,iVBO="]
)
def test_02_an_address_is_no_picture(tmp_path: Path, address: str) -> None:
    face = f'<face>\n  <image href="{address}" x="1" y="1" width="9" height="9"/>\n</face>\n'
    how = {"code": "outside-workspace", "at": "content/g/layouts/face.xml:2", "as_process": "http" in address}
    assert_refused(tmp_path, game(face=face), command=("build", "g"), **how)

"""The process that serves browsers: it does what the session says through its input, and ends with it."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from duckpress.live.editor import Editor
from duckpress.live.exchange import Begin, Begun, Stocked, WantedNames
from duckpress.live.print_action import BadChoice, PrintAction
from duckpress.live.served_files import ServedFiles
from duckpress.live.web_server import Act, WebServer
from duckpress.pool.messages import received, send, written


def serve_session() -> None:
    """Serve until the session says nothing more."""
    heard, said = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):  # whatever a browser or an editor says as it starts must not come between
        os.dup2(nothing, number)
    messages = received(heard)
    begin = msgspec.msgpack.decode(next(messages), type=Begin)
    files = ServedFiles()
    editor = Editor(begin.editor, begin.editor_address)
    printing = PrintAction(begin.build, begin.out)
    acts, opens = acts_of(Path(begin.root), editor, printing), bool(begin.editor or begin.editor_address)
    try:
        server = WebServer(begin.port, begin.key, files, acts, printing.printed, opens=opens)
    except OSError as error:
        send(said, written(Begun(failed=error.strerror or str(error))))
        return
    send(said, written(Begun(server.server_address[1])))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if begin.opens_browser:
        threading.Thread(target=_open_browser, args=(server.gate.ticket_address,), daemon=True).start()
    decode = msgspec.msgpack.Decoder(Stocked).decode
    with contextlib.suppress(BrokenPipeError):  # the session may end while it is told what browsers want
        for message in messages:
            stocked = decode(message)
            files.put(stocked.files, stocked.gone, stocked.news)
            send(said, written(WantedNames(files.wanted(stocked.wait_s))))
    os._exit(0)  # threads that wait for browsers are not waited for


def acts_of(root: Path, editor: Editor, printing: PrintAction) -> dict[str, Act]:
    """Return what a page can do: open a place of the workspace, and print."""

    def open_place(body: Mapping[str, Any]) -> Mapping[str, Any]:
        place = body.get("at")
        if not isinstance(place, str):
            raise BadChoice("say which place to open")
        return {"address": editor.open(root, place)}

    return {"open": open_place, "print": printing.print}


def _open_browser(address: str) -> None:
    """Open a page in the reader's browser, where there is one with a window."""
    import webbrowser

    if sys.platform == "linux" and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        return  # there would be nothing but a browser in letters, in the midst of this terminal
    webbrowser.open(address)

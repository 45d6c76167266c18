"""What the system says when it refuses -> one message: what could not be done, where, and what to do about it."""

from __future__ import annotations

import errno
import os

from duckpress.core.problems import MachineError

_ADVICE = {
    errno.ENOSPC: "the disk is full; free some space",
    errno.EDQUOT: "your share of the disk is full; free some space",
    errno.EFBIG: "it is larger than files may be here; choose another folder with --out",
    errno.EROFS: "the disk is read-only; choose another folder with --out",
    errno.EACCES: "no permission; choose another folder with --out, or change its permissions",
    errno.EPERM: "no permission; choose another folder with --out, or change its permissions",
    errno.EEXIST: "there is a file of that name; move it away",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.EISDIR: "there is a folder of that name; move it away",
    errno.ENOTEMPTY: "there is a folder of that name; move it away",
    errno.ELOOP: "a part of the path is a link; move it away",
    errno.ENAMETOOLONG: "the name is too long; shorten the id of the game or the piece, or choose a folder with --out",
    errno.ETXTBSY: "it is open in another program; close it there",
    errno.EBUSY: "it is in use by another program; close it there",
    errno.EXDEV: "it lies on a disk of its own; choose another folder with --out",
    errno.EIO: "the disk reports a fault; check it, or choose another folder with --out",
    errno.EMFILE: "too many files are open; close other programs",
    errno.ENFILE: "too many files are open; close other programs",
}
_OPEN_ELSEWHERE = 32  # Windows: ERROR_SHARING_VIOLATION


def machine_error(verb: str, path: str | os.PathLike[str], error: OSError) -> MachineError:
    """Return the message for an action that the system refused."""
    code = error.errno or 0
    reason = _ADVICE.get(code) or (error.strerror or str(error)).lower()
    if getattr(error, "winerror", None) == _OPEN_ELSEWHERE:
        reason = _ADVICE[errno.ETXTBSY]
    return MachineError(f"cannot {verb} {os.fspath(path)}: {reason}")

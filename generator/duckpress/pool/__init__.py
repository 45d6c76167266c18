"""Closed rooms: work on what strangers wrote is done by processes of their own, watched, limited and killed if need be.

`Crew` is the side of this process, `inside` that of a worker. Neither knows what the work is.
"""

from duckpress.pool.parallel import jobs, use_jobs
from duckpress.pool.process_pool import (
    ALL_SECONDS,
    ALL_TOO_LONG,
    DIED,
    MOST_JOBS,
    NONSENSE,
    SECONDS,
    TOO_LARGE,
    TOO_LONG,
    Crew,
    Done,
    Lost,
    WorkerFailed,
)
from duckpress.pool.worker import MEMORY
from duckpress.pool.worker_loop import Handle, Note

__all__ = [
    "ALL_SECONDS",
    "ALL_TOO_LONG",
    "DIED",
    "MEMORY",
    "MOST_JOBS",
    "NONSENSE",
    "SECONDS",
    "TOO_LARGE",
    "TOO_LONG",
    "Crew",
    "Done",
    "Handle",
    "Lost",
    "Note",
    "WorkerFailed",
    "jobs",
    "use_jobs",
]

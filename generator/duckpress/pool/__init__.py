"""The pool: untrusted work, or work in parts, runs in processes of its own, which are watched and ended.

`ProcessPool` is the side of this process, `worker_loop` that of a worker. Neither knows what the work is.
"""

from duckpress.pool.messages import Handle, Note, Work
from duckpress.pool.parallel import jobs, use_jobs
from duckpress.pool.process_pool import (
    ALL_SECONDS,
    ALL_TOO_LONG,
    SECONDS,
    TOO_LARGE,
    TOO_LONG,
    Done,
    Lost,
    ProcessPool,
)
from duckpress.pool.worker import MEMORY, NONSENSE

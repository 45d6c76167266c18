"""Exit statuses: scripts rely on them."""

DONE, CONTENT_ERROR, USAGE_ERROR, MACHINE_ERROR = 0, 1, 2, 3

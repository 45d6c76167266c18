"""A deal -> the printed matter of its host and its players."""

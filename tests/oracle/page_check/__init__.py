"""Finished pages of a rules sheet held against its filled Markdown, read a second time and by other code."""

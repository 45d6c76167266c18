"""Finished files read as a printer does, by an interpreter that shares nothing with `render` or the proof."""

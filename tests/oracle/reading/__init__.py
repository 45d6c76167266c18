"""Finished files read as a printer does: what their streams paint, where it lies on paper, and what its words say.

An interpreter of its own, which shares nothing with `render` or with the proof of a build.
"""

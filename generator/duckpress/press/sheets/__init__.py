"""Faces -> the sheets of a build: imposed, ganged, sleeved, coded, corrected for the printer."""

"""SVG files -> drawings: read through one door, styled, transformed, in any look."""

"""A board too large for the paper -> tiles with marks, a map and footers."""

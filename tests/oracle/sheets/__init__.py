"""The sheets of a file held against what they must be: order, footers, codes, marks, tiles, pages that are read."""

"""The sheets of a file held against what they must be: order, words of footers, codes, pages that are read."""

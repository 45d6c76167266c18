"""The sheets of a file held against what they must be: order, words of footers, codes, pages that are read.

Where marks, bars and words stand is asked of plans by the tests of `impose`.
"""

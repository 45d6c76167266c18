"""Runs of a setup -> what is wrong with them, in words: shortages, expectations, what follows, what is accepted."""

"""The record of a game's version, for comparison with other versions.

`lock.lock_of` gives a lock (ids, field values, hashes of faces, copies, setup tables, rules); `release_files` writes
and reads the file that is kept under version control. `changes.compare` gives what changed between two locks;
`changes.swap_of` is what a tester takes out of a deck and puts in, so that it becomes the new version.
"""

"""The one door for pictures: PNG and JPEG files -> what is printed of them, or why they cannot be.

A file is known by its first bytes and measured by its headers; how many pixels it may have is asked before anything is
decoded. What is kept is the picture and nothing else: no notes, no place where a photograph was taken, no profile.
"""

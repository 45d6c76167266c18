"""Second opinions on what the program has drawn, as slow and as long as they like: for tests alone, no part of it.

`frame_check` works out by itself what a filled template asks for and holds the frame against it. `reading` reads
finished files with an interpreter of its own; `sheets` looks at what sheets show and say. `watching.watch` lets them
all look at whatever is laid out and printed. `python -m oracle` is the program so watched.
"""

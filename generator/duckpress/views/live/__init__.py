"""A live page of a game: watched, laid out again, and served only to the browser of this computer.

Two processes: `session` watches and lays out, alone in its process, so that its workers can be forked; `web_process`
speaks to browsers, in threads. They talk through pipes: what the one has made, what the other is asked.
"""

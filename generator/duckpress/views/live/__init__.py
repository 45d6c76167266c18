"""A game's page while it is worked on: watched, laid out again, and served to the browser of this computer alone.

Two processes: `session` watches and lays out, alone in its process, so that its workers can be forked; `web_process`
speaks to browsers, in threads. They talk through pipes: what the one has made, what the other is asked.
"""

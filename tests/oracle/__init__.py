"""Second opinions on what the program has drawn, as slow and as long as they like: for tests alone, no part of it."""

"""The competitions: a folder each."""

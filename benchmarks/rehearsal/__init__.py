"""Makers of rehearsal data: tiny synthetic raw data with the real schema, one module per competition.

    python -m benchmarks.rehearsal ID...      write competitions/<id>/rehearsal.zip
    python -m benchmarks.rehearsal --all      the same for every competition that has a maker

A maker is a function `make(rng)`. It returns the files of Kaggle's archive, as a mapping from file name to bytes. They
have some hundred rows, pictures of a few hundred bytes, and features that predict the target, so that an agent that
learns scores better than one that guesses. The same seed gives the same bytes.
"""

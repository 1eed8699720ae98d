"""Makers of the rehearsal data: tiny synthetic raw data with the real schema, one module a competition.

    python -m benchmarks.rehearsal ID...      write competitions/<id>/rehearsal.zip
    python -m benchmarks.rehearsal --all      the same for every competition that has a maker

A maker is a function `make(rng)` that returns what Kaggle's zip would unpack to, as a mapping from file name
to bytes. It has some hundred rows, pictures of a few hundred bytes, and features that tell something about
the target, so that an agent which learns does better than one which guesses. The same seed gives the same
bytes.
"""

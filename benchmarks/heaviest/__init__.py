"""Time and memory of preparing and grading the ten heaviest tasks at their real numbers of rows.

    python -m benchmarks.heaviest [ID ...] [--scale 0.1] [--json]

For each task, a module makes synthetic raw data with the real schema in a temporary folder. `facts` has the number
of rows, and says what is smaller than in the real data. A module has

    make(raw, scale)        makes the raw data and returns the number of rows
    read(raw)               reads once what preparing must read, with the preparer's reader: the floor
    predict(competition)    returns a plausible submission, unless exchanged gold answers are plausible

Each step runs in its own process, which may have 16 GiB of anonymous memory (`--memory`). `peak` is the maximum
resident set size from getrusage; it includes pages of mapped files, which the kernel can drop. `anonymous` is the
maximum without them, sampled every 20 ms.
"""

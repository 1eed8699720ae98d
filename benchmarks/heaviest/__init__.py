"""The ten heaviest tasks at their real numbers of rows: what preparing and grading takes, and how much memory.

    python -m benchmarks.heaviest [ID ...] [--scale 0.1] [--json]

For each task a module makes synthetic raw data with the real schema in a temporary folder, mostly at the speed of the
disk; `facts` says how many rows they have, and what is smaller than in the real data. A module has

    make(raw, scale)        makes the raw data and returns the number of rows
    read(raw)               reads once what preparing must read at least, with the preparer's reader: the floor
    predict(competition)    returns a plausible submission, where the gold answers with some exchanged would not do

Each step runs in a process of its own, so that its peak of memory is its own, and may not have more than 16 GiB of
memory that is not a file's (`--memory`). `peak` is what getrusage says; it counts the pages of mapped files that happen
to be in memory, which the kernel takes back when it needs them. `anonymous` is the rest, looked at every 20 ms.
"""

"""The widest submissions that intake allows, and what grading and checking them costs.

    python -m benchmarks.widest --data DATA [ID ...] [--kind objects] [--mib 64] [--json]

For each task, `answers` enlarges the rehearsal data to the real number of rows, and `submissions` writes files that
are as large as intake allows and as costly as they can be for the task's metric. A child process checks and grades each
file. The table shows its CPU seconds and its peak of memory, and marks what is above the bounds of `__main__`.

Where the sample submission is so large that submissions may have more than 64 MiB, `--mib` sets the size.
`benchmarks.heaviest` measures such tasks at the size of their sample.
"""

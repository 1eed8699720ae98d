"""The names of files in the folder of a group.

    GROUP/metadata.json            GroupRecord
    GROUP/group.jsonl              the group's log, see `group_log`
    GROUP/options.json             RunOptions, for `resume`
    GROUP/submission.jsonl         what `mlebench grade` reads
    GROUP/grading_report.json      the verdicts in the field's common format
    GROUP/RUN_ID/run.json          RunRecord, replaced as a whole at each change
    GROUP/RUN_ID/attempts/N/       one attempt: submission/, code/, logs/, run.log, instructions.txt,
                                   events.jsonl, model_calls.jsonl, snapshots/, curve.json, SHA256SUMS
    GROUP/RUN_ID/submission        link into the last attempt; so are code, logs, run.log and events.jsonl

A run's id is `TASK_AGENT_seed-K`, where TASK is the competition's id, followed by `@v2` for that version.
"""

METADATA = "metadata.json"
GROUP_LOG = "group.jsonl"
LOCK = ".lock"
"""Locked and empty while a process works on the group. A process that is not killed writes the head of the log here."""
OPTIONS = "options.json"
SUBMISSIONS = "submission.jsonl"
GRADING_REPORT = "grading_report.json"
DERIVED = ("report.json", "report.html", "report_files")
"""What `mlebench report` makes of a group; it can be made again."""

RUN = "run.json"
ATTEMPTS = "attempts"

SUBMISSION = "submission.csv"
EVENTS = "events.jsonl"
MODEL_CALLS = "model_calls.jsonl"
CURVE = "curve.json"
SUMS = "SHA256SUMS"

LINKED = ("submission", "code", "logs", "run.log", EVENTS)
"""What a run's folder links to in its last attempt."""

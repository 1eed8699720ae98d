"""An obfuscated run shows neither the name of the competition nor the original brief."""

import json

SEARCH = """
import os, pathlib, subprocess
seen = [repr(sorted(os.environ.items())), os.uname().nodename]
for path in ("/proc/self/mountinfo", "/proc/1/cmdline", "/proc/self/cmdline", "/proc/1/environ", "/proc/self/cgroup"):
    try:
        seen.append(open(path, errors="replace").read())
    except OSError as error:
        seen.append(str(error))
for folder, folders, names in os.walk("/home"):
    seen += [folder, *folders, *names]
for name in ("/home/instructions.txt", "/home/data/description.md"):
    seen.append(open(name).read())
pathlib.Path("/home/logs/seen.txt").write_text("\\n".join(seen))
"""


def test_nothing_inside_names_the_competition(arena, submit):
    import dataclasses

    plan = arena.plan(arena.agent("tested", submit + SEARCH))
    for obfuscated, group in ((True, "hidden"), (False, "open")):
        (run,) = arena.run(dataclasses.replace(plan, obfuscated=obfuscated), group=group).runs.values()
        assert run.verdict.score is not None
        seen = (arena.folder / "runs" / group / run.run_id / "logs" / "seen.txt").read_text().lower()
        words = ["demo-wine", "demo_wine", *arena.competition.declaration.telltale_words]
        found = [word for word in words if word.lower() in seen]
        assert bool(found) is not obfuscated, found
        assert run.description == ("obfuscated" if obfuscated else "brief")
        assert arena.competition.brief(obfuscated=obfuscated).lower() in seen
    plan_record = json.loads((arena.folder / "runs/hidden/metadata.json").read_text())["plan"]
    assert plan_record["obfuscated"] is True

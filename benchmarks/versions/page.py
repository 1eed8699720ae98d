"""The page of the study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .study import gain, mean_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlebench.grading.reports import Verdict

    from .study import Result

HEAD = """# How far leaks carry an agent in v1 and in v2

Three agents ran on the same tasks in both versions, once each, in the sandbox `bubblewrap` and without network:

- `dummy` submits the sample submission.
- `baseline` fits a scikit-learn model. Where it does not understand the files, it submits the sample submission.
- `leaks` submits the sample submission with the answers that public files tell. It learns nothing and knows no task.
  It looks for labels in TFRecord files of test, for train files with the same bytes as a test file, for train rows with
  the same text as a test row, and for columns of the test table that tell the target.

`python -m benchmarks.versions` runs the study and writes this page.

## Scores

`v1 by v2's rules` are the submissions to v1, graded by the rules of v2 (`mlebench regrade GROUP --rules v2`): what
differs from v1 there comes from grading. What differs between that column and v2 comes from the data. For tasks with an
arrow down, lower is better.

| task | agent | v1 | v1 by v2's rules | v2 |
|---|---|---|---|---|
"""
GAINS = """
## What the leaks are worth

The score of `leaks` minus that of `dummy`, positive where it is better, and the medal of `leaks`. A dash means that
one of the two has no score, or that there is no medal.

| task | gain in v1 | gain in v2 | medal in v1 | medal in v2 |
|---|---|---|---|---|
"""
TAIL = """
## What this measures, and what not

- The data are rehearsal data: small, synthetic, and made so that they hold the leaks of v1. The table shows that the
  leaks pay in v1 and no longer in v2. It does not show how much they pay on real data, where fewer items may be
  affected.
- Medals come from comparing scores on rehearsal data with real leaderboards. They mean nothing by themselves and only
  show that the machinery works.
- Test sets are small, and v1 and v2 test other rows. Differences between versions of `dummy` and `baseline`
  are chance as much as anything else.
- One run of `baseline` does not show how much its score depends on its seed. It is a simple agent that gives up on
  files which it does not understand, so being better than it means little.
- The tasks were chosen since their leaks need no knowledge of the task, and two rules of `leaks` were adjusted on them.
  [exploits.md](exploits.md) has the other faults of v1.
"""


def page(results: Sequence[Result]) -> str:
    """Return the page in Markdown."""
    return "".join([HEAD, *map(_scores, results), *_reasons(results), GAINS, *_gains(results), _summary(results), TAIL])


def _scores(result: Result) -> str:
    name = f"`{result.task}`{' ↓' if result.lower_is_better else ''}"
    cells = (_score(verdicts) for verdicts in (result.v1, result.regraded, result.v2))
    return f"| {name} | {result.agent} | {' | '.join(cells)} |\n"


def _score(verdicts: Sequence[Verdict]) -> str:
    score = mean_score(verdicts)
    if score is not None:
        return f"{score:.3f}"
    return "NaN" if verdicts[0].score is not None else verdicts[0].outcome.value


def _reasons(results: Sequence[Result]) -> list[str]:
    """Return why the rules of v2 refuse submissions that v1 graded."""
    refused = [(result, result.regraded[0].reason) for result in results if result.regraded[0].score is None]
    rows = [f"- `{result.task}`, {result.agent}: {reason}\n" for result, reason in refused]
    return ["\nThe rules of v2 refuse what v1 graded:\n\n", *rows] if rows else []


def _gains(results: Sequence[Result]) -> list[str]:
    rows = []
    for task, first, second in _pairs(results):
        (leaks,) = (result for result in results if (result.task, result.agent) == (task, "leaks"))
        medals = (verdicts[0].medal for verdicts in (leaks.v1, leaks.v2))
        gains = ("–" if value is None else f"{value + 0.0:+.3f}" for value in (first, second))
        rows.append(f"| `{task}` | {' | '.join(gains)} | {' | '.join(medal or '–' for medal in medals)} |\n")
    return rows


def _summary(results: Sequence[Result]) -> str:
    sentences = []
    for other in ("dummy", "baseline"):
        pairs = _pairs(results, other)
        counts = []
        for version, gains in (("v1", [first for _, first, _ in pairs]), ("v2", [second for _, _, second in pairs])):
            known = [value for value in gains if value is not None]
            counts.append(f"in {sum(value > 0 for value in known)} of {len(known)} tasks in {version}")
        sentences.append(f"`leaks` is better than `{other}` {' and '.join(counts)}.")
    return "\n" + "\n".join(sentences) + "\n"


def _pairs(results: Sequence[Result], other: str = "dummy") -> list[tuple[str, float | None, float | None]]:
    """Return each task with what leaks gain over another agent in v1 and in v2."""
    by_agent = {(result.task, result.agent): result for result in results}
    found = []
    for task in dict.fromkeys(result.task for result in results):
        leaks, honest = by_agent[task, "leaks"], by_agent[task, other]
        lower = leaks.lower_is_better
        first = gain(leaks.v1, honest.v1, lower_is_better=lower)
        found.append((task, first, gain(leaks.v2, honest.v2, lower_is_better=lower)))
    return found

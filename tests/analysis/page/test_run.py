"""The page of a run is complete and bounded, and stays harmless for hostile or damaged records."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mlebench.analysis.page.run import find_run, name_run_pages, render_run
from mlebench.analysis.sources import read_sources
from mlebench.analysis.summary import summarize
from mlebench.runs import artifacts
from mlebench.runs.artifacts import read_artifacts
from mlebench.runs.events import EventLog

from ..files import write_artifacts
from ..pages import Outline
from ..records import HOSTILE, hostile_group, make_group, make_run, make_scores, make_verdict, sources_of

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.analysis.model import Summary


def pages(summary: Summary) -> dict[str, str]:
    found = {name: find_run(summary, key) for key, name in name_run_pages(summary).items()}
    return {name: render_run(*of_it) for name, of_it in found.items() if of_it}


def test_a_page_shows_everything_and_runs_nothing(tmp_path: Path) -> None:
    verdict = make_verdict("a", None, reason=HOSTILE)
    summary = write_artifacts(tmp_path / "g", make_group(make_run("a", "aide", verdict=verdict), run_group=HOSTILE))
    ((name, text),) = pages(summary).items()
    assert name == "a_aide_seed-0.html"
    outline = Outline(text)
    assert outline.open == []
    assert (outline.count("script"), outline.count("img")) == (0, 0)
    assert "script-src &#x27;none&#x27;" in text
    assert {attributes["href"] for tag, attributes in outline.elements if tag == "a"} == {"../report.html"}
    assert not re.search("[\x1b\u202e]", text)
    for words in ("Invalid submission.", "bronze", "print(1)", "id,target", "Do the task.", "REFUSED", "is a link"):
        assert words in text


def test_hostile_records_too(tmp_path: Path) -> None:
    summary = write_artifacts(tmp_path / "g", hostile_group())
    assert pages(summary) == {}  # the run's name is no name of a folder


def test_page_names_are_safe_and_unique(tmp_path: Path) -> None:
    runs = [
        make_run("a", "x y", verdict=make_verdict("a"), run_id=name) for name in ("a b", "a-b", "A-B", ".a", "x" * 200)
    ]
    runs = [run.model_copy(update={"seed": seed}) for seed, run in enumerate(runs)]
    names = list(name_run_pages(write_artifacts(tmp_path / "g", make_group(*runs))).values())
    assert len({name.casefold() for name in names}) == 5
    assert all(re.fullmatch(r"[A-Za-z0-9@_-][A-Za-z0-9@._-]{0,180}\.html", name) for name in names)
    assert "a-b.html" in {name.lower() for name in names}


def test_same_run_in_two_groups(tmp_path: Path) -> None:
    for place in ("one", "two"):
        write_artifacts(tmp_path / place, make_scores({"aide": {"a": [0.6]}}, run_group="g"))
    found = read_sources([f"{place}={tmp_path / place}" for place in ("one", "two")])
    summary = summarize(found)
    assert len(set(name_run_pages(summary).values())) == 2
    assert {run.folder for run in summary.all_runs()} == {
        tmp_path / place / "a_aide_seed-0" for place in ("one", "two")
    }


def test_everything_is_limited(tmp_path: Path) -> None:
    attempt = tmp_path / "attempts" / "1"
    (attempt / "code").mkdir(parents=True)
    for number in range(150):
        (attempt / "code" / f"{number:03}.py").write_text("x = 1\n" * 10_000)
    with (attempt / "run.log").open("wb") as file:
        file.truncate(10 * 1024**3)  # sparse
    (attempt / "instructions.txt").write_text("y" * 1_000_000)
    with EventLog(attempt / "events.jsonl") as log:
        for number in range(400):
            log("check", size=number, answer="z" * 5000)
    found = read_artifacts(tmp_path, 1)
    assert (len(found.code), found.has_more_code) == (artifacts.MAX_FILES, True)
    assert sum(len(piece.text or "") for piece in found.code) <= artifacts.MAX_CODE_BYTES
    assert found.log is not None and found.log.text is None and found.log.size == 10 * 1024**3
    assert len(found.events) == artifacts.MAX_EVENTS + 1
    assert any("250 events left out" in told.sentence for told in found.events)
    run = make_run("a", verdict=make_verdict("a"))
    summary = summarize(sources_of(make_group(run)))
    ((competition, result),) = [(one, cell.runs[0]) for one in summary.competitions for cell in one.cells]
    text = render_run(competition, result.model_copy(update={"folder": tmp_path}))
    assert len(text) < 300_000


def test_a_damaged_curve_is_a_sentence_on_the_page(tmp_path: Path) -> None:
    summary = write_artifacts(tmp_path / "g", make_scores({"aide": {"a": [0.6]}}))
    (tmp_path / "g" / "a_aide_seed-0" / "attempts" / "1" / "curve.json").write_text("{")
    (text,) = pages(summary).values()
    assert "is damaged or from another version" in text

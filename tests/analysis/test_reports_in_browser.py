"""Whole reports on disk, and the live site, in a real browser."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.live.server import LiveServer
from mlebench.analysis.live.site import Site
from mlebench.analysis.model import Over
from mlebench.analysis.report import report
from mlebench.runs.record import CurveRecord
from mlebench.tasks.registry import registry

from .files import write_artifacts
from .records import make_group, make_point, make_run, make_scores, make_usage, make_verdict, running_group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    Opener = Callable[..., Page]

SEEDS = 3


@pytest.fixture
def visit(browser: Browser) -> Iterator[Opener]:
    """Open an address; at the end nothing may have gone wrong, and nobody but its own origin may have been asked."""
    complaints: list[str] = []
    requests: list[str] = []
    allowed: list[str] = []
    contexts = []

    def opener(url: str, **options: object) -> Page:
        allowed.append(url.rpartition("/")[0])
        contexts.append(browser.new_context(**options))  # type: ignore[arg-type]
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(url)
        return page

    yield opener
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(tuple(allowed))] == []


@pytest.fixture(scope="module")
def all_tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on two agents in every competition, three seeds each, with snapshots and all that runs leave."""
    folder = tmp_path_factory.mktemp("reports") / "group"
    names = registry.list_competition_ids()
    scores = {
        agent: {
            name: [min(0.999, (place % 17) / 17 + 0.05 * seed + lead) for seed in range(SEEDS)]
            for place, name in enumerate(names)
        }
        for agent, lead in (("aide", 0.0), ("mlab", -0.1))
    }
    group = make_scores(scores)
    group.runs.update({
        run.run_id: run.model_copy(update={"usage": make_usage(900, 2.0)}) for run in group.runs.values()
    })  # fmt: skip
    write_artifacts(folder, group)
    for run in group.runs.values():
        points = (make_point(0.5, 0.3, make_usage(100, 0.1)), make_point(1.5, 0.96, make_usage(700, 1.5)))
        curve = folder / run.run_id / "attempts" / "1" / "curve.json"
        curve.write_text(CurveRecord(points=points).model_dump_json())
    return report(folder).write()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_two_agents_in_all_competitions(all_tasks: Path, visit: Opener, scheme: str) -> None:
    runs = len(registry.list_competition_ids()) * 2 * SEEDS
    assert all_tasks.stat().st_size < 10_000_000
    page = visit(all_tasks.as_uri(), color_scheme=scheme, viewport={"width": 1300, "height": 900})
    assert page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd") < 20_000
    assert page.locator("table.runs tbody tr").count() == runs
    assert page.locator(".charts svg").count() == len(Over) + 1
    backgrounds = {"light": "rgb(253, 252, 250)", "dark": "rgb(22, 24, 27)"}
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == backgrounds[scheme]
    assert page.evaluate("document.documentElement.scrollWidth") <= 1300

    tasks = page.locator("section:has(#table-tasks)")
    tasks.get_by_role("button", name="Crowding").click()
    crowding = [float(text) for text in tasks.locator("tbody td:nth-child(4)").all_inner_texts()]
    assert crowding == sorted(crowding) and len(crowding) == runs / 2 / SEEDS
    sides = page.locator("section:has(#table-sides)")
    sides.get_by_label("Show only").fill("leaf-c")
    assert sides.locator("tbody tr:visible th").all_inner_texts() == ["leaf-classification"]

    section = page.locator("section:has(#runs)")
    section.get_by_label("Show only").fill("spaceship mlab")
    assert section.locator("tbody tr:visible").count() == SEEDS
    section.locator("tbody tr:visible a").first.click()
    page.wait_for_url("**/report_files/spaceship-titanic_mlab_seed-0.html")
    assert page.locator("#snapshots + p + .scroll tbody tr").count() == 2
    page.locator("details.file summary").first.click()
    assert "print(1)" in page.locator("details.file pre").first.inner_text()
    page.get_by_role("link", name="The report").click()
    page.wait_for_url("**/report.html")


def test_one_run(tmp_path: Path, visit: Opener) -> None:
    write_artifacts(tmp_path / "group", make_group(make_run("a", verdict=make_verdict("a", 0.96))))
    page = visit(report(tmp_path / "group").write(tmp_path / "out").as_uri())
    page.locator("table.heat td a").click()
    page.wait_for_url("**/a_aide_seed-0.html")
    assert page.locator("h1").inner_text() == "a_aide_seed-0"
    assert "Silver, score 0.96" in page.locator(".lead").inner_text()


def test_plots_open_as_files(all_tasks: Path, visit: Opener) -> None:
    for file in sorted(all_tasks.parent.glob("report_files/*.svg")):
        page = visit(file.as_uri())
        assert page.locator("path.curve").count() == 4  # two curves, and two lines of the legend
        assert page.evaluate("getComputedStyle(document.querySelector('path.curve')).stroke") != "none"


def test_the_page_follows_a_running_group(tmp_path: Path, visit: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mlebench.analysis.live.site.MIN_AGE", 0.0)
    write_artifacts(tmp_path / "group", running_group())
    with LiveServer(Site(["group"], tmp_path, None)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            page = visit(server.url)
            assert "1 of 4" in page.locator(".lead").inner_text()
            assert page.locator("#running ~ article h3").inner_text() == "a_aide_seed-1"
            done = make_run("a", seed=1, verdict=make_verdict("a", 0.91))
            (tmp_path / "group" / done.run_id).mkdir(exist_ok=True)
            (tmp_path / "group" / done.run_id / "run.json").write_text(done.as_file())
            page.get_by_text("2 of 4 runs done").wait_for(timeout=100_000)  # by itself
            assert page.title().startswith("2 of 4")
            assert page.get_by_text("No run is in progress.").is_visible()
            page.get_by_role("link", name="The report so far").click()
            page.wait_for_url("**/report.html")
            page.locator("table.runs tbody a").first.click()
            page.wait_for_url("**/report_files/**")
            assert page.locator("#verdict").is_visible()
        finally:
            server.shutdown()
            thread.join()

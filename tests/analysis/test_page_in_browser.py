"""The page in a real browser: it needs Chromium and the package playwright."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .pages import page_of
from .records import HOSTILE, hostile_group, make_group, make_run, make_scores, make_verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    Opener = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Opener]:
    """Open a page from disk; at the end nothing may have gone wrong, and nobody may have been asked."""
    complaints: list[str] = []
    requests: list[str] = []
    context = None

    def opener(text: str, **options: object) -> Page:
        nonlocal context
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(**options)  # type: ignore[arg-type]
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(file.as_uri())
        return page

    yield opener
    if context is not None:
        context.close()
    assert complaints == []
    assert requests == [(tmp_path / "report.html").as_uri()]


def first_column(page: Page) -> list[str]:
    return page.locator("table.runs tbody tr:visible th bdi").all_inner_texts()


def scored() -> str:
    return page_of(make_scores({"aide": {"a": [0.96, 0.4]}, "dummy": {"a": [0.99, None]}}))


def test_sorts_by_click_and_by_keyboard(open_page: Opener) -> None:
    page = open_page(scored())
    assert first_column(page)[0] == "a_aide_seed-0"
    score = page.locator("table.runs").get_by_role("button", name="Score")
    score.click()
    ascending = ["a_aide_seed-1", "a_aide_seed-0", "a_dummy_seed-0", "a_dummy_seed-1"]
    assert first_column(page) == ascending
    assert page.locator("table.runs th[aria-sort=ascending]").inner_text().startswith("Score")
    score.press("Enter")  # what has no score stays at the end
    assert first_column(page) == [*ascending[2::-1], "a_dummy_seed-1"]
    page.locator("table.runs").get_by_role("button", name="Outcome").click()
    assert first_column(page)[0] == "a_dummy_seed-0"
    assert page.locator("table.runs th[aria-sort]").count() == 1


def test_numbers_sort_as_numbers(open_page: Opener) -> None:
    scores = [float("nan"), 9.0, 10.0, float("-inf"), 1e-7, float("inf"), -3.0]
    page = open_page(page_of(make_scores({"aide": {"a": scores}})))
    page.locator("table.runs").get_by_role("button", name="Score").click()
    order = [int(run_id[-1]) for run_id in first_column(page)]
    assert order == [3, 6, 4, 1, 2, 5, 0]


def test_hostile_texts_are_shown_as_text(open_page: Opener) -> None:
    page = open_page(page_of(hostile_group()))
    assert page.title().startswith(HOSTILE[:20])
    page.locator("table.runs details").first.locator("summary").click()
    reason = page.locator("table.runs details p").first
    assert reason.is_visible()
    assert reason.inner_text().startswith(HOSTILE[:80])
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1


def test_policy_stops_what_would_slip_through(browser: Browser) -> None:
    """Even markup that got into the page unescaped could neither run nor fetch anything."""
    smuggled = "<script>document.title='owned'</script><b onclick='document.title=1'>x</b>"
    page = browser.new_page()
    page.set_content(scored().replace("<main>", f"<main>{smuggled}"))
    page.locator("main > b").click()
    assert "run-group" in page.title()
    assert (
        page.locator("table.runs").get_by_role("button", name="Score").count() == 1
    )  # our own script runs all the same
    page.close()


def test_readable_without_javascript(open_page: Opener) -> None:
    page = open_page(scored(), java_script_enabled=False)
    assert page.locator("table.runs tbody tr").count() == 4
    assert page.locator("table.runs button").count() == 0
    page.locator("table.runs summary").first.click()
    assert "add it" in page.locator("table.runs details p").first.inner_text()


def test_filter(open_page: Opener) -> None:
    runs = [make_run("a", seed=seed, verdict=make_verdict("a", seed / 30)) for seed in range(30)]
    page = open_page(page_of(make_group(*runs)))
    runs_section = page.locator("section:has(#runs)")
    runs_section.get_by_label("Show only").fill("BRONZE aide")
    assert first_column(page) == ["a_aide_seed-28"]
    assert "1 of 30 rows" in runs_section.locator(".filter").inner_text()


@pytest.mark.parametrize("width", [320, 400, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_window_never_scrolls_sideways(open_page: Opener, width: int, scheme: str) -> None:
    long = "x" * 120
    group = make_scores({long: {long: [0.6, None, 0.99]}, "aide": {"a": [1e-9, 123456.789, 0.4]}}, run_group=long)
    page = open_page(page_of(group), viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(open_page: Opener, scheme: str) -> None:
    """Text stands out from what is behind it by 4.5 to 1 at least (WCAG 2.2, 1.4.3)."""
    group = make_scores({"aide": {"a": [0.99, 0.96, 0.91, 0.6, 0.4, None]}})
    page = open_page(page_of(group, make_group(make_run("z"))), color_scheme=scheme)
    faint = page.evaluate("""() => {
        const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
        const luminance = (colour) => {
            const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
            const [r, g, b] = channels(colour).map((c) => linear(c / 255));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const behind = (element) => {
            for (let e = element; e; e = e.parentElement) {
                const colour = getComputedStyle(e).backgroundColor;
                if (channels(colour)[3] !== 0) return colour;
            }
        };
        const faint = [];
        for (const element of document.querySelectorAll("body *:not(script)")) {
            if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
            const style = getComputedStyle(element);
            const text = luminance(element instanceof SVGElement ? style.fill : style.color);
            const paper = luminance(behind(element));
            const ratio = (Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05);
            if (ratio < 4.5) faint.push(`${element.className} ${element.textContent}: ${ratio.toFixed(2)}`);
        }
        return faint;
    }""")
    assert faint == []


def test_prints_within_the_paper(open_page: Opener) -> None:
    group = make_scores({"aide": {"google-research-identify-contrails": [0.96123, 0.4, 0.99987]}})
    page = open_page(page_of(group), viewport={"width": 680, "height": 1000})  # A4 with margins of 15 mm
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 680

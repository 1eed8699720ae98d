from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mlebench.analysis.live.site import Site
from mlebench.errors import ReportError

from ..files import write_artifacts
from ..records import running_group

if TYPE_CHECKING:
    from pathlib import Path


def test_a_damaged_group_is_an_error_page_until_it_is_fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mlebench.analysis.live.site.MIN_AGE", 0.0)
    write_artifacts(tmp_path / "group", running_group())
    site = Site(["group"], tmp_path, None)
    site.read()
    record = (tmp_path / "group" / "metadata.json").read_text()
    (tmp_path / "group" / "metadata.json").write_text("{")
    monkeypatch.setattr(site, "_expires", 0.0)
    answer = site.respond("/")
    assert answer is not None and answer.status == 503 and b"is damaged" in answer.body
    (tmp_path / "group" / "metadata.json").write_text(record)
    again = site.respond("/")
    assert again is not None and again.status == 200


def test_a_wrong_name_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="no run group"):
        Site(["nothing"], tmp_path, None).read()


def test_a_page_that_cannot_be_made_is_an_answer_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise IsADirectoryError(21, "Is a directory <b>", 3)

    monkeypatch.setattr("mlebench.analysis.live.site.find_progress", fail)
    monkeypatch.setattr("mlebench.analysis.page.run.read_artifacts", fail)
    write_artifacts(tmp_path / "group", running_group())
    site = Site(["group"], tmp_path, None)
    answer = site.respond("/")
    assert answer is not None and answer.status == 500 and b"Is a directory &lt;b&gt;" in answer.body
    page = site.respond("/report_files/a_aide_seed-0.html")
    assert page is not None and page.status == 200 and b"Is a directory &lt;b&gt;" in page.body

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

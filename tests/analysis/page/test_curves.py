from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from mlebench.analysis.page.curves import plot_files

from ..files import read_summary, write_group
from ..records import HOSTILE, make_group, make_point, make_run, make_verdict

if TYPE_CHECKING:
    from pathlib import Path


def test_plots_are_valid_xml_for_any_agent_name(tmp_path: Path) -> None:
    runs = [make_run("a", HOSTILE, seed, make_verdict("a", 0.99), run_id=f"r{seed}") for seed in range(2)]
    drawn = plot_files(read_summary(write_group(tmp_path / "g", make_group(*runs), {"r0": [make_point(1, 0.99)]})))
    assert set(drawn) == {"any_medal-over-hours.svg", "pass_at_k.svg"}
    for text in drawn.values():
        root = ET.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert not [element for element in root.iter() if element.tag.endswith(("script", "img", "image"))]

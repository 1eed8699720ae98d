"""The tables of segments in each version of mlsp-2013-birds."""

from __future__ import annotations

NAMES = ("histogram_of_segments", "segment_features", "segment_rectangles")


def test_the_tables_of_segments_have_headers_of_their_own_in_v2_only(prepared):
    headers = []
    for label in ("mlsp-2013-birds", "mlsp-2013-birds@v2"):
        folder = prepared(label).public_dir / "supplemental_data"
        headers.append({(folder / f"{name}.txt").read_text(encoding="utf-8").split("\n")[0] for name in NAMES})
    assert [len(some) for some in headers] == [1, 3]

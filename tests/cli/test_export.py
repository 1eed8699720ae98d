from __future__ import annotations

import json
import re


def test_exporting_a_tree_lists_its_files_and_refuses_to_overwrite(mlebench, tmp_path):
    done = mlebench("export", "reference-tree", "tree", "--json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["competitions"]) == 82
    assert (tmp_path / "tree" / "mlebench" / "competitions" / "leaf-classification" / "config.yaml").is_file()
    again = mlebench("export", "reference-tree", "tree")
    assert (again.returncode, again.stdout) == (2, "")
    assert re.fullmatch(r"mlebench: .*/tree exists already; .*\.\n", again.stderr)

"""A job sees the Python of the harness without mlebench, if other users can read it."""

from __future__ import annotations

import pytest

from mlebench.errors import SandboxUnavailableError
from mlebench.sandbox import python_install
from mlebench.sandbox.python_install import find_package_folders, harness_python_prefixes


def test_an_installed_mlebench_is_hidden(bench, bubblewrap, tmp_path, monkeypatch):
    site = tmp_path / "prefix/lib/site-packages"
    for name in ("mlebench/grading", "mlebench-1.0.dist-info", "other"):
        (site / name).mkdir(parents=True)
        (site / name / "__init__.py").write_text("answers = 1")
    found = find_package_folders([tmp_path / "prefix"], site / "mlebench")
    assert found == [site / "mlebench", site / "mlebench-1.0.dist-info"]
    prefixes = harness_python_prefixes()
    monkeypatch.setattr(python_install, "harness_python_prefixes", lambda: [*prefixes, tmp_path / "prefix"])
    monkeypatch.setattr(python_install, "find_package_folders", lambda *_: found)
    script = f"""
import sys; sys.path.insert(0, {str(site)!r})
import other, importlib.metadata, pathlib
print(other.answers)
try:
    import mlebench
except ModuleNotFoundError as error:
    print(error)
print(*pathlib.Path({str(site)!r}).rglob("grading"))
"""
    assert bench.python(bubblewrap, script).log == "1\nNo module named 'mlebench'\n\n"


def test_a_python_that_others_cannot_read_is_refused_with_the_way_out(tmp_path):
    """As with a virtual environment that root made under the umask 077."""
    prefix = tmp_path / "my venv"
    prefix.mkdir(mode=0o700)
    with pytest.raises(SandboxUnavailableError, match=r"chmod -R o\+rX '.*my venv'"):
        python_install.require_readable([prefix])

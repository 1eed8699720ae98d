"""The first process inside a sandbox is self-contained."""

from __future__ import annotations

import ast
import sys

from mlebench.sandbox.entrypoint_config import ENTRYPOINT, entrypoint_files


def test_the_entrypoint_imports_the_standard_library_and_itself_only():
    for name, content in entrypoint_files().items():
        for node in ast.walk(ast.parse(content)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level < 2, name
                modules = [] if node.level else [node.module]
            assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names, name


def test_all_its_files_are_shown_to_the_job():
    assert set(entrypoint_files()) == {path.name for path in ENTRYPOINT.rglob("*") if "__pycache__" not in path.parts}

"""Scanners find the faults of tasks in their rehearsal data, and are silent where a version repairs them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from mlebench.scan import SCANNERS
from mlebench.scan.material import Material
from mlebench.tasks.competition import Competition

from .expected import FOUND, NEUTRAL, REPAIRED


def scan(scanner, competition):
    return list(SCANNERS[scanner](Material(competition)))


@pytest.mark.parametrize(("label", "scanner", "part"), FOUND)
def test_a_fault_is_found(label, scanner, part, prepared):
    findings = scan(scanner, prepared(label))
    assert any(part in f"{finding.column} {finding.file}" for finding in findings)


@pytest.mark.parametrize(("label", "scanner"), REPAIRED)
def test_a_later_version_is_silent(label, scanner, prepared):
    assert scan(scanner, prepared(label)) == []


@pytest.mark.parametrize("label", NEUTRAL)
def test_metadata_of_prepared_data_are_neutral(label, prepared):
    assert [finding for finding in scan("metadata", prepared(label)) if finding.file] == []


def test_files_placed_class_by_class_are_found(prepared, tmp_path):
    competition = prepared("paddy-disease-classification")
    copy = Competition.bind(competition.folder, tmp_path)
    shutil.copytree(competition.prepared_dir, copy.prepared_dir)
    labels = Material(competition).answers.set_index("image_id")["label"]
    folder = copy.public_dir / "test_images"
    contents = {path.name: path.read_bytes() for path in folder.iterdir()}
    for path in folder.iterdir():
        path.unlink()
    for number, name in enumerate(sorted(contents, key=lambda name: (labels[name], name))):
        Path(folder / name).write_bytes(contents[name])
        os.utime(folder / name, ns=(10**18 + number, 10**18 + number))
    found = {finding.column for finding in scan("metadata", copy)}
    assert "mtime" in found

from __future__ import annotations

import pytest
from pydantic import BaseModel

from mlebench.errors import DeclarationError
from mlebench.ground.declarations import read_declaration, read_yaml


class Limits(BaseModel):
    cores: int


class Example(BaseModel):
    name: str
    limits: Limits


def test_a_declaration_becomes_the_model(tmp_path):
    path = tmp_path / "example.yaml"
    path.write_text("name: é\nlimits: {cores: 2}\n", encoding="utf-8")
    assert read_declaration(path, Example) == Example(name="é", limits=Limits(cores=2))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "declares the file wrongly"),
        (b"7", "declares the file wrongly"),
        (b"name: x\n", "declares limits wrongly"),
        (b"name: x\nlimits: {cores: many}\n", r"declares limits\.cores wrongly"),
        (b"name: [x\n", "is not YAML"),
        (b"name: \xff\n", "is not YAML"),
        (b"a: 1\n---\na: 2\n", "is not YAML"),
        (b"name: 2025-13-45\n", "is not YAML"),
        (b"name: !!python/object/apply:os.getcwd []\n", "is not YAML"),
    ],
)
def test_a_wrong_declaration_is_named_with_the_field(content, problem, tmp_path):
    path = tmp_path / "example.yaml"
    path.write_bytes(content)
    with pytest.raises(DeclarationError, match=rf"example\.yaml {problem}"):
        read_declaration(path, Example)


def test_a_missing_declaration_is_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_yaml(tmp_path / "example.yaml")

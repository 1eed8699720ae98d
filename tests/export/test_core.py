"""The archive of carried code holds everything that it imports, and a module that is missing is an error."""

import ast
import io
import shutil
import zipfile

import pytest

from mlebench.export import core
from mlebench.export.core import NAME, REPLACED, core_archive, rename_imports


@pytest.fixture(scope="module")
def sources():
    with zipfile.ZipFile(io.BytesIO(core_archive())) as archive:
        return {name.removeprefix(f"{NAME}/"): archive.read(name).decode() for name in archive.namelist()}


def test_the_carried_code_imports_nothing_that_is_not_carried(sources):
    modules = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in sources}
    known = {f"{NAME}.{name}" for name in modules} | {NAME} | {f"mlebench.{name}" for name in REPLACED.values()}
    for name, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in (NAME, "mlebench"):
                assert node.module in known, f"{name} imports {node.module}"
            if isinstance(node, ast.Import):
                assert not [alias for alias in node.names if alias.name.partition(".")[0] in (NAME, "mlebench")], name


def test_rooms_that_grading_does_not_need_are_not_carried(sources):
    rooms = {name.partition("/")[0] for name in sources}
    assert not rooms & {"agents", "analysis", "authoring", "battery", "cli", "gateway", "images", "runs", "sandbox"}


def test_only_imports_of_the_package_are_renamed():
    source = "from mlebench.data import x\n    import mlebench.data\nfrom mlebench import y\nimport mlebench_other\n"
    renamed = source.replace("mlebench.", f"{NAME}.").replace("mlebench import", f"{NAME} import")
    assert rename_imports(source) == renamed
    assert rename_imports("from mlebench.registry import registry\n") == "from mlebench.registry import registry\n"
    assert (
        rename_imports("from mlebench.tasks.registry import Registry\n") == "from mlebench.registry import Registry\n"
    )


def test_the_same_code_gives_the_same_bytes():
    assert core_archive() == core_archive()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A copy of the package without tasks, which the archive is made from."""
    copy = tmp_path / "mlebench"
    shutil.copytree(core.PACKAGE, copy, ignore=shutil.ignore_patterns("competitions", "__pycache__"))
    shutil.copytree(core.TEMPLATES / "mlebench", copy / "export" / "templates" / "mlebench", dirs_exist_ok=True)
    monkeypatch.setattr(core, "PACKAGE", copy)
    monkeypatch.setattr(core, "TEMPLATES", copy / "export" / "templates")
    return copy


@pytest.mark.parametrize(
    ("module", "importer"),
    [
        ("grading/reports.py", "mlebench.grading.reports"),  # a template imports it
        ("ground/files.py", "mlebench.ground.files"),  # carried modules import it
        ("errors.py", "mlebench.errors"),  # tasks may import it
        ("preparation", "mlebench.preparation"),
    ],
)
def test_a_carried_module_that_moves_is_an_error_that_names_it(module, importer, package):
    core_archive()
    (package / module).rename(package / "moved")
    with pytest.raises(LookupError, match=f"{importer}.* does not exist"):
        core_archive()


def test_a_module_that_a_carried_one_begins_to_import_is_carried(package):
    (package / "ground" / "clock.py").write_text("from mlebench.gateway.brand_new import x\n")
    (package / "gateway" / "brand_new.py").write_text("x = 1\n")
    with zipfile.ZipFile(io.BytesIO(core_archive())) as archive:
        assert f"{NAME}/gateway/brand_new.py" in archive.namelist()

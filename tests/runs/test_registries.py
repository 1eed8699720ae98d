import pytest

from mlebench.runs.registries import REHEARSAL_FOLDER, registry_of_group

from ..analysis.records import make_group, make_run, make_verdict


@pytest.mark.parametrize(
    ("data", "has_folder", "is_rehearsal"),
    [("rehearsal", True, True), ("rehearsal", False, False), ("kaggle", True, False), (None, True, False)],
)
def test_a_group_of_rehearsal_data_has_the_registry_of_the_rehearsal(
    registry, tmp_path, data, has_folder, is_rehearsal
):
    verdict = make_verdict(data=data) if data else None
    (tmp_path / "metadata.json").write_text(make_group(make_run(verdict=verdict)).model_dump_json())
    rehearsal = registry.get_data_dir() / REHEARSAL_FOLDER
    if has_folder:
        rehearsal.mkdir(parents=True)
    expected = rehearsal if is_rehearsal else registry.get_data_dir()
    assert registry_of_group(tmp_path, registry).get_data_dir() == expected

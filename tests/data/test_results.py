import pytest

from mlebench.data.results import PrepareResult
from mlebench.errors import DiskFullError, PreparationError, RawDataError


@pytest.mark.parametrize(
    ("error", "text", "code"),
    [
        (RawDataError("There are none."), "There are none.", RawDataError.exit_code),
        (DiskFullError("It is full."), "It is full.", DiskFullError.exit_code),
        (PermissionError(13, "Permission denied", "x"), "Permission denied: 'x'", PreparationError.exit_code),
        (KeyError("label"), "KeyError: 'label'", PreparationError.exit_code),
    ],
)
def test_an_error_gives_its_text_and_exit_code(error, text, code):
    result = PrepareResult.of_error("pictures", 1.5, error)
    assert (result.label, result.outcome, result.seconds, result.manifest) == ("pictures", "failed", 1.5, None)
    assert result.error.endswith(text)
    assert result.exit_code == code

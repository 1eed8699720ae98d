"""JSON files with lists of up to a million records."""

from __future__ import annotations

import codecs
import json
from typing import TYPE_CHECKING, Any

from mlebench.errors import RawDataError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INDENT = "    "
RECORDS_AT_A_TIME = 10_000
SCALARS = {str, int, float, bool, type(None)}


def read_json(path: Path, encoding: str = "utf-8", errors: str = "strict") -> Any:
    """Return the value of a JSON file.

    Parameters
    ----------
    path
        The file.
    encoding
        Its encoding.
    errors
        What happens to bytes of another encoding: `strict` for an error, `as_latin_1` to take them for Latin-1.

    Raises
    ------
    RawDataError
        The file is missing, or is not JSON.
    """
    try:
        return json.loads(path.read_bytes().decode(encoding, errors))
    except FileNotFoundError:
        raise RawDataError(f"The raw data lack the file {path.name}.") from None
    except ValueError as error:
        raise RawDataError(f"The file {path.name} of the raw data is not JSON: {error}.") from error


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("as_latin_1", _as_latin_1)


def write_indented_json(value: Any, path: Path) -> None:
    """Write a list or an object as `json.dump(value, file, indent=4, sort_keys=True)` does.

    For 300,000 records (objects that hold neither objects nor lists) it takes a quarter of the time: Python's fast
    encoder does not indent, so records are encoded without indents, and these are inserted.

    Parameters
    ----------
    value
        A list or an object of JSON values. Lists of records are fast, as the value itself or as a member of it.
    path
        The file, whose folder is made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="ascii", newline="\n") as file:
        if not isinstance(value, dict) or not value:
            file.writelines(_pieces(value, ""))
            return
        for number, (key, inner) in enumerate(sorted(value.items())):
            file.write(f"{',' if number else '{'}\n{INDENT}{json.dumps(key)}: ")
            file.writelines(_pieces(inner, INDENT))
        file.write("\n}")


def _pieces(value: Any, indent: str) -> Iterator[str]:
    """Yield the text of a value that begins in a line with this indent."""
    if not isinstance(value, list) or not value or not all(isinstance(record, dict) for record in value):
        yield json.dumps(value, indent=INDENT, sort_keys=True).replace("\n", f"\n{indent}")
        return
    for first in range(0, len(value), RECORDS_AT_A_TIME):
        records = value[first : first + RECORDS_AT_A_TIME]
        yield f"{',' if first else '['}\n{indent}{INDENT}"
        if not all(records) or not SCALARS.issuperset({type(value) for record in records for value in record.values()}):
            text = json.dumps(records, indent=INDENT, sort_keys=True)
            yield text[2 + len(INDENT) : -2].replace("\n", f"\n{indent}")
            continue
        # With line feeds as separators, a record ends with "}" and a line feed. Nothing else does, since strings escape
        # line feeds. So records can be found and put on lines of their own.
        between, inside = f"\n{indent}{INDENT}", f"\n{indent}{INDENT * 2}"
        text = json.dumps(records, sort_keys=True, separators=(f",{inside}", ": "))
        text = text[2:-2].replace("}," + inside + "{", f"{between}}},{between}{{{inside}")
        yield f"{{{inside}{text}{between}}}"
    yield f"\n{indent}]"

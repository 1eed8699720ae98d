"""Load functions of a task only when they are called, so that listing tasks imports nothing."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from typing import TYPE_CHECKING, Any

from mlebench.errors import DeclarationError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType


_loading = threading.RLock()
"""Held while a module is loaded. One lock for all modules: tasks that load each other cannot block each other."""


class LazyFunction:
    """A function of a Python file, which is imported at the first call; it may have fixed keyword arguments."""

    def __init__(self, path: Path, name: str, **keywords: Any) -> None:
        self.path = path
        self.__name__ = name
        self.keywords = keywords

    def __repr__(self) -> str:
        return f"<{self.__name__} of {self.path}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.load()(*args, **self.keywords, **kwargs)

    def load(self) -> Callable[..., Any]:
        """Import the file and return the function; DeclarationError if there is none."""
        module = load_module(self.path)
        function = getattr(module, self.__name__, None)
        if not callable(function):
            raise DeclarationError(f"{self.path} has no function named {self.__name__!r}.")
        return function  # type: ignore[no-any-return]


def load_module(path: Path) -> ModuleType:
    """Import a Python file once per process, under a module name made from its folder.

    Thread-safe: no thread gets a module that another one is still loading. A module that fails is not kept, so each
    thread that waited for it tries again and gets the failure itself.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    DeclarationError
        There is no such file. Failures of the code itself are raised as they are.
    """
    name = f"mlebench_task_{path.parent.name.replace('-', '_')}_{abs(hash(str(path))):x}"
    with _loading:
        if name in sys.modules:  # loaded, or loaded right now by this thread: two files may load each other
            return sys.modules[name]
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None or not path.is_file():
            raise DeclarationError(f"The task's code {path} does not exist.")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
        return module


def import_function(reference: str) -> Callable[..., Any]:
    """Return the function that `package.module:function` names; DeclarationError if there is none."""
    module_name, _, function_name = reference.partition(":")
    try:
        function = getattr(importlib.import_module(module_name), function_name)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise DeclarationError(f"{reference!r} does not name a function: {error}.") from error
    if not callable(function):
        raise DeclarationError(f"{reference!r} does not name a function: it is of type {type(function).__name__}.")
    return function  # type: ignore[no-any-return]

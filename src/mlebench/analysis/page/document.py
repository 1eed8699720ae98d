"""The frame of every page: one file that makes no requests and runs only its own script."""

from __future__ import annotations

import base64
import functools
import hashlib
from importlib import resources

from mlebench.analysis.page.markup import Html, tag
from mlebench.analysis.page.plot import STYLE


def document(
    title: str,
    *body: Html | None,
    scripts: tuple[str, ...] = ("script.js",),
    live: bool = False,
    pictures: bool = False,
) -> str:
    """Return a page.

    The content policy forbids every request and allows only the page's own style and scripts, by their hashes: even
    text that was not escaped could not run anything.

    Parameters
    ----------
    title : str
        The title of the page.
    *body : Html or None
        The content.
    scripts : tuple of str
        Names of script files of this package.
    live : bool
        Whether the page may make requests to its own server; without JavaScript it reloads itself.
    pictures : bool
        Whether the page may show pictures that it holds as data URLs.
    """
    # Closing tags cannot be escaped inside these elements, so our files must not contain any.
    style = Html(_resource("style.css") + STYLE)
    codes = [Html(_resource(name)) for name in scripts]
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {' '.join(map(_source, codes)) or _NONE};"
        f" base-uri 'none'; form-action 'none'{_LIVE if live else ''}"
        f"{_PICTURES if pictures else ''}"
    )
    root = tag(
        "html",
        tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("meta", name="referrer", content="no-referrer"),
            tag("noscript", tag("meta", http_equiv="refresh", content="5")) if live else None,
            tag("title", title),
            tag("style", style),
        ),
        "\n",
        tag("body", *body, *(tag("script", code) for code in codes)),
        lang="en",
    )
    return f"<!DOCTYPE html>\n{root}\n"


_NONE = "'none'"
_LIVE = "; connect-src 'self'"
_PICTURES = "; img-src data:"


@functools.cache
def _resource(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

"""What every page is: one file that asks nobody for anything, and lets nothing run but its own script."""

from __future__ import annotations

import base64
import functools
import hashlib
from importlib import resources

from mlebench.analysis.page.chart import STYLE
from mlebench.analysis.page.markup import Html, tag


def document(title: str, *body: Html | None, scripts: tuple[str, ...] = ("script.js",), live: bool = False) -> str:
    """Return a page.

    Its content policy forbids every request, and lets only the page's own style and scripts through, by their hashes:
    even a text that slipped past the escaping could not run anything. A live page may ask its own server, and is
    loaded again by itself where scripts do not run.
    """
    # Closing tags cannot be escaped inside these elements, so that our files must not hold any.
    style = Html(_resource("style.css") + STYLE)
    codes = [Html(_resource(name)) for name in scripts]
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {' '.join(map(_source, codes)) or _NONE};"
        f" base-uri 'none'; form-action 'none'{_LIVE if live else ''}"
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


@functools.cache
def _resource(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

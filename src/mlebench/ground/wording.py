"""Values as text that people read: sizes, and values from files of others."""

from __future__ import annotations


def in_words(size: float) -> str:
    """Return a number of bytes as one reads it."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 999.5 or unit == "TB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "bytes" or size >= 99.95 else f"{size:.1f} {unit}"


def plain(value: object) -> str:
    """Return a value as short, printable text without braces, since clients look for JSON in the output."""
    if isinstance(value, tuple):
        return ", ".join(map(plain, value))
    text = value if isinstance(value, str) else str(value)
    text = "".join(character if character.isprintable() else "?" for character in text[:60])
    text = text.replace("{", "(").replace("}", ")") + ("…" if len(str(value)) > 60 else "")
    return f"'{text}'" if isinstance(value, str) else text

"""A scan as one self-contained HTML file, with small pictures of copies."""

from __future__ import annotations

import base64
import io
import warnings
from typing import TYPE_CHECKING

from mlebench.analysis.page.document import document
from mlebench.analysis.page.markup import Html, facts_list, header_row, join, table, tag
from mlebench.ground.wording import count, format_short_duration, printable

if TYPE_CHECKING:
    from mlebench.scan.finding import Finding, Note, Pair
    from mlebench.scan.material import Material
    from mlebench.scan.report import ScanReport

SIDE = 120
"""Pixels of the longer side of a picture."""
MAX_PICTURES = 12
"""Pairs that are shown per finding."""


def scan_page(report: ScanReport, material: Material) -> str:
    """Return the page of a scan.

    Parameters
    ----------
    report : ScanReport
        The findings.
    material : Material
        The task that was scanned, for its pictures.
    """
    return document(
        f"Scan of {report.label}",
        tag(
            "header",
            tag("h1", f"Scan of {report.label}"),
            facts_list(
                {
                    "Data": report.source,
                    "Test items": f"{report.test_items:,}",
                    "Train items": f"{report.train_items:,}",
                    "Public files": f"{report.public_files:,}",
                    "Findings": f"{len(report.findings):,}",
                    "Accepted": f"{len(report.notes):,}",
                }
            ),
        ),
        tag(
            "section",
            tag("h2", "Findings"),
            join(_finding(finding, material) for finding in report.findings) or tag("p", "Nothing was found."),
        ),
        tag("section", tag("h2", "Accepted"), join(_note(note) for note in report.notes)) if report.notes else None,
        tag("section", tag("h2", "Scanners"), _scanners(report)),
        scripts=(),
        pictures=True,
    )


def _finding(finding: Finding, material: Material) -> Html:
    where = " ".join(filter(None, (finding.file, finding.column and f"column {finding.column}")))
    return tag(
        "article",
        tag("h3", printable(f"{finding.scanner}: {finding.what}")),
        facts_list(
            {
                "Number": f"{finding.number:.4g}",
                "Threshold": f"{finding.threshold:.4g}",
                "Where": printable(where),
                "What to do": printable(finding.remedy),
            }
            | {printable(name): printable(_plain(value), limit=300) for name, value in finding.details.items()}
        ),
        join(filter(None, (_pair(pair, material) for pair in finding.pairs[:MAX_PICTURES]))),
    )


def _note(note: Note) -> Html:
    what = printable(f"{note.finding.scanner}: {note.finding.what}")
    return tag("p", tag("strong", what), " ", printable(note.reason))


def _scanners(report: ScanReport) -> Html:
    rows = []
    for run in report.scanners:
        found = sum(finding.scanner == run.scanner for finding in report.findings)
        outcome = run.skipped or " ".join((count(found, "finding") + ".", *run.limits))
        cells = (tag("td", run.scanner), tag("td", format_short_duration(run.seconds)), tag("td", printable(outcome)))
        rows.append(tag("tr", *cells))
    return table("What each scanner did", [header_row(("Scanner", "Time", "Outcome"))], rows, "plain")


def _plain(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _pair(pair: Pair, material: Material) -> Html | None:
    """Return two pictures side by side with their paths; None if they are no pictures."""
    pictures = [_picture(path, material) for path in (pair.test, pair.other)]
    if not all(pictures):
        return None
    captions = tag("figcaption", tag("bdi", printable(pair.test)), " and ", tag("bdi", printable(pair.other)))
    return tag("figure", *pictures, captions)


def _picture(path: str, material: Material) -> Html | None:
    from PIL import Image

    content = material.read_path(path)
    if content is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content)) as picture:
                picture.draft("RGB", (2 * SIDE, 2 * SIDE))
                small = picture.convert("RGB")
        small.thumbnail((SIDE, SIDE))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    out = io.BytesIO()
    small.save(out, "JPEG", quality=70)
    source = f"data:image/jpeg;base64,{base64.b64encode(out.getvalue()).decode()}"
    return tag("img", src=source, alt=printable(path), width=small.width, height=small.height)

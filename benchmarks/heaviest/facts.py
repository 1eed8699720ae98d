"""The ten tasks: how many rows the real data have, and what is smaller here; no library is imported for it."""

from __future__ import annotations

from typing import NamedTuple


class Facts(NamedTuple):
    """A heavy task."""

    id: str
    rows: int
    """Rows of the real raw data, of the largest table."""
    what: str
    """What the rows are."""
    floor: str
    """What the floor of preparing does: it reads once what must be read at least, with the preparer's reader."""
    smaller: str = ""
    """What is smaller than in the real data."""


HEAVIEST = {
    facts.id: facts
    for facts in (
        Facts(
            "icecube-neutrinos-in-deep-ice",
            131_953_924,
            "events",
            "reading the events",
            "The files of the pulses are empty: they are placed, and never read.",
        ),
        Facts("new-york-city-taxi-fare-prediction", 55_423_856, "rides", "reading the lines"),
        Facts(
            "h-and-m-personalized-fashion-recommendations",
            31_788_324,
            "purchases",
            "reading the lines",
            "The pictures are empty: they are placed, and never read.",
        ),
        Facts("billion-word-imputation", 30_301_028, "sentences", "inflating the sentences"),
        Facts("text-normalization-challenge-russian-language", 10_574_516, "tokens", "reading the table"),
        Facts(
            "cdiscount-image-classification-challenge",
            7_069_896,
            "products",
            "walking over the products",
            "A picture has 100 bytes instead of 5,000, so that the file has 2 GB instead of 58.",
        ),
        Facts("facebook-recruiting-iii-keyword-extraction", 6_034_195, "questions", "reading the table in pieces"),
        Facts(
            "champs-scalar-coupling",
            4_658_147,
            "pairs of atoms",
            "reading the lines of all tables",
            "The structures' own files are empty: they are placed, and never read.",
        ),
        Facts(
            "herbarium-2021-fgvc8",
            2_257_759,
            "photos",
            "reading the JSON",
            "The photos are empty: they are placed, and never read.",
        ),
        Facts(
            "tensorflow2-question-answering",
            307_373,
            "questions",
            "decoding the lines",
            "An article has a fifth of its real length, so that the file has 3.4 GB instead of 17.5; "
            "1,000 lines are in memory at a time, whatever their number.",
        ),
    )
}

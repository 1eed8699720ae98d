"""The ten tasks: the number of rows of the real data, and what is smaller here. Imports no library."""

from __future__ import annotations

from typing import NamedTuple


class Facts(NamedTuple):
    """A heavy task."""

    id: str
    rows: int
    """Rows of the largest table of the real raw data."""
    what: str
    """What the rows are."""
    floor: str
    """What the floor of preparing does: it reads once what must be read, with the preparer's reader."""
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
            "The pulse files are empty: preparing moves them and never reads them.",
        ),
        Facts("new-york-city-taxi-fare-prediction", 55_423_856, "rides", "reading the lines"),
        Facts(
            "h-and-m-personalized-fashion-recommendations",
            31_788_324,
            "purchases",
            "reading the lines",
            "The pictures are empty: preparing moves them and never reads them.",
        ),
        Facts("billion-word-imputation", 30_301_028, "sentences", "decompressing the sentences"),
        Facts("text-normalization-challenge-russian-language", 10_574_516, "tokens", "reading the table"),
        Facts(
            "cdiscount-image-classification-challenge",
            7_069_896,
            "products",
            "iterating over the products",
            "A picture has 100 bytes instead of 5,000, so the file has 2 GB instead of 58.",
        ),
        Facts("facebook-recruiting-iii-keyword-extraction", 6_034_195, "questions", "reading the table in pieces"),
        Facts(
            "champs-scalar-coupling",
            4_658_147,
            "pairs of atoms",
            "reading the lines of all tables",
            "The files of single structures are empty: preparing moves them and never reads them.",
        ),
        Facts(
            "herbarium-2021-fgvc8",
            2_257_759,
            "photos",
            "reading the JSON",
            "The photos are empty: preparing moves them and never reads them.",
        ),
        Facts(
            "tensorflow2-question-answering",
            307_373,
            "questions",
            "decoding the lines",
            "An article has a fifth of its real length, so the file has 3.4 GB instead of 17.5. "
            "Preparing has 1,000 lines in memory at a time.",
        ),
    )
}

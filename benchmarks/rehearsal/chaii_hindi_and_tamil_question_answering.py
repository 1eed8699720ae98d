"""Simple facts about people in Hindi and Tamil, and questions about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids

if TYPE_CHECKING:
    import numpy as np

TRAIN, TEST, FACTS, REPEATED = 160, 5, 9, 0.4


class Language(NamedTuple):
    """The words of a language: subjects, attributes and values."""

    people: list[str]
    things: dict[str, list[str]]
    fact: str
    question: str


YEARS = [str(year) for year in range(1911, 2003, 7)]
LANGUAGES = {
    "hindi": Language(
        "राम सीता गीता मोहन रवि कमला".split(),
        {
            "नगर": ["दिल्ली", "मुंबई", "पटना", "नई दिल्ली", "जयपुर"],
            "रंग": ["लाल", "नीला", "हरा", "गहरा नीला"],
            "फल": ["आम", "केला", "सेब", "अंगूर"],
            "वर्ष": YEARS,
        },
        "{} का {} {} है।",
        "{} का {} क्या है?",
    ),
    "tamil": Language(
        "ராமன் சீதா கீதா மோகன் ரவி கமலா".split(),
        {
            "நகரம்": ["சென்னை", "மதுரை", "கோவை", "சேலம்"],
            "நிறம்": ["சிவப்பு", "நீலம்", "பச்சை", "அடர் நீலம்"],
            "பழம்": ["மாம்பழம்", "வாழைப்பழம்", "ஆப்பிள்"],
            "ஆண்டு": YEARS,
        },
        "{} உடைய {} {} ஆகும்.",
        "{} உடைய {} என்ன?",
    ),
}


def make(rng: np.random.Generator) -> dict[str, bytes]:
    questions = [question for _ in range((TRAIN + TEST + 1) // 2) for question in make_questions(rng)]
    frame = pd.DataFrame([questions[place] for place in rng.permutation(len(questions))[: TRAIN + TEST]])
    frame.insert(0, "id", hexadecimal_ids(rng, len(frame), digits=9))
    test = frame.iloc[TRAIN:].drop(columns=["answer_text", "answer_start"])
    return {
        "train.csv": csv_bytes(frame.iloc[:TRAIN]),
        "test.csv": csv_bytes(test),
        "sample_submission.csv": csv_bytes(test[["id"]].assign(PredictionString="")),
    }


def make_questions(rng: np.random.Generator) -> list[dict[str, str | int]]:
    """Return two questions on an article; the second is sometimes the first again."""
    name = str(rng.choice(list(LANGUAGES), p=[2 / 3, 1 / 3]))
    language = LANGUAGES[name]
    pairs = [(person, thing) for person in language.people for thing in language.things]
    chosen = [pairs[place] for place in rng.choice(len(pairs), FACTS, replace=False)]
    values = [str(rng.choice(language.things[thing])) for _, thing in chosen]
    facts = [language.fact.format(*pair, value) for pair, value in zip(chosen, values, strict=True)]
    context = "\n\n".join(" ".join(facts[place : place + 3]) for place in range(0, FACTS, 3))
    first, second = rng.integers(FACTS, size=2).tolist()
    return [
        {
            "context": context,
            "question": language.question.format(*chosen[asked]),
            "answer_text": values[asked],
            "answer_start": context.index(values[asked]),
            "language": name,
        }
        for asked in (first, first if rng.random() < REPEATED else second)
    ]

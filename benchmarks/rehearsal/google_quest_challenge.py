"""Questions with one or two answers: words of the text move the ratings."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes

QUESTIONS, TEST = 150, 8
ABOUT_QUESTION = """
asker_intent_understanding body_critical conversational expect_short_answer fact_seeking has_commonly_accepted_answer
interestingness_others interestingness_self multi_intent not_really_a_question opinion_seeking type_choice type_compare
type_consequence type_definition type_entity type_instructions type_procedure type_reason_explanation type_spelling
well_written
""".split()
ABOUT_ANSWER = """
helpful level_of_information plausible relevance satisfaction type_instructions type_procedure type_reason_explanation
well_written
""".split()
RATINGS = [f"question_{name}" for name in ABOUT_QUESTION] + [f"answer_{name}" for name in ABOUT_ANSWER]
LEVELS = np.array([0, 1 / 3, 0.5, 2 / 3, 1]).astype(np.float32).astype(float)
HOSTS = {
    "CULTURE": "english.stackexchange.com",
    "LIFE_ARTS": "cooking.stackexchange.com",
    "SCIENCE": "physics.stackexchange.com",
    "STACKOVERFLOW": "stackoverflow.com",
    "TECHNOLOGY": "askubuntu.com",
}
WORDS = "how why what is the best way to install list, string error cake meaning of force when I run this & <b>".split()


def make(rng: np.random.Generator) -> dict[str, bytes]:
    effects = rng.normal(0, 0.6, (len(WORDS), len(RATINGS)))
    pairs = pd.DataFrame([pair for _ in range(QUESTIONS) for pair in make_pairs(rng, effects)])
    pairs.insert(0, "qa_id", np.cumsum(rng.integers(1, 4, len(pairs))))
    train, test = pairs.iloc[:-TEST], pairs.iloc[-TEST:]
    return {
        "train.csv": csv_bytes(train),
        "test.csv": csv_bytes(test.drop(columns=RATINGS)),
        "sample_submission.csv": csv_bytes(test[["qa_id", *RATINGS]].assign(**dict.fromkeys(RATINGS, 0.5))),
    }


def make_pairs(rng: np.random.Generator, effects: np.ndarray) -> list[dict[str, object]]:
    """Return a question with one answer, or with two in two rows."""
    category = str(rng.choice(list(HOSTS)))
    title, body = make_text(rng, 6), make_text(rng, 14)
    asker = int(rng.integers(1, 5000))
    moved = effects[np.concatenate([title, body])].mean(axis=0)
    pairs = []
    for _ in range(rng.choice([1, 2], p=[0.8, 0.2])):
        answer, author = make_text(rng, 16), int(rng.integers(1, 5000))
        about_answer = np.arange(len(RATINGS)) >= len(ABOUT_QUESTION)
        place = 2.5 + 5 * np.where(about_answer, effects[answer].mean(axis=0), moved) + rng.normal(0, 0.5, len(RATINGS))
        ratings = dict(zip(RATINGS, LEVELS[np.clip(place, 0, 4).astype(int)], strict=True))
        ratings["question_type_spelling"] = LEVELS[2 * int(rng.random() < 0.06)]
        pairs.append(
            {
                "question_title": write(title),
                "question_body": f"{write(body)}\n",
                "question_user_name": f"user{asker}",
                "question_user_page": f"https://{HOSTS[category]}/users/{asker}",
                "answer": f"{write(answer)}\n",
                "answer_user_name": f"user{author}",
                "answer_user_page": f"https://{HOSTS[category]}/users/{author}",
                "url": f"http://{HOSTS[category]}/questions/{asker * 7}/",
                "category": category,
                "host": HOSTS[category],
                **ratings,
            }
        )
    return pairs


def make_text(rng: np.random.Generator, length: int) -> np.ndarray:
    """Return the numbers of some words, where each text prefers a few."""
    favourites = rng.choice(len(WORDS), 4)
    return rng.choice(np.concatenate([favourites, rng.choice(len(WORDS), 4)]), length)


def write(words: np.ndarray) -> str:
    return " ".join(WORDS[word] for word in words)

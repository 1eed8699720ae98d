"""Short Russian sentences: numbers are spelled out, foreign words are spelled by letters, other words are unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.rehearsal.text_normalization_challenge_english_language import make_files

if TYPE_CHECKING:
    import numpy as np

DIGITS = "ноль один два три четыре пять шесть семь восемь девять".split()
WORDS = "в городе был новый дом и река под лесом где жил null он весной".split()
LETTERS = {"b": "б", "e": "е", "l": "л", "o": "о", "r": "р", "u": "у", "J": "д_trans ж"}
FOREIGN = ["Jubel", "blue", "rolle", "Euro"]
SPELLED = [("NA", "н а"), ("США", "с ш а"), ("СССР", "с с с р")]


def make(rng: np.random.Generator) -> dict[str, bytes]:
    return make_files(rng, "ru", make_token)


def make_token(rng: np.random.Generator) -> tuple[str, str, str]:
    number = str(rng.integers(1, 1000))
    spoken = " ".join(DIGITS[int(digit)] for digit in number)
    match rng.choice(["word", "mark", "letters", "digit", "measure", "foreign"], p=[0.7, 0.06, 0.06, 0.08, 0.05, 0.05]):
        case "mark":
            mark = str(rng.choice([",", '"', "—"]))
            return "PUNCT", mark, mark
        case "letters":
            return "LETTERS", *SPELLED[rng.integers(len(SPELLED))]
        case "digit":
            return "DIGIT", number, spoken
        case "measure":
            return "MEASURE", f"{number} км", f"{spoken} километров"
        case "foreign":
            word = str(rng.choice(FOREIGN))
            return "PLAIN", word, " ".join(f"{LETTERS.get(letter, 'е')}_trans" for letter in word)
    word = str(rng.choice(WORDS))
    return "PLAIN", word, word

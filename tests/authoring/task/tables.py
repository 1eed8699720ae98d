"""Tables to make tasks from."""

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine


def tumours():
    return load_breast_cancer(as_frame=True).frame


def wines():
    """Return text classes and ids, missing values, booleans, blanks and commas, and names that no brief can hold."""
    data = load_wine(as_frame=True)
    rows = data.frame.assign(
        target=[f"{data.target_names[code]}, red" for code in data.target],
        bottle=[f"b{number:03}" for number in range(len(data.frame))],
        strong=data.frame["alcohol"] > 13,
        region=np.resize(["north", "south", None], len(data.frame)),
        note=[f"tastes of {number} things" for number in range(len(data.frame))],
        empty=np.nan,
    )
    rows.loc[::7, "hue"] = np.nan
    return rows.rename(columns={"ash": "a`sh", "magnesium": "two\nlines"})


def patients():
    return load_diabetes(as_frame=True).frame


def wide():
    rng = np.random.default_rng(0)
    columns = {f"a_rather_long_name_of_a_column_{n}": rng.normal(size=60) for n in range(400)}
    return pd.DataFrame({**columns, "y": rng.integers(0, 2, 60)})


GOOD = "x,y\n" + "".join(f"{row},{row % 2}\n" for row in range(40))
"""A table with a binary target `y`, as CSV."""

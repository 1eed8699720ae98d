from __future__ import annotations

import numpy as np
import pytest

from mlebench.preparation.draws import Draws


@pytest.mark.parametrize("seed", [0, 7])
def test_draws_are_those_of_a_random_state(seed):
    random, drawn = np.random.RandomState(seed), Draws(seed)
    sizes = np.random.default_rng(1).choice([1, 2, 3, 5, 8, 9, 17, 40, 1000, 2**32 - 1], 300)
    for number, size in enumerate(sizes.tolist()):
        share = 0.3 if number < 150 else 0.02
        wanted = 1
        while random.uniform() > share:
            wanted += 1
        assert drawn.until_at_most(share) == wanted
        if number % 3:
            assert drawn.below(size) == random.randint(1, size + 1) - 1

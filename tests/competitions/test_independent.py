"""Graders of tasks compared with independent implementations: scikit-learn, SciPy, shapely, or the definition itself.

Predictions and answers are the golden data, which also cover where version v1 deviates from the definition.
"""

from __future__ import annotations

import math
import zipfile
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import directed_hausdorff
from scipy.special import rel_entr
from scipy.stats import kendalltau, laplace, spearmanr
from shapely.affinity import rotate, translate
from shapely.geometry import box as rectangle
from sklearn import metrics
from sklearn.metrics.pairwise import haversine_distances

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.answers import load_answers
from mlebench.ground.tables import read_csv
from mlebench.tasks.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mlebench.tasks.grader import Grader

    Score = Callable[[pd.DataFrame, pd.DataFrame], float]

GOLDEN = Path(__file__).parents[1] / "golden"
CASES: dict[str, tuple[tuple[str, ...], Score]] = {}
"""By label of a task: golden submissions with rows in the order of the answers, and an independent score function."""
VOTES = ["seizure_vote", "lpd_vote", "gpd_vote", "lrda_vote", "grda_vote", "other_vote"]
IDENTITIES = "male female homosexual_gay_or_lesbian christian jewish muslim black white psychiatric_or_mental_illness"


def scores(competition_id: str, *submissions: str) -> Callable[[Score], Score]:
    def enter(score: Score) -> Score:
        CASES[competition_id] = (submissions, score)
        return score

    return enter


def mask(code: object, pixels: int) -> np.ndarray:
    """Return the pixels of a run-length code, decoded run by run."""
    cells = np.zeros(int(pixels), dtype=bool)
    numbers = [int(word) for word in code.split()] if isinstance(code, str) and code != "-" else []
    for start, length in zip(numbers[::2], numbers[1::2], strict=True):
        cells[start - 1 : start - 1 + length] = True
    return cells


def masks(
    found: Iterable[object], true: Iterable[object], pixels: Iterable[int]
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return pairs of the true and the predicted mask, as scikit-learn expects them."""
    return [(mask(code, size), mask(other, size)) for other, code, size in zip(found, true, pixels, strict=True)]


@scores("google-research-identify-contrails-reduce-global-warming", "noisy", "very-noisy", "everything")
def dice_of_all(found, true):
    pairs = masks(found["encoded_pixels"], true["encoded_pixels"], true["height"] * true["width"])
    return metrics.f1_score(*(np.concatenate(side) for side in zip(*pairs, strict=True)))


@scores("hubmap-kidney-segmentation", "noisy", "very-noisy", "everything")
def mean_dice(found, true):
    pairs = masks(found["predicted"], true["encoding"], true["width_pixels"] * true["height_pixels"])
    return np.mean([metrics.f1_score(*pair) for pair in pairs])


@scores("vesuvius-challenge-ink-detection", "noisy", "very-noisy", "everything")
def f_half(found, true):
    pairs = masks(found["Predicted"], true["Predicted"], true["width"] * true["height"])
    return np.mean([metrics.fbeta_score(*pair, beta=0.5) for pair in pairs])


@scores("tgs-salt-identification-challenge", "noisy", "cut-80", "cut-60", "all-salt", "iou-65", "iou-90")
def precision_over_thresholds(found, true):
    shares = []
    for wanted, given in masks(found["rle_mask"], true["rle_mask"], [101**2] * len(true)):
        iou = metrics.jaccard_score(wanted, given, zero_division=1)
        shares.append(np.mean([iou > threshold for threshold in np.arange(0.5, 1, 0.05)]))
    return np.mean(shares)


@scores("uw-madison-gi-tract-image-segmentation", "noisy", "rough", "whole-images", "all-empty", "last-row-missing")
def dice_and_distance(found, true):
    """Pair rows by their place for the overlap; compare all days of the answers with those found for the distance."""
    shapes = [(int(width), int(height)) for height, width in true[["image_height", "image_width"]].to_numpy()]
    given, wanted = ([*map(mask, table["predicted"], map(math.prod, shapes))] for table in (found, true))
    pairs = zip(wanted, given, strict=False)
    dice = [metrics.f1_score(*pair) for pair in pairs if np.logical_or(*pair).any()]
    distances = []
    for day, found_day in zip(days(true["id"], wanted, shapes), days(found["id"], given, shapes), strict=False):
        if not day.any() and not found_day.any():
            continue
        places = [np.argwhere(side) / day.shape for side in (day, found_day)]
        is_far = not len(places[0]) or not len(places[1]) or len(places[1]) > 10 * len(places[0])
        ways = [1.0] if is_far else [directed_hausdorff(*way)[0] / 3**0.5 for way in (places, places[::-1])]
        distances.append(max(ways))
    if not dice or not distances:
        return math.nan
    return 0.4 * np.mean(dice) + 0.6 * (1 - np.mean(distances))


def days(ids: Iterable[str], masks: Iterable[np.ndarray], shapes: Iterable[tuple[int, int]]) -> Iterable[np.ndarray]:
    """Yield the slices of each day in the order of their ids, with masks of the same id taken together."""
    slices: dict[str, np.ndarray] = {}
    for id, cells, shape in zip(ids, masks, shapes, strict=False):
        picture = cells.reshape(shape)
        slices[id] = np.logical_or(slices[id], picture) if id in slices else picture
    for _, names in groupby(sorted(slices), key=lambda id: id.split("_slice_")[0]):
        yield np.stack([slices[name] for name in names])


def in_groups_of(words: list[str], size: int) -> list[list[str]]:
    return [words[place : place + size] for place in range(0, len(words), size)]


def box_in_space(words: list[str]) -> tuple[object, float, float, float]:
    """Return the base area, the lower end, the upper end and the volume of a box."""
    x, y, z, width, length, height, yaw = map(float, words)
    ground = rotate(rectangle(-length / 2, -width / 2, length / 2, width / 2), yaw, use_radians=True, origin=(0, 0))
    return translate(ground, x, y), z - height / 2, z + height / 2, width * length * height


def overlap(one, other) -> float:
    shared = one[0].intersection(other[0]).area * max(min(one[2], other[2]) - max(one[1], other[1]), 0)
    return shared / (one[3] + other[3] - shared)


@scores(
    "3d-object-detection-for-autonomous-vehicles", "noisy", "close", "lifted", "every-box-twice", "one-class-missing"
)
def average_precision_of_boxes(found, true):
    samples = []
    for texts in zip(found["PredictionString"], true["PredictionString"], strict=True):
        given, wanted = (in_groups_of(text.split() if isinstance(text, str) else [], 9) for text in texts)
        for threshold in np.linspace(0.5, 0.95, 10):
            areas = []
            for label in {words[8] for words in wanted}:
                boxes = [box_in_space(words[1:8]) for words in wanted if words[8] == label]
                found_before: set[int] = set()
                hits = []
                for words in sorted((w for w in given if w[8] == label), key=lambda words: -float(words[0])):
                    iou = [overlap(box_in_space(words[1:8]), box) for box in boxes]
                    best = int(np.argmax(iou))
                    hits.append(iou[best] > threshold and best not in found_before)
                    found_before |= {best} if hits[-1] else set()
                curve = [(sum(hits[:end]) / len(boxes), sum(hits[:end]) / end) for end in range(1, len(hits) + 1)]
                recalls = [0.0, *(recall for recall, _ in curve)]
                best_from = [max((p for _, p in curve[start:]), default=0) for start in range(len(curve))]
                areas.append(float(np.diff(recalls) @ best_from))
            samples.append(np.mean(areas))
    return np.mean(samples)


def iou_of_boxes(one: list[float], other: list[float]) -> float:
    first, second = rectangle(*one), rectangle(*other)
    return first.intersection(second).area / first.union(second).area


@scores(
    "siim-covid19-detection", "noisy", "only-opacity-boxes-noisy", "every-class-everywhere", "study-box-of-another-size"
)
def average_precision_of_findings(found, true):
    rows = [
        [in_groups_of(text.split(), 6) for text in texts]
        for texts in zip(found["PredictionString"], true["PredictionString"], strict=True)
    ]
    areas = []
    for label in sorted({words[0] for _, wanted in rows for words in wanted}):
        items: list[tuple[int, float]] = []
        for given, wanted in rows:
            free = [[float(word) for word in words[2:]] for words in wanted if words[0] == label]
            there = [words for words in given if words[0] == label]
            items += [] if free or there else [(0, 0)]
            for words in sorted(there, key=lambda words: -float(words[1])):
                iou = [iou_of_boxes([float(word) for word in words[2:]], box) for box in free]
                is_hit = bool(iou) and max(iou) > 0.5
                items.append((int(is_hit), float(words[1])))
                if is_hit:
                    del free[int(np.argmax(iou))]
            items += [(1, 0)] * len(free)
        areas.append(metrics.average_precision_score(*zip(*items, strict=True)))
    return np.mean(areas)


@scores("kuzushiji-recognition", "noisy", "some-empty-pages", "two-inside", "every-point-twice", "exponents")
def f1_of_points(found, true):
    hits = points = boxes = 0
    for texts in zip(found["labels"], true["labels"], strict=True):
        given, wanted = (
            in_groups_of(text.split() if isinstance(text, str) else [], size)
            for text, size in zip(texts, (3, 5), strict=True)
        )
        points, boxes = points + len(given), boxes + len(wanted)
        for label, *numbers in wanted:
            left, top, width, height = map(float, numbers)
            for place, (other, x, y) in enumerate(given):
                if label == other and left < float(x) < left + width and top < float(y) < top + height:
                    del given[place]
                    hits += 1
                    break
    return 2 * hits / (points + boxes)


@scores("AI4Code", "noisy", "random", "reversed")
def kendall(found, true):
    totals = np.zeros(2)
    for given, wanted in zip(found["cell_order"], true["cell_order"], strict=True):
        cells = wanted.split()
        if len(cells) > 1:
            weight = len(cells) * (len(cells) - 1)
            totals += weight * kendalltau(range(len(cells)), list(map(cells.index, given.split()))).statistic, weight
    return totals[0] / totals[1]


@scores("multi-modal-gesture-recognition", "noisy", "single-gestures", "longer-than-truth")
def edits_for_each_gesture(found, true):
    edits = gestures = 0
    for given, wanted in zip(found["Sequence"], true["Sequence"], strict=True):
        one, other = str(wanted).split(), str(given).split()
        row = list(range(len(other) + 1))
        for deleted, left in enumerate(one, 1):
            above, row = row, [deleted]
            for place, right in enumerate(other, 1):
                row.append(min(above[place] + 1, row[-1] + 1, above[place - 1] + (left != right)))
        edits, gestures = edits + row[-1], gestures + len(one)
    return edits / gestures


@scores("tweet-sentiment-extraction", "noisy", "whole-text", "upper-case", "half-empty")
def jaccard_of_words(found, true):
    texts = (table["selected_text"].fillna("").str.lower().str.split() for table in (found, true))
    words = [(set(one), set(other)) for one, other in zip(*texts, strict=True)]
    return np.mean([len(one & other) / len(one | other) for one, other in words])


@scores("h-and-m-personalized-fashion-recommendations", "noisy", "hits-after-three", "repeated-articles")
def map_at_12(found, true):
    given = found.set_index("customer_id")["prediction"].str.split()
    gains = []
    for customer, text in zip(true["customer_id"], true["prediction"], strict=True):
        wanted, guesses = set(str(text).split()), given[customer][:12]
        hits = [guess in wanted and guess not in guesses[:place] for place, guess in enumerate(guesses)]
        gain = metrics.average_precision_score(hits, range(len(hits), 0, -1)) if any(hits) else 0
        gains.append(gain * sum(hits) / min(len(wanted), 12))
    return np.mean(gains)


@scores("tensorflow2-question-answering", "noisy", "all-yes", "only-long", "all-wrong")
def f1_of_being_right(found, true):
    given = found.set_index("example_id")["PredictionString"].fillna("")
    pairs = []
    for example in true:
        note = example["annotations"][0]
        words = {note["yes_no_answer"]} - {"NONE"}
        for kind, spans, others in (("long", [note["long_answer"]], set()), ("short", note["short_answers"], words)):
            there = {
                f"{span['start_token']}:{span['end_token']}" for span in spans if span["start_token"] >= 0
            } | others
            text = given[f"{example['example_id']}_{kind}"].strip()
            pairs.append((text in there if text else bool(there), bool(text)))
    return metrics.f1_score(*np.transpose(pairs), average="micro")


@scores("google-quest-challenge@v2", "noisy", "ties")
@scores("google-quest-challenge", "noisy", "ties", "noisy-monotone-transformed")
def mean_spearman(found, true):
    return np.mean([spearmanr(true[name], found[name]).statistic for name in true.columns[1:]])


@scores(
    "alaska2-image-steganalysis", "noisy", "noisier", "random", "many-ties", "good-at-the-top", "inverted", "one-value"
)
def weighted_area(found, true):
    false_rate, true_rate, _ = metrics.roc_curve(true["Label"], found["Label"])
    place = int(np.searchsorted(true_rate, 0.4))
    between = np.interp(0.4, true_rate[place - 1 : place + 1], false_rate[place - 1 : place + 1])
    false_rate, true_rate = np.insert(false_rate, place, between), np.insert(true_rate, place, 0.4)
    bands = [
        metrics.auc([*false_rate[chosen], 1], [*(true_rate[chosen] - low), height])
        for chosen, low, height in ((true_rate <= 0.4, 0, 0.4), (true_rate >= 0.4, 0.4, 0.6))
    ]
    return (2 * bands[0] + bands[1]) / 1.4


@scores("jigsaw-unintended-bias-in-toxicity-classification", "noisy", "noisy-binary", "noisy-half-scale")
def area_with_bias(found, true):
    toxic, called = true["toxicity"] >= 0.5, found["prediction"] >= 0.5
    groups = [true[name] >= 0.5 for name in IDENTITIES.split()]
    subsets = (groups, [toxic != group for group in groups], [toxic == group for group in groups])
    areas = [[metrics.roc_auc_score(toxic[rows], called[rows]) for rows in rows_of] for rows_of in subsets]
    means = [np.mean(np.power(area, -5)) ** (-1 / 5) for area in areas]
    return np.mean([metrics.roc_auc_score(toxic, called), *means])


@scores("jigsaw-unintended-bias-in-toxicity-classification@v2", "noisy", "noisy-binary", "noisy-half-scale")
def area_of_ranks_with_bias(found, true):
    toxic, predictions = true["toxicity"] >= 0.5, found["prediction"]
    groups = [true[name] >= 0.5 for name in IDENTITIES.split()]
    subsets = (groups, [toxic != group for group in groups], [toxic == group for group in groups])
    areas = [[metrics.roc_auc_score(toxic[rows], predictions[rows]) for rows in rows_of] for rows_of in subsets]
    means = [np.mean(np.power(area, -5)) ** (-1 / 5) for area in areas]
    return np.mean([metrics.roc_auc_score(toxic, predictions), *means])


@scores("jigsaw-toxic-comment-classification-challenge@v2", "noisy", "outside-zero-one")
@scores("jigsaw-toxic-comment-classification-challenge", "noisy", "noise-in-unscored-rows", "outside-zero-one")
def mean_area(found, true):
    counts = (true.iloc[:, 1:] >= 0).all(axis=1)
    return metrics.roc_auc_score(true.iloc[:, 1:][counts], found[true.columns[1:]][counts])


@scores("hms-harmful-brain-activity-classification", "noisy", "per-eeg", "swapped-within-eeg")
def divergence(found, true):
    shares = true[VOTES].div(true[VOTES].sum(axis=1), axis=0)
    return rel_entr(shares, found[VOTES].clip(1e-15, 1 - 1e-15)).sum(axis=1).mean()


@scores("rsna-2022-cervical-spine-fracture-detection", "noisy", "overall-only", "zeros-and-ones")
def weighted_log_loss(found, true):
    weight = np.where(true["prediction_type"] == "patient_overall", 7, 1) * (1 + true["fractured"])
    table = true.assign(weight=weight, found=found["fractured"].clip(1e-15, 1 - 1e-15))
    return np.mean(
        [
            metrics.log_loss(study["fractured"], study["found"], sample_weight=study["weight"], labels=[0, 1])
            for _, study in table.groupby("StudyInstanceUID")
        ]
    )


@scores("rsna-breast-cancer-detection", "noisy", "binary", "beyond-zero-and-one")
def probabilistic_f1(found, true):
    likelihood = found["cancer"].clip(0, 1)
    precision = likelihood[true["cancer"] == 1].sum() / likelihood.sum()
    recall = likelihood[true["cancer"] == 1].sum() / true["cancer"].sum()
    return 2 * precision * recall / (precision + recall)


@scores("icecube-neutrinos-in-deep-ice", "noisy", "opposite", "zeros")
def mean_angle(found, true):
    """Return the angle from its tangent, which is also exact for small angles."""
    one, other = (
        np.stack([np.sin(z) * np.cos(a), np.sin(z) * np.sin(a), np.cos(z)], axis=1)
        for a, z in ((table["azimuth"], table["zenith"]) for table in (found, true))
    )
    return np.mean(np.arctan2(np.linalg.norm(np.cross(one, other), axis=1), (one * other).sum(axis=1)))


@scores("smartphone-decimeter-2022", "noisy", "one-far", "rounded")
def distances_of_trips(found, true):
    places = [np.radians(table[["LatitudeDegrees", "LongitudeDegrees"]].to_numpy()) for table in (found, true)]
    metres = np.diag(haversine_distances(*places)) * 6_371_000
    trips = pd.Series(metres).groupby(true["tripId"])
    return np.mean((trips.quantile(0.5) + trips.quantile(0.95)) / 2)


@scores("osic-pulmonary-fibrosis-progression", "noisy", "constant", "negative-confidence")
def likelihood(found, true):
    visits = true[true["FVC"].notna()].sort_values("Weeks").groupby("Patient").tail(3).set_index("Patient_Week")
    found = found.set_index("Patient_Week").loc[visits.index]
    sigma, error = found["Confidence"].clip(lower=70), (found["FVC"] - visits["FVC"]).abs().clip(upper=1000)
    return laplace.logpdf(error, scale=sigma / np.sqrt(2)).mean()


@scores("stanford-covid-vaccine", "noisy")
def error_of_scored_positions(found, true):
    columns = ["reactivity", "deg_Mg_pH10", "deg_Mg_50C"]
    keep = true["keep"].to_numpy()
    return metrics.root_mean_squared_error(true.loc[keep, columns], found.loc[keep, columns])


@scores("ventilator-pressure-prediction", "noisy", "outlier", "noise-in-unscored-rows")
def error_while_breathing_in(found, true):
    closed = true["u_out"] == 0
    return metrics.mean_absolute_error(true["pressure"][closed], found["pressure"][closed])


@scores("champs-scalar-coupling", "noisy", "constant", "off-by-a-trifle")
def log_of_errors(found, true):
    errors = [
        metrics.mean_absolute_error(rows["scalar_coupling_constant"], found.loc[rows.index, "scalar_coupling_constant"])
        for _, rows in true.groupby("type")
    ]
    return np.mean(np.log(errors))


@scores("champs-scalar-coupling@v2", "noisy", "constant", "one-type-perfect", "perfect")
def log_of_errors_with_a_floor(found, true):
    errors = (found["scalar_coupling_constant"] - true["scalar_coupling_constant"]).abs()
    return np.log(errors.groupby(true["type"]).mean().clip(lower=1e-9)).mean()


@scores("predict-volcanic-eruptions-ingv-oe", "noisy", "constant", "half-to-even-down", "half-to-even-up")
def rounded_error(found, true):
    return np.round(metrics.mean_absolute_error(true["time_to_eruption"], found["time_to_eruption"]))


@scores("nomad2018-predict-transparent-conductors", "noisy", "zeros")
def mean_of_column_errors(found, true):
    columns = ["formation_energy_ev_natom", "bandgap_energy_ev"]
    return np.mean([metrics.root_mean_squared_log_error(true[name], found[name]) for name in columns])


@scores("inaturalist-2019-fgvc6", "noisy", "very-noisy", "most-frequent-class")
def share_of_errors(found, true):
    return metrics.zero_one_loss(true["predicted"], found["predicted"])


@pytest.mark.parametrize(("competition_id", "name"), [(id, name) for id in CASES for name in CASES[id][0]])
def test_the_score_equals_that_of_an_independent_implementation(competition_id, name, tmp_path):
    grader, submission, answers = golden(competition_id, name, tmp_path)
    wanted = CASES[competition_id][1](submission, answers)
    assert grader.score(submission, answers) == pytest.approx(wanted, rel=1e-9, abs=1e-7)


@pytest.mark.parametrize("name", ["noisy", "rough", "perfect", "whole-images"])
def test_the_score_of_some_rows_is_that_of_an_independent_implementation(name, tmp_path, seed):
    """Version v1 of one task grades submissions that lack rows, or have too many."""
    grader, submission, answers = golden("uw-madison-gi-tract-image-segmentation", name, tmp_path)
    random = np.random.default_rng(seed)
    rows = len(answers)
    subsets = [np.arange(count) for count in (0, 1, 2, 3, 9, 10, 14, 30, rows - 1)]
    subsets += [np.arange(rows + 3) % rows, *([row] for row in random.choice(rows, 12))]
    subsets += [np.delete(np.arange(rows), row) for row in random.choice(rows, 6)]
    for subset in subsets:
        found = submission.iloc[subset].reset_index(drop=True)
        try:
            wanted = dice_and_distance(found, answers)
        except ValueError:  # masks of one day are decoded with different sizes
            with pytest.raises(InvalidSubmissionError):
                grader.score(found, answers)
        else:
            assert grader.score(found, answers) == pytest.approx(wanted, rel=1e-9, nan_ok=True), subset


def golden(competition_id: str, name: str, folder: Path) -> tuple[Grader, pd.DataFrame, pd.DataFrame]:
    competition = Registry(folder).get_competition(competition_id)
    with zipfile.ZipFile(GOLDEN / competition.id / "private.zip") as private:
        answers = load_answers(Path(private.extract(competition.answers.name, folder)))
    return competition.grader, read_csv(GOLDEN / competition.id / "submissions" / f"{name}.csv"), answers


def test_every_task_with_its_own_grade_function_has_an_independent_implementation():
    registry = Registry()
    own = {id for id in registry.list_competition_ids() if registry.get_declaration(id).grade}
    assert own - CASES.keys() == {"vinbigdata-chest-xray-abnormalities-detection"}  # has its own test module

"""What scanners find in rehearsal data: the faults of v1 that these data have, and what remains in later versions.

A row is a task with a version, a scanner, and the column or file of the finding (a part of it is enough; the empty text
for any). `FOUND` must be found. Later versions of the tasks in `REPAIRED` must be without findings of these scanners.
"""

from __future__ import annotations

FOUND = (
    ("aptos2019-blindness-detection", "copies", "test_images/"),
    ("cassava-leaf-disease-classification", "labels", "target"),
    ("chaii-hindi-and-tamil-question-answering", "copies", "question"),
    ("facebook-recruiting-iii-keyword-extraction", "copies", "test.csv"),
    ("hms-harmful-brain-activity-classification", "grader", "reverse order"),
    ("hubmap-kidney-segmentation", "labels", "geometry.coordinates"),
    ("iwildcam-2019-fgvc6", "sample", "Unnamed: 0"),
    ("leaf-classification", "near_copies", ""),
    ("multi-modal-gesture-recognition", "labels", "Video.Labels.Name"),
    ("nomad2018-predict-transparent-conductors", "grader", "reverse order"),
    ("osic-pulmonary-fibrosis-progression", "grader", "nothing in the first target column"),
    ("plant-pathology-2021-fgvc8", "near_copies", ""),
    ("random-acts-of-pizza", "columns", "giver_username_if_known"),
    ("siim-isic-melanoma-classification", "labels", "target"),
    ("smartphone-decimeter-2022", "grader", "reverse order"),
    ("paddy-disease-classification", "copies", "test_images/"),
    ("stanford-covid-vaccine", "grader", "reverse order"),
    ("statoil-iceberg-classifier-challenge", "groups", "inc_angle"),
    ("the-icml-2013-whale-challenge-right-whale-redux", "order", "sampleSubmission.csv"),
    ("us-patent-phrase-to-phrase-matching", "grader", "a blank cell"),
    ("uw-madison-gi-tract-image-segmentation", "grader", "reverse order"),
    ("whale-categorization-playground", "near_copies", "test/"),
)
"""Task, scanner, and a part of the finding's column or file."""

REPAIRED = (
    ("cassava-leaf-disease-classification@v2", "labels"),
    ("hms-harmful-brain-activity-classification@v2", "grader"),
    ("nomad2018-predict-transparent-conductors@v2", "grader"),
    ("siim-isic-melanoma-classification@v2", "labels"),
    ("stanford-covid-vaccine@v2", "grader"),
    ("paddy-disease-classification@v2", "copies"),
    ("statoil-iceberg-classifier-challenge@v2", "groups"),
)
"""Task with a version, and a scanner that must be silent."""

NEUTRAL = (
    "alaska2-image-steganalysis",
    "dogs-vs-cats-redux-kernels-edition",
    "herbarium-2020-fgvc7",
    "hotel-id-2021-fgvc8",
    "paddy-disease-classification",
    "plant-seedlings-classification",
    "tensorflow-speech-recognition-challenge",
)
"""Tasks whose raw data lie class by class: `metadata` must be silent on what mlebench prepares."""

"""Hotels from photos of their rooms."""

from pathlib import Path

from mlebench.preparation import place_by_folder, read_csv, train_test_split, write_csv


def prepare(raw: Path, public: Path, private: Path) -> None:
    photos = read_csv(raw / "train.csv")
    photos = photos[photos["image"] != "ce27d36c9147cc19.jpg"]  # listed twice, with different hotels
    train, test = train_test_split(photos, test_size=0.1)
    guesses = test[["image"]].assign(hotel_id="36363 53586 18807 64314 60181")
    write_csv(train, public / "train.csv")
    write_csv(guesses, public / "sample_submission.csv")
    write_csv(test, private / "test.csv")
    place_by_folder(train["image"], train["chain"], raw / "train_images", public / "train_images")
    place_by_folder(test["image"], test["chain"], raw / "train_images", public / "test_images", flat=True)

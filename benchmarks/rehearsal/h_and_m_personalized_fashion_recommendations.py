"""Customers who buy a few kinds of articles; most of the recent buyers also buy on the test days."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.rehearsal.making import csv_bytes, hexadecimal_ids, picture_bytes

CUSTOMERS, IDLE, ARTICLES, PICTURES, DAYS, PURCHASES = 60, 15, 48, 24, 30, 900
LAST = pd.Timestamp("2020-09-22")
PRICES = ["0.05083050847457627", "0.010", "0.1", "1e-05", "0.01692", "0.033881355932203386", "0.00001"]
KINDS = ["Trousers", "Dress", "Sweater", "Socks"]
PAIRS = {
    "graphical_appearance": ("no", "name", ["Solid", "Stripe"]),
    "colour_group": ("code", "name", ["Black", "White", "Blue"]),
    "perceived_colour_value": ("id", "name", ["Dark", "Light"]),
    "perceived_colour_master": ("id", "name", ["Black", "White"]),
    "department": ("no", "name", ["Jersey", "Basic 1"]),
    "index": ("code", "name", ["Ladieswear", "Menswear"]),
    "index_group": ("no", "name", ["Ladieswear", "Menswear"]),
    "section": ("no", "name", ["Everyday", "Kids, Boy"]),
    "garment_group": ("no", "name", ["Jersey Basic", "Under-, Nightwear"]),
}


def make(rng: np.random.Generator) -> dict[str, bytes]:
    articles = make_articles(rng)
    customers = make_customers(rng)
    sample = customers[["customer_id"]].assign(prediction=" ".join(articles["article_id"][:4]))
    files = {
        "transactions_train.csv": csv_bytes(make_purchases(rng, articles, customers["customer_id"].to_numpy())),
        "articles.csv": csv_bytes(articles),
        "customers.csv": csv_bytes(customers),
        "sample_submission.csv": csv_bytes(sample),
    }
    for id, kind in articles[["article_id", "product_type_no"]][:PICTURES].itertuples(index=False):
        pixels = np.full((12, 8), 60 * (kind + 1)) + rng.integers(-10, 10, (12, 8))
        files[f"images/{id[:3]}/{id}.jpg"] = picture_bytes(pixels, "JPEG", quality=20)
    return files


def make_articles(rng: np.random.Generator) -> pd.DataFrame:
    products = rng.choice(np.arange(100_000, 960_000), ARTICLES, replace=False)
    kinds = np.arange(ARTICLES) % len(KINDS)
    columns = {
        "article_id": [f"0{product}{number % 9 + 1:03}" for number, product in enumerate(products)],
        "product_code": [f"0{product}" for product in products],
        "prod_name": [f"{KINDS[kind]} {number}" for number, kind in enumerate(kinds)],
        "product_type_no": kinds,
        "product_type_name": [KINDS[kind] for kind in kinds],
        "product_group_name": ["Garment"] * ARTICLES,
    }
    for name, (number, text, values) in PAIRS.items():
        codes = rng.integers(0, len(values), ARTICLES)
        columns |= {f"{name}_{number}": codes, f"{name}_{text}": [values[code] for code in codes]}
    columns["detail_desc"] = rng.choice(["Soft, in cotton.", 'A "slim" fit.', ""], ARTICLES)
    return pd.DataFrame(columns).sort_values("article_id")


def make_customers(rng: np.random.Generator) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "customer_id": sorted(hexadecimal_ids(rng, CUSTOMERS, digits=64)),
            "FN": rng.choice(["1.0", ""], CUSTOMERS),
            "Active": rng.choice(["1.0", ""], CUSTOMERS),
            "club_member_status": rng.choice(["ACTIVE", "PRE-CREATE", ""], CUSTOMERS),
            "fashion_news_frequency": rng.choice(["NONE", "Regularly"], CUSTOMERS),
            "age": rng.integers(18, 70, CUSTOMERS),
            "postal_code": hexadecimal_ids(rng, CUSTOMERS, digits=64),
        }
    )


def make_purchases(rng: np.random.Generator, articles: pd.DataFrame, customers: np.ndarray) -> pd.DataFrame:
    """Return purchases by date; the first and last customers buy on the last day, some others nothing."""
    idle = rng.choice(np.arange(2, CUSTOMERS - 1), IDLE, replace=False)
    buyers = np.setdiff1d(np.arange(CUSTOMERS), idle)
    who = np.concatenate([rng.choice(buyers, PURCHASES), [0, 1, CUSTOMERS - 1]])
    days = np.concatenate([np.sort(rng.integers(0, DAYS, PURCHASES)), np.full(3, DAYS - 1)])
    favourites = rng.choice(ARTICLES, (CUSTOMERS, 3))
    liked = favourites[who, rng.integers(0, 3, len(who))]
    what = np.where(rng.random(len(who)) < 0.8, liked, rng.integers(0, ARTICLES, len(who)))
    return pd.DataFrame(
        {
            "t_dat": (LAST - pd.to_timedelta(DAYS - 1 - days, unit="D")).strftime("%Y-%m-%d"),
            "customer_id": customers[who],
            "article_id": articles["article_id"].to_numpy()[what],
            "price": rng.choice(PRICES, len(who)),
            "sales_channel_id": rng.integers(1, 3, len(who)),
        }
    )

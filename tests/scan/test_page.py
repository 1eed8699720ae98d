from __future__ import annotations

import io
import re

from PIL import Image

import mlebench


def test_a_page_shows_pictures_of_copies_and_makes_no_requests(make, rows, rng, tmp_path):
    def picture():
        out = io.BytesIO()
        Image.frombytes("RGB", (40, 40), rng.bytes(4800)).save(out, "PNG")
        return out.getvalue()

    train, test = rows(12)[["id", "label"]], rows(10)[["id", "label"]]
    public = {f"train/{key}.png": picture() for key in train["id"]}
    public |= {f"test/{key}.png": picture() for key in test["id"]}
    public[f"train/{train['id'][0]}.png"] = public[f"test/{test['id'][0]}.png"]
    mlebench.scan_task(make(train, test, public), only=["copies"], out=tmp_path / "scan.html")
    page = (tmp_path / "scan.html").read_text()
    assert len(re.findall(r'<img src="data:image/jpeg;base64,[\w+/=]+"', page)) == 2
    assert "img-src data:" in page
    assert not re.search(r'(src|href)="(?!data:|#)', page)


def test_texts_of_data_are_escaped(make, rows, tmp_path):
    train, test = rows(40), rows(10)
    for table in (train, test):
        table["<script>"] = [f"the same long text in row {number} of each table" for number in range(len(table))]
    mlebench.scan_task(make(train, test), only=["copies"], out=tmp_path / "scan.html")
    page = (tmp_path / "scan.html").read_text()
    assert "&lt;script&gt;" in page
    assert "<script" not in page

"""JPEG pictures keep their pixels and lose their metadata."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageCms

from mlebench.errors import RawDataError
from mlebench.preparation import cut_jpeg_metadata

DATE_TIME = 0x0132
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def picture(mode: str) -> Image.Image:
    pixels = np.random.default_rng(7).integers(0, 256, (24, 40, 3), dtype=np.uint8)
    return Image.fromarray(pixels).convert(mode)


def jpeg(mode: str, **options) -> bytes:
    exif = Image.Exif()
    exif[DATE_TIME] = "2020:05:17 10:11:12"
    file = io.BytesIO()
    picture(mode).save(file, "JPEG", exif=exif, comment=b"taken at noon", **options)
    content = file.getvalue()
    photoshop = b"Photoshop 3.0\0 2020-05-17"
    return content[:2] + b"\xff\xed" + (len(photoshop) + 2).to_bytes(2, "big") + photoshop + content[2:]


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"icc_profile": PROFILE}, {"dpi": (300, 300)}])
def test_metadata_are_gone_and_pixels_are_the_same(mode, options):
    content = jpeg(mode, **options)
    assert Image.open(io.BytesIO(content)).getexif()[DATE_TIME]
    result = cut_jpeg_metadata(content)
    for word in (b"Exif", b"2020", b"noon", b"Photoshop"):
        assert word in content
        assert word not in result
    before, after = (Image.open(io.BytesIO(data)) for data in (content, result))
    assert before.tobytes() == after.tobytes()
    assert before.mode == after.mode
    assert before.info.get("icc_profile") == after.info.get("icc_profile")
    assert before.info.get("jfif_density") == after.info.get("jfif_density")


def test_a_picture_without_metadata_is_unchanged():
    file = io.BytesIO()
    picture("RGB").save(file, "JPEG")
    assert cut_jpeg_metadata(file.getvalue()) == file.getvalue()


def test_fill_bytes_before_a_marker_are_skipped():
    content = jpeg("RGB")
    assert cut_jpeg_metadata(content[:2] + b"\xff\xff" + content[2:]) == cut_jpeg_metadata(content)


@pytest.mark.parametrize("content", [b"", b"\xff", b"\x89PNG\r\n\x1a\n"])
def test_other_formats_are_refused(content):
    with pytest.raises(RawDataError, match="not in JPEG format"):
        cut_jpeg_metadata(content)


@pytest.mark.parametrize("length", [2, 3, 5, 20, 100])
def test_a_picture_that_ends_early_is_refused(length):
    with pytest.raises(RawDataError, match="damaged"):
        cut_jpeg_metadata(jpeg("RGB")[:length])

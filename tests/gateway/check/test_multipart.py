"""The multipart parser accepts what clients send and nothing else."""

from __future__ import annotations

import io
import random
from contextlib import suppress

import pytest

from mlebench.gateway.check.multipart import MultipartError, boundary_of, read_field


def body(*parts, boundary=b"B", end=b"--\r\n"):
    pieces = [b"--" + boundary + b"\r\n" + head + b"\r\n\r\n" + content + b"\r\n" for head, content in parts]
    return b"".join(pieces) + b"--" + boundary + end


def field(name, content):
    head = f'Content-Disposition: form-data; name="{name}"; filename="x.csv"\r\nContent-Type: text/csv'
    return head.encode(), content


def parse(data, *, chunk=None, boundary=b"B"):
    stream, out = io.BytesIO(data), io.BytesIO()
    size = read_field(lambda size: stream.read(chunk or size), boundary, "file", out.write)
    assert size == len(out.getvalue())
    return out.getvalue()


HARD = [b"", b"\r\n", b"\r\n--", b"\r\n--A", b"--B", b"\r\n-\r\n--\r\n--C--", bytes(range(256))]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64, None])
@pytest.mark.parametrize("content", [b"id,y\r\n1,2\r\n", *HARD])
def test_content_is_read_unchanged(content, chunk):
    data = body(field("other", b"zzz"), field("file", content), field("more", b""))
    assert parse(data, chunk=chunk) == content


def test_random_content_in_random_chunks_is_read_unchanged():
    generator = random.Random(0)
    for _ in range(200):
        content = bytes(generator.choices(b"\r\n-Bx", k=generator.randrange(80)))
        if b"\r\n--B" in b"\r\n" + content:
            continue
        assert parse(body(field("file", content)), chunk=generator.randrange(1, 20)) == content


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "ends before"),
        (b"--B", "ends before"),
        (b"preamble\r\n--B--\r\n", "does not begin"),
        (b"--B--\r\n", "no file"),
        (b"--Bx\r\n", "line end"),
        (body(field("other", b"x")), "no file"),
        (body(field("file", b"x"), field("file", b"y")), "more than one"),
        (body(field("file", b"x"))[:-6], "ends before"),
        (body((b"Content-Type: text/csv", b"x")), "no Content-Disposition"),
        (body((b"Content-Disposition: attachment; name=file", b"x")), "not a form field"),
        (body((b"Content-Disposition: form-data", b"x")), "not a form field"),
        (body((b"no colon", b"x")), "malformed header"),
        (body((b"Content-Disposition: form-data; name=file\r\nno colon", b"x")), "malformed header"),
        (body((b"Content-Disposition: form-data; name=file\r\n folded: line", b"x")), "malformed header"),
        (body((b"Content-Disposition : form-data; name=file", b"x")), "malformed header"),
        (body((b"Content-Disposition: form-data; name=file\nX: y", b"x")), "malformed header"),
        (body((b"Content-Disposition: form-data; name=file; filename=\0", b"x")), "malformed header"),
        (body((b"\r\n".join([b"Content-Disposition: form-data; name=file"] * 2), b"x")), "2 Content-Disposition"),
        (body((b"X: " + b"y" * 100_000, b"x")), "too long"),
        (b"--B\r\n" + b"X: y\r\n" * 5000, "too long"),
        (body(*[field(f"f{i}", b"") for i in range(50)]), "more than 16"),
    ],
)
def test_malformed_bodies_are_refused(data, message):
    with pytest.raises(MultipartError, match=message):
        parse(data)


def test_any_bytes_end_in_a_result_or_an_error():
    generator = random.Random(1)
    good = body(field("file", b"id,y\r\n"))
    for _ in range(500):
        data = bytearray(good)
        for _ in range(generator.randrange(1, 6)):
            data[generator.randrange(len(data))] = generator.randrange(256)
        with suppress(MultipartError):
            parse(bytes(data), chunk=generator.randrange(1, 40))


@pytest.mark.parametrize(
    ("header", "boundary"),
    [
        ("multipart/form-data; boundary=abc", b"abc"),
        ('Multipart/Form-Data; charset=utf-8; boundary="a b"', b"a b"),
    ],
)
def test_the_boundary_is_read_from_the_header(header, boundary):
    assert boundary_of(header) == boundary


@pytest.mark.parametrize(
    "header",
    [
        *(None, "", "\x00", "text/csv", "multipart/form-data", "multipart/form-data; boundary="),
        *("multipart/mixed; boundary=a", f"multipart/form-data; boundary={'a' * 71}"),
        'multipart/form-data; boundary="a\xe4"',
    ],
)
def test_a_header_without_a_valid_boundary_is_refused(header):
    with pytest.raises(MultipartError):
        boundary_of(header)

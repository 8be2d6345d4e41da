"""Numbers of many grid points in few bytes: quantised, stored once per distinct array, delta-coded and deflated.

Layout of a payload (after inflating): header length (4 bytes), header (JSON), then the streams of one-byte codes,
of two-byte codes (low bytes, high bytes), of exact float32 (four byte planes) and of the ranges (same).
`js/store.js` is the reader's side; `read` here is the same in Python, for tests.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.errors import require

# Anything larger is a run on its way to overflow; float32 could not hold it.
LIMIT = 1e30


class Codec(NamedTuple):
    """How an array is stored: bits (None: exact float32), logarithm first, differences between frames (first axis)."""

    bits: int | None = None
    log: bool = False
    frames: bool = False


class Item(NamedTuple):
    """An array to draw and how to store it."""

    array: NDArray
    codec: Codec = Codec()


def clean(item: Item) -> NDArray[np.float32]:
    """The array as drawn: float32, NaN where nothing is (non-finite, huge, or not positive on a log axis)."""
    values = np.asarray(item.array, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        bad = ~(np.abs(values) <= LIMIT) | (values <= 0 if item.codec.log else False)
    return np.where(bad, np.nan, values).astype(np.float32)


def quantise(values: NDArray[np.float32], codec: Codec) -> tuple[NDArray[np.uint16], float, float]:
    """Codes (0 for NaN, then 1 .. 2^bits - 1) and the range they span, of a cleaned array.

    The error is at most half a step, (high - low) / (2^bits - 2) / 2; on a log axis in decimal orders.
    """
    assert codec.bits is not None
    levels = 2**codec.bits - 2
    exact = values.astype(np.float64)
    if codec.log:
        exact = np.log10(exact)
    known = np.isfinite(exact)
    if not known.any():
        return np.zeros(values.shape, np.uint16), 0.0, 0.0
    low, high = (float(np.float32(f(exact[known]))) for f in (np.min, np.max))
    span = high - low
    codes = np.zeros(values.shape) if span == 0 else np.rint((exact - low) / span * levels)
    # The range is rounded to float32, so the ends may fall a rounding outside.
    return np.where(known, np.clip(codes, 0, levels) + 1, 0).astype(np.uint16), low, high


def dequantise(codes: NDArray, codec: Codec, low: float, high: float) -> NDArray[np.float64]:
    """The numbers behind the codes; NaN for code 0."""
    assert codec.bits is not None
    values = low + (codes.astype(np.float64) - 1) * ((high - low) / (2**codec.bits - 2))
    values = 10**values if codec.log else values
    return np.where(codes == 0, np.nan, values)


def _stride(shape: Sequence[int], codec: Codec) -> int:
    """Distance to the element a difference is taken with: the previous one, or the same cell one frame before."""
    return max(1, math.prod(shape[1:])) if codec.frames else 1


def _differences(codes: NDArray, stride: int) -> NDArray[np.uint16]:
    """Zigzag-coded differences, (n,): small for smooth data whatever their sign."""
    flat = codes.ravel().astype(np.int32)
    change = flat.copy()
    change[stride:] -= flat[:-stride]
    return ((change << 1) ^ (change >> 31)).astype(np.uint16)


def _planes(values: NDArray) -> bytes:
    """Bytes of an array, all first bytes first: what compresses well lies together."""
    raw = np.frombuffer(values.astype(values.dtype.newbyteorder("<")).tobytes(), np.uint8)
    return raw.reshape(-1, values.dtype.itemsize).T.tobytes()


def _steps(ids: Sequence[int]) -> list[int]:
    """Differences of a list of numbers: mostly ones and noughts."""
    return [b - a for a, b in zip([0, *ids[:-1]], ids, strict=True)]


def pack(points: Sequence[Mapping[str, Item]], texts: Mapping[str, Sequence[str]]) -> bytes:
    """Deflated payload of all points of a grid.

    Args:
        points: for each grid point the arrays to draw, same keys at every point.
        texts: for each kind of sentence one text a point.

    Raises:
        InputError: if the points differ in their keys, or a codec asks for a number of bits outside 2..15.
    """
    streams: dict[int, list[NDArray]] = {8: [], 16: [], 32: []}
    shapes: dict[tuple[int, ...], int] = {}
    codecs: dict[Codec, int] = {}
    arrays: list[tuple[int, int]] = []
    ranges: list[tuple[float, float]] = []
    seen: dict[tuple[Any, ...], int] = {}
    index: dict[str, list[int]] = {}
    keys = list(points[0])
    for i, point in enumerate(points):
        require(list(point) == keys, "points", f"the keys {keys} at every point", f"{list(point)} at point {i}")
    for key in keys:
        ids = []
        for item in (point[key] for point in points):
            codec, values = item.codec, clean(item)
            stored: NDArray[Any]
            if codec.bits is None:
                low = high = 0.0
                stream, stored = 32, values.ravel()
            else:
                require(2 <= codec.bits <= 15, "bits", "2 to 15", codec.bits)
                codes, low, high = quantise(values, codec)
                stream = 8 if codec.bits <= 7 else 16
                stored = _differences(codes, _stride(values.shape, codec))
                stored = stored.astype(np.uint8) if stream == 8 else stored
            mark = (values.shape, codec, low, high, stored.tobytes())
            if mark not in seen:
                seen[mark] = len(arrays)
                streams[stream].append(stored)
                arrays.append((shapes.setdefault(values.shape, len(shapes)), codecs.setdefault(codec, len(codecs))))
                ranges.append((low, high))
            ids.append(seen[mark])
        index[key] = _steps(ids)
    unique = {kind: list(dict.fromkeys(many)) for kind, many in texts.items()}
    header = {
        "points": len(points),
        "index": index,
        "shapes": [list(s) for s in shapes],
        "codecs": [[c.bits or 0, int(c.log), int(c.frames)] for c in codecs],
        "shape": _steps([a for a, _ in arrays]),
        "codec": _steps([b for _, b in arrays]),
        "texts": {kind: [unique[kind], _steps([unique[kind].index(t) for t in many])] for kind, many in texts.items()},
    }
    head = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    joined = {width: np.concatenate(parts) if parts else np.zeros(0) for width, parts in streams.items()}
    body = [
        joined[8].astype(np.uint8).tobytes(),
        _planes(joined[16].astype(np.uint16)),
        _planes(joined[32].astype(np.float32)),
        _planes(np.array(ranges, np.float32).T.copy()) if ranges else b"",
    ]
    return zlib.compress(b"".join([len(head).to_bytes(4, "little"), head, *body]), 9)


def read(payload: bytes, point: int) -> tuple[dict[str, NDArray[np.float64]], dict[str, str]]:
    """Arrays and texts of one point of a payload, as the page sees them.

    Raises:
        InputError: if the payload has no such point.
    """
    raw = zlib.decompress(payload)
    size = int.from_bytes(raw[:4], "little")
    head = json.loads(raw[4 : 4 + size])
    require(0 <= point < head["points"], "point", f"0 to {head['points'] - 1}", point)
    shape_of, codec_of = np.cumsum(head["shape"]), np.cumsum(head["codec"])
    codecs = [Codec(b or None, bool(lg), bool(f)) for b, lg, f in head["codecs"]]
    width = [32 if c.bits is None else 8 if c.bits <= 7 else 16 for c in codecs]
    starts, totals = [], {8: 0, 16: 0, 32: 0}
    for s, c in zip(shape_of, codec_of, strict=True):
        starts.append(totals[width[c]])
        totals[width[c]] += math.prod(head["shapes"][s])

    def plane(at: int, count: int, kind: str) -> tuple[NDArray, int]:
        itemsize = np.dtype(kind).itemsize
        part = np.frombuffer(raw, np.uint8, count * itemsize, at)
        return np.frombuffer(part.reshape(itemsize, count).T.tobytes(), kind), at + count * itemsize

    at = 4 + size
    data: dict[int, NDArray] = {}
    data[8], at = plane(at, totals[8], "<u1")
    data[16], at = plane(at, totals[16], "<u2")
    data[32], at = plane(at, totals[32], "<f4")
    ranges = plane(at, 2 * len(starts), "<f4")[0].reshape(2, -1)
    out = {}
    for key, steps in head["index"].items():
        i = int(np.cumsum(steps)[point])
        shape, codec = head["shapes"][shape_of[i]], codecs[codec_of[i]]
        part = data[width[codec_of[i]]][starts[i] : starts[i] + math.prod(shape)]
        if codec.bits is None:
            out[key] = part.astype(np.float64).reshape(shape)
            continue
        zig = part.astype(np.int32)
        change = (zig >> 1) ^ -(zig & 1)
        stride = _stride(shape, codec)
        codes = np.cumsum(change.reshape(-1, stride), axis=0).reshape(shape) if zig.size else change.reshape(shape)
        out[key] = dequantise(codes, codec, float(ranges[0, i]), float(ranges[1, i]))
    texts = {kind: many[int(np.cumsum(steps)[point])] for kind, (many, steps) in head["texts"].items()}
    return out, texts

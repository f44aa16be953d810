"""Scans and pictures (扫描件): OCR by RapidOCR, whose wheel carries its models, so it works offline.

Recognised text may hold errors, so it is never passed off as a text layer: ``ocr_confidence`` is set and a fault
names the pages.
"""

from __future__ import annotations

import io
import math
import os
import re
import struct
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from nemo.errors import MissingDependencyError, UnreadableDocumentError
from nemo.parse import furniture
from nemo.parse.lines import Box, PrintedLine, width
from nemo.parse.pdf import aligned_tables
from nemo.parse.pdf.places import PageImage, boxed_png, boxes_of, listing, recognised_lines, require_page, turned
from nemo.settings import Settings
from nemo.types import Fault, Page, ParsedDocument, RawDocument, RecognisedLine

LOW_CONFIDENCE = 0.9
"""Pages below this mean confidence get a fault of their own."""
_LONG_SIDE = 3400
"""Pictures are reduced to this many pixels on the long side: A4 at 290 dpi, more only costs time."""
_NARROWEST = 1 / 4
"""Least share of a picture's short side in its long one."""
_SHADE = 16
"""Shades of 256 between the lightest and the darkest pixel of a page that holds anything."""
_TELLING, _TRIALS = 6, 2
"""Characters of a line that shows which way up a page is, and how many such lines are tried."""
_SURER = 0.05
"""A page is turned only when its lines are read this much more surely for it."""
_RED, _BRIGHT, _DARK = 50, 110, 120
"""Of 255: how far red stands above green and blue in a stamp's ink, how light it is, how dark black is."""
_ALL_RED = 0.7
"""Share of red in the ink of what is printed in red alone."""
_PRINTED = 0.01
"""Share of the place of what a stamp covers that is black."""
_RED_GAP = 10
"""Pixels without red that end a stamp."""
_STAMP_HIGH = 0.03
"""Share of a page's height that red beside its words covers where a stamp stands; a line under a letterhead is thin."""
_UNSURE = 0.8
"""Confidence of a digit below which the figure it stands in is doubted."""
_FIGURE = re.compile(r"[\d.〔〕\[\]年月日][\d.〔〕\[\]年月日号%％]*")
_DAY = re.compile(r"(?:19|20)\d{2}年(?:1[0-2]|0?[1-9])月(?:(?:3[01]|[12]\d|0?[1-9])日|$)")
_TRIAL_PAGES = 3
"""Pages recognised before the time for the rest is estimated."""
_MAX_PIXELS = 150_000_000
_POINTS = 72 / 200
"""Points per pixel of a page rendered at 200 dpi."""
_LOCK = threading.Lock()
_DAMAGE = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error, OverflowError, IndexError, KeyError,
           TypeError, ZeroDivisionError, MemoryError)  # fmt: skip
"""What Pillow's readers raise on damaged files."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """Outcome of OCR over some pages."""

    lines: dict[int, list[PrintedLine]]
    confidence: float | None
    """Mean over characters, None when nothing was recognised."""
    faults: tuple[Fault, ...]


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read a picture (PNG, JPEG, TIFF with several pages, BMP, WebP, GIF).

    Raises:
        UnreadableDocumentError: damaged, too large, or no text recognised.
        MissingDependencyError: the OCR package is not installed.
    """
    count, pictures = frames(raw.content, settings.max_pages)
    recognised = read_pages(enumerate(pictures, 1), count, settings.parse_seconds)
    cleaned = furniture.strip([recognised.lines[n] for n in sorted(recognised.lines)])
    text, pages = cleaned.joined()
    if not text.strip():
        raise UnreadableDocumentError("图片里没有识别出文字。", ("请上传清晰、端正的扫描件（建议 200 dpi 以上）。",))
    return ParsedDocument(text, pages, "scan/rapidocr", recognised.confidence, recognised.faults, margin=cleaned.margin)


def frames(content: bytes, max_pages: int) -> tuple[int, Iterator[Any]]:
    """Return how many pictures a file holds, and them as RGB Pillow images: one in memory at a time.

    Raises:
        UnreadableDocumentError: damaged, too many pixels or too many pages; of a later picture when its turn comes.
    """
    from PIL import Image

    with _readable():
        picture = Image.open(io.BytesIO(content))
        count = getattr(picture, "n_frames", 1)
        if picture.width * picture.height > _MAX_PIXELS or count > max_pages:
            raise UnreadableDocumentError("图片尺寸或页数过大，未读取。", ("请降低分辨率或拆分后上传。",))
    count = count if picture.format in ("TIFF", "GIF", "WEBP") else 1
    return count, (_frame(picture, index) for index in range(count))


def _frame(picture: Any, index: int) -> Any:
    with _readable():
        picture.seek(index)
        if picture.width * picture.height > _MAX_PIXELS:  # each page of a TIFF has a size of its own
            raise UnreadableDocumentError("图片尺寸过大，未读取。", ("请降低分辨率或拆分后上传。",))
        return _flat(picture)


@contextmanager
def _readable() -> Iterator[None]:
    """Turn what Pillow's readers raise on damaged files into the error that a person is told."""
    from PIL import Image

    try:
        yield
    except (*_DAMAGE, Image.DecompressionBombError) as error:
        raise UnreadableDocumentError("图片已损坏，无法读取。", ("请重新扫描或下载后上传。",)) from error


def _flat(picture: Any) -> Any:
    """RGB on white, upright by its EXIF mark, at most ``_LONG_SIDE`` pixels long."""
    from PIL import Image, ImageOps

    image = ImageOps.exif_transpose(picture.copy())
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    image = image.convert("RGB")
    longest = max(image.size)
    if longest > _LONG_SIDE:
        ratio = _LONG_SIDE / longest
        image = image.resize((max(1, round(image.width * ratio)), max(1, round(image.height * ratio))))
    return image


def render(
    content: bytes, page: int, quote: str | None = None, before: str | None = None, known: Sequence[Page] = ()
) -> PageImage:
    """Return one picture of a file as PNG, the quote boxed where OCR read it; see :func:`nemo.parse.render`.

    Raises:
        UnreadableDocumentError: damaged, or no such page.
    """
    count, pictures = frames(content, max_pages=page + 10_000)
    require_page(page, count)
    image = next(islice(pictures, page - 1, None))
    printed = [line for each in known for line in recognised_lines(each, image.width, image.height)]
    boxes = boxes_of(printed, page, quote, before) if quote else ()
    return PageImage(boxed_png(image, boxes), boxes, count, estimated=bool(boxes))


def read_pages(images: Iterable[tuple[int, Any]], count: int, seconds: float) -> Recognised:
    """Recognise numbered pages (from 1, RGB Pillow images at about 200 dpi).

    ``seconds`` is the limit of the file; a scan that cannot finish in time is refused after a few pages.

    Raises:
        MissingDependencyError: the OCR package is not installed.
        UnreadableDocumentError: the pages so far show that the limit will be passed.
    """
    began = time.monotonic()
    found: dict[int, list[PrintedLine]] = {}
    scores: dict[int, float] = {}
    weights: dict[int, int] = {}
    for number, image in images:
        found[number], scores[number] = read_page(image, number)
        weights[number] = sum(len(line.text) for line in found[number])
        _check_time(time.monotonic() - began, len(found), count, seconds)
    total = sum(weights.values())
    mean = sum(scores[n] * weights[n] for n in found) / total if total else None
    return Recognised(found, mean, tuple(_faults(scores, weights, mean)))


def _check_time(elapsed: float, done: int, count: int, seconds: float) -> None:
    needed = elapsed / done * count
    if done >= _TRIAL_PAGES and needed > seconds:
        raise UnreadableDocumentError(
            f"扫描件共 {count} 页，文字识别约需 {needed:.0f} 秒，超过单个文件时限 {seconds:g} 秒。",
            ("请拆分后上传，或由管理员调高 NEMO_PARSE_SECONDS。",),
        )


def _faults(scores: dict[int, float], weights: dict[int, int], mean: float | None) -> Iterator[Fault]:
    read = [n for n in scores if weights[n]]
    if read and mean is not None:
        yield Fault(
            "ocr_pages", f"第{listing(read)}页为图像，文字由识别得出（平均置信度 {mean:.2f}），引用前请核对原件。"
        )
    low = [n for n in read if scores[n] < LOW_CONFIDENCE]
    if low:
        yield Fault("ocr_low_confidence", f"第{listing(low)}页识别置信度低于 {LOW_CONFIDENCE:.2f}，很可能有错字。")
    empty = [n for n in scores if not weights[n]]
    if empty:
        yield Fault("ocr_empty", f"第{listing(empty)}页为图像，没有识别出文字。")


def read_page(image: Any, number: int) -> tuple[list[PrintedLine], float]:
    """Recognise one page and return its lines, top to bottom, with the mean confidence."""
    pieces = [] if _is_blank(image) else _pieces(image)
    turn = _turn(image, pieces)
    if turn:
        image = image.rotate(90 * turn, expand=True)
        pieces = _pieces(image)
    pieces = _without_stamps(image, pieces)
    total = sum(len(piece.text) for piece in pieces)
    mean = sum(len(piece.text) * piece.confidence for piece in pieces) / total if total else 0.0
    size = (image.width * _POINTS, image.height * _POINTS)
    shown = size[::-1] if turn % 2 else size
    shares = {piece: _shares(turned(piece.box, -turn % 4, *size), *shown) for piece in pieces}
    return aligned_tables.with_tables([_line(row, number, shares) for row in _rows(pieces)]), mean


def _pieces(image: Any) -> list[RecognisedPiece]:
    result = _asked(image, whole=True)
    if result.txts is None or result.boxes is None:
        return []
    read = zip(result.txts, result.scores, result.boxes, result.word_results, strict=True)
    return [
        RecognisedPiece(
            text.strip(), _box(corners), float(score), unsure=_unsure("".join(text.split()), [c[1] for c in chars])
        )
        for text, score, corners, chars in read
        if text.strip()
    ]


def _unsure(text: str, scores: Sequence[float]) -> str:
    """Return the figures of a line in which a digit was read unsurely, or that are no day though they name a month of a year."""
    known = scores if len(scores) == len(text) else [1.0] * len(text)
    found = (
        figure[0] for figure in _figures(text)
        if any(text[i].isdigit() and known[i] < _UNSURE for i in range(*figure.span()))
        or ("年" in figure[0] and "月" in figure[0] and not _DAY.search(figure[0]))
    )  # fmt: skip
    return "、".join(found)


def _turn(image: Any, pieces: Sequence[RecognisedPiece]) -> int:
    """Return by how many quarters a page must be turned counter-clockwise to be read: its longest lines are read both
    ways round, for letters that stand on their heads are recognised badly.
    """
    long = sorted((p for p in pieces if len(p.text) >= _TELLING), key=lambda p: -len(p.text))[:_TRIALS]
    if not long:
        return 0
    upended = sum(p.box.height > p.box.width for p in long) * 2 > len(long)
    crops = [image.crop(tuple(round(edge / _POINTS) for edge in p.box)) for p in long]
    ways = (1, 3) if upended else (0, 2)
    scores = [sum(_read_line(crop.rotate(90 * way, expand=True))[1] for crop in crops) for way in ways]
    return ways[scores[1] > scores[0] + _SURER * len(crops)]


def _read_line(image: Any) -> tuple[str, float]:
    """Read the one line of a picture as it stands; ("", 0) when nothing is read."""
    result = _asked(image, whole=False)
    return (result.txts[0].strip(), float(result.scores[0])) if result.txts else ("", 0.0)


def _asked(image: Any, *, whole: bool) -> Any:
    """Have a picture read: a whole page, whose lines are looked for and set upright, or one line as it stands."""
    import numpy as np

    with _LOCK:
        return _engine()(
            np.asarray(_padded(image))[:, :, ::-1],
            use_det=whole,
            use_cls=whole,
            use_rec=True,
            return_word_box=whole,
            return_single_char_box=whole,
        )


def _without_stamps(image: Any, pieces: Sequence[RecognisedPiece]) -> list[RecognisedPiece]:
    """Read a page under a red stamp (印章) again by its red light alone, in which red ink is nearly as light as paper; what is
    printed in red alone is taken from the first reading.

    A letterhead is red too, so a page is read again only where it has red that is no word: rings and stars are tall.
    """
    import numpy as np
    from PIL import Image

    pixels = np.asarray(image).astype(np.int16)
    red = (pixels[:, :, 0] - np.maximum(pixels[:, :, 1], pixels[:, :, 2]) > _RED) & (pixels[:, :, 0] > _BRIGHT)
    if not red.any():
        return list(pieces)
    dark = pixels.max(axis=2) < _DARK
    stamps: list[RecognisedPiece] = []
    for piece in pieces:
        left, top, right, bottom = (max(0, round(edge / _POINTS)) for edge in piece.box)
        inks = int(red[top:bottom, left:right].sum()), int(dark[top:bottom, left:right].sum())
        if inks[0] >= _ALL_RED * max(1, sum(inks)) and inks[1] <= _PRINTED * (bottom - top) * (right - left):
            stamps.append(piece)
            red[top:bottom, left:right] = False
    if red.any(axis=1).sum() < _STAMP_HIGH * image.height:
        return [piece for piece in pieces if piece not in stamps] + [
            each._replace(stamp=each.box.down) for each in stamps
        ]
    again = _pieces(Image.fromarray(pixels[:, :, 0].astype(np.uint8)).convert("RGB"))
    words = [piece for piece in again if not any(each.box.covers(piece.box) for each in stamps)]
    below = [each._replace(stamp=_end_of_red(red, each.box.bottom) + each.box.height) for each in stamps]
    return [*(_compared(piece, pieces) for piece in words), *below]


def _end_of_red(red: Any, down: float) -> float:
    """Return how far down the page (points) the red goes on in which something stands that ends at ``down``."""
    at = round(down / _POINTS)
    while red[at : at + _RED_GAP].any():
        at += _RED_GAP
    return at * _POINTS


def _compared(piece: RecognisedPiece, before: Sequence[RecognisedPiece]) -> RecognisedPiece:
    """Doubt a line of which another reading, as sure, had other figures."""
    other = next((each for each in before if each.box.covers(piece.box)), None)
    if other is None or other.unsure or piece.unsure or _digits(other.text) == _digits(piece.text):
        return piece
    return piece._replace(unsure="、".join(each[0] for each in _figures(piece.text)) or piece.text)


def _figures(text: str) -> Iterator[re.Match[str]]:
    return (found for found in _FIGURE.finditer(text) if _digits(found[0]))


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _is_blank(image: Any) -> bool:
    """Tell whether a page is of one shade: recognising nothing takes as long as recognising a full page."""
    lightest_and_darkest = image.convert("L").getextrema()
    return bool(lightest_and_darkest[1] - lightest_and_darkest[0] < _SHADE)


def _padded(image: Any) -> Any:
    """Return a picture no narrower than ``_NARROWEST``, white added at the right or below: places stay where they were.

    The recogniser enlarges the short side to some hundred pixels, and the long one with it: a strip of 30000×8 pixels
    would ask for hundreds of gigabytes.
    """
    from PIL import Image

    least = math.ceil(max(image.size) * _NARROWEST)
    if min(image.size) >= least:
        return image
    canvas = Image.new("RGB", (max(image.width, least), max(image.height, least)), "white")
    canvas.paste(image, (0, 0))
    return canvas


class RecognisedPiece(NamedTuple):
    """What the recogniser took for one stretch of text; its box in points."""

    text: str
    box: Box
    confidence: float
    stamp: float = 0.0
    """Of what is printed in red alone: how far down (points) it is read, below what the stamp covers; 0 for any other."""
    unsure: str = ""
    """Its figures that were read unsurely."""


def _box(corners: Any) -> Box:
    xs, ys = [float(c[0]) * _POINTS for c in corners], [float(c[1]) * _POINTS for c in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _rows(pieces: list[RecognisedPiece]) -> list[list[RecognisedPiece]]:
    """Put pieces on one level together, left to right; rows from top to bottom; a stamp's words are no part of a line, and
    stand below the signature that it covers.
    """
    rows: list[list[RecognisedPiece]] = []
    for piece in sorted(pieces, key=lambda p: p.stamp or p.box.down):
        if rows and bool(piece.stamp) == bool(rows[-1][-1].stamp) and _is_level(rows[-1][-1].box, piece.box):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda p: p.box.left) for row in rows]


def _is_level(a: Box, b: Box) -> bool:
    return a.shared_height(b) > 0.5 * min(a.height, b.height)


_Shares = tuple[float, float, float, float]


def _line(row: list[RecognisedPiece], number: int, shares: Mapping[RecognisedPiece, _Shares]) -> PrintedLine:
    """Make one line of a row; ``shares`` is where each piece stands on the page as that is shown."""
    size = sum(piece.box.width for piece in row) / max(1.0, sum(width(piece.text) for piece in row))
    read = tuple(RecognisedLine(piece.text, *shares[piece], round(piece.confidence, 3), piece.unsure) for piece in row)
    place, text = Box.around(piece.box for piece in row), " ".join(piece.text for piece in row)
    return PrintedLine(text, number, size=size, apart=len(row) >= 3, recognised=read, **place._asdict())


def _shares(box: Box, wide: float, high: float) -> _Shares:
    return round(box.left / wide, 5), round(box.top / high, 5), round(box.right / wide, 5), round(box.bottom / high, 5)


@lru_cache(maxsize=1)
def _engine() -> Any:
    """The recogniser, loaded on first use (about 2 s and 600 MB)."""
    try:
        from rapidocr import RapidOCR
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("rapidocr", "onnxruntime"):
            raise  # something is there and broken: advice to install it would be untrue
        raise MissingDependencyError(
            "扫描件需要文字识别，请安装 Python 包 rapidocr 和 onnxruntime。",
            ("安装后点“重试”，或上传有文字层的 PDF。",),
        ) from error
    threads = max(1, (os.cpu_count() or 1) // max(1, Settings().workers))  # more than its share of the cores only spin
    return RapidOCR(params={"Global.log_level": "error", "EngineConfig.onnxruntime.intra_op_num_threads": threads})

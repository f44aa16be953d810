"""The page of the original with the quote boxed (原页), in a drawer beside the answer or inside the library."""

import io

import streamlit as st
from PIL import Image, ImageDraw

from nemo.text.letter.titles import in_marks
from nemo.types import Regulation, Span
from nemo.ui.shared import frame, safe


def has_pages(regulation: Regulation) -> bool:
    """Tell whether the original can be shown page by page: PDFs and pictures can."""
    return bool(regulation.pages) and regulation.parser.startswith(("pdf", "scan", "image"))


@st.cache_data(max_entries=64, show_spinner=False)
def _picture(
    regulation_id: str, sha256: str, page: int, span: Span | None, scale: float, box: tuple[float, ...]
) -> tuple[bytes, int, bool]:
    """Return the PNG, how many boxes are drawn and whether they are estimated; ``sha256`` only keys the cache."""
    picture = frame.engine().page_image(regulation_id, page, span, scale)
    png = framed(picture.png, box) if box else picture.png
    return trimmed(png), len(picture.boxes), picture.estimated


def framed(png: bytes, box: tuple[float, ...]) -> bytes:
    """Return a page with a frame around a picture of it; ``box`` as shares of the page: left, top, right, bottom."""
    sheet = Image.open(io.BytesIO(png)).convert("RGB")
    wide, high = sheet.size
    left, top, right, bottom = (round(share * side) for share, side in zip(box, (wide, high, wide, high), strict=True))
    ImageDraw.Draw(sheet).rectangle((left, top, right, bottom), outline=_FRAME, width=max(3, wide // 300))
    out = io.BytesIO()
    sheet.save(out, "PNG", compress_level=1)
    return out.getvalue()


def trimmed(png: bytes) -> bytes:
    """Return a page without its blank edges, so that its text can be read at half the window's width."""
    sheet = Image.open(io.BytesIO(png))
    ink = sheet.convert("L").point(lambda light: 255 if light < _PAPER else 0).getbbox()
    if ink is None:
        return png
    left, top, right, bottom = ink
    box = max(0, left - _EDGE), max(0, top - _EDGE), min(sheet.width, right + _EDGE), min(sheet.height, bottom + _EDGE)
    out = io.BytesIO()
    sheet.crop(box).save(out, "PNG", compress_level=1)
    return out.getvalue()


_FRAME = (199, 146, 0)
"""Colour of the frame around a picture: that of a quote's box."""
_PAPER = 245
"""Grey levels from here up are paper."""

_EDGE = 28
"""Pixels of paper left around the print."""


@st.dialog("原件页面", width="medium", position="right")
def drawer(regulation_id: str, span: Span | None, page: int | None = None, box: tuple[float, ...] = ()) -> None:
    """Open the pages a quote stands on, or the ``page`` of a figure with its ``box``, at the right-hand side."""
    view(regulation_id, span, key="drawer", page=page, box=box)


def view(
    regulation_id: str, span: Span | None, *, key: str, page: int | None = None, box: tuple[float, ...] = ()
) -> int:
    """Draw one page with its controls; return its number, from 1.

    The first page shown is the one that ``span`` begins on, which is boxed (None boxes nothing), or ``page`` in its
    place; ``box`` is a picture on that page, as shares of it.
    """
    regulation = frame.engine().regulation(regulation_id)
    touched = regulation.page_numbers(span) if span else ()
    total = len(regulation.pages)
    st.html(
        f'<p class="cite"><b>{safe.name(in_marks(regulation.title))}</b> <span>{safe.name(regulation.file)}</span></p>'
    )
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_bar"):
        number = st.pagination(
            total, default=page or (touched[0] if touched else 1), key=f"{key}_page_{regulation_id}_{span}"
        )
        large = st.toggle("放大", key=f"{key}_large")
    png, boxes, estimated = _picture(
        regulation_id, regulation.sha256, number, span if number in touched else None, 3.0 if large else 1.8,
        box if number == page else (),
    )  # fmt: skip
    if number in touched:
        _marks(regulation, boxes, estimated)
    worth = next((q for q in regulation.qualities() if q.page == number), None)
    if worth is not None and worth.weak and number not in touched:
        frame.notice("warn", worth.summary, f"本页{worth.why}，引用前请逐字对照。")
    over = f" · 引文跨第 {'、'.join(map(str, touched))} 页" if len(touched) > 1 else ""
    quality = f" · {worth.summary}" if worth is not None else ""
    marked = f" · 已框出引文 {boxes} 行" if boxes else " · 已框出图片" if box and number == page else ""
    st.caption(f"第 {number} / {total} 页{quality}{marked}{over}")
    st.image(png, width="content" if large else "stretch", alt=f"原件第 {number} 页")
    return int(number)


def _marks(regulation: Regulation, boxes: int, estimated: bool) -> None:
    """Say what the boxes are worth, or why there are none."""
    read = regulation.ocr_confidence
    if estimated:
        frame.notice(
            "info", f"识别文本，置信度 {read:.2f}" if read is not None else "识别文本",
            "本页文字由图像识别而来，方框按识别出的行推算，只表示大致位置，请逐字对照。",
        )  # fmt: skip
    elif not boxes:
        why = "文字由图像识别而来" if read is not None else "引文文字来自该文件的文字层"
        frame.notice("warn", "页面上未定位到引文", f"{why}，但无法在页面图像上框出，因此不作标记，请逐字对照。")

"""Parsers on made-up documents whose text is known: ``make bench-parse``. Prints a Markdown table.

    python -m benchmarks.parsing [--pages 30] [--scans 3]

A PDF is printed by Chromium from an invented text in Chinese; a scan is made of its pages at 200 dpi, turned by 0.7
degrees, blurred, with noise, as JPEG. CER is the edit distance over the length of the text, white space aside.
"""

import argparse
import io
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from benchmarks.speed import machine
from nemo.parse import parse
from nemo.parse.pdf import reader
from nemo.settings import Settings
from nemo.types import RawDocument
from tests.jobs_samples import PLACES, THINGS

A4_CSS = "@page{size:A4;margin:25mm 27mm} body{font:16pt/28pt 'Noto Serif CJK SC',serif;margin:0} p{text-indent:2em;margin:0} h1{text-align:center;font-size:22pt} table{border-collapse:collapse;width:100%} td{border:1px solid}"
CLAUSES = (
    "{place}的{thing}应当在{n}个工作日内办理第{seed}之{n}项登记，并提交检验记录、主要设备清单和运行人员名册。",
    "登记事项发生变更的，运营单位应当自变更之日起{n}日内书面告知；逾期未告知的，由受理机构责令改正。",
    "前款所称{thing}，是指额定容量{n}千瓦以上、接入电压等级10（6）千伏及以上的设施，但是临时用电设施除外。",
    "受理机构应当对提交的材料逐项核对，核对不得超过{n}日；材料不齐的，应当一次性书面告知需要补正的全部内容。",
)


def paragraphs(count: int) -> list[str]:
    """Return the paragraphs of an invented regulation with ``count`` articles."""
    found = []
    for seed in range(1, count + 1):
        place, thing = PLACES[seed % len(PLACES)], THINGS[seed % len(THINGS)]
        told = [
            c.format(place=place, thing=thing, seed=seed, n=(seed * 7 + i * 3) % 90 + 1) for i, c in enumerate(CLAUSES)
        ]
        found += [f"第{seed}条　{told[0]}{told[1]}", told[2], told[3]]
    return found


def printed(title: str, rows: Sequence[str]) -> bytes:
    """Return what Chromium prints of a text."""
    from playwright.sync_api import sync_playwright

    from tests.browser import chromium

    body = f"<h1>{title}</h1>" + "".join(f"<p>{row}</p>" for row in rows)
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_page()
        page.set_content(f"<html lang=zh><style>{A4_CSS}</style><body>{body}</body></html>")
        content = page.pdf(prefer_css_page_size=True)
        browser.close()
    return bytes(content)


def document(pages: int) -> tuple[bytes, str]:
    """Return a PDF of at least so many pages, and its text."""
    title, articles = "演示登记管理办法（演示文本）", pages * 3
    while True:
        rows = paragraphs(articles)
        content = printed(title, rows)
        found = len(reader.read_sheets(content, 10_000))
        if found >= pages:
            return content, "\n".join((title, *rows))
        articles += 2


def scanned(content: bytes, pages: int) -> Iterator[Image.Image]:
    """Yield pages as a cheap scanner would deliver them."""
    chance = np.random.default_rng(7)
    for number in range(1, pages + 1):
        image = reader.page_bitmap(content, number).convert("L")
        image = image.rotate(0.7, Image.Resampling.BICUBIC, fillcolor=255).filter(ImageFilter.GaussianBlur(0.8))
        grey = np.asarray(image, np.float32) * 0.92 + 12 + chance.normal(0, 6, (image.height, image.width))
        out = io.BytesIO()
        Image.fromarray(grey.clip(0, 255).astype(np.uint8)).save(out, "JPEG", quality=70)
        yield Image.open(out)


def as_scan(content: bytes, pages: int) -> bytes:
    """Return a PDF of pictures."""
    first, *others = scanned(content, pages)
    out = io.BytesIO()
    first.save(out, "PDF", resolution=200, save_all=True, append_images=others)
    return out.getvalue()


def distance(a: str, b: str) -> int:
    """Return the edit distance."""
    codes = np.array([ord(c) for c in b])
    places = np.arange(len(b) + 1)
    row = places.copy()
    for number, char in enumerate(a, 1):
        fresh = np.empty_like(row)
        fresh[0] = number
        fresh[1:] = np.minimum(row[1:] + 1, row[:-1] + (codes != ord(char)))
        row = np.minimum.accumulate(fresh - places) + places
    return int(row[-1])


def cer(read: str, truth: str) -> float:
    """Return the share of characters that are wrong; white space does not count."""
    a, b = "".join(read.split()), "".join(truth.split())
    return distance(a, b) / len(b)


def measured(content: bytes, times: int) -> tuple[float, str, int]:
    """Parse several times; return the median of the processor seconds, the text and the number of pages."""
    raw, taken = RawDocument.of(content, "a.pdf"), []
    for _ in range(times):
        began = time.process_time()
        parsed = parse(raw, Settings())
        taken.append(time.process_time() - began)
    return statistics.median(taken), parsed.text, len(parsed.pages)


def text_layer(content: bytes, truth: str) -> dict[str, str]:
    """Measure a PDF with text."""
    seconds, text, pages = measured(content, 5)
    return {
        "Chromium PDF，页数": str(pages),
        "每核每秒页数（目标 ≥ 60）": f"{pages / seconds:.0f}",
        "CER（目标 0）": f"{cer(text, truth):.4%}",
    }


def pictures(content: bytes, truth: str, pages: int) -> dict[str, str]:
    """Measure a scan; its truth is the part of the text that its pages hold."""
    held = parse(RawDocument.of(content, "a.pdf"), Settings())
    end = held.pages[pages - 1].span.end
    scan = as_scan(content, pages)
    parse(RawDocument.of(as_scan(content, 1), "warm.pdf"), Settings())  # loads the models
    began = time.perf_counter()
    parsed = parse(RawDocument.of(scan, "b.pdf"), Settings())
    seconds = (time.perf_counter() - began) / pages
    return {
        "模拟扫描，页数": str(pages),
        "扫描 CER（目标 ≤ 5%）": f"{cer(parsed.text, held.text[:end]):.2%}",
        "扫描每页秒数（目标 ≤ 10）": f"{seconds:.1f}",
        "平均置信度": f"{parsed.ocr_confidence:.3f}",
    }


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=30)
    options.add_argument("--scans", type=int, default=3)
    options.add_argument("--save", type=Path, help="把这份 PDF 留在这里")
    given = options.parse_args()
    content, truth = document(given.pages)
    if given.save:
        given.save.write_bytes(content)
    figures = text_layer(content, truth) | pictures(content, truth, given.scans)
    print(f"`make bench-parse`，{machine()}\n\n| 项目 | 数值 |\n|---|---|")
    for name, value in figures.items():
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()

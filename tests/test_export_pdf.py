"""A report as PDF: bookmarks lead to every quote, its words are all there, nothing foreign is markup; many questions in one."""

import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import openpyxl
import pypdfium2
import pytest
from pypdf import PdfReader

from nemo import export
from nemo.errors import BadRequestError
from nemo.export import pdf, typeface
from nemo.export.pdf import NOT_EMBEDDED
from nemo.parse.pdf.reader import _LOCK as PDFIUM
from nemo.rules import load
from nemo.store.library import Library
from nemo.types import Directness
from tests.export_samples import answer, law, quote, store
from tests.store_samples import opened

MANY = "".join(f"第{n}号风机每{n}日检修一次；" for n in range(1, 400))
LONG = law("演示长文办法", [MANY])
LAW = law("演示<b>检修</b>办法", ["风车每季度检修一次，但停机检修除外。", "检修记录&lt;保存三年𠮷。"])
FIRST, SECOND = "风车每季度检修一次，但停机检修除外。", "检修记录&lt;保存三年𠮷。"
RULES = load(Path("data/rules"))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with opened(tmp_path / "lib") as found:
        store(found, LAW, LONG)
        yield found


def read(content: bytes) -> tuple[str, list[str]]:
    """Return the words of a PDF without blanks, and its bookmarks from top to bottom."""
    reader = PdfReader(io.BytesIO(content))
    words = "".join("".join(page.extract_text().split()) for page in reader.pages)
    found: list[str] = []

    def walk(items: list[object]) -> None:
        for item in items:
            if isinstance(item, list):
                walk(item)
            else:
                found.append(str(item["/Title"]))  # type: ignore[index]

    walk(reader.outline)
    return words, found


def test_quotes_stand_with_their_words_and_a_bookmark(library: Library) -> None:
    given = answer(quote(LAW, FIRST), quote(LAW, SECOND))
    words, marks = read(export.write(export.of_answer(given, library, RULES), "pdf"))
    assert FIRST in words
    assert "检修记录&lt;保存三年〔U+20BB7〕。" in words, "a letter beyond the typeface is told by its code"
    assert marks == [
        "法规查询答复", "检修要点（广东）", "① 《演示〈b〉检修〈/b〉办法》第1条", "② 《演示〈b〉检修〈/b〉办法》第2条", "核验声明",
    ]  # fmt: skip


def test_letters_are_embedded_and_copied_as_they_are(library: Library) -> None:
    """What a reader without Chinese typefaces shows and copies; the second document has letters the first had not."""
    for words in (FIRST, SECOND.replace("𠮷", "〔U+20BB7〕")):
        content = export.write(
            export.of_answer(answer(quote(LAW, words.replace("〔U+20BB7〕", "𠮷"))), library, RULES), "pdf"
        )
        with PDFIUM, contextlib.closing(pypdfium2.PdfDocument(content)) as document:
            copied = "".join(document[0].get_textpage().get_text_bounded().split())
        assert words in copied
        for font in PdfReader(io.BytesIO(content)).pages[0]["/Resources"]["/Font"].values():  # type: ignore[index]
            told = font.get_object()
            if "Helvetica" not in told["/BaseFont"]:
                assert "/FontFile2" in told["/FontDescriptor"] and "/ToUnicode" in told


def test_without_a_typeface_the_document_says_so(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typeface, "installed", lambda: None)
    words, _ = read(export.write(export.of_answer(answer(quote(LAW, FIRST)), library, RULES), "pdf"))
    assert FIRST in words and NOT_EMBEDDED in words


def test_letters_that_the_typeface_lacks_are_told_by_their_code(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = typeface.letters
    monkeypatch.setattr(typeface, "letters", lambda words: known(words) - {"修"})
    words, _ = read(export.write(export.of_answer(answer(quote(LAW, FIRST)), library, RULES), "pdf"))
    assert "检〔U+4FEE〕一次" in words


def test_a_refusal_is_a_file_too(library: Library) -> None:
    words, _ = read(export.write(export.of_answer(answer(), library, RULES), "pdf"))
    assert "没有找到。" in words and "可以尝试：换一种问法。" in words


def test_many_questions_are_one_file(library: Library) -> None:
    given = replace(answer(quote(LAW, FIRST)), verdict=Directness.DIRECT)
    asked = [("多久检修？", [export.ReportColumn("gd", given)]), ("怎么罚？", [export.ReportColumn("", answer())])]
    report = export.of_many(asked, library, RULES)
    book = openpyxl.load_workbook(io.BytesIO(export.write(report, "xlsx")))
    rows = [[cell.value or "" for cell in row] for row in book["逐题"].iter_rows(min_row=2)]
    assert [row[:4] for row in rows] == [
        ["多久检修？", "广东", "直接规定", 1],
        ["怎么罚？", "全部地域", "拒答", ""],
    ]
    assert rows[0][4] == FIRST and rows[1][6] == "没有找到。"
    for form in ("docx", "pdf", "json"):
        assert export.write(report, form)


def test_no_question_is_no_file(library: Library) -> None:
    with pytest.raises(BadRequestError):
        export.of_many([], library, RULES)


def test_a_quote_that_goes_on_over_the_page_is_written_whole(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[str] = []
    mark = pdf.Canvas.bookmarkPage
    monkeypatch.setattr(pdf.Canvas, "bookmarkPage", lambda canvas, key: (places.append(key), mark(canvas, key)))
    report = export.of_answer(answer(quote(LAW, FIRST), quote(LONG, MANY)), library, RULES)
    words, bookmarks = read(export.write(report, "pdf"))
    assert (
        MANY in re.sub(r"第\d页/共\d页", "", words)
        and bookmarks.count("②《演示长文办法》第1条".replace("②", "② ")) == 1
    )
    export.write(report, "pdf")
    once = places[: len(bookmarks)]
    assert places == once * 2 and len(set(once)) == len(once), "places are told apart by the document, not by chance"


MARKED = "".join(
    f"《办法（{'试' * (n % 7)}行）》（发〔{n}〕号）、“{'甲' * (n % 11)}类”：{'乙' * (n % 5)}；" for n in range(1, 90)
)


@pytest.mark.parametrize("words", [MANY, MARKED], ids=["clauses", "marks"])
def test_no_line_begins_or_ends_with_a_mark_that_may_not(tmp_path: Path, words: str) -> None:
    """GB/T 15834—2011 5.1: no stop and no closing mark opens a line, no opening mark ends one; nothing leaves the column."""
    made = law("演示标点办法", [words])
    with opened(tmp_path / "marks") as library:
        store(library, made)
        content = export.write(export.of_answer(answer(quote(made, words)), library, RULES), "pdf")
    lines = [line.strip() for page in PdfReader(io.BytesIO(content)).pages for line in page.extract_text().splitlines()]
    assert not [line for line in lines if line[:1] in set("，；：、。）》〕”")]
    assert not [line for line in lines if line[-1:] in set("（《〔“")]
    assert "".join(lines).count(words[:20]) == 1
    told = [line for line in lines if "号风机" in line or "（发" in line]
    assert max(sum(1 if letter > "\u2000" else 0.5 for letter in line) for line in told) <= 42

"""A text layer that is not what is printed is said at intake and at the place, and a sound one is left in peace."""

import pytest
from parse_samples import NOTICE, pdf

from nemo.parse import garble, parse
from nemo.parse.lines import PrintedLine
from nemo.parse.pdf import scan
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

TEXT = "\n".join(NOTICE)


@pytest.mark.parametrize(
    ("remark", "was", "now", "strange"),
    [
        ("two characters of a damaged table", "逾期", "ÉÊ", ["ÉÊ"]),
        ("Cyrillic in the middle", "逾期", "жд", ["жд"]),
        ("Hangul", "逾期", "가나", ["가나"]),
        ("Latin, Greek, units and signs belong to it", "逾期", "αβ kWh ㎡ ℃ №３ Ａ", []),
        ("a name with an accent", "逾期", "José", []),
        ("roman numerals", "逾期", "Ⅲ类", []),
        ("nothing", "逾期", "逾期", []),
    ],
)
def test_letters_that_no_regulation_is_written_in(remark: str, was: str, now: str, strange: list[str]) -> None:
    text = TEXT.replace(was, now)
    assert [at.of(text) for at in garble.strange_words(text)] == strange, remark


def test_a_text_in_another_language_is_not_judged() -> None:
    assert garble.strange_words("Положение о порядке подключения. " * 20) == []
    assert garble.word_share("Положение") is None


def test_characters_put_together_by_a_wrong_table_are_no_words() -> None:
    shifted = "".join(chr(ord(c) + 97) if "\u4e00" <= c <= "\u9f00" else c for c in TEXT)
    right, wrong = garble.word_share(TEXT), garble.word_share(shifted)
    assert right is not None and wrong is not None and wrong < garble.LOW_WORD_SHARE < right
    assert [f.code for f in garble.doubts(shifted, ())] == ["few_words"]
    assert garble.doubts(TEXT, ()) == []


def read(content: bytes) -> ParsedDocument:
    return parse(RawDocument.of(content, "示例.pdf"), Settings())


def recognised_as(text: str, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let recognising give this text, and note which pages were recognised."""
    asked: list[int] = []

    def read_page(image: object, number: int) -> tuple[list[PrintedLine], float]:
        asked.append(number)
        return [PrintedLine(text, number)], 0.99

    monkeypatch.setattr(scan, "read_page", read_page)
    return asked


def test_a_damaged_place_is_compared_with_the_page_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = [row.replace("逾期", "жд") for row in NOTICE]
    asked = recognised_as("".join(NOTICE), monkeypatch)
    parsed = read(pdf(damaged))
    assert asked == [1]
    faults = {fault.code: fault for fault in parsed.faults}
    assert "жд" in faults["strange_characters"].message and "第1页" in faults["strange_characters"].message
    assert faults["strange_characters"].span is not None
    assert faults["strange_characters"].span.of(parsed.text) == "жд"
    assert "“жд”处版面上识别为“逾期”" in faults["layer_differs"].message


def test_only_one_page_of_a_document_is_ever_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = [row.replace("应当", "жд") for row in NOTICE * 6]
    asked = recognised_as("别的文字" * 60, monkeypatch)
    parsed = read(pdf(damaged, lines_per_page=12))
    assert len(parsed.pages) > 3 and len(asked) == 1
    assert any("请勿引用该页" in fault.message for fault in parsed.faults)


def test_a_sound_document_is_never_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = recognised_as("", monkeypatch)
    assert read(pdf(NOTICE)).faults == ()
    assert asked == []

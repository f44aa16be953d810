"""Real files: ten Word files of one province, raw forms of normative documents, and a layout fixture of a real PDF."""

import difflib
import json
import re
import shutil
from pathlib import Path

import pytest

from nemo.errors import UnreadableDocumentError
from nemo.parse import parse
from nemo.settings import Settings
from nemo.text.words.numerals import parse_number
from nemo.types import ParsedDocument, RawDocument


def read(path: Path) -> ParsedDocument:
    return parse(RawDocument.of(path.read_bytes(), path.name), Settings())


def squash(text: str) -> str:
    return re.sub(r"[\s\u200b]", "", text)


def test_word_files_have_every_article(shared: Path) -> None:
    files = sorted((shared / "domain" / "nm_docx").iterdir())
    assert len(files) == 10
    for path in files:
        old = path.read_bytes().startswith(b"\xd0\xcf")
        if old and not shutil.which("antiword"):
            continue
        parsed = read(path)
        numbers = [
            parse_number(n)
            for n in re.findall(r"^第([一二三四五六七八九十百]+)条(?![的第规、，])", parsed.text, re.MULTILINE)
        ]
        assert numbers == list(range(1, len(numbers) + 1)), path.name
        assert len(numbers) > 20
        assert ("wrong_extension" in [f.code for f in parsed.faults]) is old


def test_raw_forms_agree_with_the_cleaned_texts(shared: Path) -> None:
    folder = shared / "normative"
    paths = [p for p in sorted((folder / "raw").iterdir()) if not p.name.startswith("stub-")]
    assert len(paths) == 13
    for path in paths:
        parsed = read(path)
        clean = next((folder / "corpus").glob(path.name.split(".")[0] + "*")).read_text("utf-8")
        got, wanted = squash(parsed.text), squash(clean)
        copies = squash("".join(parsed.margin))
        matcher = difflib.SequenceMatcher(None, got, wanted, autojunk=False)
        for operation, i, j, k, m in matcher.get_opcodes():
            missing = wanted[k:m]
            assert operation == "equal" or (i == j and missing in copies), (path.name, got[i:j], missing)


def test_pages_without_a_body_are_refused(shared: Path) -> None:
    paths = sorted((shared / "normative" / "raw").glob("stub-*"))
    assert len(paths) == 3
    for path in paths:
        with pytest.raises(UnreadableDocumentError, match="正文缺失") as caught:
            read(path)
        named = re.findall(r"^.*\.pdf$", path.read_text("utf-8"), re.MULTILINE)
        assert len([t for t in caught.value.tips if t.startswith("附件：")]) == len(named)


def test_clean_texts_are_stored_byte_for_byte(shared: Path) -> None:
    for folder in ("normative", ""):
        for path in sorted((shared / folder / "corpus").glob("*.[tm][xd][td]"))[:80]:
            parsed = read(path)
            assert parsed.text.encode() == path.read_bytes(), path.name


def test_layout_of_a_real_pdf(shared: Path) -> None:
    folder = shared / "domain" / "fixtures"
    expected = json.loads((folder / "nfj_2025_146.expected.json").read_text("utf-8"))
    rows = (folder / "nfj_2025_146_p1-4.txt").read_text("utf-8").splitlines()
    content = "\n".join(row for row in rows if not row.startswith("#"))
    parsed = parse(RawDocument.of(content.encode(), "a.txt"), Settings())
    assert expected["joined_text_check"] in parsed.text
    for words, page in expected["printed_page_of"].items():
        at = squash(parsed.text).index(words)
        owner = next(p for p in parsed.pages if len(squash(parsed.text[: p.span.end])) > at)
        assert (owner.number, owner.printed) == (page, str(page))
    for row in expected["strip_lines"]:
        assert squash(row).strip("…") not in squash(parsed.text) or row.startswith("…")
    assert not re.search(r"日印发", squash(parsed.text))

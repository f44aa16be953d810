"""An audit as files: Word with comments at the places, Excel (审校结果导出)."""

import copy
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import docx
from docx.document import Document
from docx.oxml.ns import qn
from docx.shared import RGBColor
from docx.text.paragraph import Paragraph
from docx.text.run import Run
from lxml import etree
from openpyxl import Workbook

from nemo.audit.again import AuditChange
from nemo.audit.comparison.differences import differences
from nemo.audit.finding import MemoAudit, MemoFinding, MemoVerdict
from nemo.export.characters import visible
from nemo.export.excel import table
from nemo.parse.other.markup import parse_xml
from nemo.text.letter.titles import in_marks
from nemo.types import RawDocument, Span

AUTHOR = "Nemo 审校"
_GONE, _MEANT = RGBColor(0xB0, 0x1E, 0x1E), RGBColor(0x14, 0x66, 0x3B)
_WIDTHS = {"序号": 6, "结论": 12, "文稿引用": 36, "所述内容": 36, "正确出处": 30, "正确的值": 14, "说明": 60}
_CHANGED = {"序号": 6, "文稿引用": 36, "结论的变化": 20, "变为不相符": 12, "说明": 60}


def word(audit: MemoAudit, raw: RawDocument, since: Sequence[AuditChange] | None = None) -> bytes:
    """Return the memo as a Word file with one comment for every finding.

    A Word memo keeps its form, and its comments stand at the words. Word holds no comment in a note or a text box: it stands
    where the body refers to the note, or holds the box, and says so. Of another format the text is set anew, line by line.

    Args:
        audit: Of the memo.
        raw: The memo.
        since: What stands otherwise than in an earlier audit: the comment there says how.
    """
    moved = {change.number: change.said for change in since or ()}
    is_word = raw.content.startswith(b"PK\x03\x04")
    document = docx.Document(io.BytesIO(raw.content)) if is_word else _set(audit.text)
    starts = [0, *(m.end() for m in re.finditer("\n", audit.text))]
    places = _matched(audit.text, starts, [*((_words(p), p) for p in _lines_of(document)), *_hung(document)])
    for number, finding in enumerate(audit.findings, 1):
        index = max(i for i, start in enumerate(starts) if start <= finding.span.start)
        place = places.get(index)
        local = Span(finding.span.start - starts[index], finding.span.end - starts[index])
        runs = _runs_at(place, local) if isinstance(place, Paragraph) else [place.run] if place else []
        where = f"〔{place.kind}〕{finding.text}\n" if isinstance(place, _Hung) else ""
        if not runs:  # no place in the body leads there
            runs = list(document.add_paragraph(visible(f"〔文中未见其位置〕{finding.text}")).runs)
        said = where + _comment(finding) + (f"\n与上次审校相比：{moved[number]}" if number in moved else "")
        comment = document.add_comment(runs, text=visible(said), author=AUTHOR, initials="N")
        for difference in differences(finding, audit.text):
            for head, of_law, colour in (("文稿：", False, _GONE), ("原文：", True, _MEANT)):
                _coloured(comment.add_paragraph(head), difference.pieces(of_law), colour)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _coloured(paragraph: Paragraph, pieces: Sequence[tuple[str, bool]], colour: RGBColor) -> None:
    """Add stretches to a paragraph, those of one side alone in colour: struck through in the memo, underlined in the law."""
    for words, alone in pieces:
        run = paragraph.add_run(visible(words))
        if alone:
            run.font.color.rgb = colour
            run.font.strike, run.font.underline = colour is _GONE, colour is _MEANT


def _set(text: str) -> Document:
    document = docx.Document()
    for line in text.split("\n"):
        document.add_paragraph(visible(line))
    return document


def _lines_of(document: Document) -> list[Paragraph]:
    body = [Paragraph(p, document) for p in document.element.body.iter(qn("w:p"))]
    return [p for p in body if not any(a.tag == qn("w:txbxContent") for a in p._p.iterancestors())]


@dataclass(frozen=True, slots=True)
class _Hung:
    """Where a comment on words of a note or a text box hangs in the body."""

    kind: str
    run: Run


def _hung(document: Document) -> Iterator[tuple[str, _Hung]]:
    """Yield the lines of notes and of text boxes, each with the place in the body that refers to the note, or holds the box."""
    body = document.element.body
    for called, kind in (("footnote", "脚注"), ("endnote", "尾注")):
        refers = {r.get(qn("w:id")): r.getparent() for r in body.iter(qn(f"w:{called}Reference"))}
        parts = (rel.target_part for rel in document.part.rels.values() if rel.reltype.endswith(f"/{called}s"))
        notes = (note for part in parts for note in parse_xml(part.blob).iter(qn(f"w:{called}")))
        for note in notes:
            if (run := refers.get(note.get(qn("w:id")))) is not None:
                yield from ((_plain(p), _Hung(kind, Run(run, document))) for p in note.iter(qn("w:p")))
    for box in body.iter(qn("w:txbxContent")):
        holder = next((above for above in box.iterancestors() if above.tag == qn("w:r")), None)
        if holder is not None:
            yield from ((_plain(p), _Hung("文本框", Run(holder, document))) for p in box.iter(qn("w:p")))


def _plain(paragraph: etree._Element) -> str:
    return "".join(t.text or "" for t in paragraph.iter(qn("w:t")))


def _matched(
    text: str, starts: list[int], lines: Sequence[tuple[str, Paragraph | _Hung]]
) -> Mapping[int, Paragraph | _Hung]:
    """Return the place of each line, by the line's words; equal lines are taken in order."""
    by_words: dict[str, list[Paragraph | _Hung]] = {}
    for words, place in lines:
        by_words.setdefault(words, []).append(place)
    found: dict[int, Paragraph | _Hung] = {}
    ends = [*(s - 1 for s in starts[1:]), len(text)]
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if row := by_words.get(visible(text[start:end])):
            found[index] = row.pop(0) if len(row) > 1 else row[0]
    return found


def _words(paragraph: Paragraph) -> str:
    return "".join(run.text for run in _runs(paragraph))


def _runs(paragraph: Paragraph) -> list[Run]:
    return [Run(r, paragraph) for r in paragraph._p.iter(qn("w:r"))]


def _runs_at(paragraph: Paragraph, span: Span) -> list[Run]:
    """Return the runs that hold exactly a stretch of a paragraph; runs that reach beyond it are cut in two."""
    _cut(paragraph, span.start)
    _cut(paragraph, span.end)
    out, at = [], 0
    for run in _runs(paragraph):
        end = at + len(run.text)
        if run.text and span.start <= at and end <= span.end:
            out.append(run)
        at = end
    return out


def _cut(paragraph: Paragraph, place: int) -> None:
    """Cut the run around a place in two; one that holds more than text (a picture) stays whole."""
    at = 0
    for run in _runs(paragraph):
        end = at + len(run.text)
        plain = all(child.tag in (qn("w:t"), qn("w:rPr")) for child in run._r)
        if at < place < end and plain:
            text, second = run.text, Run(copy.deepcopy(run._r), run._parent)
            run._r.addnext(second._r)
            run.text, second.text = text[: place - at], text[place - at :]
            return
        at = end


def _comment(finding: MemoFinding) -> str:
    said = f"〔{finding.verdict.said}〕{finding.message}"
    true = finding.true
    if true is None or finding.verdict is MemoVerdict.MATCH:
        return said
    value = f"\n正确的值：{true.value}" if true.value else ""
    wording = f"\n原文：{true.wording}" if true.wording else ""
    return f"{said}\n出处：{in_marks(true.title)}{true.label}{value}{wording}"


def excel(audit: MemoAudit, since: Sequence[AuditChange] | None = None) -> bytes:
    """Return the findings as a workbook: one row each, the counts, and what changed since an earlier audit."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    lines: list[tuple[str | int, ...]] = []
    for number, finding in enumerate(audit.findings, 1):
        claims = "\n".join(c.of(audit.text) for c in finding.claims)
        true = finding.true
        where, value = (f"{in_marks(true.title)}{true.label}", true.value or "") if true else ("", "")
        lines.append((number, finding.verdict.said, finding.text, claims, where, value, finding.message))
    table(sheet, "审校清单", _WIDTHS, lines)
    if since is not None:
        moved = ((c.number, c.text, c.said, "是" if c.worse else "", c.message) for c in since)
        table(book.create_sheet(), "与上次相比", _CHANGED, moved)
    totals: list[tuple[str | int, ...]] = [("适用日期", audit.day.isoformat())]
    totals += ((MemoVerdict(verdict).said, count) for verdict, count in audit.counts.items())
    table(book.create_sheet(), "合计", {"文稿": 16, audit.file: 36}, [*totals, ("共计", len(audit.findings))])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()

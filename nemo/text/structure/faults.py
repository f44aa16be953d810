"""What is wrong with the numbers of a text; reported, never mended (条文序号缺陷)."""

from collections.abc import Iterable, Sequence

from nemo.text.structure.annexes import is_annex_list
from nemo.text.structure.paragraphs import Paragraph
from nemo.text.words.numerals import article_name, to_chinese
from nemo.text.words.openings import ListMark, MarkKind, NumberedHead
from nemo.types import Fault, Span

TAIL = 400
"""Longest text behind the word 附件 that is only the list of annexes, signature, date and furniture."""


def sequence_faults(units: Sequence[Paragraph]) -> list[Fault]:
    """Return the gaps and repetitions in the article numbers of one text."""
    faults: list[Fault] = []
    last: NumberedHead | None = None
    for unit in units:
        if (head := unit.article) is None:
            continue
        problem = _problem(last, head)
        if problem is not None:
            faults.append(Fault(problem[0], problem[1], unit.span))
        if head.spaced and len(head.printed) + 1 == head.length and not head.separated:
            message = f"“{unit.line.text[: head.length]}”的序号中有空格，按{head.name}读取。"
            faults.append(Fault("article_number_malformed", message, unit.span))
        last = head
    return faults


def outline_faults(marks: Iterable[tuple[ListMark, Span]]) -> list[Fault]:
    """Return the gaps among the 一、二、三 of an outline; deeper numbers may run on or restart and prove nothing."""
    faults: list[Fault] = []
    last = 0
    for mark, span in marks:
        if mark.kind is not MarkKind.CN:
            continue
        if last and mark.number > last + 1:
            message = f"“{to_chinese(last)}、”之后是“{mark.key}、”，中间有缺号。"
            faults.append(Fault("outline_gap", message, span))
        last = mark.number
    return faults


def annex_faults(units: Sequence[Paragraph], text: str) -> list[Fault]:
    """Return that the annexes which a text lists at its end are not in the file (附件未随文): no unit is one."""
    listed = [u for u in units if u.plain and is_annex_list(u.span.of(text))]
    if not listed or units[-1].span.end - listed[-1].span.end > TAIL:
        return []
    return [Fault("annex_missing", "文末列有附件，本文件中没有附件正文。附件另有文件的，请一并上传。", listed[-1].span)]


def _problem(last: NumberedHead | None, head: NumberedHead) -> tuple[str, str] | None:
    if last is None:
        if head.number > 1:
            return "articles_start_late", f"正文从{head.name}开始，之前的条文不在本文件中。"
        return None
    if head.number == last.number:
        if head.insertion == last.insertion + 1:
            return None
        if head.insertion > last.insertion:
            return "article_gap", f"{last.name}之后是{head.name}，中间有缺号。"
        return "article_repeated", f"{head.name}出现不止一次。"
    if head.number < last.number:
        return "article_backward", f"{last.name}之后是{head.name}，序号倒退。"
    if head.number > last.number + 1:
        missing = article_name(last.number + 1)
        until = "" if head.number == last.number + 2 else f"至{article_name(head.number - 1)}"
        return "article_gap", f"{last.name}之后是{head.name}，缺{missing}{until}。"
    return None

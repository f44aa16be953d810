"""A quote and its source as HTML and as text to paste (引文与出处). Every foreign character passes ``nemo.ui.shared.safe``."""

from collections.abc import Sequence

from nemo.export import direct_link, sign, table_json, table_words, verification
from nemo.export import shown as words_of
from nemo.text.letter.titles import in_marks
from nemo.text.words.linebreaks import joined
from nemo.types import CHINA, Citation, PlaceGroup, Quote, QuotedRow, Span, Status, TablePiece, Verdict
from nemo.ui.shared import safe

TONES = {
    Status.IN_FORCE: "good", Status.PENDING: "warn", Status.AMENDED: "warn", Status.REPEALED: "bad",
    Status.EXPIRED: "bad", Status.UNKNOWN: "unknown",
}  # fmt: skip
"""How a status is coloured; the word always stands beside the colour."""


def badge(words: str, tone: str = "", hover: str | None = None) -> str:
    """Return a small label; ``tone`` is a constant class, ``hover`` shows on pointing at it."""
    title = f' title="{safe.text(hover)}"' if hover else ""
    return f'<span class="badge {tone}"{title}>{safe.name(words)}</span>'


def status_badge(status: Status, hover: str | None = None) -> str:
    """Return the label of a 时效性."""
    return badge(status.value, TONES[status], hover)


def quote_block(quote: Quote, number: int | None = None, marks: Sequence[Span] = ()) -> str:
    """Return the quote with the text it leans on, each exactly as stored.

    The sign of ``number`` (from 0) stands behind it; ``marks`` are places in its text to underlay.
    """
    mark = "" if number is None else f"<sup>{sign(number)}</sup>"
    show = safe.marked if quote.table is not None else safe.paragraph  # a row's lines are its cells
    return "".join(
        (
            _beside("前文（同条在前，或引文所依）", quote.before_text),
            f'<blockquote class="quote"><span class="verbatim">{show(quote.text, marks, "found")}</span>{mark}</blockquote>',
            "" if quote.table is None else table_block(quote.table),
            _beside("后文（同条在后，或限制、例外）", quote.after_text),
        )
    )


def table_block(quoted: QuotedRow) -> str:
    """Return a quoted table row as a small table: caption, unit, header, the group it stands under, the row."""
    width = max(len(cells) for cells in (*quoted.columns, quoted.cells))
    unit = quoted.unit if quoted.unit and not (quoted.caption and quoted.unit.text in quoted.caption.text) else None
    titles = "".join(f"<span>{safe.text(p.text)}</span>" for p in (quoted.caption, unit) if p is not None)
    below = (*quoted.columns[1:], ())
    head = "".join(_header_row(cells, under, width) for cells, under in zip(quoted.columns, below, strict=False))
    under = " ".join(piece.text for piece in quoted.above)
    group = f'<tr class="under"><td colspan="{width}">{safe.text(under)}</td></tr>' if under else ""
    caption = f"<caption>{titles}</caption>" if titles else ""
    body = f"<tbody>{group}{_table_row(quoted.cells, width, 'td')}</tbody>"
    return f'<div class="row-table"><table>{caption}<thead>{head}</thead>{body}</table></div>'


def _header_row(cells: Sequence[TablePiece], below: Sequence[TablePiece], width: int) -> str:
    """Return a header row; a name reaches over the empty cells to its right that stand above names (合并单元格)."""
    named = [bool(cell.text) or not (at < len(below) and below[at].text) for at, cell in enumerate(cells)]
    starts = [at for at, own in enumerate(named) if own or not at]
    ends = [*starts[1:], width]
    rows = zip(starts, ends, strict=True)
    return (
        "<tr>"
        + "".join(f'<th colspan="{end - at}">{safe.text(cells[at].text)}</th>' for at, end in rows if end > at)
        + "</tr>"
    )


def _table_row(cells: Sequence[TablePiece], width: int, tag: str) -> str:
    words = [safe.text(cell.text) for cell in cells] + [""] * (width - len(cells))
    return "<tr>" + "".join(f"<{tag}>{word}</{tag}>" for word in words) + "</tr>"


def _beside(words: str, text: str | None) -> str:
    if not text:
        return ""
    return f'<details class="beside" open><summary>{words}</summary><div class="verbatim">{safe.paragraph(text)}</div></details>'


def line(citation: Citation) -> str:
    """Return 《title》path with document number and page."""
    pages = "第" + "、".join(map(str, citation.pages)) + "页" if citation.pages else ""
    rest = " · ".join(safe.name(part) for part in (citation.document_number, pages) if part)
    return f'<p class="cite"><b>{safe.name(in_marks(citation.title))}{safe.text(citation.path)}</b> <span>{rest}</span></p>'


def english_line(quote: Quote) -> str:
    """Return the quote's source and terms in English, and a machine's rendering marked as such; nothing for none."""
    line = quote.english
    if line is None:
        return ""
    facts = (line.title, line.section, line.issuer, line.level, line.effective, line.status)
    said = " · ".join(safe.text(part) for part in facts if part)
    pairs = "；".join(f"{safe.text(t.chinese)} {safe.text(t.english)}" for t in line.terms)
    terms = f'<p class="quiet">术语对照：{pairs}</p>' if pairs else ""
    rows = "".join(
        f'<tr><td lang="zh">{safe.text(s.span.shift(-quote.span.start).of(quote.text))}</td>'
        f'<td lang="en">{safe.text(s.english)}</td></tr>'
        for s in line.rendering
    )
    made = f"机器翻译（{safe.text(line.rendered_by)}），非官方译文，以中文原文为准"
    rendering = f'<details class="fold"><summary>{made}</summary><table class="plain">{rows}</table></details>'
    return f'<p class="cite" lang="en">{said}</p>{terms}' + (rendering if rows else "")


def badges(quote: Quote, intact: bool, place: str = "", not_law: str = "") -> str:
    """Return the labels under a quote: whose rule of what force it is, since when, and whether it stands.

    ``intact``: the stored text still has these characters at this place, checked just now. ``not_law`` is what its text
    is where that is no law on any day (征求意见稿): it has no 时效性.
    """
    c = quote.citation
    other = quote.group is PlaceGroup.OTHER
    whose = " · ".join(filter(None, (place or (quote.group.value if quote.group else ""), c.level)))
    recognised = (
        badge(verification(quote), "warn", "由图像识别而来，引用前请对照原页") if c.recognised is not None else ""
    )
    return "".join(
        (
            '<p class="badges">',
            badge(whose, "warn" if other else "", "其他地方的规定，仅供对照" if other else "适用地域与效力级别")
            if whose
            else "",
            badge(not_law, "warn", "不是现行规定")
            if not_law
            else status_badge(c.status, f"{c.day}：{c.status_evidence or '没有读到依据'}"),
            ""
            if not_law
            else badge(
                c.began,
                "warn" if c.effective_derived else "info" if c.effective else "unknown",
                f"依据：{c.effective_basis}" if c.effective_basis else "文本中没有读到施行日期",
            ),
            recognised if intact else badge("与现库原文不一致，请勿引用", "bad", "原文已被替换或移出"),
            _review(quote),
            "</p>",
            *(f'<p class="flaw">⚠ {safe.text(warning)}</p>' for warning in c.warnings),
        )
    )


def _review(quote: Quote) -> str:
    review = quote.review
    if review is None:
        return ""
    when = f"{review.at.astimezone(CHINA):%Y-%m-%d}"
    tone = {Verdict.APPROVED: "good", Verdict.REJECTED: "bad"}.get(review.state, "warn")
    return badge(f"{review.state.value} {review.by or ''} {when}", tone, review.reason or "复核人员的结论")


def origin(quote: Quote, intact: bool) -> str:
    """Return everything known about the source of a quote, folded; that words agree says nothing of whether they answer."""
    c = quote.citation
    rows = (
        ("发布机关", safe.name(c.issuer) if c.issuer else ""), ("公布日期", safe.text(str(c.promulgated or ""))),
        ("施行日期", "" if c.not_law else _with(c.began, c.effective_basis)), ("版本日期", safe.text(str(c.version_date or ""))),
        ("时效性", _with(f"{c.standing}（{c.day}）", c.status_evidence)), ("原件", safe.name(c.file)),
        ("来源网址", safe.link(direct_link(c), direct_link(c) or "")),
        ("原文位置", f"第 {quote.span.start}–{quote.span.end} 字 · 条款标识 {safe.text(c.label)}"),
        ("排序得分", f"{quote.score:.3f}"),
    )  # fmt: skip
    proof = f" · {verification(quote)}" if intact and c.recognised is None else ""
    hover = "只说明引文与资料库原文逐字相同，不说明它回答了问题"
    summary = f'<summary title="{hover}">出处与核验<span>{proof}</span></summary>'
    return f'<details class="fold origin">{summary}{safe.facts(rows)}</details>'


def _with(value: object, words: str | None) -> str:
    shown = safe.text(str(value)) if value else "未知"
    return shown + (f'<span class="words">{safe.text(words)}</span>' if words else "")


def paste(quote: Quote, number: int | None = None) -> str:
    """Return the quote with its source as plain text for a memo; what it leans on comes along."""
    c = quote.citation
    parts = [in_marks(c.title) + (f"（{c.document_number}）" if c.document_number else "") + c.path]
    if c.pages:
        parts.append("第" + "、".join(map(str, c.pages)) + "页")
    parts += [c.not_law] if c.not_law else [c.began, f"{c.status.value}（{c.day}）"]
    parts += [f"注意：{warning}" for warning in c.warnings]
    mark = sign(number) if number is not None else ""
    before = f"〔前文〕“{joined(quote.before_text)}”\n" if quote.before_text else ""
    after = f"\n〔后文〕“{joined(quote.after_text)}”" if quote.after_text else ""
    row = f"\n〔{cells}〕" if (cells := table_words(table_json(quote))) else ""
    return f"{before}{mark}“{words_of(quote)}”〔{'，'.join(parts)}〕{row}{after}"

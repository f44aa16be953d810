"""A memo beside the findings on its citations (文稿审校)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st

from nemo.text.letter.titles import in_marks
from nemo.types import RawDocument, Span
from nemo.ui.answer import citation, download
from nemo.ui.shared import frame, login, safe, tables

if TYPE_CHECKING:
    from nemo.audit import MemoAudit, MemoFinding, MemoVerdict
    from nemo.audit.comparison.differences import MemoDifference
    from nemo.audit.finding import TruePlace
    from nemo.ui.shared.frame import Upload

_DAY = "memo_day"
_RESULT = "_memo_result"
_FILE, _PASTED, _SHOWN = "memo_file", "memo_text", "memo_shown"
_WORDS = {
    "docx": ("Word（带批注）", ":material/description:"),
    "xlsx": ("Excel 清单", ":material/table_view:"),
    "json": ("JSON", ":material/data_object:"),
}
_BEFORE, _SINCE = "memo_before", "_memo_since"
_REMIND = "memo_remind"
_TONES = {"match": "good", "not_held": "unknown", "cannot_check": "warn"}
_HEIGHT = 720
"""Pixels of the two columns, which scroll apart."""


def draw() -> None:
    """Draw the form, and the findings of the memo that was handed over last."""
    _form()
    if _RESULT in st.session_state:
        _result(*st.session_state[_RESULT])


def _audit(upload: Upload | None, text: str, before: Upload | None) -> None:
    """Audit the memo that was handed over, the file before the pasted words, and keep what was found."""
    engine, state = frame.engine(), st.session_state
    state[_SINCE] = _earlier(before) if before is not None else None
    if upload is None and not text.strip():
        frame.say("info", "还没有文稿", "请上传文件，或把文字粘贴到框中。")
        return
    if upload is not None and text.strip():
        frame.say("info", f"审校的是“{safe.visible(upload.name)}”", "粘贴的文字没有用到；要审校它，请先移除文件。")
    raw = (
        RawDocument.of(upload.getvalue(), upload.name)
        if upload is not None
        else RawDocument.of(text.encode("utf-8", "replace"), "粘贴文稿.txt")
    )
    state.pop(_RESULT, None)
    found = engine.audit.audit(raw, state[_DAY])
    state[_RESULT] = (raw, found, engine.state)
    if state[_REMIND]:
        engine.audit.remember(found, raw, login.name())


def _earlier(before: Upload) -> object:
    from nemo.audit.again import earlier  # the rules of the audit: only who has a memo judged pays for them

    return earlier(before.getvalue())


def _form() -> None:
    """Draw the form, and audit the memo when that was ordered."""
    with st.container(border=True, key="memo_form", gap="small"):
        given, pasted = st.columns(2, gap="medium")
        upload = given.file_uploader(
            "文稿文件", type=["docx", "pdf", "txt", "md"], key=_FILE,
            max_upload_size=frame.engine().settings.max_file_mb, help="Word、PDF、纯文本",
        )  # fmt: skip
        text = pasted.text_area(
            "或粘贴文稿", key=_PASTED, height=120, placeholder="粘贴意见书、报告、合同或复函的文字", persist_state="session",
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="memo_acts"):
            st.html('<span class="quiet">适用日期</span>', width="content")
            st.date_input(
                "适用日期", value=None, key=_DAY, format="YYYY-MM-DD", width=160, label_visibility="collapsed",
            )  # fmt: skip
            st.toggle(
                "所引法规变化时提醒我", login.name() is not None, key=_REMIND, disabled=frame.engine().library.read_only,
                help="只记文稿名与所引条款，文稿本身不保存；仅本人可见，可在首页“关注”中取消",
            )  # fmt: skip
            chosen = "（已选）" if st.session_state.get(_BEFORE) else ""
            with st.popover(f"与上次审校对照{chosen}", icon=":material/difference:", type="tertiary", key="memo_again"):
                before = st.file_uploader(
                    "上次审校时下载的 JSON：看此后哪些引用变为不相符", type="json", key=_BEFORE,
                    max_upload_size=frame.engine().settings.max_file_mb,
                )  # fmt: skip
            st.button(
                "审校",
                type="primary",
                icon=":material/spellcheck:",
                key="memo_go",
                on_click=frame.order,
                args=("memo_go",),
            )
            st.html('<p class="quiet">未选适用日期时，按文稿落款日；没有落款日的按今天。</p>')
    frame.fulfil("memo_go", "正在逐处核对…", partial(_audit, upload, text or "", before))


def _result(raw: RawDocument, audit: MemoAudit, state: Hashable) -> None:
    from nemo.audit import MemoVerdict

    if state != frame.engine().state:
        frame.notice("warn", "资料库在审校之后有变化", "以下是变化前的结果，请重新审校。")
    counts = {MemoVerdict(v): n for v, n in audit.counts.items() if n}
    before = st.session_state.get(_SINCE)
    caption = f"{safe.visible(raw.name)}　适用日期：{audit.day}　共 {len(audit.findings)} 处引用"
    with st.container(horizontal=True, vertical_alignment="center", key="toolbar"):
        st.html(f'<h2 class="answer-head">审校结果<span>{safe.text(caption)}</span></h2>')
        file = download.file_name("审校", raw.name.rsplit(".", 1)[0])
        download.files(file, lambda form: frame.engine().audit.written(audit, raw, form, before), _WORDS, key="memo")
    if before:
        _since(audit, before)
    if not audit.findings:
        frame.notice("info", "没有发现法规引用", "文稿中没有读到法规名称、文号、标准号或条款引用。")
    else:
        st.html(_summary(counts))
    chosen = st.pills(
        "只看", list(counts), selection_mode="multi", format_func=lambda v: f"{v.said} {counts[v]}",
        key=_SHOWN, label_visibility="collapsed",
    )  # fmt: skip
    shown = [(n, f) for n, f in enumerate(audit.findings, 1) if not chosen or f.verdict in chosen]
    memo, findings = st.columns([3, 2], gap="medium")
    with memo.container(height=_HEIGHT, key="memo_text_box"):
        st.html(_memo(audit))
    with findings.container(height=_HEIGHT, key="memo_findings"):
        held = {row.file: row.id for row in frame.engine().regulations()}
        st.html("".join(_card(audit, number, finding, held) for number, finding in shown))


def _summary(counts: Mapping[MemoVerdict, int]) -> str:
    """Return in one line what a signer has to do: mend, look at, or nothing."""
    tones = {verdict: _TONES.get(verdict.value, "bad") for verdict in counts}
    wrong = sum(n for verdict, n in counts.items() if tones[verdict] == "bad")
    unproven = sum(n for verdict, n in counts.items() if tones[verdict] in ("unknown", "warn"))
    tone, word = ("bad", "须改") if wrong else ("warn", "待核") if unproven else ("good", "全部相符")
    said = [f"{wrong} 处不符或非当日有效" if wrong else "", f"{unproven} 处须自行核对" if unproven else ""]
    right = sum(counts.values()) - wrong - unproven
    line = "；".join(filter(None, [*said, f"{right} 处相符" if right else ""]))
    return f'<section class="verdict {tone}" role="status"><p><strong>{word}</strong> {line}。</p></section>'


def _memo(audit: MemoAudit) -> str:
    """Return the memo with a mark and a number at every finding, a lighter mark at its claims."""
    parts, at = [], 0
    for number, finding in enumerate(audit.findings, 1):
        parts.append(_told(audit, Span(at, finding.span.start)))
        parts.append(
            f'<mark id="m{number}" class="audit {finding.verdict.value}"><a href="#f{number}" target="_self" title="{finding.verdict.said}">'
            f"{safe.text(finding.text)}<sup>{number}</sup></a></mark>"
        )
        at = finding.span.end
    parts.append(_told(audit, Span(at, len(audit.text))))
    return f'<div class="memo">{"".join(parts)}</div>'


def _told(audit: MemoAudit, between: Span) -> str:
    """Return a stretch between two citations; what it claims of them is underlined, and leads to the finding."""
    parts, at = [], between.start
    claims = sorted((c, n) for n, f in enumerate(audit.findings, 1) for c in f.claims if c.overlaps(between))
    for claim, number in claims:
        start, end = max(claim.start, at), min(claim.end, between.end)
        if start >= end:
            continue  # told of two citations: the first has it
        kind = audit.findings[number - 1].verdict.value
        parts += [
            safe.text(audit.text[at:start]), f'<a class="claim {kind}" href="#f{number}" target="_self">',
            safe.text(audit.text[start:end]), "</a>",
        ]  # fmt: skip
        at = end
    return "".join([*parts, safe.text(audit.text[at : between.end])])


def _card(audit: MemoAudit, number: int, finding: MemoFinding, held: Mapping[str, str]) -> str:
    """Return a finding: its verdict, both wordings where they differ, and the way to the text; ``held`` is ids by file."""
    from nemo.audit.comparison.differences import differences

    true, verdict = finding.true, finding.verdict
    diff = "".join(_difference(one) for one in differences(finding, audit.text))
    claims = "；".join(c.of(audit.text) for c in finding.claims)
    rows = [("文稿所述", "" if diff else safe.text(claims))]
    words = ""
    if true is not None:
        rows += [("出处", _place(true, held)), ("正确的值", safe.text(true.value or ""))]
        words = f'<details class="fold"><summary>原文</summary><div class="verbatim">{safe.paragraph(true.wording)}</div></details>'
    return (
        f'<section id="f{number}" class="finding {verdict.value}"><h3><a href="#m{number}" target="_self">{number}</a> '
        f"{citation.badge(verdict.said, _TONES.get(verdict.value, 'bad'))} {safe.text(finding.text)}</h3>"
        f"<p>{safe.text(finding.message)}</p>{diff}{safe.facts(rows)}{words}</section>"
    )


def _place(true: TruePlace, held: Mapping[str, str]) -> str:
    """Return where the proof stands, as a link while the text is held."""
    words = safe.text(f"{in_marks(true.title)}{true.label}")
    if true.file not in held:
        return words
    params = {"r": held[true.file]} | ({"label": str(true.articles[0])} if true.articles else {})
    return f'<a href="./library?{safe.text(urlencode(params))}" target="_blank">{words}</a>'


def _difference(one: MemoDifference) -> str:
    """Return both wordings, one under the other, what the other has not in colour."""
    sides = []
    for head, of_law, tag in (("文稿", False, "del"), ("原文", True, "ins")):
        words = "".join(f"<{tag}>{safe.text(w)}</{tag}>" if alone else safe.text(w) for w, alone in one.pieces(of_law))
        sides.append(f'<p><span class="quiet">{head}</span> <span class="verbatim">{words}</span></p>')
    return f'<div class="diff">{"".join(sides)}</div>'


def _since(audit: MemoAudit, before: Mapping[str, Any]) -> None:
    """Draw what stands otherwise than in the earlier audit."""
    from nemo.audit.again import changes
    from nemo.audit.finding import plain

    found = changes(before, plain(audit))
    worse = sum(change.worse for change in found)
    if not found:
        frame.notice("good", "与上次审校相比没有变化")
        return
    tone = {True: "bad", False: "info"}
    rows = [(c.number, citation.badge(c.said, tone[c.worse]), safe.name(c.text), safe.text(c.message)) for c in found]
    st.html(
        f'<h3 class="side-head">与上次审校相比：{len(found)} 处有变，其中 {worse} 处变为不相符</h3>'
        + tables.plain((), rows)
    )

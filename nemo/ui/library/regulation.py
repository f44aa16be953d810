"""One regulation: status, text with deep links, facts with their evidence, versions, faults, original, removal (法规详情)."""

import datetime as dt
from collections.abc import Callable, Mapping

import streamlit as st

from nemo.errors import NotFoundError
from nemo.ingest import corrections
from nemo.text.letter.titles import in_marks
from nemo.types import CITABLE, Regulation, Span, today
from nemo.ui.answer import citation
from nemo.ui.library import fact_form, figures, notes, source_page, text
from nemo.ui.shared import choices, clipboard, frame, login, safe, tables

_FACTS = {
    "title": "标题", "document_number": "文号", "issuer": "发布机关", "level": "效力级别", "province": "省份",
    "doc_class": "文件类别", "assets": "能源类型", "nature": "文件性质", "version_date": "版本日期", "promulgated": "公布日期",
    "first_effective": "首次施行", "version_effective": "本版施行", "ends": "失效日期", "short_title": "简称",
    "url": "来源网址", "effective_date": "施行日期", "effective_date_basis": "施行日期依据", "in_force_from": "本版施行",
    "valid_until": "有效期至", "superseded_by": "被何文本取代", "superseded_on": "被取代日期", "file": "文件",
}  # fmt: skip

_FIELDS = {"first_effective": "effective_date", "version_effective": "in_force_from", "ends": "valid_until"}
"""Where ``corrections.values`` has the value of a fact under another name."""

_TABS = {
    "": "正文", "figures": "图表", "facts": "事实与依据", "versions": "版本与关系", "pages": "原件页面", "manage": "管理",
}  # fmt: skip
"""Tabs by their names in the address."""

# Constant: brings the provision that the address names into view, in the text and in its outline, once per address.
_SCROLL = """<script>(() => {
  const target = document.querySelector('[data-target]');
  const key = location.search + location.hash;
  if (!target || window.nemoScrolled === key) return;
  window.nemoScrolled = key;
  target.scrollIntoView({block: 'center'});
  const entry = document.querySelector('.outline a.chosen'), list = entry && entry.closest('.outline');
  if (list) list.scrollTop += entry.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
})()</script>"""


def open_at(address: Mapping[str, str]) -> None:
    """Draw the regulation an address names: ``r`` its id, ``label`` a provision, ``as_of`` a day."""
    chosen, wrong = choices.read(address, frame.engine().rules)
    for words in wrong:
        frame.notice("warn", "链接中的条件有误", words)
    try:
        regulation = frame.engine().regulation(address["r"])
    except NotFoundError:
        frame.notice("warn", "资料库中没有这部法规", "它已移出资料库，或链接有误。")
        return
    draw(regulation, address.get("label", ""), chosen.day or today())


def draw(regulation: Regulation, label: str, day: dt.date) -> None:
    """Draw a regulation, opened at the provision ``label`` if the address names one."""
    provision = regulation.find(label) if label else None
    _head(regulation, day, provision.label if provision else None)
    if label and provision is None:
        frame.notice("warn", "没有这个条款标识", f"本法规中没有标识为“{label}”的条款，已打开全文。")
    some = {"figures": figures.has_figures(regulation), "pages": source_page.has_pages(regulation)}
    titles = {code: title for code, title in _TABS.items() if some.get(code, True)}
    target = provision.span if provision else None
    parts: dict[str, Callable[[], object]] = {
        "": lambda: _text(regulation, label, target), "figures": lambda: figures.draw(regulation),
        "facts": lambda: _facts(regulation), "versions": lambda: _versions(regulation, day),
        "pages": lambda: source_page.view(regulation.id, target, key="original"), "manage": lambda: _manage(regulation),
    }  # fmt: skip
    for code, tab in zip(titles, frame.tabs(titles, regulation.id), strict=True):
        if tab.open:
            if not code:
                st.query_params.pop("with", None)
            with tab:
                parts[code]()


def _versions(regulation: Regulation, day: dt.date) -> None:
    from nemo.ui.library import (
        versions,  # draws charts: 26 MiB and most of a second that only who looks at versions pays
    )

    versions.draw(regulation, day)


def _head(regulation: Regulation, day: dt.date, label: str | None) -> None:
    rules = frame.engine().rules
    validity = regulation.validity
    binding, why = regulation.nature in CITABLE, f"{day}：{validity.proof(day, label or '') or '没有读到依据'}"
    marks = (
        citation.status_badge(validity.on(day, label), why)
        if binding
        else citation.badge(choices.standing(regulation, day, rules), "warn"),
        citation.badge(validity.began, "warn" if validity.derived else "info" if validity.effective else "unknown")
        if binding
        else "",
        *(citation.badge(words) for words in (
            regulation.level, choices.place(regulation, rules),
            choices.named(rules, "asset", regulation.assets), choices.named(rules, "doc_class", [regulation.doc_class]),
        ) if words),
        "" if binding else citation.badge("不作为依据引用", "warn"),
    )  # fmt: skip
    about = " · ".join(filter(None, (regulation.document_number, regulation.issuer)))
    with st.container(horizontal=True, vertical_alignment="top", key="law_head"):
        st.html(
            f'<header class="law-head"><h1>{safe.name(regulation.title)}</h1><p class="quiet">{safe.name(about) if about else ""}</p>'
            f'<p class="badges">{"".join(marks)}<span class="quiet">按 {day}</span></p></header>'
        )
        notes.follow_button(regulation)


def _text(regulation: Regulation, label: str, target: Span | None) -> None:
    frame.faults(regulation.faults)
    with st.container(horizontal=True, vertical_alignment="center", key="law_bar"):
        words = st.text_input(
            "在本文中查找", type="search", live=True, key=f"find_{regulation.id}", placeholder="在本文中查找",
            label_visibility="collapsed", icon=":material/search:", width=320,
            on_change=choices.tied("words", f"find_{regulation.id}", default=""),
        )  # fmt: skip
        within = _section(regulation, target)
        count = len(text.occurrences((within or Span(0, len(regulation.text))).of(regulation.text), words or ""))
        st.caption(f"找到 {count} 处" if words else f"{len(regulation.text)} 字", width="stretch")
        if target:
            clipboard.button("复制本条", target.of(regulation.text).strip("\n"), key="copy_provision")
        notes.editor(regulation, label)
        clipboard.button("打印", key="print", act="print")
    left, right = st.columns([1, 3.4], gap="medium")
    left.container(key="outline").html(text.outline(regulation, label))
    right.html(text.page(regulation, target, words or "", within, notes.of(regulation)))
    st.container(key="scroll").html(_SCROLL, unsafe_allow_javascript=True)


def _section(regulation: Regulation, target: Span | None) -> Span | None:
    """Draw the choice of one chapter, where there are several; None is the whole text."""
    known = {section.label: section for section in text.sections(regulation)}
    if len(known) < 2:
        return None
    labels = {"": "全文"} | {label: f"{one.number} {one.heading}".strip() for label, one in known.items()}
    key = f"section_{regulation.id}"
    if st.session_state.get(f"{key}_at", target) != target:
        st.session_state[key] = ""  # a link led to another provision
    st.session_state[f"{key}_at"] = target
    label = st.selectbox(
        "章节", list(labels), key=key, width=220, label_visibility="collapsed",
        format_func=lambda code: safe.visible(labels[code]),
    )  # fmt: skip
    return known[label].span if label in known else None


def _facts(regulation: Regulation) -> None:
    pieces = next((row.count for row in frame.engine().regulations() if row.id == regulation.id), 0)
    rows = (
        ("原件", safe.name(regulation.file)), ("来源网址", safe.link(regulation.url, regulation.url or "")),
        ("读取方式", safe.text(choices.format_name(regulation.parser))),
        ("识别置信度", f"{regulation.ocr_confidence:.2f}" if regulation.ocr_confidence is not None else ""),
        ("页数", str(len(regulation.pages) or "")), ("字数", str(len(regulation.text))), *text.figures(regulation),
        ("检索片段", f"{pieces} 个"), ("指纹", f"<code>{safe.text(regulation.sha256)}</code>"),
        ("法规编号", f"<code>{safe.text(regulation.id)}</code>"),
    )  # fmt: skip
    st.html('<h3 class="side-head">原件</h3>' + safe.facts(rows))
    st.html('<h3 class="side-head">读出的事实及其依据</h3>' + evidence(regulation))
    if regulation.notes:
        noted = [(safe.text(str(key)), safe.text(str(value))) for key, value in regulation.notes.items()]
        st.html(f'<details class="fold"><summary>入库清单另附的备注（照录）</summary>{safe.facts(noted)}</details>')


def evidence(regulation: Regulation) -> str:
    """Return the facts of a regulation, each once: what holds, and the words it was read from."""
    known = corrections.values(regulation)
    found: dict[str, list[str]] = {}
    holds: dict[str, str] = {}
    for one in (*regulation.facts, *regulation.validity.evidence):
        name, field = _FACTS.get(one.fact, one.fact), _FIELDS.get(one.fact, one.fact)
        value = known.get(field) or getattr(regulation, one.fact, None) or ""
        codes = fact_form.fixed_values(field)
        values = value if isinstance(value, list | tuple) else [value]
        holds[name] = "、".join(codes.get(str(v), str(v)) for v in values) or ("各类能源" if field == "assets" else "—")
        words = f'<div>{tables.verbatim(one.words)} <span class="quiet">{safe.text(one.origin.value)}</span></div>'
        found.setdefault(name, []).append(words)
    rows = [(safe.text(name), safe.name(holds[name]), "".join(dict.fromkeys(words))) for name, words in found.items()]
    return tables.plain(("事实", "现为", "依据原文"), rows, "read")


def _manage(regulation: Regulation) -> None:
    raw = frame.engine().library.raw
    st.download_button(
        "下载原件", lambda: raw(regulation.sha256).content, safe.visible(regulation.file), icon=":material/download:",
        on_click="ignore", key="download_raw",
    )  # fmt: skip
    fact_form.draw(regulation)
    if not login.may("remove"):
        return
    st.html('<h3 class="side-head">移出资料库</h3>')
    st.html('<p class="quiet">移出后，本法规立即不再参与答复；其他版本不受影响。原件可以重新上传入库。</p>')
    sure = st.checkbox("我确认要把本法规移出资料库", key=f"sure_{regulation.id}")
    st.button(
        "移出资料库", icon=":material/delete:", disabled=not sure, on_click=_remove, args=(regulation,), key="remove"
    )


def _remove(regulation: Regulation) -> None:
    if frame.act(
        lambda: frame.engine().intake.remove(regulation.id, login.user()), f"已移出资料库：{in_marks(regulation.title)}"
    ):
        st.query_params.clear()

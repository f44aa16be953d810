"""Versions of one regulation side by side, article by article, and its relations (版本对照)."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from nemo.lawview import comparison
from nemo.lawview.timeline import named_units
from nemo.text.letter.titles import in_marks
from nemo.text.versions.edits import stretches
from nemo.types import Regulation, status_of
from nemo.ui.answer import citation, download, view
from nemo.ui.library import relations, timeline
from nemo.ui.shared import choices, frame, safe, tables

if TYPE_CHECKING:
    from nemo.lawview import Link, TimelineEvent
    from nemo.store.catalogue.rows import RegulationRow

_TONES = {
    comparison.ProvisionChange.CHANGED: "warn", comparison.ProvisionChange.MOVED: "info",
    comparison.ProvisionChange.ADDED: "good", comparison.ProvisionChange.REMOVED: "bad",
}  # fmt: skip


def draw(regulation: Regulation, day: dt.date) -> None:
    """Draw the versions, the comparison with a chosen one, and the relations."""
    rows = frame.engine().law.versions(regulation.id)
    st.html('<h3 class="side-head">版本</h3>')
    told = _named(rows)
    for row in reversed(rows):
        _version(row, told[row.id], row.id == regulation.id, day)
    shown = frame.engine().law.timeline(regulation.id, day)
    timeline.draw(regulation.title, shown.stretches, day, told)
    _parts(regulation, day)
    _compared(regulation, rows)
    _events(shown.events)
    _relations(regulation, day)


def _compared(regulation: Regulation, versions: Sequence[RegulationRow]) -> None:
    """Draw the choice of another version, or of any other text, and both side by side; the address names the choice."""
    every = {row.id: row for row in frame.engine().regulations() if row.id != regulation.id}
    same = [row.id for row in reversed(versions) if row.id != regulation.id]
    told, homes, rules = _named(versions), choices.homes(every.values()), frame.engine().rules
    key = f"with_{regulation.id}"
    if key not in st.session_state:
        given = st.query_params.get("with", "")
        st.session_state[key] = given if given in every else next(iter(same), None)

    def name(other: str) -> str:
        row = every[other]
        own = (
            f"本法规 {told[other]}"
            if other in same
            else f"{in_marks(row.title)}（{choices.named(rules, 'province', [homes[other]])}）"
        )
        return safe.visible(own)

    chosen = st.selectbox(
        "与此对照（其他版本在前，也可选任意一部法规，如外省的同类办法）", [*same, *(each for each in every if each not in same)],
        format_func=name, key=key, placeholder="选择另一个版本或另一部法规",
    )  # fmt: skip
    if chosen:
        st.query_params["with"] = chosen
        _side_by_side(regulation, frame.engine().regulation(chosen), _apart(versions))
    else:
        st.query_params.pop("with", None)


def _named(rows: Sequence[RegulationRow]) -> dict[str, str]:
    """Return id → day and number of each version; of those that share both, what tells them apart too."""
    shared, own = Counter(map(_numbered, rows)), _apart(rows)
    return {r.id: _numbered(r) if shared[_numbered(r)] == 1 else f"{_numbered(r)}（{own[r.id]}）" for r in rows}


def _apart(rows: Sequence[RegulationRow]) -> dict[str, str]:
    """Return id → what tells a version from another of its day and number: its short title (合同编), or its file."""
    short = Counter((_numbered(r), r.short_title) for r in rows)
    return {r.id: r.short_title if r.short_title and short[_numbered(r), r.short_title] == 1 else r.file for r in rows}


def _numbered(row: RegulationRow) -> str:
    return f"{_date(row)} {row.document_number or ''}".strip()


def _version(row: RegulationRow, told: str, current: bool, day: dt.date) -> None:
    began = choices.began(row, frame.engine().rules)
    here = citation.badge("正在查看", "info") if current else ""
    words = f"<b>{safe.name(told)}</b> {citation.status_badge(status_of(row, day))} <span>{began}</span> {here}"
    with frame.line(words, f"version_{row.id}"):
        if not current:
            view.library_link("打开", row.id)


def _parts(regulation: Regulation, day: dt.date) -> None:
    """Draw what of the text starts on a day of its own, with its status on the chosen day."""
    known = regulation.validity
    if not known.scopes:
        return
    st.html('<h3 class="side-head">另有施行日期的条款</h3>')
    rows = [
        (
            safe.text(named_units(regulation, scope.labels)), scope.effective or "未定",
            citation.status_badge(status_of(regulation, day, scope.labels[0])), tables.verbatim(scope.evidence.words),
        )
        for scope in known.scopes
    ]  # fmt: skip
    st.html(tables.plain(("条款", "施行", "时效", "依据"), rows))


_BETWEEN = {
    comparison.ProvisionChange.CHANGED: "相对应", comparison.ProvisionChange.MOVED: "相同，位置不同",
    comparison.ProvisionChange.ADDED: "只见于右侧", comparison.ProvisionChange.REMOVED: "只见于左侧",
    comparison.ProvisionChange.SAME: "相同",
}  # fmt: skip
"""What a change of versions is between two different texts."""
_OF_VERSIONS = {kind: kind.value for kind in comparison.ProvisionChange}


def _side_by_side(one: Regulation, other: Regulation, own: Mapping[str, str]) -> None:
    """Draw two texts provision by provision: versions (``own`` names them, by id) with the older to the left, else ``one`` to the left.

    What bears the same day is another part of the work (合同编, 物权编) or the same from another file: neither is the newer.
    """
    old, new = one, other
    versions = other.id in own and _date(one) != _date(other)
    if versions:
        old, new = sorted((one, other), key=lambda r: str(r.version_date or r.validity.effective or ""))
    found = comparison.diff(old, new)
    if other.id not in own:  # titles, days of adoption and preambles of two works are no counterparts
        units = [pair for pair in found.pairs if any(s and s.level in comparison.UNITS for s in (pair.old, pair.new))]
        found = replace(found, pairs=tuple(units))
    named = _OF_VERSIONS if versions else _BETWEEN
    shared = not versions and any(pair.old and pair.new for pair in found.pairs)
    with st.container(horizontal=True, vertical_alignment="center", key="diff_bar"):
        only_changed = st.toggle(
            "只看有变化的条文" if versions else "只看不同的条文", True, key=f"changed_{one.id}_{other.id}"
        )
        only_shared = shared and st.toggle("只看两部都有的条文", True, key=f"shared_{one.id}_{other.id}")
        st.caption(_counted(found, named))
        pairs = [
            pair
            for pair in (found.only_changes().pairs if only_changed else found.pairs)
            if not only_shared or (pair.old and pair.new)
        ]
        heads = (in_marks(old.title), in_marks(new.title))
        if other.id in own:
            heads = (f"旧版 {_date(old)}", f"新版 {_date(new)}") if versions else (own[old.id], own[new.id])
        if pairs:
            _downloads(old, heads, pairs, None if versions else named)
    if not pairs:
        frame.notice("good", "两个版本的条文完全相同" if versions else "两部法规都有的条文完全相同")
        return
    if not versions and not shared:
        frame.notice("info", "没有读出相对应的条文", "两部法规的用语相差较大，以下依次列出各自的条文。")
    left, right = map(safe.name, heads)
    lines = "".join(_line(pair, named) for pair in pairs)
    kind = "diff" if versions else "diff between"
    st.html(f'<div class="{kind}"><div class="pair heads"><div>{left}</div><div>{right}</div></div>{lines}</div>')


def _counted(found: comparison.VersionComparison, named: Mapping[comparison.ProvisionChange, str]) -> str:
    """Return how many provisions are of each kind, and how much else differs: headings, notes under the title."""
    counts = {comparison.ProvisionChange(kind): count for kind, count in found.counts.items() if count}
    differ = sum(count for kind, count in counts.items() if kind is not comparison.ProvisionChange.SAME)
    said = [f"{named[kind]} {count}" for kind, count in counts.items()]
    beside = len(found.only_changes().pairs) - differ
    return " · ".join([*said, f"另有标题、题注等 {beside} 处不同"] if beside else said)


def _downloads(
    old: Regulation,
    heads: tuple[str, str],
    pairs: Sequence[comparison.ProvisionPair],
    between: Mapping[comparison.ProvisionChange, str] | None,
) -> None:
    """Draw the buttons that give the lines on the page as a file; ``between`` names what differs in two different texts."""

    def written(form: str) -> bytes:
        from nemo.export import compared  # brings python-docx: only who takes a file away pays for it

        title = f"{in_marks(old.title)}条文对照" if between is None else "条文对照"
        return compared.write(compared.ComparedTexts.of(title, heads, pairs, between), form)

    file = download.file_name("条文对照", *([] if between else [old.title]), *heads)
    forms = {"docx": ("Word", ":material/download:"), "html": ("网页", ":material/download:")}
    download.files(file, written, forms, key="diff")


def _date(regulation: Regulation | RegulationRow) -> str:
    return str(regulation.version_date or regulation.validity.effective or "日期未知")


def _line(pair: comparison.ProvisionPair, named: Mapping[comparison.ProvisionChange, str]) -> str:
    old, new = (side.text if side else None for side in (pair.old, pair.new))
    left, right = safe.both(old, new, stretches(old or "", new or "", pair.edits))
    kind = (
        citation.badge(named[pair.kind], _TONES[pair.kind] if named is _OF_VERSIONS else "info")
        if pair.kind is not comparison.ProvisionChange.SAME
        else ""
    )
    if pair.renumbered and pair.old and pair.new:
        kind += f' <span class="quiet">原{safe.text(pair.old.name)} → 现{safe.text(pair.new.name)}</span>'
    kind_line = f'<div class="what">{kind}</div>' if kind else ""
    return f'<div class="pair">{kind_line}<div class="verbatim">{left}</div><div class="verbatim">{right}</div></div>'


def _relations(regulation: Regulation, day: dt.date) -> None:
    found = frame.engine().law.links(regulation.id, day)
    for link in found.repealed_bases:
        frame.notice("warn", "上位法已废止，待核", f"本文所依据的{in_marks(link.title)}已废止。")
    if found.links:
        st.html('<h3 class="side-head">关系图</h3>')
        relations.draw(regulation, found.links)
    for title, inward in (("本文所指", False), ("指向本文", True)):
        some = [link for link in found.links if link.inward is inward]
        if some:
            st.html(f'<h3 class="side-head">{title}</h3>' + "".join(map(_tie, some)))
    if not found.links:
        st.caption("没有读到与其他法规的关系。")


def _tie(link: Link) -> str:
    kind = citation.badge(link.kind, "warn" if "废止" in link.kind or "修改" in link.kind else "")
    held = citation.status_badge(link.status) if link.status else citation.badge("未入库", "unknown")
    number = f" {safe.name(link.number)}" if link.number and link.number != link.title else ""
    title = safe.name(in_marks(link.title))
    if link.regulation_id:
        title = frame.anchor(title, "library", {"r": link.regulation_id})
    bare = "".join(link.words.split()).strip("《》") == "".join(link.title.split())
    said = ("" if bare else safe.text(link.words), f"{link.count} 次" if link.count > 1 else "")
    return f'<p class="cite news">{kind} {title}{number} {held} <span>{" · ".join(filter(None, said))}</span></p>'


def _events(events: Sequence[TimelineEvent]) -> None:
    """Draw the dated events of all versions as a list."""
    if not events:
        return
    st.html('<h3 class="side-head">沿革</h3>')
    rows = [(e.day, safe.text(e.kind) + _detail(e), tables.verbatim(e.words), e.origin.value) for e in events]
    st.html(tables.plain(("日期", "事项", "依据", "来源"), rows))


def _detail(event: TimelineEvent) -> str:
    """Return the articles concerned as they are, the name of a text in book marks; safe to show."""
    if not event.detail:
        return ""
    return " " + safe.name(event.detail if event.detail.startswith("第") else in_marks(event.detail))

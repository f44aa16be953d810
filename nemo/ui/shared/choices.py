"""The chosen filters (省份、能源、类别、日期): codes in the address, Chinese names on the screen."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from nemo.answer.question.scope import MOST_QUOTES
from nemo.store.search.facets import NATIONAL
from nemo.text.letter.titles import in_marks
from nemo.types import Filters, Regulation, today
from nemo.ui.shared import frame, safe

if TYPE_CHECKING:
    from nemo.rules import RuleEntry, Rules
    from nemo.store.catalogue.rows import RegulationRow

ANY = ""
"""Code of 全部 in a control; it never reaches the address or the engine."""

EARLIEST = dt.date(1949, 10, 1)
LATEST = dt.date(2099, 12, 31)

_MOST_SEGMENTS = 5
"""More options than this become a list to choose from."""
_LIST, _LINE, _PILLS = 150, 810, 390
"""Pixels of a list, of what a line has for all controls beside the one for the scope, of pills in place of a control."""

SEPARATOR = "|"
"""Between the names of corpora in an address."""

_EVERY = {"province": "全部省份", "asset": "全部能源", "doc_class": "全部类别"}
"""What a control says that chooses nothing; its own name does not stand beside it."""

KINDS = {"province": "省份", "asset": "能源类型", "doc_class": "文件类别"}
"""Filter fields by the name they have in the address, the engine and the answer JSON."""

NONE = "none"
"""Code of texts of no known province, without a class, or on every kind of energy: a list is narrowed to them, a question is not."""
WITHOUT = {"province": "省份待核", "asset": "通用", "doc_class": "未分类"}
"""What a list calls them, by filter field."""


def names(rules: Rules, kind: str) -> dict[str, str]:
    """Return code → Chinese name of one filter field, in the order of the rules."""
    tables: dict[str, Iterable[RuleEntry]]
    tables = {"province": rules.provinces, "asset": rules.assets, "doc_class": rules.doc_classes}
    return {entry.code: entry.name for entry in tables[kind]}


def standing(row: RegulationRow | Regulation, day: dt.date, rules: Rules) -> str:
    """Return the 时效性 of a text; what is no law on any day stands as what it is."""
    return rules.not_law(row.nature) or row.validity.on(day).value


def place(regulation: Regulation, rules: Rules) -> str:
    """Return whose rule a text is: the nation's or a province's, or that nobody can tell."""
    return named(rules, "province", [regulation.home or NONE])


def homes(rows: Iterable[RegulationRow]) -> dict[str, str]:
    """Return the code of whose rule each text is, by its id."""
    engine = frame.engine()
    unplaced = _unplaced(hash((engine.state, *(row.id for row in engine.regulations()))))
    return {row.id: NONE if row.id in unplaced else row.province for row in rows}


@st.cache_resource(max_entries=4, show_spinner=False)
def _unplaced(state: int) -> frozenset[str]:
    """Return the texts that nothing tells the province of, of those that one sees; ``state`` keys the cache.

    Only whose issuer is unknown is read for it.
    """
    engine = frame.engine()
    known = engine.rules.issuer_words
    maybe = [
        row.id for row in engine.regulations() if row.province == NATIONAL and not any(known.find(row.issuer or ""))
    ]
    return frozenset(each for each in maybe if engine.regulation(each).unplaced)


def called(row: RegulationRow) -> str:
    """Return what one text is called among many: its title, its version and its number."""
    return " ".join(filter(None, (safe.visible(in_marks(row.title)), str(row.version_date or ""), row.document_number)))


def began(row: RegulationRow | Regulation, rules: Rules) -> str:
    """Return since when a text is law; what is no law on any day began on none and stands as what it is."""
    return rules.not_law(row.nature) or row.validity.began


def provisions(rows: Iterable[RegulationRow]) -> str:
    """Return how many articles texts have, and points those that have no articles."""
    rows = list(rows)
    counts = {"条": sum(row.articles for row in rows), "点": sum(row.points for row in rows)}
    return "、".join(f"{count} {word}" for word, count in counts.items() if count) or "没有读出条文"


_FORMATS = {
    "pdf": "PDF", "pdf/ocr": "PDF（图像识别）", "scan": "图片（图像识别）", "ofd": "OFD", "docx": "Word", "doc": "Word（旧格式）",
    "rtf": "RTF", "odt": "OpenDocument 文本", "sheet": "电子表格", "html": "网页", "mail": "邮件或整页存档", "markdown": "Markdown", "plain": "纯文本",
    "plain-wrapped": "纯文本", "plain-web": "从网页复制的文本", "plain-dump": "从 PDF 复制的文本",
}  # fmt: skip


def format_name(parser: str) -> str:
    """Return what kind of file a parser's name stands for, with the encoding of a text that is not in UTF-8."""
    kind, _, rest = parser.partition("/")
    name = _FORMATS.get(parser) or _FORMATS.get(kind, kind)
    encoded = kind.startswith(("plain", "html", "mail")) and rest not in ("", "utf-8")
    return f"{name} · {rest.upper()}" if encoded else name


def offered(rules: Rules, rows: Iterable[RegulationRow], listed: bool = False) -> dict[str, dict[str, str]]:
    """Return code → name of what the library holds, by filter field; the rules know more than a library needs.

    What a list (``listed``) is narrowed by besides is what its texts have none of (未分类、通用).
    """
    rows = list(rows)
    held: dict[str, set[str]] = {
        "province": set(homes(rows).values()) if listed else {row.province for row in rows},
        "asset": {asset for row in rows for asset in row.assets or (NONE,)},
        "doc_class": {row.doc_class or NONE for row in rows},
    }
    known = {kind: names(rules, kind) | ({NONE: WITHOUT[kind]} if listed else {}) for kind in KINDS}
    return {kind: {c: n for c, n in known[kind].items() if c in held[kind]} for kind in KINDS}


def of_kind(row: RegulationRow, asset: str | None, doc_class: str | None) -> bool:
    """Tell whether a text bears on this kind of energy by name and is of this class; None is any."""
    return asset in (None, *(row.assets or (NONE,))) and doc_class in (None, row.doc_class or NONE)


def named(rules: Rules, kind: str, codes: Iterable[str | None]) -> str:
    """Return the Chinese names of codes, joined; an unknown code stands for itself."""
    known = names(rules, kind) | {NONE: WITHOUT[kind]}
    return "、".join(known.get(code, code) for code in codes if code)


@dataclass(frozen=True)
class ChosenFilters:
    """Filters of a question or a list; None means 全部, a day of None means today."""

    province: str | None = None
    asset: str | None = None
    doc_class: str | None = None
    day: dt.date | None = None
    corpora: tuple[str, ...] = ()
    """Names of the corpora that alone are searched."""
    top_k: int | None = None
    threshold: float | None = None

    def filters(self) -> Filters:
        """Return these filters as the engine takes them."""
        return Filters(self.province, self.asset, self.doc_class, self.day, self.corpora, self.top_k, self.threshold)

    def params(self) -> dict[str, str]:
        """Return the part of the address that stands for these filters."""
        given = {"province": self.province, "asset": self.asset, "doc_class": self.doc_class}
        found = {key: value for key, value in given.items() if value}
        found |= {"as_of": self.day.isoformat()} if self.day else {}
        found |= {"corpora": SEPARATOR.join(self.corpora)} if self.corpora else {}
        numbers = {"top_k": self.top_k, "threshold": self.threshold}
        return found | {name: f"{value:g}" for name, value in numbers.items() if value is not None}


def read(params: Mapping[str, str], rules: Rules, listed: bool = False) -> tuple[ChosenFilters, list[str]]:
    """Read filters from an address; that of a list (``listed``) may name texts without a class.

    Returns:
        The filters that are valid, and one sentence for each part that is not; nothing wrong is passed over.
    """
    wrong: list[str] = []
    codes: dict[str, str | None] = {}
    for kind, title in KINDS.items():
        given, known = params.get(kind) or None, names(rules, kind)
        if given is not None and given not in known and not (listed and given == NONE):
            wrong.append(f"{title}代码“{given}”无效，请重新选择。")
            given = None
        codes[kind] = given
    day, problem = _day(params.get("as_of"))
    corpora = tuple(filter(None, params.get("corpora", "").split(SEPARATOR)))
    top_k, no_count = _number(params.get("top_k"), "引文条数上限", 1, MOST_QUOTES)
    threshold, no_distance = _number(params.get("threshold"), "向量距离上限", 0, 2)
    chosen = ChosenFilters(codes["province"], codes["asset"], codes["doc_class"], day, corpora, threshold=threshold)
    chosen = replace(chosen, top_k=None if top_k is None else int(top_k))
    return chosen, [*wrong, *problem, *no_count, *no_distance]


def _number(given: str | None, name: str, least: float, most: float) -> tuple[float | None, list[str]]:
    if not given:
        return None, []
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if least <= value <= most:
        return value, []
    return None, [f"{name}“{given}”无效，应在 {least:g} 到 {most:g} 之间。"]


def _day(given: str | None) -> tuple[dt.date | None, list[str]]:
    if not given:
        return None, []
    try:
        day = dt.date.fromisoformat(given)
    except ValueError:
        return None, [f"日期“{given}”无效，请写成 2026-11-20 的形式。"]
    if not EARLIEST <= day <= LATEST:
        return None, [f"日期 {day} 超出范围，请选择 {EARLIEST} 至 {LATEST} 之间的日期。"]
    return day, []


def put(prefix: str, chosen: ChosenFilters) -> None:
    """Set the controls of :func:`draw` to ``chosen``; call before they are drawn."""
    for kind in KINDS:
        st.session_state[f"{prefix}_{kind}"] = getattr(chosen, kind) or ANY
    st.session_state[f"{prefix}_day"] = chosen.day or today()
    st.session_state[f"{prefix}_corpora"] = list(chosen.corpora)
    st.session_state[f"{prefix}_top_k"] = chosen.top_k
    st.session_state[f"{prefix}_threshold"] = chosen.threshold


def get(prefix: str) -> ChosenFilters:
    """Return what the controls stand on; today counts as no day, so that a question may name its own."""
    state = st.session_state
    day = state.get(f"{prefix}_day")
    province, asset, doc_class = (state.get(f"{prefix}_{kind}") or None for kind in KINDS)
    corpora = tuple(state.get(f"{prefix}_corpora") or ())
    numbers = (state.get(f"{prefix}_top_k"), state.get(f"{prefix}_threshold"))
    return ChosenFilters(province, asset, doc_class, None if day == today() else day, corpora, *numbers)


def tied(name: str, key: str, known: Collection[str] | None = None, default: Any = None) -> Callable[[], None]:
    """Set a control from ``name`` of the address where it stands otherwise (a link, 后退), before it is drawn.

    Args:
        name: In the address; silent there, the control stands on ``default``.
        key: Of the control.
        known: What may be chosen; None where anything may be written.
        default: A list where several may be chosen.

    Returns:
        What writes the control into the address: its ``on_change``.
    """
    state, given = st.session_state, st.query_params.get(name, "")
    if key not in state or _as_said(state[key], default) != given:
        found = [one for one in given.split(SEPARATOR) if one and (known is None or one in known)]
        state[key] = found if isinstance(default, list) else found[0] if found else default

    def write() -> None:
        if said := _as_said(state.get(key), default):
            st.query_params[name] = said
        else:
            st.query_params.pop(name, None)

    return write


def _as_said(value: Any, default: Any) -> str:
    """Return what an address says of a control; nothing where it stands on its ``default``."""
    if value is None or value == default:
        return ""
    return SEPARATOR.join(value) if isinstance(value, list) else str(value)


def draw(
    prefix: str,
    rules: Rules,
    rows: Iterable[RegulationRow],
    on_change: Callable[[], None] | None = None,
    without: str = "",
    listed: bool = False,
) -> None:
    """Draw the controls for codes in the current (horizontal) container; a choice without texts stays visible."""
    held = offered(rules, rows, listed)
    shown = {kind: {ANY: _EVERY[kind]} | found for kind, found in held.items() if kind != without}
    side_by_side = segments(shown, _LINE - (_PILLS if without else 0))
    for kind, known in shown.items():
        key, title = f"{prefix}_{kind}", KINDS[kind]
        chosen = st.session_state.get(key) or ANY
        known.setdefault(chosen, names(rules, kind).get(chosen, chosen))
        if kind in side_by_side:
            st.segmented_control(
                title, list(known), format_func=partial(_segment, known), key=key, required=True, on_change=on_change,
                wrap=True, label_visibility="collapsed",
            )  # fmt: skip
        else:
            st.selectbox(
                title, list(known), format_func=known.__getitem__, key=key, width=_LIST, on_change=on_change,
                label_visibility="collapsed",
            )  # fmt: skip


def segments(shown: Mapping[str, Mapping[str, str]], line: int = _LINE) -> set[str]:
    """Return the kinds whose options stand side by side: few enough each, and all in one line of a window of 1440."""
    few = {kind: known for kind, known in shown.items() if len(known) <= _MOST_SEGMENTS}
    while few and _width(shown, few) > line:
        few.pop(max(few, key=lambda kind: _width(few, {kind})))
    return set(few)


def _width(shown: Mapping[str, Mapping[str, str]], few: Collection[str]) -> int:
    """Return about how many pixels the controls take: letters of 14 in segments of 28 more, else a list."""
    return sum(
        sum(len(name) * 14 + 28 for name in known.values()) if kind in few else _LIST for kind, known in shown.items()
    )


def _segment(known: Mapping[str, str], code: str) -> str:
    """Return the name of a code, behind a blank that nobody sees: Streamlit would look for an emoji there.

    For that it compiles its list of all of them, a tenth of a second of the first page.
    """
    return f" {known[code]}"


def draw_day(prefix: str, on_change: Callable[[], None] | None = None) -> None:
    """Draw the day control with its name beside it."""
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", width="content", key=f"{prefix}_day_row"
    ):
        st.html(f'<span class="quiet" title="{_DAY_HELP}">适用日期</span>', width="content")
        st.date_input(
            "适用日期", key=f"{prefix}_day", min_value=EARLIEST, max_value=LATEST, format="YYYY-MM-DD", width=140,
            on_change=on_change, label_visibility="collapsed",
        )  # fmt: skip


_DAY_HELP = "按这一天的时效性答复：尚未施行、已被修改或已废止的文本不作为现行规定引用"


def ordered(rows: Iterable[RegulationRow], rules: Rules) -> list[RegulationRow]:
    """Return rows as a reader looks for them: the nation first, higher levels first, by title, newest version first."""
    place = {entry.code: at for at, entry in enumerate(rules.provinces)}
    force = {level.name: level.rank for level in rules.levels}
    newest = sorted(rows, key=lambda row: row.version_date or dt.date.min, reverse=True)
    return sorted(
        newest, key=lambda row: (place.get(row.province, len(place)), force.get(row.level or "", len(force)), row.title)
    )

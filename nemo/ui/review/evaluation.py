"""Runs a golden set against the library as it is now, shows what was missed, and compares two runs (评测)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from nemo.evaluation.golden import GOOD, ChangedOutcome, GoldenOutcome, turns
from nemo.types import CHINA
from nemo.ui.answer import citation
from nemo.ui.review import reliability
from nemo.ui.shared import choices, frame, login, safe, tables

if TYPE_CHECKING:
    from nemo.store.catalogue.rows import Evaluation

_RUN, _OTHER = "evaluation_run", "evaluation_other"

_MEASURES = {
    "n": "题数", "hit@1": "首条命中率", "hit@3": "前三命中率", "hit@5": "前五命中率", "mrr@5": "平均倒数排名",
    "gold_recall@5": "金标召回率", "p@5": "列出条文的准确率", "coverage": "作答率", "false_refusal": "误拒率",
    "cite_precision": "引文准确率", "must_quote_recall": "必引文字召回率", "quotes": "引文条数", "refusal": "应拒而拒", "latency_p50_ms": "耗时中位数（毫秒）", "ece": "置信度校准误差",
}  # fmt: skip

_LESS_IS_BETTER = frozenset(("false_refusal", "ece", "latency_p50_ms"))
_NEITHER = frozenset(("n", "quotes"))

_SETS = {"golden": "可答题", "unanswerable": "应拒答题", "adversarial": "对抗题"}

_LONGEST = 120
"""Characters of a question."""

_MOST_CASES = 300
"""Questions listed in one table."""


def draw() -> None:
    """Draw the button, the kept runs, and the figures of the chosen one, beside another's where one is chosen."""
    runs = _start()
    if not runs:
        frame.notice("info", "还没有评测记录", "有了金标集，运行一次评测，结果会留存在资料库中，供以后比较。")
        return
    chosen, other = _choose(runs)
    if other is not None:
        _differences(other, chosen)
    for name in sorted(chosen.result, key=_order):
        block = chosen.result[name]
        _block(name, block, other.result.get(name) if other else None)


def _order(name: str) -> tuple[bool, str]:
    return not name.startswith("golden"), name


def _start() -> list[Evaluation]:
    sets = frame.engine().evaluation.golden_sets()
    with st.container(border=True, key="filters", gap="small"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            name = st.selectbox(
                "金标集", list(sets), key="golden_set", width=260, format_func=safe.visible, placeholder="还没有金标集"
            )
            st.button(
                "运行评测", type="primary", icon=":material/play_arrow:", key="evaluate", disabled=not sets,
                on_click=frame.order, args=("evaluate",),
            )  # fmt: skip
            frame.fulfil("evaluate", "正在逐题提问…", partial(_evaluate, name))
        st.html(
            '<p class="quiet">金标集是写明应引哪一条的问题。'
            "自己的金标集放在资料库文件夹的 golden/名称/ 下，每行一题（golden*.jsonl、unanswerable*.jsonl、adversarial*.jsonl）。</p>"
        )
    return frame.engine().library.evaluations.all()


def _evaluate(name: str) -> None:
    number = frame.engine().evaluation.run_golden(name, login.user())
    st.query_params.from_dict({"run": str(number)})


def _choose(runs: Sequence[Evaluation]) -> tuple[Evaluation, Evaluation | None]:
    known = {str(run.number): run for run in runs}

    def caption(number: str) -> str:
        return _named(known[number])

    with st.container(horizontal=True, gap="small", key="runs"):
        write = choices.tied("run", _RUN, known, next(iter(known)))
        number = st.selectbox("评测记录", list(known), key=_RUN, format_func=caption, on_change=write, width="stretch")
        others = [other for other in known if other != number]
        other = st.selectbox(
            "与另一次比较", others, index=None, key=_OTHER, format_func=caption, placeholder="不比较", width="stretch",
            on_change=choices.tied("with", _OTHER, others),
        )  # fmt: skip
    run = known[number].run
    st.html(
        f'<p class="quiet">资料库 {run.regulations} 部法规（第 {run.generation} 次变更）· {safe.text(run.parts)}'
        f" · {safe.name(run.by) if run.by else '未署名'}</p>"
    )
    return known[number], known.get(other or "")


def _named(run: Evaluation) -> str:
    hits = [run.result[name]["hit@1"] for name in sorted(run.result, key=_order) if "hit@1" in run.result[name]]
    caption = f" · 首条命中 {hits[0]:.3f}" if hits else ""
    return safe.visible(f"第 {run.number} 次 · {run.at.astimezone(CHINA):%Y-%m-%d %H:%M} · {run.run.name}{caption}")


def _differences(before: Evaluation, after: Evaluation) -> None:
    """Draw the questions that came out otherwise."""
    found = turns(before.result, after.result)
    better = sum(turn.better for turn in found)
    worse = sum(turn.before in GOOD and turn.after not in GOOD for turn in found)
    caption = f"第 {before.number} 次 → 第 {after.number} 次：变好 {better} 题，变差 {worse} 题"
    st.html(f'<h2 class="section-head">结果有变的题目<span>{caption}</span></h2>')
    if not before.result.keys() & after.result.keys():
        frame.notice("warn", "两次评测的题集不同", "没有共同的题目可以比较。")
    elif not found:
        frame.notice("good", "逐题结果没有变化")
    else:
        st.html(_cases([(_turned(turn), turn.question) for turn in found], "turned"))


def _turned(turn: ChangedOutcome) -> str:
    tone = "good" if turn.better else "bad" if turn.before in GOOD and turn.after not in GOOD else ""
    return f"{_word(turn.before)} → {citation.badge(_word(turn.after), tone)}"


def _word(outcome: GoldenOutcome | None) -> str:
    return outcome.value if outcome else "不计"


def _cases(cases: Sequence[tuple[str, Mapping[str, Any]]], kind: str = "") -> str:
    """Return questions with what became of them as a table; the first of each pair is HTML of ours."""
    rows = [
        (became, safe.name(c["id"]), safe.text(_short(c["question"])), safe.text(c["expected"]) or "不作答", safe.text(c["found"]))
        for became, c in cases[:_MOST_CASES]
    ]  # fmt: skip
    more = f'<p class="quiet">另有 {len(cases) - _MOST_CASES} 题未列出</p>' if len(cases) > _MOST_CASES else ""
    return tables.plain(("结果", "编号", "问题", "应为", "首条为"), rows, f"cases {kind}") + more


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def _block(name: str, block: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    kind, _, part = name.partition("_")
    st.html(f'<h2 class="section-head">{safe.text(_SETS.get(kind, kind))}<span>{safe.text(part)}</span></h2>')
    left, right = st.columns([1.15, 1], gap="medium")
    left.html(_figures(block, before))
    wrong = [one for one in block.get("questions", ()) if one["outcome"] and GoldenOutcome[one["outcome"]] not in GOOD]
    bins = block.get("reliability") or []
    with right:
        if bins:
            st.html('<h3 class="side-head">置信度是否可信</h3>' + reliability.plot(bins))
            st.html('<p class="quiet">点在斜线上表示所报置信度与实际相符；点越大题越多。</p>')
    if violations := block.get("violations"):
        frame.notice("bad", "含有不应出现的文字", "、".join(map(str, violations)))
    if wrong:
        st.html(f'<h3 class="side-head">未通过 {citation.badge(str(len(wrong)), "warn")}</h3>')
        st.html(_cases([(GoldenOutcome[one["outcome"]].value, one) for one in wrong]))
    else:
        frame.notice("good", "全部通过")


def _figures(block: Mapping[str, Any], before: Mapping[str, Any] | None) -> str:
    """Return the measures as a table, with those of another run and the differences."""
    rows: list[tuple[object, ...]] = []
    for key, value in block.items():
        if isinstance(value, int | float):
            then = before.get(key) if before else None
            rest = (_shown(then), _change(key, then, value)) if before else ()
            rows.append((_MEASURES.get(key, safe.text(key)), _shown(value), *rest))
    return tables.plain(("指标", "本次", *(("另一次", "变化") if before else ())), rows)


def _change(key: str, before: float | None, after: float) -> str:
    if before is None or abs(after - before) < 0.0005:
        return ""
    good = (after < before) is (key in _LESS_IS_BETTER)
    tone = "" if key in _NEITHER else "good" if good else "bad"
    return citation.badge(f"{after - before:+d}" if isinstance(after, int) else f"{after - before:+.3f}", tone)


def _shown(value: float | None) -> str:
    return "" if value is None else str(value) if isinstance(value, int) else f"{value:.3f}"

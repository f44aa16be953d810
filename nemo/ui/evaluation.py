"""Runs the golden set of the demonstration texts against the library as it is now, and shows what was missed (评测)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from nemo.ui import frame, safe

_RESULT = "_evaluation"

_MEASURES = {
    "n": "题数", "hit@1": "首条命中率", "hit@3": "前三命中率", "hit@5": "前五命中率", "mrr@5": "平均倒数排名",
    "gold_recall@5": "金标召回率", "p@5": "列出条文的准确率", "coverage": "作答率", "false_refusal": "误拒率",
    "cite_precision": "引文准确率", "must_quote_recall": "必引文字召回率", "quotes": "引文条数", "refusal": "应拒而拒", "latency_p50_ms": "耗时中位数（毫秒）", "ece": "置信度校准误差",
}  # fmt: skip

_LISTS = {"missed": "未命中", "answered_wrongly": "应拒而答", "violations": "含有不应出现的文字"}
"""Lists of question ids in a block."""

_SETS = {"golden": "可答题", "unanswerable": "应拒答题", "adversarial": "对抗题"}


def draw() -> None:
    """Draw the button and the figures of the last run in this session."""
    folder = frame.engine().settings.samples.parent / "golden"
    st.html(
        '<p class="quiet">用随附的金标集逐题提问，核对条文与引文。题目针对演示资料编写：资料库中没有演示资料时，可答题会判为未命中。</p>'
    )
    if st.button("运行评测", type="primary", icon=":material/play_arrow:", key="evaluate"):
        with st.spinner("正在逐题提问…"):
            st.session_state[_RESULT] = frame.engine().evaluate(folder)
    for name, block in st.session_state.get(_RESULT, {}).items():
        _block(name, block, _questions(folder / f"{name}.jsonl"))


def _block(name: str, block: Mapping[str, Any], questions: Mapping[str, str]) -> None:
    words = _SETS.get(name.split("_")[0], name)
    st.html(f'<h2 class="section-head">{safe.text(words)}<span>{safe.text(name)}</span></h2>')
    figures = {key: value for key, value in block.items() if isinstance(value, int | float)}
    rows = [{"指标": _MEASURES.get(key, key), "数值": _shown(value), "名称": key} for key, value in figures.items()]
    left, right = st.columns([1, 1.4], gap="medium")
    left.dataframe(pd.DataFrame(rows), hide_index=True, alt=f"{words}的指标", height="content")
    lists = {key: block[key] for key in _LISTS if block.get(key)}
    for key, ids in lists.items():
        missed = [{"编号": one, "问题": safe.visible(questions.get(one, ""))} for one in ids]
        right.caption(_LISTS[key])
        right.dataframe(pd.DataFrame(missed), hide_index=True, alt="未通过的题目", key=f"missed_{name}_{key}")
    with right:
        if not lists:
            frame.notice("good", "全部通过")
        _reliability(block.get("reliability") or [])


def _reliability(bins: Sequence[Sequence[float]]) -> None:
    """Draw how often answers of each confidence were right."""
    if not bins:
        return
    lines = "".join(
        f"<tr><td>{told:.2f}</td><td>{_bar(right)}</td><td>{count:.0f}</td></tr>" for told, right, count in bins
    )
    head = "<thead><tr><th>所报置信度</th><th>实际正确率</th><th>题数</th></tr></thead>"
    st.html(f'<h3 class="side-head">置信度是否可信</h3><table class="plain">{head}<tbody>{lines}</tbody></table>')


def _bar(share: float) -> str:
    return f'<span class="meter"><span style="width:{share * 100:.0f}%"></span></span>{share:.2f}'


def _shown(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _questions(path: Path) -> dict[str, str]:
    lines = path.read_text("utf-8").splitlines()
    return {row["id"]: row["question"] for row in map(json.loads, filter(str.strip, lines))}

"""Corpora: the list with figures, one of them with its texts, and the forms that make and change them (资料集)."""

import datetime as dt
from collections import Counter
from functools import partial
from typing import Any

import streamlit as st

from nemo.corpora import CorpusOptions
from nemo.store.records.corpora import Corpus, Visibility
from nemo.types import CHINA
from nemo.ui.library.relations import source
from nemo.ui.shared import choices, frame, login, safe, tables

_COLUMNS = ("名称", "可见范围", "所有者", "法规", "条文", "片段", "平均字数", "章节", "切块", "向量模型", "最近变动")
_ADDRESS = "c"
"""What names a corpus in the address: its number."""


def draw() -> None:
    """Draw the list, the corpus that the address names (``c``) and the form for a new one."""
    engine = frame.engine()
    found = {str(corpus.id): corpus for corpus in engine.corpora.seen(engine.person)}
    views = {number: engine.corpora.view(corpus, engine.library, engine.person) for number, corpus in found.items()}
    if views:
        st.html(tables.plain(_COLUMNS, map(_row, views.values()), "corpora"))
    else:
        st.html(
            '<p class="quiet">还没有资料集。资料集是资料库中一组有名称的法规，可以只给自己或团队看，提问时可以只在其中查找。</p>'
        )
    if (number := st.query_params.get(_ADDRESS)) in found:
        _one(found[number], views[number])
    elif number:
        frame.notice("warn", "没有这个资料集", "可能已删除，或您无权查看。")
    if login.may("ingest"):
        with st.expander("新建资料集", icon=":material/add:", expanded=not views):
            _form(None)


def _row(view: dict[str, Any]) -> tuple[object, ...]:
    """Return the cells of a corpus; its name opens it."""
    return (
        f'<a href="./corpora?{_ADDRESS}={view["id"]}" target="_self">{safe.name(view["name"])}</a>',
        Visibility(view["visibility"]).chinese, safe.name(view["owner"] or "本机"), view["documents"],
        f"{view['articles']} 条、{view['points']} 点", view["chunks"],
        view["mean_length"] or "—", view["sections"], safe.text(_shown(view["chunking"])),
        safe.text(_EMBEDDERS.get(view["embedder"], view["embedder"])),
        f"{dt.datetime.fromisoformat(view['changed']).astimezone(CHINA):%Y-%m-%d %H:%M}",
    )  # fmt: skip


def _one(corpus: Corpus, view: dict[str, Any]) -> None:
    """Draw one corpus: what covers what, its texts, and what may be done with it."""
    engine, rules = frame.engine(), frame.engine().rules
    texts = {t["id"]: t for t in engine.corpora.shown(corpus, engine.library, engine.person)["texts"]}
    rows = [row for row in engine.regulations() if row.id in texts]
    kinds = {"province": choices.homes(rows).values(), "doc_class": [row.doc_class or choices.NONE for row in rows]}
    covers = [
        "、".join(f"{choices.named(rules, kind, [code])} {count}" for code, count in Counter(codes).most_common())
        for kind, codes in kinds.items()
    ]
    parts = [view["description"], *covers, f"有向量 {view['searched_by_meaning']} / {view['documents']}"]
    if corpus.people:
        parts.append("团队：" + "、".join(corpus.people))
    st.html(
        f'<h2 class="section-head">{safe.name(corpus.name)}<span>{safe.text(" · ".join(filter(None, parts)))}</span></h2>'
    )
    with st.container(horizontal=True, gap="small"):
        frame.link("在其中提问", "ask", "search", {"corpora": corpus.name})
        frame.link("在图谱中查看", "graph", "hub", {"corpora": corpus.name})
    lines = (
        (source({**t, "regulation_id": t["id"], "label": "", "article": ""}), safe.name(t["file"]))
        for t in texts.values()
    )
    st.html(tables.plain(("法规", "文件"), lines) if texts else '<p class="quiet">还没有放入法规。</p>')
    if view["fills"] and login.may("ingest"):
        _texts(corpus, {number: text["title"] for number, text in texts.items()})
    if view["mine"] and login.may("ingest"):
        with st.expander("修改", icon=":material/edit:"):
            _form(corpus)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            too = st.checkbox("连同只在本资料集中的法规", key=f"corpus_too_{corpus.id}")
            st.button(
                "删除资料集", icon=":material/delete:", key=f"corpus_gone_{corpus.id}", on_click=_delete, args=(corpus, too),
            )  # fmt: skip


def _delete(corpus: Corpus, too: bool) -> None:
    engine = frame.engine()
    if frame.act(lambda: engine.corpora.delete(corpus.name, engine.person, with_texts=too), "资料集已删除"):
        st.query_params.pop(_ADDRESS, None)


def _texts(corpus: Corpus, held: dict[str, str]) -> None:
    """Draw what puts texts in and takes them out; ``held`` are the titles of those that are in it."""
    corpora, person = frame.engine().corpora, frame.engine().person
    others = {row.id: row.title for row in frame.engine().regulations() if row.id not in held}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"corpus_acts_{corpus.id}"):
        new = _picked("放入法规", "选择库内法规", others, f"corpus_new_{corpus.id}")
        st.button(f"放入（{len(new)}）", disabled=not new, key=f"corpus_add_{corpus.id}", on_click=frame.press, args=(
            partial(corpora.add, corpus.name, new, person), "已放入"))  # fmt: skip
        ids = _picked("集内法规", "选择集内法规", held, f"corpus_held_{corpus.id}")
        st.button(f"移出所选（{len(ids)}）", disabled=not ids, key=f"corpus_out_{corpus.id}", on_click=frame.press, args=(
            partial(corpora.withdraw, corpus.name, ids, person), "已移出"))  # fmt: skip
        st.button(f"公开所选（{len(ids)}）", disabled=not ids, key=f"corpus_open_{corpus.id}", on_click=frame.press, args=(
            partial(_release, ids), "所选法规已对所有人可见"), help="让只在资料集中可见的法规对所有人可见")  # fmt: skip


def _picked(label: str, hint: str, titles: dict[str, str], key: str) -> list[str]:
    """Draw a choice among texts; return the ids of those chosen."""
    return st.multiselect(
        label, list(titles), format_func=lambda i: safe.label(str(titles.get(i, i))), key=key, width=420,
        placeholder=hint,
    )  # fmt: skip


def _release(ids: list[str]) -> None:
    engine = frame.engine()
    for each in ids:
        engine.corpora.release(each, engine.person)


def _form(corpus: Corpus | None) -> None:
    """Draw the form of a corpus, a new one or one that is changed."""
    key = f"corpus_form_{corpus.id if corpus else 0}"
    with st.form(key, border=False):
        _options(corpus, key)
        st.form_submit_button("保存" if corpus else "新建", type="primary", on_click=_store, args=(corpus, key))


def _store(corpus: Corpus | None, key: str) -> None:
    engine, options = frame.engine(), _given(key)
    if corpus:
        frame.act(partial(engine.corpora.change, corpus.name, options, engine.person), "已保存")
    else:
        frame.act(partial(engine.corpora.create, options, engine.person), "资料集已建立")


def _options(corpus: Corpus | None, key: str) -> None:
    """Draw what may be chosen of a corpus."""
    kinds = list(Visibility)
    with st.container(horizontal=True, gap="small"):
        st.text_input("名称", corpus.name if corpus else "", max_chars=80, key=f"{key}_name", width=240)
        st.text_input("说明", corpus.description if corpus else "", key=f"{key}_about", width=360)
    with st.container(horizontal=True, gap="small"):
        st.selectbox(
            "可见范围", kinds, kinds.index(corpus.visibility) if corpus else 0, format_func=lambda v: v.chinese, width=110,
            key=f"{key}_visible", help="私有：仅本人；团队：本人与所列人员；公开：所有人。管理员可见全部。",
        )  # fmt: skip
        st.text_input(
            "团队人员", "、".join(corpus.people) if corpus else "", placeholder="姓名，以顿号分开", key=f"{key}_people", width=220
        )  # fmt: skip
        st.text_input(
            "切块", _shown(corpus.chunking) if corpus else _BY_ARTICLE, key=f"{key}_chunking", width=110,
            help="按条款；或字数 400、800、600/100（每块 600 字、重叠 100 字）。只改变语义检索，引文总是条文原文。",
        )  # fmt: skip
        for field, label, known in (("embedder", "向量模型", _EMBEDDERS), ("store", "向量检索", _STORES)):
            st.selectbox(
                label, list(known), _at(list(known), getattr(corpus, field, None)), format_func=known.__getitem__,
                key=f"{key}_{field}", width=150,
            )  # fmt: skip


def _given(key: str) -> CorpusOptions:
    """Return what stands in the form."""
    fields = ("name", "about", "visible", "people", "chunking", "embedder", "store")
    given = {field: st.session_state[f"{key}_{field}"] for field in fields}
    team = tuple(filter(None, given["people"].replace(",", "、").replace("，", "、").split("、")))
    return CorpusOptions(
        name=given["name"], description=given["about"], visibility=given["visible"], people=team,
        chunking=_meant(given["chunking"]), embedder=given["embedder"], store=given["store"],
    )  # fmt: skip


_BY_ARTICLE = "按条款"
_EMBEDDERS = {"library": "与资料库相同", "builtin": "内置模型", "transformer": "本机模型", "gemini": "Gemini"}
_STORES = {"library": "与资料库相同", "exact": "逐一比对"}


def _shown(chunking: str) -> str:
    return _BY_ARTICLE if chunking == "article" else chunking


def _meant(words: str) -> str:
    return "article" if words.strip() in ("", _BY_ARTICLE) else words.strip()


def _at(known: list[str], value: str | None) -> int:
    return known.index(value) if value in known else 0

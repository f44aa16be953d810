"""Every page against the real engine on a small library of invented texts, without a browser (页面)."""

import ast
import atexit
import dataclasses
import datetime as dt
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from nemo import settings
from nemo.corpora import CorpusOptions
from nemo.engine import Engine
from nemo.errors import ConfigError, ServiceError
from nemo.rerank.stages import RankingStage
from nemo.review import ReviewFilter
from nemo.settings import Settings
from nemo.store.records.marks import MarkPurpose
from nemo.text.words.normalise import title_key
from nemo.types import Filters, Hit, Lead, Query, RawDocument, Regulation, Status, Verdict
from nemo.ui.shared import choices
from tests import page_library
from tests.page_library import HOSTILE_FILE, NEW_FILE, OLD_FILE

ROOT = Path(__file__).resolve().parent.parent
QUESTION = "并网验收要交哪些资料？"
TWO = "并网验收要交哪些资料，几个工作日内组织并网验收？"
HOSTILE = "恶意资料包括哪些"
NOTHING = "水电站怎么报建"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the library once."""
    return page_library.build(tmp_path_factory.mktemp("pages"))


@pytest.fixture(autouse=True)
def _library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, built: Path) -> Iterator[None]:
    """Let the app open a copy of the library; close what it opened."""
    opened: list[Engine] = []

    def opening(given: Settings) -> Engine:
        opened.append(OPEN(given))
        return opened[-1]

    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("NEMO_LIBRARY", str(page_library.copied(built, tmp_path / "library")))
    monkeypatch.setenv("NEMO_SAMPLES", str(built.parent / "samples"))
    monkeypatch.setenv("NEMO_WORKERS", "0")
    monkeypatch.setattr(Engine, "open", staticmethod(opening))
    forget()
    yield
    for engine_ in opened:
        engine_.close()
        atexit.unregister(engine_.close)
    forget()


OPEN = Engine.open


def reopen() -> None:
    """Close the library as a restart does; the next page opens it with the settings as they are then."""
    engine().close()
    forget()


def forget() -> None:
    """Let the next page open the library anew."""
    st.cache_resource.clear()
    st.cache_data.clear()


def page(stem: str = "ask", *, by_menu: bool = False, **params: str) -> AppTest:
    """Open a page as a visitor with this address would, or from the menu of the start page: there a form of its gate is kept."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    if by_menu:
        at.run()
    elif stem != "ask":
        at._registered_pages = registered()  # else another page must run before one can be named
    if stem != "ask":
        at.switch_page(f"pages/{stem}.py")
    for key, value in params.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    return at


@cache
def registered() -> dict[str, Any]:
    """Return the pages of the app as it registers them itself."""
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()._registered_pages


def shown(at: AppTest) -> str:
    """Return all HTML on the page."""
    return "\n".join(str(html.value) for html in at.html)


def engine() -> Engine:
    from nemo.ui.shared import frame

    return frame.engine()


def listed(lead: Lead) -> object:
    """Return what a look at official sites found: one address, and one site that did not answer."""
    return SimpleNamespace(leads=(lead,), problems=((SimpleNamespace(name="演示局"), "没有应答。"),))


def key(file: str) -> str:
    """Return the id of the regulation that was read from a file."""
    return next(row.id for row in engine().regulations() if row.file == file)


def asked() -> list[tuple[str, Filters]]:
    """Return what was asked and kept, oldest first."""
    return [(row.question, row.filters) for row in reversed(engine().library.answers.recent())]


def altered(monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str) -> None:
    """Let the library give another text than the one that was quoted, as after a damage nobody has noticed."""
    known, wanted = engine().regulation, key(file)

    def read(name: str, day: dt.date | None = None) -> Regulation:
        found = known(name, day)
        return dataclasses.replace(found, text=found.text.replace(old, new)) if found.id == wanted else found

    monkeypatch.setattr(engine().whole, "regulation", read)


def wait(at: AppTest, words: str, seconds: float = 60) -> str:
    """Rerun until the page says ``words``, in a table or outside."""

    def said() -> bool:
        return words in shown(at) or any(words in frame.value.to_string() for frame in at.dataframe)

    until = time.monotonic() + seconds
    while not said() and time.monotonic() < until:
        time.sleep(0.1)
        at.run()
    assert said(), f"{words} did not come"
    return shown(at)


# --- 法规查询


def test_an_empty_page_offers_no_answer() -> None:
    at = page()
    assert "法规查询" in shown(at) and "资料库现有 3 部法规" in shown(at)
    assert "<blockquote" not in shown(at)


def test_a_permanent_link_answers_with_its_filters() -> None:
    page(q=QUESTION, province="gd", asset="solar", doc_class="grid", as_of="2025-07-01")
    assert asked() == [(QUESTION, Filters("gd", "solar", "grid", dt.date(2025, 7, 1)))]


def test_an_answer_shows_quotes_and_sources() -> None:
    at = page(q="广州的" + TWO)
    html = shown(at) + "".join(link.label for link in at.get("page_link"))
    assert html.count('<blockquote class="quote">') == 2
    for words in (
        "①", "②", "第二章第三条第一款", "第1页", "2025-06-01 施行", "现行有效", "逐字核验通过", "为何命中", "并网验收", "广州",
    ):  # fmt: skip
        assert words in html, words


def test_what_a_quote_leans_on_stands_before_it() -> None:
    html = shown(page(q="并网验收不合格的怎么办"))
    assert "前文（同条在前，或引文所依）" in html and "10个工作日内组织并网验收" in html


class Silent:
    """A second reranker whose service does not answer."""

    name = "silent"

    def rerank(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        raise ServiceError("重排服务没有应答。")

    def close(self) -> None:
        """Nothing is open."""


def test_a_step_that_failed_is_named_on_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine().whole, "parts", dataclasses.replace(engine().parts, stages=(RankingStage(Silent()),)))
    html = shown(page(q=QUESTION))
    assert "重排服务没有应答" in html and '<blockquote class="quote">' in html


def test_the_quote_is_exactly_the_stored_text() -> None:
    from tests.test_ui_safe import read

    at = page(q=QUESTION)
    block = next(h.value for h in at.html if "<blockquote" in h.value)
    inner = block.split('class="verbatim">', 1)[1].split("</span>", 1)[0]
    (quote,) = engine().library.answers.get(engine().library.answers.recent()[0].trace_id).quotes
    assert quote.text.startswith("项目单位申请") and read(inner).said == quote.text


def test_a_quote_is_shown_in_its_article(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page(q=TWO)
    assert shown(at).count("<summary>上下文</summary>") == 2
    altered(monkeypatch, NEW_FILE, "项目单位", "工程单位")
    at.run()
    assert shown(at).count("<summary>上下文</summary>") == 1, "a changed text is no context of the quote"


def test_asking_again_is_not_needed_to_redraw() -> None:
    at = page(q=QUESTION)
    at.run()
    assert len(asked()) == 1
    engine().intake.remove(key(HOSTILE_FILE))
    at.run()
    assert len(asked()) == 2


def test_a_filter_goes_into_the_address_and_asks_again() -> None:
    at = page(q=QUESTION)
    at.segmented_control(key="ask_province").set_value("gd").run()
    assert at.query_params["province"] in ("gd", ["gd"])
    assert [filters.province for _, filters in asked()] == [None, "gd"]


def test_a_question_to_a_corpus_is_asked_anew_when_the_corpus_changes() -> None:
    """What was searched is said beside the answer; what the corpus no longer holds is not shown from memory."""
    engine().corpora.create(CorpusOptions(name="甲项目"), None)
    engine().corpora.add("甲项目", [key(NEW_FILE)], None)
    at = page(q=QUESTION, corpora="甲项目")
    assert 'class="quote"' in shown(at) and "检索范围：甲项目，适用日期" in shown(at)
    engine().corpora.withdraw("甲项目", [key(NEW_FILE)], None)
    at.run()
    assert 'class="quote"' not in shown(at) and "所选资料集" in shown(at)


def test_what_is_followed_is_told_once() -> None:
    """A new text of a followed work stands among what is followed, and not a second time among all that is new."""
    engine().library.marks.replace(MarkPurpose.FOLLOW, title_key(page_library.TITLE), None)
    told = [line for line in shown(page()).splitlines() if f"《{page_library.TITLE}》" in line]
    assert len(told) == 2 and all("· 关注<" in line for line in told)  # one line a version, and its name once


def test_a_typed_question_goes_into_the_address() -> None:
    at = page()
    at.text_input(key="ask_question").set_value(QUESTION).run()
    assert at.query_params["q"] in (QUESTION, [QUESTION])
    assert "<blockquote" in shown(at)


@pytest.mark.parametrize(
    ("remark", "params", "words"),
    [
        ("unknown province", {"province": "xx"}, "省份代码“xx”无效"),
        ("unknown asset", {"asset": "nuclear"}, "能源类型代码“nuclear”无效"),
        ("unknown class", {"doc_class": "zz"}, "文件类别代码“zz”无效"),
        ("no date", {"as_of": "2026-13-45"}, "日期“2026-13-45”无效"),
        ("a date before there was law", {"as_of": "1912-01-01"}, "超出范围"),
    ],
)
def test_a_wrong_link_is_told_and_not_answered(remark: str, params: dict[str, str], words: str) -> None:
    at = page(q=QUESTION, **params)
    assert words in shown(at) and "<blockquote" not in shown(at)
    assert asked() == []


def test_a_refusal_says_why_and_shows_no_quote() -> None:
    html = shown(page(q=NOTHING))
    for words in (
        "没有足以答复的原文",
        "没有找到能够回答这个问题的条文",
        "请换一种问法",
        "相关条文（不构成答复）",
        "检索经过",
    ):
        assert words in html
    assert "<blockquote" not in html and "为何命中" not in html


def test_a_changed_text_is_not_called_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page(q=QUESTION)
    altered(monkeypatch, NEW_FILE, "项目", "工程")
    at.run()
    assert "与现库原文不一致" in shown(at)


def test_hostile_text_stays_text() -> None:
    html = shown(page(q=HOSTILE))
    assert "<img src=x" not in html and "<script>window" not in html and "<b>恶意" not in html
    assert "&lt;img src=x onerror=&quot;window.__x=1&quot;&gt; 10kV~35kV~ *注*" in html


def test_last_questions_are_kept_in_the_session() -> None:
    at = page(q=QUESTION)
    at.text_input(key="ask_question").set_value("验收期限").run()
    labels = [button.label for button in at.sidebar.button if button.key.startswith("recent_")]
    assert labels == ["验收期限", "并网验收要交哪些资料？"]
    at.button(key="recent_1").click().run()
    assert at.text_input(key="ask_question").value == QUESTION


def test_the_question_is_still_there_after_a_look_elsewhere() -> None:
    at = page(q=QUESTION)
    at.switch_page("pages/system.py").run()
    at.query_params.clear()
    at.switch_page("pages/ask.py").run()
    assert at.text_input(key="ask_question").value == QUESTION


# --- empty library


def test_an_empty_library_offers_the_samples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NEMO_LIBRARY", str(tmp_path / "empty"))
    at = page()
    assert "资料库还是空的" in shown(at)
    at.button(key="load_samples").click().run()
    assert "资料库现有 3 部法规" in wait(at, "资料库现有 3 部法规")


# --- 上传入库


def upload(at: AppTest, *files: tuple[str, bytes]) -> None:
    for name, content in files:
        at.file_uploader[0].upload(name, content)
    at.run()
    at.button(key="intake_start").click().run()
    assert not at.exception


ONE = "演示省风电项目巡检办法（演示文本）\n第一条 风电场应当每月巡检一次。\n第三条 本办法自2024年1月1日起施行。\n"


def test_uploaded_files_are_ingested_and_told_by_name() -> None:
    at = page("intake")
    page_of = (
        "<html><body><p>" + ONE.replace("风电项目巡检", "光伏项目巡检").replace("\n", "</p><p>") + "</p></body></html>"
    )
    upload(at, ("../../etc/办法.md", ONE.encode()), ("<img src=x>.txt", b""), ("网页.txt", page_of.encode("gbk")))
    wait(at, "3 个文件：已入库 2 · 失败 1")
    table = next(frame.value for frame in at.dataframe if "结果" in frame.value)
    stored = table.to_dict("records")
    waiting = next(frame.value for frame in at.dataframe if "原因" in frame.value and "程度" not in frame.value)
    bad = next(
        row for row in waiting.to_dict("records") if row["文件"] == "<img src=x>.txt"
    )  # once, where it is tried again
    good = next(row for row in stored if row["文件"] == "办法.md")
    assert {(row["格式"], row["文件性质"]) for row in stored} == {
        ("Markdown", "正式文件"),
        ("网页 · GB18030", "正式文件"),
    }
    assert bad["原因"].startswith("文件是空的") and "失败" not in table["结果"].tolist()
    assert good["结果"] == "已入库" and good["文件"] == "办法.md" and "风电项目巡检办法" in good["法规"]


def test_facts_hold_for_one_batch_and_not_for_the_next() -> None:
    at = page("intake")
    at.selectbox(key="fact_province_0").set_value("gd").run()
    at.selectbox(key="fact_asset_0").set_value("solar").run()
    upload(at, ("办法.md", ONE.encode()))
    wait(at, "已入库 1")
    stated = engine().regulation(key("办法.md"))
    assert (stated.province, stated.assets) == ("gd", ("solar",))
    assert at.selectbox(key="fact_province_1").value is None
    upload(at, ("细则.md", ONE.replace("巡检", "检修").encode()))
    wait(at, "检修办法")
    assert engine().regulation(key("细则.md")).assets == ("wind",), "read from the text: nothing was stated"


def hold(monkeypatch: pytest.MonkeyPatch, problem: str) -> None:
    """Let the background stop before the first file, as when the disk is full."""

    def stopped(*_: object, **__: object) -> None:
        raise ConfigError(problem)

    monkeypatch.setattr(engine().intake.jobs._ingestion, "process", stopped)


def test_a_batch_is_still_there_after_leaving_and_can_be_cancelled_and_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page("intake")
    with monkeypatch.context() as held:
        hold(held, "磁盘已满。请腾出空间。")
        upload(at, ("甲.md", ONE.encode()), ("乙.md", ONE.replace("巡检", "检修").encode()))
        again = page("intake")
        batch = engine().intake.batches()[0].id
        again.toggle(key=f"files_{batch}").set_value(True).run()
        table = next(frame.value for frame in again.dataframe if "状态" in frame.value)
        assert table[["文件", "状态"]].values.tolist() == [["甲.md", "排队中"], ["乙.md", "排队中"]]
        again.button(key=f"cancel_{batch}").click().run()
        assert "已取消 2" in shown(again)
    again.button(key=f"retry_{batch}").click().run()
    assert "已入库 2" in wait(again, "已入库 2")
    again.button(key="clear").click().run()
    assert engine().intake.batches() == [] and "入库结果" not in shown(again)


def test_a_paused_queue_says_why_and_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page("intake")
    with monkeypatch.context() as held:
        hold(held, "磁盘已满。请腾出空间。")
        upload(at, ("甲.md", ONE.encode()))
        assert "磁盘已满" in wait(at, "磁盘已满")
    at.button(key=f"resume_{engine().intake.batches()[0].id}").click().run()
    assert "已入库 1" in wait(at, "已入库 1")


def test_downloading_is_switched_off_at_first() -> None:
    at = page("intake")
    at.segmented_control(key="intake_mode").set_value("url").run()
    assert "请管理员在设置中开启" in shown(at) and not at.text_area


def test_an_address_is_downloaded_where_that_is_switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEMO_DISCOVERY", "1")
    at = page("intake")
    finder = engine().intake.finder()
    held = RawDocument.of(
        f"<html><body><p>{ONE}</p></body></html>".encode(), "下载.html", url="https://www.nea.gov.cn/1"
    )
    real = finder.fetch
    monkeypatch.setattr(finder, "fetch", lambda url: held if "nea.gov.cn" in url else real(url))
    at.segmented_control(key="intake_mode").set_value("url").run()
    at.text_area[0].set_value(
        "https://www.nea.gov.cn/1\n https://forbidden.example/<b>\nhttps://www.nea.gov.cn/1"
    ).run()
    at.button(key="intake_start").click().run()
    html = shown(at)
    assert "未能下载 https://forbidden.example/&lt;b&gt;" in html and "不采集名单外的网站" in html
    assert "已入库 1" in wait(at, "已入库 1") and at.text_area[0].value == ""


def choose(at: AppTest, grid: str, rows: list[int]) -> None:
    """Choose rows of a grid that is drawn; its key names what its rows stand for."""
    key = next(one.proto.id.rsplit("-", 1)[-1] for one in at.dataframe if f"-{grid}_" in one.proto.id)
    at.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    at.run()


def test_what_official_sites_list_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEMO_DISCOVERY", "1")
    at = page("intake")
    lead = Lead("https://www.nea.gov.cn/2", "关于<b>演示</b>的通知", "crawler:nea")
    monkeypatch.setattr(engine().intake.finder(), "leads", lambda codes: listed(lead))
    at.segmented_control(key="intake_mode").set_value("url").run()
    site = next(source.code for source in engine().rules.sources if source.mode == "list")
    at.multiselect(key="lead_sites").set_value([site]).run()
    at.button(key="list_leads").click().run()
    table = next(frame.value for frame in at.dataframe if "网址" in frame.value)
    assert table.to_dict("records") == [{"标题": lead.title, "网址": lead.url}]
    assert "未能读取演示局" in shown(at)
    choose(at, "leads", [0])
    at.button(key="fill_leads").click().run()
    assert at.text_area[0].value == lead.url
    assert at.button(key="intake_start").label == "下载并入库（1 个网址）"


def test_a_wrong_source_address_stops_the_batch() -> None:
    at = page("intake")
    at.text_input(key="fact_url_0").set_value("javascript:alert(1)").run()
    assert "来源网址须以" in shown(at)


def test_what_is_chosen_in_a_list_does_not_become_another_row() -> None:
    at = page("intake")
    choose(at, "failures", [0])
    assert at.button(key="retry").label == "重试所选 1 个"
    engine().intake.dismiss(engine().intake.failures()[0].id)  # by somebody else
    at.run()
    assert at.button(key="retry").label == "重试全部", "the first row is another file now"


def test_failures_can_be_dismissed_and_retried() -> None:
    at = page("intake")
    table = next(frame.value for frame in at.dataframe if "原因" in frame.value)
    assert sorted(table["文件"]) == ["<b>空<b>.txt", "坏文件.pdf"]
    empty = table["文件"].tolist().index("<b>空<b>.txt")
    choose(at, "failures", [empty])
    at.button(key="dismiss").click().run()
    assert [f.name for f in engine().intake.failures()] == ["坏文件.pdf"]
    choose(at, "failures", [])
    at.button(key="retry").click().run()
    assert engine().intake.jobs.wait(60)
    assert [f.tries for f in engine().intake.failures()] == [2], "tried again, and failed again"


def test_files_that_cannot_be_taken_in_stay_in_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    at = page("intake")
    monkeypatch.setattr(type(engine().intake), "enqueue", broken)
    upload(at, ("办法.md", b"x"))
    assert "程序出错" in shown(at) and "secret detail" not in shown(at)
    assert at.button(key="intake_start").label == "开始入库（1 个文件）"


# --- 法规库


@pytest.mark.parametrize(
    ("remark", "options", "side_by_side"),
    [
        ("两组并排放得下", {"asset": 3, "doc_class": 3, "province": 9}, {"asset", "doc_class"}),
        ("三组都少，一行放不下：最宽的一组收起", {"asset": 4, "doc_class": 4, "province": 4}, {"asset", "province"}),
        ("选项多的总是列表", {"asset": 9, "doc_class": 9, "province": 9}, set()),
    ],
)
def test_filters_keep_to_one_line(remark: str, options: dict[str, int], side_by_side: set[str]) -> None:
    lengths = {"asset": 2, "doc_class": 4, "province": 2}
    shown = {
        kind: {"": "全部省份"} | {str(n): "例" * lengths[kind] for n in range(count)} for kind, count in options.items()
    }
    assert choices.segments(shown) == side_by_side, remark


def test_the_list_is_searched_and_narrowed() -> None:
    at = page("library")
    assert len(at.dataframe[0].value) == 3
    at.text_input(key="list_words").set_value("光伏 2022").run()
    assert at.dataframe[0].value["施行日期"].astype(str).tolist() == ["2022-09-01"]
    at.text_input(key="list_words").set_value("").run()
    at.segmented_control(key="list_province").set_value("sd").run()
    assert at.dataframe[0].value["省份"].tolist() == ["山东"]
    at.text_input(key="list_words").set_value("没有这样的").run()
    assert "没有符合条件的法规" in shown(at)


RIVER = """清泉河流域调度中心文件

关于示例闸门检修报告工作的通知

各电站：

一、停用示例闸门的，应当在停用前3日报告。
二、检修记录保存2年。
三、本通知自2025年7月1日起执行。

清泉河流域调度中心
2025年6月12日
"""


def test_a_paper_of_a_body_of_no_known_province_is_not_the_nations() -> None:
    """It has points and no articles; asked for a province, its answer says what is not known of it."""
    alone = "演示闸门养护办法（演示文本）\n第一条 示例闸门应当每季度养护。\n第二条 本办法自2025年1月1日起施行。\n"
    given = [RawDocument.of(RIVER.encode(), "闸门通知.txt"), RawDocument.of(alone.encode(), "无机关.txt")]
    engine().intake.ingest_raw(given)
    at = page("library", province="none")
    listed = at.dataframe[0].value
    assert sorted(zip(listed["省份"], listed["条（点）"], strict=True)) == [("省份待核", 2), ("省份待核", 3)]
    assert "2 / 5 部法规 · 2 条、3 点" in at.caption[0].value
    assert "省份待核" in shown(page(tab="coverage"))
    asked = shown(page(q="停用示例闸门提前几日报告"))
    assert "（省份待核）" in asked and "全国）" not in asked
    assert "没有读到适用于哪个省份" in shown(page(q="停用示例闸门提前几日报告", province="sd"))


def test_a_regulation_is_opened_by_its_name() -> None:
    """By keyboard: a cell of the grid opens as soon as it has the focus."""
    at = page("library", words="2022")
    at.selectbox(key="list_open").select_index(0).run()
    assert 'class="law-head"' in shown(at) and not at.exception


def test_the_status_in_the_list_is_that_of_the_chosen_day() -> None:
    at = page("library")
    at.date_input(key="list_day").set_value(dt.date(2023, 1, 1)).run()
    assert at.dataframe[0].value["时效性"].tolist() == ["尚未施行", "现行有效", "效力待核"]


def test_a_deep_link_opens_the_provision() -> None:
    html = shown(page("library", r=key(NEW_FILE), label="3-1"))
    assert 'id="p-3"' in html and 'data-target="1"' in html and '<a class="chosen" href="#p-3" title=' in html
    assert '<mark class="hit">电网企业应当自收到完整资料之日起10个工作日内组织并网验收。</mark>' in html
    assert "第三条之后是第五条" in html


def test_every_character_of_the_text_is_on_the_page() -> None:
    from tests.test_ui_safe import read

    for regulation in [engine().regulation(row.id) for row in engine().regulations()]:
        html = shown(page("library", r=regulation.id))
        law = html.split('<div class="law">', 1)[1].split("\n<script", 1)[0]
        said = read(re.sub('<p class="flaw">.*?</p>', "", law)).said.replace("#", "")
        assert "".join(said.split()).startswith("".join(regulation.text.replace("#", "").split()))


def test_one_chapter_is_read_alone_and_a_link_opens_the_whole() -> None:
    at = page("library", r=key(NEW_FILE))
    at.selectbox(key=f"section_{key(NEW_FILE)}").set_value("c2").run()
    law = next(h.value for h in at.html if '<div class="law">' in h.value)
    assert "组织并网验收" in law and "为了演示" not in law
    at.text_input(key=f"find_{key(NEW_FILE)}").set_value("办法").run()
    assert any(caption.value == "找到 2 处" for caption in at.caption), "only the chapter is searched"
    at.query_params["label"] = "1"
    at.run()
    assert at.selectbox(key=f"section_{key(NEW_FILE)}").value == "" and "为了演示" in shown(at)


def test_a_regulation_tells_its_figures() -> None:
    html = shown(page("library", r=key(NEW_FILE), tab="facts"))
    assert "2 章、4 条" in html and "条文覆盖" in html and "检索片段" in html


@pytest.mark.parametrize(
    ("remark", "params", "words"),
    [
        ("no such regulation", {"r": "nix"}, "资料库中没有这部法规"),
        ("no such provision", {"r": NEW_FILE, "label": "99"}, "没有这个条款标识"),
        ("no such day", {"r": NEW_FILE, "as_of": "gestern"}, "日期“gestern”无效"),
        ("another day", {"r": OLD_FILE, "as_of": "2023-01-01"}, "现行有效"),
        ("today", {"r": OLD_FILE}, "已废止"),
        ("a list of no province", {"province": "zz"}, "省份代码“zz”无效"),
    ],
)
def test_addresses_of_the_library(remark: str, params: dict[str, str], words: str) -> None:
    assert words in shown(page("library", **params))


def test_a_removal_wants_a_confirmation() -> None:
    old = key(OLD_FILE)
    at = page("library", r=old, tab="manage")
    assert at.button(key="remove").disabled
    at.checkbox(key=f"sure_{old}").check().run()
    at.button(key="remove").click().run()
    assert OLD_FILE not in [row.file for row in engine().regulations()] and "已移出资料库" in shown(at)
    assert engine().library.audit_trail().entries[0].action == "remove"


@pytest.mark.parametrize(
    ("tab", "words"),
    [("事实与依据", "依据原文"), ("版本与关系", "同时废止"), ("原件页面", NEW_FILE)],
)
def test_tabs_of_a_regulation(tab: str, words: str) -> None:
    new = key(NEW_FILE)
    at = page("library", r=new, label="3")
    at.session_state[f"tabs_{new}"] = tab
    at.run()
    assert not at.exception and words in shown(at)


def test_versions_are_compared_article_by_article() -> None:
    html = shown(page("library", r=key(NEW_FILE), tab="versions"))
    assert "<del>20</del>" in html and "<ins>10</ins>" in html


def test_two_files_of_one_version_are_told_apart() -> None:
    """Both are of one day and one number: neither is the older, so each is called by its file."""
    again = page_library.NEW.replace("10个工作日", "12个工作日")
    facts = {"title": page_library.TITLE, "document_number": "演示规〔2025〕4号", "province": "gd"}
    engine().intake.ingest_raw([RawDocument.of(again.encode(), "另一来源.md")], facts=facts)
    html = shown(page("library", r=key("另一来源.md"), tab="versions", **{"with": key(NEW_FILE)}))
    assert "<div>新办法.pdf</div>" in html and "<div>另一来源.md</div>" in html and "旧版" not in html
    assert "演示规〔2025〕4号（新办法.pdf）" in html and "演示规〔2022〕4号（" not in html


def test_of_two_different_texts_what_both_have_comes_first() -> None:
    """Another province's rule on the same: what stands in one alone waits behind a switch, and is coloured by no difference."""
    other = page_library.NEW.replace("10个工作日", "12个工作日") + "\n第九条 演示邻省的电站应当另行安装防雷装置。\n"
    other = other.replace(page_library.TITLE, "演示邻省光伏项目并网验收办法", 1)
    facts = {"title": "演示邻省并网验收规定", "document_number": "邻规〔2025〕1号", "province": "sd"}
    engine().intake.ingest_raw([RawDocument.of(other.encode(), "邻省.md")], facts=facts)
    at = page("library", r=key(NEW_FILE), tab="versions", **{"with": key("邻省.md")})
    assert "<ins>12</ins>" in shown(at) and "防雷装置" not in shown(at)
    assert shown(at).count("相对应<") == 1, "their titles are no counterparts"
    next(one for one in at.toggle if one.label == "只看两部都有的条文").set_value(False).run()
    assert '<ins class="alone">第九条' in shown(at)


def test_a_stored_answer_is_shown_as_it_was() -> None:
    page(q=QUESTION)
    trace = engine().library.answers.recent()[0].trace_id
    at = page(a=trace)
    assert len(asked()) == 1
    assert shown(at).count("<blockquote") == 1 and "答复之后没有变化" in shown(at)
    repealed()
    at.run()
    assert "答复之后有 1 处变化" in shown(at)


def test_an_answer_that_another_person_changed_the_basis_of_says_so() -> None:
    at = page(q="几个工作日内组织并网验收？", province="gd")
    assert "答复已重新作出" not in shown(at)
    repealed()
    at.run()
    assert "答复已重新作出" in shown(at) and any("查看此前的答复" in str(link.proto) for link in at.get("page_link"))


def test_what_changed_since_is_marked_in_both_wordings() -> None:
    page(q="几个工作日内组织并网验收？", province="gd")
    repealed()
    html = shown(page(a=engine().library.answers.recent()[0].trace_id))
    assert "<del>10</del>" in html and "<ins>&lt;b&gt;新&lt;/b&gt;5</ins>" in html


def repealed() -> None:
    """Take in a text that ends the one quoted, with a title that is markup."""
    later = page_library.OLD.replace("2022年9月1日起施行", "2026年1月1日起施行").replace("20个", "<b>新</b>5个")
    ends = f"\n第六条 《{page_library.TITLE}》（演示规〔2025〕4号）同时废止。\n"
    facts = {"title": "演示省新能源<b>新</b>办法", "document_number": "演示规〔2026〕1号", "province": "gd"}
    report = engine().intake.ingest_raw([RawDocument.of((later + ends).encode(), "后法.md")], facts=facts)
    assert [outcome.state for outcome in report.outcomes] == ["stored"]
    assert engine().regulation(key(NEW_FILE)).validity.on(dt.date(2026, 11, 20)) is Status.REPEALED


def test_an_unknown_stored_answer_is_told() -> None:
    assert "没有这份存档答复" in shown(page(a="nemo-0"))


def test_stale_answers_are_told_on_the_start_page() -> None:
    engine().ask("<b>并网</b>验收要交哪些资料？")
    repealed()
    html = shown(page())
    assert "需要复查的存档答复" in html and "&lt;b&gt;并网&lt;/b&gt;验收" in html and "时效已变" in html


def test_a_search_is_saved_asked_again_and_forgotten() -> None:
    at = page(q=QUESTION, province="gd")
    at.button(key="save").click().run()
    (saved,) = engine().library.searches.all()
    assert [b.key for b in at.sidebar.button if b.key.startswith("saved_")] == [f"saved_{saved.id}"]
    assert saved.filters.province == "gd"
    at.text_input(key="ask_question").set_value("另一个验收问题").run()
    at.button(key=f"saved_{saved.id}").click().run()
    assert at.text_input(key="ask_question").value == QUESTION
    at.button(key=f"bare_forget_{saved.id}").click().run()
    assert engine().library.searches.all() == []


# --- 引文复核


@pytest.fixture
def two_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two quotes wait for a reviewer; the text of the one at the end was taken out of the library since."""
    with OPEN(settings.load(library=tmp_path / "library", workers=0)) as before:
        for question in (HOSTILE, QUESTION):
            before.ask(question)
        before.intake.remove(next(row.id for row in before.regulations() if row.file == HOSTILE_FILE))


def decided() -> list[tuple[Verdict, str, str | None]]:
    """Return what reviewers decided and still stands: verdict, reason, who."""
    entries = engine().answers.review_queue(ReviewFilter(state=None))
    made = [entry.row.standing.newest for entry in entries]
    return [(one.state, one.reason, one.by) for one in made if one is not None]


@pytest.mark.usefixtures("two_wait")
def test_a_quote_is_reviewed_and_the_next_one_comes() -> None:
    at = page("review")
    assert "第 1 / 2 条" in shown(at) and "法规已移出资料库" in shown(at) and "&lt;img src=x onerror" in shown(at)
    at.text_input(key="review_note").set_value("核对无误").run()
    at.button(key="verdict_A").click().run()
    assert decided() == [(Verdict.APPROVED, "核对无误", None)]
    html = shown(at)
    assert "第 1 / 1 条" in html and "逐字一致" in html and '<mark class="hit">' in html
    assert at.text_input(key="review_note").value == ""


@pytest.mark.usefixtures("two_wait")
def test_the_last_decision_is_taken_back() -> None:
    at = page("review")
    at.button(key="verdict_A").click().run()
    assert "已记录" in shown(at) and "第 1 / 1 条" in shown(at)
    at.button(key="review_undo").click().run()
    assert decided() == [] and "第 1 / 2 条" in shown(at) and "已记录" not in shown(at)


@pytest.mark.usefixtures("two_wait")
def test_a_reviewer_who_was_too_slow_is_told() -> None:
    at = page("review")
    row = engine().answers.review_queue()[0].row
    engine().answers.decide(row.id, Verdict.REJECTED, "李四认为不当")
    at.button(key="verdict_A").click().run()
    assert "已判为“已驳回”" in shown(at) and decided() == [(Verdict.REJECTED, "李四认为不当", None)]


def test_a_bundle_is_checked_and_its_words_stay_words() -> None:
    import json

    answer = engine().ask(HOSTILE)
    bundle = json.loads(engine().answers.export_answer(answer, "json"))
    text = json.dumps(bundle, ensure_ascii=False).replace("恶意资料包括", "<b>恶意")
    at = page("audit", tab="bundle")
    at.file_uploader(key="bundle_file").upload("b.json", text.encode()).run()
    html = shown(at)
    assert "没有全部通过" in html and "&lt;b&gt;恶意" in html and "<b>恶意" not in html
    assert "核对的范围" not in html
    at.segmented_control(key="bundle_how").set_value("只核对核验包自身").run()
    assert "核对的范围" in shown(at)


@pytest.mark.usefixtures("two_wait")
def test_a_quote_that_another_decided_is_not_exchanged_for_the_next_one() -> None:
    """Whoever writes a reason meanwhile would press 驳回 on a quote never looked at."""
    at = page("review")
    first, second = (entry.row for entry in engine().answers.review_queue())
    engine().answers.decide(first.id, Verdict.REJECTED, "李四认为不当")
    at.text_input(key="review_note").set_value("条款已修改").run()
    assert "原来的一条不在所选范围中" in shown(at) and "现为“已驳回”" in shown(at)
    assert at.text_input(key="review_note").value == "条款已修改"
    assert not [button for button in at.button if button.key == "verdict_X"]  # the one that stood there before
    at.button(key="review_on").click().run()
    assert at.query_params["c"] in (str(second.id), [str(second.id)]) and at.text_input(key="review_note").value == ""


@pytest.mark.usefixtures("two_wait")
def test_a_rejection_without_a_reason_moves_nothing() -> None:
    at = page("review")
    at.button(key="verdict_X").click().run()
    assert "驳回需要写明理由" in shown(at) and decided() == [] and "第 1 / 2 条" in shown(at)


@pytest.mark.usefixtures("two_wait")
def test_the_queue_is_narrowed_by_change_and_regulation() -> None:
    at = page("review")
    at.selectbox(key="review_change").set_value("已有变化").run()
    assert "第 1 / 1 条" in shown(at) and "法规已移出资料库" in shown(at)
    at.selectbox(key="review_change").set_value("没有变化").run()
    assert "第 1 / 1 条" in shown(at) and "逐字一致" in shown(at)


@pytest.mark.usefixtures("two_wait")
@pytest.mark.parametrize(
    ("remark", "params", "words"),
    [
        ("nothing chosen: what waits", {}, "第 1 / 2 条"),
        ("a state and a change", {"state": "全部", "change": "没有变化"}, "第 1 / 1 条"),
        ("another state", {"state": "已复核"}, "改选状态等条件"),
        ("no such state: as if silent", {"state": "nix"}, "第 1 / 2 条"),
    ],
)
def test_an_address_narrows_the_queue(remark: str, params: dict[str, str], words: str) -> None:
    assert words in shown(page("review", **params)), remark


@pytest.mark.usefixtures("two_wait")
def test_what_narrows_the_queue_goes_into_the_address() -> None:
    at = page("review")
    at.selectbox(key="review_change").set_value("没有变化").run()
    assert at.query_params["change"] in ("没有变化", ["没有变化"])
    at.selectbox(key="review_change").set_value(None).run()
    assert "change" not in at.query_params and "第 1 / 2 条" in shown(at)


def test_a_decision_makes_answers_anew() -> None:
    at = page(q=QUESTION)
    engine().answers.decide(engine().answers.review_queue()[0].row.id, Verdict.APPROVED)
    at.run()
    assert len(asked()) == 2


# --- 登录


@pytest.fixture
def users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nemo import accounts

    file = tmp_path / "users.toml"
    people = (("读者甲", accounts.Role.READER), ("复核乙", accounts.Role.REVIEWER))
    file.write_text("".join(accounts.entry(name, role, "correct horse") for name, role in people), "utf-8")
    monkeypatch.setenv("NEMO_USERS_FILE", str(file))


def sign_in(at: AppTest, name: str, password: str = "correct horse") -> AppTest:
    at.text_input(key="login_name").set_value(name)
    at.text_input(key="login_password").set_value(password)
    next(b for b in at.button if b.label == "登录").click()
    return at.run()


@pytest.mark.usefixtures("users")
def test_nobody_sees_anything_before_signing_in() -> None:
    for stem in ("ask", "library", "review", "system"):
        html = shown(page(stem, q=QUESTION))
        assert "请使用管理员分配的用户名和口令" in html and "演示省" not in html and "<blockquote" not in html


@pytest.mark.usefixtures("users")
def test_a_role_opens_its_pages_and_no_others() -> None:
    at = sign_in(page("library", by_menu=True), "读者甲", "wrong")
    assert "用户名或口令不对" in shown(at)
    at = sign_in(at, "读者甲")
    assert len(at.dataframe[0].value) == 3
    at.switch_page("pages/review.py").run()
    assert "没有权限" in shown(at)


def test_the_menu_holds_what_a_role_may_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page asks for and what the menu knows of it agree; nobody is led to a page that only says so."""
    from nemo.accounts import Role, User
    from nemo.ui.shared import frame

    for _, stem, *_, action in frame._PAGES:
        assert f'login.require("{action}")' in (ROOT / "pages" / f"{stem}.py").read_text("utf-8")
    for role, closed in ((Role.READER, {"review", "intake", "watch", "evaluation", "system"}), (Role.ADMIN, set())):
        monkeypatch.setattr(frame.st, "session_state", {frame.PERSON: User("甲", role)})
        assert {stem for _, stem, *_ in frame._PAGES} - {stem for stem, *_ in frame.titles()} == closed


@pytest.mark.usefixtures("two_wait", "users")
def test_a_reviewer_signs_what_is_decided() -> None:
    at = sign_in(page("review", by_menu=True), "复核乙")
    at.button(key="verdict_Q").click().run()
    assert [by for _, _, by in decided()] == ["复核乙"]


# --- 各省对照


def test_provinces_stand_side_by_side() -> None:
    html = shown(page("matrix", q="几个工作日内组织并网验收？", provinces="gd,sd"))
    assert "广东" in html and "山东" in html
    assert html.count("<blockquote") >= 2 and html.count("本省条文没有单独成为答复") == 1
    assert [filters.province for _, filters in asked()] == ["gd", "sd"]


def test_below_the_provinces_stand_rules_of_the_nation_alone() -> None:
    at = page("matrix", q="几个工作日内组织并网验收？", provinces="gd,sd")
    nation = shown(at).split('<h3 class="side-head">全国规定</h3>')[1:]
    assert all("广东" not in html and "山东" not in html for html in nation)


def test_a_quote_of_a_comparison_tells_what_the_card_of_an_answer_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose rule it is, whether it stands, and that it is no longer what the library holds."""
    shown_first = shown(page("matrix", q=QUESTION, provinces="gd"))
    assert 'title="适用地域与效力级别">广东' in shown_first and "请勿引用" not in shown_first
    altered(monkeypatch, NEW_FILE, "项目单位", "工程单位")
    assert "与现库原文不一致，请勿引用" in shown(page("matrix", q=QUESTION, provinces="gd"))


def test_a_wrong_province_in_a_comparison_is_told() -> None:
    assert "省份代码“xx”无效" in shown(page("matrix", q=QUESTION, provinces="gd,xx"))


def test_a_button_without_a_question_says_what_it_lacks() -> None:
    at = page()
    next(one for one in at.button if one.label == "查询").click().run()
    assert "还没有问题" in shown(at) and asked() == []


def test_more_provinces_than_fit_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from nemo.ui.answer import matrix

    monkeypatch.setattr(matrix, "_MOST", 1)
    html = shown(page("matrix", q=QUESTION, provinces="gd,sd"))
    assert "并列的省份至多 1 个" in html and "未列出山东" in html


# --- 评测


@pytest.fixture
def golden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what writes the golden set: one question, and the file that must answer it."""
    monkeypatch.setenv("NEMO_SAMPLES", str(tmp_path / "set" / "samples"))
    (tmp_path / "set").mkdir()
    return partial(page_library.write_golden, tmp_path / "set")


def evaluated(at: AppTest) -> str:
    at.button(key="evaluate").click().run()
    assert not at.exception
    return shown(at)


def test_an_evaluation_names_what_was_missed(golden: Callable[[str], None]) -> None:
    golden(OLD_FILE)
    at = page("evaluation")
    assert "还没有评测记录" in shown(at)
    html = evaluated(at)
    assert at.query_params["run"] in ("1", ["1"])
    assert "<td>0.000</td>" in html and "的 1 题，答对 0%" in html
    missed = html.split('class="plain cases')[1]
    assert "未命中" in missed and f"{OLD_FILE} 第二条" in missed and "&lt;b&gt;并网&lt;/b&gt;验收" in missed


def test_two_evaluations_are_compared(golden: Callable[[str], None]) -> None:
    golden(OLD_FILE)
    at = page("evaluation")
    evaluated(at)
    golden(NEW_FILE)
    assert "全部通过" in evaluated(at)
    at.selectbox(key="evaluation_other").set_value("1").run()
    assert not at.exception and at.query_params["with"] in ("1", ["1"])
    assert "变好 1 题，变差 0 题" in shown(at) and "+1.000" in shown(at)
    assert '未命中 → <span class="badge good">首条命中</span>' in shown(at)


def test_an_address_names_the_runs_to_compare(golden: Callable[[str], None]) -> None:
    for file in (OLD_FILE, NEW_FILE):
        golden(file)
        engine().evaluation.run_golden("演示金标集")
    at = page("evaluation", **{"run": "1", "with": "2"})
    assert "第 2 次 → 第 1 次：变好 0 题，变差 1 题" in shown(at)


# --- 系统


def test_the_system_page_shows_parts_and_hides_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEMO_GEMINI_API_KEY", "top-secret")
    at = page("system")
    assert "正常" in shown(at) and "请留意" in shown(at) and "异常" not in shown(at), (
        "a file that waits stops no answer"
    )
    assert "下载备份" in {button.label for button in at.get("download_button")}
    at.button(key="verify").click().run()
    assert "核验通过" in shown(at)
    at = page("system", tab="settings")
    table = next(frame.value for frame in at.dataframe if "当前值" in frame.value)
    assert "top-secret" not in table.to_string()
    assert table.loc[table["环境变量"] == "NEMO_GEMINI_API_KEY", "当前值"].tolist() == ["已设置"]


def test_tokens_are_made_shown_once_and_revoked() -> None:
    at = page("system", tab="tokens")
    assert engine().access.tokens.first() in [code.value for code in at.code]
    at.text_input(key="token_name").set_value("夜间入库").run()
    at.button(key="token_make").click().run()
    (made,) = {code.value for code in at.code if code.value.startswith("nemo_")} - {engine().access.tokens.first()}
    assert "请现在复制保存" in shown(at)
    at.run()
    assert made in [code.value for code in at.code], "it stands until its owner has kept it"
    at.button(key="token_kept").click().run()
    assert made not in [code.value for code in at.code]
    at.selectbox(key="token_gone").set_value(2).run()
    at.button(key="token_revoke").click().run()
    table = next(frame.value for frame in at.dataframe if "用途" in frame.value)
    assert table.loc[table["用途"] == "夜间入库", "状态"].str.startswith("已吊销").all()


def test_a_temporary_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """By app.py, which stands around every page."""
    assert "演示环境" not in shown(page())
    reopen()
    monkeypatch.setenv("NEMO_TEMPORARY", "1")
    assert "重启后，上传的法规、答复与复核记录都会清空" in shown(page())


# --- errors and the house


def test_a_library_in_use_is_told_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(_: object) -> None:
        raise ConfigError("资料库正由进程 4711 使用。请先关闭它。", ("或用 NEMO_LIBRARY 指定另一文件夹",))

    monkeypatch.setattr(Engine, "open", staticmethod(locked))
    html = shown(page())
    assert "资料库未能打开" in html and "4711" in html and "NEMO_LIBRARY" in html


def test_an_unforeseen_error_shows_a_number_and_no_detail(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    page()
    monkeypatch.setattr(engine().whole, "ask", broken, raising=False)
    html = shown(page(q=QUESTION))
    assert "程序出错" in html and "编号" in html and "secret detail" not in html


def test_every_page_asks_for_its_frame_first() -> None:
    """A deep link into a fresh process runs a page without app.py; the first statement must send it back."""
    from nemo.ui.shared import frame

    listed = {stem for _, stem, *_ in frame._PAGES}
    files = {path.stem: path for path in (ROOT / "pages").glob("*.py")}
    assert set(files) == listed
    for path in files.values():
        body = ast.parse(path.read_text("utf-8")).body
        first = next(n for n in body if not isinstance(n, ast.Import | ast.ImportFrom) and not _is_docstring(n))
        assert ast.unparse(first) == "frame.require_frame(__file__)", path.name


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_a_worker_process_does_not_become_an_app() -> None:
    """Workers import their parent's ``__main__``, which under Streamlit is app.py."""
    script = (
        "import runpy, sys\nrunpy.run_path('app.py', run_name='__mp_main__')\nassert 'streamlit' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]


# --- 修改法规信息、关系图、时间轴、审计记录


def editor(name: str, file: str = NEW_FILE) -> str:
    return f"edit_{name}_{key(file)}_{engine().library.generation}"


def test_a_fact_is_edited_with_a_reason() -> None:
    at = page("library", r=key(NEW_FILE), tab="manage")
    at.text_input(key=editor("title")).set_value("改名办法")
    at.date_input(key=editor("promulgated")).set_value(dt.date(2025, 5, 1))
    at.button(key=editor("save")).click().run()
    assert "请写明理由" in shown(at) and engine().regulation(key(NEW_FILE)).title == page_library.TITLE
    at.text_input(key=editor("reason")).set_value("公告更正")
    at.button(key=editor("save")).click().run()
    edited, entry = engine().regulation(key(NEW_FILE)), engine().library.audit_trail().entries[0]
    assert (edited.title, edited.validity.promulgated) == ("改名办法", dt.date(2025, 5, 1))
    assert entry.action == "edit" and "公告更正" in entry.detail
    assert "已保存" in shown(at) and "改名办法" in shown(at)
    assert at.text_input(key=editor("title")).value == "改名办法"
    assert "人工" in shown(page("library", r=key(NEW_FILE), tab="facts"))


def test_an_edit_that_changes_nothing_is_told() -> None:
    at = page("library", r=key(OLD_FILE), tab="manage")
    at.button(key=editor("save", OLD_FILE)).click().run()
    assert "没有任何改动" in shown(at)


@pytest.mark.usefixtures("users")
def test_a_reader_may_not_edit() -> None:
    at = sign_in(page("library", by_menu=True, r=key(NEW_FILE), tab="manage"), "读者甲")
    assert at.get("download_button") and "移出" not in shown(at)
    assert not any((w.key or "").startswith("edit_") for w in at.text_input)


def test_relations_are_drawn_with_their_labels_quoted() -> None:
    from nemo.ui.library import relations

    at = page("library", r=key(NEW_FILE), tab="versions")
    dot = at.get("graphviz_chart")[0].proto.spec
    assert "self -> n0" in dot and '[label="废止"]' in dot and "（已废止）" in dot
    at = page("library", r=key(OLD_FILE), tab="versions")
    assert "n0 -> self" in at.get("graphviz_chart")[0].proto.spec
    assert relations.quoted('a"]; x [URL="javascript:1') == '"a\\"]; x \\n[URL=\\"javascri\\npt:1"'
    assert (
        relations.quoted("演示光伏接网技术要求（GB/T 29319-2024）") == '"演示光伏接网技术要求\\n（GB/T \\n29319-2024）"'
    )
    assert relations.quoted("&lt;\\N\n<b>") == '"&amp;lt;\\\\N <b>"'


def test_versions_are_bars_and_the_day_a_rule() -> None:
    from nemo.lawview import InForcePeriod
    from nemo.ui.library import timeline

    at = page("library", r=key(NEW_FILE), tab="versions")
    assert len([h for h in at.get("html") if 'class="plain lives"' in h.proto.body]) == 1
    day = dt.date(2026, 1, 1)
    known = InForcePeriod("a", "甲", None, dt.date(2020, 1, 1), None, None, Status.IN_FORCE)
    found = timeline.bars([known, dataclasses.replace(known, start=None)], day, {"a": "2020-01-01（甲.md）"})
    assert [bar["版本"] for bar in found] == ["2020-01-01（甲.md）"] and found[0]["至"] > day
    drawn = timeline.picture(found, day)
    assert 'class="good" style="left:0.00%;right:calc(100% - 100.00%)"' in drawn and '<i style="left:85.7' in drawn
    assert "现行有效：2020-01-01 起" in drawn, "what the colour says stands in words too"


def test_the_audit_trail_tells_changes_and_a_broken_chain(tmp_path: Path) -> None:
    engine().intake.edit(key(NEW_FILE), {"title": "<b>新</b>办法"}, reason="更正")
    at = page("system", tab="audit")
    table = next(frame.value for frame in at.dataframe if "操作" in frame.value)
    told = dict(zip(table["操作"], table["内容"], strict=True))
    assert f"标题：{page_library.TITLE} → <b>新</b>办法" in told["修改信息"] and "理由：更正" in told["修改信息"]
    assert "入库" in told
    head = engine().library.chain_head()
    assert head is not None and "哈希链完整" in shown(at) and f"链首 {head.number}:" in shown(at)
    reopen()
    with sqlite3.connect(next((tmp_path / "library").glob("*.sqlite*"))) as database:
        database.execute("UPDATE audit SET detail = replace(detail, '更正', '更改')")
    assert "条起" in shown(page("system", tab="audit"))


def test_every_action_of_the_log_has_a_name() -> None:
    """What is written in English for programs is read in Chinese by people."""
    from nemo.ui.admin import audit

    source = "".join(path.read_text("utf-8") for path in Path(audit.__file__).parents[2].rglob("*.py"))
    written = set(re.findall(r'(?:audit\.append\(\s*connection,|library\.note\()\s*"(\w+)"', source))
    assert {"store", "watch", "change_sheet", "backup"} <= written
    assert written - audit._ACTIONS.keys() == set()


def test_what_was_read_from_a_stored_file_is_checked_and_corrected() -> None:
    at = page("intake")
    upload(at, ("办法.md", ONE.encode()))
    wait(at, "核对读出的信息")
    assert "存疑的信息" in shown(at)
    doubts = next(each.value for each in at.dataframe if "程度" in each.value.columns)
    stored = key("办法.md")
    assert [*doubts["程度"]] == sorted(doubts["程度"], key="高中低".index) and f"library?r={stored}" in doubts["位置"][
        0
    ]
    assert "—" in {*doubts["读作"]} and not {"（无名）", "binding"} & {*doubts["读作"]}  # nothing read is no name
    assert [*doubts.columns][:2] == ["程度", "位置"], "the place is in sight on a narrow page"
    at.selectbox(key="stored_file").set_value(stored).run()
    html = shown(at)
    assert "缺第二条" in html and "依据原文" in html and f"library?r={stored}" in html
    at.text_input(key=editor("title", "办法.md")).set_value("改名办法")
    at.text_input(key=editor("reason", "办法.md")).set_value("更正")
    at.button(key=editor("save", "办法.md")).click().run()
    assert "已保存" in shown(at) and engine().regulation(stored).title == "改名办法"


def test_a_reader_says_whether_an_answer_was_useful() -> None:
    at = page(q=QUESTION)
    trace = engine().library.answers.recent()[0].trace_id
    at.text_input(key=f"opinion_remark_{trace}").set_value("漏了细则")
    at.button(key="opinion_False").click().run()
    entry = engine().library.audit_trail().entries[0]
    assert (entry.action, entry.subject) == ("feedback", trace) and "漏了细则" in entry.detail
    assert "评价已记录" in shown(at) and not any(b.key == "opinion_True" for b in at.button)
    at = page(q=NOTHING)
    assert any(b.key == "opinion_True" for b in at.button)

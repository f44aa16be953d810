"""Every page against a fake engine, without a browser (页面)."""

from __future__ import annotations

import ast
import dataclasses
import datetime as dt
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests import fake_engine

ROOT = Path(__file__).resolve().parent.parent
QUESTION = "并网验收要交哪些资料？"


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("NEMO_LIBRARY", str(tmp_path))
    monkeypatch.setitem(sys.modules, "nemo.engine", fake_engine)
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def page(stem: str = "ask", **params: str) -> AppTest:
    """Open a page as a visitor with this address would."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
    if stem != "ask":
        at.run()
        at.switch_page(f"pages/{stem}.py")
    for key, value in params.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    return at


def shown(at: AppTest) -> str:
    """Return all HTML on the page."""
    return "\n".join(str(html.value) for html in at.html)


def engine() -> fake_engine.Engine:
    from nemo.ui.shared import frame

    return frame.engine()  # type: ignore[return-value]


def wait(at: AppTest, words: str, seconds: float = 8) -> str:
    """Rerun until the page says ``words``."""
    until = time.monotonic() + seconds
    while words not in shown(at) and time.monotonic() < until:
        time.sleep(0.1)
        at.run()
    return shown(at)


# --- 法规查询


def test_an_empty_page_offers_no_answer() -> None:
    at = page()
    assert "法规查询" in shown(at) and "资料库现有 3 部法规" in shown(at)
    assert "<blockquote" not in shown(at)


def test_a_permanent_link_answers_with_its_filters() -> None:
    page(q=QUESTION, province="gd", asset="solar", doc_class="grid", as_of="2025-07-01")
    asked = engine().asked[-1]
    assert (asked["question"], asked["province"], asked["asset"], asked["doc_class"]) == (
        QUESTION,
        "gd",
        "solar",
        "grid",
    )
    assert str(asked["day"]) == "2025-07-01"


def test_an_answer_shows_quotes_sources_and_what_was_missing() -> None:
    html = shown(page(q=QUESTION))
    assert html.count('<blockquote class="quote">') == 2
    for words in (
        "①",
        "②",
        "第二章第三条第一款",
        "第2页",
        "2025-06-01 施行",
        "现行有效",
        "逐字核验通过",
        "前文（同条在前，或引文所依）",
        "重排服务未应答",
        "0.87",
        "为何命中",
        "并网验收",
        "淄博",
        "已废止",
    ):
        assert words in html or any(words in link.label for link in page(q=QUESTION).get("page_link")), words


def test_the_quote_is_exactly_the_stored_text() -> None:
    from tests.test_ui_safe import read

    at = page(q=QUESTION)
    block = next(h.value for h in at.html if "<blockquote" in h.value)
    inner = block.split('class="verbatim">', 1)[1].split("</span>", 1)[0]
    provision = fake_engine.shelf()[0].find("2")
    assert provision is not None
    assert read(inner).said == provision.span.of(fake_engine.NEW).rstrip("\n")


def test_a_quote_is_shown_in_its_article() -> None:
    at = page(q=QUESTION)
    assert shown(at).count("<summary>上下文</summary>") == 2
    held = engine().held
    held["new"] = dataclasses.replace(held["new"], text=held["new"].text.replace("项目单位", "工程单位"))
    at.run()
    assert shown(at).count("<summary>上下文</summary>") == 1, "a changed text is no context of the quote"


def test_asking_again_is_not_needed_to_redraw() -> None:
    at = page(q=QUESTION)
    at.run()
    assert len(engine().asked) == 1
    engine().library.generation += 1
    at.run()
    assert len(engine().asked) == 2


def test_a_filter_goes_into_the_address_and_asks_again() -> None:
    at = page(q=QUESTION)
    at.segmented_control(key="ask_province").set_value("gd").run()
    assert at.query_params["province"] in ("gd", ["gd"])
    assert engine().asked[-1]["province"] == "gd"


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
    assert engine().asked == []


def test_a_refusal_says_why_and_shows_no_quote() -> None:
    html = shown(page(q="水电站怎么报建"))
    for words in ("没有足以答复的原文", "没有找到依据", "放宽省份", "相关条文（不构成答复）"):
        assert words in html
    assert "<blockquote" not in html


def test_a_changed_text_is_not_called_verified() -> None:
    at = page(q=QUESTION)
    held = engine().held
    held["new"] = dataclasses.replace(held["new"], text=held["new"].text.replace("项目", "工程"))
    at.run()
    assert "与现库原文不一致" in shown(at)


def test_hostile_text_stays_text() -> None:
    html = shown(page(q="恶意"))
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


def test_an_empty_library_offers_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake_engine.Engine, "empty", True)
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


def test_uploaded_files_are_ingested_and_told_by_name() -> None:
    at = page("intake")
    upload(at, ("../../etc/办法.md", "第一条 演示".encode()), ("<img src=x>.txt", b""))
    wait(at, "已入库 1 · 已替换 0 · 未变化 0 · 失败 1")
    table = next(frame.value for frame in at.dataframe if "结果" in frame.value)
    assert table.to_dict("records") == [
        {"结果": "失败", "文件": "<img src=x>.txt", "法规": "演示办法", "说明": "文件是空的。请重新导出。"},
        {"结果": "已入库", "文件": "办法.md", "法规": "演示办法", "说明": ""},
    ]


def test_facts_hold_for_one_batch_and_not_for_the_next() -> None:
    at = page("intake")
    at.selectbox(key="fact_province_0").set_value("gd").run()
    at.selectbox(key="fact_asset_0").set_value("solar").run()
    upload(at, ("办法.md", b"x"))
    assert engine().intake.jobs.facts[-1] == {"province": "gd", "assets": ["solar"]}
    assert at.selectbox(key="fact_province_1").value is None
    upload(at, ("细则.md", b"x"))
    assert engine().intake.jobs.facts[-1] == {}


def test_a_batch_is_still_there_after_leaving_and_can_be_cancelled_and_resumed() -> None:
    at = page("intake")
    assert engine().intake.jobs.resumed == 1  # once, when the engine was opened
    engine().intake.jobs.held = True
    upload(at, ("甲.md", b"x"), ("乙.md", b"x"))
    again = page("intake")
    assert "cancel_b1" in {button.key for button in again.button}
    again.toggle(key="files_b1").set_value(True).run()
    table = next(frame.value for frame in again.dataframe if "状态" in frame.value)
    assert table[["文件", "状态"]].values.tolist() == [["甲.md", "排队中"], ["乙.md", "排队中"]]
    again.button(key="cancel_b1").click().run()
    assert "已取消 2" in shown(again)
    again.button(key="retry_b1").click().run()
    engine().intake.jobs.held = False
    assert "已入库 2" in wait(again, "已入库 2")
    again.button(key="clear").click().run()
    assert engine().intake.jobs.all == [] and "入库结果" not in shown(again)


def test_a_paused_queue_says_why_and_is_tried_again() -> None:
    at = page("intake")
    engine().intake.jobs.held = True
    upload(at, ("甲.md", b"x"))
    engine().intake.jobs.all[0] = dataclasses.replace(engine().intake.jobs.all[0], problem="磁盘已满。请腾出空间。")
    at.run()
    assert "磁盘已满" in shown(at)
    at.button(key="resume_b1").click().run()
    assert engine().intake.jobs.resumed == 2


def test_an_address_is_downloaded_where_that_is_switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page("intake")
    at.segmented_control(key="intake_mode").set_value("url").run()
    assert "NEMO_DISCOVERY=1" in shown(at) and not at.text_area
    monkeypatch.setenv("NEMO_DISCOVERY", "1")
    st.cache_resource.clear()
    at = page("intake")
    at.segmented_control(key="intake_mode").set_value("url").run()
    at.text_area[0].set_value("https://a.gov.cn/1\n https://forbidden.example/<b>\nhttps://a.gov.cn/1").run()
    at.button(key="intake_start").click().run()
    html = shown(at)
    assert "未能下载 https://forbidden.example/&lt;b&gt;" in html and "不采集名单外的网站" in html
    assert "已入库 1" in wait(at, "已入库 1") and at.text_area[0].value == ""


def test_what_official_sites_list_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEMO_DISCOVERY", "1")
    st.cache_resource.clear()
    at = page("intake")
    at.segmented_control(key="intake_mode").set_value("url").run()
    site = next(source.code for source in engine().rules.sources if source.mode == "list")
    at.multiselect(key="lead_sites").set_value([site]).run()
    at.button(key="list_leads").click().run()
    table = next(frame.value for frame in at.dataframe if "网址" in frame.value)
    assert table.to_dict("records") == [{"标题": "关于<b>演示</b>的通知", "网址": "https://a.gov.cn/2"}]
    assert "未能读取演示局" in shown(at)
    at.session_state["leads"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    at.run()
    at.button(key="fill_leads").click().run()
    assert at.text_area[0].value == "https://a.gov.cn/2"
    assert at.button(key="intake_start").label == "下载并入库（1 个网址）"


def test_a_wrong_source_address_stops_the_batch() -> None:
    at = page("intake")
    at.text_input(key="fact_url_0").set_value("javascript:alert(1)").run()
    assert "来源网址须以" in shown(at)


def test_failures_can_be_dismissed_and_retried() -> None:
    at = page("intake")
    table = next(frame.value for frame in at.dataframe if "原因" in frame.value)
    assert table["文件"].tolist() == ["坏文件.pdf", "<b>空</b>.txt"]
    at.session_state["failures"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    at.run()
    at.button(key="dismiss").click().run()
    assert [f.name for f in engine().intake.queue] == ["<b>空</b>.txt"]
    at.session_state["failures"] = {"selection": {"rows": [], "columns": [], "cells": []}}
    at.run()
    at.button(key="retry").click().run()
    wait(at, "已入库 1")
    assert engine().intake.queue == []


def test_files_that_cannot_be_taken_in_stay_in_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    at = page("intake")
    monkeypatch.setattr(engine().intake, "enqueue", broken, raising=False)
    upload(at, ("办法.md", b"x"))
    assert "程序出错" in shown(at) and "secret detail" not in shown(at)
    assert at.button(key="intake_start").label == "开始入库（1 个文件）"


# --- 法规库


def test_the_list_is_searched_and_narrowed() -> None:
    at = page("library")
    assert len(at.dataframe[0].value) == 3
    at.text_input(key="shelf_words").set_value("光伏 2022").run()
    assert at.dataframe[0].value["施行日期"].astype(str).tolist() == ["2022-09-01"]
    at.text_input(key="shelf_words").set_value("").run()
    at.segmented_control(key="shelf_province").set_value("sd").run()
    assert at.dataframe[0].value["省份"].tolist() == ["山东"]
    at.text_input(key="shelf_words").set_value("没有这样的").run()
    assert "没有符合条件的法规" in shown(at)


def test_the_status_in_the_list_is_that_of_the_chosen_day() -> None:
    at = page("library")
    at.date_input(key="shelf_day").set_value(dt.date(2023, 1, 1)).run()
    assert at.dataframe[0].value["时效性"].tolist() == ["尚未施行", "现行有效", "尚未施行"]


def test_a_deep_link_opens_the_provision() -> None:
    html = shown(page("library", r="new", label="3-1"))
    assert 'id="p-3"' in html and 'data-target="1"' in html and '<a class="chosen" href="#p-3">' in html
    assert '<mark class="hit">第三条 电网企业应当自收到完整资料之日起10个工作日内组织验收。</mark>' in html
    assert "条号不连续" in html


def test_every_character_of_the_text_is_on_the_page() -> None:
    from tests.test_ui_safe import read

    for regulation in fake_engine.shelf():
        html = shown(page("library", r=regulation.id))
        law = html.split('<div class="law">', 1)[1].split("\n<script", 1)[0]
        said = read(law).said.replace("#", "")
        assert "".join(said.split()).startswith("".join(regulation.text.replace("#", "").split()))


def test_one_chapter_is_read_alone_and_a_link_opens_the_whole() -> None:
    at = page("library", r="new")
    at.selectbox(key="section_new").set_value("c2").run()
    law = next(h.value for h in at.html if '<div class="law">' in h.value)
    assert "组织验收" in law and "为了演示" not in law
    at.text_input(key="find_new").set_value("办法").run()
    assert any(caption.value == "找到 1 处" for caption in at.caption), "only the chapter is searched"
    at.query_params["label"] = "1"
    at.run()
    assert at.selectbox(key="section_new").value == "" and "为了演示" in shown(at)


def test_a_regulation_tells_its_figures() -> None:
    html = shown(page("library", r="new", tab="facts"))
    assert "2 章、4 条" in html and "条文覆盖" in html and "检索片段" in html


@pytest.mark.parametrize(
    ("remark", "params", "words"),
    [
        ("no such regulation", {"r": "nix"}, "资料库中没有这部法规"),
        ("no such provision", {"r": "new", "label": "99"}, "没有这个条款标识"),
        ("no such day", {"r": "new", "as_of": "gestern"}, "日期“gestern”无效"),
        ("another day", {"r": "old", "as_of": "2023-01-01"}, "现行有效"),
        ("today", {"r": "old"}, "已废止"),
    ],
)
def test_addresses_of_the_library(remark: str, params: dict[str, str], words: str) -> None:
    assert words in shown(page("library", **params))


def test_a_removal_wants_a_confirmation() -> None:
    at = page("library", r="old")
    at.session_state["tabs_old"] = "管理"
    at.run()
    assert at.button(key="remove").disabled
    at.checkbox(key="sure_old").check().run()
    at.button(key="remove").click().run()
    assert "old" not in engine().held and "已移出资料库" in shown(at)
    assert engine().intake.removed == [("old", None)]


@pytest.mark.parametrize(
    ("tab", "words"),
    [("事实与依据", "依据原文"), ("版本与关系", "演示&lt;b&gt;旧&lt;/b&gt;办法"), ("原件页面", "新办法.pdf")],
)
def test_tabs_of_a_regulation(tab: str, words: str) -> None:
    at = page("library", r="new", label="3")
    at.session_state["tabs_new"] = tab
    at.run()
    assert not at.exception and words in shown(at)


def test_versions_are_compared_article_by_article() -> None:
    at = page("library", r="new")
    at.session_state["tabs_new"] = "版本与关系"
    at.run()
    html = shown(at)
    assert "<del>20</del>" in html and "<ins>10</ins>" in html


def test_a_stored_answer_is_shown_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    page(q=QUESTION)
    at = page(a="trace-1")
    assert len(engine().asked) == 1
    assert shown(at).count("<blockquote") == 2 and "答复之后没有变化" in shown(at)
    monkeypatch.setattr(fake_engine.Engine, "altered", True)
    at.run()
    assert "答复之后有 1 处变化" in shown(at) and "&lt;b&gt;新&lt;/b&gt;" in shown(at)


def test_an_unknown_stored_answer_is_told() -> None:
    assert "没有这份存档答复" in shown(page(a="nemo-0"))


def test_stale_answers_are_told_on_the_start_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake_engine.Engine, "altered", True)
    html = shown(page())
    assert "需要复查的存档答复" in html and "&lt;b&gt;旧&lt;/b&gt;问题" in html and "时效已变" in html


def test_a_search_is_saved_asked_again_and_forgotten() -> None:
    at = page(q=QUESTION, province="gd")
    at.button(key="save").click().run()
    assert [b.key for b in at.sidebar.button if b.key.startswith("saved_")] == ["saved_1"]
    assert engine().answers.saved[0].filters.province == "gd"
    at.text_input(key="ask_question").set_value("另一个验收问题").run()
    at.button(key="saved_1").click().run()
    assert at.text_input(key="ask_question").value == QUESTION
    at.button(key="forget_1").click().run()
    assert engine().answers.saved == []


# --- 引文复核


def test_a_quote_is_reviewed_and_the_next_one_comes() -> None:
    at = page("review")
    assert "第 1 / 2 条" in shown(at) and "逐字一致" in shown(at) and '<mark class="hit">' in shown(at)
    at.text_input(key="review_note").set_value("核对无误").run()
    at.button(key="verdict_A").click().run()
    assert [(n, state.value, why) for n, state, why, _ in engine().answers.decided] == [(1, "已复核", "核对无误")]
    html = shown(at)
    assert "第 1 / 1 条" in html and "法规已移出资料库" in html and "&lt;i&gt;引&lt;/i&gt;文" in html
    assert at.text_input(key="review_note").value == ""


def test_the_last_decision_is_taken_back() -> None:
    at = page("review")
    at.button(key="verdict_A").click().run()
    assert "已记录" in shown(at) and "第 1 / 1 条" in shown(at)
    at.button(key="review_undo").click().run()
    assert engine().answers.decided == [] and "第 1 / 2 条" in shown(at) and "已记录" not in shown(at)


def test_a_reviewer_who_was_too_slow_is_told() -> None:
    at = page("review")
    engine().answers.quicker = True
    at.button(key="verdict_A").click().run()
    assert "李四已判为“已驳回”" in shown(at) and engine().answers.decided == [] and "第 1 / 2 条" in shown(at)


def test_a_bundle_is_checked_and_its_words_stay_words() -> None:
    at = page("review")
    at.file_uploader(key="bundle_file").upload("b.json", b"{}").run()
    html = shown(at)
    assert "没有全部通过" in html and "&lt;i&gt;不是&lt;/i&gt;所引文字" in html and "&lt;b&gt;演示办法" in html
    assert "核对的范围" not in html
    at.segmented_control(key="bundle_how").set_value("只核对核验包自身").run()
    assert "只核对了自身" in shown(at)


def test_a_rejection_without_a_reason_moves_nothing() -> None:
    at = page("review")
    at.button(key="verdict_X").click().run()
    assert "驳回需要写明理由" in shown(at) and engine().answers.decided == [] and "第 1 / 2 条" in shown(at)


def test_the_queue_is_narrowed_by_change_and_regulation() -> None:
    at = page("review")
    at.selectbox(key="review_stale").set_value("已有变化").run()
    assert "第 1 / 1 条" in shown(at) and "法规已移出资料库" in shown(at)
    at.selectbox(key="review_stale").set_value("没有变化").run()
    assert "第 1 / 1 条" in shown(at) and "逐字一致" in shown(at)


def test_a_decision_makes_answers_anew() -> None:
    at = page(q=QUESTION)
    engine().library.reviews.version += 1
    at.run()
    assert len(engine().asked) == 2


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
    at = sign_in(page("library"), "读者甲", "wrong")
    assert "用户名或口令不对" in shown(at)
    at = sign_in(at, "读者甲")
    assert len(at.dataframe[0].value) == 3
    at.switch_page("pages/review.py").run()
    assert "没有权限" in shown(at)


@pytest.mark.usefixtures("users")
def test_a_reviewer_signs_what_is_decided() -> None:
    at = sign_in(page("review"), "复核乙")
    at.button(key="verdict_Q").click().run()
    assert engine().answers.decided[0][3].name == "复核乙"


# --- 各省对照


def test_provinces_stand_side_by_side() -> None:
    html = shown(page("matrix", q=QUESTION, provinces="gd,sd"))
    assert "广东" in html and "山东" in html
    assert html.count("<blockquote") == 2 and "未找到本省规定" in html
    assert [asked["province"] for asked in engine().asked] == ["gd", "sd"]


def test_a_wrong_province_in_a_comparison_is_told() -> None:
    assert "省份代码“xx”无效" in shown(page("matrix", q=QUESTION, provinces="gd,xx"))


# --- 评测


def test_an_evaluation_names_what_was_missed() -> None:
    at = page("evaluation")
    assert "还没有评测记录" in shown(at)
    at.button(key="evaluate").click().run()
    assert not at.exception and at.query_params["run"] in ("1", ["1"])
    html = shown(at)
    assert "<td>0.000</td>" in html and "可靠性图：把握约 0.80 的 1 题，答对 0%" in html
    missed = html.split('class="plain cases')[1]
    assert "未命中" in missed and "甲.md 第一条" in missed and "&lt;b&gt;问&lt;/b&gt;题" in missed


def test_two_evaluations_are_compared() -> None:
    at = page("evaluation")
    at.button(key="evaluate").click().run()
    at.button(key="evaluate").click().run()
    assert "全部通过" in shown(at)
    at.selectbox(key="evaluation_other").set_value(1).run()
    assert not at.exception and at.query_params["with"] in ("1", ["1"])
    assert "变好 1 题，变差 0 题" in shown(at) and "+1.000" in shown(at)
    assert '未命中 → <span class="badge good">首条命中</span>' in shown(at)


def test_an_address_names_the_runs_to_compare() -> None:
    for _ in range(2):
        page()
        engine().evaluation.run_golden("演示金标集")
    at = page("evaluation", **{"run": "1", "with": "2"})
    assert "第 2 次 → 第 1 次：变好 0 题，变差 1 题" in shown(at)


# --- 系统


def test_the_system_page_shows_parts_and_hides_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEMO_GEMINI_API_KEY", "top-secret")
    at = page("system")
    assert "施行日期待核" in shown(at) and "请上传修改决定" in shown(at)
    assert "正常" in shown(at) and "异常" in shown(at)
    assert at.dataframe[0].value["名称"].tolist() == ["演示<i>条例</i>"]
    table = next(frame.value for frame in at.dataframe if "当前值" in frame.value)
    assert "top-secret" not in table.to_string()
    assert table.loc[table["环境变量"] == "NEMO_GEMINI_API_KEY", "当前值"].tolist() == ["已设置"]
    at.button(key="verify").click().run()
    assert "核验通过" in shown(at)


def test_tokens_are_made_shown_once_and_revoked() -> None:
    at = page("system")
    assert "nemo_first" in [code.value for code in at.code]
    at.text_input(key="token_name").set_value("夜间入库").run()
    at.button(key="token_make").click().run()
    assert "nemo_2" in [code.value for code in at.code] and "请现在复制保存" in shown(at)
    at.run()
    assert "nemo_2" not in [code.value for code in at.code]
    at.selectbox(key="token_gone").set_value(2).run()
    at.button(key="token_revoke").click().run()
    table = next(frame.value for frame in at.dataframe if "用途" in frame.value)
    assert table.loc[table["用途"] == "夜间入库", "状态"].str.startswith("已吊销").all()


def test_a_temporary_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """By app.py, which stands around every page."""
    assert "演示环境" not in shown(page())
    st.cache_resource.clear()
    monkeypatch.setenv("NEMO_TEMPORARY", "1")
    assert "重启后，上传的法规、答复与复核记录都会清空" in shown(page())


# --- errors and the house


def test_a_library_in_use_is_told_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from nemo.errors import ConfigError

    def locked(_: object) -> None:
        raise ConfigError("资料库正由进程 4711 使用。请先关闭它。", ("或用 NEMO_LIBRARY 指定另一文件夹",))

    monkeypatch.setattr(fake_engine.Engine, "open", staticmethod(locked))
    html = shown(page())
    assert "资料库未能打开" in html and "4711" in html and "NEMO_LIBRARY" in html


def test_an_unforeseen_error_shows_a_number_and_no_detail(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    page()
    monkeypatch.setattr(engine(), "ask", broken, raising=False)
    html = shown(page(q=QUESTION))
    assert "程序出错" in html and "编号" in html and "secret detail" not in html


def test_pages_load_no_heavy_library() -> None:
    script = (
        "import sys, tests.fake_engine as fake\nsys.modules['nemo.engine'] = fake\n"
        "from streamlit.testing.v1 import AppTest\n"
        "at = AppTest.from_file('app.py', default_timeout=30).run()\n"
        "for stem in ('intake', 'library', 'system'):\n    at.switch_page(f'pages/{stem}.py').run()\n"
        "assert not at.exception\n"
        "bad = {'torch', 'sentence_transformers', 'transformers', 'chromadb'} & set(sys.modules)\nassert not bad, bad\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-2000:]


def test_every_page_asks_for_its_frame_first() -> None:
    """A deep link into a fresh process runs a page without app.py; the first statement must send it back."""
    from nemo.ui.shared import frame

    listed = {stem for _, stem, _, _ in frame._PAGES}
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
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-2000:]


# --- 修改法规信息、关系图、时间轴、审计记录


def editor(at: AppTest, name: str, key: str = "new") -> str:
    return f"edit_{name}_{key}_{engine().library.generation}"


def test_a_fact_is_edited_with_a_reason() -> None:
    at = page("library", r="new", tab="manage")
    at.text_input(key=editor(at, "title")).set_value("改名办法")
    at.date_input(key=editor(at, "promulgated")).set_value(dt.date(2025, 5, 1))
    at.button(key=editor(at, "save")).click().run()
    assert "请写明理由" in shown(at) and engine().intake.edited == []
    at.text_input(key=editor(at, "reason")).set_value("公告更正")
    at.button(key=editor(at, "save")).click().run()
    assert engine().intake.edited == [
        ("new", {"title": "改名办法", "promulgated": dt.date(2025, 5, 1)}, None, "公告更正")
    ]
    assert "已保存" in shown(at) and "改名办法" in shown(at)
    assert at.text_input(key=editor(at, "title")).value == "改名办法"
    assert "人工" in shown(page("library", r="new", tab="facts"))


def test_an_edit_that_changes_nothing_is_told() -> None:
    at = page("library", r="bad", tab="manage")
    at.button(key=editor(at, "save", "bad")).click().run()
    assert "没有任何改动" in shown(at)


@pytest.mark.usefixtures("users")
def test_a_reader_may_not_edit() -> None:
    at = sign_in(page("library", r="new", tab="manage"), "读者甲")
    assert "移出后" in shown(at) and not any((w.key or "").startswith("edit_") for w in at.text_input)


def test_relations_are_drawn_with_their_labels_quoted() -> None:
    from nemo.ui.library import relations

    at = page("library", r="new", tab="versions")
    dot = at.get("graphviz_chart")[0].proto.spec
    assert "self -> n0" in dot and "n1 -> self" in dot and '[label="废止"]' in dot and "（已废止）" in dot
    assert relations.quoted('a"]; x [URL="javascript:1') == '"a\\"]; x [URL=\\"j\\navascript:1"'
    assert relations.quoted("&lt;\\N\n<b>") == '"&amp;lt;\\\\N <b>"'


def test_versions_are_bars_and_the_day_a_rule() -> None:
    from nemo.lawview import Stretch
    from nemo.types import Status
    from nemo.ui.library import timeline

    at = page("library", r="new", tab="versions")
    assert len(at.get("vega_lite_chart")) == 1
    day = dt.date(2026, 1, 1)
    known = Stretch("a", "甲", None, dt.date(2020, 1, 1), None, None, Status.IN_FORCE)
    found = timeline.bars([known, dataclasses.replace(known, start=None)], day)
    assert [bar["版本"] for bar in found] == ["1. 2020-01-01"] and found[0]["至"] > day


def test_the_audit_trail_tells_changes_and_a_broken_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page("system")
    table = next(frame.value for frame in at.dataframe if "操作" in frame.value)
    assert "下载备份" in {button.label for button in at.get("download_button")}
    assert table["操作"].tolist() == ["修改信息", "入库"]
    assert table["内容"].tolist() == ["标题：旧 → <b>新</b>；理由：更正", "文件：a.md"]
    assert "哈希链完整" in shown(at) and f"链首 7:{'b' * 64}" in shown(at)
    assert next(frame.value for frame in at.dataframe if "任务" in frame.value)["文件"].tolist() == ["1 / 1"]
    monkeypatch.setattr(fake_engine.Engine, "altered", True)
    assert "自第 2 条起" in shown(page("system"))


def test_what_was_read_from_a_stored_file_is_checked_and_corrected() -> None:
    at = page("intake")
    upload(at, ("办法.md", "第一条 演示".encode()))
    wait(at, "核对读出的信息")
    engine().held["new"] = dataclasses.replace(engine().held["new"], issuer=None, facts=())
    st.cache_data.clear()
    at.run()
    assert "存疑的信息" in shown(at)
    doubts = next(each.value for each in at.dataframe if "程度" in each.value.columns)
    assert [*doubts["程度"]] == sorted(doubts["程度"], key="高中低".index) and "library?r=new" in doubts["位置"][0]
    at.selectbox(key="stored_file").set_value("new").run()
    html = shown(at)
    assert "条号不连续" in html and "依据原文" in html and "第三条" in html and "library?r=new&amp;label=c1" in html
    at.text_input(key=editor(at, "title")).set_value("改名办法")
    at.text_input(key=editor(at, "reason")).set_value("更正")
    at.button(key=editor(at, "save")).click().run()
    assert "已保存" in shown(at) and engine().held["new"].title == "改名办法"


def test_a_reader_says_whether_an_answer_was_useful() -> None:
    at = page(q=QUESTION)
    at.text_input(key="opinion_remark_trace-1").set_value("漏了细则")
    at.button(key="opinion_False").click().run()
    assert engine().answers.rated == [("trace-1", False, "漏了细则", None)]
    assert "评价已记录" in shown(at) and not any(b.key == "opinion_True" for b in at.button)
    at = page(q="水电站怎么报建")
    assert any(b.key == "opinion_True" for b in at.button)

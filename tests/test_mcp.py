"""Agents' tools: they only read, say how it went in one word, and never send more than fits (智能体接口)."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from nemo import settings
from nemo.engine import Engine
from nemo.tools import replies
from nemo.web import mcp_server
from tests.test_api import TEXT

LAW = "演示并网接口办法（演示文本）"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A small text, and one of many articles of which one is longer than a reply."""
    folder = tmp_path_factory.mktemp("mcp")
    (folder / "办法.md").write_text(TEXT, "utf-8")
    long = "演示长文规定（演示文本）\n\n" + "\n\n".join(
        f"第{_zh(n)}条 演示单位应当按照第{_zh(n)}号演示台账逐项登记演示设备的编号、位置与检查结果。"
        * (300 if n == 7 else 1)
        for n in range(1, 100)
    )
    (folder / "长文.md").write_text(long, "utf-8")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        opened.intake.ingest([folder / "办法.md", folder / "长文.md"])
        yield opened


def _zh(number: int) -> str:
    digits = "零一二三四五六七八九"
    tens, ones = divmod(number, 10)
    return ("" if not tens else "十" if tens == 1 else digits[tens] + "十") + (digits[ones] if ones else "")


def call(engine: Engine, tool: str, **arguments: Any) -> dict[str, Any]:
    """What an agent gets as data; the whole reply stays below the limit twice over."""
    server = mcp_server.create(lambda: engine)
    found = asyncio.run(server.call_tool(tool, arguments))
    data = json.loads(found.model_dump_json())["structured_content"]
    told: dict[str, Any] = data.get("result", data) if set(data) == {"result"} else data
    assert len(json.dumps(told, ensure_ascii=False)) <= replies.MOST
    return told


@pytest.mark.parametrize(
    ("tool", "arguments", "status"),
    [
        ("ask_regulation", {"question": "并网申请几个工作日内答复"}, "found"),
        ("ask_regulation", {"question": "火星基地的氧气配额由谁核定"}, "not_found"),
        ("ask_regulation", {"question": "《演示未收录管理条例》第三条怎么规定"}, "not_held"),
        ("ask_regulation", {"question": " "}, "not_checkable"),
        ("ask_regulation", {"question": "并网", "as_of": "gestern"}, "not_checkable"),
        ("read_regulation", {"regulation": LAW, "article": "第二条"}, "found"),
        ("read_regulation", {"regulation": LAW, "article": "第九十条"}, "not_found"),
        ("read_regulation", {"regulation": "没有这部"}, "not_held"),
        ("check_quotation", {"regulation": LAW, "quotation": "十二个工作日内书面答复"}, "found"),
        ("check_quotation", {"regulation": LAW, "quotation": "十三个工作日内书面答复"}, "not_found"),
        ("check_quotation", {"regulation": "没有这部", "quotation": "x"}, "not_held"),
        ("check_quotation", {"regulation": LAW, "quotation": " "}, "not_checkable"),
        ("list_regulations", {}, "found"),
        ("list_regulations", {"cursor": "-1"}, "not_checkable"),
        ("ask_regulation", {"question": "并网申请几个工作日内答复", "provine": "gd"}, "not_checkable"),
        ("ask_regulation", {"question": "并网申请几个工作日内答复", "top_k": 0}, "not_checkable"),
        ("ask_regulation", {"question": "并网", "corpora": {}}, "not_checkable"),
        ("remove_regulation", {}, "not_checkable"),
    ],
)
def test_every_reply_says_how_it_went(engine: Engine, tool: str, arguments: dict[str, Any], status: str) -> None:
    assert call(engine, tool, **arguments)["status"] == status


def test_a_long_text_comes_in_pages_that_join_to_the_stored_one(engine: Engine) -> None:
    """Nothing is lost or doubled between pages, also inside an article that is longer than a page."""
    held = engine.regulation("演示长文规定（演示文本）")
    whole = {p["label"]: p["text"] for p in engine.show(held.id)["provisions"]}
    pages, cursor, joined = 0, None, dict.fromkeys(whole, "")
    while pages == 0 or cursor:
        page = call(engine, "read_regulation", regulation=held.id, cursor=cursor)
        for piece in page["provisions"]:
            assert piece["text"] == held.text[piece["start"] : piece["end"]]
            joined[piece["label"]] += piece["text"]
        cursor, pages = page["next_cursor"], pages + 1
    assert joined == whole and pages > 3


def test_an_answer_that_is_too_long_names_what_it_left_out(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    given = engine.ask("并网申请几个工作日内答复")
    monkeypatch.setattr(replies, "MOST", 1500)
    told = replies.answer(given)
    assert "ranked" in told["omitted"]
    assert told["citations"][0]["direct_quote"] == given.quotes[0].text


def test_every_tool_says_that_it_only_reads(engine: Engine) -> None:
    tools = asyncio.run(mcp_server.create(lambda: engine).list_tools())
    assert 0 < len(tools) <= 8
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)

"""The functions for agents, through the client libraries that call them: google-genai, openai, mcp, each as it is used."""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest
import uvicorn
from google import genai
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from nemo import open_library, tools
from nemo.engine import Engine
from nemo.tools import replies
from nemo.web import mcp_server
from tests.local_server import Answer, Request, serving
from tests.test_api import TEXT

LAW = "演示并网接口办法（演示文本）"
QUESTION = "并网申请几个工作日内答复"
OLDER = TEXT.replace("十二个工作日", "二十个工作日").replace("2024年", "2019年")
NAMES = [function.__name__ for function in tools.Toolbox(lambda: None).all()]  # type: ignore[arg-type, return-value]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("tools")
    (folder / "新.md").write_text(TEXT, "utf-8")
    (folder / "旧.md").write_text(OLDER, "utf-8")
    facts = [{"file": "新.md", "version_date": "2024-01-01"}, {"file": "旧.md", "version_date": "2019-01-01"}]
    (folder / "m.jsonl").write_text("".join(json.dumps(f) + "\n" for f in facts), "utf-8")
    with open_library(folder / "library", workers=0) as opened:
        opened.ingest([folder / "新.md", folder / "旧.md"], manifest=folder / "m.jsonl")
        yield opened


def test_one_table_of_at_most_eight() -> None:
    assert len(NAMES) == len(set(NAMES)) <= 8
    served = asyncio.run(mcp_server.create(lambda: None).list_tools())  # type: ignore[arg-type, return-value]
    assert [tool.name for tool in served] == NAMES == [each["function"]["name"] for each in tools.schemas()]
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in served)


CALLS: list[tuple[str, dict[str, Any], str, str]] = [
    ("ask_regulation", {"question": QUESTION}, "found", "十二个工作日"),
    ("search_provisions", {"question": QUESTION, "threshold": 0.01}, "found", "十二个工作日"),
    ("search_provisions", {"question": QUESTION, "threshold": 1.0}, "not_found", ""),
    ("read_regulation", {"regulation": LAW, "article": "第二条"}, "found", "十二个工作日"),
    ("list_regulations", {"containing": "演示并网"}, "found", LAW),
    ("list_regulations", {"containing": "没有这部"}, "not_held", ""),
    ("regulation_history", {"regulation": LAW}, "found", "2019-01-01"),
    ("regulation_history", {"regulation": "没有这部"}, "not_held", ""),
    ("regulation_history", {"regulation": f"{LAW}@2019-01-01", "compare_with": f"{LAW}@2024-01-01"}, "found", "二十"),
    ("regulation_history", {"regulation": "没有这部", "compare_with": "previous"}, "not_held", ""),
    ("search_memory", {"query": QUESTION}, "found", "十二个工作日"),
    ("search_memory", {"query": "并网", "app": "别的应用"}, "not_found", ""),
    ("check_quotation", {"regulation": LAW, "quotation": "十二个工作日内书面答复"}, "found", LAW),
    ("audit_memo", {"text": f"根据《{LAW}》第二条，应当在十五个工作日内书面答复。"}, "found", "十二个工作日"),
    ("audit_memo", {"text": "本文不引用任何规定。"}, "not_found", ""),
    ("audit_memo", {"text": "长" * 500_000}, "not_checkable", "请"),
    ("ask_regulation", {"question": QUESTION, "colour": "red"}, "not_checkable", "colour"),
    ("ask_regulation", {"question": QUESTION, "provine": "gd"}, "not_checkable", "是否应为 province"),
    ("ask_regulation", {"question": QUESTION, "corpora": "[]"}, "found", "十二个工作日"),
    ("ask_regulation", {"question": QUESTION, "top_k": 0}, "not_checkable", "1 到 20"),
    ("search_provisions", {"question": QUESTION, "section": "第九十九章"}, "not_found", "第九十九章"),
    ("ask_regulation", {}, "not_checkable", "question"),
    ("remove_regulation", {"regulation": LAW}, "not_checkable", "没有名为"),
]


@pytest.mark.parametrize(("name", "arguments", "status", "words"), CALLS)
def test_a_call_by_name(library: Engine, name: str, arguments: dict[str, Any], status: str, words: str) -> None:
    told = tools.call(library, name, arguments)
    said = json.dumps(told, ensure_ascii=False)
    assert told["status"] == status and words in said and len(said) <= replies.MOST


def test_nothing_is_changed_by_any_call(library: Engine) -> None:
    before = (library.library.generation, library.listing())
    for name, arguments, _, _ in CALLS:
        tools.call(library, name, arguments)
    assert (library.library.generation, library.listing()) == before


def test_pages_of_pairs_and_entries_join(library: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """However small a page, every row comes once, also one that fits nowhere: then shortened, and it says so."""
    whole = tools.call(library, "regulation_history", {"regulation": LAW})["entries"]
    monkeypatch.setattr(replies, "MOST", 700)
    found, cursor = [], None
    for _ in range(50):
        page = tools.call(library, "regulation_history", {"regulation": LAW, "cursor": cursor})
        found += page["entries"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert [row["part"] for row in found] == [row["part"] for row in whole]
    assert all(row == same or row["omitted"] for row, same in zip(found, whole, strict=True))


# --- google-genai: the client calls the function itself


def test_automatic_function_calling(library: Engine) -> None:
    """The model asks for the function; the client calls it and sends back what it said, verbatim."""

    def model(request: Request) -> Answer:
        last = request.json()["contents"][-1]["parts"][-1]
        if "functionResponse" not in last:
            part: dict[str, Any] = {"functionCall": {"name": "ask_regulation", "args": {"question": QUESTION}}}
        else:
            quote = last["functionResponse"]["response"]["result"]["citations"][0]["direct_quote"]
            part = {"text": f"引文：{quote}"}
        return Answer.of({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]})

    with serving() as local:
        local.routes["*"] = model
        client = genai.Client(api_key="test-key", http_options={"base_url": local.url})
        config = genai.types.GenerateContentConfig(tools=tools.functions(library))
        told = client.models.generate_content(model="demo", contents=QUESTION, config=config)
        declared = local.seen[0].json()["tools"][0]["functionDeclarations"]
    assert "十二个工作日" in (told.text or "") and len(local.seen) == 2
    assert [each["name"] for each in declared] == NAMES
    arguments = next(value for key, value in declared[0].items() if key.startswith("parameters"))
    assert arguments["required"] == ["question"] and "逐字" in declared[0]["description"]


# --- openai: schemas, and a call by name


def test_openai_tools(library: Engine) -> None:
    import openai  # takes a second: in one process of the run, not in each

    wanted = {"name": "check_quotation", "arguments": json.dumps({"regulation": LAW, "quotation": "不存在的话"})}
    call = {"id": "1", "type": "function", "function": wanted}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    reply = {"id": "x", "object": "chat.completion", "created": 1, "model": "demo", "choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]}  # fmt: skip
    with serving() as local:
        local.routes["*"] = Answer.of(reply)
        client = openai.OpenAI(api_key="test-key", base_url=local.url)
        told = client.chat.completions.create(
            model="demo",
            messages=[{"role": "user", "content": "核对"}],
            tools=tools.schemas(),  # type: ignore[arg-type]
        )
        sent = local.seen[0].json()["tools"]
    asked = told.choices[0].message.tool_calls[0].function  # type: ignore[index, union-attr]
    assert tools.call(library, asked.name, json.loads(asked.arguments))["status"] == "not_found"
    assert sent == tools.schemas()
    parameters = sent[0]["function"]["parameters"]
    assert parameters["required"] == ["question"] and parameters["additionalProperties"] is False


# --- mcp: over HTTP


@contextmanager
def served(library: Engine) -> Iterator[str]:
    """Serve the tools on loopback as ``nemo serve`` does behind its guard."""
    import threading

    server = mcp_server.create(lambda: library)
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        place.listen()  # whoever comes before the server has started waits
        config = uvicorn.Config(mcp_server.application(server), log_level="error", lifespan="on")
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [place]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{place.getsockname()[1]}/"
        finally:
            running.should_exit = True
            thread.join()


def test_mcp_client(library: Engine) -> None:
    async def speak(url: str) -> tuple[list[Any], dict[str, Any]]:
        async with (
            httpx2.AsyncClient(trust_env=False) as line,
            Client(streamable_http_client(url, http_client=line)) as client,
        ):
            listed = (await client.list_tools()).tools
            said = await client.call_tool("ask_regulation", {"question": QUESTION})
            return listed, dict(said.structured_content or {})

    with served(library) as url:
        listed, said = asyncio.run(speak(url))
    assert [tool.name for tool in listed] == NAMES
    assert said["status"] == "found" and "十二个工作日" in said["citations"][0]["direct_quote"]

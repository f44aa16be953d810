"""The agent of docs/agents.md, as it stands there, against a server that speaks Gemini's protocol (智能体示例)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from google import genai
from google.genai import types

from nemo import open_library
from tests.local_server import Answer, LocalServer, Request, serving
from tests.test_api import TEXT

DOC = (Path(__file__).resolve().parent.parent / "docs" / "agents.md").read_text("utf-8")
LAW = "演示并网接口办法（演示文本）"
QUESTION = "并网申请几个工作日内答复，这个期限后来改过吗？"


def example() -> dict[str, Any]:
    """Return what the first block of code of the page defines."""
    code = re.findall(r"```python\n(.*?)```", DOC, re.S)[0]
    names: dict[str, Any] = {}
    exec(compile(code, "docs/agents.md", "exec"), names)
    return names


class Model:
    """Plans two steps with the tools it was told of, then answers with what they returned."""

    def __init__(self, server: LocalServer, last: str) -> None:
        self.server, self.last = server, last
        self.results: list[dict[str, Any]] = []
        server.routes["*"] = self.answer

    def answer(self, request: Request) -> Answer:
        asked = request.json()
        declared = {f["name"] for t in asked["tools"] for f in t.get("functionDeclarations", ())}
        assert {"ask_regulation", "regulation_history", "search_memory"} <= declared and len(declared) <= 8
        parts = [part for content in asked["contents"] for part in content["parts"]]
        self.results = [p["functionResponse"]["response"] for p in parts if "functionResponse" in p]
        steps = [
            {"functionCall": {"name": "ask_regulation", "args": {"question": "并网申请几个工作日内答复"}}},
            {"functionCall": {"name": "regulation_history", "args": {"regulation": LAW}}},
            {"text": self.last},
        ]
        content = {"role": "model", "parts": [steps[len(self.results)]]}
        return Answer.of({"candidates": [{"content": content, "finishReason": "STOP"}]})


def told(result: dict[str, Any]) -> dict[str, Any]:
    return result.get("result", result)


@pytest.mark.parametrize(
    ("last", "kept"),
    [
        ("应在十二个工作日内答复：「电网企业应当自受理申请之日起十二个工作日内答复」；此后没有改过。", True),
        ("应在三十个工作日内答复：「电网企业应当自受理申请之日起三十个工作日内答复」。", False),
    ],
)
def test_it_plans_two_steps_and_quotes_only_what_stands(tmp_path: Path, last: str, kept: bool) -> None:
    (tmp_path / "办法.md").write_text(TEXT, "utf-8")
    with open_library(tmp_path / "lib", workers=0) as library:
        library.ingest([tmp_path / "办法.md"])
        words = library.ask("并网申请几个工作日内答复").quotes[0].text.rstrip("。")
    last = re.sub("「.*?」", f"「{words if kept else words.replace('十二', '三十')}」", last)
    with serving() as server:
        model = Model(server, last)
        options = types.HttpOptions(base_url=server.url)
        client = genai.Client(api_key="k" * 20, http_options=options)
        reply = example()["answer"](str(tmp_path / "lib"), QUESTION, client, "gemini-2.5-flash")
        first, second = (told(each) for each in model.results)
    assert first["status"] == "found" and "十二个工作日" in json.dumps(first, ensure_ascii=False)
    assert second["status"] == "found" and second["entries"][0]["part"] == "version"
    assert (reply == last) if kept else ("不予采用" in reply)

"""The English line beside a quote: official terms only, and a machine's rendering only when configured and marked."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import docx
import openpyxl
import pytest
from pypdf import PdfReader

from nemo import export, settings
from nemo import rules as rule_data
from nemo.answer.rendering import english
from nemo.answer.rendering.written import GeminiRenderer
from nemo.engine import Engine
from nemo.errors import ConfigError, ServiceError
from nemo.export import answer_json
from nemo.store.catalogue.codec import decode, encode
from nemo.types import Answer as Given
from nemo.types import Span, Status
from nemo.ui.answer import citation
from tests.held_texts import holding
from tests.local_server import Answer, LocalServer, Request

RULES = rule_data.load(settings.load().rules)
PATH = "/v1beta/models/gemini-2.5-flash:generateContent"
LAW = """中华人民共和国演示窃电法（演示文本）

（2020年5月28日全国人民代表大会常务委员会通过）

第一章 总则

第一条 为了演示英文对照，制定本法。

第二章 责任

第二条 电网企业应当向电力用户供电。

窃电的，由演示主管部门处一万元以下的罚款。拒不改正的，<b>停止供电</b>。

第三条 本法自2021年1月1日起施行。
"""
ASKED = "What is the fine for electricity theft?"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with holding(tmp_path_factory.mktemp("english"), {"law.txt": LAW}, keep_answers=False) as opened:
        yield opened


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("第二十五条第二款", "Article 25, Paragraph 2"),
        ("第二编第一章第一百零三条", "Part 2, Chapter 1, Article 103"),
        ("第五条之一第一款第（三）项", "Article 5-1, Paragraph 1, Item 3"),
        ("三（二）", ""),
        ("附件1第三条", ""),
        ("", ""),
    ],
)
def test_the_section_path(path: str, expected: str) -> None:
    assert english.section(path) == expected


@pytest.mark.parametrize(
    ("chinese", "expected"),
    [
        ("中华人民共和国电力法", "Electric Power Law of the People's Republic of China"),
        ("电力监管条例", "Electricity Regulation Ordinance"),
        ("山东省电力监管条例", ""),
        ("演示没有英文名的办法", ""),
    ],
)
def test_a_title_has_its_official_name_or_none(chinese: str, expected: str) -> None:
    assert english.title(chinese, RULES.glossary) == expected


def test_terms_are_those_of_the_quote_and_a_longer_one_hides_the_shorter() -> None:
    text = "建设单位未取得排污许可证排放污染物的，责令改正，处罚款。"
    found = {t.chinese: t.english for t in english.terms(text, RULES.glossary)}
    assert found["排污许可证"] == "pollutant discharge permit" and "许可证" not in found
    assert all(word in text for word in found) and len(found) <= english.TERMS


def test_every_status_has_its_words() -> None:
    assert set(english.STATUSES) == set(Status)


def test_only_an_english_question_gets_the_line(engine: Engine) -> None:
    asked, chinese = engine.ask(ASKED), engine.ask("窃电怎么罚款")
    line = answer_json(asked)["citations"][0]["english"]
    assert line["section"].startswith("Chapter 2, Article 2") and line["effective"] == "Effective 2021-01-01"
    assert line["issuer"] is None and line["status"] == "In force"
    issued = replace(asked.quotes[0], citation=replace(asked.quotes[0].citation, issuer="国务院", level="行政法规"))
    named = english.line(issued, RULES)
    assert (named.issuer, named.level) == ("State Council", "Administrative regulations")
    assert line["title"] is None and line["rendering"] == [] and line["rendering_note"] is None
    assert {"chinese": "罚款", "english": "fine"} in line["terms"]
    assert all("english" not in c for c in answer_json(chinese)["citations"])
    assert [q.text for q in asked.quotes] == [q.span.of(engine.regulation(q.regulation_id).text) for q in asked.quotes]
    assert decode(Given, encode(asked)) == asked


# --- the rendering


def says(value: object) -> Answer:
    part = {"content": {"role": "model", "parts": [{"text": json.dumps(value)}]}, "finishReason": "STOP", "index": 0}
    return Answer.of({"candidates": [part], "usageMetadata": {"totalTokenCount": 9}, "modelVersion": "x"})


def rows(*pairs: tuple[object, object]) -> dict:
    return {"renderings": [{"id": number, "english": words} for number, words in pairs]}


def obedient(request: Request) -> Answer:
    """Render every sentence that was sent."""
    sent = json.loads(request.json()["contents"][0]["parts"][0]["text"])["sentences"]
    return says(rows(*((s["id"], f"<i>Sentence {s['id']}</i>") for s in reversed(sent))))


@pytest.fixture
def make(server: LocalServer) -> Iterator[Callable[[], GeminiRenderer]]:
    made: list[GeminiRenderer] = []

    def build() -> GeminiRenderer:
        given = {"gemini_api_key": "test-key-AIza0123456789", "gemini_base_url": server.url, "service_seconds": 60}
        made.append(GeminiRenderer(settings.load(**given)))
        return made[-1]

    yield build
    for renderer in made:
        renderer.close()


def test_each_sentence_is_tied_to_its_words(server: LocalServer, make: Callable[[], GeminiRenderer]) -> None:
    server.routes[PATH] = obedient
    first, second = make().render([("窃电的，处罚款。拒不改正的，停止供电。", 100), ("自发布之日起施行。", 7)])
    assert [(r.span, r.english) for r in first] == [
        (Span(100, 108), "<i>Sentence 1</i>"),
        (Span(108, 119), "<i>Sentence 2</i>"),
    ]
    assert [r.span for r in second] == [Span(7, 16)]


@pytest.mark.parametrize(
    ("remark", "reply"),
    [
        ("one is missing", rows((1, "One."))),
        ("one is twice", rows((1, "One."), (1, "One."), (2, "Two."))),
        ("one too many", rows((1, "One."), (2, "Two."), (3, "Three."))),
        ("an empty one", rows((1, "One."), (2, " "))),
        ("no text", rows((1, "One."), (2, 5))),
        ("a speech instead of a rendering", rows((1, "One."), (2, "x" * 5000))),
        ("another form", ["One.", "Two."]),
        ("nothing", {}),
    ],
)
def test_a_reply_that_is_not_one_for_each_is_not_taken(
    server: LocalServer, make: Callable[[], GeminiRenderer], remark: str, reply: object
) -> None:
    server.routes[PATH] = says(reply)
    with pytest.raises(ServiceError, match="不能逐句对应"):
        make().render([("窃电的，处罚款。拒不改正的，停止供电。", 0)])


def test_the_rendering_stands_beside_the_quote_and_is_marked(
    engine: Engine, server: LocalServer, make: Callable[[], GeminiRenderer]
) -> None:
    server.routes[PATH] = obedient
    plain = engine.ask(ASKED)
    answer = english.beside(plain, replace(engine.parts, renderer=make()))
    assert [q.text for q in answer.quotes] == [q.text for q in plain.quotes] and not answer.degraded
    text = engine.regulation(answer.quotes[0].regulation_id).text
    given = answer_json(answer)["citations"][0]
    assert given["english"]["rendering_note"] == "机器翻译（gemini/gemini-2.5-flash）"
    assert all(text[r["start"] : r["end"]] in given["direct_quote"] for r in given["english"]["rendering"])
    shown = citation.english_line(answer.quotes[0])
    assert "机器翻译" in shown and "以中文原文为准" in shown and "&lt;i&gt;Sentence" in shown and "<i>" not in shown
    assert decode(Given, encode(answer)) == answer


def words_of(content: bytes, form: str) -> str:
    """Return the words of an exported file, white space left out."""
    if form == "docx":
        said = [p.text for p in docx.Document(io.BytesIO(content)).paragraphs]
    elif form == "xlsx":
        sheets = openpyxl.load_workbook(io.BytesIO(content)).worksheets
        said = [str(cell or "") for sheet in sheets for row in sheet.iter_rows(values_only=True) for cell in row]
    elif form == "pdf":
        said = [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]
    else:
        said = [json.dumps(json.loads(content), ensure_ascii=False).replace('\\"', '"')]
    return "".join("".join(said).split())


@pytest.mark.parametrize("form", export.FORMS)
def test_every_file_carries_the_english_line_of_an_english_question_only(
    engine: Engine, server: LocalServer, make: Callable[[], GeminiRenderer], form: str
) -> None:
    server.routes[PATH] = obedient
    asked = english.beside(engine.ask(ASKED), replace(engine.parts, renderer=make()))
    line = asked.quotes[0].english
    assert line is not None and line.section and line.terms and line.rendering
    words = words_of(export.write(export.of_answer(asked, engine.library, RULES), form), form)
    for said in (line.section, line.status, line.terms[0].english, line.rendering[0].english, "机器翻译（gemini/"):
        assert "".join(said.split()) in words, (form, said)
    chinese = words_of(export.write(export.of_answer(engine.ask("窃电怎么罚款"), engine.library, RULES), form), form)
    assert "机器翻译" not in chinese and "术语对照" not in chinese and "".join(line.section.split()) not in chinese


def test_a_failing_service_is_named_and_the_quotes_stand(
    engine: Engine, server: LocalServer, make: Callable[[], GeminiRenderer]
) -> None:
    server.routes[PATH] = Answer.of({"error": {"code": 400, "message": "no", "status": "INVALID_ARGUMENT"}}, 400)
    answer = english.beside(engine.ask(ASKED), replace(engine.parts, renderer=make()))
    assert answer.quotes and all(q.english and not q.english.rendering for q in answer.quotes)
    assert len(answer.degraded) == 1 and "gemini/gemini-2.5-flash 不可用" in answer.degraded[0]


def test_a_chinese_question_sends_nothing(
    engine: Engine, server: LocalServer, make: Callable[[], GeminiRenderer]
) -> None:
    english.beside(engine.ask("窃电怎么罚款"), replace(engine.parts, renderer=make()))
    assert not server.seen


@pytest.mark.parametrize(("name", "key"), [("deepl", "k"), ("gemini", None)])
def test_a_renderer_that_cannot_be_is_refused_at_the_start(tmp_path: Path, name: str, key: str | None) -> None:
    with pytest.raises(ConfigError):
        Engine.open(settings.load(library=tmp_path, renderer=name, gemini_api_key=key))

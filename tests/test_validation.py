"""Every answer is checked before it leaves, measured per day, and says how well its origin is proven (校验、指标、来源)."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nemo import settings
from nemo.answer.quotes import validation
from nemo.answer.quotes.calibration import with_origin
from nemo.engine import Engine
from nemo.types import Answer, RawDocument
from tests.held_texts import holding
from tests.test_api import TEXT

QUESTION = "并网申请几个工作日内答复"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with holding(tmp_path_factory.mktemp("validation"), {"办法.md": TEXT}) as opened:
        yield opened


def changed(answer: Answer, **fields: object) -> Answer:
    return replace(answer, quotes=(replace(answer.quotes[0], **fields), *answer.quotes[1:]))


def test_what_is_wrong_with_an_answer_is_told_on_it(engine: Engine) -> None:
    good = engine.ask(QUESTION)
    assert validation.faults(good, engine.library) == {} and good.degraded == ()
    cited = good.quotes[0].citation
    table = [
        ("quote", changed(good, text="电网企业可以不答复。")),
        ("citation", changed(good, citation=replace(cited, title=""))),
        ("language", changed(good, text="the grid company shall answer")),
        ("quote", changed(good, regulation_id="0" * 16)),
    ]
    for kind, bad in table:
        answer, found = validation.validated(bad, engine.library)
        assert kind in found and answer.degraded[-1] in found.values(), kind


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("电网企业应当答复", 1.0, 1.0), ("额定 10 kV", 0.2, 0.5), ("GB/T 19964-2012", 0.0, 0.0), ("——。", 1.0, 1.0)],
)
def test_the_share_of_chinese(text: str, least: float, most: float) -> None:
    assert least <= validation.share_of_chinese(text) <= most


def test_a_row_of_figures_is_read_with_its_header(tmp_path: Path) -> None:
    """Otherwise every price row was told to be foreign or badly read."""
    rows = "\n".join(f"| {kv} kV | {price} |" for kv, price in ((10, "0.6312"), (35, "0.6105"), (110, "0.5988")))
    text = f"# 示例省输配电价（演示文本）\n\n表1 大工业用电输配电价\n\n| 电压等级 | 输配电价（元/千瓦时） |\n|---|---|\n{rows}\n"
    with holding(tmp_path, {"价格.md": text}) as engine:
        answer = engine.ask("35 kV大工业用电输配电价是多少元")
    (row,) = [q for q in answer.quotes if "0.6105" in q.text]
    assert validation.share_of_chinese(row.text) < validation.CHINESE
    assert not any("中文不足" in line for line in answer.degraded)


def test_the_days_are_measured(tmp_path: Path) -> None:
    with Engine.open(settings.load(library=tmp_path / "lib", workers=0)) as engine:
        engine.intake.ingest_raw([RawDocument.of(TEXT.encode(), "办法.md")])
        for question in (QUESTION, QUESTION, "火电厂脱硫石膏怎么处置？"):
            engine.ask(question)
        engine.library.answers.flush()
        told = {one.measure: (one.count, one.total) for one in engine.library.quality(1)}
        assert told["latency_ms"][0] == 3 and told["latency_ms"][1] > 0
        assert told["cached"] == (3, 1.0) and told["verified"] == (2, 2.0) and told["diversity"][0] == 2
        assert sum(count for name, (count, _) in told.items() if name.startswith("refused:")) == 1
        assert not any(name.startswith("invalid:") for name in told)


ORIGINS = [
    ("什么都没有", None, None, None, 0.0),
    ("来历不明的网址", "https://example.com/a", None, None, 0.0),
    ("像官方而不是", "https://gov.cn.example.com/a", None, None, 0.0),
    ("官方网址", "https://www.ndrc.gov.cn/a", None, None, 0.4),
    ("已知的发布机关", None, "国家能源局", None, 0.3),
    ("有文号", None, None, "演示〔2024〕1号", 0.3),
    ("三项齐备", "https://www.nea.gov.cn/a", "国家能源局", "演示〔2024〕1号", 1.0),
]


@pytest.mark.parametrize(("what", "url", "issuer", "number", "score"), ORIGINS, ids=[o[0] for o in ORIGINS])
def test_the_origin_is_a_tally_of_signs(
    engine: Engine, what: str, url: str | None, issuer: str | None, number: str | None, score: float
) -> None:
    answer = engine.ask(QUESTION)
    cited = replace(answer.quotes[0].citation, url=url, issuer=issuer, document_number=number)
    found = with_origin(replace(answer, quotes=(replace(answer.quotes[0], citation=cited),)), engine.rules)
    assert found.confidence.origin == score, what
    assert found.confidence.overall == answer.confidence.overall

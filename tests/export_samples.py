"""Invented regulations and answers for the review and export tests: nasty characters, versions, two provinces."""

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nemo.store.catalogue.entry import StoredEntry
from nemo.store.library import Library
from nemo.types import (
    Answer,
    AnswerPart,
    Chunk,
    Confidence,
    Evidence,
    Filters,
    Level,
    Origin,
    Provision,
    Query,
    Quote,
    Reason,
    Refusal,
    Regulation,
    Span,
    Validity,
)
from tests.store_samples import raw_of, vector_of

DAY = dt.date(2026, 11, 20)
BEGAN = dt.date(2021, 3, 1)

NASTY = (
    "甲方\t乙方\t单价",
    "　　前有全角空格，后有全角空格　　",
    "第一行\n第二行\n\n第四行",
    "=cmd|'/C calc'!A0",
    "+86 电话",
    "-3 摄氏度以下停工",
    "@SUM(A1:A9)",
    "\t制表符开头",
    "<b>不是标签</b> & &amp; ]]> <!-- -->",
    "零宽\u200b字符与软\u00ad连字与\ufeff标记",
    "*星号* _下划线_ `反引号` [括号](x)",
    "_x0041_ 不是字母",
    "𠮷田与🏗塔吊",
    "行分隔\u2028段分隔\u2029下一行\x85完",
)
"""Quotes that every file format must give back exactly."""

FORBIDDEN = ("竖表\x0b换页\x0c结束", "空\x00字符", "回车\r在中间", "响铃\x07", "非字符\ufffe尾")
"""Quotes with characters that XML cannot carry."""


def law(title: str, articles: Sequence[str], **fields: object) -> Regulation:
    """Make a regulation whose articles have exactly these words after their number."""
    text, nodes = title + "\n", []
    for number, words in enumerate(articles, 1):
        start = len(text)
        text += f"第{number}条　{words}\n"
        end = len(text) - 1
        nodes.append(Provision(Level.ARTICLE, f"第{number}条", str(number), "", Span(start, end), step=f"第{number}条"))
    closing = "自2021年3月1日起施行"
    start = len(text)
    text += closing + "\n"
    basis = Evidence("version_effective", closing, Origin.TEXT, Span(start, start + len(closing)))
    values: dict[str, object] = {
        "id": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        "file": f"{title}.txt",
        "validity": Validity(version_effective=BEGAN, evidence=(basis,)),
        "document_number": "演示令第3号",
        "issuer": "演示局",
        "level": "地方政府规章",
        **fields,
    }
    raw = raw_of(text, str(values["file"]))
    return Regulation(title=title, text=text, provisions=tuple(nodes), sha256=raw.sha256, **values)  # type: ignore[arg-type]


def store(library: Library, *made: Regulation) -> None:
    for each in made:
        pieces = [
            Chunk(Chunk.id_of(each.id, p.span), each.id, p.label, p.span, p.span.of(each.text)) for p in each.walk()
        ]
        vectors = np.stack([vector_of(piece.text) for piece in pieces])
        library.commit(
            [StoredEntry(each, pieces, vectors)], raw_of(each.text, each.file), fingerprint=f"mark-{each.id}"
        )


def place(made: Regulation, words: str) -> Span:
    """Return where words stand in a regulation."""
    start = made.text.index(words)
    return Span(start, start + len(words))


def quote(made: Regulation, words: str, day: dt.date = DAY, **more: object) -> Quote:
    return Quote.cut(made, place(made, words), day, **more)  # type: ignore[arg-type]


def answer(*quotes: Quote, trace: str = "t-1", question: str = "多久检修一次？", day: dt.date = DAY) -> Answer:
    query = Query(question, Filters("gd", "wind", None, day), question)
    if not quotes:
        refusal = Refusal(Reason.NO_EVIDENCE, "没有找到。", ("换一种问法。",))
        return Answer(query, day, (), refusal, Confidence(0.7), trace)
    return Answer(query, day, quotes, None, Confidence(0.9), trace, heading="检修要点（广东）")


def in_parts(one: Quote, two: Quote) -> Answer:
    """Two quotes under two questions; the second question rests on both, a third has no answer."""
    refused = AnswerPart("怎么罚？", (), Refusal(Reason.NO_EVIDENCE, "没有找到。"))
    return replace(answer(one, two), parts=(AnswerPart("多久检修？", (0,)), AnswerPart("多久清洗？", (0, 1)), refused))

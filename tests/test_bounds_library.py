"""Where the numbers around an answer bite (界限): ranking, comparison, gaps, review, reading files; each row grows one thing."""

import datetime as dt
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pytest

from nemo.ingest import doubts, jobs
from nemo.ingest.ingestion import Ingestion
from nemo.ingest.preparing import Task
from nemo.lawview import comparison, concordance
from nemo.lawview.references import _references
from nemo.lawview.shortfalls import ASKED as BY_PERSON
from nemo.lawview.shortfalls import ShortfallLedger, UnansweredQuestion
from nemo.lawview.standards import from_texts
from nemo.rerank import domain, features, gemini, opinion, passages, terms, verdict
from nemo.rerank.cross_encoder import CrossEncoderReranker
from nemo.rerank.domain import DomainReranker
from nemo.rerank.strangeness import QuestionVocabulary
from nemo.review import decisions, memory, service
from nemo.types import Chunk, Filters, Hit, Level, Query, RawDocument, Span, Status
from tests.bounds import Bounds, refused, turns

NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥" * 9
DAY = dt.date(2030, 1, 1)
ASKED = Query("样例", Filters())


def hit(text: str, score: float = 0.9) -> Hit:
    return Hit(Chunk("r:0-1", "r", "1", Span(0, 1), text), score, {"probability": score, "answerable": score})


def bare(**known: object) -> Any:
    return SimpleNamespace(**known)


def read_by_model(length: int) -> int:
    """Return how many characters of a passage a cross-encoder reads."""
    seen: list[str] = []
    run = lambda pairs, _: seen.append(pairs[0][1]) or np.array([0.5])  # noqa: E731
    CrossEncoderReranker.rerank(
        bare(_depth=5, _process=bare(run=run), _seconds=1, name=""), ASKED, [hit("样" * length)]
    )
    return len(seen[0])


def kept(hits: int) -> int:
    """Return how many hits are evidence where all are as likely."""
    calibration = bare(
        keep=lambda chances, most: min(len(chances), most), weighed=lambda *_: 1.0, threshold=0.5,
        vouches=lambda *_, **__: True, confidence=lambda *_: 1.0,
    )  # fmt: skip
    return DomainReranker.judge(bare(_model=bare(verdict=calibration)), ASKED, [hit("样例")] * hits).keep


def unheard(hits: int) -> bool:
    """Whether a question may be called usual where so few provisions were found."""
    model = bare(
        terms=None, forest=bare(scores=lambda rows: np.zeros(len(rows))), papers=bare(scores=lambda rows: np.zeros(len(rows))),
        verdict=bare(chances=lambda sums: np.full(len(sums), 0.5), answerable=lambda *_: 0.5),
    )  # fmt: skip
    ranker = bare(
        _asked=lambda *_: None,
        _prepared=lambda _: bare(heading=passages.NOWHERE),
        _model=model,
        _strangeness=lambda *_: 0.0,
        _at={"d_head": 0, "title_place": 0},
    )
    ranker._ranked = partial(DomainReranker._rank, ranker)
    with mock.patch.object(domain.features, "matrix", lambda _, __, passages: np.zeros((len(passages), 1))):
        return DomainReranker.rerank(ranker, ASKED, [hit("样例")] * hits)[0].scores["strange"] == 0.0


def strange(before: int) -> bool:
    """Whether a word is strange that stands in a provision behind so many others."""
    return QuestionVocabulary(np.ones(1, np.uint32)).strangeness("样例", [*["别的"] * before, "样例"]) > 0


def corresponds(likeness: float) -> bool:
    article = bare(level=Level.ARTICLE, label="1", number="第一条")
    found = bare(pairs=[bare(old=article, new=article, likeness=likeness)])
    with mock.patch.object(comparison, "diff", return_value=found):
        return bool(concordance.pairs(bare(id="a", title=""), bare(id="b", title="")))


def terms_ending(title: str = "样例办法", **validity: object) -> int:
    """Return how many gaps of validity a text has."""
    unknown = dict.fromkeys(("ended_as", "ends", "until", "effective", "promulgated"))
    known = bare(**{**unknown, **validity})
    ledger = bare(_rows=[bare(validity=known, title=title)], _day=DAY, _of=lambda *said: said)
    return len(list(ShortfallLedger._terms(ledger)))


def replaced(before: int) -> int:
    row = bare(id="r", document_number="GB/T 1001-2030", title="样例", validity=bare(effective=None, ends=None))
    return len(from_texts({"r": row}, lambda _: "样" * before + "代替 GB/T 1002-2020"))


def reasoned(length: int) -> bool:
    library = bare(reviews=bare(two_persons=False, decide=lambda *_: None))
    return refused(lambda: decisions.decide(library, 1, decisions.Verdict.REJECTED, "样" * length))


def remembered(length: int) -> bool:
    library = bare(sessions=bare(add=lambda *_: bare(id=1, at=DAY)))
    return refused(
        lambda: memory.MemoryService.add_session(bare(_library=library), "样例", None, "样例", "样" * length)
    )


def looked_at(answers: int) -> int:
    """Return among how many of the last answers stale ones are looked for."""
    library = bare(answers=bare(recent=lambda most: range(min(answers, most))))
    with mock.patch.object(service.review, "alarms", lambda _, recent: recent):
        return len(service.AnswerService.alarms(bare(stale=lambda: [1], _library=library)))  # type: ignore[arg-type]


def named(questions: int) -> int:
    """Return how many of the questions that want a text are named with it."""
    wanted = [UnansweredQuestion(f"第{i}问", BY_PERSON, "样例办法") for i in range(questions)]
    (found,) = ShortfallLedger._refused(bare(_find=lambda *_: None), wanted)
    return found.why.count("问")


def own_questions(asked: int) -> int:
    """Return how many of a person's answers their memory looks through."""
    given = [bare(trace_id=str(i), at=DAY, question="样例") for i in range(asked)]
    library = bare(
        sessions=bare(own=lambda *_: ()), marks=bare(mine=lambda *_: ()), reviews=bare(decisions=list, rows=lambda _: ()),
        answers=bare(own=lambda _, most: given[:most], words=lambda _: {}),
    )  # fmt: skip
    return len(list(memory.MemoryService._of(bare(_library=library), memory.APP, None)))


def parked(size: int) -> bool:
    """Whether a file of so many bytes that waits lies on the disk."""
    ingestion = bare(library=bare(jobs=bare(park=lambda raw: raw.name)))
    return Ingestion._parked(ingestion, Task(RawDocument(bytes(size), "样例", ""), {})).place is not None


def met(nearness: float) -> bool:
    """Whether a word of the question counts as met by one so near."""
    near = np.array([[nearness]])
    listed = bare(text=np.ones((1, 1)), head=np.zeros((1, 1)), places=np.array([0]), terms=np.array([0]))
    with mock.patch.multiple(features, _met=lambda *_: near, _share=lambda *_: 0.0):
        late = features._late(bare(idf=np.ones(1)), bare(weights=np.ones(1)), listed, near)
    return bool(late["ms_close"][0] > 0)


def loses() -> float:
    """Return what a stretch of text loses that states none of the values asked for."""
    blank = np.zeros((1, 1))
    listed = bare(text=blank, sums=lambda _: np.zeros(1))
    with (
        mock.patch.object(features.CandidateArrays, "of", lambda *_: listed),
        mock.patch.multiple(features, _products=lambda *_: (blank, blank), _lacking=lambda *_: np.ones(1)),
    ):
        return -float(features.likeness(bare(idf=()), bare(probes=(), pairs=()), [bare(lengths=(1, 1))])[0])


def beats(seconds: float) -> bool:
    beaten: list[object] = []
    owner = bare(
        _beaten=0.0,
        _store=bare(beat=lambda work: beaten.append(work) or ()),
        _cancelled=set(),
        _closing=bare(is_set=bool),
    )
    with mock.patch.object(jobs.time, "monotonic", return_value=seconds):
        jobs.Jobs._unwanted(owner, {}, 1)
    return bool(beaten)


BOUNDS: Bounds = [
    # 排序
    ("重排模型至多读 200 字", lambda n: read_by_model(n) == n, (50, 900), 201),
    ("重排服务至多读 300 字", lambda n: len(gemini._data(ASKED, [hit("样" * n)])["candidates"][0]["text"]) == n, (50, 900), 301),
    ("至多十条作依据", lambda n: kept(n) == n, (1, 60), 11),
    ("找到不满 20 条，不算常见的问题", unheard, (1, 90), 20),
    ("前十条中见到的词不生僻", strange, (0, 60), 10),
    # 对照与缺口
    ("六成字在另一条里，才算移入该条", lambda n: len(comparison._holders(np.array([n / 100]), [bare(label="1")])), (1, 99), 60),  # type: ignore[list-item]
    ("相似三成的条才是替代的条", lambda n: corresponds(n / 100), (1, 99), 30),
    ("不满四字的名称不算引用", lambda n: len(list(_references(f"根据《{NAMES[:n]}法》办理。"))), (1, 20), 3),
    ("有效期 180 日内届满的提示", lambda n: terms_ending(ended_as=Status.EXPIRED, ends=DAY + dt.timedelta(n)), (1, 900), 181),
    ("试行满五年的提示", lambda n: terms_ending("样例暂行办法", effective=DAY.replace(year=2030 - n)), (1, 30), 5),
    ("所代替的标准在前 3000 字以内", replaced, (2000, 4000), 2984),
    ("缺口至多举三个问题", lambda n: named(n) == n, (1, 30), 4),
    ("词义近过一半，才算说到", lambda n: met(n / 100), (1, 99), 51),
    ("没有所问数值的片段减 0.4", lambda n: loses() >= n / 100, (1, 99), 41),
    # 复核
    ("驳回的理由至多 500 字", reasoned, (100, 900), 501),
    ("自己的记录至多两万字", remembered, (10_000, 30_000), 20_001),
    ("记忆查看本人最近一千次提问", lambda n: own_questions(n) == n, (500, 2000), 1001),
    ("看最近一千次答复", lambda n: looked_at(n) == n, (500, 2000), 1001),
    # 入库
    ("超过 1 MiB 的文件排队时放在盘上", parked, (1 << 19, 1 << 22), (1 << 20) + 1),
    ("五秒一次心跳", lambda n: beats(n / 10), (1, 200), 50),
]  # fmt: skip


@pytest.mark.parametrize(("decide", "between", "at"), [row[1:] for row in BOUNDS], ids=[row[0] for row in BOUNDS])
def test_the_decision_turns_here(decide: Callable[[int], Any], between: tuple[int, int], at: int | None) -> None:
    assert turns(decide, *between) == at


def test_doubts_stand_from_the_worst_and_none_is_heavier_than_five() -> None:
    with mock.patch.multiple(doubts, _value=lambda *_: "", _missing=lambda *_: "没有读到"):
        found = [
            (each.name, each.weight) for each in doubts.doubts_of(bare(faults=(), unplaced=False, told=lambda _: ()))
        ]
    assert [name for name, _ in found] == ["标题", "文件性质", "文号", "施行日期", "发布机关", "公布日期"]
    assert [weight for _, weight in found] == sorted((weight for _, weight in found), reverse=True)
    assert {weight for _, weight in found} == {5, 4, 3, 2}


@pytest.mark.parametrize(("text", "pairs"), [("㐀鿿", 1), ("㏿㐀", 0), ("鿿ꀀ", 0), ("样a例", 0), ("样例字", 2)])
def test_pairs_of_characters_are_chinese(text: str, pairs: int) -> None:
    assert len(terms.pairs_of(terms.codes_of(text))) == pairs


def test_characters_above_the_basic_plane_are_none() -> None:
    assert terms.codes_of("样\U00020001").tolist() == [ord("样"), 0]


def test_a_vector_in_two_parts_holds_seven_digits() -> None:
    coarse, fine = passages._steps(np.array([1.0, 2.0, 3.0]))
    exact = np.array([1.0, 2.0, 3.0]) / 14**0.5
    assert np.abs(coarse / 2**12 + fine / 2**22 - exact).max() < 2**-22
    assert np.abs(coarse).max() * 127 * 3 < 2**24
    assert np.abs(fine).max() <= 2**9


def test_the_value_asked_for_is_looked_for_in_the_first_one_two_three_and_five() -> None:
    hits = -np.arange(40.0)[:, None]
    names = dict.fromkeys((*verdict.SIGNS, *verdict.HIGHEST, *verdict.LOWEST, "lacks_values"), 0)
    assert verdict.answer_row(hits, np.zeros(40), names)[-4:].tolist() == [0, -1, -2, -4]


@pytest.mark.parametrize(("grade", "chance"), [(0, 0.02), (1, 0.15), (2, 0.5), (3, 0.9)])
def test_a_grade_of_the_service_states_a_chance(grade: int, chance: float) -> None:
    """无关、相关、部分回答、直接回答 count as so likely an answer."""
    service = bare(_depth=2, written=lambda *_: {"order": [1, 2], "grades": [grade, 0]})
    first, second = gemini.GeminiReranker.rerank(service, ASKED, [hit("样例"), hit("别的")])
    assert (first.scores[opinion.STATED], second.scores[opinion.STATED]) == (chance, 0.02)

"""Where the numbers of the stages of answering bite (界限): choosing, refusing, places, tables; each row grows one thing."""

import importlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pytest

from nemo import engine as engine_module
from nemo import rules as rule_data
from nemo.answer import combined, pipeline, refuse, revisions
from nemo.answer.about import citing, proofs, shape
from nemo.answer.judgement import annexes, evidence, prior_answers, surroundings, tables
from nemo.answer.order import places, precedence
from nemo.answer.provisions import given
from nemo.answer.question import followup
from nemo.answer.question import query as reading
from nemo.answer.question.scope import SearchPlace
from nemo.answer.question.titles import TitleFinder
from nemo.answer.quotes import calibration, compose, figures
from nemo.answer.rendering import english, grounding
from nemo.answer.retrieve import Retriever
from nemo.answer.revisions import subject
from nemo.rerank import Judgement, opinion, passages, verdict
from nemo.rerank.verdict import Calibration
from nemo.settings import load
from nemo.text.versions import succession
from nemo.types import Chunk, Filters, Hit, Level, Mention, PlaceGroup, Query, RelationKind, Span
from tests.bounds import Bounds, turns

answered_about = importlib.import_module("nemo.answer.about.answered")
RULES = rule_data.load(load().rules)
NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥" * 9


def given_whole(provisions: int) -> int:
    """Return how many of the provisions that are asked for by number are given."""
    seen: list[int] = []
    library = Bare(reviews=None, edges=None)
    decision = Bare(query=None, day=None, parts=Bare(library=library), refused=lambda _: Bare(answer=None))
    with (
        mock.patch.object(given, "_quotes", lambda places, *_: seen.append(len(places)) or []),
        mock.patch.object(given.review, "screened", lambda *_: []),
        mock.patch.object(given.not_in_force, "refusal", lambda *_: None),
    ):
        given._given(decision, [None], [Bare(regulation=None)] * provisions, [])  # type: ignore[arg-type, list-item]
    return seen[0]


def changed_in_all(provisions: int) -> int:
    """Return how many of the provisions that differ are quoted when everything that changed is asked for."""
    blank = dict.fromkeys(("asks_for_all", "_status", "_ranked", "_summary"), lambda *_: "样例")
    versions = Bare(old=None, new=Bare(title=""))
    with (
        mock.patch.multiple(revisions, **blank, _lines=lambda _: (), _quotes=lambda pair, *_: [pair], Answer=dict),
        mock.patch.object(revisions, "concerned", lambda *_: (range(1, provisions + 1), 0.5)),
        mock.patch.object(revisions.comparison, "diff", lambda *_: None),
        mock.patch.object(revisions.calibration, "directness", lambda *_: None),
    ):
        query = Bare(filters=Bare(day="2030-01-01"))
        answer: Any = revisions.versions_answer(query, versions, "", None, list, 4)  # type: ignore[arg-type]
    return len(answer["quotes"])


def read_anew(new: int) -> bool:
    """Whether the names of a library of 100 texts are laid out anew when so many of them came."""
    rows = [Bare(id=str(i), document_number=None) for i in range(100)]
    known = Bare(
        rows={row.id: row for row in rows[new:]}, rules=None, _sounds=None, of=lambda *_: None,
        numbers=Bare(following=lambda rows: ()),
        names=Bare(changed=lambda *_: None),
    )  # fmt: skip
    with mock.patch.multiple(reading, _called=lambda _: lambda row: [], _place=lambda row: row.id):
        return reading.HeldQuestionReader.following(known, rows) is None  # type: ignore[arg-type]


def succeeded_anew(new: int) -> bool:
    """Whether the succession of a library of 100 texts is laid out anew when so many of them came."""
    headers = [Bare(id=str(i)) for i in range(100)]
    known = Bare(_held={each.id: each for each in headers[new:]}, _library=Bare(changed=lambda *_: None))
    with mock.patch.object(succession._Library, "of", lambda _: None):
        return succession.RememberedResolver._follow(known, headers) is None  # type: ignore[arg-type]


class Bare:
    """Something that has nothing but what a rule looks at."""

    def __init__(self, **known: object) -> None:
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> Any:  # of the type of what it stands for
        raise AttributeError(name)


@dataclass(frozen=True)
class Way:
    """A decision on its way, as far as the rules of places look at it."""

    query: Any
    hits: tuple[Hit, ...]
    judgement: Any = None
    parts: Any = None
    degraded: tuple[str, ...] = ()
    late: bool = False
    searched: tuple[str, ...] = ()
    whole: tuple[Any, ...] = ()
    only: tuple[str, ...] = ()
    rarity: Any = None

    def refused(self, _: object) -> None:
        """End the way."""


@dataclass(frozen=True)
class Pair:
    """The two wordings of a provision."""

    old: Any
    new: Any


def hit(text: str, score: float = 0.9, regulation: str = "r") -> Hit:
    return Hit(Chunk(f"{regulation}:{text}", regulation, "1", Span(0, 1), text), score, {"probability": score})


def with_(module: object, **changed: object) -> Any:
    """Replace what a rule asks of others by what is said here."""
    return mock.patch.multiple(module, **changed)  # type: ignore[arg-type]


def asked(text: str = "样例", **more: object) -> Query:
    return Query(text, Filters(), **more)  # type: ignore[arg-type]


def answered(sure: float, regulation: str = "r", refusal: object = None) -> Any:
    quote = Bare(regulation_id=regulation, span=Span(0, 1), group=PlaceGroup.NATION)
    return Bare(refusal=refusal, confidence=Bare(overall=sure, rerank=None), quotes=(quote,), mode="hybrid")


def stays(sure: float, other: float, refused: bool = False) -> bool:
    """Whether a question stays with the text before, so sure of it, where another reading leads there so surely."""
    first, second = answered(sure), answered(other, refusal=refused or None)
    return combined._best(lambda: first, [second, second], answered(1.0), frozenset("r")) is first  # type: ignore[arg-type]


def drawn(whole: float, own: float = 0.5, regulation: str = "other", refusal: object = None) -> bool:
    """Whether a part, answered so surely from a text, is answered from the text that answers the whole so surely."""
    way = Way(
        asked("？"), (), whole=(Bare(regulation_id="r", score=whole),), parts=Bare(rules=Bare(places_in=lambda _: ()))
    )
    within = answered(0.5, refusal=refusal)
    return (
        combined._within(answered(own, regulation), way, lambda part: within if part.only == ("r",) else None) is within
    )  # type: ignore[arg-type, return-value]


def ranked_behind(score: float, at: int = 5) -> bool:
    """Whether what the whole question finds, so likely, ranks behind what its parts find, quoted at another place."""
    whole, quote = Bare(regulation_id="r", score=score, span=Span(0, 1)), Bare(regulation_id="r", span=Span(at, at + 1))
    part = Bare(ranked=[Bare(score=0.5)], confidence=Bare(rerank=0.5, overall=0.5))
    return combined._in_order([whole], [part], [quote])[0] == part.ranked  # type: ignore[list-item]


def several(scores: Iterable[float]) -> int:
    """Return how many provisions answer one of several questions."""
    citations = (Bare(regulation_id=str(i), citation=Bare(article="1", level=None), group=PlaceGroup.NATION, score=s) for i, s in enumerate(scores))  # fmt: skip
    return len(combined._nearest(list(citations), Bare(parts=Bare(rules=Bare(levels=())))))  # type: ignore[arg-type]


def held(second: float, *, article: bool) -> bool:
    """Whether the second hit answers where the best does not hold what is asked."""
    library = Bare(regulation=lambda _: None)
    way = Way(
        asked(),
        (hit("缺", 1.0), hit("有", second)),
        parts=Bare(library=library, rules=RULES, reranker=Bare(likeness=None)),
    )
    text = {"缺": ["年份"], "有": []}
    said = iter(each.chunk.text for each in way.hits)
    with with_(
        evidence, _is_article=lambda *_: article, _fined_elsewhere=lambda *_: False
    ), with_(
        evidence, lacking_words=lambda *_: None
    ), with_(
        evidence.surroundings, evidence_of=lambda *_: Bare(passage=next(said), regulation=None)
    ), with_(
        evidence.elements, missing=lambda _, each, *__, **___: text[each.passage],
    ):  # fmt: skip
        return evidence.holding(way, lambda _: None) is not None  # type: ignore[arg-type]


def in_general(answerable: float, question: str = "罚款的倍数", level: str = "法律", *, other: bool = False) -> bool:
    """Whether a statute that does not say what is asked as it is asked answers from such a list."""
    row = Bare(level=level, title="样例法", document_number=None)
    way = Way(asked(question), (), parts=Bare(library=Bare(row=lambda _: row), rules=RULES))
    first = replace(hit("处一倍以上三倍以下罚款。"), scores={"answerable": answerable})
    with with_(evidence, _read=lambda *_: None), with_(evidence.elements, of_another_case=lambda *_: other):
        return evidence._rules_in_general(way, first)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "told",
    [
        {"question": "许可证怎么办，电话是多少"},
        {"question": "办证的电话是多少"},
        {"level": "规范性文件"},
        {"other": True},
    ],
)
def test_what_a_sure_list_does_not_answer_in_general_words(told: dict[str, Any]) -> None:
    assert in_general(0.95) and not in_general(0.95, **told)


def named(chance: float) -> bool:
    """Whether a question that names a text is answered from it at such a chance, though nothing is answerable."""
    way = Way(asked(), (hit("样例"),), parts=Bare(reranker=Bare(judge=lambda *_: Judgement(False, 1, chance, 0.0)), rules=RULES, law=Bare(not_held=None)))  # fmt: skip
    known = Bare(hits=(), regulation_ids=("r",), query=way.query)
    looked = replace(way, judgement=None)
    object.__setattr__(looked, "named", known)
    object.__setattr__(looked, "searched", ("r",))
    with with_(
        pipeline, _ordered=lambda *_: ([hit("样例")], (), ()), replace=lambda each, **_: each
    ), with_(
        pipeline.evidence, holding=lambda each, *_: each, by_chance=lambda _, hits, *__: hits
    ), with_(
        pipeline.precedence, ordered=lambda *_: [], listing_first=lambda _, hits: hits
    ), with_(pipeline.refuse, too_weak=lambda *_: None), with_(
        pipeline.time_bounds, ended=lambda _: None
    ):  # fmt: skip
        return pipeline.judge(looked) is not None  # type: ignore[arg-type]


def nation(likeness: float = 0.9, before: int = 0) -> bool:
    """Whether a national provision stands beside a local one, so alike, behind so many others."""
    found = [*[hit("别的", 0.1)] * before, hit("全国")]
    with with_(places, alike=lambda _, other: likeness if other == "全国" else 0.0):
        best = places._of_the_matter(hit("地方"), found, Judgement(True, 1, 0.9, 0.9), True)
    return bool(best) and best[0].chunk.text == "全国"


def far(chance: float) -> bool:
    """Whether a national provision, so likely beside the likeliest, which is sure, may rule what the local one does."""
    with with_(places, alike=lambda _, other: 0.9 if other == "全国" else 0.0):
        return bool(
            places._of_the_matter(
                hit("地方"), [hit("别的", 1.0), hit("全国", chance)], Judgement(True, 1, 0.9, 0.9), False
            )
        )


def beside(own: float) -> float:
    """Return the score of a province's rule, so likely, beside the nation's, of which the score is 1."""
    way = Way(asked(), (hit("全国", 1.0), hit("别的", 0.5)))
    with with_(places, alike=lambda *_: 1.0, _province=lambda *_: "甲省", _of_unnamed_city=lambda *_: False):
        return places._own_beside(way, "甲省", [hit("地方", own)]).hits[1].score  # type: ignore[arg-type]


def city_first(wider: float) -> bool:
    way = Way(asked(), (hit("市", 1.0), hit("省", wider)))
    with with_(places, _of_unnamed_city=lambda _, each: each.chunk.text == "市"):
        return places._city_behind(way).hits[0].chunk.text == "市"  # type: ignore[arg-type]


def same_value(likeness: float) -> bool:
    with with_(places, alike=lambda *_: likeness):
        return places._comparable(asked("违反规定罚款多少元？"), hit("地方"), hit("全国"))


def field_first(score: float) -> str:
    way = Way(asked(), ())
    hits = [hit("别的领域", 1.0, "a"), hit("所问领域", score, "b")]
    special: Any = {
        "_rarity": lambda _, each: float(each.chunk.regulation_id == "a"),
        "_force": lambda _, each: {"a": 3, "b": 2}[each.chunk.regulation_id],
    }
    with with_(precedence, **special):
        return precedence._by_field(way, hits)[0].chunk.text  # type: ignore[arg-type]


def penalty_first(score: float) -> str:
    way = Way(asked("违反规定怎么处罚？"), ())
    hits = [hit("应当备案。", 1.0), hit("处一万元以上三万元以下罚款。", score)]
    return precedence._penalty_first(way, hits)[0].chunk.text  # type: ignore[arg-type]


def cited(places_: int) -> int:
    there = [Bare(regulation=Bare(title="样例办法")) for _ in range(places_)]
    with with_(citing, _places=lambda *_: there):
        fact = citing.citing_article(Bare(regulation=lambda _: None), Bare(), "1", ["r"])  # type: ignore[arg-type]
    return len(fact.proofs)  # type: ignore[union-attr]


def repealed(length: int) -> bool:
    relation = Bare(kind=RelationKind.REPEALS, target_title=NAMES[:length])
    return (
        shape.repealed_subject(asked(f"{NAMES[:length]}现在还有效吗"), [Bare(relations=[relation])], RULES) is not None
    )  # type: ignore[list-item]


def chosen(*scores: float, own: int | None = None) -> list[int]:
    """Return which rows of a table are asked for; ``own`` is the one that ranking brought up."""
    rows = [Bare(row=Bare(span=Span(i, i + 1))) for i in range(len(scores))]
    found = rows[own] if own is not None else Bare(row=None if False else Bare(span=Span(99, 100)))
    with with_(tables, _scores=lambda *_: np.array(scores)):
        return [rows.index(row) for row in tables.chosen(Bare(fitting=lambda each: each), found, rows)]  # type: ignore[arg-type]


def row_name(length: int) -> int:
    text = f"甲{'乙' * length}丙"
    cells = (Span(0, 1), Span(1, 1 + length), Span(1 + length, 2 + length))
    row = Bare(regulation=Bare(text=text), row=Bare(cells=cells, above=()))
    return len(tables.FoundRow.name.fget(row).split())  # type: ignore[attr-defined]


def captioned() -> float:
    row = Bare(name="", caption="甲")
    with with_(tables, _tokens=frozenset):
        return tables._score(Bare(tokens=frozenset("甲")), row, frozenset(), {}, 1.0)  # type: ignore[arg-type]


def row_lost(other: float) -> bool:
    """Whether the row asked for is missed when the next hit, in no table, is so likely."""
    found = Bare(row=Bare(span=Span(0, 1)))
    with with_(tables, found_row=lambda *_: found, home=lambda *_: None, rows_in=lambda *_: (), chosen=lambda *_: []):
        asked, hits = Bare(voltages=(), places=()), [hit("| 甲 |", 1.0), hit("样例", other)]
        return tables.fit(asked, hits, lambda _: Bare(id="r"))[1] is not None  # type: ignore[arg-type]


def completed(score: float) -> bool:
    """Whether a provision without a counterpart is set beside one of the other version that comes so near."""
    lone, there = Pair(None, "甲"), Pair("乙", "丙")
    with with_(subject, _echo=lambda *_: 0.0):
        done = subject._completed([lone], [lone, there], [(0.0, 1.0), (score, 0.0)])  # type: ignore[list-item]
    return done[0].old is not None


def summed_up(shared: int) -> int:
    quote = Bare(citation=Bare(title="", path="", issuer=""), words=NAMES[:shared])
    sentence = Bare(quotes=(0,), text=NAMES[:10])
    with with_(grounding, terms=tuple, shown=lambda each: each.words):
        return len(grounding.faults_of(sentence, [quote]))  # type: ignore[arg-type, list-item]


def pooled(candidates: int) -> int:
    seen: list[int] = []
    library = Bare(by_words=lambda _, pool, __: seen.append(pool))
    retriever = Bare(
        settings=Bare(candidates=candidates), library=library, _vector=lambda _: (None, []), _both=lambda *_: None,
        _fused=lambda *_: [],
    )  # fmt: skip
    Retriever.retrieve(retriever, asked())  # type: ignore[arg-type]
    return seen[0]


def looked_through(found: int) -> int:
    """Return how many provisions found are looked through for those of one section."""
    engine = Bare(
        rules=Bare(check_codes=lambda **_: None), whole=Bare(library=Bare(follow=lambda: None, holds=lambda _: True)), elsewhere=None, library=None,
        _asked=lambda *_: asked(), _within=lambda *_: None, _done=lambda *given: [Bare(regulation_id=n) for n in range(min(found, given[3]))],
    )  # fmt: skip
    with with_(engine_module, within_section=lambda _, found, *__: found):
        return len(
            engine_module.Engine.search(
                engine, "样例", Filters(), limit=5000, threshold=0.0, place=SearchPlace(section="1")
            )
        )  # type: ignore[arg-type]


def half(length: int) -> int:
    title = NAMES[:length]
    return len(TitleFinder([("r", [f"{title}评价细则（征求意见稿）"])], ())._half(f"{title}征求意见稿", ()))


def vouched(whole: float = 0.2, chance: float = 0.8, strange: float = 0.3, *, in_field: bool = True) -> bool:
    return Calibration.vouches(None, whole, chance, strange, in_field=in_field, headed=-1.0)  # type: ignore[arg-type]


def unnumbered(length: int) -> bool:
    """Whether a document number leaves a question of which so many characters stay."""
    mention = Mention("样发〔2030〕1号", document_number="样发〔2030〕1号", regulation_ids=("r",))
    library: Any = Bare(row=lambda _: Bare(title="样法", document_number=None))
    said = asked(f"样发〔2030〕1号{NAMES[:length]}", mentions=(mention,))
    return pipeline._unnumbered(said, library).text == NAMES[:length]


def foreign(**scores: float) -> bool:
    return refuse._foreign(asked(), [replace(hit("样例"), scores=scores)])


def penalties(n: int) -> float:
    with with_(compose, _states=lambda _, text: text == "乙"):
        return compose._by_value(asked(), ["甲", "乙"], [1.0, n / 100])[0] > n / 100


def about(length: int) -> int:
    library = Bare(headers=lambda: [Bare(id="r", title=f"关于印发{NAMES}的通知")])
    return len(refuse._about(Bare(title=NAMES[:length]), library))  # type: ignore[arg-type]


def around(length: int) -> int:
    """Return how many characters are shown of an article so long, of which one sentence proves something."""
    regulation = Bare(text="样" * length, unit=lambda _: Bare(level=Level.ARTICLE, span=Span(0, length)))
    with with_(proofs, safe=lambda *_: Span(0, 1)):
        found = proofs.around(regulation, Span(0, 1)).span  # type: ignore[arg-type]
    return found.end - found.start


def unit_of(inner: int, outer: int) -> int:
    """Return how many characters are evidence, of a provision so long in another one."""
    chain = [Bare(level=Level.PARAGRAPH, span=Span(0, length)) for length in (outer, inner)]
    regulation = Bare(text="样" * 9999, title="", chain=lambda _: chain)
    with with_(surroundings, headings=lambda *_: "", found_row=lambda *_: None):
        return len(surroundings.evidence_of(regulation, Span(0, 1)).passage)  # type: ignore[arg-type]


def stretches(second: float) -> int:
    found = Bare(
        regulation=Bare(text="甲乙", unquotable=lambda _: False), provision=Bare(level=Level.ARTICLE, children=())
    )
    with with_(
        compose, prose=lambda _, spans: spans, _candidates=lambda *_: [Span(0, 1), Span(1, 2)], _within=lambda _: None,
        _by_value=lambda _, __, scores: scores,
    ):  # fmt: skip
        return len(compose.spans_of(asked(), found, lambda *_: [1.0, second], 5))  # type: ignore[arg-type]


def shown_figures(count: int) -> int:
    held = [Bare(number=i) for i in range(count)]
    with with_(
        figures, figures=lambda _: held, _belonging=lambda *_: held, shown=lambda each, _: each,
        replace=lambda _, figures: figures,
    ):  # fmt: skip
        return len(figures.with_its(Bare(), Bare(pictures=True), ""))  # type: ignore[arg-type]


def concerned(second: float = 1.0, words: float = 0.0) -> tuple[int, float]:
    """Return how many pairs of wordings a question is about, and how sure that is."""
    pairs = [Pair(0.0 if words else 1.0, 0.0), Pair(second if not words else 0.0, 0.0)]
    versions = Bare(mention=Bare(article=None), old=Bare(id="o"), new=Bare(id="n"))
    with with_(
        subject, _any=lambda _: Bare(level=Level.ARTICLE), _subject=lambda _: "样例", _searched=lambda *_: {},
        _shares=lambda *_: [(words, words)] * 2, _reached=lambda _, __, side: side, _bonus=lambda *_: 1.0,
        _completed=lambda near, *_: near,
    ):  # fmt: skip
        found, sure = subject.concerned(asked(), versions, Bare(pairs=pairs), lambda *_: [])  # type: ignore[arg-type]
    return len(found), sure


def whole_first(chance: float) -> str:
    """Return the hit that stands first when the other one, so likely, answers the whole question."""
    whole = [Bare(regulation_id="b", span=Span(0, 1), score=1.0)]
    return prior_answers.supported([hit("甲", 0.5, "a"), hit("乙", chance, "b")], whole)[0].chunk.text  # type: ignore[arg-type]


def listed(count: int) -> int:
    """Return how many provisions are listed as ranked of a text that is asked about."""
    quotes = [Bare(citation=Bare(recognised=None))]
    way = Bare(query=asked(), day=None, trace_id="", parts=Bare(library=Bare(reviews=None)))
    facts = [Bare(proofs=tuple(range(count)), words="", tips=())]
    with with_(
        answered_about, _quote=lambda *_: None, _ranked=lambda each: each, Answer=lambda **said: said["ranked"],
    ), with_(answered_about.review, screened=lambda *_: quotes), with_(
        answered_about.calibration, directness=lambda *_: None
    ):  # fmt: skip
        return len(answered_about._composed(way, Bare(title=""), (), facts))  # type: ignore[arg-type]


def sure(score: float) -> float:
    quote = Bare(score=score, text="", table=None, citation=Bare(article=""))
    return float(calibration.signs("样例", (0.5, 0.5), [quote], calibration.NAMED)[1])  # type: ignore[list-item]


def annex_told(shared: int) -> str | None:
    """Return the annex that is named where a sentence that sends to it shares so many words with the question."""
    words = ("费用", "明细", "比例")
    notice = SimpleNamespace(title="样例通知", text="", walk=lambda: ())
    library = SimpleNamespace(regulation=lambda _: notice, headers=lambda: ())
    hit = SimpleNamespace(chunk=SimpleNamespace(regulation_id="样例", text=f"{'、'.join(words[:shared])}见附件2。"))
    return annexes.unheld(Query("、".join(words), Filters()), [hit], library)  # type: ignore[arg-type,list-item]


def led_to(count: int) -> tuple[Any, Any]:
    """Return a table and its text, in which a line of so many characters leads to it."""
    places = SimpleNamespace(caption=None, unit=None, head=None, notes=(), span=Span(count + 2, count + 5))
    return places, SimpleNamespace(text=f"甲{'样' * count}\n| 样 |")


def carried_out() -> tuple[Any, Any, Any]:
    """Return a decision, a provision of a place that is sure, and one of the law that it carries out."""
    library = SimpleNamespace(
        row=lambda text: SimpleNamespace(title={"法": "样例法", "办法": "样例省实施《样例法》办法"}[text])
    )
    local, law = (SimpleNamespace(score=1.0, chunk=SimpleNamespace(regulation_id=text)) for text in ("办法", "法"))
    return SimpleNamespace(parts=SimpleNamespace(library=library)), local, law


BOUNDS: Bounds = [
    # 接着问与分别问
    ("此前的法规单独作答，把握要有 0.6", lambda n: stays(n / 100, 0.9, refused=True), (10, 99), 60),
    ("留在此前的法规，把握至多低 0.2", lambda n: stays(n / 100, 0.9), (10, 99), 70),
    ("另起的问法，把握至多低 0.2", lambda n: combined._better(answered(n / 100), answered(0.9), frozenset("r")), (10, 99), 71),  # type: ignore[arg-type]
    ("整句把握满 0.9，另一法规的分问改由它答", lambda n: drawn(n / 100), (10, 99), 90),
    ("分问自己更有把握的照旧", lambda n: not drawn(0.95, n / 100), (10, 99), 95),
    ("整句把握不满 0.9 又没有引用的，排在分问之后", lambda n: not ranked_behind(n / 100), (10, 99), 90),
    ("得分满首条八成的也答这一问", lambda n: several([1.0, n / 100]), (10, 99), 80),
    ("每问至多三条", lambda n: several([1.0] * n) == n, (1, 30), 4),
    ("不满四字的分句没有主语", lambda n: followup.without_subject(NAMES[:n], RULES), (1, 30), 4),
    ("废止的标题至少五字", repealed, (1, 30), 5),
    ("至多列出十处引用", lambda n: cited(n) == n, (1, 90), 11),
    # 依据
    ("没有写明所问数值的句子减半", penalties, (10, 99), 50),
    ("除发布语之外不满八字，只是发布", lambda n: evidence.only_formal("现予印发。" + "样" * n), (1, 90), 8),
    ("写明年份的条文满首条两成", lambda n: held(n / 100, article=True), (1, 99), 20),
    ("写明年份的非条文满 0.25", lambda n: held(n / 100, article=False), (1, 99), 25),
    ("问到的法规把握满 0.3 即作答", lambda n: named(n / 100), (1, 99), 30),
    ("除文号之外不满四字，仍按全句检索", unnumbered, (1, 20), 4),
    ("查一条之内的，至多看一千条", lambda n: looked_through(n) == n, (500, 3000), 1001),
    ("候选为检索条数的三倍", lambda n: pooled(n) >= 30, (1, 90), 10),
    ("不长于 260 字的条全部显示", lambda n: around(n) == n, (50, 900), 261),
    ("不满 80 字的款连同上级作依据", lambda n: unit_of(n, 1000), (10, 300), 80),
    ("不长于 1500 字的上级才作依据", lambda n: unit_of(10, n) == n, (900, 3000), 1501),
    ("得分满首句 0.84 的另一句也引", lambda n: stretches(n / 100), (10, 99), 84),
    ("一条引文至多附四幅图", lambda n: shown_figures(n) == n, (1, 40), 5),
    ("引文之外至多列五条", lambda n: listed(n) == n, (1, 60), 6),
    ("答全问的条文，机会升到两倍", lambda n: whole_first(n / 100), (1, 49), 34),
    ("机会至多按 0.997 计", lambda n: sure(n / 1000) == sure(0.9999), (900, 999), 997),
    # 地域
    ("相似三成才是同一事项", lambda n: nation(n / 100), (1, 99), 30),
    ("至多看十条全国规定", lambda n: nation(before=n), (0, 60), 10),
    ("可能性不到最可能者一成的，是另一事项", lambda n: far(n / 100), (1, 99), 10),
    ("全国规定旁的地方规定至少按其六成计", lambda n: beside(0.1) >= n / 100, (10, 99), 61),
    ("得分满五成的上级规定在市规定之前", lambda n: city_first(n / 100), (10, 99), 50),
    ("问数值的，相似六成才是同样规定", lambda n: same_value(n / 100), (10, 99), 60),
    ("清单有答案的概率达到 0.9 的法规以概括的话作答", lambda n: in_general(n / 100), (1, 99), 90),
    ("没有问到的领域，得分按 0.82 计", lambda n: field_first(n / 100), (10, 99), 82),
    ("问处罚的，得分满三成的罚则在前", lambda n: penalty_first(n / 100), (10, 99), 30),
    # 拒答
    ("至多列三条最接近的条文", lambda n: len(refuse.lacking(asked(), ["年份"], [hit("样例")] * n).related) == n, (1, 30), 4),
    ("六个字起的名称才找说到它的文件", about, (1, 30), 6),
    ("可答的机会不到 2%，不属本库", lambda n: foreign(answerable=n / 1000), (1, 900), 20),
    ("生僻的字满三成，不属本库", lambda n: foreign(answerable=0.5, strange=n / 100), (1, 99), 30),
    ("生僻的字不过一成半，不说不属本库", lambda n: foreign(answerable=0.01, strange=n / 100), (1, 29), 16),
    # 表
    ("得分满最高九成的行一并作答", lambda n: chosen(1.0, n / 100), (10, 99), 90),
    ("至多三行", lambda n: len(chosen(*[1.0] * n)) == n, (1, 30), 4),
    ("检索到的行多得 0.05", lambda n: chosen(1.0, 1 + n / 1000, own=0)[0], (1, 900), 51),
    ("长于 30 字的格不是行名", row_name, (1, 90), 31),
    ("表题同字计 0.35", lambda n: captioned() >= n / 100, (1, 300), 36),
    ("别的条文不到该行七成，才说没有这一行", lambda n: row_lost(n / 100), (10, 99), 70),
    # 对照、小结、名称
    ("得分满最高四分之一的才作对照", lambda n: completed(n / 100), (10, 99), 25),
    ("得分满最高六成的条文才是所问", lambda n: concerned(n / 100)[0], (10, 99), 60),
    ("字面相同计 0.4", lambda n: concerned(words=1.0)[1] >= n / 100, (10, 99), 29),
    ("译名至多列八个", lambda n: len(english.terms(NAMES[:n * 2], [Bare(chinese=[NAMES[i * 2 : i * 2 + 2]], english="a", kind="") for i in range(n)])) == n, (1, 11), 9),  # type: ignore[misc]
    ("小结六成用词在引文中", summed_up, (1, 10), 6),
    ("十个字起的半截名称才认", half, (1, 20), 5),
    # 排序
    ("首条把握满 0.7 即可作答", lambda n: vouched(chance=n / 100), (10, 99), 70),
    ("全答把握不到 0.1 不作答", lambda n: vouched(whole=n / 100), (1, 99), 10),
    ("生僻的字满 0.35 不作答", lambda n: vouched(strange=n / 100, chance=0.75), (1, 99), 35),
    ("首条把握满一半、没有生僻字即可作答", lambda n: vouched(chance=n / 100, strange=0.0, in_field=False), (10, 99), 50),
    ("比较前二十条的机会", lambda n: round(float(verdict.chance_rows(np.array([1.0] * n))[0, 1]), 6) == round(-float(np.log(n)), 6), (2, 90), 21),
    ("一个同义词至多换四个", lambda n: passages_of(n) == n, (1, 30), 5),
    ("按条号至多给出 120 条", lambda n: given_whole(n) == n, (1, 900), 121),
    ("问全部改动的，至多引二十处", lambda n: changed_in_all(n) == n, (4, 90), 21),
    ("新来的文本过四分之一，名称表重建", read_anew, (1, 99), 26),
    ("新来的文本过四分之一，沿革重算", succeeded_anew, (1, 99), 26),
    ("没有所问数值的，另看前两条", lambda n: float(verdict.answer_row(np.array([[float(i != n)] for i in range(20)]), np.ones(20), defaultdict(int))[-3]), (0, 9), 2),
    ("见附件的句子与所问有一词相同，才是所问的附件", lambda n: annex_told(n) is not None, (0, 3), 1),
    ("表前 120 字说明表中数值", lambda n: "甲" in surroundings._around(*led_to(n)), (10, 400), 119),
    ("实施某法的地方规定，国家的把握满其三成即在前", lambda n: n / 100 >= places._enough(*carried_out()), (10, 90), 30),
    ("看第二段排序的前二十条", lambda n: opinion.head_of(np.array([1, 0, *range(2, n)]), 0) == n, (3, 90), 21),
    ("机会至多 0.9999", lambda n: float(opinion.log_odds(np.array([1 - 10.0**-n]))[0]) >= 9, (1, 9), 4),
]  # fmt: skip


def passages_of(count: int) -> int:
    """Return how many terms of so many synonyms of one word are looked for."""
    terms = Bare(vocabulary=["样例"], found_words=lambda other: np.array([ord(other)], np.int32))
    said = [("样例", list(NAMES[:count]))]
    return len(passages._others(terms, np.array([0]), said)[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(("decide", "between", "at"), [row[1:] for row in BOUNDS], ids=[row[0] for row in BOUNDS])
def test_the_decision_turns_here(decide: Callable[[int], Any], between: tuple[int, int], at: int | None) -> None:
    assert turns(decide, *between) == at


def test_a_part_that_only_its_own_text_names_is_answered_from_that() -> None:
    own, within = answered(0.6, "other"), answered(0.7)
    rules = Bare(places_in=lambda _: ())
    way: Any = Way(
        asked("样例消防验收谁负责"), (), whole=(Bare(regulation_id="r", score=0.95),), parts=Bare(rules=rules)
    )
    for named, expected in ((own, own), (within, within)):
        with with_(combined, _said=lambda _, answer, __, named=named: answer is named):
            assert combined._within(own, way, lambda _: within) is expected


def test_a_part_of_the_same_text_or_that_would_be_refused_stays_as_it_is() -> None:
    assert drawn(0.95) and not drawn(0.95, regulation="r") and not drawn(0.95, refusal="没有")


def test_what_the_whole_question_finds_ranks_first_where_a_part_is_answered_from_it() -> None:
    assert ranked_behind(0.5) and not ranked_behind(0.5, at=0)

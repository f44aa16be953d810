"""What every built-in reranker promises: a permutation, falling scores, a judgement that makes sense."""

import gc
import hashlib
import json
import re
import shutil
import unicodedata
import weakref
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from nemo import rerank, settings
from nemo.answer.judgement import coverage
from nemo.errors import ConfigError
from nemo.rerank import Reranker, cues, domain, feature_notes, quantities
from nemo.rerank import terms as vocabulary
from nemo.rerank.passages import Heading, flags_of, prepare
from nemo.rerank.terms import fold
from nemo.text.structure.chunking import chunks
from nemo.text.structure.tree import structure
from nemo.text.words import probe
from nemo.text.words.tokenise import terms
from nemo.types import Filters, Hit, Query, Regulation, Span, Validity

TEXT = """演示省并网处罚办法（演示文本）

第一条 为了演示，制定本办法。

第二条 电网企业应当自受理并网申请之日起十个工作日内书面答复。

第三条 电网企业逾期不答复并网申请的，由能源主管部门处三万元以上十万元以下罚款。

第四条 风电机组叶片退役后应当在三个月内拆除。

第五条 本办法自2024年3月1日起施行。
"""


@pytest.fixture(scope="module")
def regulation() -> Regulation:
    tree = structure(TEXT)
    return Regulation("demo", "演示省并网处罚办法（演示文本）", TEXT, tree.provisions, Validity(), "demo.md", "0" * 64)


class Shelf:
    """A library of one text, with what a ranker noted of it."""

    def __init__(self, regulation: Regulation, noted: dict[tuple[str, str], bytes] | None = None) -> None:
        self._regulation = regulation
        self._noted = noted or {}

    def regulation(self, regulation_id: str) -> Regulation:
        return self._regulation

    def feature_note(self, ranker: str, chunk_id: str) -> bytes | None:
        return self._noted.get((ranker, chunk_id))


@pytest.fixture(params=["domain", "none"])
def reranker(request: pytest.FixtureRequest, regulation: Regulation) -> Reranker:
    return rerank.load(settings.load(reranker=request.param), Shelf(regulation))


def query(text: str) -> Query:
    return Query(text, Filters(), text, tuple(terms(text)))


def hits(regulation: Regulation) -> list[Hit]:
    pieces = chunks(regulation.id, regulation.text, regulation.provisions)
    return [Hit(c, 0.5 - i / 100, {"lexical": 1.0, "dense": 0.5, "fused": 0.5}) for i, c in enumerate(pieces)]


def test_reranking_is_a_permutation_with_falling_scores(reranker: Reranker, regulation: Regulation) -> None:
    given = hits(regulation)
    ordered = reranker.rerank(query("逾期不答复并网申请罚多少"), given)
    assert sorted(h.chunk.id for h in ordered) == sorted(h.chunk.id for h in given)
    assert all(a.score >= b.score for a, b in pairwise(ordered))


def test_nothing_in_nothing_out(reranker: Reranker) -> None:
    assert reranker.rerank(query("并网"), []) == []


def test_a_judgement_keeps_at_least_one_and_never_more_than_there_are(
    reranker: Reranker, regulation: Regulation
) -> None:
    asked = query("逾期不答复并网申请罚多少")
    ordered = reranker.rerank(asked, hits(regulation))
    judgement = reranker.judge(asked, ordered)
    assert 1 <= judgement.keep <= len(ordered)
    assert 0 <= judgement.confidence <= 1


def test_the_learned_order_finds_the_penalty_and_the_duty(regulation: Regulation) -> None:
    domain = rerank.load(settings.load(), Shelf(regulation))
    first: Callable[[str], str] = lambda q: domain.rerank(query(q), hits(regulation))[0].chunk.label  # noqa: E731
    assert first("逾期不答复并网申请，罚多少钱") == "3"
    assert first("并网申请几个工作日内要答复") == "2"
    assert first("风机叶片退役后几个月内拆掉") == "4"


def test_what_was_noted_beforehand_changes_no_score(regulation: Regulation) -> None:
    encoder = rerank.feature_encoder(settings.load())
    assert encoder is not None
    pieces = chunks(regulation.id, regulation.text, regulation.provisions)
    noted = {(encoder.ranker, c.id): s for c, s in zip(pieces, encoder.notes(regulation, pieces), strict=True)}
    asked = query("逾期不答复并网申请罚多少")
    fresh = rerank.load(settings.load(), Shelf(regulation)).rerank(asked, hits(regulation))
    kept = rerank.load(settings.load(), Shelf(regulation, noted)).rerank(asked, hits(regulation))
    assert len(noted) == len(pieces)
    assert [(h.chunk.id, h.scores) for h in kept] == [(h.chunk.id, h.scores) for h in fresh]


def test_no_reranking_needs_no_notes() -> None:
    assert rerank.feature_encoder(settings.load(reranker="none")) is None


def test_chat_is_no_question_for_the_library(regulation: Regulation) -> None:
    domain = rerank.load(settings.load(), Shelf(regulation))
    asked = query("红烧肉怎么做才好吃")
    assert not domain.judge(asked, domain.rerank(asked, hits(regulation))).answerable


def test_spans_that_answer_score_higher(reranker: Reranker, regulation: Regulation) -> None:
    at = [TEXT.index("第二条"), TEXT.index("第三条"), TEXT.index("第四条")]
    spans = [Span(at[0] + 4, at[1]), Span(at[1] + 4, at[2])]
    scores = reranker.score_spans(query("逾期不答复并网申请的处三万元以上罚款"), regulation, spans)
    assert scores[1] > scores[0]
    assert reranker.score_spans(query("并网"), regulation, []) == []


def test_what_is_noted_of_a_text_changes_only_with_its_format(regulation: Regulation) -> None:
    """Libraries keep these notes: who changes how a text is read for ranking raises ``feature_notes.FORMAT`` with this hash."""
    encoder = rerank.feature_encoder(settings.load())
    assert encoder is not None
    at = TEXT.index("第三条")
    made = encoder.passage(regulation, Span(at, TEXT.index("第四条")))
    offers = flags_of([made.offers], len(cues.OFFERED) + len(cues.UNDER))[0]
    states = flags_of([made.states], len(quantities.NAMES))[0]
    parts = (made.terms, made.pairs, made.pair_counts, offers, states)
    noted = repr([*(p.astype(int).tolist() for p in parts), sorted(made.refers), made.size])
    assert (feature_notes.FORMAT, hashlib.sha256(noted.encode()).hexdigest()[:16]) == (4, "ce0a8ef0047a2326")


FIELD = [
    ("a word of the field", ("licence",), 0.12, 0.9, True),
    ("none: an instruction, small talk", (), 0.12, 0.9, False),
    ("none, but the list as a whole answers", (), 0.9, 0.9, True),
    ("a word of the field, and nothing answers", ("licence",), 0.01, 0.9, False),
]


@pytest.mark.parametrize(("remark", "intents", "whole", "chance", "expected"), FIELD, ids=[row[0] for row in FIELD])
def test_doubt_is_overruled_only_for_a_question_of_the_field(
    regulation: Regulation, remark: str, intents: tuple[str, ...], whole: float, chance: float, expected: bool
) -> None:
    ranker = rerank.load(settings.load(), Shelf(regulation))
    chunk = chunks(regulation.id, TEXT, regulation.provisions)[1]
    hit = Hit(chunk, chance, {"lexical": 1.0, "probability": chance, "answerable": whole})
    assert ranker.judge(Query("问题", Filters(), intents=intents), [hit]).answerable is expected, remark


def test_a_table_of_bytes_gives_the_directions_of_the_table_it_was_made_of(tmp_path: Path) -> None:
    table = np.random.default_rng(0).normal(size=(3, 64)).astype(np.float32)
    vocabulary.write(tmp_path, ["并网", "罚款", "停"], table, np.ones(3), np.ones(1 << vocabulary.PAIR_BITS))
    read = vocabulary.read(tmp_path)
    rows, every = read.rows(np.arange(3)), np.arange(3)
    assert (rows == np.rint(rows)).all()
    assert np.allclose(np.diag(read.cosines(every, every, rows @ rows.T)), 1, atol=1e-6)
    lengths = np.linalg.norm(table, axis=1)
    kept = read.sums(np.eye(3), every)
    assert np.allclose(np.linalg.norm(kept, axis=1), lengths, rtol=0.01)
    assert ((kept * table).sum(axis=1) / np.linalg.norm(kept, axis=1) / lengths > 0.999).all()


def test_the_model_refuses_features_it_did_not_learn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """One cue read otherwise moves the features of the probe: the trees would be asked about other numbers.

    Does this fail after a wanted change of features? Measure it, train anew (make models) or state that the model is kept
    (python -m training stamp), and give the new figures in the same commit.
    """
    folder = settings.load().models / "ranker-zh"
    model = domain.Model.read(folder)
    assert len(probe.passages()) >= 200
    assert model.probe in feature_notes.FeatureEncoder.of(folder).ranker
    other = cues.CUES[0]._replace(offered=re.compile("罚款"))
    monkeypatch.setattr(cues, "CUES", (other, *cues.CUES[1:]))
    with pytest.raises(ConfigError, match="特征不同"):
        domain.Model.read(folder)


def test_a_card_without_a_probe_is_refused(tmp_path: Path) -> None:
    folder = shutil.copytree(settings.load().models / "ranker-zh", tmp_path / "ranker-zh")
    card = json.loads((folder / "model.json").read_text("utf-8"))
    del card["probe"]
    (folder / "model.json").write_text(json.dumps(card), "utf-8")
    for read in (domain.Model.read, feature_notes.FeatureEncoder.of):
        with pytest.raises(ConfigError, match="不完整"):
            read(folder)


def test_what_a_model_made_of_headings_goes_with_it() -> None:
    """An engine that is closed leaves no table of terms behind: 8 MB each."""
    model = vocabulary.Terms("电网", np.ones((2, 1), np.float32), np.ones(2), np.ones(1 << vocabulary.PAIR_BITS))
    prepare(model, "", Heading("演示电网办法（演示文本）", "", "", True, "", 0.0), "电网")
    left = weakref.ref(model)
    del model
    gc.collect()
    assert left() is None


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("供热期是多久", "供热"),
        ("质保期为多少年", "质保"),
        ("保证金是多少", "保证金"),
        ("公示多少天", "公示"),
        ("逾期罚多少", ""),
    ],
)
def test_what_a_value_is_asked_of(question: str, thing: str) -> None:
    assert quantities.named(fold(question)) == thing


@pytest.mark.parametrize(
    "text",
    [
        "处二百元（含）以上罚款；逾期的，加倍。",
        "Ａ级１．５％，≤３㎡…",
        "！\u0338，\u0301（か\u3099）",  # marks that join what stands before them
        "①㎡℃ﬁ豈",
    ],
)
def test_folding_is_that_of_unicode(text: str) -> None:
    assert fold(text) == unicodedata.normalize("NFKC", text).lower()


@pytest.mark.parametrize(
    ("word", "words", "named"),
    [
        ("报价", "电价申报时间", True),
        ("报价", "申报电价的时间", True),  # one character between
        ("电价", "电电价格", True),
        ("水电", "水力发电机组", True),
        ("风光", "风电光伏项目", True),
        ("风光", "风电项目", False),
    ],
)
def test_a_short_form_is_said_in_full(word: str, words: str, named: bool) -> None:
    assert coverage.short_for(word, words) is named

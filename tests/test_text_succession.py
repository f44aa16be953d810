"""How held texts end each other."""

import datetime as dt
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.eval_law import Text, succession
from benchmarks.law_tally import Figures
from nemo.text.versions.succession import RememberedResolver, RememberedSuccession, succeed
from nemo.types import Day, Evidence, Origin, Relation, RelationKind, Status, Validity


@dataclass(frozen=True)
class Held:
    """A held regulation as succession sees it."""

    id: str
    title: str
    version_date: Day | None
    validity: Validity
    document_number: str | None = None
    issuer: str | None = None
    level: str | None = "行政法规"
    province: str = "cn"
    nature: str = "binding"
    relations: tuple[Relation, ...] = ()


def day(text: str | None) -> Day | None:
    return dt.date.fromisoformat(text) if text else None


def held(name: str, title: str, version: str | None, start: str | None = None, **rest: object) -> Held:
    """A text of one version; its commencement is read from words."""
    words = (Evidence("version_effective", f"自{start}起施行", Origin.TEXT),) if start else ()
    validity = Validity(
        promulgated=day(version), first_effective=day(start), version_effective=day(start), evidence=words
    )
    return Held(name, title, day(version), validity, **rest)  # type: ignore[arg-type]


def repeals(title: str, number: str | None = None, from_day: str | None = None) -> Relation:
    return Relation(RelationKind.REPEALS, title, f"《{title}》同时废止", number, from_day=day(from_day))


def issues(title: str) -> Relation:
    return Relation(RelationKind.FORWARDS, title, f"关于印发《{title}》的通知")


OLD = held("old", "星河条例", "2010-01-01", "2010-03-01")
NEW = held("new", "星河条例", "2020-01-01", "2020-03-01")


def test_an_older_version_ends_the_day_the_next_one_starts() -> None:
    known = succeed([NEW, OLD])
    assert known["new"].ends is None
    assert (known["old"].ends, known["old"].ended_as, known["old"].ended_by) == (
        day("2020-03-01"),
        Status.AMENDED,
        "new",
    )
    assert known["old"].on(dt.date(2020, 2, 29)) is Status.IN_FORCE
    assert known["old"].on(dt.date(2020, 3, 1)) is Status.AMENDED
    assert known["new"].on(dt.date(2020, 2, 29)) is Status.PENDING
    why = known["old"].why("ends")
    assert why is not None and why.origin is Origin.RELATION and "自2020-03-01起施行" in why.words


def test_the_order_of_storing_does_not_matter() -> None:
    """Equals (two copies of one day, two texts that repeal on one day) are told apart by their ids."""
    texts = [
        *(held(f"copy{n}", "星河条例", "2010-01-01", "2010-03-01") for n in range(3)),
        *(
            held(f"end{n}", f"星海{n}条例", "2020-01-01", "2020-03-01", relations=(repeals("星河条例"),))
            for n in range(3)
        ),
        *(held(f"new{n}", "星河条例", "2022-01-01", "2022-03-01") for n in range(2)),
    ]
    first, found = succeed(texts), RememberedResolver()(texts)("星河条例", None)
    assert [h.id for h in found] == ["new0", "new1", "copy0", "copy1", "copy2"]
    for order in (texts[::-1], texts[3:] + texts[:3], texts[1::2] + texts[::2]):
        assert succeed(order) == first
        assert RememberedResolver()(order)("星河条例", None) == found


TITLES = ("星河条例", "星海条例", "关于修改《星河条例》的决定", "关于印发《星海条例》的通知")
NUMBERS = (None, "演府〔2010〕1号", "演府〔2020〕2号")
DAYS = (None, "2010-01-01", "2015-01-01", "2020-01-01")
A_RELATION = st.builds(
    Relation,
    st.sampled_from((RelationKind.REPEALS, RelationKind.AMENDS, RelationKind.AMENDED_BY, RelationKind.FORWARDS)),
    st.sampled_from((*TITLES, "演示省人大" + TITLES[2])),
    st.just("演示原文"),
    st.sampled_from(NUMBERS),
    from_day=st.sampled_from([day(d) for d in DAYS]),
)


@st.composite
def texts(draw: st.DrawFn, name: str) -> Held:
    """A text that shares titles, numbers and works with others, and names them."""
    version, start = draw(st.sampled_from(DAYS)), draw(st.sampled_from(DAYS))
    made = held(
        name,
        draw(st.sampled_from(TITLES)),
        version,
        start,
        document_number=draw(st.sampled_from(NUMBERS)),
        nature=draw(st.sampled_from(("binding", "binding", "binding", "draft"))),
        relations=tuple(draw(st.lists(A_RELATION, max_size=3))),
    )
    basis = (Evidence("version_effective", "推定", Origin.DERIVED),)
    amended = replace(made.validity, amended=True, evidence=basis) if draw(st.booleans()) else made.validity
    return replace(made, validity=amended)


@given(st.data())
def test_what_is_worked_out_change_by_change_is_what_all_texts_together_say(data: st.DataObject) -> None:
    """Whatever is stored, replaced and removed in whatever order."""
    changing, finding, kept = RememberedSuccession(), RememberedResolver(), dict[str, Held]()
    for name in data.draw(st.lists(st.sampled_from([f"t{n}" for n in range(9)]), min_size=12, max_size=24)):
        if name in kept and data.draw(st.booleans()):
            del kept[name]
        else:
            kept[name] = data.draw(texts(name))
        order = data.draw(st.permutations(list(kept.values())))
        assert changing.validity(order) == succeed(order)
        now, anew = finding(order), RememberedResolver()(order)
        assert all(now(title, number) == anew(title, number) for title in TITLES for number in NUMBERS)


def test_removing_a_version_gives_back_the_other() -> None:
    assert succeed([OLD])["old"] == OLD.validity


def test_each_version_ends_with_the_next_not_with_the_last() -> None:
    newest = held("newest", "星河条例", "2030-01-01", "2030-03-01")
    known = succeed([newest, OLD, NEW])
    assert (known["old"].ended_by, known["new"].ended_by) == ("new", "newest")


NO_VERSIONS = [
    ("another title", held("b", "月亮条例", "2020-01-01", "2020-03-01")),
    ("another province", held("b", "星河条例", "2020-01-01", "2020-03-01", province="sd")),
    ("a draft", held("b", "星河条例", "2020-01-01", "2020-03-01", nature="draft")),
    ("a copy of the same day", held("b", "星河条例", "2010-01-01", "2010-03-01")),
    ("of unknown day", held("b", "星河条例", None)),
]


def test_a_draft_begins_on_no_day() -> None:
    known = succeed([held("b", "月亮条例", "2020-01-01", "2030-03-01", nature="draft")])["b"]
    assert (known.promulgated, known.effective) == (dt.date(2020, 1, 1), None)


@pytest.mark.parametrize(("remark", "other"), NO_VERSIONS, ids=[n[0] for n in NO_VERSIONS])
def test_what_is_no_newer_version(remark: str, other: Held) -> None:
    assert succeed([OLD, other])["old"].ends is None, remark


SAME_WORK = [
    ("state's name", "中华人民共和国星河条例"),
    ("trial mark", "星河条例（试行）"),
    ("revision mark", "星河条例（2010年修订）"),
    ("blanks", "星 河 条 例"),
]


@pytest.mark.parametrize(("remark", "title"), SAME_WORK, ids=[s[0] for s in SAME_WORK])
def test_titles_are_compared_in_their_normal_form(remark: str, title: str) -> None:
    assert succeed([replace(OLD, title=title), NEW])["old"].ended_by == "new", remark


def letter(name: str, title: str, version: str, issuer: str, *relations: Relation) -> Held:
    return held(name, title, version, version, level="规范性文件", issuer=issuer, relations=relations)


def test_plain_letters_do_not_replace_each_other() -> None:
    letters = [letter(str(year), "关于做好检修的通知", f"{year}-05-01", "星河局") for year in (2030, 2031)]
    assert all(known.ends is None for known in succeed(letters).values())


def test_notices_that_issue_the_same_rules_do() -> None:
    old = letter(
        "old", "关于印发《甲规则》、《乙规则》的通知", "2023-07-05", "星河局", issues("甲规则"), issues("乙规则")
    )
    new = letter(
        "new",
        "关于印发《甲规则》《乙规则》（修订稿）的通知",
        "2025-12-31",
        "星河局、月亮局",
        issues("甲规则"),
        issues("乙规则"),
    )
    one = letter("one", "关于印发《甲规则》的通知", "2026-12-31", "星河局", issues("甲规则"))
    known = succeed([old, new, one])
    assert (known["old"].ended_by, known["new"].ends) == ("new", None)


def test_rules_of_different_offices_are_different_works() -> None:
    ours = letter("ours", "检修办法", "2023-07-05", "星河局")
    theirs = letter("theirs", "检修办法", "2025-12-31", "月亮局")
    assert succeed([ours, theirs])["ours"].ends is None


def test_a_repeal_ends_its_target_with_its_own_words() -> None:
    repealer = held("law", "月亮法", "2020-01-01", "2020-06-01", relations=(repeals("星河条例"),))
    known = succeed([OLD, repealer])["old"]
    assert (known.ends, known.ended_as, known.ended_by) == (day("2020-06-01"), Status.REPEALED, "law")
    why = known.why("ends")
    assert why is not None and (why.words, why.origin) == ("《星河条例》同时废止", Origin.RELATION)


REPEALERS = [
    (
        "in force",
        held("r", "月亮法", "2020-01-01", "2020-06-01", relations=(repeals("星河条例"),)),
        "2020-06-01",
        Status.REPEALED,
    ),
    (
        "names a day",
        held("r", "月亮法", "2020-01-01", "2020-06-01", relations=(repeals("星河条例", from_day="2021-01-01"),)),
        "2021-01-01",
        Status.REPEALED,
    ),
    (
        "start unknown",
        held("r", "月亮法", "2020-01-01", relations=(repeals("星河条例"),)),
        "2020-01-01",
        Status.UNKNOWN,
    ),
    ("nothing known of it", held("r", "月亮法", None, relations=(repeals("星河条例"),)), None, None),
    (
        "a draft",
        held("r", "月亮法", "2020-01-01", "2020-06-01", nature="draft", relations=(repeals("星河条例"),)),
        None,
        None,
    ),
    (
        "an interpretation",
        held("r", "月亮法", "2020-01-01", "2020-06-01", nature="interpretation", relations=(repeals("星河条例"),)),
        None,
        None,
    ),
    ("of another title", held("r", "月亮法", "2020-01-01", "2020-06-01", relations=(repeals("太阳条例"),)), None, None),
    (
        "older than its target",
        held("r", "月亮法", "2000-01-01", "2000-06-01", relations=(repeals("星河条例"),)),
        None,
        None,
    ),
]


@pytest.mark.parametrize(("remark", "repealer", "ends", "status"), REPEALERS, ids=[r[0] for r in REPEALERS])
def test_when_a_repeal_takes_effect(remark: str, repealer: Held, ends: str | None, status: Status | None) -> None:
    known = succeed([OLD, repealer])["old"]
    assert (known.ends, known.ended_as) == (day(ends), status), remark


def test_an_end_of_unknown_day_leaves_the_text_to_be_checked() -> None:
    repealer = held("r", "月亮法", "2020-01-01", relations=(repeals("星河条例"),))
    known = succeed([OLD, repealer])["old"]
    assert known.on(dt.date(2019, 12, 31)) is Status.IN_FORCE
    assert known.on(dt.date(2020, 1, 1)) is Status.UNKNOWN
    assert known.on(dt.date(2020, 1, 1)).may_answer
    why = known.why("ends")
    assert why is not None and "待核" in why.words


def test_a_text_that_repeals_its_own_title_means_the_earlier_version() -> None:
    new = replace(NEW, relations=(repeals("星河条例"),))
    known = succeed([OLD, new])
    assert (known["old"].ended_as, known["old"].ends) == (Status.REPEALED, day("2020-03-01"))
    assert known["new"].ends is None


def test_an_amended_law_does_not_repeal_anew() -> None:
    """A law of 2000, amended in 2018, still carries its old repeal; a namesake made since then stands."""
    first = Validity(first_effective=day("2000-06-01"), version_effective=day("2018-12-29"), amended=True)
    law = Held("law", "月亮法", day("2018-12-29"), first, relations=(repeals("星河条例"),))
    before = held("before", "星河条例", "1990-01-01", "1990-01-01")
    known = succeed([law, OLD, before])
    assert known["old"].ends is None
    assert known["before"].ends == day("2000-06-01")


def test_a_number_decides_which_text_of_a_title_is_meant() -> None:
    first = replace(letter("first", "检修办法", "2015-01-01", "星河局"), document_number="星能〔2015〕1号")
    other = replace(letter("other", "检修办法", "2016-01-01", "月亮局"), document_number="月能〔2016〕2号")
    repealer = letter("r", "检修规定", "2020-01-01", "星河局", repeals("检修办法", "星能﹝2015﹞1号"))
    known = succeed([first, other, repealer])
    assert (known["first"].ended_by, known["other"].ends) == ("r", None)


def test_repealing_a_notice_repeals_the_rule_inside_it() -> None:
    rule = replace(letter("rule", "检修办法", "2015-01-01", "星河局"), document_number="星能〔2015〕1号")
    notice = replace(
        letter("notice", "关于印发《检修办法》的通知", "2015-01-01", "星河局", issues("检修办法")),
        document_number="星能〔2015〕1号",
    )
    by_number = letter(
        "r", "检修规定", "2020-01-01", "星河局", repeals("关于印发〈检修办法〉的通知", "星能〔2015〕1号")
    )
    known = succeed([rule, notice, by_number])
    assert known["rule"].ended_by == known["notice"].ended_by == "r"
    by_title = replace(by_number, relations=(repeals("关于印发〈检修办法〉的通知"),))
    assert succeed([replace(rule, document_number=None), by_title])["rule"].ended_by == "r"


def test_an_amending_decision_ends_the_version_it_amended() -> None:
    amends = Relation(RelationKind.AMENDS, "星河条例", "关于修改〈星河条例〉的决定")
    decision = held("d", "关于修改〈星河条例〉的决定", "2018-01-01", "2018-05-01", relations=(amends,))
    known = succeed([OLD, decision])["old"]
    assert (known.ends, known.ended_as) == (day("2018-05-01"), Status.AMENDED)
    by = Relation(RelationKind.AMENDED_BY, "关于修改〈星河条例〉的决定", "…修正", from_day=day("2018-01-01"))
    amended = replace(OLD, id="amended", relations=(by,), validity=replace(OLD.validity, amended=True))
    assert succeed([amended, decision])["amended"].ends is None


@pytest.mark.parametrize("organ", ["", "演示省人民代表大会常务委员会", "演示省人大常委会"])
def test_a_held_decision_dates_the_version_it_made(organ: str) -> None:
    by = Relation(RelationKind.AMENDED_BY, "关于修改〈星河条例〉的决定", "…修正", from_day=day("2018-01-01"))
    derived = (Evidence("version_effective", "2018年1月1日…修正", Origin.DERIVED),)
    validity = Validity(
        first_effective=day("2010-03-01"), version_effective=day("2018-01-01"), amended=True, evidence=derived
    )
    amended = Held("a", "星河条例", day("2018-01-01"), validity, relations=(by,))
    decision = held("d", f"{organ}关于修改〈星河条例〉的决定", "2018-01-01", "2018-05-01")
    known = succeed([amended, decision])["a"]
    assert known.version_effective == day("2018-05-01")
    why = known.why("version_effective")
    assert why is not None and why.origin is Origin.RELATION


def test_what_is_stated_wins_and_the_earliest_derived_end_counts() -> None:
    stated = replace(
        OLD.validity,
        ends=day("2025-01-01"),
        ended_as=Status.EXPIRED,
        evidence=(Evidence("ends", "valid_until=2024-12-31", Origin.MANIFEST),),
    )
    assert succeed([replace(OLD, validity=stated), NEW])["old"].ends == day("2025-01-01")
    own = replace(
        OLD.validity,
        ends=day("2015-03-01"),
        ended_as=Status.EXPIRED,
        evidence=(Evidence("ends", "有效期五年", Origin.TEXT),),
    )
    assert succeed([replace(OLD, validity=own), NEW])["old"].ended_as is Status.EXPIRED
    repealer = held("r", "月亮法", "2012-01-01", "2012-06-01", relations=(repeals("星河条例"),))
    assert succeed([OLD, NEW, repealer])["old"].ended_by == "r"


def test_a_code_repeals_a_row_of_laws_on_its_first_day() -> None:
    laws = [held(str(n), f"星河第{n}法", "2015-01-01", "2015-01-01") for n in range(10)]
    code = held("code", "星河法典", "2026-03-12", "2026-08-15", relations=tuple(repeals(law.title) for law in laws))
    known = succeed([*laws, code])
    assert {known[str(n)].on(dt.date(2026, 8, 14)) for n in range(10)} == {Status.IN_FORCE}
    assert {known[str(n)].on(dt.date(2026, 8, 15)) for n in range(10)} == {Status.REPEALED}


def test_a_text_stays_when_its_basis_is_repealed() -> None:
    base = Relation(RelationKind.BASED_ON, "星河条例", "根据《星河条例》")
    below = held("below", "星河细则", "2012-01-01", "2012-01-01", relations=(base,))
    repealer = held("r", "月亮法", "2020-01-01", "2020-06-01", relations=(repeals("星河条例"),))
    assert succeed([OLD, below, repealer])["below"].ends is None


def test_targets_are_resolved_newest_first() -> None:
    assert [h.id for h in RememberedResolver()([OLD, NEW])("中华人民共和国星河条例", None)] == ["new", "old"]
    assert RememberedResolver()([OLD, NEW])("没有的条例", None) == ()
    numbered = replace(OLD, document_number="国务院令第5号")
    assert [h.id for h in RememberedResolver()([numbered, NEW])("", "中华人民共和国国务院令第5号")] == ["old"]


TEXTS = [
    OLD,
    NEW,
    held("draft", "星河条例", "2025-01-01", "2025-01-01", nature="draft"),
    held("r", "月亮法", "2022-01-01", "2022-06-01", relations=(repeals("星河条例"),)),
    held("q", "太阳法", "2015-01-01", None, relations=(repeals("星河条例"),)),
]


@given(st.permutations(TEXTS), st.integers(0, len(TEXTS)))
def test_order_of_storing_does_not_matter_and_nothing_is_invented(library: list[Held], count: int) -> None:
    kept = library[:count]
    known = succeed(kept)
    assert known == succeed(sorted(kept, key=lambda h: h.id))
    assert set(known) == {h.id for h in kept}
    for validity in known.values():
        assert (validity.ends is None) == (validity.ended_as is None)
        assert validity.ended_by is None or validity.ended_by in known


def test_figures_on_the_corpus(shared: Path, read_statutes: tuple[Figures, list[Text], float]) -> None:
    figures, _ = succession(shared, read_statutes[1])
    for name, missed in (("superseded on", 0), ("superseded by", 0), ("repealed on", 1)):
        assert len(figures.exact[name].misses) <= missed, figures.exact[name].misses
    assert figures.share("ended though not superseded") == 1.0, figures.exact["ended though not superseded"].misses

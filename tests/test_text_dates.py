"""When a text was promulgated, when it and its version came into force, when it ends."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.eval_law import metadata
from nemo import rules as rule_data
from nemo.settings import load
from nemo.text.law.dates import read_validity
from nemo.text.law.history import history
from nemo.text.law.stated import LABELS
from nemo.text.structure.tree import structure
from nemo.text.words.days import days_of_name, plus_days, plus_months, plus_years, to_day
from nemo.text.words.flat import flatten
from nemo.types import Day, Evidence, Origin, Status, Validity


def day(text: str | None) -> Day | None:
    return dt.date.fromisoformat(text) if text else None


def law(clause: str, note: str = "", title: str = "星河发电管理办法") -> str:
    return f"{title}\n\n{note}\n\n第一条 为了让星河发电有序，制定本办法。\n\n第二条 星河电站归星河局管。\n\n第三条 {clause}\n"


def read(text: str, **known: object) -> Validity:
    return read_validity(text, (), known=known)


CLAUSES = [
    ("plain", "本办法自2031年4月1日起施行。", "2031-04-01"),
    ("full-width digits", "本办法自２０３１年４月１日起施行。", "2031-04-01"),
    ("Chinese numerals", "本办法自二〇三一年四月一日起施行。", "2031-04-01"),
    ("circle as zero", "本办法自二○三一年十二月三十一日起施行。", "2031-12-31"),
    ("a letter for a one", "本办法自2031年4月l日起施行。", "2031-04-01"),
    ("letters for ones", "本办法自2031年I2月3l日起施行。", "2031-12-31"),
    ("blanks in the date", "本办法自 2031 年 4 月 1 日起施行。", "2031-04-01"),
    ("broken over lines", "本办法自203\n1\n年\n4\n月\n1\n日起施行。", "2031-04-01"),
    ("broken over a page", "本办法自2031年4\f月1日起施行。", "2031-04-01"),
    ("hour zero", "本办法自2031年4月1日零时起施行。", "2031-04-01"),
    ("之日 after a date", "本办法自2031年4月1日之日起实施。", "2031-04-01"),
    ("从 instead of 自", "本办法从2031年4月1日起执行。", "2031-04-01"),
    ("explained by, then starts", "本办法由星河局负责解释，自2031年4月1日起施行。", "2031-04-01"),
    (
        "explained by several",
        "本办法由星河局、月亮局、太阳局会同有关部门负责解释，自2031年4月1日起施行。",
        "2031-04-01",
    ),
    ("adopted, then starts", "本办法经星河大会通过，自2031年4月1日起施行。", "2031-04-01"),
    ("formally", "本办法自2031年4月1日起正式施行。", "2031-04-01"),
    ("no subject at all", "自2031年4月1日起施行。", "2031-04-01"),
    ("a repeal follows", "本办法自2031年4月1日起施行。《星河旧办法》同时废止。", "2031-04-01"),
    (
        "two days, the second of others",
        "本办法自2031年4月1日起施行。老电站最迟应当自2032年4月1日起执行。",
        "2031-04-01",
    ),
    ("a term of something else", "获准的电站自2031年4月1日起执行新电价。", None),
    ("projects before the text", "本办法施行前开工的电站，自2031年4月1日起执行新电价。", None),
    ("a plan, not a clause", "2031年4月1日前，星河局应当建好系统。", None),
    ("a month alone: its first day", "本办法自2031年4月起施行。", "2031-04-01"),
    ("a month of bills", "本办法自2031年4月份电费结算起执行。", "2031-04-01"),
    ("a month as a plan", "自2031年4月起施行的系统由星河局建设。", None),
    ("impossible date", "本办法自2031年2月30日起施行。", None),
    ("on publication, day unknown", "本办法自公布之日起施行。", None),
    ("on issue", "本办法自印发之日起施行。", None),
    ("days after publication, day unknown", "本办法自发布之日起30日后施行。", None),
    ("at once", "本办法自即日起施行。", None),
    ("another text's start", "《月亮办法》自2031年4月1日起施行。", None),
    ("the prices below it", "经批准，自2031年4月1日起执行下列价格：", "2031-04-01"),
    ("a table below it", "为降低成本，决定自2031年4月1日起，燃气价格按照下表执行：", "2031-04-01"),
    ("a table that was named", "经审核，燃气价格如下表，自2031年4月1日起执行。", "2031-04-01"),
    ("an amount that is changed", "经研究，将上网电价调整为每千瓦时0.45元，自2031年4月1日起执行。", "2031-04-01"),
    ("an amount that somebody changed", "星河公司将上网电价调整为每千瓦时0.45元，自2031年4月1日起执行。", None),
    ("a body that starts to do something", "各站自2031年4月1日起应当报送运量，价格见下表：", None),
    ("a body that starts with prices below", "示例站自2031年4月1日起执行下列价格：", None),
    ("prices that start on two days", "经批准，自2031年4月1日起执行下列价格，自2032年4月1日起执行下列价格：", None),
    ("quoted from another text", "第三条改为：“本条例自2031年4月1日起施行。”请各站照办。", None),
]


@pytest.mark.parametrize(("remark", "clause", "expected"), CLAUSES, ids=[c[0] for c in CLAUSES])
def test_the_commencement_clause(remark: str, clause: str, expected: str | None) -> None:
    assert read(law(clause)).first_effective == day(expected), remark


PUBLICATION = [
    ("published in the note", "2030年5月6日 星河部令第7号公布", "本办法自公布之日起施行。", "2030-05-06"),
    ("issued in the note", "2030年5月6日 星河部发布", "本办法自发布之日起施行。", "2030-05-06"),
    ("days after", "2030年5月6日 星河部令第7号公布", "本办法自公布之日起30日后施行。", "2030-06-05"),
    ("Chinese days after", "2030年5月6日 星河部令第7号公布", "本办法自公布之日起三十日后施行。", "2030-06-05"),
    ("months after", "2030年5月31日 星河部令第7号公布", "本办法自公布之日起1个月后施行。", "2030-07-01"),
    ("working days need a calendar", "2030年5月6日 星河部令第7号公布", "本办法自公布之日起5个工作日后施行。", None),
    ("adopted is not published", "2030年5月6日 星河大会常务委员会第3次会议通过", "本办法自公布之日起施行。", None),
    ("on issue is not on publication", "2030年5月6日 星河部令第7号公布", "本办法自印发之日起施行。", None),
    ("issued in brackets under the title", "（2030年5月6日星河局印发）", "本办法自印发之日起施行。", "2030-05-06"),
    ("days after issue", "（2030年5月6日星河局印发）", "本办法自印发之日起30日后施行。", "2030-06-05"),
    (
        "issue and commencement in brackets",
        "（2030年5月6日星河局印发　自2030年6月1日起施行）",
        "星河局负责解释。",
        "2030-06-01",
    ),
    (
        "below the table of contents",
        "目　录\n第一章 总则\n第二章 附则\n（2030年5月6日星河大会通过　自2030年6月1日起施行）",
        "星河局负责解释。",
        "2030-06-01",
    ),
    ("cover of a standard", "国家星河局　2030-05-06发布　2030-11-06实施", "按时检修。", "2030-11-06"),
    ("cover of a standard, on lines", "2030-05-06 发布\n2030-11-06 实施", "按时检修。", "2030-11-06"),
    ("a cover no calendar holds", "2030-02-31发布　2030-13-06实施", "按时检修。", None),
    ("only the note says it", "2030年5月6日 星河部公布\n\n2030年6月1日 施行", "星河局负责解释。", "2030-06-01"),
    (
        "who publishes, note says when",
        "2030年5月6日 星河部公布\n\n2030年6月1日起施行",
        "本办法由星河部发布施行。",
        "2030-06-01",
    ),
    ("who publishes, that is when", "2030年5月6日 星河部公布", "本办法由星河部发布施行。", "2030-05-06"),
]


@pytest.mark.parametrize(("remark", "note", "clause", "expected"), PUBLICATION, ids=[c[0] for c in PUBLICATION])
def test_commencement_counted_from_publication(remark: str, note: str, clause: str, expected: str | None) -> None:
    assert read(law(clause, note)).first_effective == day(expected), remark


def test_the_rule_is_evidence_when_no_day_can_be_told() -> None:
    known = read(law("本办法自印发之日起施行，有效期5年。"))
    assert known.effective is None
    found = known.why("first_effective")
    assert found is not None and found.words == "自印发之日起施行"
    assert known.on(dt.date(2031, 1, 1)) is Status.UNKNOWN


def test_the_day_of_issue_under_the_title_is_the_day_of_promulgation() -> None:
    known = read(law("本办法自2030年7月1日起施行。", "（2030年5月6日星河局印发）"))
    evidence = known.why("promulgated")
    assert known.promulgated == dt.date(2030, 5, 6)
    assert evidence is not None and (evidence.words, evidence.origin) == ("2030年5月6日星河局印发", Origin.TEXT)


def test_a_revision_published_by_an_order_is_a_publication() -> None:
    note = "2020年5月6日 国务院令第1号公布\n2030年8月9日 国务院令第9号修订"
    known = read(law("本办法自公布之日起施行。", note))
    assert (known.promulgated, known.first_effective) == (dt.date(2030, 8, 9), dt.date(2030, 8, 9))
    partial = read(
        law("本办法自公布之日起施行。", note.replace("国务院令第9号", "《国务院关于修改部分行政法规的决定》"))
    )
    assert (partial.promulgated, partial.first_effective) == (dt.date(2020, 5, 6), dt.date(2020, 5, 6))


def test_a_headline_that_something_was_issued_is_no_note() -> None:
    assert not history("星河局印发办法\n\n2030年5月6日，星河局印发《星河办法》，请照办。\n")


def test_evidence_is_verbatim_with_its_place() -> None:
    text = law("本办法自203\n1 年4月1日起施行，有效期5年。", "2030年5月6日 星河部令第7号公布")
    for evidence in read(text).evidence:
        assert evidence.span is not None
        assert evidence.span.of(text) == evidence.words


VERSIONS = [
    ("never amended", "2030年5月6日 星河大会常务委员会第3次会议通过", "2030-07-01", "2030-07-01", Origin.TEXT, False),
    (
        "修正 keeps the old clause",
        "2020年5月6日 星河大会常务委员会第3次会议通过\n2030年8月9日 星河大会常务委员会第9次会议《关于修改〈星河发电管理办法〉的决定》修正",
        "2020-07-01",
        "2030-08-09",
        Origin.DERIVED,
        True,
    ),
    (
        "修订 writes it anew",
        "2020年5月6日 星河大会常务委员会第3次会议通过\n2030年8月9日 星河大会常务委员会第9次会议修订",
        "2031-01-01",
        "2031-01-01",
        Origin.TEXT,
        True,
    ),
    (
        "修订 by a decision is partial",
        "2020年5月6日 国务院令第1号公布\n2030年8月9日 《国务院关于修改部分行政法规的决定》第一次修订",
        "2020-07-01",
        "2030-08-09",
        Origin.DERIVED,
        True,
    ),
    (
        "adopted by a city, approved by a province",
        "2020年5月6日 星河市第一届人民代表大会常务委员会第3次会议通过\n"
        "2030年8月1日 星河市第二届人民代表大会常务委员会第3次会议通过并经2030年9月2日银河省第二届人民代表大会"
        "常务委员会第9次会议批准的《星河市人民代表大会常务委员会关于修改〈星河发电管理办法〉的决定》第一次修正",
        "2020-07-01",
        "2030-09-02",
        Origin.DERIVED,
        True,
    ),
    (
        "the note says when the amendment starts",
        "（2020年5月6日星河大会常务委员会第3次会议通过，根据2030年8月9日星河大会常务委员会第9次会议"
        "《关于修改〈星河发电管理办法〉的决定》修正，该修正自2030年12月1日起施行）",
        "2020-07-01",
        "2030-12-01",
        Origin.TEXT,
        True,
    ),
    (
        "a court adopts its interpretation again",
        "2020年5月6日 最高人民法院审判委员会第100次会议通过\n2030年8月9日 最高人民法院审判委员会第200次会议通过",
        "2020-07-01",
        "2030-08-09",
        Origin.DERIVED,
        True,
    ),
]


@pytest.mark.parametrize(
    ("remark", "note", "clause", "version", "origin", "amended"), VERSIONS, ids=[v[0] for v in VERSIONS]
)
def test_the_version_has_a_day_of_its_own(
    remark: str, note: str, clause: str, version: str, origin: Origin, amended: bool
) -> None:
    start = dt.date.fromisoformat(clause)
    known = read(law(f"本办法自{start.year}年{start.month}月{start.day}日起施行。", note))
    assert (known.first_effective, known.version_effective) == (start, day(version)), remark
    assert known.amended is amended
    basis = known.why("version_effective")
    assert basis is not None and basis.origin is origin


def test_an_order_dates_the_amendment_it_publishes() -> None:
    text = (
        "中华人民共和国主席令\n第九十九号\n《关于修改〈中华人民共和国星河法〉的决定》已由星河大会于2030年8月9日通过，"
        "现予公布，自2030年12月1日起施行。\n主席 李四\n2030年8月9日\n中华人民共和国星河法\n"
        "（2020年5月6日星河大会通过 根据2030年8月9日星河大会《关于修改〈中华人民共和国星河法〉的决定》修正）\n"
        "第一条 为了星河，制定本法。\n第二条 本法自2020年7月1日起施行。\n"
    )
    known = read(text)
    assert (known.first_effective, known.version_effective) == (dt.date(2020, 7, 1), dt.date(2030, 12, 1))


TERMS = [
    ("years from a day", "本办法自2031年4月1日起施行，有效期五年。", "2036-04-01"),
    ("为 and Arabic", "本办法自2031年4月1日起施行，有效期为3年。", "2034-04-01"),
    ("in a sentence of its own", "本办法自2031年4月1日起施行。有效期5年。", "2036-04-01"),
    ("until a day", "本办法自2031年4月1日起施行，有效期至2033年3月31日。", "2033-04-01"),
    ("from a day to a day", "本办法执行自2031年4月1日至2033年3月31日。", "2033-04-01"),
    ("trial years", "本办法自2031年4月1日起试行，试行期两年。", "2033-04-01"),
    ("trial months", "本办法自2031年4月1日起试行，试行期6个月。", "2031-10-01"),
    ("leap day", "本办法自2032年2月29日起施行，有效期1年。", "2033-03-01"),
    ("permits have terms too", "许可证有效期五年。本办法自2031年4月1日起施行。", None),
    ("permits until a day", "许可证有效期至2033年3月31日。本办法自2031年4月1日起施行。", None),
    ("no term", "本办法自2031年4月1日起施行。", None),
    ("the longest term there is", "本办法自2031年4月1日起施行，有效期50年。", "2081-04-01"),
    ("no term of a rule is so long: a slip of reading", "本办法自2031年4月1日起施行，有效期60年。", None),
]


@pytest.mark.parametrize(("remark", "clause", "expected"), TERMS, ids=[t[0] for t in TERMS])
def test_the_term_of_the_text_itself(remark: str, clause: str, expected: str | None) -> None:
    known = read(law(clause))
    assert known.ends == day(expected), remark
    assert known.ended_as is (Status.EXPIRED if expected else None)
    assert known.until == (f"有效至 {known.last_day}" if expected else "")


LETTER = (
    "星河局关于做好电站检修的通知\n星能〔2031〕5号\n\n各电站：\n\n为做好检修，现将有关事项通知如下。\n\n一、按时检修。\n\n"
    "{clause}\n\n星河省星河局\n2031年5月6日\n"
)


@pytest.mark.parametrize(
    ("clause", "ends"),
    [
        ("本通知自印发之日起施行，有效期3年。", "2034-05-06"),
        ("本通知自发布之日起30日后施行，有效期五年。", "2036-06-05"),
        ("本通知自印发之日起两个月后施行，试行两年。", "2033-07-06"),
    ],
)
def test_a_term_counted_from_the_day_of_signing_is_marked(clause: str, ends: str) -> None:
    known = read(LETTER.format(clause=clause))
    assert (known.promulgated, known.effective) == (dt.date(2031, 5, 6), None)
    assert known.ends == dt.date.fromisoformat(ends)
    assert known.ends_derived and known.until == f"推定有效至 {known.last_day}"


KIN = [
    ("本办法自2031年4月1日起暂定执行两年。", "2031-04-01", "2033-04-01"),
    ("本办法自2031年4月1日起暂执行两年。", "2031-04-01", "2033-04-01"),
    ("本办法自2031年4月1日起执行，执行期暂定一年。", "2031-04-01", "2032-04-01"),
    ("本办法自2031年4月1日起试行一年。", "2031-04-01", "2032-04-01"),
    ("本办法自2031年4月1日起施行，试行期为1年。", "2031-04-01", "2032-04-01"),
    ("本办法自2031年4月1日起施行，暂定执行至2033年底。", "2031-04-01", "2034-01-01"),
    ("本办法自2031年4月1日起施行，有效期至2033年底。", "2031-04-01", "2034-01-01"),
    ("本办法自2031年4月1日起施行，有效期至2033年12月底。", "2031-04-01", "2034-01-01"),
    ("本办法自2031年4月1日起施行，有效期至2033年6月。", "2031-04-01", "2033-07-01"),
    ("本办法自2031年4月1日起施行，有效期截至2033年6月30日。", "2031-04-01", "2033-07-01"),
    ("本办法自2031年4月1日起施行，有效期限至2033年6月30日。", "2031-04-01", "2033-07-01"),
    ("本办法自2031年4月1日起施行，2033年6月30日自行失效。", "2031-04-01", "2033-07-01"),
    ("本办法有效期为2031年4月1日至2033年6月30日。", "2031-04-01", "2033-07-01"),
    ("本办法有效期自2031年4月1日起至2033年6月30日止。", "2031-04-01", "2033-07-01"),
    ("本办法试行期自2031年4月1日至2033年6月30日。", "2031-04-01", "2033-07-01"),
    ("本办法自2031年4月1日起施行，有效期两年零六个月。", "2031-04-01", "2033-10-01"),
    ("本办法自2031年4月1日起施行，有效期18个月。", "2031-04-01", "2032-10-01"),
    ("本办法自2031年4月1日（含）起施行。", "2031-04-01", None),
    ("本办法自2031年4月1日抄见电量起执行。", "2031-04-01", None),
    ("本办法自2031年4月1日0时起执行。", "2031-04-01", None),
    ("上述电价自2031年4月1日起执行。", "2031-04-01", None),
    ("现将星河电站补贴政策调整如下，自2031年4月1日起执行至2033年3月31日。", "2031-04-01", "2033-04-01"),
    ("经研究，决定调整星河电价，自2031年4月1日起执行。", "2031-04-01", None),
    ("对决定调整星河电价的电站，其补贴自2031年4月1日起执行。", None, None),
    ("上述规定自2031年4月1日起暂定执行两年。", "2031-04-01", "2033-04-01"),
    ("以上政策自2031年4月1日起试行，试行至2032年3月31日。", "2031-04-01", "2032-04-01"),
    ("上述水电价格自2031年4月1日起执行。上述风电价格自2032年4月1日起执行。", None, None),
    ("本办法于2031年4月1日起施行，试运行三个月的电站除外。", "2031-04-01", None),
    ("本办法自2031年4月1日起施行，有效期自施行之日起五年。", "2031-04-01", "2036-04-01"),
    ("本办法自2031年4月1日至2033年3月31日试行。", "2031-04-01", "2033-04-01"),
    ("本办法自2031年4月1日起至2033年3月31日止执行。", "2031-04-01", "2033-04-01"),
    ("本办法自2031年4月1日起正式实施，暂定有效期3年。", "2031-04-01", "2034-04-01"),
    ("本办法自2031年4月1日起施行，期限五年。", "2031-04-01", "2036-04-01"),
    ("本办法自2031年4月1日起施行，有效期五年，有效期届满前六个月评估。", "2031-04-01", "2036-04-01"),
    ("本办法自2031年4月1日起施行，试点企业合同有效期三年。", "2031-04-01", None),
]
"""How administrations word a start and a term: clause, first day, first day after the last."""


@pytest.mark.parametrize(("clause", "start", "ends"), KIN, ids=[k[0] for k in KIN])
def test_the_kin_of_commencement_and_term(clause: str, start: str | None, ends: str | None) -> None:
    known = read(law(clause))
    assert (known.effective, known.ends) == (day(start), day(ends))


VERSIONS = [
    ("the day of a version that its note does not know", "2041-05-06", "2041-05-06", "2030-05-06", "2041-05-06", True),
    ("a day that is no version's", "2041-05-06", None, "2041-05-06", "2041-05-06", False),
    ("published a few days after its signing", "2030-05-16", "2030-05-16", "2030-05-16", "2030-05-16", False),
]
"""What a list states: effective day, version day; then first day, day of the version, whether it was amended."""


@pytest.mark.parametrize(
    ("remark", "effective", "version", "first", "start", "amended"), VERSIONS, ids=[v[0] for v in VERSIONS]
)
def test_the_stated_day_of_a_version_is_not_the_first(
    remark: str, effective: str, version: str | None, first: str, start: str, amended: bool
) -> None:
    text = law("本办法自公布之日起施行。", "2030年5月6日 星河部令第7号公布")
    known = read(text, effective_date=effective, version_date=version)
    assert (known.first_effective, known.effective, known.amended) == (day(first), day(start), amended), remark


COUNTED = [
    ("本办法自公布之日起满三十日施行。", "2030-06-05"),
    ("本办法自公布满30日后施行。", "2030-06-05"),
    ("本办法自公布之日起三十日后生效。", "2030-06-05"),
    ("本办法自公布次月1日起施行。", "2030-06-01"),
    ("本办法自公布之日次月1日起施行。", "2030-06-01"),
    ("本办法自公布之日的次月1日起实施。", "2030-06-01"),
    ("本办法自公布次月起执行。", "2030-06-01"),
    ("本办法自公布之日起次月执行。", "2030-06-01"),
    ("本办法自公布之日起满一个月施行。", "2030-06-06"),
    ("本办法公布后30日施行。", "2030-06-05"),
    ("本办法自公布之日后第30日起施行。", "2030-06-05"),
    ("本办法自公布次日起施行。", "2030-05-07"),
    ("本办法自公布后次年1月1日起施行。", "2031-01-01"),
    ("本办法自公布之日起第30日施行。", "2030-06-05"),
    ("本办法自公布之日起1年后施行。", "2031-05-06"),
    ("本办法自公布之日起实行。", "2030-05-06"),
]


@pytest.mark.parametrize(("clause", "start"), COUNTED, ids=[c[0] for c in COUNTED])
def test_a_start_counted_from_the_day_of_publication(clause: str, start: str) -> None:
    known = read(law(clause, "2030年5月6日 星河部令第7号公布"))
    first = dt.date.fromisoformat(start)
    assert known.effective == first
    assert known.on(first - dt.timedelta(1)) is Status.PENDING
    assert known.on(first) is Status.IN_FORCE


SIGNED_TERMS = [
    ("本通知自印发次月1日起施行，有效期3年。", "2034-06-01"),
    ("本通知自印发之日起施行两年。", "2033-05-06"),
    ("本通知自印发之日起试行一年。", "2032-05-06"),
    ("本通知自印发之日起执行，暂定两年。", "2033-05-06"),
    ("本通知自印发之日起施行，有效期至2033年12月31日。", "2034-01-01"),
    ("本通知自下发之日起执行，试行期一年。", "2032-05-06"),
    ("本通知有效期自印发之日起两年。", "2033-05-06"),
    ("本通知自印发之日起两年内有效。", "2033-05-06"),
    ("本通知自发布之日起满三十日施行，有效期五年。", "2036-06-05"),
]


@pytest.mark.parametrize(("clause", "ends"), SIGNED_TERMS, ids=[c[0] for c in SIGNED_TERMS])
def test_the_term_of_a_letter_ends_on_a_day_though_its_start_is_open(clause: str, ends: str) -> None:
    known, last = read(LETTER.format(clause=clause)), dt.date.fromisoformat(ends)
    assert (known.effective, known.ends) == (None, last)
    assert known.on(last - dt.timedelta(1)) is Status.UNKNOWN
    surely = last if "至2033" in clause else known.ends_certain
    assert surely is not None and known.on(surely) is Status.EXPIRED
    if (
        surely > last
    ):  # counted from an issue that may have followed the signing: as long as that is open, so is the end
        assert (surely - last).days in (40, 41)
        assert (known.on(last), known.on(surely - dt.timedelta(1))) == (Status.UNKNOWN, Status.UNKNOWN)


LABELLED = [
    ("执行时间：2031年4月1日-2031年4月30日", "2031-04-01", "2031-05-01"),
    ("（执行时间：2031年4月1日至30日）", "2031-04-01", "2031-05-01"),
    ("（执行时间：2031年4月）", "2031-04-01", "2031-05-01"),
    ("执行时间：2031年4月1日起", "2031-04-01", None),
    ("执行时间：2031年4月1日起    单位：元/千瓦时", "2031-04-01", None),
    ("合同执行时间：2031年4月1日至2031年4月30日", None, None),
]


@pytest.mark.parametrize(("line", "start", "ends"), LABELLED, ids=[c[0] for c in LABELLED])
def test_the_days_of_a_price_table(line: str, start: str | None, ends: str | None) -> None:
    known = read(f"星河电网代理购电价格表\n{line}\n分类 | 价格\n一般工商业 | 0.5\n注：其他电压等级另行公布。\n")
    assert (known.effective, known.ends) == (day(start), day(ends))


CARD = "索引号：000/2031-1\n发布日期：2031-05-20\n"


@pytest.mark.parametrize(
    ("clause", "signed", "start"),
    [
        ("本办法自发布之日起30日后施行。", "", "2031-06-19"),
        ("本办法自公布之日起施行。", "国家能源局\n2031年5月6日\n", "2031-05-20"),
        ("本办法自公布之日起施行。", "国家能源局\n2029年5月6日\n", None),
        ("本办法自印发之日起30日后施行。", "", None),
        ("本办法自2031年7月1日起施行。", "", "2031-07-01"),
    ],
    ids=[
        "no other day",
        "put up within the time for it",
        "put up anew",
        "issue is not publication",
        "a day of its own",
    ],
)
def test_the_day_of_publication_on_an_index_card(clause: str, signed: str, start: str | None) -> None:
    known = read_validity(law(clause) + signed, (), letter=CARD)
    assert known.first_effective == day(start)
    assert known.derived == (start is not None and "之日起" in clause)


@pytest.mark.parametrize(
    ("remark", "rule", "notice", "start"),
    [
        ("the notice names the day", "本办法自发布之日起施行。", "现予印发，自2031年3月1日起施行，请遵照执行。", "2031-03-01"),
        ("the rule names another", "本办法自2031年7月1日起施行。", "现予印发，自2031年3月1日起施行。", "2031-07-01"),
        ("neither names one", "本办法自发布之日起施行。", "现予印发，请遵照执行。", None),
    ],
)  # fmt: skip
def test_a_notice_that_names_the_day_goes_before_a_rule_that_leaves_it_to_its_issue(
    remark: str, rule: str, notice: str, start: str | None
) -> None:
    letter = f"关于印发《演示办法》的通知\n演能〔2031〕7号\n各单位：\n《演示办法》{notice}\n演示局\n2031年2月28日\n"
    known = read_validity(law(rule), (), letter=letter)
    assert known.first_effective == day(start), remark


TOLD = [
    ("a table of the text's own", "发文单位 | 星河局\n文号 | 星能〔2031〕5号\n生效日期 | 2031-06-01\n有效期至 | 2034-05-31\n", "2031-06-01", "2034-06-01"),
    ("one fact is no table of facts", "生效日期 | 2031-06-01\n", None, None),
    ("the head of a list of other texts", "序号 | 名称 | 文号 | 发布日期 | 实施日期\n1 | 甲办法 | 星能〔2031〕5号 | 2031-05-01 | 2031-06-01\n", None, None),
    ("how long a draft may be spoken to", "发文单位 | 星河局\n文号 | 星能〔2031〕5号\n成文日期 | 2031-05-02\n截止日期 | 2031-06-30\n", None, None),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "table", "start", "ends"), TOLD, ids=[row[0] for row in TOLD])
def test_the_days_of_a_table_of_facts(remark: str, table: str, start: str | None, ends: str | None) -> None:
    found = read(law("星河局负责解释。") + table)
    assert (found.effective, found.ends) == (day(start), day(ends)), remark


def test_the_clauses_of_a_text_win_over_a_table_of_facts() -> None:
    found = read(law("本办法自2031年7月1日起施行。") + TOLD[0][1])
    assert found.effective == dt.date(2031, 7, 1)


def test_the_term_of_a_text_that_is_quoted_is_not_that_of_the_letter() -> None:
    letter = "星河局关于修改星河办法的通知\n各站：\n第九条修改为：“本办法自2031年5月1日起施行，有效期延长至2036年4月30日。”\n本通知自2034年9月1日起施行。\n"
    found = read(letter)
    assert (found.effective, found.ends) == (dt.date(2034, 9, 1), None)


@pytest.mark.parametrize("line", ["〔2033〕第5期　　2033年6月30日", "第5次　2033年6月30日"])
def test_the_day_beside_the_number_of_an_issue(line: str) -> None:
    minutes = (
        f"星河局会议纪要\n{line}\n关于研究检修有关事项的会议纪要\n会议研究了检修工作，议定如下。\n一、按时检修。\n"
    )
    assert read(minutes).promulgated == dt.date(2033, 6, 30)


def test_the_day_of_signing_is_never_taken_for_commencement() -> None:
    known = read(LETTER.format(clause="本通知自发布之日起30日后施行。"), promulgated="2031-05-06")
    assert known.effective is None
    assert known.promulgated == dt.date(2031, 5, 6)


def test_a_text_is_pending_before_it_was_promulgated() -> None:
    known = read(LETTER.format(clause="请遵照执行。"))
    assert known.on(dt.date(2030, 1, 1)) is Status.PENDING
    assert known.on(dt.date(2032, 1, 1)) is Status.UNKNOWN


ISSUED = [
    ("the rule by its title", "《星河发电规则》自2032年1月1日起执行。", "2032-01-01"),
    ("the rule by its short name", "《规则》自2032年1月1日起执行。", "2032-01-01"),
    ("the new version of it", "新版《规则》自2032年1月1日起正式施行。", "2032-01-01"),
    ("some clauses of it", "现予印发，相关条款自2032年1月1日起在星河电网实施。", "2032-01-01"),
    (
        "different days for different plants",
        "其中水电相关条款自2032年1月1日起执行；风电相关条款自2032年2月1日起执行。",
        None,
    ),
]


@pytest.mark.parametrize(("remark", "clause", "expected"), ISSUED, ids=[i[0] for i in ISSUED])
def test_a_notice_starts_the_rule_it_issues(remark: str, clause: str, expected: str | None) -> None:
    text = (
        "关于印发《星河发电规则》的通知\n星能〔2031〕5号\n\n各电站：\n\n我局制定了《星河发电规则》（以下简称《规则》），请照办。\n\n"
        f"一、{clause}\n\n星河省星河局\n2031年5月6日\n"
    )
    assert read(text).first_effective == day(expected), remark


def test_articles_may_start_on_days_of_their_own() -> None:
    text = law("本办法自2031年4月1日起施行，第一条、第二条自2032年1月1日起施行。")
    known = read_validity(text, structure(text).provisions)
    assert [(s.labels, s.effective) for s in known.scopes] == [(("1", "2"), dt.date(2032, 1, 1))]
    assert known.on(dt.date(2031, 6, 1), "2") is Status.PENDING
    assert known.on(dt.date(2031, 6, 1), "3-1") is Status.IN_FORCE
    assert known.scopes[0].evidence.words == "第一条、第二条自2032年1月1日起施行"


def test_a_run_of_articles_and_a_chapter_may_start_apart() -> None:
    text = (
        "星河法\n\n第一章 总则\n\n第一条 为了星河，制定本法。\n\n第二条 星河归众人。\n\n第二章 发电\n\n第三条 发电要稳。\n\n"
        "第四条 用电要省。\n\n第三章 附则\n\n第五条 本法自2031年4月1日起施行，第一条至第三条自2032年1月1日起施行，"
        "第二章自2033年1月1日起施行。\n"
    )
    known = read_validity(text, structure(text).provisions)
    assert [s.labels for s in known.scopes] == [("1", "2", "3"), ("3", "4")]
    assert known.first_effective == dt.date(2031, 4, 1)


APART = """星河并网办法

2030年5月20日 星河部令第7号公布

第一章 总则

第一条 为了星河，制定本办法。

第二章 并网

第二条 申请人应当提交材料。

电网企业应当答复。

第三条 电网企业应当做好下列工作：
（一）核对材料；
（二）安装仪表。

第三章 附则

第四条 {clause}
"""

PARTS = [
    ("the rest after a semicolon", "本办法第三条自2032年1月1日起施行；其他条款自2031年4月1日起施行。", "2031-04-01", "3=2032-01-01"),
    ("exception first", "除第三条自2032年1月1日起施行外，其余条款自2031年4月1日起施行。", "2031-04-01", "3=2032-01-01"),
    ("self-name, exception, rest", "本办法除第二条、第三条自2032年1月1日起施行外，自2031年4月1日起施行。", "2031-04-01", "2,3=2032-01-01"),
    ("the rest on publication", "第一条、第三条自2032年1月1日起施行，其余条款自公布之日起施行。", "2030-05-20", "1,3=2032-01-01"),
    ("the rest of the articles", "第一条、第三条自2032年1月1日起施行，其余各条自2031年4月1日起施行。", "2031-04-01", "1,3=2032-01-01"),
    ("a chapter, then the rest", "本办法第二章的规定自2032年1月1日起施行，其他规定自2031年4月1日起施行。", "2031-04-01", "2,3=2032-01-01"),
    ("but", "本办法自2031年4月1日起施行，但第三条自2032年1月1日起施行。", "2031-04-01", "3=2032-01-01"),
    ("one paragraph of an article", "本办法自2031年4月1日起施行，第二条第二款自2032年1月1日起施行。", "2031-04-01", "2-2=2032-01-01"),
    ("one item of an article", "本办法自2031年4月1日起施行，第三条第（二）项自2032年1月1日起施行。", "2031-04-01", "3-1-2=2032-01-01"),
    ("counted from publication", "本办法自2031年4月1日起施行，第三条自公布之日起30日后施行。", "2031-04-01", "3=2030-06-19"),
    ("every article in a part", "第一章、第三章自公布之日起施行，第二章自2032年1月1日起施行。", "2030-05-20", "1,4=2030-05-20;2,3=2032-01-01"),
    ("not every article in a part", "第一章自公布之日起施行，第二章自2032年1月1日起施行。", None, "1=2030-05-20;2,3=2032-01-01"),
    ("left out, no day", "除第三条外，本办法自2031年4月1日起施行。", "2031-04-01", "3=?"),
    ("left out in brackets", "本办法（第三条除外）自2031年4月1日起施行。", "2031-04-01", "3=?"),
    ("to be told later", "本办法自2031年4月1日起施行，第三条的施行日期由星河部另行公布。", "2031-04-01", "3=?"),
    ("left out here, dated there", "本办法（第三条除外）自2031年4月1日起施行，第三条自2032年1月1日起施行。", "2031-04-01", "3=2032-01-01"),
    ("its own number is no scope", "自2031年4月1日起施行。", "2031-04-01", ""),
    ("a rule it leans on is no scope", "违反本办法第三条，自2032年1月1日起执行新罚则。本办法自2031年4月1日起施行。", "2031-04-01", ""),
    ("an exception of substance is no scope", "除第三条规定的工作外，电站还应当检修。本办法自2031年4月1日起施行。", "2031-04-01", ""),
    ("the rest of the plants is not the text", "第三条的电站之外，其余电站自2032年1月1日起执行新电价。", None, ""),
]  # fmt: skip


WITH_BLANKS = [("spaces kept", " ", p) for p in PARTS]
WITHOUT = [("spaces lost", "", p) for p in PARTS if not p[1].startswith("第")]
"""Without a space 第四条第一章 reads as a reference, so such an article is not found."""


@pytest.mark.parametrize(("blanks", "blank", "part"), WITH_BLANKS + WITHOUT)
def test_parts_that_start_apart(blanks: str, blank: str, part: tuple[str, str, str | None, str]) -> None:
    remark, clause, first, parts = part
    text = APART.format(clause=clause).replace("条 ", f"条{blank}")
    known = read_validity(text, structure(text).provisions)
    assert known.first_effective == day(first), remark
    got = [f"{','.join(s.labels)}={s.effective.isoformat() if s.effective else '?'}" for s in known.scopes]
    assert ";".join(got) == parts, f"{remark}, {blanks}"
    for evidence in (*known.evidence, *(s.evidence for s in known.scopes)):
        assert evidence.span is not None and evidence.span.of(text) == evidence.words


def test_a_part_has_a_status_of_its_own() -> None:
    text = APART.format(
        clause="本办法自2031年4月1日起施行，第二条第二款自2032年1月1日起施行，第三条的施行日期另行公布。"
    )
    known = read_validity(text, structure(text).provisions)
    when = dt.date(2031, 6, 1)
    got = {label: known.on(when, label) for label in ("1", "2", "2-1", "2-2", "3", "3-1-1")}
    assert got == {
        "1": Status.IN_FORCE,
        "2": Status.UNKNOWN,  # its two paragraphs do not agree
        "2-1": Status.IN_FORCE,
        "2-2": Status.PENDING,
        "3": Status.UNKNOWN,
        "3-1-1": Status.UNKNOWN,
    }
    assert known.on(dt.date(2032, 6, 1), "2") is Status.IN_FORCE


WHY = [
    ("in force by its clause", "本办法自2031年4月1日起施行。", "1", "自2031年4月1日起施行"),
    ("a part by its own", "本办法自2031年4月1日起施行，第三条自2031年5月1日起施行。", "3-1", "第三条自2031年5月1日起施行"),
    ("a rule that leads nowhere", "本办法自印发之日起施行。", "1", "自印发之日起施行（文中没有写明这一日期，公布或成文日期 2030-05-20）"),
    ("no clause", "请照办。", "1", "文中没有写明施行日期，公布或成文日期 2030-05-20"),
    ("left out", "除第三条外，本办法自2031年4月1日起施行。", "3", "除第三条外（施行日期未定，或各款不一）"),
    ("parts disagree", "本办法自2031年4月1日起施行，第二条第二款自2040年1月1日起施行。", "2", "第二条第二款自2040年1月1日起施行（施行日期未定，或各款不一）"),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "clause", "label", "words"), WHY, ids=[w[0] for w in WHY])
def test_a_status_says_what_it_rests_on(remark: str, clause: str, label: str, words: str) -> None:
    text = APART.format(clause=clause)
    assert read_validity(text, structure(text).provisions).proof(dt.date(2035, 1, 1), label) == words, remark


def test_an_amended_text_keeps_no_start_before_its_version() -> None:
    text = APART.replace(
        "2030年5月20日 星河部令第7号公布",
        "（2030年5月20日星河大会通过 根据2034年1月1日星河大会《关于修改〈星河并网办法〉的决定》修正）",
    ).format(clause="本办法自2031年4月1日起施行，第三条自2032年1月1日起施行。")
    known = read_validity(text, structure(text).provisions)
    assert known.start_of("3") == known.start_of("1") == dt.date(2034, 1, 1)


KNOWN = [
    ("nothing known", {}, "2031-04-01", "2031-04-01", None),
    ("commencement known", {"effective_date": "2031-05-01"}, "2031-05-01", "2031-05-01", None),
    ("version known", {"in_force_from": "2033-01-01"}, "2031-04-01", "2033-01-01", None),
    ("both known", {"effective_date": "2031-04-02", "in_force_from": "2033-01-01"}, "2031-04-02", "2033-01-01", None),
    ("a later version than the note tells", {"version_date": "2033-02-02"}, "2031-04-01", "2033-02-02", None),
    ("last day known", {"valid_until": "2035-12-31"}, "2031-04-01", "2031-04-01", "2036-01-01"),
    (
        "superseded",
        {"superseded_on": "2034-01-01", "superseded_by": "新星河办法"},
        "2031-04-01",
        "2031-04-01",
        "2034-01-01",
    ),
    (
        "repealed before it expires",
        {"repealed_on": "2034-01-01", "valid_until": "2035-12-31"},
        "2031-04-01",
        "2031-04-01",
        "2034-01-01",
    ),
]


@pytest.mark.parametrize(("remark", "known", "first", "version", "ends"), KNOWN, ids=[k[0] for k in KNOWN])
def test_what_is_known_wins_and_both_readings_stay(
    remark: str, known: dict[str, object], first: str, version: str, ends: str | None
) -> None:
    validity = read(law("本办法自2031年4月1日起施行。"), **known)
    assert (validity.first_effective, validity.version_effective, validity.ends) == (
        day(first),
        day(version),
        day(ends),
    )
    words = [e.words for e in validity.evidence]
    assert "自2031年4月1日起施行" in words, remark
    for name, value in known.items():
        assert name == "superseded_by" or f"清单所载：{LABELS[name]} {value}" in words
    agreed = {"effective_date": "2031-04-01"} if "effective_date" not in known else {}
    why = read(law("本办法自2031年4月1日起施行。"), **known, **agreed).why("first_effective")
    assert why is not None and why.words.startswith("自2031" if agreed else "清单所载"), (
        "the text's words where both agree"
    )
    stated = {(e.field, e.value) for e in validity.evidence if e.origin is Origin.MANIFEST}
    assert stated == {(n, v) for n, v in known.items() if n not in ("superseded_by", "version_date")}


def test_a_known_day_of_an_amended_text_is_that_of_its_version() -> None:
    note = "2020年5月6日 星河大会通过\n2030年8月9日 星河大会《关于修改〈星河发电管理办法〉的决定》修正"
    known = read(law("本办法自2020年7月1日起施行。", note), effective_date="2030-12-01")
    assert (known.first_effective, known.version_effective) == (dt.date(2020, 7, 1), dt.date(2030, 12, 1))


def test_the_history_keeps_the_decisions() -> None:
    text = law(
        "本办法自2020年7月1日起施行。",
        "2020年5月6日 星河省第一届人民代表大会常务委员会第3次会议通过\n"
        "2028年1月2日 星河省第二届人民代表大会常务委员会第4次会议关于修改《星河发电管理办法》等五件地方性法规的决定第一次修正 根据\n"
        "2030年8月9日 星河省第二届人民代表大会常务委员会第9次会议《关于修改〈星河旧规〉的决定》第二次修正",
    )
    assert [(e.kind.value, e.day.isoformat(), e.decision) for e in history(text)] == [
        ("通过", "2020-05-06", None),
        ("修正", "2028-01-02", "关于修改《星河发电管理办法》等五件地方性法规的决定"),
        ("修正", "2030-08-09", "关于修改〈星河旧规〉的决定"),
    ]


@given(st.text(alphabet="第一二条本办法自20319年月日起施行，。《》（）\n \f公布之有效期", max_size=200))
def test_any_text_is_read_and_every_word_is_verbatim(text: str) -> None:
    for evidence in read(text).evidence:
        assert evidence.span is not None and evidence.span.of(text) == evidence.words


@given(st.text(max_size=80), st.integers(0, 79), st.integers(1, 80))
def test_the_flat_form_finds_its_way_back(text: str, start: int, size: int) -> None:
    flat = flatten(text)
    end = min(len(flat.text), start + size)
    if start < end:
        back = flatten(flat.span(start, end).of(text)).text
        assert back == flat.text[start:end]


@given(st.dates(), st.one_of(st.integers(0, 60), st.integers(0, 10**9)))
def test_sums_of_days_never_fall_short_nor_leave_the_calendar(start: Day, count: int) -> None:
    assert plus_years(start, count) >= plus_days(start, 365 * count)
    assert plus_months(start, count) >= plus_days(start, 28 * count) >= start


def test_days_in_words_and_names() -> None:
    assert to_day("二〇三一年十二月卅一日") is None or to_day("二〇三一年十二月三十一日") == dt.date(2031, 12, 31)
    assert days_of_name("星河法(2018-12-29).docx") == [dt.date(2018, 12, 29)]
    assert days_of_name("星河条例_2022-11-23_2023-01-01.docx") == [dt.date(2022, 11, 23), dt.date(2023, 1, 1)]
    assert days_of_name("星河法-20181399.md") == []


def test_figures_on_real_statutes(shared) -> None:
    figures = metadata(shared, rule_data.load(load().rules))
    assert figures.share("effective_date") >= 0.98, figures.exact["effective_date"].misses
    assert figures.share("title") >= 0.99, figures.exact["title"].misses
    for name in ("repeals", "based_on", "amends", "implements", "amendments"):
        assert figures.share(name) >= 0.97, figures.sets[name].misses
    assert figures.share("version kind") >= 0.95, figures.exact["version kind"].misses


@pytest.mark.parametrize(
    ("remark", "day", "status"),
    [
        ("before the adoption", "2024-05-01", Status.PENDING),
        ("adopted, the start is not stated", "2024-07-01", Status.UNKNOWN),
        ("a year later no amendment is still waiting", "2025-07-01", Status.IN_FORCE),
    ],
)
def test_a_derived_start_is_a_range_and_said_so(remark: str, day: str, status: Status) -> None:
    words = Evidence("version_effective", "2024年6月28日修正", Origin.DERIVED)
    amended = Validity(None, dt.date(2000, 7, 1), dt.date(2024, 6, 28), evidence=(words,), amended=True)
    assert amended.derived and amended.certain_from == dt.date(2025, 6, 28), remark
    assert amended.on(dt.date.fromisoformat(day)) is status, remark
    assert "推定" in amended.began

"""A covering notice and the rule it encloses, in one file."""

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.law_tally import rows
from nemo import rules as rule_data
from nemo.ingest.assemble import regulations_in
from nemo.ingest.manifest import KnownFacts
from nemo.settings import load
from nemo.text.facts.description import describe
from nemo.text.law.references import relations
from nemo.text.letter.enclosed import split_enclosed
from nemo.text.structure.tree import structure
from nemo.types import Page, ParsedDocument, RawDocument, RelationKind, Span

NOTICE = (
    "星河省能源局关于印发《星河发电管理办法》的通知\n星能〔2031〕5号\n\n各电站：\n\n我局制定了《星河发电管理办法》，现印发给你们，请遵照执行。\n\n"
    "星河省能源局\n2031年5月6日\n\n（主动公开）\n\n"
)
ARTICLES = "".join(
    f"第{n}条 星河电站应当按时检修，检修时要停机、验电、挂牌，并向星河省能源局报告检修的结果和用去的时间。\n\n"
    for n in "一二三四五六"
)
RULE = f"星河发电\n管理办法\n\n第一章 总则\n\n{ARTICLES}第七条 本办法自2031年7月1日起施行，有效期5年。\n"
OTHER = "月亮省能源局关于做好验电的通知\n月能〔2031〕8号\n各电厂：\n一、电厂应当每月验电一次，停运的除外。\n二、电厂应当作记录。\n月亮省能源局\n2031年6月7日\n"
READ = "《星河发电管理办法》政策解读\n一、背景\n近年来星河电站增多，检修不及时的情况时有发生，需要统一规则，便于各地执行。\n二、内容\n《办法》明确了检修的时间和步骤，电站今后只要照着做就可以了。\n"


def parsed(text: str) -> ParsedDocument:
    pages, start = [], 0
    for number, sheet in enumerate(text.split("\f"), 1):
        pages.append(Page(number, str(number), Span(start, start + len(sheet))))
        start += len(sheet) + 1
    return ParsedDocument(text, tuple(pages) if len(pages) > 1 else (), "plain", margin=("抄送：星河厅",))


SPLIT = [
    ("notice and rule", NOTICE + RULE, 2),
    ("attachment heading between", f"{NOTICE}附件\n\n{RULE}", 2),
    ("numbered attachment", f"{NOTICE}附件1：\n\n{RULE}", 2),
    ("list of attachments first", f"{NOTICE}附件：1.星河发电管理办法\n2.检修表\n\n{RULE}", 2),
    ("issued without marks", NOTICE.replace("《星河发电管理办法》的通知", "星河发电管理办法的通知") + RULE, 2),
    (
        "titled only in the body",
        "星能〔2031〕5号\n\n各站：\n\n《星河发电管理办法》已经同意，现印发给你们，请执行。\n\n星河省能源局\n2031年5月6日\n\n"
        + RULE,
        2,
    ),
    (
        "outline instead of articles",
        NOTICE
        + "星河发电管理办法\n\n一、总则\n\n"
        + "星河电站要按时检修。" * 20
        + "\n\n二、检修\n\n"
        + "检修要细。" * 20,
        2,
    ),
    (
        "order",
        "星河部令\n第12号\n\n《星河发电管理办法》已经通过，现予公布，自2031年7月1日起施行。\n\n部长：李四\n2031年5月6日\n\n"
        + RULE,
        2,
    ),
    ("rule alone", RULE, 1),
    ("notice alone", NOTICE, 1),
    ("attachment only named", NOTICE + "附件：星河发电管理办法\n", 1),
    ("another title follows", NOTICE + RULE.replace("星河发电", "月亮用电"), 1),
    (
        "a plain notice with an annex",
        NOTICE.replace("印发《星河发电管理办法》", "做好检修").replace("现印发给你们", "请看附件") + RULE,
        1,
    ),
    ("too short to be a rule", NOTICE + "星河发电管理办法\n\n第一条 检修。\n", 1),
    ("a short rule that the notice issues", NOTICE + "星河发电管理办法\n\n第一条 检修。\n第二条 挂牌。\n", 2),
    (
        "a short text that the notice only carries",
        NOTICE.replace("印发《星河发电管理办法》", "做好检修").replace("现印发给你们", "请看附件")
        + "附件：检修要点规定\n附件\n检修要点规定\n\n一、检修。\n二、挂牌。\n",
        1,
    ),
    (
        "two rules in one row",
        NOTICE.replace("《星河发电管理办法》的通知", "两项办法的通知").replace(
            "制定了《星河发电管理办法》，现印发", "审议了两项办法，现将《星河发电管理办法》和《星河用电管理办法》印发"
        )
        + RULE
        + RULE.replace("发电", "用电"),
        3,
    ),
    ("two letters one behind the other", NOTICE + OTHER, 2),
    ("a notice, its rule and another letter", NOTICE + RULE + OTHER, 3),
    ("a letter that only names another's number", NOTICE + "月能〔2031〕8号\n已经废止。\n", 1),
    ("a letter behind it that nobody signed", NOTICE + OTHER.partition("月亮省能源局\n2031")[0], 1),
    (
        "an announcement behind it",
        NOTICE + OTHER.replace("各电厂：\n", "").replace("月能〔2031〕8号", "2031年第8号").replace("通知", "公告"),
        2,
    ),
    ("a rule and what interprets it", NOTICE + RULE + READ, 3),
    ("a notice and what interprets it", NOTICE + READ.replace("《星河发电管理办法》政策", "部门"), 2),
    ("the heading of a list of links", NOTICE + RULE + "政策解读\n一图读懂\n", 2),
    ("no signature", NOTICE.replace("星河省能源局\n2031年5月6日\n", "") + RULE, 1),
]


@pytest.mark.parametrize(("remark", "text", "count"), SPLIT, ids=[s[0] for s in SPLIT])
def test_parts_are_slices_in_order(remark: str, text: str, count: int) -> None:
    parts = split_enclosed(parsed(text))
    assert len(parts) == count, remark
    assert "".join(part.text for part in parts) == text


COLLECTION = f"星河规则汇编\n\n目录\n\n星河发电管理办法……1\n\n{RULE}\n{RULE.replace('发电', '用电')}"
COLLECTIONS = [
    ("two rules under their titles", COLLECTION, ["星河发电管理办法", "星河用电管理办法"]),
    ("articles without a title of their own", COLLECTION.replace("星河用电\n管理办法", "附 则"), []),
    ("the same title twice", RULE + RULE, []),
    ("an annex of the first rule", COLLECTION.replace("星河用电\n", "附件\n星河用电\n"), []),
    ("a contract behind a rule", COLLECTION.replace("星河用电\n管理办法", "星河用电\n合同示范文本"), []),
]


@pytest.mark.parametrize(("remark", "text", "titles"), COLLECTIONS, ids=[row[0] for row in COLLECTIONS])
def test_a_collection_is_parted_into_its_rules(remark: str, text: str, titles: list[str]) -> None:
    parts = split_enclosed(parsed(text))
    assert [part.title for part in parts if part.title] == titles, remark
    assert all(part.text in text for part in parts)
    assert len(parts) == max(1, len(titles))


def test_what_is_behind_a_letter_is_described_for_itself() -> None:
    rules = rule_data.load(load().rules)
    title, number, rest = OTHER.split("\n", 2)
    for other in (OTHER, f"{number}　　签发人：李四\n{title}\n{rest}"):
        letter = describe(part := split_enclosed(parsed(NOTICE + other))[1], "x.pdf", structure(part.text), rules)
        assert (letter.document_number, letter.issuer, letter.validity.promulgated) == (
            "月能〔2031〕8号",
            "月亮省能源局",
            dt.date(2031, 6, 7),
        )
    told = split_enclosed(parsed(NOTICE + READ.replace("《星河发电管理办法》政策", "部门")))[1]
    read = describe(told, "x.pdf", structure(told.text), rules)
    assert (read.title, read.nature) == ("《星河省能源局关于印发《星河发电管理办法》的通知》部门解读", "interpretation")


def test_two_rules_in_one_file() -> None:
    text = (
        NOTICE.replace("《星河发电管理办法》", "《星河发电管理办法》《星河用电管理办法》")
        + RULE
        + "\n附件2\n\n"
        + RULE.replace("发电", "用电")
    )
    assert [part.title for part in split_enclosed(parsed(text))][1:] == ["星河发电管理办法", "星河用电管理办法"]


def test_each_part_is_described_for_itself() -> None:
    rules = rule_data.load(load().rules)
    cover, rule = (describe(p, "文档.pdf", structure(p.text), rules) for p in split_enclosed(parsed(NOTICE + RULE)))
    assert cover.title == "星河省能源局关于印发《星河发电管理办法》的通知"
    assert rule.title == "星河发电管理办法"
    assert (
        (rule.document_number, rule.issuer)
        == (cover.document_number, cover.issuer)
        == ("星能〔2031〕5号", "星河省能源局")
    )
    assert rule.validity.promulgated == cover.validity.promulgated == dt.date(2031, 5, 6)
    assert (rule.validity.effective, rule.validity.ends) == (dt.date(2031, 7, 1), dt.date(2036, 7, 1))
    assert cover.validity.effective is None


def test_what_stands_behind_a_notice_is_not_missed() -> None:
    rules = rule_data.load(load().rules)
    text = NOTICE.replace("请遵照执行。", "请遵照执行。\n\n附件：星河发电管理办法") + "附件\n" + RULE
    for words, missed in ((text, False), (text.partition("附件\n")[0], True)):
        raw = RawDocument.of(words.encode(), "x.txt")
        found = regulations_in(raw, parsed(words), KnownFacts(), rules)
        assert any(fault.code == "annex_missing" for fault in found[0].faults) is missed


def test_a_rule_without_a_clause_starts_with_its_notice() -> None:
    text = NOTICE.replace("请遵照执行", "自2031年8月1日起施行") + RULE.replace(
        "本办法自2031年7月1日起施行，有效期5年。", "星河局解释。"
    )
    rules = rule_data.load(load().rules)
    rule = describe(part := split_enclosed(parsed(text))[1], "x.pdf", structure(part.text), rules)
    assert rule.validity.effective == dt.date(2031, 8, 1)
    basis = rule.validity.why("version_effective")
    assert basis is not None and basis.span is None and basis.words == "自2031年8月1日起施行"


def test_the_notice_forwards_the_rule() -> None:
    cover, rule = split_enclosed(parsed(NOTICE + RULE))
    forwarded = [
        r.target_title
        for r in relations(cover.text, (), "") + relations(cover.text, (), "关于印发《星河发电管理办法》的通知")
        if r.kind is RelationKind.FORWARDS
    ]
    assert forwarded == ["星河发电管理办法"]
    assert not [r for r in relations(rule.text, (), "星河发电管理办法") if r.kind is RelationKind.FORWARDS]


def test_pages_go_with_their_part() -> None:
    text = NOTICE[:40] + "\f" + NOTICE[40:] + "\f" + RULE[:100] + "\f" + RULE[100:]
    whole = parsed(text)
    cover, rule = split_enclosed(whole)
    assert [p.number for p in cover.pages] == [1, 2] and [p.number for p in rule.pages] == [3, 4]
    for part in (cover, rule):
        for page in part.pages:
            assert page.span.of(part.text) in whole.pages[page.number - 1].span.of(text)


@given(st.integers(0, len(NOTICE + RULE)))
def test_a_page_break_anywhere_changes_no_text(place: int) -> None:
    text = (NOTICE + RULE)[:place] + "\f" + (NOTICE + RULE)[place:]
    assert "".join(part.text for part in split_enclosed(parsed(text))) == text


def test_only_files_with_an_enclosed_rule_are_parted(shared: Path) -> None:
    folder = shared / "normative" / "corpus"
    parted = {}
    for row in rows(folder / "manifest.jsonl"):
        parts = split_enclosed(parsed((folder / row["file"]).read_text("utf-8")))
        if len(parts) > 1:
            parted[row["file"][:24]] = [part.title for part in parts[1:]]
    assert len(parted) == 6
    assert all(len(titles) == 1 for titles in parted.values())
    statutes = shared / "corpus"
    for row in rows(statutes / "manifest.jsonl")[::10]:
        assert len(split_enclosed(parsed((statutes / row["file"]).read_text("utf-8")))) == 1, row["file"]

"""What a text says about others: basis, amendments, repeals, short names, cross-references, citations."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nemo.text.law.mentions import aliases, cross_references
from nemo.text.law.references import relations, with_stated
from nemo.text.letter.titles import in_marks, titles_cited
from nemo.text.structure.tree import structure
from nemo.types import Origin, RelationKind, Span

ONE = "星河办法\n\n第一条 {first}\n\n第二条 星河电站要检修。\n\n第三条 {last}\n"


def found(text: str, kind: RelationKind, title: str = "星河办法") -> list[tuple[str, str | None]]:
    related = relations(text, structure(text).provisions, title)
    return [(r.target_title, r.target_number) for r in related if r.kind is kind]


def titles(text: str, kind: RelationKind, title: str = "星河办法") -> list[str]:
    return [target for target, _ in found(text, kind, title)]


REPEALS = [
    ("one", "《甲办法》同时废止。", ["甲办法"]),
    ("several", "《甲办法》、《乙规定》和《丙细则》同时废止。", ["甲办法", "乙规定", "丙细则"]),
    ("without marks between", "《甲办法》《乙规定》同时废止。", ["甲办法", "乙规定"]),
    ("at once", "《甲办法》即行废止。", ["甲办法"]),
    (
        "published by somebody",
        "2001年3月2日星河部发布的《甲办法》和2003年5月6日星河局公布的《乙办法》同时废止。",
        ["甲办法", "乙办法"],
    ),
    ("in the same sentence as the start", "本办法自2031年1月1日起施行，《甲办法》同时废止。", ["甲办法"]),
    ("after the start", "本办法施行后，《甲办法》自行废止。", ["甲办法"]),
    ("nested title", "《关于印发〈甲办法〉的通知》同时废止。", ["关于印发〈甲办法〉的通知"]),
    ("from a day", "《甲办法》自2032年1月1日起废止。", ["甲办法"]),
    ("verb first", "自本办法施行之日起，废止《甲办法》、《乙办法》。", ["甲办法", "乙办法"]),
    ("stop carrying out", "《甲办法》同时停止执行。", ["甲办法"]),
    ("list", "下列文件予以废止：1.《甲办法》；2.《乙办法》；3.《丙办法》。", ["甲办法", "乙办法", "丙办法"]),
    ("earlier version of the same title", "原《星河办法》同时废止。", ["星河办法"]),
    ("amended before it was repealed", "根据《修改部分办法的决定》第二次修正的《甲办法》同时废止。", ["甲办法"]),
    ("others before it in the sentence", "电站按《乙办法》领证，《甲办法》同时废止。", ["甲办法"]),
    ("proposed", "拟废止《甲办法》。", []),
    ("suggested", "建议《甲办法》同时废止。", []),
    ("asked about", "现就废止《甲办法》征求意见，拟将《甲办法》予以废止。", []),
    ("not stopped", "复议期间，《甲决定》不停止执行。", []),
    ("supposed", "《甲办法》被废止的，按新办法执行。", []),
    ("part of it", "《甲办法》第五条同时废止。", []),
    ("some of it", "《甲办法》中有关检修的规定同时废止。", []),
    ("no title", "以前的规定同时废止。", []),
    ("a permit lapses", "《检修证》有效期满未换的，自动失效。", []),
    ("title of a decision", "根据《关于废止部分规定的决定》，电站停电。", []),
]


@pytest.mark.parametrize(("remark", "last", "expected"), REPEALS, ids=[r[0] for r in REPEALS])
def test_repeals_of_whole_texts(remark: str, last: str, expected: list[str]) -> None:
    assert titles(ONE.format(first="为了星河，制定本办法。", last=last), RelationKind.REPEALS) == expected, remark


def test_a_repeal_names_number_words_place_and_day() -> None:
    text = ONE.format(first="为了星河，制定本办法。", last="《甲办\n法》（星能﹝2021﹞3号）自2032年1月1日起废止。")
    (repeal,) = [r for r in relations(text, (), "星河办法") if r.kind is RelationKind.REPEALS]
    assert (repeal.target_title, repeal.target_number) == ("甲办法", "星能〔2021〕3号")
    assert repeal.from_day == dt.date(2032, 1, 1)
    assert repeal.span is not None and repeal.span.of(text) == repeal.words


def test_a_number_alone_may_be_repealed() -> None:
    text = ONE.format(first="为了星河，制定本办法。", last="原星能〔2021〕3号文件同时废止。")
    assert found(text, RelationKind.REPEALS) == [("", "星能〔2021〕3号")]


def test_drafts_and_news_repeal_nothing() -> None:
    text = ONE.format(first="为了星河，制定本办法。", last="《甲办法》同时废止。")
    assert not [r for r in relations(text, (), "星河办法", binding=False) if r.kind is RelationKind.REPEALS]


BASIS = [
    ("one law", "为了星河，根据《星河法》，制定本办法。", ["星河法"]),
    (
        "a row",
        "根据《星河法》《月亮法》、《太阳条例》等法律法规，结合本省实际，制定本办法。",
        ["星河法", "月亮法", "太阳条例"],
    ),
    (
        "numbers between",
        "根据《星河法》、《月亮意见》（星发〔2031〕1号）和国家有关规定，制定本办法。",
        ["星河法", "月亮意见"],
    ),
    ("依据", "依据《星河法》，制定本办法。", ["星河法"]),
    ("with its own short name", "根据《星河法》（以下简称星河法），制定本办法。", ["星河法"]),
    ("names its own title", "根据《星河法》，制定星河管理办法。", ["星河法"]),
    ("implementing is not basis", "为了贯彻《月亮法》，根据《星河法》，制定本办法。", ["星河法"]),
    ("a plan to make it", "根据大会计划，将制定《星河条例》，为此制定本办法。", []),
    ("untitled", "根据有关法律，制定本办法。", []),
    ("penalties follow another law", "违反规定的，依照《星河法》的规定处罚。", []),
]


@pytest.mark.parametrize(("remark", "first", "expected"), BASIS, ids=[b[0] for b in BASIS])
def test_the_legal_basis(remark: str, first: str, expected: list[str]) -> None:
    assert titles(ONE.format(first=first, last="本办法自2031年1月1日起施行。"), RelationKind.BASED_ON) == expected, (
        remark
    )


def test_only_the_opening_states_a_basis() -> None:
    text = ONE.format(first="为了星河，制定本办法。", last="省里可以根据《星河法》制定本省办法。")
    assert titles(text, RelationKind.BASED_ON) == []


LETTERS = [
    (
        "carries out",
        "为贯彻落实《星河法》《月亮意见》（星发〔2031〕1号）等要求，现将有关事项通知如下。",
        RelationKind.IMPLEMENTS,
        ["星河法", "月亮意见"],
    ),
    ("as required", "按照《星河意见》（星发〔2031〕1号）要求，我局组织检修。", RelationKind.BASED_ON, ["星河意见"]),
    ("now organises", "根据《星河意见》（星发〔2031〕1号），现组织检修。", RelationKind.BASED_ON, ["星河意见"]),
    ("on top of", "在《星河意见》（星发〔2031〕1号）基础上，现就检修通知如下。", RelationKind.BASED_ON, ["星河意见"]),
]


@pytest.mark.parametrize(("remark", "words", "kind", "expected"), LETTERS, ids=[x[0] for x in LETTERS])
def test_letters_name_what_they_rest_on(remark: str, words: str, kind: RelationKind, expected: list[str]) -> None:
    text = f"关于检修的通知\n星能〔2031〕5号\n\n各站：\n\n{words}\n\n一、检修。\n\n星河省能源局\n2031年5月6日\n"
    assert titles(text, kind, "关于检修的通知") == expected, remark


BY_TITLE = [
    ("implements a law", "星河省实施《中华人民共和国水法》办法", RelationKind.IMPLEMENTS, ["中华人民共和国水法"]),
    ("implementing regulation", "中华人民共和国水法实施条例", RelationKind.IMPLEMENTS, ["中华人民共和国水法"]),
    ("amends one", "关于修改〈星河条例〉的决定", RelationKind.AMENDS, ["星河条例"]),
    ("amends two", "关于修改〈星河条例〉〈月亮条例〉的决定", RelationKind.AMENDS, ["星河条例", "月亮条例"]),
    ("amends the first of many", "星河省人大关于修改《星河条例》等三件法规的决定", RelationKind.AMENDS, ["星河条例"]),
    ("amends unnamed ones", "关于修改部分法规的决定", RelationKind.AMENDS, []),
    ("amendment", "中华人民共和国星河法修正案（二）", RelationKind.AMENDS, ["中华人民共和国星河法"]),
    ("issues a rule", "关于印发《星河规则》的通知", RelationKind.FORWARDS, ["星河规则"]),
    ("issues two", "关于印发《甲规则》《乙规则》（修订稿）的通知", RelationKind.FORWARDS, ["甲规则", "乙规则"]),
    ("an interpretation issues nothing", "《关于印发〈星河规则〉的通知》解读", RelationKind.FORWARDS, []),
]


@pytest.mark.parametrize(("remark", "title", "kind", "expected"), BY_TITLE, ids=[b[0] for b in BY_TITLE])
def test_titles_tell_relations(remark: str, title: str, kind: RelationKind, expected: list[str]) -> None:
    assert titles(f"{title}\n\n第一条 照办。\n", kind, title) == expected, remark


def test_an_omnibus_decision_amends_what_its_body_names() -> None:
    text = (
        "关于修改《甲条例》等三件法规的决定\n\n一、《甲条例》\n\n将第一条改为：“根据《星河法》，制定本条例。”\n\n"
        "二、对《乙条例》作出修改\n\n删去第二条。\n\n三、《丙条例》\n\n照《丁条例》改。\n"
    )
    assert titles(text, RelationKind.AMENDS, "关于修改《甲条例》等三件法规的决定") == ["甲条例", "乙条例", "丙条例"]
    assert titles(text, RelationKind.BASED_ON) == []


def test_a_notice_that_revises_names_the_old_rules() -> None:
    text = "关于印发新规则的通知\n\n各站：\n\n我局组织对原《甲规则》《乙规则》（星能〔2029〕3号）进行了修订，形成了《丙规则》，现印发你们。\n"
    assert found(text, RelationKind.AMENDS, "关于印发新规则的通知") == [
        ("甲规则", "星能〔2029〕3号"),
        ("乙规则", "星能〔2029〕3号"),
    ]


def test_a_notice_that_mends_mistakes_amends_what_it_names() -> None:
    text = "关于更正星能〔2031〕3号文件的通知\n\n各站：\n\n《甲细则》（星能〔2031〕3号）印发后，发现文字差错，现更正如下：\n\n一、第五条中“甲”更正为“乙”。\n"
    assert found(text, RelationKind.AMENDS, "关于更正星能〔2031〕3号文件的通知") == [("甲细则", "星能〔2031〕3号")]


def test_the_note_names_the_decisions_that_amended_the_text() -> None:
    text = "星河条例\n\n2020年1月2日 星河大会通过\n\n2031年5月6日 星河大会《关于修改〈星河条例〉的决定》修正\n\n第一条 照办。\n"
    (amended,) = [r for r in relations(text, (), "星河条例") if r.kind is RelationKind.AMENDED_BY]
    assert (amended.target_title, amended.from_day) == ("关于修改〈星河条例〉的决定", dt.date(2031, 5, 6))


ALIASES = [
    ("quoted", "《星河管理办法》（以下简称“办法”）", {"办法": "星河管理办法"}),
    ("in book marks", "《星河管理办法》（以下简称《办法》）", {"办法": "星河管理办法"}),
    ("bare", "《中华人民共和国星河法》(以下简称星河法)", {"星河法": "中华人民共和国星河法"}),
    ("after a number", "《星河管理办法》（星能〔2031〕5号）（以下简称《办法》）", {"办法": "星河管理办法"}),
    ("for two", "《甲规则》、《乙规则》（以下简称新版“两个规则”）", {"两个规则": "甲规则、乙规则"}),
    ("a term is no title", "星河电站（以下简称电站）", {}),
]


@pytest.mark.parametrize(("remark", "text", "expected"), ALIASES, ids=[a[0] for a in ALIASES])
def test_short_names_of_titles(remark: str, text: str, expected: dict[str, str]) -> None:
    assert aliases(text) == expected, remark


CROSS = [
    ("own article", "违反本法第十条的，罚款。", [(None, "10")]),
    ("own paragraph and item", "依照本条例第十条第二款第三项办理。", [(None, "10-2-3")]),
    ("an item without a paragraph", "有本办法第十条第（二）项情形的。", [(None, "10-1-2")]),
    ("inserted article", "依照本法第十二条之一办理。", [(None, "12.1")]),
    ("a row", "违反本法第十条、第十一条第一款的。", [(None, "10"), (None, "11-1")]),
    ("a run", "依照本法第三条至第五条办理。", [(None, "3"), (None, "4"), (None, "5")]),
    ("another text in marks", "依照《星河法》第三十条处罚。", [("星河法", "30")]),
    ("its number between", "依照《星河办法》（星能〔2031〕5号）第三条办理。", [("星河办法", "3")]),
    ("a bare name", "依照刑法第二百条追究。", [("刑法", "200")]),
    ("a bare name after a verb", "违反治安管理处罚法第三十条的。", [("治安管理处罚法", "30")]),
    (
        "a short name of the document",
        "《中华人民共和国星河法》（以下简称星河法）好。依照星河法第三条办理。",
        [("中华人民共和国星河法", "3")],
    ),
    ("no head", "违反第十条规定的，罚款。", [(None, "10")]),
    ("nothing", "电站要检修。", []),
    (
        "an article under a heading that ends like a law",
        "第三章 施行办法\n\n第九条 依照本法第二条办理。",
        [(None, "2")],
    ),
    ("what leads to a bare name", "第四条 实施土地法第三条的单位。", [("土地法", "3")]),
]


@pytest.mark.parametrize(("remark", "words", "expected"), CROSS, ids=[c[0] for c in CROSS])
def test_cross_references(remark: str, words: str, expected: list[tuple[str | None, str]]) -> None:
    got = cross_references(words, Span(0, len(words)))
    assert [(ref.title, ref.label) for ref in got] == expected, remark
    for ref in got:
        assert ref.span.of(words) == ref.words


def test_an_articles_own_number_is_no_reference() -> None:
    text = "第一条 为了星河。\n\n第二条 依照《土地法》\n第九条办理，本条第一款除外。\n"
    provisions = structure(text).provisions
    second = next(p for top in provisions for p in top.walk() if p.label == "2")
    assert [(r.title, r.label) for r in cross_references(text, second.span)] == [("土地法", "9")]


def test_what_a_text_cites() -> None:
    text = (
        "依照《星河法》和《月亮办法》（星能〔2031〕5号），凭《检修证》，按GB/T 19964—2012和DL/T 1040-2007检修；《星河法》另有规定的除外，"
        "星发〔2030〕8号文件照办。"
    )
    assert [(c.title, c.number) for c in titles_cited(text)] == [
        ("星河法", None),
        ("月亮办法", "星能〔2031〕5号"),
        ("", "GB/T 19964—2012"),
        ("", "DL/T 1040-2007"),
        ("", "星发〔2030〕8号"),
    ]


@given(st.text(alphabet="《》〈〉（）第一二条本法根据制定办同时废止、，。以下简称“”\n", max_size=200))
def test_any_text_can_be_related(text: str) -> None:
    for relation in relations(text, (), "星河办法"):
        assert relation.span is None or relation.span.of(text) == relation.words
    for ref in cross_references(text, Span(0, len(text))):
        assert ref.label


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("根据《甲办法》的通知粤演能〔2025〕7号执行。", "粤演能〔2025〕7号"),
        ("按照粤演改能源〔2026〕14号办理。", "粤演改能源〔2026〕14号"),
        ("鼓励试点地区在遵循演发〔2025〕9号精神的前提下探索。", "演发〔2025〕9号"),
        ("在演发〔2025〕9号框架下推进。", "演发〔2025〕9号"),
        ("改革要贯彻落实演改价格〔2024〕196号。", "演改价格〔2024〕196号"),
        ("执行YN/T 1012—2024。", None),
        ("执行GB/T 19964—2012。", "GB/T 19964—2012"),
        ("字号：大 打印\n粤演能〔2025〕7号\n各市演示局：", "粤演能〔2025〕7号"),
        ("依照国能演发新能\n规〔2024〕7号办理", "国能演发新能规〔2024〕7号"),
    ],
)
def test_a_cited_number_is_cut_out_of_running_text(text: str, number: str | None) -> None:
    assert [c.number for c in titles_cited(text) if not c.title] == ([number] if number else [])


@pytest.mark.parametrize(
    ("remark", "title", "shown"),
    [
        ("a title", "星河办法", "《星河办法》"),
        ("marks inside marks", "《星河办法》解读", "《〈星河办法〉解读》"),
        ("a number is no title", "星能〔2031〕5号", "星能〔2031〕5号"),
        ("an order's number", "星河部令第7号", "星河部令第7号"),
        ("a standard", "GB/T 19964-2012", "GB/T 19964-2012"),
        ("a title that ends in a number", "关于印发星河办法的通知（星能〔2031〕5号）", "《关于印发星河办法的通知（星能〔2031〕5号）》"),
    ],
)  # fmt: skip
def test_titles_in_book_marks(remark: str, title: str, shown: str) -> None:
    assert in_marks(title) == shown, remark


def test_what_a_manifest_states_adds_to_what_was_read() -> None:
    text = "星河办法\n\n第一条 为贯彻落实《星河法》，根据《月亮法》，制定本办法。\n\n第二条 《星河旧办法》同时废止。\n"
    read = relations(text, structure(text).provisions, "星河办法")
    known = {
        "based_on": ["月亮法", "星河法", "太阳法（日发〔2020〕3号）"],
        "repeals": ["星河旧办法", "《星河老办法》"],
        "title": "星河办法",
    }
    found = with_stated(read, known)
    added = [(r.kind.value, r.target_title, r.target_number, r.words) for r in found[len(read) :]]
    assert found[: len(read)] == read
    assert added == [
        ("根据", "太阳法", "日发〔2020〕3号", "清单所载：根据《太阳法》"),
        ("废止", "星河老办法", None, "清单所载：废止《星河老办法》"),
    ]
    assert {r.origin for r in found[len(read) :]} == {Origin.MANIFEST}
    assert {r.kind.value for r in with_stated((), known, binding=False)} == {"根据"}

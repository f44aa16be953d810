"""The rule data loads, is sound, and says what a lawyer expects."""

import dataclasses
import json
import re
import shutil
from pathlib import Path

import pytest

from nemo import rules as rules_module
from nemo.errors import BadRequestError, ConfigError
from nemo.rules import TABLES, Rules, WordMatcher
from nemo.rules.entries import GLOSS_KINDS
from nemo.settings import PROJECT

FOLDER = PROJECT / "data" / "rules"


@pytest.fixture(scope="module")
def rules() -> Rules:
    return rules_module.load(FOLDER)


def test_the_folder_is_read_once(rules):
    assert rules_module.load(FOLDER) is rules


def test_every_entry_says_where_it_is_from(rules):
    for table in TABLES:
        assert all(entry.source.strip() for entry in getattr(rules, table)), table


def test_the_codes_of_the_design_are_there(rules):
    assert {a.code for a in rules.assets} == {"solar", "wind", "coal"}
    assert {c.code for c in rules.doc_classes} == {"grid", "permit", "technical", "market", "planning", "other"}
    assert {n.code for n in rules.natures} == {
        "binding",
        "standard",
        "draft",
        "interpretation",
        "notice",
        "case_decision",
        "news",
        "minutes",
        "report",
        "unconfirmed",
    }
    assert {"cn", "gd", "sd", "nm", "zj", "hen", "sh", "bj", "cq"} <= {p.code for p in rules.provinces}
    assert len(rules.provinces) == 32, "31 provincial units and the nation"


def test_every_field_of_the_rules_is_read():
    """What nothing reads cannot be wrong, so nobody would see that it is: it has no place in the tables."""
    code = "".join(file.read_text("utf-8") for file in (PROJECT / "nemo").rglob("*.py"))
    fields = {f"{kind.__name__}.{field.name}" for kind in TABLES.values() for field in dataclasses.fields(kind)}
    assert {field for field in fields if not re.search(rf"\.{field.partition('.')[2]}\b", code)} <= {
        f for f in fields if f.endswith(".source")
    }


def test_levels_are_ranked_from_the_constitution_down(rules):
    ranks = [level.rank for level in rules.levels]
    assert ranks == sorted(ranks) and rules.levels[0].name == "宪法"
    assert rules.level("通知").name == "规范性文件"
    assert rules.level("local_regulation").rank < rules.level("地方政府规章").rank
    assert rules.level("没有这一级") is None


PLACES = [
    ("name", "广东分布式光伏并网要几个工作日", "gd"),
    ("city", "淄博新建燃煤机组排放标准", "sd"),
    ("prefecture of 内蒙古", "锡林郭勒盟草原上建风电场", "nm"),
    ("one of the two grids", "蒙西新能源场站一次调频", "nm"),
    ("sign at the head", "鲁能评没过能不能开工", "sd"),
    ("sign at the head", "粤发改文件里怎么说", "gd"),
    ("the longest match wins", "内蒙古自治区能源局", "nm"),
    ("内 alone is no province", "室内配电装置的净距", None),
    ("蒙 alone is no province", "启蒙教育", None),
    ("内 and 蒙 apart", "内部与蒙受损失", None),
    ("no place", "国家能源局关于并网的规定", None),
    ("日照 as sunshine", "年日照时数不低于多少小时才能建光伏", None),
    ("日照 as a city", "日照市海上光伏用海", "sd"),
    ("中山 inside 其中 + 山东", "其中山东省的项目", "sd"),
    ("中山 as a city", "中山市屋顶光伏备案", "gd"),
    ("河源 as source of a river", "黄河源头附近能否建电站", None),
    ("河南 inside 黄河南岸", "黄河南岸的光伏项目", None),
    ("上海 inside 域上海域", "法律上海域使用权何时取得", None),
    ("two provinces: no single one", "广东和山东的储能配比有什么不同", None),
    ("another province", "苏州工商业分布式怎么备案", "js"),
    ("nothing", "", None),
]


@pytest.mark.parametrize(("remark", "text", "expected"), PLACES)
def test_province_in(rules, remark, text, expected):
    assert rules.province_in(text) == expected, remark


def test_places_are_given_as_written_and_in_order(rules):
    assert rules.places_in("从鄂尔多斯送到潍坊") == (("鄂尔多斯", "nm"), ("潍坊", "sd"))


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("粤发改能源〔2026〕290号", "gd"),
        ("内发改价费字〔2025〕660号", "nm"),
        ("鲁监能市场规〔2025〕57号", "sd"),
        ("国能发新能规〔2025〕7号", "cn"),
        ("南方监能市场〔2025〕146号", "gd"),
        ("豫发改能源〔2024〕1号", "hen"),
        ("某某字〔2024〕1号", None),
    ],
)
def test_province_of_number(rules, number, expected):
    assert rules.province_of_number(number) == expected


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("drc.gd.gov.cn", "gd"),
        ("NYJ.shandong.gov.cn", "sd"),
        ("nfj.nea.gov.cn", "gd"),
        ("www.nea.gov.cn", "cn"),
        ("fakegov.cn", None),
        ("gd.gov.cn.example.com", None),
    ],
)
def test_province_of_host(rules, host, expected):
    assert rules.province_of_host(host) == expected


def test_natures_have_other_words(rules):
    assert rules.nature("normative") == rules.nature("binding") == "binding"
    assert rules.nature("征求意见稿") == "draft"
    assert [n.code for n in rules.natures if n.citable] == ["binding", "standard"]
    with pytest.raises(BadRequestError, match="binding（正式文件）"):
        rules.nature("gossip")


def test_unknown_codes_are_refused_with_the_valid_ones(rules):
    rules.check_codes(province="nm", asset="wind", doc_class="other")
    rules.check_codes()
    with pytest.raises(BadRequestError, match=r"gd（广东）.*sd（山东）"):
        rules.check_codes(province="guangdong")
    with pytest.raises(BadRequestError, match="solar（光伏）"):
        rules.check_codes(asset="nuclear")
    with pytest.raises(BadRequestError, match="technical（技术标准）"):
        rules.check_codes(doc_class="")
    assert rules.province("gd").name == "广东"


PROVINCES = {
    "广东省": "gd", "山东省": "sd", "内蒙古自治区": "nm", "北京市": "bj", "天津市": "tj", "河北省": "heb", "山西省": "sx", "辽宁省": "ln",
    "吉林省": "jl", "黑龙江省": "hlj", "上海市": "sh", "江苏省": "js", "浙江省": "zj", "安徽省": "ah", "福建省": "fj", "江西省": "jx",
    "河南省": "hen", "湖北省": "hub", "湖南省": "hun", "广西壮族自治区": "gx", "海南省": "hi", "重庆市": "cq", "四川省": "sc", "贵州省": "gz",
    "云南省": "yn", "西藏自治区": "xz", "陕西省": "sn", "甘肃省": "gs", "青海省": "qh", "宁夏回族自治区": "nx", "新疆维吾尔自治区": "xj",
}  # fmt: skip


def test_a_province_is_named_by_its_full_name_and_by_the_bare_one(rules):
    assert {p.code for p in rules.provinces} == {"cn", *PROVINCES.values()}
    for name, code in PROVINCES.items():
        assert rules.places_in(f"在{name}境内") == ((name, code),)
        bare = rules.province(code).name
        assert name.startswith(bare) and rules.places_in(f"在{bare}境内") == ((bare, code),)


def test_grid_companies_name_their_province_by_the_whole_name(rules):
    for province in rules.provinces:
        for company in province.grid:
            assert rules.places_in(f"由{company}受理") == (((company, province.code),) if province.code != "cn" else ())
            assert re.search("电网|电力|供电局|国网", company), company


def _by_alias(rules):
    return {word: alias.title for alias in rules.aliases for word in alias.aliases}


def test_every_law_is_meant_by_its_title_without_the_state(rules):
    """水法 means 中华人民共和国水法 (立法技术规范: 引用法律使用简称)."""
    named = [alias for alias in rules.aliases if alias.title.startswith("中华人民共和国")]
    assert len(named) > 50
    for alias in named:
        bare = alias.title.removeprefix("中华人民共和国")
        assert bare in alias.aliases and _by_alias(rules)[bare] == alias.title
    for alias in rules.aliases:
        for short in alias.aliases:
            number = re.search(r"\d+号|号[文令]", short)
            assert number or set(short) & set(alias.title), f"{short} has nothing of 《{alias.title}》"


def test_short_names_of_laws(rules):
    assert _by_alias(rules)["电力法"] == "中华人民共和国电力法"
    assert _by_alias(rules)["环评法"] == "中华人民共和国环境影响评价法"
    assert all(alias.title not in alias.aliases for alias in rules.aliases)


def test_issuers_by_any_of_their_names(rules):
    found = [issuer.name for _, _, issuer in rules.issuer_words.find("国家发展改革委 国家能源局综合司")]
    assert found == ["国家发展和改革委员会", "国家能源局综合司"]


def test_intents_ask_for_evidence(rules):
    evidence = {intent.code: intent.evidence for intent in rules.intents}
    assert evidence["penalty"].search("处一万元以上五万元以下罚款")
    assert evidence["deadline"].search("二十个工作日内")
    assert not evidence["penalty"].search("电网企业应当公布可开放容量")
    assert evidence["comparison"].search("任何文字") is not None, "an empty pattern asks for nothing"


def test_terms_of_a_group_are_never_confusable(rules):
    by_term = {term: group for group in rules.synonyms for term in group.terms}
    assert "备案" in by_term["核准"].confusable and "核准" in by_term["备案"].confusable
    assert by_term["并网验收"] is not by_term["竣工验收"]


def test_the_glossary_covers_the_field(rules):
    assert len(rules.glossary) >= 250
    by_english = {gloss.english: gloss.chinese for gloss in rules.glossary}
    assert by_english["environmental impact report"] == ("环境影响报告书",)
    assert by_english["China"] == (), "understood, but no word for a search"
    assert {gloss.kind for gloss in rules.glossary} == GLOSS_KINDS


LEXICON = [
    ("longest first", "海上风电场", ["海上风电"]),
    ("latin in either case", "用pv供电", ["pv"]),
    ("latin only as a whole word", "PVC管", []),
    ("latin beside digits", "3PV", []),
    ("no overlap", "风电场", ["风电场"]),
    ("a letter whose small form is longer", "İ光伏", ["光伏"]),
]


@pytest.mark.parametrize(("remark", "text", "expected"), LEXICON)
def test_lexicon(remark, text, expected):
    lexicon = WordMatcher([("海上风电", 1), ("风电", 2), ("风电场", 3), ("PV", 4), ("光伏", 5)])
    assert [words for _, words, _ in lexicon.find(text)] == expected, remark
    assert all(text[at : at + len(words)] == words for at, words, _ in lexicon.find(text))


BROKEN = [
    ("province code twice", "provinces", {"code": "gd", "name": "广东", "source": "x"}, "gd"),
    ("city of two provinces", "provinces", {"code": "zz", "name": "某", "source": "x", "cities": ["淄博"]}, "淄博"),
    ("term in two groups", "synonyms", {"id": "z", "canonical": "并网", "category": "z", "terms": ["并网"]}, "并网"),
    ("canonical not a term", "synonyms", {"id": "z", "canonical": "甲", "category": "z", "terms": ["乙"]}, "canonical"),
    ("regex that does not compile", "intents", {"code": "z", "name": "z", "evidence": "("}, "evidence"),
    ("unknown class", "intents", {"code": "z", "name": "z", "evidence": "a", "doc_class": ["nope"]}, "nope"),
    ("unknown level", "issuers", {"name": "某局", "level": "nope", "province": "cn"}, "某局"),
    ("no source", "assets", {"code": "hydro", "name": "水电", "source": None}, "source"),
    ("empty source", "assets", {"code": "hydro", "name": "水电", "source": " "}, "hydro"),
    ("unknown field", "assets", {"code": "hydro", "name": "水电", "colour": "blue"}, "colour"),
    ("number where words belong", "natures", {"code": "z", "name": 1, "citable": True}, "name"),
    ("word where a number belongs", "levels", {"code": "z", "name": "z", "rank": "first"}, "rank"),
    ("word where yes or no belongs", "natures", {"code": "z", "name": "z", "citable": "yes"}, "citable"),
    (
        "English word twice",
        "glossary",
        {"english": "Z", "chinese": ["甲"], "kind": "grid", "aliases": ["curtailment"]},
        "curtailment",
    ),
    ("unknown kind", "glossary", {"english": "Z", "chinese": ["甲"], "kind": "nope"}, "nope"),
    ("list where a word belongs", "sources", {"code": ["z"]}, "sources.toml"),
    ("word where a list belongs", "aliases", {"title": "某法", "aliases": "某"}, "某法"),
]


@pytest.mark.parametrize(("remark", "table", "entry", "named"), BROKEN, ids=[row[0] for row in BROKEN])
def test_a_wrong_entry_is_named(tmp_path: Path, remark, table, entry, named):
    entry = {"source": "x", **entry}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items() if value is not None]
    message = fault_after(tmp_path, f"{table}.toml", "\n".join(["", f"[[{table}]]", *lines, ""]))
    assert f"{table}.toml" in message and named in message, remark


@pytest.mark.parametrize("added", ["\n[other]\nx = 1\n", "\n[[levels\n"])
def test_a_wrong_file_is_named(tmp_path: Path, added):
    assert "levels.toml" in fault_after(tmp_path, "levels.toml", added)


def fault_after(tmp_path: Path, file: str, added: str) -> str:
    """Return the message that loading gives after ``added`` was written to a copy of the rule data."""
    folder = tmp_path / "rules"
    shutil.copytree(FOLDER, folder)
    with (folder / file).open("a", encoding="utf-8") as out:
        out.write(added)
    with pytest.raises(ConfigError) as caught:
        rules_module.load(folder)
    assert re.search(r"重新启动。$", caught.value.message), "a message ends with the next step"
    return caught.value.message


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(ConfigError, match=r"provinces\.toml"):
        rules_module.load(tmp_path)

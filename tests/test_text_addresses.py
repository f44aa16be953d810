"""Which provisions words ask for, in every way of writing a number."""

import pytest

from nemo.text.law.addresses import address_at, addresses, after_name
from nemo.text.words.normalise import normalise
from nemo.types import Address, Level


def told(address: Address) -> str:
    """Return an address in short: ``条25.1 款2``."""
    return " ".join(
        f"{s.level.value}{s.heading or s.number}" + (f".{s.insertion}" if s.insertion else "") for s in address.steps
    )


def read(words: str) -> list[str]:
    found = address_at(normalise(words).text, 0)
    if found is None:
        return []
    return [told(a.first) + (f"→{told(a.last)}" if a.last else "") for a in found.asked]


ONE = [
    # numerals
    ("第二十五条", "条25"), ("第25条", "条25"), ("第２５条", "条25"), ("第二5条", "条25"), ("第2十5条", "条25"),
    ("第二十五條", "条25"), ("第貳拾伍條", "条25"), ("第廿五条", "条25"), ("第二五条", "条25"), ("第〇五条", "条5"),
    ("第一百零二条", "条102"), ("第一〇二条", "条102"), ("第一百二条", "条102"), ("第一百二十条", "条120"),
    ("第一千二百六十条", "条1260"), ("第1260条", "条1260"), ("第两百条", "条200"), ("第 25 条", "条25"), ("第十条", "条10"),
    ("第一百一十条", "条110"), ("第一百十条", "条110"), ("第四百五十二条", "条452"),
    # without 第
    ("25条", "条25"), ("二十五条", "条25"), ("一百零二条", "条102"), ("25條", "条25"),
    # inserted articles
    ("第一百二十条之一", "条120.1"), ("第120条之1", "条120.1"), ("第十二条之二第三款", "条12.2 款3"),
    # 款, 项, 目
    ("第二十五条第二款", "条25 款2"), ("第25条第2款", "条25 款2"), ("25条2款", "条25 款2"), ("第二十五条二款", "条25 款2"),
    ("第二十五条的第二款", "条25 款2"), ("第二十五条中的第二款", "条25 款2"), ("第二款", "款2"), ("第二款第三项", "款2 项3"),
    ("第二十五条第一款第三项", "条25 款1 项3"), ("第二十五条第一款第（三）项", "条25 款1 项3"), ("第25条第1款第(3)项", "条25 款1 项3"),
    ("第二十五条第三项", "条25 项3"), ("第二十五条第（三）项", "条25 项3"), ("第二十五条（三）项", "条25 项3"),
    ("第32条（三）", "条32 项3"), ("32条(3)", "条32 项3"), ("第三十二条第一款（二）", "条32 款1 项2"), ("第三条一款二项", "条3 款1 项2"),
    ("第三条第一款第二项第3目", "条3 款1 项2 目3"), ("第三条第十项", "条3 项10"), ("第三条第（十一）项", "条3 项11"),
    # the larger units
    ("第五章", "章5"), ("第5章", "章5"), ("第伍章", "章5"), ("第五章第二节", "章5 节2"), ("第三编", "编3"), ("第三編第二章", "编3 章2"),
    ("第三编第二分编", "编3 分编2"), ("第三编第二分编第十章第一节", "编3 分编2 章10 节1"), ("第五章第二十五条", "章5 条25"),
    ("第三部分", "纲目3"), ("第三点", "纲目3"),
    # by place
    ("最后一条", "条-1"), ("最後一條", "条-1"), ("末条", "条-1"), ("最末一条", "条-1"), ("倒数第二条", "条-2"), ("倒数第2条", "条-2"),
    ("最后一章", "章-1"), ("第九条最后一款", "条9 款-1"), ("首条", "条1"), ("头一条", "条1"), ("最后一款", "款-1"),
    # by name
    ("附则", "章附则"), ("附則", "章附则"), ("附则写了什么", "章附则"), ("总则", "章总则"), ("法律责任一章", "章法律责任"),
    ("监督管理这一章", "章监督管理"), ("附件", "附件0"), ("附件2", "附件2"), ("附件二", "附件2"), ("附表1", "附件1"), ("附录三", "附件3"),
]  # fmt: skip

SEVERAL = [
    ("第十条至第十二条", ["条10→条12"]), ("第十条到第十二条", ["条10→条12"]), ("第10条-第12条", ["条10→条12"]), ("第10-12条", ["条10→条12"]),
    ("第10～12条", ["条10→条12"]), ("第10—12条", ["条10→条12"]), ("第十至十二条", ["条10→条12"]), ("10至12条", ["条10→条12"]), ("第十条至十二条", ["条10→条12"]),
    ("第三、五条", ["条3", "条5"]), ("第三条、第五条", ["条3", "条5"]), ("第三条和第五条", ["条3", "条5"]), ("第3条,第5条", ["条3", "条5"]),
    ("第三条、五条和第九条", ["条3", "条5", "条9"]), ("第3、5和9条", ["条3", "条5", "条9"]), ("第三条以及第五条第二款", ["条3", "条5 款2"]),
    ("71条和72条", ["条71", "条72"]), ("第71条与72条", ["条71", "条72"]), ("第三至五条、第八条", ["条3→条5", "条8"]),
    ("第十条第一款和第三款", ["条10 款1", "条10 款3"]), ("第十条第一、三款", ["条10 款1", "条10 款3"]), ("第十条第一款至第三款", ["条10 款1→条10 款3"]),
    ("第十条第（一）至（三）项", ["条10 项1→条10 项3"]), ("第十条第（一）（三）项", ["条10 项1", "条10 项3"]), ("第十条第一款第（一）项、第（三）项", ["条10 款1 项1", "条10 款1 项3"]),
    ("第三章至第五章", ["章3→章5"]), ("第三至五章", ["章3→章5"]), ("第三章第一节和第二节", ["章3 节1", "章3 节2"]),
    ("最后两条", ["条-2→条-1"]), ("前三条", ["条1→条3"]), ("第三条至最后一条", ["条3→条-1"]), ("第三条至最后", ["条3→条-1"]),
    ("第三条到末尾", ["条3→条-1"]), ("第三条以后的条文", ["条3→条-1"]), ("第三条起各条", ["条3→条-1"]), ("第三条以前的条文", ["条1→条3"]),
    ("第三章至最后一章", ["章3→章-1"]), ("第三条以后怎么办", ["条3"]), ("第八条和附则", ["条8", "章附则"]),
]  # fmt: skip

NONE = [
    "三条线路",
    "第三条约",
    "两条件",
    "第3项目",
    "三章程",
    "第三者",
    "第二天",
    "25度",
    "二十五",
    "第一次",
    "条",
    "第条",
    "第三方条",
]


@pytest.mark.parametrize(("words", "expected"), ONE)
def test_one_provision(words: str, expected: str) -> None:
    assert read(words) == [expected]


@pytest.mark.parametrize(("words", "expected"), SEVERAL)
def test_several_provisions(words: str, expected: list[str]) -> None:
    assert read(words) == expected


BEHIND_A_NAME = [
    ("27", ["条27"]), ("第27", ["条27"]), ("27。", ["条27"]), ("48-1", ["条48 款1"]), ("48-50", ["条48→条50"]), ("48~50", ["条48→条50"]),
    ("48到50", ["条48→条50"]), ("全文", ["条1→条-1"]), ("的全文", ["条1→条-1"]),
    ("2020", []), ("27度", []), ("全文检索", []), ("0", []), ("3个", []),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), BEHIND_A_NAME)
def test_articles_without_their_unit_behind_a_name(words: str, expected: list[str]) -> None:
    found = after_name(normalise(words).text, 0)
    assert [told(a.first) + (f"→{told(a.last)}" if a.last else "") for a in (found.asked if found else ())] == expected


@pytest.mark.parametrize("words", NONE)
def test_no_provision(words: str) -> None:
    assert read(words) == []


def test_what_follows_an_address_is_no_part_of_it() -> None:
    text = normalise("第二十五条一百元罚款").text
    found = address_at(text, 0)
    assert found is not None
    assert text[found.end :] == "一百元罚款"


def test_addresses_anywhere_need_a_mark() -> None:
    text = normalise("请看 25条 的说明，再看第三条；最后是附则").text
    assert [[told(a.first) for a in found.asked] for found in addresses(text)] == [["条3"], ["章附则"]]


def test_every_level_is_read() -> None:
    read_levels = {
        s.level for words, _ in ONE for a in [address_at(normalise(words).text, 0)] if a for s in a.asked[0].first.steps
    }
    assert read_levels >= {Level.PART, Level.SUBPART, Level.CHAPTER, Level.SECTION, Level.ARTICLE, Level.PARAGRAPH, Level.ITEM, Level.SUBITEM, Level.ANNEX}  # fmt: skip

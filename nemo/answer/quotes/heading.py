"""What an answer is called: the matter, and where the rules quoted are from (要点标题)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from nemo.rules import Rules
from nemo.store.search.facets import NATIONAL
from nemo.types import Expansion, Query, Quote

OF_A_PLACE = re.compile(r"^(?:中华人民共和国|[^省市区《]{2,6}(?:省|自治区|市(?!场)|经济特区))(?:实施)?")
FORM = re.compile(
    r"(?:法|条例|办法|规定|规则|细则)?(?:暂行|试行|若干|行动|工作|实施|基本)*"
    r"(?:法|条例|办法|规定|规则|细则|方案|规划|指南|指引)(?:[（(].{1,8}[）)])?$"
)
"""What a title says beside its matter: of which place, and in which form."""
LETTER = re.compile(
    r"关于(?:印发|公布|下达|发布|核定|组织|开展|做好|加强|进一步|完善|规范|推动|推进|有序|加快|促进|调整|明确|申报|征求|召开|废止|同意|大力|实施|和)*"
    r"(?P<matter>[^《》]{2,24}?)(?:工作)?(?:有关|相关)?(?:事项|问题|工作)*的(?:通知|公告|通告|意见|指导意见|实施意见|函|复函|批复|决定|通报)"
)
"""What a letter is about."""
JUDICIAL = re.compile(r"关于(?:审理|办理)(?P<matter>[^《》]{2,16}?(?:案件|纠纷))")
"""What an interpretation of a court is about."""
MOST = 16
"""Characters of a matter."""
LONG = 4
"""Characters of a word that hardly means two things."""
MANY = 2
"""More places than this are not named one by one."""


def matter_of(title: str) -> str:
    """Return what a text is about by its title (招标投标 of 招标投标法实施条例), empty where its title does not tell it shortly."""
    inside = re.search("《([^《》]{1,200})》", title)
    letter = None if inside else LETTER.search(title) or JUDICIAL.search(title)
    name = OF_A_PLACE.sub("", letter["matter"] if letter else inside[1] if inside else title)
    matter = FORM.sub("", name)
    return matter if (letter or matter != name) and 2 <= len(matter) <= MOST else ""


def heading(
    query: Query, rules: Rules, doc_class: str | None, quotes: Sequence[Quote], provinces: Sequence[str]
) -> str:
    """Name the answer: ``排污许可证要点（广东 / 光伏）``; ``provinces`` are those of the quotes, best first, empty for one that nothing tells.

    The name is the chosen class, else the matter that the question names and the first quote is on, else that of its text,
    else the class of its intent or of the evidence where the question or the title says its name, else the plant. The place is the chosen
    one, else where the quotes are from.
    """
    filters, first = query.filters, quotes[0]
    title = first.citation.title
    intents = {i.code: i for i in rules.intents}
    asked = next((c for code in query.intents for c in intents[code].doc_class), None)
    code = filters.doc_class or asked or doc_class
    name = next((c.name for c in rules.doc_classes if c.code == code and code != "other"), "法规")
    said = any(word in query.text + title for word in name.split("/"))
    name = (
        name
        if filters.doc_class
        else _named(query, rules, title + first.text)
        or matter_of(title)
        or (name if said else _longest(query, _proper(rules)) or "法规")
    )
    codes = [filters.province] if filters.province else list(dict.fromkeys(sorted(provinces, key=NATIONAL.__ne__)))
    place = (
        "、".join(rules.province(c).name if c else "省份待核" for c in codes) if len(codes) <= MANY else "全国及各省"
    )
    asset = next((a.name for a in rules.assets if a.code == filters.asset), None)
    return f"{name}要点（{' / '.join(filter(None, (place, asset)))}）"


def _named(query: Query, rules: Rules, evidence: str) -> str:
    """Return the longest word of the question that names a matter; empty without one.

    A person (老板) or a plant (屋顶光伏) is no matter. A word that is not the proper one of its group of synonyms (许可证, 上限)
    names one where the evidence says the proper word, or the very word where it is no short one.
    """
    proper = _proper(rules)
    plants = [word for asset in rules.assets for word in asset.strong]

    def meant(said: Expansion) -> bool:
        if any(word in said.term for word in plants):
            return False
        exact = len(said.term) >= LONG and said.term in evidence
        return said.term == proper[said.source] or exact or proper[said.source] in evidence

    return _longest(
        replace(query, synonyms=tuple(x for x in query.synonyms if x.source in proper and meant(x))), proper
    )


@lru_cache(4)
def _proper(rules: Rules) -> dict[str, str]:
    """Return the proper word of each group of synonyms that are no persons."""
    return {g.id: g.canonical for g in rules.synonyms if g.category not in ("law", "org")}


def _longest(query: Query, proper: Mapping[str, str]) -> str:
    return max((x.term for x in query.synonyms if x.source in proper), key=len, default="")

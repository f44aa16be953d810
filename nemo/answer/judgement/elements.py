"""What the evidence must hold because the question says it: year, zone, place, technology, voltage, asked value (要件).

A provision about the same subject is no answer when it speaks of another year, grid zone, province, technology or
voltage, or states no value of the kind that is asked for. Each element is held by the provision itself, by what it
stands under, or by the title of its text; a general rule holds what it is general to (新能源 holds 光伏).
"""

import re
from collections.abc import Callable, Sequence

from nemo.answer.judgement import contrasts, coverage, values
from nemo.answer.judgement.coverage import HAN, of_paper
from nemo.answer.judgement.surroundings import EvidenceText, tight
from nemo.answer.judgement.tables import months, numbered, voltages
from nemo.answer.question import asked_kinds, rewriting
from nemo.rerank import quantities
from nemo.rerank.terms import fold, words_of
from nemo.rules import Rules
from nemo.text.words.tokenise import plain_words
from nemo.types import Query

VERSION = re.compile(r"((?:19|20)\d{2})年?(?:版|第.{1,3}版|修[订正改](?:版|本|后)?)")
YEAR = re.compile(
    r"(?<![\d〔\[（(第])((?:19|20)\d{2})(?!\d|\s*[〕\]）)号版]|年?(?:版|修[订正改]|公布|发布|印发|以来|以后|后|起))年?"
)
TITLED = re.compile(r"((?:19|20)\d{2})(?=年|[—–-])(?!年?(?:版|修|第))")
"""A year that a title gives as the one its text is for (2025年…竞价结果)."""
PERIODS = {"十三五": range(2016, 2021), "十四五": range(2021, 2026), "十五五": range(2026, 2031)}
"""五年规划 and the years they cover."""
YEARS_STATED = re.compile(
    r"(?P<first>(?:19|20)\d\d)年?(?:\d{1,2}月)?(?:\d{1,2}日)?(?:[-—–~～至到]{1,2}(?P<last>(?:19|20)\d\d)年|(?P<until>底?(?:及?以前|之前(?!完成|建成|达到|实现|报)))|(?P<since>及?以后|之后))"
)
"""Years that words rule without naming each: 2024年以前, 2023年6月1日以后, 2024—2026年."""
COMPARED = re.compile(r"(?:较|比(?!例)|相较于?|相比于?)(?:19|20)\d\d年")
"""A year that another is only compared with (较2025年增长): nothing is stated for it."""
OF_YEAR = re.compile(r"年\d{1,2}月")
ZONES = ("蒙西", "蒙东", "冀北", "冀南")
"""Grids (电网) that are less than their province: a rule for one is none for the other."""
BETWEEN_PLACES = re.compile("省间|跨区|跨省|省外(?![商资])|外送|区域电网|送受")
"""Rules what passes between provinces: no rule of what is done within one."""
PASSES = re.compile(r"省间|跨[省区]|外[送省]|省外|送[出受电端]|受端|购入|区域|输电通道|互济|专项工程")
OWN_LAW = re.compile("香港|澳门|台湾")
"""Places with a law of their own (基本法第十八条): a rule is theirs only where it speaks of them."""
OWN_RULE = re.compile(r"省里|本省|省级规定|全省|省内(?:规定|要求)|地方标准|当地(?:规定|要求)")
AT_A_TIME = re.compile(r"(?<!什么)(?<![何瓦小实分同及临准])时(?!间|限|段|效|长)|当时|那年|\d月|以后|之后|以来|起")
"""Says that a year is when something happened: the rule of that day is asked for, it need not name the year."""
WHEN = re.compile("什么时候|何时")
AIM = re.compile("目标|规划|指标|预期")
"""What is planned for a year is asked for as a value, whatever the words."""
FORM = re.compile(
    rf"(?P<form>{HAN}{{2}}表|承诺书|模板|台账|清单|名单|名录)[^，。？]{{0,6}}(?:填|包括|包含|有哪些|要哪些|什么内容|怎么写|哪些)"
)
"""Asks what stands in a form."""
MEMBERS = re.compile(
    rf"(?:分为|分成|包括|包含)((?:{HAN}{{2,10}}、){{0,8}}{HAN}{{2,10}}[、和及与]{HAN}{{2,10}})(?=[。;；,，])"
)
"""The kinds that a provision names."""
REPLACED = re.compile(
    r"(?:由|被)(?:什么|哪)[^，。？]{0,8}(?:替代|代替|取代)|(?:替代|代替|取代)(?:它|了|为)?的?(?:是|文件|新规)"
)
REPLACING = re.compile("替代|代替|取代|同时废止|以本")
"""Asks for what took the place of a text, and says it."""
BEYOND = re.compile("级[及和或]?以[上下]")
"""Grades that a rule takes together (Ⅲ级以上)."""
GRADE = re.compile(rf"(?P<grade>[一二三四五六七甲乙丙丁特ⅰⅱⅲⅳⅴ])(?P<of>[级类等])的?(?P<thing>{HAN}{{2,6}})")
GRADES_BEYOND = re.compile(r"[一二三四五六七甲乙丙丁特ⅰⅱⅲⅳⅴ][级类等](?:及|和|或)?以[上下]")
"""A thing of a grade, class or rank (一级保护区, 乙级资质), and a rule for it and those beyond (县级以上 is none)."""
SIDE_BY_SIDE = 3
"""So many places of one province make a list of them."""
ELSEWHERE = re.compile(r"(?:清单|名单|名录)[^。；;]{0,6}见附")
"""Sends to a list (项目清单见附件1)."""
LOST_ANNEX = frozenset(("annex_missing", "attachments_elsewhere"))


Check = Callable[[str, Query, EvidenceText], str | None]
"""Returns what a folded question says and the evidence does not hold, None when it holds it."""


def missing(
    query: Query, evidence: EvidenceText, rules: Rules, doubted: bool = False, *, named: bool = True
) -> list[str]:
    """Return in Chinese what the question says and the evidence does not hold; empty when it may answer.

    ``named`` is whether it has to name what it is asked of (:func:`unnamed`), too. A value for a plant (光伏并网验收要几个工作日) is read from a rule that speaks of no plant only where that rule is not ``doubted``.
    """
    text, matter = fold(query.text), fold(rewriting.matter(query))
    checks: Sequence[Check] = (
        _version, _form, _year, _period, _month, _zone, _voltage, values.value, values.date, values.degrees, values.unit, _stated, values.bound, _replaced, values.mark, _member, _numbered, _graded,
        values.clock, values.set_time, values.term, values.fined_only, values.licence, values.deferred, values.rate,
    )  # fmt: skip
    if evidence.in_table:  # which row and column answers is decided with the row
        checks = (
            _version, _form, _zone, _year_at_all, values.figure, _replaced, values.mark, _numbered, values.clock, _stated, values.points,
        )  # fmt: skip
    if values.is_no_answer(matter):
        stated = (values.value, values.unit, values.bound, values.rate, values.figure, _form)
        checks = tuple(check for check in checks if check not in stated)
    of_text = (_version, _form, _year, _period, _month, _year_at_all, _zone)
    asked = [(check, text if check in of_text else matter) for check in checks]
    found = [said for check, words in asked if (said := check(words, query, evidence))]
    found += [said] if named and (said := unnamed(query, evidence)) else []
    plant = _plant(matter, evidence, rules) if doubted and not evidence.in_table else None
    return [*found, *([plant] if plant else []), *_kind(text, evidence, rules), *_place(query, evidence, rules)]


def of_another_case(query: Query, evidence: EvidenceText, rules: Rules) -> bool:
    """Tell whether the evidence is for another version, year, zone, number, voltage, technology or place than the question, or states no day that it asks."""
    text, matter = fold(query.text), fold(rewriting.matter(query))
    of_text = any(check(text, query, evidence) for check in (_version, _year, _period, _month, _zone))
    numbers = _voltage(matter, query, evidence) or _numbered(matter, query, evidence)
    numbers = numbers or _graded(matter, query, evidence)
    numbers = numbers or values.date(matter, query, evidence)
    return bool(of_text or numbers or _kind(text, evidence, rules) or _place(query, evidence, rules))


def never_named(query: Query, evidence: EvidenceText, rules: Rules) -> str | None:
    """Return the plant or thing whose value a question asks and that the evidence never names, None when it names it.

    Such a rule may be the general one, or of something else (临时用地 and 临时使用岸线): a person has to judge.
    """
    text = fold(rewriting.matter(query))
    thing = quantities.named(text)
    thing = "" if thing.endswith("到") else thing  # 提到多少, 降到多少: what becomes of it, and no thing
    others = [fold(w) for x in query.synonyms if thing in fold(x.term) or fold(x.term) in thing for w in x.added]
    if thing and not any(w in evidence.words for w in (thing, *others)):
        return thing
    return _plant(text, evidence, rules)


def _plant(text: str, evidence: EvidenceText, rules: Rules) -> str | None:
    """A value that is asked of a plant or a facility stands in a rule that names it, or one of its kind."""
    asks = quantities.asked(text).any() and not quantities.CONSEQUENCES.search(text)
    return contrasts.absent(text, evidence.words, rules) if asks else None


def _version(text: str, query: Query, evidence: EvidenceText) -> str | None:
    asked = VERSION.search(text)
    return None if asked is None or _covers(int(asked[1]), evidence) else f"{asked[1]}年的版本"


def _form(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """What a form asks for stands in the form: a text that only sends to it, and whose annexes are lost, says nothing of it."""
    asked = FORM.search(text)
    own = evidence.regulation
    if asked is None:
        return None
    if asked["form"] not in own.text:
        return f"{asked['form']}的内容"
    lost = any(fault.code in LOST_ANNEX for fault in own.faults)
    if not lost and not ("单" in asked["form"] and ELSEWHERE.search(evidence.passage)):
        return None
    sent = re.search(
        rf"{re.escape(asked['form'])}[^。；]{{0,12}}附件|附件[^。；]{{0,240}}{re.escape(asked['form'])}", own.text
    )
    return f"{asked['form']}的内容" if sent else None


def _stated(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """What is asked for by its kind (材料, 周期, 考试) stands in the provision as what states that kind."""
    words = f"{evidence.under} {evidence.around}" if evidence.around else evidence.article or evidence.passage
    return asked_kinds.unstated(text, words)


def _year(text: str, query: Query, evidence: EvidenceText) -> str | None:
    asked_day = "".join(e.words for e in query.read if e.fact == "day")
    if (
        AT_A_TIME.search(text)
        or (query.filters.day and asked_day)
        or not (
            quantities.asked(text).any()
            or any(asks.search(text) for asks in (quantities.ASKS_VALUE, AIM, WHEN, coverage.END))
        )
    ):
        return None
    titled = [int(match[1]) for match in TITLED.finditer(evidence.regulation.title)]
    for match in YEAR.finditer(text):
        year = int(match[1])
        of_another = (
            titled and not min(titled) <= year <= max(titled) and not _year_states(year, text, evidence.passage)
        )
        if match[1] not in asked_day and (of_another or not _covers(year, evidence)):
            return f"{year}年"
    return None


def _period(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """What a 五年规划 says stands in it, or in what speaks of it or of one of its years."""
    whole, said = f"{evidence.words} {evidence.regulation.text}", evidence.words
    asked = (name for name in PERIODS if name in text and name not in whole)
    return next((f"“{n}”" for n in asked if not any(f"{year}年" in said for year in PERIODS[n])), None)


def _year_states(year: int, text: str, passage: str) -> bool:
    """Tell whether a sentence of the year states a value in the unit that is asked for; a day of the year is no such year."""
    unit = found[1] if (found := quantities.UNIT.search(text)) else ""
    of_year = (sentence for sentence in quantities.SENTENCE.findall(passage) if re.search(rf"{year}年(?!\d)", sentence))
    return any(unit in sentence for sentence in of_year)


def _month(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """What a paper rules for some months says nothing of another (尖峰在6月、7月: 1月呢); a month with its year is a day."""
    asked = months(OF_YEAR.sub(" ", text)) if of_paper(evidence.regulation) else frozenset()
    held = months(OF_YEAR.sub(" ", evidence.passage)) if asked else asked
    return f"{min(asked)}月" if held and not asked & held else None


def _year_at_all(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """Which row or column is of the year is decided with the row; a text that never says it has neither."""
    lacks = _year(text, query, evidence)
    return lacks if lacks is None or lacks.removesuffix("年") not in evidence.regulation.text else None


def _covers(year: int, evidence: EvidenceText) -> bool:
    own = evidence.regulation
    known = {d.year for d in (own.version_date, own.validity.promulgated, own.validity.effective) if d}
    if (
        str(year) in COMPARED.sub(" ", evidence.words)
        or year in known
        or str(year) in (evidence.regulation.document_number or "")
    ):
        return True
    if any(_in_years(year, stated) for stated in YEARS_STATED.finditer(evidence.passage)):
        return True
    if re.search(r"20\d\d年", evidence.passage):  # it says which year of the period it is for
        return False
    return any(name in evidence.words and year in years for name, years in PERIODS.items())


def _in_years(year: int, stated: re.Match[str]) -> bool:
    """Tell whether a year lies in what :data:`YEARS_STATED` found."""
    first = int(stated["first"])
    if stated["last"]:
        return first <= year <= int(stated["last"])
    return year <= first if stated["until"] else year >= first


def _zone(text: str, query: Query, evidence: EvidenceText) -> str | None:
    zone = next((z for z in ZONES if z in text), None)
    return f"{zone}电网" if zone and zone not in evidence.words else None


def _kind(text: str, evidence: EvidenceText, rules: Rules) -> list[str]:
    """Another technology, season or side than the one asked about; of a table only what its text nowhere says."""
    own = evidence.regulation
    if of_paper(own) and (other := contrasts.titled(text, fold(own.title), tight(own.text), rules)):
        return [other]
    other = contrasts.lacking(text, evidence.words, evidence.passage, rules)
    return [] if other is None or (evidence.in_table and other in fold(evidence.regulation.text)) else [other]


def unnamed(query: Query, evidence: EvidenceText) -> str | None:
    """Return in Chinese what a question asks of and neither a provision nor what it stands under names, None when they name it."""
    lacks = coverage.uncovered(query, evidence)
    return f"“{lacks}”" if lacks else None


def _member(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """What a provision states of one kind that it names says nothing of another of them (一般工商业… ；大型工商业…不低于50%).

    Kinds are those it lists (分为甲、乙和丙), and those that two words before the same noun tell apart.
    """
    passage, wanted = evidence.passage, quantities.asked(text) > 0
    if not wanted.any() or not of_paper(evidence.regulation):
        return None
    listed = MEMBERS.search(passage)
    sets = [{each.rstrip("类型") for each in re.split("[、和及与]", listed[1])}] if listed else []
    rest = passage.replace(listed[0], "") if listed else passage
    for noun in dict.fromkeys(w for w in words_of(text) if passage.count(w) > 1 and re.fullmatch(f"{HAN}{{2,}}", w)):
        kinds = {m + noun for m in re.findall(rf"({HAN}{{2}}){noun}", passage) if plain_words(m) == [m]}
        sets += [kinds] if len(kinds) > 1 else []
    sentences = re.split("[。;；]", rest)
    stating = [s for s in sentences if (wanted & (quantities.stated(s) > 0)).any()]
    for names in sets:
        asked = {each for each in names if len(each) > 1 and each in text}
        others = [any(n in s for n in names - asked) and not any(n in s for n in asked) for s in stating]
        own = any(quantities.stated(s).any() for s in sentences if any(n in s for n in asked))
        if asked and others and all(others) and not own:
            return f"“{min(asked)}”"
    return None


def _numbered(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """Of the things that a provision tells apart by numbers (A级、C级) it says nothing of another number."""
    if not (ours := numbered(text)):
        return None
    held = numbered(evidence.own if evidence.in_table else evidence.passage)
    graded = of_paper(evidence.regulation) and not evidence.in_table and not BEYOND.search(evidence.passage)
    lacks = [
        of
        for of, asked in ours.items()
        if len(held.get(of, ())) > (not (graded and of == "级")) and not held[of] & asked
    ]
    titled = numbered(fold(evidence.regulation.title))
    lacks += [
        of for of in ("批", "期") if of in titled and ours.get(of) and not ours[of] & (titled[of] | held.get(of, set()))
    ]
    if of_paper(evidence.regulation) and "区" in ours:  # a zone is a name: its paper has it
        lacks += [] if ours["区"] & numbered(tight(evidence.regulation.text)).get("区", set()) else ["区"]
    return f"所问的{lacks[0]}" if lacks else None


def _graded(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """What is ruled of a thing of one grade says nothing of the same thing of another (水源一级保护区, 二级水源保护区)."""
    passage = evidence.passage
    for asked in GRADE.finditer(text):
        others = (o["of"] == asked["of"] and o["thing"][:2] in asked["thing"] for o in GRADE.finditer(passage))
        if f"{asked['grade']}{asked['of']}" not in passage and any(others) and not GRADES_BEYOND.search(passage):
            return f"“{asked[0]}”"
    return None


def _replaced(text: str, query: Query, evidence: EvidenceText) -> str | None:
    return "由什么替代" if REPLACED.search(text) and not REPLACING.search(evidence.regulation.text) else None


def _voltage(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """A rule for some voltages is none for another: 10千伏及以下, 35千伏 and 110千伏."""
    asked = voltages(text)
    held = voltages(evidence.words) if asked else ()
    met = any(a.overlaps(b) for a in asked for b in held)
    return "所问的电压等级" if asked and held and not met else None


def _place(query: Query, evidence: EvidenceText, rules: Rules) -> list[str]:
    chosen = query.filters.province
    if listed := _listed(query, evidence, rules):
        return listed
    if (law := OWN_LAW.search(query.text)) and law[0] not in evidence.words:
        return [f"{law[0]}的规定"]
    if chosen is None or chosen == "cn":
        return []
    name = rules.province(chosen).name
    between = BETWEEN_PLACES.search(evidence.regulation.title) and evidence.regulation.province != chosen
    if between and not PASSES.search(query.text):
        return [f"{name}的规定"]
    titled = {code for _, code in rules.places_in(evidence.regulation.title)}
    if titled and chosen not in titled:
        return [f"{name}的规定"]
    titled_cities, asked_cities = _cities(evidence.regulation.title, rules), _cities(query.text, rules)
    if titled_cities and asked_cities and not titled_cities & asked_cities:
        return [f"{'、'.join(sorted(asked_cities))}的规定"]
    own = OWN_RULE.search(query.text) is not None
    return [f"{name}自己的规定"] if own and evidence.regulation.province != chosen else []


def _listed(query: Query, evidence: EvidenceText, rules: Rules) -> list[str]:
    """A city that is asked about and missing where others of its province stand side by side."""
    asked = {(w, code) for w, code in rules.places_in(query.text) if w != rules.province(code).name}
    asked |= set(rules.places_in(" ".join(query.cities)))
    if not asked:
        return []
    named = {(w, code) for w, code in rules.places_in(evidence.passage) if w != rules.province(code).name}
    whole = evidence.regulation.text
    if of_paper(evidence.regulation):
        named |= {(w, code) for w, code in rules.places_in(whole) if w != rules.province(code).name}
    for word, code in sorted(asked):
        side = {w for w, other in named if other == code}
        if len(side) >= SIDE_BY_SIDE and word.removesuffix("市") not in whole:
            return [word]
    return []


def _cities(text: str, rules: Rules) -> frozenset[str]:
    """Return the cities a text names: a rule of one is none of another."""
    return rules.cities & {words.removesuffix("市") for words, _ in rules.places_in(text)}

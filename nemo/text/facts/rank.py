"""Level of force (效力级别) and province of a text, from its issuer, number and title."""

import re

from nemo.rules import Rules
from nemo.text.law.history import EventKind, history
from nemo.text.letter.docnumber import STANDARD
from nemo.text.words.flat import flatten
from nemo.types import Evidence, Origin

_RULE_TITLE = re.compile(r"(?:条例|规定|办法|细则|规则|决定|若干规定)(?:（[^）]*）)*$")
_MINISTRY_ORDER = re.compile(r"(?:部|委员会|委|总局|局|署|银行|会)(?:令|公告)第?.*号$")
_GOVERNMENT_ORDER = re.compile(r"(?:省|市|自治区)(?:人民)?政府令")
_LOCAL = re.compile(r"(?!中华人民共和国|国家|国务院)[\u4e00-\u9fa5]{2,8}?(?:省|市|自治区|经济特区|自治州|自治县|盟)")
_COUNCIL = re.compile(r"国务院(?!办公厅|令第?[\d一二三四五六七八九十]+号?的)")


def level_of(text: str, title: str, number: str | None, issuer: str | None) -> Evidence | None:
    """Return the level of force as evidence whose fact is ``level:<code>``, None when nothing tells."""
    shown = flatten(title).text
    if re.search(r"宪法(?:修正案)?$", shown):
        return _evidence("constitution", title)
    numbered = STANDARD.fullmatch(number or "")
    if numbered is not None:
        return _standard(numbered)
    by_issuer = _by_issuer(text, shown, issuer or "")
    if by_issuer is not None:
        return by_issuer
    if number and _GOVERNMENT_ORDER.search(number):
        return _evidence("local_gov_rule", number)
    if number and re.match(r"国务院令|主席令", number):
        return _evidence("admin_regulation" if number.startswith("国务院") else "law", number)
    if number and _MINISTRY_ORDER.search(number) and _RULE_TITLE.search(shown):
        return _evidence("department_rule", number)
    return _by_title(shown, number, issuer)


def _evidence(code: str, words: str, origin: Origin = Origin.TEXT) -> Evidence:
    return Evidence(f"level:{code}", words, origin)


def _by_issuer(text: str, title: str, issuer: str) -> Evidence | None:
    """Statutes: what adopted them decides, and what approved them where a ministry only published them."""
    if issuer.startswith(("最高人民法院", "最高人民检察院")):
        return _evidence("judicial_interpretation", issuer)
    if issuer.startswith("全国人民代表大会"):
        return _evidence("law", issuer)
    if issuer.startswith("国家监察委员会"):
        return _evidence("supervision_regulation", issuer)
    if "人民代表大会" in issuer:
        return _evidence("local_regulation", issuer)
    for event in history(text):
        if event.kind is not EventKind.EFFECTIVE and _COUNCIL.search(flatten(event.words).text):
            return _evidence("admin_regulation", event.words)
    published = any(e.kind is EventKind.PUBLISHED for e in history(text))
    if published and _RULE_TITLE.search(title) and issuer:
        return _evidence(_level_of_rule(issuer, title), issuer)
    return None


def _level_of_rule(issuer: str, title: str) -> str:
    """A rule is one of a ministry or of a people's government; what another local body publishes is none (立法法八十条以下)."""
    if re.search(r"(?:省|市|自治区|自治州)人民政府(?!办公)", issuer):
        return "local_gov_rule"
    local = _LOCAL.match(issuer) or re.search(r"(?:监管局|监管办(?:公室)?)$", issuer)
    return "normative_document" if local or (_LOCAL.match(title) and not issuer.startswith("国")) else "department_rule"


def _standard(match: re.Match[str]) -> Evidence:
    if match["kind"] in ("Q", "T"):
        return _evidence("enterprise_standard", match[0])
    soft = match["soft"] or match["kind"] != "GB"
    return _evidence("recommended_standard" if soft else "mandatory_standard", match[0])


def _by_title(title: str, number: str | None, issuer: str | None) -> Evidence | None:
    """Texts without a note: their title and the form of their number tell, less surely."""
    local = _LOCAL.match(title)
    if number and "〔" in number:
        return _evidence("normative_document", number)
    if re.match(r"中华人民共和国.{1,30}(?<!办)法(?:典)?$", title):
        return _evidence("law", title, Origin.DERIVED)
    if title.endswith("条例") or re.search(r"实施《.+》(?:办法|若干规定|条例|规定)$", title):
        return _evidence("local_regulation" if local else "admin_regulation", title, Origin.DERIVED)
    if title.startswith("中华人民共和国") and _RULE_TITLE.search(title):
        return _evidence("admin_regulation", title, Origin.DERIVED)
    if title.startswith("国务院关于") and re.search(r"(?:规定|办法)$", title):
        return _evidence("admin_regulation", title, Origin.DERIVED)
    if title.startswith(("最高人民法院", "最高人民检察院")):
        return _evidence("judicial_interpretation", title, Origin.DERIVED)
    if issuer or re.search(r"通知|意见|公告|函|通报|方案|批复", title):
        return _evidence("normative_document", issuer or title, Origin.DERIVED)
    return None


def province_of(title: str, number: str | None, issuer: str | None, host: str | None, rules: Rules) -> Evidence:
    """Return the province as evidence whose fact is ``province:<code>``.

    A place in the title decides; then the issuer, the sign of the number where it is no company's, the web host. National bodies issue for the
    whole country unless the title names one province.
    """
    subject = _without_national_bodies(title.split("关于", 1)[-1], rules)
    named = rules.province_in(subject) if not _is_national_statute(title, issuer) else None
    if named is not None:
        return Evidence(f"province:{named}", title, Origin.TEXT)
    if issuer:
        known = [found.province for _, _, found in rules.issuer_words.find(issuer)]
        place = rules.province_in(_without_national_bodies(issuer, rules))
        if place or known:
            return Evidence(f"province:{place or known[0]}", issuer, Origin.TEXT)
    company = (issuer or "").endswith(("公司", "集团"))  # its signs are its own: 青石能事 is no 青海
    sign = rules.province_of_number(number) if number and not company else None
    if sign is not None:
        return Evidence(f"province:{sign}", number or "", Origin.TEXT)
    by_host = rules.province_of_host(host) if host else None
    return Evidence(f"province:{by_host or 'cn'}", host or "", Origin.DERIVED)


_OWN_PLACE = (
    ("省", re.compile(r"[我全本]省|(?<![、各])省(?=发展改革委|发展和改革委|能源局|政府|人民政府|工业和信息化厅)")),
    ("自治区", re.compile(r"[我全本]区|(?<![、省（和或各])自治区(?![、）直])")),
)
"""How a text speaks of the province it belongs to, by the kind of province."""
_LOCAL_BODY = re.compile(r"(?!国家|中国|全国)[\u4e00-\u9fa5]{2,12}?(?:市|县|旗|州|盟|区)[\u4e00-\u9fa5]")
_REGISTERED = re.compile(r"(?P<sign>[\u4e00-\u9fa5])(?:ICP[备证]|公网安备)")
"""The place of a site's registration (备案), by the short name of its province."""


def own_province(text: str, issuer: str, around: str | None, rules: Rules) -> Evidence | None:
    """Return the province that a text without one calls its own (我省, 全区), or that of the local body which issued it.

    It is the only province that the text names, else that of the site's registration. Derived; None where the kind of
    province does not fit. ``around`` is what stands beside a text that rules nothing, None for a rule: that one is local
    by its issuer alone.
    """
    kinds = tuple(kind for kind, said in _OWN_PLACE if said.search(text)) if around is not None else ()
    local = _LOCAL_BODY.match(issuer) is not None
    if not local and not kinds:
        return None
    provinces = {p.code: p for p in rules.provinces if p.code != "cn" and (local or p.full[0].endswith(kinds))}
    named = rules.province_in(_without_national_bodies(text, rules))
    signs = [match["sign"] for match in _REGISTERED.finditer(around or "")]
    signed = next((code for sign in signs for code, p in provinces.items() if sign in p.abbrev), None)
    found = named if named in provinces else signed
    return Evidence(f"province:{found}", "", Origin.DERIVED) if found else None


def _without_national_bodies(words: str, rules: Rules) -> str:
    """Blot out national bodies whose names hold a place: the rules of 北京电力交易中心 are none of 北京."""
    for start, name, issuer in rules.issuer_words.find(words):
        if issuer.province == "cn":
            words = words[:start] + "▮" * len(name) + words[start + len(name) :]
    return words


def _is_national_statute(title: str, issuer: str | None) -> bool:
    return title.startswith("中华人民共和国") or (issuer or "").startswith(("全国人民代表大会", "国务院", "最高人民"))

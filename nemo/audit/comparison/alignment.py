"""Whether every word of a saying is borne out by the provision it retells, and by which passage of it (对应).

A saying is set beside the passages of a provision (each sentence; each item with the words its list opens with). A word
is borne out when it stands there, when it shortens what stands there (运维, of 运行维护), or when the ranker's table of terms,
which was taught how people say what a law says, puts it near to a word there. What the law's own vocabulary has and
neither the article nor the title bears out is no way of telling the rule but another rule, or a machine cannot say.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from nemo.audit.comparison.bodies import SUFFIX, renamed
from nemo.audit.comparison.values import amounts, glossed, within
from nemo.rerank.terms import Terms, read
from nemo.rules import load
from nemo.settings import Settings
from nemo.text.words.quantities import quantities
from nemo.text.words.tokenise import plain_words

_HAN = re.compile("[\u4e00-\u9fa5]+")
_GRADE = re.compile("特别(?:重大|严重)")
"""A grade of its own: 特别重大事故 is no 重大事故."""
_PARTED = re.compile("(?<=后)(?=方可)|(?<=可)(?=视情)|(?<=经)(?=审[查核批定])")
"""Where two words meet that a dictionary reads as another (批准后方可)."""
_FUNCTION = frozenset(
    "的了应当须由向报经可以在其不得予无需并及和或与等对于为是自之日起内按照依据根规定此该本也均都就要把被给再又还会能先另"
)
_ABSOLUTE = re.compile(
    "一律|一概|全额|仅(?!限于?本|[^，。；]{2,60}(?:例外|除外))|随时|(?<![家体民有人业归村])所有(?![者人权制])|一切|(?<!安)全部|凡是?|全年|当即|一经|绝对|无条件|无论|不论|单独|任何(?!单位|个人|人|组织|部门|企业|机构|情形|一方)"
)
"""What makes a rule hold for more, or at once, or without others."""
_LIMITED = re.compile(
    "的[，,]|除|但|为限|下列|符合|具备|需要|重大|较大|或者|[应须]先|经[^，。；]{2,20}(?:批准|同意)|申请|分别|紧急|按照"
)
"""A rule that does not hold always and for all."""
_ANYONE = re.compile("任何(?P<thing>单位|企业|公司|组织|机构)(?![和或、])")
"""What makes a rule hold for others than those it names (任何单位, of 文物收藏单位)."""
_WITHOUT = frozenset(("一律", "一概", "绝对", "无条件", "无论", "不论"))
_EACH = re.compile(
    "(?<![\u4e00-\u9fa5])(?P<thing>(?:(?![、和与及或各])[\u4e00-\u9fa5]){3,14}?)(?:均|都)(?=[应须要必需]|不得|可以)"
)
"""What makes a rule hold for all that its subject names (数据处理者均应)."""
_BEGINS = "(?:^|[，,。；;\\n]|第[^条]{1,6}条[\\s\u3000]*)"
_OPENS_OUTCOME = "(?=$|[^\u4e00-\u9fa5]|[应须不可由必在对将按依开进申向报未有])"
"""Behind a noun that ends there: what follows it is what becomes of it."""
_GATE = re.compile("责令|逾期|拒不|经(?![营济])|批准|同意|方可|情节|转报|报告|通过|先")
"""What is done 直接 skips a step, and is another rule only where the provision has one that the saying does not tell."""
UNNEEDED = re.compile("(?:不用|无需|无须|不必|不需要?)再?$|不再$")
_EXCEPTS = re.compile("但|如果|[^，。；]{0,24}(?:确需|确有必要)")
"""What opens the exception to the sentence before it."""
_THE_REST = re.compile("(?:其他|其余|除此|除[^，。；]{2,30}外，?)[^，。；]{0,20}$")
"""What the exception leaves (其他项目一律禁止)."""
_CONDITION, _ALSO, _UNTOLD = re.compile("([^，,。；;]{2,40}[的时])[，,]"), re.compile("并且|而且|且|同时"), 0.4
"""The case of a rule; what joins its conditions; share of the words of one that leaves it untold."""
_COUNTS = frozenset(("count", "number"))
"""Values that a retelling may put in by itself (一次, 两家)."""
_OTHERS_TOO = re.compile("批准|同意|核准|会同|审[查批核]|[应须]报|监督|向[^，。；]{2,24}申请")
"""Where others take part, to do a thing 自行 is another rule."""
_OF_ALL = frozenset(("所有", "一切", "全部", "凡", "凡是", "任何"))
_EXCEPTED = re.compile("如果|(?:指定|认定|确定)的|未经|但|除[^，。；]{2,40}外|除外|另有|原则上|一般|可以|确需|确有必要")
"""What leaves room where a memo says that there is none."""
_SPOKEN, _RAREST = 8.9, 9.0
"""Rarity (idf) from which on hardly any provision has a word: it is how people speak. Rarity that counts at most."""
_BORNE, _TERM, SHORTENED, _PARTS = 0.43, 0.5, 0.9, 0.6
"""Shares from which on a word, and a term of three characters or more, is borne out; that of one that shortens another; of one whose two halves both stand there."""
_GAP, _NEAR, _BESIDE, _PAIR, _LIKE = 3, 0.05, 0.15, 2, 0.15
_SENTENCES = re.compile("[。；;\n]|，(?=但是?[^，。；]{2,40}(?:应当?|不得|可以|由))")
_LINES = re.compile("[。\n]")
_ITEM = re.compile(r"^\s*[（(]?[一二三四五六七八九十\d]{1,3}[）)、.．]")
_GOES_ON = re.compile("逾期|拒不|情节|造成|构成")
"""What goes on with the rule of the sentence before it."""
_SHORTEST, _HUNDRED = 3, 100
_KIND_OF_BODY = re.compile(SUFFIX)
"""Tells that somebody acts, and not who (机构, of 境外机构)."""


@lru_cache(maxsize=4)
def _words(code: str) -> tuple[str, ...]:
    """Return the words of an entry of the rule data on retelling (转述)."""
    return next(entry.words for entry in load(Settings().rules).retellings if entry.code == code)


@lru_cache(maxsize=1)
def _frame() -> frozenset[str]:
    """Return the words by which any retelling puts its sentences together: they tell nothing of the rule."""
    return frozenset(_words("frame"))


def idle(word: str) -> bool:
    """Tell whether a word tells nothing of a rule, or not enough to tell it from another."""
    return word in _frame() or word in _words("loose")


@lru_cache(maxsize=1)
def _alike() -> dict[str, frozenset[str]]:
    """Return what says the same as a word in a retelling."""
    found: dict[str, frozenset[str]] = {}
    for group in map(str.split, _words("alike")):
        for word in group:
            found[word] = found.get(word, frozenset()) | frozenset(group)
    return found


@lru_cache(maxsize=1)
def _terms() -> Terms:
    return read(Settings().model("ranker-zh"))


@lru_cache(maxsize=8192)
def content(text: str) -> tuple[str, ...]:
    """Return the words of a text that tell what it speaks of, each once: no values, nothing that only joins."""
    text = _PARTED.sub("，", _GRADE.sub("特大", text))
    for value in reversed(quantities(text)):
        text = f"{text[: value.span.start]}，{text[value.span.end :]}"
    found = (w for w in plain_words(text) if _HAN.fullmatch(w) and w not in _frame() and not _FUNCTION.issuperset(w))
    return tuple(dict.fromkeys(found))


def _rarity(word: str) -> float:
    terms = _terms()
    return float(terms.rarity(terms.numbers([word]))[0])


@lru_cache(maxsize=512)
def _known(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the words and characters of a text, and their rows."""
    terms = _terms()
    numbers = terms.numbers(
        [*content(text), *dict.fromkeys(c for c in text if _HAN.fullmatch(c) and c not in _FUNCTION)]
    )
    numbers = numbers[numbers >= 0]
    return numbers, terms.rows(numbers)


@lru_cache(maxsize=65536)
def support(word: str, text: str) -> float:
    """Return how far a text bears a word out (0 to 1)."""
    text = _GRADE.sub("特大", text)
    if any(same in text for same in _alike().get(word, (word,))):
        return 1.0
    if len(word) > 1 and re.search(f".{{0,{_GAP}}}?".join(map(re.escape, word)), text):
        return SHORTENED
    halves = word if len(word) == _PAIR else (word[:_PAIR], word[_PAIR:]) if len(word) == 2 * _PAIR else ()
    parts = _PARTS * sum(half in text for half in halves) / _PAIR
    terms = _terms()
    number, (others, rows) = terms.numbers([word]), _known(text)
    if number[0] < 0 or not len(others):
        return parts
    if parts and len(word) == _PAIR and _kin(word, text):
        return _BORNE
    near = terms.cosines(number, others, rows @ terms.rows(number).T)
    return max(parts, float(near.max()))


def _kin(word: str, text: str) -> bool:
    """Tell whether a text has a word that shares a character with this one and is used like it (强迫, 强制)."""
    terms = _terms()
    near = [w for w in content(text) if len(w) == _PAIR and set(w) & set(word)]
    numbers = terms.numbers([word, *near])
    known = numbers[numbers >= 0]
    if len(known) < _PAIR or numbers[0] < 0:
        return False
    rows = terms.rows(known)
    return bool(terms.cosines(known[:1], known[1:], rows[1:] @ rows[:1].T).max() >= _LIKE)


def rarity(words: Sequence[str]) -> float:
    """Return how rare some words are together."""
    return sum(map(_rarity, words))


def cover(said: tuple[str, ...], text: str) -> float:
    """Return which share of some words a text bears out, weighed by their rarity (0 to 1; 1 of none)."""
    weights = [min(_rarity(w), _RAREST) for w in said]
    borne = sum(weight * support(w, text) for w, weight in zip(said, weights, strict=True))
    return borne / sum(weights) if said else 1.0


@lru_cache(maxsize=256)
def passages(place: str) -> tuple[str, ...]:
    """Return the sentences of a provision, the items of a list each with the words the list opens with."""
    found: list[str] = []
    stem = ""
    for part in filter(None, map(str.strip, _SENTENCES.split(place))):
        if not _ITEM.match(part):
            opens = next((s for s in _LINES.split(place) if s.strip().endswith(part)), part)
            stem = opens.strip() if part.endswith(("：", ":")) else ""
        if found and _GOES_ON.match(part):
            found[-1] += f"；{part}"
        elif len(part) > _SHORTEST:
            found.append(f"{stem}{_ITEM.sub('', part)}" if stem and part != stem else part)
    return tuple(found) or (place,)


def nearest(saying: str, place: str) -> list[str]:
    """Return the passages of a provision that bear out most of a saying, one or those that are as near."""
    said = content(saying)
    scored = [(cover(said, p), p) for p in passages(place)]
    best = max(score for score, _ in scored)
    return [p for score, p in scored if score >= best - _NEAR]


@lru_cache(maxsize=512)
def told_in(saying: str, place: str) -> str:
    """Return the passages of a provision that bear out most of a saying, nearly the best included; all of it where none surely does.

    Several sentences may tell several rules: they are set beside the whole provision.
    """
    told = content(saying)
    if len(told) < _PAIR or sum(bool(content(part)) for part in _SENTENCES.split(saying)) > 1:
        return place
    whole: list[str] = []
    for passage in passages(place):  # a rule with its exception
        whole = [*whole[:-1], f"{whole[-1]}，{passage}"] if whole and passage.startswith("但") else [*whole, passage]
    scored = [(cover(told, passage), passage) for passage in whole]
    best = max(score for score, _ in scored)
    return "。\n".join(passage for score, passage in scored if score >= best - _BESIDE) if best >= _PARTS else place


def _of_some(thing: str, near: str, ends: str = _OPENS_OUTCOME) -> bool:
    """Tell whether passages have a thing only with words in front of it that say which (矿山建设项目, 重要数据的处理者)."""
    there = near.replace("的", "")
    found = [m.start() for m in re.finditer(f"{re.escape(thing)}{ends}", there)]  # a thing with 的 says which
    return bool(found) and all(
        at and _HAN.match(there[at - 1]) and not (ends and there[at - 1] in "由经向对和与及或为在") for at in found
    )


def _widens(match: re.Match[str], near: str, held: str) -> bool:
    """Tell whether a word makes a rule hold for more than the passages do."""
    word, rest = match[0], match.string[match.end() :].lstrip("的")
    thing = next((rest[:n] for n in range(len(rest), _PAIR, -1) if rest[:n] in near), rest[:_PAIR])  # all that it names
    if (
        UNNEEDED.search(match.string[: match.start()])
        or _THE_REST.search(match.string[: match.start()])
        or word in near
        or f"{word}{thing}" in held
        or (word in _OF_ALL and re.search(f"{_BEGINS}{re.escape(thing)}{_OPENS_OUTCOME}", near))
    ):
        return False
    if word in _OF_ALL and (_of_some(thing, near) or _of_some(thing, near, "")):
        return True
    parts = [part for case in _CONDITION.findall(near) for part in _ALSO.split(case)]
    if word in _WITHOUT and any(cover(content(part), match.string) < _UNTOLD for part in parts):
        return True  # 一律地下敷设, of 条件许可的，应当地下敷设
    return (_EXCEPTED if word in _WITHOUT else _LIMITED).search(near) is not None


def unborne(saying: str, context: str, topics: str = "") -> list[str]:
    """Return the words of a saying that the law uses and its provision does not bear out.

    Args:
        saying: The memo's words.
        context: The whole cited article.
        topics: What the text speaks of throughout, with its title.
    """
    said, held = renamed(saying), renamed(context)
    return [
        w
        for w in content(said)
        if len(w) > 1
        and w not in topics
        and not _KIND_OF_BODY.fullmatch(w)
        and not idle(w)
        and _rarity(w) < _SPOKEN
        and support(w, held) < (_BORNE if len(w) == _PAIR else _TERM)
    ]


def added(saying: str, context: str, cited: str = "") -> list[str]:
    """Return what a saying adds to a rule and so makes of it another: values, how it is done, that it holds for all.

    Args:
        saying: The memo's words.
        context: The whole cited article.
        cited: The part of it that is cited, where not all of it is: it alone has the values.
    """
    said, held = renamed(saying), renamed(context)
    told = nearest(said, held)
    told += [then for one, then in pairwise(passages(held)) if one in told and _EXCEPTS.match(then)]
    near = "\n".join(told)
    wide = [m[0] for m in _ABSOLUTE.finditer(said) if _widens(m, near, held)]
    wide += [m[0] for m in _EACH.finditer(said) if _of_some(m["thing"], near)]
    wide += [m[0] for m in _ANYONE.finditer(said) if "任何" not in held and _of_some(m["thing"], near)]
    alone = _OTHERS_TOO.search(near) is not None
    manner = [
        w
        for w in _words("manner")
        if w in said
        and support(w, held) < SHORTENED
        and not UNNEEDED.search(said[: said.find(w)])
        and (alone or w != "自行")
        and (w != "直接" or any(gate not in said for gate in _GATE.findall(near)))
    ]
    return list(dict.fromkeys([*_unknown(said, renamed(cited) or held), *wide, *manner]))


def _unknown(said: str, held: str) -> list[str]:
    """Return the values of a saying that its provision does not have, but such as a memo glosses (一天（24小时）)."""
    known, own = amounts(held), amounts(said)
    same = {value.same for value in known}
    same |= {(n / _HUNDRED, "倍") for n, unit in same if unit == "%"} | {
        (n * _HUNDRED, "%") for n, unit in same if unit == "倍"
    }
    strange = ((n, v) for n, v in enumerate(own) if v.kind not in _COUNTS and v.same not in same)
    told = ((n, v) for n, v in strange if not (within(held, v, said) or glossed(said, v, own[n + 1 :], known)))
    return [v.span.of(said) for _, v in told if not re.search("[+A-Za-z]$", said[: v.span.start])]

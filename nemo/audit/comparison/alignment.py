"""Whether every word of a saying is borne out by the provision it retells, and by which passage of it (对应).

A saying is set beside the passages of a provision (each sentence; each item with the words its list opens with). A word
is borne out when it stands there, when it shortens what stands there (运维, of 运行维护), or when the ranker's table of terms,
which was taught how people say what a law says, puts it near to a word there. What the law's own vocabulary has and
neither the article nor the title bears out is no way of telling the rule but another rule, or a machine cannot say.
"""

import re
from functools import lru_cache

import numpy as np

from nemo.audit.comparison.bodies import renamed
from nemo.audit.comparison.values import amounts, glossed, within
from nemo.rerank.terms import Terms, read
from nemo.settings import Settings
from nemo.text.words.quantities import quantities
from nemo.text.words.tokenise import plain_words

_HAN = re.compile("[\u4e00-\u9fa5]+")
_FUNCTION = frozenset(
    "的了应当须由向报经可以在其不得予无需并及和或与等对于为是自之日起内按照依据根规定此该本也均都就要把被给再又还会能"
)
_FRAME_WORDS = (
    "应当 应该 必须 可以 不得 不能 不准 不许 或者 以及 对于 关于 按照 依照 根据 依据 规定 有关 相关 以上 以下 以内 之内 之前 以前 之后 以后 之外 以外 进行 予以 "
    "就是 只有 只要 只能 如果 没有 还有 同时 并且 而且 但是 不过 其中 各自 自己 他人 所称 本条例 包括 属于 的话 时候 这些 那些 一个 的 任何 任何人 原则 原则上 至少 "
    "至多 最高 最低 最多 最少 最长 最晚 最迟 期间 阶段 特别 导致 出现 超出 超过 结束 完成 考虑 从严 情节 严重 我国 单位 企业 县级 分别 两个 需要 可能 其他 不是 因此 "
    "方式 情况 情形 要求 必要 具体 相应 及时 遇到 碰到 接到 收到 认为 作出 做出 知道 确实 确需 否则 例外 此限 说明 负责 牵头 提交 提出 影响 实施 开展 采取 "
    "不到 决定 不用 即可 重新 出具 一定 才能 放在 经过 通过 什么 当作 一批 个人 当事人 每个 不在 禁止 严禁 发现 取得 办理 处理 相关 组织 参加 双方 一方 有权 享有 仍然 一并 分别 统一 专门 此外 另外 依法 "
    "一律 一概 所有 一切 全部 全年 随时 一经 当即 自行 单独 直接 互相 前提"
)
_FRAME = frozenset(_FRAME_WORDS.split())
"""Words by which any retelling puts its sentences together: they tell nothing of the rule."""
_ABSOLUTE = re.compile(
    "一律|一概|仅(?!限于?本)|随时|所有|一切|全部|凡是?|全年|当即|一经|绝对|无条件|自行|单独|只有|任何(?!单位|个人|人|组织|部门|企业|机构|情形)"
)
"""What makes a rule hold for more, or at once, or without others."""
_LIMITED = re.compile(
    "的[，,]|除|但|下列|符合|具备|需要|重大|较大|或者|[应须]先|经[^，。；]{2,20}(?:批准|同意)|申请|分别|紧急|按照"
)
"""A rule that does not hold always and for all."""
_WITHOUT = frozenset(("一律", "一概", "绝对", "无条件"))
_COUNTS = frozenset(("count", "number"))
"""Values that a retelling may put in by itself (一次, 两家)."""
_OF_ALL = frozenset(("所有", "一切", "全部", "凡", "凡是", "任何"))
_EXCEPTED = re.compile("未经|但|除[^，。；]{2,40}外|除外|另有|原则上|一般|可以")
"""What leaves room where a memo says that there is none."""
_SPOKEN, _RAREST = 8.9, 9.0
"""Rarity (idf) from which on hardly any provision has a word: it is how people speak. Rarity that counts at most."""
_BORNE, _TERM, _SHORTENED, _PARTS = 0.43, 0.5, 0.9, 0.6
"""Shares from which on a word, and a term of three characters or more, is borne out; that of one that shortens another; of one of two characters that both stand there."""
_GAP, _NEAR, _PAIR = 3, 0.05, 2
_SENTENCES = re.compile("[。；;\n]")
_ITEM = re.compile(r"^\s*[（(]?[一二三四五六七八九十\d]{1,3}[）)、.．]")
_GOES_ON = re.compile("逾期|拒不|情节|造成|构成")
"""What goes on with the rule of the sentence before it."""
_SHORTEST = 3


@lru_cache(maxsize=1)
def _terms() -> Terms:
    return read(Settings().model("ranker-zh"))


@lru_cache(maxsize=8192)
def content(text: str) -> tuple[str, ...]:
    """Return the words of a text that tell what it speaks of, each once: no values, nothing that only joins."""
    for value in reversed(quantities(text)):
        text = f"{text[: value.span.start]}，{text[value.span.end :]}"
    found = (w for w in plain_words(text) if _HAN.fullmatch(w) and w not in _FRAME and not _FUNCTION.issuperset(w))
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
    if word in text:
        return 1.0
    if len(word) > 1 and re.search(f".{{0,{_GAP}}}?".join(map(re.escape, word)), text):
        return _SHORTENED
    parts = _PARTS * sum(c in text for c in word) / _PAIR if len(word) == _PAIR else 0.0
    terms = _terms()
    number, (others, rows) = terms.numbers([word]), _known(text)
    if number[0] < 0 or not len(others):
        return parts
    near = terms.cosines(number, others, rows @ terms.rows(number).T)
    return max(parts, float(near.max()))


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
            stem = part if part.endswith(("：", ":")) else ""
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


def _widens(match: re.Match[str], near: str) -> bool:
    """Tell whether a word makes a rule hold for more than the passages do."""
    word, thing = match[0], match.string[match.end() :].lstrip("的")[:_PAIR]
    if word in near or (
        word in _OF_ALL and re.search(f"(?:^|[，,。；;\\n]|第[^条]{{1,6}}条[\\s\u3000]*){re.escape(thing)}", near)
    ):
        return False
    return (_EXCEPTED if word in _WITHOUT else _LIMITED).search(near) is not None


def unborne(saying: str, context: str, topics: str = "") -> list[str]:
    """Return the words of a saying that the law uses and its provision does not bear out, and those that widen it.

    Args:
        saying: The memo's words.
        context: The whole cited article.
        topics: What the text speaks of throughout, with its title.
    """
    said, held = renamed(saying), renamed(context)
    near = "\n".join(nearest(said, held))
    strange = [
        w
        for w in content(said)
        if len(w) > 1 and _rarity(w) < _SPOKEN and support(w, held) < (_BORNE if len(w) == _PAIR else _TERM)
    ]
    wide = [m[0] for m in _ABSOLUTE.finditer(said) if _widens(m, near)]
    return [w for w in strange if w not in topics] + wide + _unknown(said, held)


def _unknown(said: str, held: str) -> list[str]:
    """Return the values of a saying that its provision does not have, but such as a memo glosses (一天（24小时）)."""
    known, own = amounts(held), amounts(said)
    same = {value.same for value in known}
    strange = ((n, v) for n, v in enumerate(own) if v.kind not in _COUNTS and v.same not in same)
    told = ((n, v) for n, v in strange if not (within(held, v, said) or glossed(said, v, own[n + 1 :], known)))
    return [v.span.of(said) for _, v in told if not re.search("[+A-Za-z]$", said[: v.span.start])]

"""Whose value a sentence states: what is asked of one thing is no answer where it is stated of its neighbour (值之所属).

A paragraph of a paper states several values side by side (充电站…连续奖补不超过3年；换电站…), and all words of a question may
stand in it though no sentence joins them. So each sentence is read as a frame, who or what · under what condition · which
quantity · value, and a sentence that states a value of the asked kind has to be the one on the thing that is asked of.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from nemo.answer.judgement import coverage, values
from nemo.answer.judgement.surroundings import EvidenceText, tight
from nemo.rerank import quantities
from nemo.text.words.tokenise import tagged

SENTENCE, CLAUSE = re.compile("([^。；;\n]+)([。；;\n]?)"), re.compile("[^,，]+")
GOES_ON = re.compile("超过|逾期|但|其中|拒不|情节|仍|并")
"""A part that goes on with the one before it, and is no item of its own."""
NUMBERING = re.compile(r"^[\s(（]*(?:[一二三四五六七八九十]{1,3}[)）、.．]|\d{1,2}(?:\.\d{1,2})*(?!\d)[)）、.．]?)")
HEADED = re.compile(rf"{coverage.HAN}{{1,8}}(?:[(（](?=[^)）]{{0,20}}月)|季[:：])")
"""A head of what stands behind it, up to the next one (大风季（1月至5月）, 夏季：)."""
WHETHER = re.compile("能不能|可不可以|可否|能否|是否|是不是|吗|(?<![怎什这那])么")
"""Asks whether, and no value."""
FINED = re.compile("罚")
"""Asks what an act costs: a fine is set for acts in the general words of its paper (造成监测数据失真的)."""
OF_WHAT_KIND = re.compile("什么|哪些|哪[类种]")
ASKING = re.compile(
    f"{coverage.ASKING.pattern}|{coverage.END.pattern}|几|多少|怎么(?=[加减收扣补])|什么(?={coverage.HAN}{{2}})"
)
"""Asks for a value or how something is ruled; words in a row ask for no value of one of them."""
BEGINS = re.compile(
    f"(?:(?![由向经报对为]){coverage.HAN}){{0,8}}?(?:公司|企业|单位|部门|机构|用户|主体|中心|[局委厅]|[省市县]级)"
)
"""Somebody at the beginning of a clause."""
NEGATED = re.compile("非([\u4e00-\u9fff]{2})")
"""非居民 is another than 居民."""
OF_PLACE = re.compile("[前后内外中上下里间]")
TELLS = frozenset(("n", "b", "a", "j", "t", "nz", "nr", "vn"))
"""Tags of words that surely do before a noun; others do where the paper has both together."""
CONTENT = "nvajlbzts"
"""Tags of words that may tell one thing from another."""
EVENT = re.compile("[\u4e00-\u9fff]{2}(?=(?:之|以)?[前后](?:的|[,，]))")
"""What comes before or after that of which the value is asked (初审之后的复核): another sentence may name it."""
PAIR = re.compile("[\u4e00-\u9fff]{2}")
ON_TOPIC = 0.5
"""Share of what a topic says that the question says too, from which it is on the same."""


class Frame(NamedTuple):
    """A sentence that states a value, with all else that its passage says (folded)."""

    own: str
    given: str
    """What holds of every sentence: title, headings, the sentences before it that state nothing."""
    others: tuple[str, ...]
    """The other sentences."""

    @property
    def scope(self) -> str:
        """All that says what it is on."""
        return f"{self.given} {self.own}"


def crossed(asked: str, evidence: EvidenceText) -> str | None:
    """Return the word for what a paper states the asked value of another than, None where a sentence states it of what is asked of.

    ``asked`` is the folded question without the names of texts.
    """
    other = WHETHER.search(asked) or FINED.search(asked) or coverage.ACTOR_ASKED.search(OF_WHAT_KIND.sub(" ", asked))
    if evidence.around or other or not ASKING.search(asked) or not coverage.of_paper(evidence.regulation):
        return None
    heads = HEADED.findall(evidence.passage)
    if coverage.CLOCK_ASKED.search(asked) and (heads or not coverage.CLOCK.search(evidence.passage)):
        return _under_another_head(asked, heads, evidence.passage)  # without any time, values.clock says so
    found = []
    for frame in _nearest(asked, _stating(asked, _near(asked), evidence)):
        said = next(filter(None, (rule(asked, frame, evidence) for rule in RULES)), None)
        if said is None:
            return None
        found.append(said)
    return found[0] if found else None


def _under_another_head(asked: str, heads: Sequence[str], passage: str) -> str | None:
    """Return the word that is asked and is not over the time of day: a head (大风季（1月至5月）：高峰…；低谷…) goes on over its clauses."""
    lead, head, scopes = passage.partition(heads[0])[0] if heads else "", "", []
    for part in re.split("[。;；,，]", passage):
        head = next(reversed(HEADED.findall(part)), head)
        if coverage.CLOCK.search(part):
            scopes.append(f"{head} {part}")
    marks = [mark for mark in _marks(asked) if mark not in lead and any(mark in scope for scope in scopes)]
    lacking = [[mark for mark in marks if mark not in scope] for scope in scopes]
    return min(lacking, key=len)[0] if lacking and all(lacking) else None


def saying_most(asked: str, clauses: Sequence[str]) -> list[str]:
    """Return the clauses (folded) that hold most of the words by which a folded question tells one thing from another."""
    said = [sum(mark in clause for mark in _marks(asked)) for clause in clauses]
    return [clause for clause, count in zip(clauses, said, strict=True) if count == max(said)]


def _nearest(asked: str, frames: Sequence[Frame]) -> list[Frame]:
    """Return the sentences that say most of what is asked; 非居民 says nothing of 居民."""
    marks = _marks(asked)

    def said(frame: Frame) -> int:
        scope = NEGATED.sub(lambda found: found[0] if found[0] in asked else " ", frame.scope)
        return sum(mark in scope for mark in marks)

    most = max(map(said, frames), default=0)
    return [frame for frame in frames if said(frame) == most]


def _parts(sentence: str) -> list[str]:
    """Return a sentence cut where behind somebody's value another begins (县级…5个工作日内初审，市级…10个工作日内复审)."""
    parts: list[str] = []
    for clause in CLAUSE.findall(sentence):
        last = parts[-1] if parts else ""
        begun = BEGINS.match(last) and quantities.stated(last).any() and values.FIGURED.search(last)
        if begun and BEGINS.match(clause) and tagged(clause)[0][1][:1] in CONTENT:
            parts.append(clause)
        else:
            parts[-1:] = [",".join((*parts[-1:], clause))]
    return parts


def _stating(asked: str, near: str, evidence: EvidenceText) -> list[Frame]:
    """Return the sentences that state a value of the asked kind, or any of the quantity that is asked."""
    sides = [
        (part, mark) for s, mark in SENTENCE.findall(evidence.passage) for part in _parts(NUMBERING.sub("", s.strip()))
    ]
    sentences = [part for part, _ in sides]
    stated = [(quantities.stated(s) > 0) & (values.FIGURED.search(s) is not None) for s in sentences]
    wanted, counted = quantities.wanted(asked), values.COUNTED.search(asked)
    unit = re.compile(
        values.UNIT_WORDS["元" if counted["unit"].endswith("元") else counted["unit"]] if counted else "(?!)"
    )
    figured = [bool(np.delete(s, quantities.NAMES.index("count")).any()) for s in stated]
    held = [m for m in _marks(asked) if m in evidence.passage and m not in evidence.under]
    known = wanted.any() or counted is not None

    def answers(at: int) -> bool:
        """Tell whether a sentence states the kind, or whatever of all that is asked of."""
        said = sentences[at]
        by_kind = (wanted & stated[at]).any() or unit.search(said)
        of_it = near in said and (figured[at] or OF_WHAT_KIND.search(asked)) if near else False
        whole = held and all(m in said for m in held) and values.FIGURED.search(said)
        nowhere = OF_WHAT_KIND.search(asked) and near not in evidence.passage
        return bool(by_kind or of_it or whole or nowhere or (not known and figured[at]))

    kinds = [at for at in range(len(sentences)) if answers(at)]
    if counted:
        kinds = [at for at in kinds if unit.search(sentences[at])] or kinds
    elif wanted[values.KIND["count"]]:
        kinds = [at for at in kinds if (wanted & stated[at]).any()] or kinds
    none = [at for at, said in enumerate(sentences) if values.EXCEPTED.search(said)] if kinds else []
    for bound, fits in ((values.MOST_ASKED, values.MOST_STATED), (values.LEAST_ASKED, values.LEAST_STATED)):
        kinds = [at for at in kinds if fits.search(sentences[at])] or kinds if bound.search(asked) else kinds
    out = []
    for at in dict.fromkeys((*kinds, *none)):
        on = GOES_ON.match(sentences[at])
        lead = _leading(s for n, (s, mark) in enumerate(sides[:at]) if not stated[n].any() and (on or mark != ";"))
        others = tuple(s for n, s in enumerate(sentences) if n != at)
        out.append(Frame(sentences[at], f"{evidence.under} {lead}", others))
    return out


def _leading(sentences: Iterable[str]) -> str:
    """Return sentences without the clauses that name several things side by side: none of them is what all behind is on."""
    return " ".join(c for s in sentences for c in CLAUSE.findall(s) if "、" not in c)


def _negated(asked: str, frame: Frame, evidence: EvidenceText) -> str | None:
    """非居民 is asked and 居民 stated, or the other way round."""
    for word in NEGATED.findall(asked):
        if f"非{word}" not in frame.scope and word in frame.scope:
            return f"非{word}"
    plain = NEGATED.sub(" ", frame.own)
    return next((w for w in NEGATED.findall(frame.own) if w in NEGATED.sub(" ", asked) and w not in plain), None)


def _modified(asked: str, frame: Frame, evidence: EvidenceText) -> str | None:
    """The noun that is asked of stands with another word before it (旋转备用 for 停机备用)."""
    whole = tight(evidence.regulation.text)
    words = [w for w in _paired(coverage.ASKING.sub("|", coverage.NAMES.sub(" ", asked))) if w[0] != "的"]
    for (one, tag), (noun, kind) in pairwise(words):
        told = one if len(one) > 1 else one + noun
        said = tag == coverage.SINGLES and one in whole and not any(map(coverage.NO_PART.match, one))
        apart = len(one) > 1 and (tag in TELLS or said) and (tag, kind) != ("n", "v")  # 房子租给 is no kind of 租给
        if (
            not (apart or one + noun in whole)
            or tag[:1] not in CONTENT
            or kind[:1] not in "nvjb"
            or len(noun) < 2
            or not PAIR.match(told)
        ):
            continue
        if (one != "一般" and _of_no_matter(one)) or _of_no_matter(noun) or OF_PLACE.fullmatch(one):
            continue
        if told in frame.scope or coverage.short_for(told, frame.own):
            continue
        places = [found.start() for found in re.finditer(re.escape(noun[:2]), frame.own)]
        if places and all(_led_by_another(frame.own[:at], one, noun, asked) for at in places):
            return one + noun
    return None


def _paired(text: str) -> list[tuple[str, str]]:
    """Return tagged words with each two neighbouring single characters in one (离网, 户用, 保函)."""
    out: list[tuple[str, str]] = []
    for word, tag in coverage.halved(tagged(text)):
        last = out[-1][0] if out else ""
        if len(word) == len(last) == 1 and PAIR.match(last + word) and word not in coverage.LEADS:
            out[-1] = (last + word, coverage.SINGLES)
        else:
            out.append((word, tag))
    return out


def _led_by_another(before: str, one: str, noun: str, asked: str) -> bool:
    """Tell whether a word stands right before a noun that the question does not say, and that is none for ``one``.

    发电企业 are 电力企业; 红色 and 黄色, 保证 and 保函 share a character in the same place and are told apart.
    """
    word, tag = next(reversed(_paired(before[-10:])), ("", ""))
    if len(word) < min(len(one), 2) or tag[:1] not in f"{CONTENT}f" or _of_no_matter(word):
        return False
    told = one if len(one) > 1 else one + noun
    akin = any(c in told and not OF_PLACE.match(c) and c not in _same(word, one) for c in word)
    return not akin and word[:2] not in asked


def _same(word: str, told: str) -> set[str]:
    """Return the characters that two words both begin or both end with."""
    return {a for a, b in ((word[0], told[0]), (word[-1], told[-1])) if a == b} if word != told else set()


def _on_another(asked: str, frame: Frame, evidence: EvidenceText) -> str | None:
    """A sentence is on another thing, and what is asked of stands in one beside it."""
    near, marks = _near(asked), [m for m in _marks(asked) if m not in evidence.under]
    for topic in _topics(frame.own):
        said = [m for m in _marks(topic) if m != near and m not in evidence.under]
        if (
            not said
            or any(m in topic for m in marks if m != near)
            or sum(m in asked for m in said) >= ON_TOPIC * len(said)
        ):
            return None
    events = EVENT.findall(asked)
    lacking = [m for m in marks if m not in events and m not in frame.scope and not coverage.short_for(m, frame.scope)]
    return next((m for m in lacking if any(m in s for s in frame.others)), None)


def _topics(sentence: str) -> list[str]:
    """Return what a sentence is on: its first clause, and each that states a value of a subject of its own."""
    first, *rest = CLAUSE.findall(sentence) or [""]
    return [first, *(c for c in rest if quantities.stated(c).any() and tagged(c)[0][1].startswith(("n", "j", "a")))]


def _governed(asked: str, frame: Frame, evidence: EvidenceText) -> str | None:
    """The quantity or the act that is asked stands in another sentence; behind a bare subject (供电局几天给方案) the act comes last."""
    behind = _marks(asked[found.end() :]) if (found := coverage.ASKING.search(asked)) else ()
    if behind and len(_marks(_before(asked))) == 1 and all(m in frame.scope for m in behind):
        return None
    marks = [m for m in _marks(_before(asked)) if m not in frame.given]
    return next((m for m in marks[-1:] if m not in frame.scope and any(m in s for s in frame.others)), None)


def _before(asked: str) -> str:
    text = coverage.NAMES.sub(" ", asked)
    found = coverage.ASKING.search(text)
    return re.split("[,;:，。；：？?]", text[: found.start()])[-1] if found else ""


@lru_cache(256)
def _near(asked: str) -> str:
    """Return the mark nearest to the asking word: the quantity or the act that is asked."""
    kind = OF_WHAT_KIND.search(asked)
    marks = _marks(_before(asked))[-1:] or (_marks(asked[kind.end() :])[:1] if kind else ())
    return marks[0] if marks else ""


@lru_cache(2048)
def _marks(text: str) -> tuple[str, ...]:
    """Return the first two characters of each word of a folded text that may tell one thing from another (换电 of 换电站)."""
    rest = coverage.NAMES.sub(" ", text)
    for pattern in (coverage.ASKING, coverage.FILLING, coverage.LIGHT):
        rest = pattern.sub("|", rest)
    words, found, single = coverage.joined(tagged(rest)), [], False
    for (word, tag), (behind, _) in zip(words, [*words[1:], ("", "")], strict=False):
        alone = len(word) == 1 and (single or coverage.NO_PART.match(word) is not None or len(behind) < 2)
        if (tag[:1] in CONTENT or tag == coverage.SINGLES) and not alone and PAIR.match(word + behind):
            found.append((word + behind)[:2])
        single = len(word) == 1
    return tuple(dict.fromkeys(found))


def _of_no_matter(word: str) -> bool:
    return (
        any(p.fullmatch(word) for p in (coverage.FILLING, coverage.LIGHT, values.EXCEPTED))
        or OF_PLACE.fullmatch(word) is not None
        or coverage.NO_PART.fullmatch(word) is not None
    )


RULES: tuple[Callable[[str, Frame, EvidenceText], str | None], ...] = (
    _negated,
    _modified,
    _on_another,
    _governed,
)

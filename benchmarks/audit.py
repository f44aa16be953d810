"""Recall and precision of the memo audit on seeded errors: ``python -m benchmarks.audit [--library DIR] [--seed N]``.

Writes memos of its own over the samples (or over any library, texts read at run time only), puts errors of every kind
and correct citations into them, audits them and counts. The seed is fixed; memos of odd number are the held-out half.
A finding is right when it overlaps the seeded place and has the seeded verdict.
"""

import argparse
import datetime as dt
import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nemo import settings
from nemo.audit import MemoVerdict
from nemo.audit.memo import Memo
from nemo.engine import Engine
from nemo.text.words.numerals import parse_number, to_chinese
from nemo.types import Level, Provision, Regulation

DAY = dt.date(2026, 11, 20)
SEED = 19
_SENTENCE = re.compile(r"[^。；\n]{16,90}。")
_VALUE = re.compile(
    r"(?<![一二三四五六七八九十百月])([一二三四五六七八九十]{1,3})(个工作日|个月|日内|日前|年|万元|小时)"
)
_ACTS = re.compile(r"由([\u4e00-\u9fa5]{2,14}?(?:主管部门|机构))(?=责令|组织|负责|审查|批准|核准|制定|公布|会同)")
_BODIES = ("公安机关", "渔业主管部门", "税务机关", "行业协会单位")
_BOUND = re.compile(r"不得?(少于|低于|超过|高于)(?=[一二三四五六七八九十百\d])")
_MODALS = (("应当", "可以"), ("不得", "可以"), ("可以", "应当"))
_FINE = re.compile(r"([一二三四五六七八九十]{1,3})(万元|倍)以上([一二三四五六七八九十]{1,3})\2以下")
_GRAVER = ("加倍处罚", "从重处罚", "减半处罚", "减轻处罚", "加重处罚")
_EXCEPT = re.compile(r"除[^。，]{4,60}外，(?![^。，]*[还也])(?P<rest>[^。，]*?)(?P<force>应当|不得)")
_LEAVE = re.compile(
    r"(?:(?:应当|须|需)(?:报请?|经)|(?<=，)(?:报请?|经))[^，。；、的]{2,30}?(?:批准|同意|核准|审批)(?:后|后方可)?(?=[，。])"
)
_RETELLINGS = tuple(
    (re.compile(pattern), forms)
    for pattern, forms in (
        (
            r"([一二三四五六七八九十百\d]{1,4})(万元|元|倍)以上([一二三四五六七八九十百\d]{1,4})\2以下的?",
            (r"\1\2至\3\2", r"\1至\3\2", r"\1\2到\3\2"),
        ),
        (r"应当", ("应", "须", "要", "必须")),
        (r"(?<=部门)可以(?![并处])", ("可", "有权")),
        (r"(?<![许认])可以", ("可",)),
        (r"不得", ("不能", "不可以")),
        (r"县级以上(?:地方)?人民政府(?=[^，。；、和或]{2,16}(?:主管|行政)[^，。；、]{0,4}部门)", ("", "县级以上政府")),
        (r"人民政府", ("政府",)),
        (r"省、自治区、直辖市(?=人民政府)", ("省级",)),
        (r"(?:主管|行政管理|监督管理)部门", ("部门",)),
        (r"(?<![，。；])或者", ("或",)),
        (r"之日起", ("起",)),
        (r"并处", ("另处", "同时处以")),
        (r"^违反本(?:条例|法|办法|规定)(?:第[^，。]{1,12})?(?:的?规定)?，", ("",)),
        (r"未经([^，。；的]{2,16})(批准|同意|许可)", (r"没有\1\2",)),
        (
            r"([一二三四五六七八九十]{1,3})(日|个工作日|年|个月)(?=内|前|以上|以下|。|，)",
            (lambda m: f"{parse_number(m[1])}{m[2]}",),
        ),
        (r"以及", ("和",)),
        (r"逾期不改正", ("逾期未改正", "到期不改")),
    )
)
"""What a retelling writes for what the law writes, and says the same."""
_ALIEN = ("某某省电网接入特别条例", "区域电力现货容量补偿办法", "跨境绿证核发细则", "分散式制氢并网规定")


@dataclass
class SeededMemo:
    """A memo under construction and what stands in it."""

    lines: list[str] = field(default_factory=list)
    seeds: list[tuple[str, str, MemoVerdict]] = field(default_factory=list)
    """(sentence, kind, verdict)."""

    def add(self, kind: str, sentence: str, verdict: MemoVerdict) -> None:
        """Put one sentence in a line of its own."""
        self.seeds.append((sentence, kind, verdict))
        self.lines.append(sentence)


@dataclass(frozen=True)
class Material:
    """The regulations to write about."""

    current: list[Regulation]
    ended: list[Regulation]

    def article(self, rng: random.Random, fits: Callable[[str], bool] = bool) -> tuple[Regulation, Provision, str]:
        """Return a text, one of its articles and a whole sentence of it that fits."""
        while True:
            regulation = rng.choice(self.current)
            articles = [p for p in regulation.walk() if p.level is Level.ARTICLE]
            if len(articles) < 4:
                continue
            article = rng.choice(articles[1:])
            found = [s for s in _sentences(regulation, article) if fits(s) and regulation.text.count(s) == 1]
            if found:
                return regulation, article, rng.choice(found)

    def has(self, fits: Callable[[str], bool]) -> bool:
        """Tell whether :meth:`article` would find a sentence that fits."""
        texts = ((r, [p for p in r.walk() if p.level is Level.ARTICLE]) for r in self.current)
        found = (
            s for r, own in texts if len(own) >= 4 for p in own[1:] for s in _sentences(r, p) if r.text.count(s) == 1
        )
        return any(fits(s) for s in found)

    def told_before(self, words: str) -> bool:
        """Tell whether all sentences of some words stand in one article of a text that ended: they are its words, and no error."""
        parts = [part for part in re.split("[；。]", words) if part]
        near = (old for old in self.ended if all(part in old.text for part in parts))
        articles = (p.span.of(old.text) for old in near for p in old.walk() if p.level is Level.ARTICLE)
        return any(all(part in article for part in parts) for article in articles)


def _sentences(regulation: Regulation, article: Provision) -> Iterator[str]:
    body = article.span.of(regulation.text)
    head = article.number
    for match in _SENTENCE.finditer(body):
        words = match[0].strip().removeprefix(head).strip()
        opens = match.start() == 0 or body[match.start() - 1] in "。\n"
        if opens and len(words) >= 16 and not re.search(r"^(?:但|前款|（|除)|[“”\s]|《", words):
            follows = body[match.end() : match.end() + 4].lstrip()
            if not follows.startswith("但"):
                yield words


def _name(regulation: Regulation) -> str:
    return re.sub(r"（演示文本）", "", regulation.title)


def _number(article: Provision, rng: random.Random) -> str:
    number = article.number
    if rng.random() < 0.3 and (value := parse_number(number.strip("第条"))):
        return f"第{value}条"
    return number


def _cite(name: str, where: str, words: str, rng: random.Random) -> str:
    """Return one of the ways in which memos quote."""
    forms = (
        f"《{name}》{where}规定：“{words}”",
        f"根据《{name}》{where}，“{words}”",
        f"“{words}”（《{name}》{where}）。",
        f"依据《{name}》{where}的规定，{words}",
        f"{words[:-1]}（见《{name}》{where}）。",
        f"《{name}》{where}明确，{words}",
    )
    return rng.choice(forms)


def _quoted(name: str, where: str, words: str, rng: random.Random) -> str:
    return rng.choice(
        (
            f"《{name}》{where}规定：“{words}”",
            f"“{words}”（《{name}》{where}）。",
            f"按照《{name}》{where}“{words}”的要求办理。",
        )
    )


def correct(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A citation with nothing wrong."""
    regulation, article, words = material.article(rng)
    kind = rng.randrange(5)
    name, where = _name(regulation), _number(article, rng)
    if kind == 0:
        memo.add("correct", f"本项目已按《{name}》{where}的要求办理。", MemoVerdict.MATCH)
    elif kind == 1 and regulation.document_number:
        memo.add("correct", f"另见《{name}》（{regulation.document_number}）{where}。", MemoVerdict.MATCH)
    else:
        memo.add("correct", _cite(name, where, words, rng), MemoVerdict.MATCH)


def retold(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A citation with nothing wrong, retold in other words."""
    regulation, article, words = material.article(rng, lambda s: len(_retold(s, random.Random(0))[1]) >= 2)
    said, _ = _retold(words, rng)
    memo.add("retold", _cite_freely(_name(regulation), _number(article, rng), said, rng), MemoVerdict.MATCH)


def _retold(words: str, rng: random.Random) -> tuple[str, list[int]]:
    """Return words in other words, and which of ``_RETELLINGS`` were used."""
    used = []
    for index, (pattern, forms) in enumerate(_RETELLINGS):
        if pattern.search(words) and rng.random() < 0.8:
            words = pattern.sub(rng.choice(forms), words)
            used.append(index)
    return words, used


def _cite_freely(name: str, where: str, words: str, rng: random.Random) -> str:
    """Return one of the ways in which memos retell."""
    forms = (
        f"{words[:-1]}（《{name}》{where}）。",
        f"根据《{name}》{where}，{words}",
        f"• {words[:-1]}——《{name}》{where}",
        f"我司理解，{words[:-1]}，见《{name}》{where}。",
        f"《{name}》{where}：{words}",
    )
    return rng.choice(forms)


def _stepped(words: str, match: re.Match[str], step: int) -> str:
    """Return words with the number of a match raised by a step."""
    return words[: match.start(1)] + to_chinese((parse_number(match[1]) or 1) + step) + words[match.end(1) :]


def value(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A number changed."""
    regulation, article, words = material.article(rng, lambda s: bool(_VALUE.search(s)))
    match = rng.choice(list(_VALUE.finditer(words)))
    changed = _stepped(words, match, rng.choice((2, 5, 7)))
    while material.told_before(changed):
        changed = _stepped(words, match, rng.choice((2, 5, 7)))
    memo.add("value", _cite(_name(regulation), _number(article, rng), changed, rng), MemoVerdict.TEXT_DIFFERS)


def unit(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A unit changed."""
    regulation, article, words = material.article(rng, lambda s: bool(re.search("个工作日|个月", s)))
    changed = words.replace("个工作日", "个月", 1) if "个工作日" in words else words.replace("个月", "个工作日", 1)
    memo.add("unit", _cite(_name(regulation), _number(article, rng), changed, rng), MemoVerdict.TEXT_DIFFERS)


def modal(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A duty turned."""
    regulation, article, words = material.article(rng, lambda s: any(a in s for a, _ in _MODALS))
    old, new = next(pair for pair in _MODALS if pair[0] in words)
    memo.add(
        "modal",
        _cite(_name(regulation), _number(article, rng), words.replace(old, new, 1), rng),
        MemoVerdict.TEXT_DIFFERS,
    )


def dropped(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """An exception left out."""
    regulation, article, words = material.article(
        rng, lambda s: bool(re.search("，但[^。]*。$", s)) and len(s.split("，但")[0]) > 12
    )
    cut = words.split("，但")[0] + "。"
    memo.add("proviso", _quoted(_name(regulation), _number(article, rng), cut, rng), MemoVerdict.TEXT_DIFFERS)


def stitched(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """Two articles in one quotation."""
    regulation, article, words = material.article(rng)
    others = [p for p in regulation.walk() if p.level is Level.ARTICLE and p.label != article.label]
    more = [s for p in others for s in _sentences(regulation, p) if len(s) <= 2 * len(words) and s != words]
    if not more:
        return stitched(memo, material, rng)
    memo.add(
        "stitched",
        _quoted(_name(regulation), _number(article, rng), words + rng.choice(more), rng),
        MemoVerdict.TEXT_DIFFERS,
    )


def wrong(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """Right words under another article."""
    regulation, article, words = material.article(rng)
    others = [
        p
        for p in regulation.walk()
        if p.level is Level.ARTICLE and p.label != article.label and words not in p.span.of(regulation.text)
    ]
    memo.add(
        "wrong", _cite(_name(regulation), _number(rng.choice(others), rng), words, rng), MemoVerdict.WRONG_PROVISION
    )


def absent(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """An article, or a 款, that does not exist."""
    regulation, article, words = material.article(rng)
    last = max(int(p.label) for p in regulation.walk() if p.level is Level.ARTICLE and p.label.isdigit())
    where = (
        f"第{to_chinese(last + rng.randrange(60, 90))}条"
        if rng.random() < 0.7
        else f"{article.number}第{to_chinese(19)}款"
    )
    memo.add("absent", _cite(_name(regulation), where, words, rng), MemoVerdict.NO_SUCH_PROVISION)


def ended(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A text that is no longer law, by its number or its year."""
    regulation = rng.choice(material.ended)
    article = rng.choice([p for p in regulation.walk() if p.level is Level.ARTICLE])
    newer = any(_name(r) == _name(regulation) for r in material.current)
    year = (regulation.version_date or regulation.validity.effective or DAY).year
    name = f"{_name(regulation)}（{year}年）" if newer else _name(regulation)
    text = rng.choice((f"《{name}》{article.number}应予适用。", f"依据《{name}》{article.number}，应当办理手续。"))
    memo.add("ended", text, MemoVerdict.NOT_IN_FORCE)


def unheld(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A text nobody holds."""
    _, article, words = material.article(rng)
    memo.add("unheld", _cite(rng.choice(_ALIEN), article.number, words, rng), MemoVerdict.NOT_HELD)


def authority(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A wrong issuer or day of commencement."""
    while True:
        regulation = rng.choice(material.current)
        start = regulation.validity.effective
        if regulation.issuer and start:
            break
    if rng.random() < 0.5:
        said = f"《{_name(regulation)}》由国家粮食演示局发布。"
    else:
        moved = start + dt.timedelta(days=rng.randrange(20, 90))
        said = f"《{_name(regulation)}》自{moved.year}年{moved.month}月{moved.day}日起施行。"
    memo.add("authority", said, MemoVerdict.TEXT_DIFFERS)


def pointing(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """What points back: right, or to an article that does not exist."""
    regulation, article, words = material.article(rng)
    kind = next((k for k in ("办法", "规定", "细则", "条例", "规程") if _name(regulation).endswith(k)), "文件")
    last = max(int(p.label) for p in regulation.walk() if p.level is Level.ARTICLE and p.label.isdigit())
    memo.add("correct", f"本所查阅了《{_name(regulation)}》。", MemoVerdict.MATCH)
    if rng.random() < 0.5:
        memo.add("correct", f"该{kind}{article.number}规定：“{words}”", MemoVerdict.MATCH)
    else:
        memo.add(
            "absent",
            f"前述{kind}第{to_chinese(last + rng.randrange(60, 90))}条规定了程序。",
            MemoVerdict.NO_SUCH_PROVISION,
        )


def behind(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A number changed, the citation behind it."""
    regulation, article, words = material.article(rng, lambda s: bool(_VALUE.search(s)))
    match = rng.choice(list(_VALUE.finditer(words)))
    more = (_stepped(words, match, step)[:-1] for step in rng.sample((2, 5, 7), 3))
    changed = next(c for c in more if not material.told_before(c))
    where = f"《{_name(regulation)}》{_number(article, rng)}"
    form = rng.choice(
        ("{0}，{1}讲得很清楚。", "{0}，{1}已有明确规定。", "{0}。依据：{1}。", "{0}，见{1}。", "3.2 {0}（{1}）。")
    )
    memo.add("behind", form.format(changed, where), MemoVerdict.TEXT_DIFFERS)


def body(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """Another body acts."""
    regulation, article, words = material.article(rng, lambda s: bool(_ACTS.search(s)))
    match = _ACTS.search(words)
    assert match is not None
    other = rng.choice([b for b in _BODIES if b[:2] not in article.span.of(regulation.text)])
    changed = words[: match.start(1)] + other + words[match.end(1) :]
    memo.add("body", _cite(_name(regulation), _number(article, rng), changed, rng), MemoVerdict.TEXT_DIFFERS)


def bound(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """The other side of a bound."""
    regulation, article, words = material.article(rng, lambda s: bool(_BOUND.search(s)))
    changed = _BOUND.sub(
        lambda m: {"少于": "超过", "低于": "高于"}.get(m[1]) or {"超过": "少于", "高于": "低于"}[m[1]], words, count=1
    )
    memo.add("bound", _cite(_name(regulation), _number(article, rng), changed, rng), MemoVerdict.TEXT_DIFFERS)


def spliced(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """Two articles in one saying, without marks of quotation."""
    regulation, article, words = material.article(rng)
    others = [p for p in regulation.walk() if p.level is Level.ARTICLE and p.label != article.label]
    own = article.span.of(regulation.text)
    more = [s for p in others for s in _sentences(regulation, p) if s[:12] not in own and regulation.text.count(s) == 1]
    said = f"{words[:-1]}；{rng.choice(more)}" if more else ""
    if not said or material.told_before(said):
        return spliced(memo, material, rng)
    memo.add("spliced", f"《{_name(regulation)}》{_number(article, rng)}明确，{said}", MemoVerdict.TEXT_DIFFERS)


def silent(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """An exception left out of a retelling."""
    regulation, article, words = material.article(
        rng, lambda s: bool(re.search("，但[^。]*。$", s)) and len(s.split("，但")[0]) > 14
    )
    cut = words.split("，但")[0]
    memo.add(
        "silent", f"《{_name(regulation)}》{_number(article, rng)}规定，{cut}。", MemoVerdict.TEXT_DIFFERS
    )  # fmt: skip


def graver(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A fine doubled or halved: both its ends, or by a word."""
    regulation, article, words = material.article(rng, lambda s: bool(_FINE.search(s)))
    own, match = article.span.of(regulation.text), _FINE.search(words)
    assert match is not None
    if rng.random() < 0.5 or any(word[:2] in own for word in _GRAVER):
        low, high = (to_chinese(2 * (parse_number(match[n]) or 1)) for n in (1, 3))
        changed = f"{words[: match.start()]}{low}{match[2]}以上{high}{match[2]}以下{words[match.end() :]}"
    else:
        changed = f"{words[:-1]}，{rng.choice(('情节严重的', '逾期不改正的', '再次违反的'))}{rng.choice(_GRAVER)}。"
    said = _cite_freely(_name(regulation), _number(article, rng), changed, rng)
    memo.add("graver", said, MemoVerdict.TEXT_DIFFERS)


def _excepts(words: str) -> bool:
    return _EXCEPT.search(words) is not None


def _asks_leave(words: str) -> bool:
    return _LEAVE.search(words) is not None and "自行" not in words


def wider(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A rule told of all where the law takes some out."""
    regulation, article, words = material.article(rng, _excepts)
    changed = _EXCEPT.sub(lambda m: f"{m['rest']}一律{m['force']}", words, count=1)
    said = _cite_freely(_name(regulation), _number(article, rng), changed, rng)
    memo.add("wider", said, MemoVerdict.TEXT_DIFFERS)


def skipped(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """Leave that need not be asked for: somebody decides by himself, or only reports."""
    regulation, article, words = material.article(rng, _asks_leave)
    match = _LEAVE.search(words)
    assert match is not None
    only = (
        re.sub("批准|同意|核准|审批", "备案", match[0]).replace("经", "报").replace("报请", "报").removesuffix("方可")
    )
    changed = _LEAVE.sub(rng.choice((only, "可以自行决定" if match[0][0] in "应须需" else "自行决定")), words, count=1)
    said = _cite_freely(_name(regulation), _number(article, rng), changed, rng)
    memo.add("skipped", said, MemoVerdict.TEXT_DIFFERS)


def range_past(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A range that ends behind the text, and a right list beside it."""
    regulation, _, _ = material.article(rng)
    labels = [int(p.label) for p in regulation.walk() if p.level is Level.ARTICLE and p.label.isdigit()]
    first, last = to_chinese(max(labels) - 1), to_chinese(max(labels) + rng.randrange(3, 30))
    memo.add("range", f"请核对《{_name(regulation)}》第{first}条至第{last}条。", MemoVerdict.NO_SUCH_PROVISION)
    one, two = sorted(rng.sample(labels, 2))
    said = f"请核对《{_name(regulation)}》第{to_chinese(one)}、{to_chinese(two)}条。"
    memo.add("correct", said, MemoVerdict.MATCH)


def standard(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """A standard, or a number alone, that nobody holds; a number alone that is held."""
    said = rng.choice(
        ("GB 59797-2012第4.0.3条另有要求。", "演能发〔2021〕1035号第二条另有要求。", "参照DL/T 5903-2017执行。")
    )
    memo.add("number", said, MemoVerdict.NOT_HELD)
    held = [r for r in material.current if r.document_number]
    if held:
        memo.add("correct", f"请按{rng.choice(held).document_number}办理。", MemoVerdict.MATCH)


def lost(memo: SeededMemo, material: Material, rng: random.Random) -> None:
    """What points back to nothing."""
    memo.lines.insert(0, said := f"前述公约第{to_chinese(rng.randrange(2, 9))}条已有约定。")
    memo.seeds.append((said, "own", MemoVerdict.MATCH))
    said = f"依照同法第{to_chinese(rng.randrange(2, 90))}条办理。"
    memo.lines.insert(0, said)
    memo.seeds.append((said, "lost", MemoVerdict.CANNOT_CHECK))


KINDS = (
    value, value, unit, modal, dropped, stitched, wrong, wrong, absent, ended, unheld, authority, pointing,
    behind, body, bound, spliced, silent, range_past, standard,
)  # fmt: skip
TOLD = (retold, retold, retold, graver, wider, skipped)
"""What is told in other words; drawn by themselves, so that the others stay what they were."""
_NEEDS = {wider: _excepts, skipped: _asks_leave}
"""What a library must have a sentence of, for a kind of error that not every one has."""


def memos(material: Material, count: int, seed: int = SEED) -> list[SeededMemo]:
    """Return memos with errors of every kind and as many correct citations."""
    rng = random.Random(seed)
    apart = random.Random(seed + 1)
    told = [kind for kind in TOLD if kind not in _NEEDS or material.has(_NEEDS[kind])]
    out = []
    for index in range(count):
        memo = SeededMemo()
        made = [*KINDS, *[correct] * 7]
        rng.shuffle(made)
        for kind in made:
            kind(memo, material, rng)
        for kind in told:
            kind(memo, material, apart)
        if index % 3 == 0:
            lost(memo, material, rng)
        out.append(memo)
    return out


def material_of(engine: Engine) -> Material:
    """Return what a library holds, apart by the day."""
    held = [engine.library.regulation(r.id) for r in engine.regulations() if r.articles >= 4 and r.nature == "binding"]
    titles = Counter((_name(r), r.validity.on(DAY).may_answer) for r in held)
    now = [r for r in held if r.validity.on(DAY).value == "现行有效" and titles[_name(r), True] == 1]
    rows = {r.id: r.validity for r in engine.regulations()}
    now = [r for r in now if rows[r.id].on(DAY).may_answer]
    past = [r for r in held if not rows[r.id].on(DAY).may_answer and (rows[r.id].ends or DAY) < DAY]
    return Material(now, past)


@dataclass
class Tally:
    """Counts of one half."""

    seeded: Counter[str] = field(default_factory=Counter)
    hit: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    misses: list[dict[str, str]] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """Return recall by kind, precision by verdict, false alarms on correct citations."""
        recall = {k: [self.hit[k], n, round(self.hit[k] / n, 4)] for k, n in sorted(self.seeded.items())}
        precision = {k: [self.right[k], n, round(self.right[k] / n, 4)] for k, n in sorted(self.said.items())}
        return {"recall": recall, "precision": precision, "misses": self.misses}


def measured(engine: Engine, written: Sequence[SeededMemo]) -> Tally:
    """Audit memos and count."""
    tally = Tally()
    for memo in written:
        text = "\n".join(["关于项目合规性的审查意见", *memo.lines])
        found = engine.audit.audit_memo(Memo("memo.md", text), DAY).findings
        at = 0
        for line in text.split("\n"):
            here = [f for f in found if at <= f.span.start < at + len(line)]
            seed = next((s for s in memo.seeds if s[0] == line), None)
            at += len(line) + 1
            _count(tally, seed, [f.verdict for f in here], [f.message for f in here])
    return tally


def _count(tally: Tally, seed: tuple[str, str, MemoVerdict] | None, said: list[MemoVerdict], why: list[str]) -> None:
    if seed is None:
        tally.said.update(v.value for v in said)
        return
    words, kind, verdict = seed
    ok = set(said) == (set() if kind == "own" else {verdict})
    tally.seeded[kind] += 1
    tally.hit[kind] += ok
    for one in said:
        tally.said[one.value] += 1
        tally.right[one.value] += one is verdict and kind != "own"
    if not ok:
        tally.misses.append(
            {"kind": kind, "want": verdict.value, "got": ",".join(said), "why": " ".join(why), "text": words}
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--memos", type=int, default=40)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        library = given.library or Path(folder) / "library"
        with Engine.open(settings.load(library=library, workers=0)) as engine:
            if given.library is None:
                engine.ingest(["data/samples"], "data/samples/manifest.jsonl")
            written = memos(material_of(engine), given.memos, given.seed)
            halves = {"tune": written[::2], "held_out": written[1::2]}
            print(
                json.dumps({k: measured(engine, v).as_json() for k, v in halves.items()}, ensure_ascii=False, indent=1)
            )


if __name__ == "__main__":
    main()

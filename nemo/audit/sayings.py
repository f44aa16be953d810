"""The ruling on what a memo says in its own words (转述判定)."""

import re

from nemo.audit.comparison.alignment import added, content, cover, told_in, unborne
from nemo.audit.comparison.bodies import renamed
from nemo.audit.comparison.comparers import of_its_day, opposed, otherwise, unheard
from nemo.audit.comparison.differences import whole_clauses
from nemo.audit.comparison.duties import other_body
from nemo.audit.comparison.parts import without_proviso
from nemo.audit.comparison.scope import ClaimScope, ScopeVerdict, joined, place_of
from nemo.audit.comparison.stance import FORCE, OWN
from nemo.audit.comparison.statements import in_turn
from nemo.audit.comparison.values import wrong_value
from nemo.audit.comparison.wording import WordingChange, clauses, difference, lost_proviso, not_abridged
from nemo.audit.finding import MemoVerdict, TruePlace
from nemo.audit.holdings import HeldText, HeldUnit
from nemo.audit.keyed import KeyedText, keyed, letters, share, window
from nemo.text.letter.titles import in_marks
from nemo.text.words.quantities import folded
from nemo.types import Level, Provision, Span

_OF_THE_LAW = 0.62
"""A clause of which this share of pairs stands in one provision retells it."""
_SUPPORTED, _SPOKEN = 0.5, 0.75
_ELSEWHERE = 0.8
_SURELY = 0.9
_LONG, _SHORT = 10, 8
_MANY, _THROUGHOUT = 3, 0.12
"""How many articles of a text, and which share of them, hold a word of which it speaks throughout."""
_HARDLY, _WHOLLY = 0.7, 0.88
"""Shares of the words of a saying that a provision hardly, and nearly wholly, bears out."""
_LIKELY, _BETTER = 4, 0.1
"""Articles that are asked whether a saying is theirs; by how much one must bear out more of it than the cited one."""
_TOLD, _SPEAKS, _RETELLS = 2, 0.5, 0.5
"""Words from which on a saying tells something; shares of them from which on it speaks of the provision, and retells it."""
_CLAUSES = re.compile("[，,。；;：:\n]")
_LEFT_TO_OTHERS = re.compile("另有(?:规定|约定)")
"""An exception that only leaves a case to other rules: who retells the rule may leave it out."""
_LABEL = re.compile("^[^，。；：:、]{1,16}[：:]|^关于[^，。；：:]{1,16}[：:，]|^[^，。；：:]{1,8}方面[，,]")
"""What a memo calls what it tells of (检查频次：)."""
_MOSTLY = 0.8
"""What counts of the clauses that no article of the text holds, when it is asked which article a saying is of."""
_POINTED = re.compile("(?<!》)(第[一二三四五六七八九十百]{1,5}条)")
_POINTS = re.compile("[前本上]条(?!例)|[前上]款|第[一二三四五六七八九十]{1,3}[款项]")
_PARTIES = re.compile("[承发分]包人|承包商")
"""Parties of a contract: whom a provision binds is one of them."""
_ASKS = re.compile(
    "^(?!无论|不论)[^，。；：:]{0,16}(?:谁|怎么|如何|何时|多久|多少|几[天日年]|什么|哪|是否)[^，。；：:]{0,12}[：:，]"
)
"""A question that a memo answers itself."""
_WHETHER = re.compile(r"([\u4e00-\u9fa5])不\1")
"""受不受理 asks, and denies nothing."""
_ALL = 12
"""Characters of words that stand as they are in one article only."""


_Best = dict[str, tuple[float, HeldUnit | None]]
"""The unit that is likest to each clause, with the share of it that stands there."""


def saying(scope: ClaimScope, words: str, after: str = "") -> ScopeVerdict | None:
    """Rule on words of the memo that retell a provision; None where they retell none, and nothing can be said.

    Args:
        scope: What they are said to stand in.
        words: The memo's words.
        after: What the memo writes next: it may give an exception itself.
    """
    words = _WHETHER.sub(r"是否\1", _ASKS.sub("", words))
    cited = scope.cited()
    keys = [(span.of(words), keyed(words, span)) for span in clauses(words)]
    best = {text: _best(scope, key) for text, key in keys}
    legal = [(t, k) for t, k in keys if best[t][0] >= _OF_THE_LAW or cited.covers(k) >= _OF_THE_LAW]
    if not scope.provisions:
        return _of_text(scope, words, legal, best)
    ruling = _against(scope, words, legal, best, keys) or (None if legal else _far(scope, words, keys))
    if ruling is not None or not legal:
        older = _older(scope, words, [k for _, k in keys], need=_OF_THE_LAW)
        return older or _elsewhere(scope, words, ruling or _unborne(scope, words))
    lost = _without_exception(scope, words, after) or _without_proviso(scope, words, after)
    return lost or _elsewhere(scope, words, _unborne(scope, words))


def _elsewhere(scope: ClaimScope, words: str, ruling: ScopeVerdict | None) -> ScopeVerdict | None:
    """Return a ruling, or that words are another article's: it bears them out better than the cited one and without a fault."""
    told = content(renamed(words))
    if ruling is None or ruling.verdict is MemoVerdict.WRONG_PROVISION or len(told) < _MANY:
        return ruling
    key, here = keyed(words), cover(told, renamed(_context(scope)))
    for unit in sorted(scope.others(), key=lambda u: -u.words.covers(key))[:_LIKELY]:
        there = renamed(unit.provision.span.of(scope.source))
        if cover(told, there) < max(_WHOLLY, here + _BETTER):
            continue
        strange = set(unborne(words, there)) - set(unborne(words, _context(scope)))
        if not strange and not _contradicts(words, scope.text, (unit.provision,)):
            return _wrong(scope.text, unit)
    return ruling


def _unborne(scope: ClaimScope, words: str) -> ScopeVerdict | None:
    """Rule on words in which no comparer found a fault, but which the cited article does not bear out word by word."""
    context = _context(scope)
    more, borne = added(words, context, _alone(scope)), cover(content(renamed(words)), renamed(context))
    words = not_abridged(words, context)
    label = _LABEL.match(words)
    words = words[label.end() :] if label and keyed(label[0]).key not in keyed(context).key else words
    told = content(renamed(words))
    if OWN.search(words) or (len(told) < _TOLD and not more):
        return None
    if max(borne, cover(told, renamed(context))) < _SPEAKS and not FORCE.search(words):
        return None  # what the memo does with the provision, not what the provision says
    topics = _topics(scope, told)
    strange = [w for w in unborne(words, context) if w not in topics or _done(w, words)]
    strange = [w for w in strange if w in words or not _PARTIES.search(words)]  # its own party under the law's name
    sure = [*more, *(w for w in strange if _begins(w, words))]
    sure += [*_unheard(words, context, topics), *opposed(renamed(words), renamed(context))]
    named = "、".join(f"“{word}”" for word in dict.fromkeys(sure or strange))
    if (more and borne >= _RETELLS) or (sure and cover(told, renamed(context)) >= _RETELLS):
        return ScopeVerdict(MemoVerdict.TEXT_DIFFERS, _proof(scope, ""), f"转述与原文不符：原文没有{named}。")
    if not named:
        return None
    message = f"文稿所述{named}在所引条款中找不到对应，机器无法核验，请对照原文。"
    return ScopeVerdict(MemoVerdict.CANNOT_CHECK, _proof(scope, ""), message)


def _names(word: str, words: str) -> bool:
    """Tell whether the name of a step only names something of it, or who takes it (审批期限, 受理部门): nobody has to take it."""
    return re.search(f"{re.escape(word)}(?:期限|时限|时间|流程|环节|事项|表|部门|机关|机构|单位)", words) is not None


def _begins(word: str, words: str) -> bool:
    """Tell whether a word names the event from which a term counts (自成立之日起), or what has to be done."""
    return re.search(f"{re.escape(word)}[^，。；、]{{0,4}}之日", words) is not None or _done(word, words)


def _done(word: str, words: str) -> bool:
    """Tell whether a word is what has to be done, or may be (应当拆除)."""
    return re.search(f"(?:应当?|必须|须|可以|不得)(?:自行|及时|立即|依法|先行)*{re.escape(word)}", words) is not None


def _alone(scope: ClaimScope) -> str:
    """Return the cited part of an article where it has all of its rule; empty where it points to other parts, or all is cited."""
    words = scope.words()
    return words if scope.part_of_article() and not _POINTS.search(words) else ""


def _unheard(words: str, context: str, topics: str) -> list[str]:
    """Return the steps and sanctions of a saying that the cited article does not know; what the text speaks of throughout only
    where a body takes the step (经甲批准).
    """
    found = (w for w in unheard(words, context) if w in content(words) and not _names(w, words))
    return [w for w in found if w not in topics or re.search(rf"[经报由][^，。；]{{1,24}}?{w}", words)]


def _context(scope: ClaimScope) -> str:
    """Return the cited articles with those of the same text that they point to (发生第十五条第三项情形的)."""
    return "\n".join(u.provision.span.of(scope.source) for u in (*scope.articles(), *_pointed(scope)))


def _pointed(scope: ClaimScope) -> list[HeldUnit]:
    """Return the articles of the same text to which the cited ones point."""
    named = {n for u in scope.articles() for n in _POINTED.findall(u.provision.span.of(scope.source))}
    return [u for u in scope.others() if u.provision.number in named]


def _topics(scope: ClaimScope, told: tuple[str, ...]) -> str:
    """Return the title of a text with those of some words that many of its articles hold: it speaks of them throughout."""
    units = [u.words.key for u in scope.text.units]
    often = [w for w in told if sum(w in key for key in units) >= max(_MANY, _THROUGHOUT * len(units))]
    return "，".join([scope.text.row.title, scope.text.row.issuer or "", *often])


def _against(
    scope: ClaimScope, words: str, legal: list[tuple[str, KeyedText]], best: _Best, keys: list[tuple[str, KeyedText]]
) -> ScopeVerdict | None:
    """Rule on words that say something else than the cited provision."""
    cited, held = scope.cited(), scope.words()
    if any(len(k.key) >= _LONG - 2 and k.key in cited.key for _, k in keys) and (
        turn := other_body(not_abridged(renamed(words), renamed(held)), renamed(held))
    ):
        return _retold(scope, turn, words)
    if (elsewhere := _whole(scope, words)) is not None:
        return _wrong(scope.text, elsewhere)
    told = content(renamed(words))
    if len(told) >= _MANY and cover(told, renamed(held)) >= _HARDLY and (turned := _changed(scope, words, keys, held)):
        return turned
    pointed = _pointed(scope)
    astray = [(t, k) for t, k in legal if best[t][1] not in pointed and _astray(cited.covers(k), best[t][0])]
    length = sum(len(k.key) for _, k in astray)
    right = sum(len(k.key) for _, k in legal if cited.covers(k) >= _ELSEWHERE)
    if (unit := _all_in(scope, legal, keyed(words))) is not None:
        return _wrong(scope.text, unit)
    if length >= _LONG and right >= _LONG and (stitched := _stitched(scope, astray, best)):
        return stitched
    if length >= _LONG and length >= 0.5 * max(
        sum(len(k.key) for _, k in pairs) * part for pairs, part in ((legal, 1.0), (keys, _MOSTLY))
    ):
        unit = best[max(astray, key=lambda pair: len(pair[1].key))[0]][1]
        there = unit.provision.span.of(scope.source) if unit is not None else ""
        if unit is not None and cover(told, renamed(held)) < max(_HARDLY, cover(told, renamed(there))):
            return _wrong(scope.text, unit)
    if (misplaced := _misplaced(scope, words)) is not None:
        return misplaced
    return _changed(scope, words, keys, held)


def _misplaced(scope: ClaimScope, words: str) -> ScopeVerdict | None:
    """Rule on words that another 款 of the cited article bears out nearly whole, and the cited one hardly."""
    told = content(renamed(words))
    if not scope.part_of_article() or len(told) < _MANY or cover(told, renamed(scope.words())) >= _HARDLY:
        return None
    for article in scope.articles():
        parts = (p for p in article.provision.walk() if p is not article.provision and p.level is not Level.ARTICLE)
        for part in (p for p in parts if not any(p.span.overlaps(c.span) for c in scope.provisions)):
            if cover(told, renamed(part.span.of(scope.source))) >= _WHOLLY:
                true = place_of(scope.text, part.span)
                return ScopeVerdict(MemoVerdict.WRONG_PROVISION, true, f"所引款项没有作此规定，见{true.label}。")
    return None


def _all_in(scope: ClaimScope, legal: list[tuple[str, KeyedText]], saying: KeyedText) -> HeldUnit | None:
    """Return the one other article in which every clause stands, where not every one stands in the cited one."""
    keys = [k for _, k in legal]
    if sum(len(k.key) for k in keys) < _SHORT or all(scope.cited().covers(k) >= _SUPPORTED for k in keys):
        return None
    near = (u for u in scope.others() if u.words.covers(saying) >= _OF_THE_LAW)
    near = (u for u in near if all(u.words.covers(k) >= _ELSEWHERE for k in keys))
    return next(
        (u for u in near if scope.cited().covers(saying) < _SUPPORTED or u.words.covers(saying) >= _SURELY), None
    )


def _stitched(scope: ClaimScope, astray: list[tuple[str, KeyedText]], best: _Best) -> ScopeVerdict | None:
    """Rule on words of two provisions under the number of one of them."""
    text, key = max(astray, key=lambda pair: len(pair[1].key))
    score, unit = best[text]
    if unit is None or score < _ELSEWHERE or len(key.key) < _LONG:
        return None
    where = place_of(scope.text, unit.provision.span)
    return ScopeVerdict(MemoVerdict.TEXT_DIFFERS, where, f"拼接了两条：“{text.strip()}”不在所引条款，见{where.label}。")


def _without_exception(scope: ClaimScope, words: str, after: str) -> ScopeVerdict | None:
    """Rule on words that are a whole sentence of the provision without the exception that follows it."""
    cited = scope.cited()
    for start in (0, *(m.end() for m in re.finditer("[。；;：:]", words))):
        key = keyed(words[start:]).key
        at = cited.key.find(key) if len(key) >= _ALL else -1
        if at < 0:
            continue
        span = cited.span(at, at + len(key))
        unit = next((u.provision.span for u in scope.text.units if u.provision.span.contains(span)), scope.span())
        lost = lost_proviso(scope.source, span, unit, after)
        if lost and not _LEFT_TO_OTHERS.search(lost):
            where = place_of(scope.text, span, wording=scope.source[span.start : unit.end].strip(), value=lost)
            return ScopeVerdict(MemoVerdict.TEXT_DIFFERS, where, f"转述略去了例外：“{lost}”。")
    return None


def _without_proviso(scope: ClaimScope, words: str, after: str) -> ScopeVerdict | None:
    """Rule on a rule that is told as a whole without its exception."""
    found = without_proviso(renamed(words), renamed(scope.words()), after)
    return _retold(scope, found, words) if found is not None else None


def _astray(here: float, there: float) -> bool:
    """Tell whether a clause is another article's, by the shares of it that stand here and there."""
    return there >= here + 0.25 and (here < _SUPPORTED or there >= _SURELY)


def _whole(scope: ClaimScope, words: str) -> HeldUnit | None:
    """Return the other article that holds all of the words as they are, where the cited one does not."""
    key = keyed(words).key
    if len(key) < _ALL or key in scope.cited().key:
        return None
    return next((u for u in scope.others() if key in u.words.key), None)


def _best(scope: ClaimScope, clause: KeyedText) -> tuple[float, HeldUnit | None]:
    units = list(scope.others()) if scope.provisions else list(scope.text.units)
    return max(((u.words.covers(clause), u) for u in units), key=lambda pair: pair[0], default=(0.0, None))


def _wrong(text: HeldText, unit: HeldUnit) -> ScopeVerdict:
    true = place_of(text, unit.provision.span)
    return ScopeVerdict(
        MemoVerdict.WRONG_PROVISION, true, f"所引条款没有作此规定，见{in_marks(true.title)}{true.label}。"
    )


def _changed(scope: ClaimScope, words: str, keys: list[tuple[str, KeyedText]], held: str) -> ScopeVerdict | None:
    """Rule on a value, duty or body that the cited words state otherwise."""
    held = in_turn(of_its_day(words, held))
    told = told_in(words, held)
    surely = "\n" not in told and not _CLAUSES.search(words.strip("；;，, ")) and cover(content(words), told) >= _WHOLLY
    if wrong_value(words, told) and (wrong := wrong_value(words, told if surely else held)) is not None:
        _, true = _as_written(wrong.wording, scope.words())
        message = f"数值不符：原文为“{true}”，文稿写作“{wrong.said}”。"
        return ScopeVerdict(MemoVerdict.TEXT_DIFFERS, _proof(scope, wrong.value), message)
    whole = [_LABEL.sub("", s) for s in re.split("[。；;\n]", words) if "，" in s or "," in s]
    parts = [*((t, False) for t, _ in keys), *((s, True) for s in whole)]
    found = _otherwise(words, held, parts)
    own, now = words, (renamed(words, held), renamed(held, held))
    if found and now != (words, held):  # the body of the same task under its later name
        words, held = now
        found = _otherwise(words, held, [(renamed(t, held), w) for t, w in parts])
    return _retold(scope, found, own) if found is not None else None


def _otherwise(words: str, held: str, parts: list[tuple[str, bool]]) -> WordingChange | None:
    """Return what words tell otherwise than a provision; of their parts each with whether it is a whole sentence."""
    cited = keyed(held)
    near = (
        (text, whole)
        for text, whole in parts
        if cited.covers(keyed(text)) >= _SUPPORTED
        and not_abridged(text, held)
        and not (whole and all(keyed(c).key in cited.key for c in _CLAUSES.split(text)))
    )
    told = told_in(words, held)
    apart = ((t, whole) for t, whole in near if told == held or difference(t, told, whole=whole))
    if (found := next((f for t, whole in apart if (f := difference(t, held, whole=whole))), None)) is not None:
        return found
    return otherwise(words, held)


def _as_written(words: str, text: str) -> tuple[str, str]:
    """Return the stretch of a text that some of its words stand for, bodies in them under later names, and its whole clauses."""
    held, key = keyed(text), keyed(words).key
    at = held.key.find(key)
    place = Span(at, at + len(key)) if at >= 0 else window(key, held.key)
    if not place.start < place.end:
        return words, words
    span = held.span(place.start, place.end)
    whole = Span(
        span.start, span.end + (text[span.end - 1 : span.end + 1] == "应当")
    )  # both texts have 应 as they are compared
    return whole.of(text).replace("\n", ""), whole_clauses(text, span).replace("\n", "").strip()


def _retold(scope: ClaimScope, found: WordingChange, words: str) -> ScopeVerdict:
    (_, said), (value, true) = _as_written(found.said, words), _as_written(found.true, scope.words())
    differs = f"原文为“{true}”，文稿写作“{said}”"
    if not found.said or not found.true:  # one side has words that the other has not
        differs = f"原文没有“{found.said}”" if found.said else f"原文有“{value}”，文稿没有"
    message = f"转述与原文不符：{differs}。"
    return ScopeVerdict(MemoVerdict.TEXT_DIFFERS, _proof(scope, value), message)


def _proof(scope: ClaimScope, value: str) -> TruePlace:
    place = scope.provisions[0].span if scope.provisions else scope.text.units[0].provision.span
    for provision in scope.provisions:
        at = scope.source.find(value, provision.span.start, provision.span.end) if value else -1
        if at >= 0:
            place = provision.span
    return place_of(scope.text, place, value=value or None)


def _older(scope: ClaimScope, words: str, keys: list[KeyedText], *, need: float) -> ScopeVerdict | None:
    """Rule that words retell an older version under the same number."""
    for text, provisions in scope.older:
        if not provisions:
            continue
        where = joined(text.regulation.text, [p.span for p in provisions])
        length = sum(len(k.key) for k in keys)
        share = sum(where.covers(k) * len(k.key) for k in keys) / length if length else 0.0
        now = sum(scope.cited().covers(k) * len(k.key) for k in keys) / length if length else 0.0
        if share >= need and share >= now and not _contradicts(words, text, provisions):
            return ScopeVerdict(MemoVerdict.NOT_IN_FORCE, None, "", text.row)
    return None


def _contradicts(words: str, text: HeldText, provisions: tuple[Provision, ...]) -> bool:
    held = renamed("\n".join(p.span.of(text.regulation.text) for p in provisions))
    words = renamed(words)
    if wrong_value(words, held) is not None or otherwise(words, held) is not None:
        return True
    return any(difference(s.of(words), held) is not None for s in clauses(words))


def _of_text(scope: ClaimScope, words: str, legal: list[tuple[str, KeyedText]], best: _Best) -> ScopeVerdict | None:
    """Rule on words that retell a text cited as a whole: each clause against the article it retells."""
    for text, _ in legal:
        unit = best[text][1]
        if unit is None:
            continue
        held = unit.provision.span.of(scope.source)
        near = ClaimScope(scope.holdings, scope.text, (unit.provision,))
        if (ruling := _changed(near, text, [(text, keyed(text))], held)) is not None:
            return ruling
    return None


def _far(scope: ClaimScope, words: str, keys: list[tuple[str, KeyedText]]) -> ScopeVerdict | None:
    """Rule on words that nothing in the cited text says and another text does."""
    long = [k for _, k in keys if len(k.key) >= _LONG]
    here = keyed(folded(scope.words()))
    spoken = share(letters(words), letters(scope.words())) >= _SPOKEN
    if not long or spoken or here.covers(keyed(folded(words))) >= _SUPPORTED:
        return None
    for text in scope.holdings.elsewhere(words, [scope.text.row.id]):
        for unit in text.units:
            length = sum(len(k.key) for k in long)
            if sum(unit.words.covers(k) * len(k.key) for k in long) / length >= _ELSEWHERE:
                return _wrong(text, unit)
    return None

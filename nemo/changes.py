"""Questions about what changed between two versions: both wordings, side by side, cut from the stored texts (新旧对照)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nemo import compare, compose
from nemo.compare import Comparison, Kind, Pair, Side
from nemo.store.library import Library
from nemo.text.edits import Op
from nemo.text.sentences import trim
from nemo.types import Answer, Confidence, Day, Evidence, Level, Mention, Origin, Query, Quote, Ranked, Regulation, Span

MODE = "versions"
"""``Answer.mode`` of such an answer."""

_VERSION = r"(?:版|新旧|修[订改正]|新法|旧法|以前|之前|(?:19|20)\d{2}年)"
_ASKS = re.compile(
    r"新旧|修[订改正]前后|修[订改正](?:对照|要点|说明|内容)"
    r"|(?:修[订改正]|修改|调整|改)了(?:什么|哪些|几)"
    r"|(?:有|哪些|什么|何种?|主要|具体|发生)(?:的|了)?(?:变化|变动|改动|修改|修订)|(?:变化|变动|改动)(?:是什么|在哪|有哪些|何在)"
    rf"|{_VERSION}.{{0,30}}(?:区别|不同|差异|对比|比较|对照|变化)|(?:区别|不同|差异|对比|比较|对照).{{0,12}}{_VERSION}"
)
_BEFORE = re.compile(r"修[订改正]之?前(?!后)|旧版|原版|旧法|旧条例|旧办法|旧规定|上一版|前一版")
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d{2})\s*年?")
_FIGURE = re.compile(r"\d|[一二三四五六七八九十百千万]+(?:个|日|天|月|年|元|倍|万|千|人|以上|以下|%|分)|百分之")
_SCAFFOLD = re.compile(
    r"新旧|前后|修[订改正]|变化|变动|改动|区别|不同|差异|对比|比较|对照|相比|版本?|条例|办法|规定|法律?|哪些|什么|有何|有没有|是|有|了|的|和|与|之间|两个?|请问|一下|"
    r"主要|具体|内容|条款|条文|新|旧|原|现行|怎么|如何|吗|呢|关于|对|在|中|(?:19|20)\d{2}年?|[，。？、；：“”《》（）\s]"
)
"""Words of such a question that name no subject matter."""

Scorer = compose.Scorer
Keep = Callable[[Sequence[Quote]], Sequence[Quote]]
"""Takes out what reviewers rejected."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Two held versions of one work that a question asks to compare."""

    old: Regulation
    new: Regulation
    mention: Mention


def asked(query: Query, library: Library) -> Versions | None:
    """Return the two versions a question asks to compare, None when it asks no such thing or holds no two versions.

    Years in the question choose the versions; otherwise they are the newest and the one before it.
    """
    if _ASKS.search(query.text) is None:
        return None
    for mention in query.mentions:
        versions = _versions(mention, library)
        if len(versions) > 1:
            old, new = _chosen(query.text, versions)
            return Versions(old, new, mention)
    return None


def before_revision(query: Query, library: Library) -> Query:
    """Return a question about the wording before the last revision with its day, the last one of the older version."""
    if query.filters.day is not None or _BEFORE.search(query.text) is None or _ASKS.search(query.text):
        return query
    for mention in query.mentions:
        versions = _versions(mention, library)
        start = versions[-1].validity.effective if len(versions) > 1 else None
        if start is not None:
            day = start - dt.timedelta(days=1)
            read = Evidence("day", f"修订前，按 {day}", Origin.DERIVED)
            return replace(query, filters=replace(query.filters, day=day), read=(*query.read, read))
    return query


def _versions(mention: Mention, library: Library) -> list[Regulation]:
    """Return the versions of the first work a mention means, oldest first."""
    held = [library.regulation(i) for i in mention.regulation_ids]
    same = [r for r in held if (r.province, r.level) == (held[0].province, held[0].level)]
    return sorted(same, key=_order)


def _order(regulation: Regulation) -> Day:
    return regulation.version_date or regulation.validity.effective or dt.date.min


def _chosen(text: str, versions: Sequence[Regulation]) -> tuple[Regulation, Regulation]:
    years = {int(match[1]) for match in _YEAR.finditer(text)}
    named = [r for r in versions if _order(r).year in years or (r.validity.effective or dt.date.min).year in years]
    if len(named) == 1:
        at = max(1, versions.index(named[0]))
        return versions[at - 1], versions[at]
    chosen = named if len(named) > 1 else versions
    return (chosen[0], chosen[-1]) if len(named) > 1 else (chosen[-2], chosen[-1])


def versions_answer(
    query: Query, versions: Versions, trace_id: str, scorer: Scorer, keep: Keep, most: int
) -> Answer | None:
    """Answer with the provisions concerned in both wordings, None when there is nothing to show.

    Args:
        query: The question with its day.
        versions: The two versions.
        trace_id: Id of the answer.
        scorer: Scores provisions against the subject of the question.
        keep: Takes out rejected quotes.
        most: How many quotes at most.
    """
    day = query.filters.day
    assert day is not None, "the day of a question is known before it is answered"
    found = compare.diff(versions.old, versions.new)
    pairs, confidence = _concerned(query, versions, found, scorer)
    cut: list[Quote] = []
    shown: list[Pair] = []
    for pair in pairs:
        if len(cut) == most:
            break
        quotes = keep(_quotes(pair, versions, day))
        if quotes and len(cut) + len(quotes) <= most:
            cut.extend(quotes)
            shown.append(pair)
    if not cut:
        return None
    return Answer(
        query=query,
        day=day,
        quotes=tuple(cut),
        refusal=None,
        confidence=Confidence(confidence),
        trace_id=trace_id,
        heading=f"新旧对照（《{versions.new.title}》{_told(versions.old)} → {_told(versions.new)}）",
        ranked=tuple(_ranked(pair, versions) for pair in shown),
        mode=MODE,
        tips=(*_lines(shown), _summary(found, versions)),
    )


# --- which provisions


def _concerned(query: Query, versions: Versions, found: Comparison, scorer: Scorer) -> tuple[list[Pair], float]:
    """Return the pairs a question is about, best first, and how sure that is."""
    units = [p for p in found.pairs if _any(p).level in compare.UNITS]
    if versions.mention.article is not None:
        label = versions.mention.article
        return sorted(_of(units, label), key=lambda p: p.new is None or p.new.label != label), 1.0
    subject = _subject(query, versions.mention)
    if len(subject) < 2:
        changed = [p for p in units if p.kind in (Kind.CHANGED, Kind.ADDED, Kind.REMOVED)]
        return sorted(changed, key=lambda p: -_weight(p)) or units, 1.0
    scores = _scores(replace(query, text=subject), units, versions, scorer)
    best = max(scores, default=0.0)
    order = sorted(range(len(units)), key=lambda i: -scores[i] * (1.0 if units[i].kind is Kind.SAME else 1.2))
    return [units[i] for i in order if scores[i] >= 0.6 * best > 0], min(1.0, best)


def _of(units: Sequence[Pair], label: str) -> list[Pair]:
    return [p for p in units if any(s is not None and s.label == label for s in (p.old, p.new))]


def _any(pair: Pair) -> Side:
    side = pair.new or pair.old
    assert side is not None, "a pair has at least one side"
    return side


def _subject(query: Query, mention: Mention) -> str:
    """Return what is left of a question without the regulation's name and the words that ask for changes."""
    return _SCAFFOLD.sub("", query.text.replace(mention.words, " "))


def _weight(pair: Pair) -> float:
    """Say how much a change matters to a reader who asked for nothing in particular: figures first, then new duties."""
    if pair.kind is not Kind.CHANGED or pair.old is None or pair.new is None:
        return 0.5
    figures = 0
    for edit in pair.edits[1:]:
        if edit.op is Op.REPLACED:
            was, now = edit.old.of(pair.old.text), edit.new.of(pair.new.text)
            figures += _FIGURE.findall(was) != _FIGURE.findall(now) and bool(_FIGURE.search(was))
    return figures + (1.0 - pair.likeness) * 0.5


def _scores(query: Query, units: Sequence[Pair], versions: Versions, scorer: Scorer) -> list[float]:
    """Score every pair by the better of its two wordings."""
    scores = [0.0] * len(units)
    for regulation, side_of in ((versions.old, lambda p: p.old), (versions.new, lambda p: p.new)):
        there = [(i, side) for i, p in enumerate(units) if (side := side_of(p)) is not None]
        given = scorer(query, regulation, [side.span for _, side in there])
        for (i, _), score in zip(there, given, strict=True):
            scores[i] = max(scores[i], score)
    return scores


# --- what is shown of them


def _quotes(pair: Pair, versions: Versions, day: Day) -> list[Quote]:
    quotes = []
    for regulation, side, places in (
        (versions.old, pair.old, [e.old for e in pair.edits if e.op is not Op.EQUAL]),
        (versions.new, pair.new, [e.new for e in pair.edits if e.op is not Op.EQUAL]),
    ):
        provision = regulation.find(side.label) if side is not None else None
        if side is not None and provision is not None:
            span = _shown(regulation, side, places)
            before, after = compose.beside(regulation, provision, span)
            quotes.append(Quote.cut(regulation, span, day, score=pair.likeness, before=before, after=after))
    return quotes


def _shown(regulation: Regulation, side: Side, places: Sequence[Span]) -> Span:
    """Return the whole provision, of a long one the first 款 in which something changed."""
    provision = regulation.find(side.label)
    if provision is None or len(side.text) <= compose.LIST:
        return side.span
    changed = [place.shift(side.span.start) for place in places if place.start >= side.body or place.end > side.body]
    for part in compose.paragraphs(provision):
        if any(part.span.overlaps(place) or part.span.contains(place) for place in changed):
            return trim(regulation.text, part.span)
    return side.span


def _ranked(pair: Pair, versions: Versions) -> Ranked:
    side = _any(pair)
    regulation = versions.new if pair.new is not None else versions.old
    article = side.number if side.level is Level.ARTICLE else side.path
    return Ranked(
        regulation.id, regulation.file, regulation.title, article, side.label, side.span, side.text, pair.likeness
    )


def _lines(pairs: Sequence[Pair]) -> list[str]:
    out = []
    for pair in pairs:
        old, new = (side.name or "题注" if side else "无此条" for side in (pair.old, pair.new))
        alike = f"，文字相近 {pair.likeness:.0%}" if pair.kind is Kind.CHANGED else ""
        out.append(f"旧版{old} → 新版{new}：{pair.kind.value}{alike}")
    return out


def _summary(found: Comparison, versions: Versions) -> str:
    counts = "、".join(f"{kind} {count} 条" for kind, count in found.counts.items() if count)
    return (
        f"两个版本逐条相比：{counts}。完整对照：在“法规库”打开本法规的“版本与关系”，"
        f"或运行 python -m nemo diff {versions.old.id} {versions.new.id} --only-changes"
    )


def _told(regulation: Regulation) -> str:
    return str(regulation.version_date or regulation.validity.effective or "日期不明")


def only_one(query: Query, library: Library) -> tuple[str, ...]:
    """Return a tip when a question asks for changes of a regulation of which only one version is held."""
    if _ASKS.search(query.text) is None:
        return ()
    single = [m for m in query.mentions if len(m.regulation_ids) == 1]
    titles = [library.row(m.regulation_ids[0]).title for m in single]
    return tuple(f"资料库只有《{t}》的一个版本，无法比较新旧；请上传另一版本后再问。" for t in dict.fromkeys(titles))

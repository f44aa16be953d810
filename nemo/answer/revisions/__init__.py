"""Questions about what changed between two versions: both wordings, side by side, cut from the stored texts (新旧对照)."""

from collections.abc import Callable, Iterator, Sequence

from nemo.answer.quotes import calibration, compose
from nemo.answer.revisions.question import Versions, asked, asks, before_revision, only_one
from nemo.answer.revisions.subject import Search, asks_for_all, concerned
from nemo.lawview import comparison
from nemo.lawview.comparison import ComparedProvision, ProvisionChange, ProvisionPair, VersionComparison
from nemo.text.versions.edits import EditKind
from nemo.text.words.sentences import trim
from nemo.types import Answer, Confidence, Day, Level, Query, Quote, Ranked, Regulation, Span

__all__ = ["MODE", "asked", "asks", "before_revision", "only_one", "versions_answer"]

MODE = "versions"
"""``Answer.mode`` of such an answer."""

WHOLE = 20
"""At most this many quotes when a question asks for everything that changed."""

Keep = Callable[[Sequence[Quote]], Sequence[Quote]]
"""Takes out what reviewers rejected."""


def versions_answer(
    query: Query, versions: Versions, trace_id: str, search: Search, keep: Keep, most: int
) -> Answer | None:
    """Answer with the provisions concerned in both wordings, None when there is nothing to show.

    ``search`` finds the provisions a question is about, ``keep`` takes out rejected quotes, ``most`` limits them.
    """
    day = query.filters.day
    assert day is not None, "the day of a question is known before it is answered"
    if asks_for_all(query, versions):
        most = max(most, WHOLE)
    found = comparison.diff(versions.old, versions.new)
    lines, confidence = concerned(query, versions, found, search)
    cut: list[Quote] = []
    shown: list[ProvisionPair] = []
    for pair in lines:
        if len(cut) == most:
            break
        quotes = keep(_quotes(pair, versions, day, confidence))
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
        heading=f"新旧对照（《{versions.new.title}》{_status(versions.old)} → {_status(versions.new)}）",
        ranked=tuple(_ranked(shown, versions, confidence)),
        mode=MODE,
        verdict=calibration.directness(Confidence(confidence), cut[0]),
        tips=(*_lines(shown), _summary(found, versions)),
    )


def _quotes(pair: ProvisionPair, versions: Versions, day: Day, score: float) -> list[Quote]:
    quotes = []
    for regulation, side, places in (
        (versions.old, pair.old, [e.old for e in pair.edits if e.op is not EditKind.EQUAL]),
        (versions.new, pair.new, [e.new for e in pair.edits if e.op is not EditKind.EQUAL]),
    ):
        provision = regulation.find(side.label) if side is not None else None
        if side is not None and provision is not None:
            span = _shown(regulation, side, places)
            before, after = compose.beside(regulation, provision, span)
            quotes.append(Quote.cut(regulation, span, day, score=score, before=before, after=after))
    return quotes


def _shown(regulation: Regulation, side: ComparedProvision, places: Sequence[Span]) -> Span:
    """Return the whole provision, of a long one the first 款 in which something changed."""
    provision = regulation.find(side.label)
    if provision is None or len(side.text) <= compose.LIST:
        return side.span
    changed = [place.shift(side.span.start) for place in places if place.start >= side.body or place.end > side.body]
    for part in compose.paragraphs(provision):
        if any(part.span.overlaps(place) or part.span.contains(place) for place in changed):
            return trim(regulation.text, part.span)
    return side.span


def _ranked(pairs: Sequence[ProvisionPair], versions: Versions, score: float) -> Iterator[Ranked]:
    """Yield the provisions of both versions in the order they are shown."""
    for pair in pairs:
        for regulation, side in ((versions.old, pair.old), (versions.new, pair.new)):
            if side is not None:
                article = side.number if side.level is Level.ARTICLE else side.path
                place = (regulation.id, regulation.file, regulation.title, article, side.label)
                yield Ranked(*place, side.span, side.text, score)


def _lines(pairs: Sequence[ProvisionPair]) -> list[str]:
    return [_line(pair) for pair in pairs]


def _line(pair: ProvisionPair) -> str:
    old, new = (side.name or "题注" if side else "无此条" for side in (pair.old, pair.new))
    if pair.kind is ProvisionChange.REMOVED:
        return f"旧版{old}：新版没有对应的条文" + (f"；所问事项新版最近的是{new}" if pair.new else "")
    if pair.kind is ProvisionChange.ADDED:
        return f"新版{new}：旧版没有对应的条文" + (f"；所问事项旧版最近的是{old}" if pair.old else "")
    alike = f"，文字相近 {pair.likeness:.0%}" if pair.kind is ProvisionChange.CHANGED else ""
    return f"旧版{old} → 新版{new}：{pair.kind.value}{alike}"


def _summary(found: VersionComparison, versions: Versions) -> str:
    counts = "、".join(f"{kind} {count} 条" for kind, count in found.counts.items() if count)
    return (
        f"两个版本逐条相比：{counts}。完整对照：在“法规库”打开本法规的“版本与关系”，"
        f"或运行 python -m nemo diff {versions.old.id} {versions.new.id} --only-changes"
    )


def _status(regulation: Regulation) -> str:
    return str(regulation.version_date or regulation.validity.effective or "日期不明")

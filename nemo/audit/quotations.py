"""The ruling on a quotation (引文判定)."""

from nemo.audit.comparison.scope import ClaimScope, ScopeVerdict, joined, place_of
from nemo.audit.comparison.wording import found_in, lost_proviso, pieces
from nemo.audit.finding import MemoVerdict
from nemo.audit.holdings import HeldText, HeldUnit
from nemo.audit.keyed import KeyedText, keyed, likeness, window
from nemo.text.letter.titles import in_marks
from nemo.text.versions.edits import EditKind, edits
from nemo.text.words.sentences import sentences
from nemo.types import Span

_REWRITTEN = 0.6
"""From this likeness on a quotation is one of the cited words, changed."""
_ELSEWHERE = 0.75
_STITCHED = 0.35
_SHORT = 12
"""Characters of a quotation that may stand in several places by chance."""


def quotation(scope: ClaimScope, words: str, after: str) -> ScopeVerdict | None:
    """Rule on a quotation.

    Args:
        scope: What it is said to stand in.
        words: The quotation without its marks.
        after: What the memo writes after it in the same sentence.
    """
    parts = pieces(words)
    if not parts:
        return None
    if (spans := found_in(parts, scope.cited())) is not None:
        return _complete(scope, spans, after)
    whole = KeyedText("".join(p.key for p in parts), ())
    return _beside(scope, parts) or _old(scope, parts) or _other_article(scope, parts) or _changed(scope, words, whole)


def _complete(scope: ClaimScope, spans: list[Span], after: str) -> ScopeVerdict:
    source = scope.source
    last = spans[-1]
    unit = next((u.provision.span for u in scope.text.units if u.provision.span.contains(last)), scope.span())
    if lost := lost_proviso(source, last if len(spans) == 1 else Span(last.start, last.end), unit, after):
        where = place_of(scope.text, last, wording=source[last.start : unit.end].strip(), value=lost)
        return ScopeVerdict(MemoVerdict.TEXT_DIFFERS, where, f"引文略去了例外：“{lost}”。")
    return ScopeVerdict(MemoVerdict.MATCH, place_of(scope.text, Span(spans[0].start, last.end)), "所引文字与原文一致。")


def _beside(scope: ClaimScope, parts: list[KeyedText]) -> ScopeVerdict | None:
    """Rule on words of the cited article that stand in another 款."""
    if not scope.part_of_article():
        return None
    for unit in scope.articles():
        if (spans := found_in(parts, unit.words)) is not None:
            if any(p.span.overlaps(spans[0]) for p in scope.provisions) and len(spans) == 1:
                return ScopeVerdict(MemoVerdict.MATCH, place_of(scope.text, spans[0]), "所引文字与原文一致。")
            true = place_of(scope.text, spans[0])
            return ScopeVerdict(MemoVerdict.WRONG_PROVISION, true, f"所引文字不在所引款项，见{true.label}。")
    return None


def _old(scope: ClaimScope, parts: list[KeyedText]) -> ScopeVerdict | None:
    for text, provisions in scope.older:
        where = joined(text.regulation.text, [p.span for p in provisions]) if provisions else text.whole
        if found_in(parts, where) is not None:
            return ScopeVerdict(MemoVerdict.NOT_IN_FORCE, None, "", text.row)
    return None


def _other_article(scope: ClaimScope, parts: list[KeyedText]) -> ScopeVerdict | None:
    if not scope.provisions:
        return None
    own = likeness("".join(p.key for p in parts), scope.cited().key)
    for unit in scope.others():
        if (spans := found_in(parts, unit.words)) is not None and (
            own < _REWRITTEN or sum(len(p.key) for p in parts) >= _SHORT
        ):
            return _wrong(scope.text, spans[0])
    return None


def _wrong(text: HeldText, span: Span) -> ScopeVerdict:
    true = place_of(text, span)
    return ScopeVerdict(
        MemoVerdict.WRONG_PROVISION, true, f"所引条款没有这段文字，见{in_marks(true.title)}{true.label}。"
    )


def _changed(scope: ClaimScope, words: str, quote: KeyedText) -> ScopeVerdict:
    """Rule on words that stand nowhere as they are."""
    cited = scope.cited()
    if not scope.provisions:
        best = max(scope.text.units, key=lambda u: u.words.covers(quote), default=None)
        cited = best.words if best is not None else cited
    own = likeness(quote.key, cited.key)
    if own >= _REWRITTEN or _has_sentence(words, cited):
        return _differs(scope, words, quote, cited)
    if (elsewhere := _elsewhere(scope, words, quote)) is not None:
        return elsewhere
    if own >= _STITCHED:
        return _differs(scope, words, quote, cited)
    return ScopeVerdict(MemoVerdict.WRONG_PROVISION, None, "所引条款没有这段文字，库内其他条款中也没有找到。")


def _has_sentence(words: str, cited: KeyedText) -> bool:
    """Tell whether one whole sentence of a quotation stands in the cited words: the others were put to it."""
    found = [keyed(words, s).key for s in sentences(words, Span(0, len(words)))]
    return any(len(key) >= _SHORT and key in cited.key for key in found)


def _elsewhere(scope: ClaimScope, words: str, quote: KeyedText) -> ScopeVerdict | None:
    """Find words, or nearly these words, in another article, an older version, another text."""
    near = _likest(list(scope.others()) if scope.provisions else [], quote)
    for text, provisions in scope.older:
        where = joined(text.regulation.text, [p.span for p in provisions]) if provisions else text.whole
        if likeness(quote.key, where.key) >= max(_ELSEWHERE, near[0]):
            return ScopeVerdict(MemoVerdict.NOT_IN_FORCE, None, "", text.row)
    if near[1] is not None and near[0] >= _ELSEWHERE:
        return _wrong(scope.text, _stretch(near[1].words, quote))
    for text in scope.holdings.elsewhere(words, [scope.text.row.id]):
        score, unit = _likest(list(text.units), quote)
        if unit is not None and score >= _ELSEWHERE:
            return _wrong(text, _stretch(unit.words, quote))
    return None


def _likest(units: list[HeldUnit], quote: KeyedText) -> tuple[float, HeldUnit | None]:
    covering = sorted(units, key=lambda u: -u.words.covers(quote))[:3]
    scored = [(likeness(quote.key, u.words.key), u) for u in covering]
    return max(scored, key=lambda pair: pair[0], default=(0.0, None))


def _stretch(place: KeyedText, quote: KeyedText) -> Span:
    at = window(quote.key, place.key)
    return place.span(at.start, at.end) if at.start < at.end else place.span(0, len(place.key))


def _differs(scope: ClaimScope, words: str, quote: KeyedText, cited: KeyedText) -> ScopeVerdict:
    source = scope.source
    span = _stretch(cited, quote)
    touched = [
        s
        for u in scope.text.units
        if u.provision.span.overlaps(span)
        for s in sentences(source, u.provision.span)
        if s.overlaps(span)
    ]
    whole = Span(touched[0].start, touched[-1].end) if touched else span
    true = place_of(scope.text, span, wording=whole.of(source), value=_first_change(whole.of(source), words))
    return ScopeVerdict(MemoVerdict.TEXT_DIFFERS, true, f"引文与原文不符：{shown(span.of(source), words)}")


def _first_change(held: str, said: str) -> str | None:
    """Return the held words where the quotation first differs inside."""
    changed = [e for e in edits(held, said) if e.op is EditKind.REPLACED or e.op is EditKind.DELETED]
    inner = [e for e in changed if e.new.start > 0 or e.op is EditKind.REPLACED]
    return inner[0].old.of(held).strip() or None if inner else None


def shown(held: str, said: str) -> str:
    """Return a difference as a reader sees it: [-原文-]{+文稿+}."""
    out = []
    for edit in edits(held, said):
        was, now = edit.old.of(held), edit.new.of(said)
        if edit.op is EditKind.EQUAL or keyed(was).key == keyed(now).key:
            out.append(now)
        else:
            out.append((f"[-{was}-]" if was else "") + (f"{{+{now}+}}" if now else ""))
    return "".join(out)

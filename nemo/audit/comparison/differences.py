"""Where the words of a memo and those of the law part, stretch by stretch, for a reader's eye (差异)."""

import re
from dataclasses import dataclass

from nemo.audit.finding import MemoFinding, MemoVerdict
from nemo.audit.keyed import KeyedText, keyed, window
from nemo.text.versions.edits import Edit, EditKind, edits
from nemo.types import Span

_NUMBER = re.compile("^\\s*第[^条款\\s]{1,8}条[ \u3000]+")
"""In front of the words of an article."""
_ITEM = re.compile(r"\s*(?:[（(][一二三四五六七八九十]{1,3}[）)]|\d{1,2}[.．、](?!\d))\s*")
"""In front of the words of an item; who retells it leaves it out."""
_STOP = re.compile("[，,。；;：:\n\u3000]")


@dataclass(frozen=True, slots=True)
class MemoDifference:
    """What a memo says and the stretch of the provision that it rewrites."""

    said: str
    wording: str
    """Verbatim."""
    edits: tuple[Edit, ...]
    """How ``said`` becomes ``wording``."""

    def pieces(self, of_law: bool) -> list[tuple[str, bool]]:
        """Return one side as stretches, each with whether the other side has it not."""
        spans = [(edit.new if of_law else edit.old, edit.op is not EditKind.EQUAL) for edit in self.edits]
        text = self.wording if of_law else self.said
        return [(span.of(text), alone) for span, alone in spans if span.of(text)]


def whole_clauses(text: str, span: Span) -> str:
    """Return a stretch with what is left of its first and last clause, without the number of the article: no reader is shown half a word."""
    start = max([m.end() for m in _STOP.finditer(text, 0, span.start)], default=0)
    end = _STOP.search(text, max(span.start, span.end - 1))
    return _NUMBER.sub("", text[start : end.start() if end else len(text)])


def differences(finding: MemoFinding, memo: str) -> list[MemoDifference]:
    """Return the differences of a finding whose words or values are not those of the provision; none for others.

    Args:
        finding: Of the memo.
        memo: Its text.
    """
    true = finding.true
    if finding.verdict is not MemoVerdict.TEXT_DIFFERS or true is None or not true.wording:
        return []
    law = keyed(true.wording)
    found: list[MemoDifference] = []
    for claim in finding.claims:
        said = claim.of(memo).strip()
        whole = _beside(said, true.wording, law)
        if true.value and not any(true.value in one.wording for one in whole):  # told in another order than the law's
            clauses = [one for clause in _STOP.split(said) for one in _beside(clause.strip(), true.wording, law)]
            whole = [one for one in clauses if one.said != one.wording]
        found += whole
    return found


def _beside(said: str, wording: str, law: KeyedText) -> list[MemoDifference]:
    """Return what some words of a memo rewrite, in a list; an empty one where nothing is alike."""
    place = window(keyed(said).key, law.key)
    if place.start >= place.end:
        return []
    whole = whole_clauses(wording, law.span(place.start, place.end)).strip()
    if mark := None if _ITEM.match(said) else _ITEM.match(whole):
        whole = whole[mark.end() :]
    return [MemoDifference(said, whole, edits(said, whole))]

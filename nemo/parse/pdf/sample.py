"""Is the text layer what is printed (文字层与版面是否一致)? One doubtful page is recognised and compared.

Recognising costs seconds, so it is done for one page of a document at most, and only where its own characters already
speak against it; any other document is not slowed down.
"""

from difflib import SequenceMatcher
from typing import Any

from nemo.errors import MissingDependencyError
from nemo.parse import garble
from nemo.types import Fault, ParsedDocument

_SHOWN = 12
DIFFERENT = 0.8
"""Share of agreeing characters below which a page's text layer is another text than what is printed."""


def compared(parsed: ParsedDocument, picture: Any) -> list[Fault]:
    """Return what recognising one doubtful page of a document says of its text; nothing when no page is doubtful."""
    spans = [fault.span for fault in garble.doubts(parsed.text, parsed.pages) if fault.span is not None]
    page = next((p for p in parsed.pages if not p.recognised and any(p.span.overlaps(s) for s in spans)), None)
    if page is None:
        return []
    from nemo.parse.pdf import scan  # heavy: only for a page in doubt

    try:
        rows, _ = scan.read_page(picture(page.number), page.number)
    except MissingDependencyError:
        return [Fault("page_not_compared", f"第{page.number}页的文字层可疑，没有文字识别组件，未能与版面比对。")]
    layer, printed = _solid(page.span.of(parsed.text)), _solid("".join(row.text for row in rows))
    matcher = SequenceMatcher(None, layer, printed, autojunk=False)
    agreeing = sum(block.size for block in matcher.get_matching_blocks())
    faults = []
    if layer and printed and agreeing < DIFFERENT * min(len(layer), len(printed)):
        share = agreeing / min(len(layer), len(printed))
        faults.append(
            Fault("layer_differs", f"第{page.number}页的文字层与版面只有 {share:.0%} 一致，请勿引用该页。", page.span)
        )
    read = [
        f"“{layer[a:b][:_SHOWN]}”处版面上识别为“{printed[c:d][:_SHOWN]}”"
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind == "replace" and garble.strange_words(layer[a:b] + "的" * 60) and d - c <= 2 * (b - a) + 4
    ]
    if read:
        faults.append(
            Fault("layer_differs", f"第{page.number}页{'；'.join(read[:5])}，文字层已损坏，请核对原件。", page.span)
        )
    return faults


def _solid(text: str) -> str:
    return "".join(text.split())

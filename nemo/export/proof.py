"""The proof of a quote: its place is cut again from the library as it is now and compared character by character (核验)."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nemo.errors import NotFoundError
from nemo.export.answer import verification
from nemo.types import Quote

if TYPE_CHECKING:
    from nemo.store.catalogue.rows import RegulationRow
    from nemo.store.library import Library
    from nemo.store.records.chain import ChainLink


class ProofOutcome(enum.StrEnum):
    """What came of comparing one quote."""

    PASSED = "通过"
    DIFFERS = "不符"
    UNCHECKED = "无法核对"


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of comparing one quote with the library."""

    outcome: ProofOutcome
    message: str
    """Chinese; recognised text is never called verbatim."""
    row: RegulationRow | None
    """The regulation as held; None when it is not."""
    text: str | None = None
    """Its text."""
    link: ChainLink | None = None
    """What registered it in the chain of records."""

    @property
    def text_sha256(self) -> str | None:
        """Hash of the regulation's text."""
        return self.row.text_sha256 if self.row else None

    @property
    def raw_sha256(self) -> str | None:
        """Hash of the original file."""
        return self.row.sha256 if self.row else None


def prove(quote: Quote, library: Library) -> Proof:
    """Cut a quote and the text beside it again and compare."""
    try:
        row, text = library.row(quote.regulation_id), library.regulation(quote.regulation_id).text
    except NotFoundError:
        return Proof(ProofOutcome.UNCHECKED, "无法核对：法规已移出资料库", None)
    if all(span.of(text) == words for span, words in quote.slices()):
        return Proof(ProofOutcome.PASSED, verification(quote), row, text, library.registered(row.id))
    return Proof(ProofOutcome.DIFFERS, "不符：库内文本此处已不是所引文字", row, text, library.registered(row.id))

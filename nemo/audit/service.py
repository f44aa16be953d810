"""The audit of memos as a service (审校服务)."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from nemo import lawview, rules
from nemo.answer.question.titles import TitleFinder
from nemo.audit.again import changes, compared
from nemo.audit.citations import CitationReader
from nemo.audit.claims import claims_of
from nemo.audit.finding import MemoAudit, plain
from nemo.audit.holdings import HeldTexts
from nemo.audit.judge import Judge
from nemo.audit.memo import Memo, read
from nemo.audit.resolve import Resolver
from nemo.errors import BadRequestError
from nemo.settings import Settings
from nemo.store.library import Library
from nemo.store.records.marks import MarkPurpose
from nemo.text.words.normalise import title_key
from nemo.types import Day, RawDocument, today

LONGEST = 400_000
"""Characters of one memo."""


class AuditService:
    """Audits memos against one library; keeps nothing of them but, when asked to, which provisions they rest on."""

    def __init__(
        self, library: Library, law: lawview.LawOverview, names: Callable[[], TitleFinder], settings: Settings
    ) -> None:
        self._library, self._law, self._names, self._settings = library, law, names, settings

    def audit(self, raw: RawDocument, day: Day | None = None) -> MemoAudit:
        """Audit a file.

        Args:
            raw: Word, PDF or plain text.
            day: On which the citations must be right; without it the day under which the memo is signed, else today.

        Raises:
            UnreadableDocumentError: damaged, or without text.
            BadRequestError: longer than a memo may be.
        """
        return self.audit_memo(read(raw, self._settings), day)

    def remember(self, audit: MemoAudit, raw: RawDocument, user: str | None) -> int:
        """Write down on which held articles a memo rests, so that its author is told when they change; return how many.

        Kept are the memo's name, the start of its hash, and the places; an earlier audit of this name is replaced.
        """
        rows: dict[tuple[str, str], str] = {}
        for true in (finding.true for finding in audit.findings):
            if true is not None and true.title:
                about = {"memo": raw.sha256[:12], "title": true.title, "provision": true.label}
                for article in true.articles or ("",):
                    rows.setdefault((title_key(true.title), str(article)), json.dumps(about, ensure_ascii=False))
        found = [(subject, label, note) for (subject, label), note in rows.items()]
        self._library.marks.replace_all(MarkPurpose.MEMO, raw.name, user, found)
        return len(found)

    def written(self, audit: MemoAudit, raw: RawDocument, form: str, before: Mapping[str, Any] | None = None) -> bytes:
        """Return an audit as a file: ``docx`` with comments in it, ``xlsx``, or ``json``.

        Args:
            audit: To be written.
            raw: The memo.
            form: Of the file.
            before: An earlier audit, see :func:`nemo.audit.again.earlier`; every form then tells what changed since.
        """
        if form == "json":
            content = plain(audit) if before is None else compared(before, plain(audit))
            return json.dumps(content, ensure_ascii=False, indent=1).encode()
        since = None if before is None else changes(before, plain(audit))
        from nemo.audit import marked  # python-docx, openpyxl: only who takes a file away pays for them

        return marked.word(audit, raw, since) if form == "docx" else marked.excel(audit, since)

    def audit_memo(self, memo: Memo, day: Day | None = None) -> MemoAudit:
        """Audit a text that is already read, see :func:`audit`."""
        if len(memo.text) > LONGEST:
            raise BadRequestError(f"文稿超过 {LONGEST // 10_000} 万字，请分篇审校。")
        on = day or memo.day() or today()
        names = self._names()
        holdings = HeldTexts(self._library, self._law, names, rules.load(self._settings.rules).synonyms)
        reader = CitationReader(memo, names, holdings.numbers)
        row = reader.citations()
        while reader.release(c.span for i in range(len(row)) for c in claims_of(reader, row, i) if c.quoted):
            row = reader.citations()
        resolver = Resolver(reader, holdings, on)
        resolved = resolver.all(row)
        own = [found.citation for found in resolved if not resolver.retold(found)]
        if len(own) < len(row):
            row, resolver = own, Resolver(reader, holdings, on)
            resolved = resolver.all(row)
        judge = Judge(reader, holdings, resolver, on)
        findings = [judge.finding(found, claims_of(reader, row, i)) for i, found in enumerate(resolved)]
        return MemoAudit(memo.name, memo.text, on, tuple(findings))

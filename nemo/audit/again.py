"""A memo audited a second time: what became wrong since, what was mended, what is new (再次审校)."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nemo.audit.finding import MemoVerdict
from nemo.errors import BadRequestError
from nemo.types.plain import read_json


@dataclass(frozen=True, slots=True)
class AuditChange:
    """One citation that stands otherwise than in the earlier audit."""

    number: int
    """Of the finding in the later audit, from 1."""
    text: str
    before: MemoVerdict | None
    """None for a citation that was not there before."""
    after: MemoVerdict
    message: str

    @property
    def worse(self) -> bool:
        """Whether a citation that was right is so no longer, or a new one is not right."""
        return self.after is not MemoVerdict.MATCH and self.before in (None, MemoVerdict.MATCH)

    @property
    def said(self) -> str:
        """The change in Chinese."""
        return f"{self.before.said if self.before else '新增'} → {self.after.said}"


def earlier(content: bytes) -> Mapping[str, Any]:
    """Return an audit that was taken away as JSON.

    Raises:
        BadRequestError: it is none.
    """
    try:
        known = read_json(content)
        for one in known["findings"]:
            MemoVerdict(one["verdict"])
            if not isinstance(one["text"], str):
                raise TypeError(one["text"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadRequestError("这不是审校结果文件。请选择上次审校时下载的 JSON。") from error
    return dict(known)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[AuditChange]:
    """Return the citations whose verdict is another than before, what became wrong first.

    Citations are matched in their order, so that a memo may have been edited between the two audits.

    Args:
        before: The plain data of the earlier audit, see :func:`nemo.audit.finding.plain`.
        after: That of the later one.
    """
    old: Sequence[Mapping[str, Any]] = before["findings"]
    new: Sequence[Mapping[str, Any]] = after["findings"]
    matcher = difflib.SequenceMatcher(None, [o["text"] for o in old], [n["text"] for n in new], autojunk=False)
    known = {
        block.b + n: MemoVerdict(old[block.a + n]["verdict"])
        for block in matcher.get_matching_blocks()
        for n in range(block.size)
    }
    found = [_change(number, finding, known.get(number)) for number, finding in enumerate(new)]
    return sorted((c for c in found if c.before is not c.after), key=lambda c: (not c.worse, c.number))


def _change(number: int, finding: Mapping[str, Any], before: MemoVerdict | None) -> AuditChange:
    return AuditChange(number + 1, finding["text"], before, MemoVerdict(finding["verdict"]), finding["message"])


def compared(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the later audit with ``changes``: each with ``number`` of its finding, verdicts, and whether it is worse."""
    listed = [
        {
            "number": change.number,
            "text": change.text,
            "before": change.before and change.before.value,
            "after": change.after.value,
            "worse": change.worse,
            "message": change.message,
        }
        for change in changes(before, after)
    ]
    return {**after, "changes": listed}

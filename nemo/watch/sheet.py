"""What a collected file would change in the library, before it is let in (变更影响单).

Nothing is guessed: the held texts are taken through the same succession once without and once with the new texts
(``nemo.text.versions.succession``), and every held text that stands otherwise afterwards is named with the words it
rests on. Texts are compared provision by provision where one takes the place of the other.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from nemo.lawview import comparison
from nemo.lawview.comparison import ProvisionChange
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.text.letter.titles import is_letter
from nemo.text.versions.edits import EditKind
from nemo.text.versions.succession import succeed
from nemo.text.words.normalise import normalise, squash, title_key
from nemo.types import RawDocument, Regulation, RelationKind, Validity
from nemo.watch.touched import LawView, altered, touched

DRAFT, BINDING = "draft", "binding"
AGAIN_DRAFT = "修订草案"
"""A draft beside a text that is law: it changes nothing yet."""
_DRAFT_MARK = re.compile(
    r"[（(](?:[^（）()]{0,12}(?:征求意见稿|草案|送审稿|讨论稿)[^（）()]{0,8})[）)]|(?:征求意见稿|送审稿)$"
)
_CONSULTING = re.compile(
    r"^.*?关于(?:公开)?征求[《〈]?|[》〉]?(?:（[^（）]{0,40}）)?(?:公开征求)?意见(?:的(?:通知|公告|函))?$"
)


def words_of(found: Sequence[Regulation]) -> str:
    """Return the hash of the words of some texts, whatever their blanks, widths and line breaks."""
    text = "\n".join(squash(normalise("".join(p.span.of(r.text) for p in r.provisions) or r.text).text) for r in found)
    return hashlib.sha256(text.encode()).hexdigest()


def digest(sheet: Mapping[str, Any]) -> str:
    """Return the hash of a sheet: what a signature stands under."""
    text = json.dumps(sheet, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


class SheetMaker:
    """Compares collected texts with one library."""

    def __init__(self, view: Callable[[], LawView]) -> None:
        self._view = view
        self._before: tuple[object, dict[str, Validity]] | None = None

    @property
    def _library(self) -> Library:
        return self._view().library

    def held(self, found: Sequence[Regulation]) -> bool:
        """Tell whether every one of some texts is held word for word: a cosmetic change is none."""
        return bool(found) and all(self._held(one) for one in found)

    def _held(self, one: Regulation) -> bool:
        key = title_key(one.title)
        words = words_of([one])
        rows = [r for r in self._library.headers() if r.id == one.id or title_key(r.title) == key]
        return any(r.id == one.id or words_of([self._library.regulation(r.id)]) == words for r in rows)

    def sheet(self, found: Sequence[Regulation], raw: RawDocument) -> dict[str, Any]:
        """Return the change sheet of a file as plain data.

        ``kinds`` say what it is; ``texts`` what it holds; ``effects`` which held texts stand otherwise, from when, by
        which words; ``comparisons`` what changed provision by provision; ``touched`` what rests on them.
        """
        fresh = [one for one in found if not self._held(one)]
        replaced = self._library.would_replace(fresh, raw)
        effects = self._effects(fresh, replaced)
        pairs = list(self._pairs(fresh, effects, replaced))
        compared = [self._compared(old, new, why) for old, new, why in pairs]
        partly = list(self._partly(fresh))
        kinds = dict.fromkeys(
            [*(e["change"] for e in effects), *(c["why"] for c in compared), *(p["change"] for p in partly)]
        )
        return {
            "file": raw.name,
            "sha256": raw.sha256,
            "url": raw.url,
            "kinds": list(kinds) or ["新文件"],
            "texts": [_text(one) for one in fresh],
            "effects": [*effects, *partly],
            "comparisons": compared,
            "touched": self.touched([*effects, *partly], compared),
        }

    def touched(
        self, effects: Sequence[Mapping[str, Any]], compared: Sequence[Mapping[str, Any]]
    ) -> dict[str, list[dict[str, Any]]]:
        """Return what rests, by now, on the texts that a sheet is about."""
        ids = {e["regulation_id"] for e in effects} | {c["old"]["id"] for c in compared if c["why"] != AGAIN_DRAFT}
        held = {row.id for row in self._library.headers()}
        return touched(self._view(), ids & held, altered(compared))

    # --- what stands otherwise

    def _effects(self, fresh: Sequence[Regulation], replaced: Sequence[str]) -> list[dict[str, Any]]:
        rows = self._library.headers()
        state = (self._library.generation, len(rows))
        if self._before is None or self._before[0] != state:
            self._before = (state, succeed(rows))
        before = self._before[1]
        after = succeed([*(r for r in rows if r.id not in replaced), *fresh])
        titles = {one.id: one.title for one in fresh}
        found = []
        for row in rows:
            if row.id in replaced:
                found.append(_effect(row, "重新发布", before[row.id], None, f"《{row.title}》的文本将被替换"))
            elif _end(before[row.id]) != _end(after[row.id]) or before[row.id].effective != after[row.id].effective:
                now = after[row.id]
                why = now.why("ends") or now.why("version_effective")
                change = now.ended_as.value if now.ended_as else "施行日期改变"
                effect = _effect(row, change, before[row.id], now, why.words if why else "")
                found.append({**effect, "by": titles.get(now.ended_by or "", now.ended_by)})
        return found

    def _partly(self, fresh: Sequence[Regulation]) -> Iterator[dict[str, Any]]:
        """Yield the held texts of which a letter changes provisions; the texts themselves stay law."""
        for one in fresh:
            if one.nature != BINDING or not is_letter(one.title):
                continue
            for relation in one.relations:
                if relation.kind is RelationKind.AMENDS:
                    for held in self._view().law.find(relation.target_title, relation.target_number)[:1]:
                        row = self._library.row(held)
                        yield {
                            **_effect(row, "部分修改", row.validity, None, relation.words),
                            "from": one.validity.effective,
                            "by": one.title,
                        }

    # --- what is compared

    def _pairs(
        self, fresh: Sequence[Regulation], effects: Sequence[Mapping[str, Any]], replaced: Sequence[str]
    ) -> Iterator[tuple[Regulation, Regulation, str]]:
        """Yield (held, new, why) of the texts of which one takes the place of the other."""
        ended = {e["regulation_id"]: e for e in effects}
        for one in fresh:
            key, bare = title_key(one.title), _bare(one.title)
            rows = [r for r in self._library.headers() if r.province == one.province]
            same = [r for r in rows if title_key(r.title) == key and (r.id in ended or r.id in replaced)]
            drafts = [r for r in rows if _bare(r.title) == bare and (r.nature == DRAFT) is not (one.nature == DRAFT)]
            if same:
                old = max(same, key=lambda r: str(r.version_date or r.validity.effective or ""))
                yield self._library.regulation(old.id), one, "重新发布" if old.id in replaced else "新版本"
            elif drafts:
                old = max(drafts, key=lambda r: str(r.version_date or r.validity.promulgated or ""))
                yield self._library.regulation(old.id), one, "草案转正式" if one.nature == BINDING else AGAIN_DRAFT
            else:
                taken = [r for r in rows if r.id in ended and ended[r.id].get("by") == one.title]
                if len({title_key(r.title) for r in taken}) == 1 and not is_letter(one.title):
                    yield self._library.regulation(taken[-1].id), one, "取代"

    @staticmethod
    def _compared(old: Regulation, new: Regulation, why: str) -> dict[str, Any]:
        found = comparison.diff(old, new)
        return {
            "why": why,
            "old": {"id": old.id, "title": old.title, "version_date": old.version_date},
            "new": {"id": new.id, "title": new.title, "version_date": new.version_date},
            "counts": found.counts,
            "pairs": [_pair(pair) for pair in found.only_changes().pairs],
        }


def changes_anything(sheet: Mapping[str, Any]) -> bool:
    """Tell whether a file would change how any held text stands: then a person signs first."""
    return bool(sheet["effects"]) or any(c["why"] != AGAIN_DRAFT for c in sheet["comparisons"])


def summary(sheet: Mapping[str, Any]) -> str:
    """Return one Chinese line of what a sheet says."""
    touched = sheet["touched"]
    names = (("answers", "存档答复"), ("searches", "已存查询"), ("reviews", "已复核引文"), ("memos", "审校过的文稿"))
    parts = [f"{len(touched[key])} 份{name}" for key, name in names if touched[key]]
    return "、".join(sheet["kinds"]) + (
        f"；涉及{'、'.join(parts)}" if parts else "；没有存档答复、查询、复核或文稿涉及"
    )


def _bare(title: str) -> str:
    return title_key(_CONSULTING.sub("", _DRAFT_MARK.sub("", title)))


def _end(known: Validity) -> tuple[Any, ...]:
    return known.ends, known.ended_as, known.ended_by


def _effect(row: RegulationRow, change: str, before: Validity, after: Validity | None, words: str) -> dict[str, Any]:
    return {
        "regulation_id": row.id,
        "title": row.title,
        "version_date": row.version_date,
        "change": change,
        "before": before.ends,
        "from": after.ends if after else None,
        "certain_from": after.ends_certain if after else None,
        "words": words,
        "by": None,
    }


def _text(one: Regulation) -> dict[str, Any]:
    said = ("id", "title", "document_number", "issuer", "province", "nature")
    days = ("promulgated", "effective", "began", "derived")
    return {name: getattr(one, name) for name in said} | {name: getattr(one.validity, name) for name in days}


def _pair(pair: comparison.ProvisionPair) -> dict[str, Any]:
    def side(one: comparison.ComparedProvision | None) -> dict[str, Any] | None:
        return None if one is None else {"label": one.label, "name": one.name, "text": one.text}

    old, new = pair.old, pair.new
    edits = [
        {"op": e.op.value, "old": e.old.of(old.text), "new": e.new.of(new.text)}
        for e in (pair.edits if pair.kind is ProvisionChange.CHANGED and old and new else ())
        if old and new and (e.op is not EditKind.EQUAL or e.old.of(old.text))
    ]
    return {"kind": pair.kind.value, "old": side(old), "new": side(new), "edits": edits}

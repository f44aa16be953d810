"""Facts of a held regulation, stated by a person (人工修改): read from the original again, with what was stated over it.

What was stated when the file came (清单) is taken from the evidence the regulation carries, so an edit adds to it; a
field that is emptied goes back to what the text says. The old and new values are kept in the audit log.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nemo.errors import BadRequestError, NemoError, NotFoundError
from nemo.ingest import FileOutcome, Ingestion, IngestReport, manifest
from nemo.ingest.ingestion import RevisedFacts
from nemo.ingest.manifest import StatedFacts, stated_of
from nemo.rules import Rules
from nemo.store.catalogue.rows import Revision
from nemo.types import Regulation, Status

FIELDS: Mapping[str, str] = {
    "title": "标题", "document_number": "文号", "issuer": "发布机关", "level": "效力级别", "province": "省份",
    "doc_class": "文件类别", "assets": "能源类型", "nature": "文件性质", "promulgated": "公布日期",
    "effective_date": "首次施行日期", "in_force_from": "本版施行日期", "valid_until": "有效期至", "url": "来源网址",
}  # fmt: skip
"""What a person may state, with Chinese names."""


def values(regulation: Regulation) -> dict[str, Any]:
    """Return what holds now, by field of ``FIELDS``; days as dates, assets as a list, None for what is not known."""
    known = regulation.validity
    expires = known.ends is not None and known.ended_as is Status.EXPIRED
    days = {
        "promulgated": known.promulgated,
        "effective_date": known.first_effective,
        "in_force_from": known.version_effective,
        "valid_until": known.last_day if expires else None,
    }
    plain = {name: getattr(regulation, name) or None for name in FIELDS if name not in days}
    return {**plain, "assets": list(regulation.assets), **days}


def edit(
    ingestion: Ingestion, regulation_id: str, facts: Mapping[str, Any], *, reason: str = "", user: str | None = None
) -> IngestReport:
    """State facts about a held regulation: new values by field of ``FIELDS``; None or "" takes back what was stated.

    Raises:
        BadRequestError: a field or value is wrong, nothing changes, or a value read from the text is emptied.
        NotFoundError: no such regulation, or its original is gone.
        UnreadableDocumentError: the original no longer gives this text.
    """
    began = time.monotonic()
    revised = _revised(ingestion, regulation_id, facts, reason, user)
    _, made = next(iter(list(ingestion.revise([revised]))))
    if isinstance(made, NemoError):
        raise made
    return IngestReport((_outcome(revised, made),), 0, time.monotonic() - began)


def edit_all(
    ingestion: Ingestion, ids: Sequence[str], facts: Mapping[str, Any], *, reason: str = "", user: str | None = None
) -> IngestReport:
    """State the same facts about several held regulations: one outcome each, those that fail with the reason.

    Regulations that say so already are left out. Arguments and errors of the whole are those of :func:`edit`.
    """
    began = time.monotonic()
    outcomes: list[FileOutcome] = []
    waiting = [each for each in dict.fromkeys(ids) if _differs(ingestion.library.regulation(each), facts)]
    while waiting:
        jobs: dict[tuple[str, str], RevisedFacts] = {}
        later: list[str] = []
        for each in waiting:
            held = ingestion.library.regulation(each)
            if (held.sha256, held.file) in jobs:
                later.append(each)  # of one file one regulation at a time: each sees what was stated of the others
                continue
            try:
                jobs[held.sha256, held.file] = _revised(ingestion, each, facts, reason, user)
            except NotFoundError as gone:
                outcomes.append(FileOutcome(held.file, "failed", (each,), reason=gone.message, tips=gone.tips))
        outcomes += [_outcome(job, made) for job, made in ingestion.revise(list(jobs.values()))]
        waiting = later
    return IngestReport(tuple(outcomes), 0, time.monotonic() - began)


def _differs(held: Regulation, facts: Mapping[str, Any]) -> bool:
    before = values(held)
    return any(_tidy(value) != before.get(name, "") for name, value in facts.items())


def _outcome(revised: RevisedFacts, made: list[Regulation] | NemoError) -> FileOutcome:
    file, own = revised.raw.name, revised.revision.regulation_id
    if isinstance(made, NemoError):
        return FileOutcome(file, "failed", (own,), reason=made.message, tips=made.tips)
    one = next(regulation for regulation in made if regulation.id == own)
    return FileOutcome(file, "replaced", (own,), (one.title,), faults=len(one.faults))


def _revised(
    ingestion: Ingestion, regulation_id: str, facts: Mapping[str, Any], reason: str, user: str | None
) -> RevisedFacts:
    library = ingestion.library
    held = library.regulation(regulation_id)
    before = values(held)
    wanted = {name: _tidy(value) for name, value in facts.items()}
    changes = {name: value for name, value in wanted.items() if value != before.get(name, "")}
    if not changes:
        raise BadRequestError("没有任何改动。请修改至少一项后再保存。")
    stated = _with(stated_of(held), changes, before, ingestion.rules)
    siblings = [row.id for row in library.rows() if row.sha256 == held.sha256 and row.file == held.file]
    every = {each: stated_of(library.regulation(each)) for each in siblings} | {regulation_id: stated}
    revision = Revision(regulation_id, {n: (before[n], v) for n, v in changes.items()}, reason.strip(), user)
    return RevisedFacts(replace(library.raw(held.sha256), name=held.file), every, revision)


def _tidy(value: Any) -> Any:
    if isinstance(value, str):
        return value.strip() or None
    return list(value) if isinstance(value, tuple) else value


def _with(stated: StatedFacts, changes: Mapping[str, Any], before: Mapping[str, Any], rules: Rules) -> StatedFacts:
    """Return what is stated after the changes.

    Raises:
        BadRequestError: a field or value is wrong.
    """
    kept = stated.facts.said
    for name, value in changes.items():
        if name not in FIELDS:
            raise BadRequestError(f"不能修改“{name}”。可以修改：{'、'.join(FIELDS.values())}。")
        if value is None and kept.pop(name, None) is None and before[name] is not None:
            raise BadRequestError(f"“{FIELDS[name]}”读自原文，不能清空。请填写正确的值。")
    given = {name: value for name, value in changes.items() if value is not None}
    _check(given, rules)
    facts = manifest.facts_of({**kept, **given}, rules, "所填信息")
    return StatedFacts(facts, (stated.by_analyst - set(changes)) | set(given))


def _check(given: Mapping[str, Any], rules: Rules) -> None:
    """Refuse what a manifest would let pass: a person who fills in a form can correct it at once."""
    if "nature" in given:
        rules.nature(given["nature"])
    if "level" in given and rules.level(given["level"]) is None:
        names = "、".join(level.name for level in rules.levels)
        raise BadRequestError(f"没有“{given['level']}”这一效力级别。可用：{names}。")
    if "url" in given and not str(given["url"]).startswith(("http://", "https://")):
        raise BadRequestError("来源网址须以 http:// 或 https:// 开头。请改正。")

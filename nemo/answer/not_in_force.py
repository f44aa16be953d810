"""Refusals because a text is not law on the day: which text, when it ended, by what, and what may be asked instead (失效与未施行)."""

from collections.abc import Sequence

from nemo.store.library import Library
from nemo.text.letter.titles import in_marks
from nemo.types import Day, Mention, Reason, Refusal, Regulation, Status


def refusal(mention: Mention, versions: Sequence[Regulation], day: Day, library: Library) -> Refusal:
    """Refuse because no version (newest first, at least one) of what is named is law on the day."""
    if all(r.validity.on(day, mention.article) is Status.PENDING for r in versions):
        first = min(versions, key=lambda r: r.validity.effective or Day.max)
        if first.validity.stayed:
            said = f"{in_marks(first.title)}在 {day} 尚未施行：{first.validity.proof(day)}，没有读到新的施行日期。"
            return Refusal(Reason.NOT_IN_FORCE_ON_DAY, said, ("如已有恢复施行的文件，请上传后再问。",))
        return Refusal(
            Reason.NOT_IN_FORCE_ON_DAY,
            f"库内没有{in_marks(first.title)}在 {day} 有效的版本：库内最早的版本自 {first.validity.effective or '未知之日'} 起施行。",
            ("请改选日期后重新提问。", "如当日另有更早的版本或被替代的文件，请上传后再问。"),
        )
    notes = [status_of(regulation, day, library, mention.article) for regulation in versions[:3]]
    return Refusal(
        Reason.NOT_IN_FORCE_ON_DAY,
        "；".join(notes) + "，不能作为当日的依据。",
        tuple(dict.fromkeys(tip for r in versions[:3] for tip in instead(r, day, library))),
    )


def status_of(regulation: Regulation, day: Day, library: Library, label: str | None = None) -> str:
    """Say what became of a text by the day: 《演示办法》在 2026-01-01 已废止（2025-07-01 失效，被《演示新办法》废止）."""
    status = regulation.validity.on(day, label)
    if status is Status.PENDING:
        start = regulation.validity.start_of(label)
        return f"{in_marks(regulation.title)}在 {day} {status.value}" + (f"（{start} 施行）" if start else "")
    known = regulation.validity
    when = f"{'推定 ' * known.ends_derived}{known.ends} 失效" if known.ends else ""
    by = successor(regulation, library)
    verb = "被新版本取代" if by and status is Status.AMENDED else f"被{in_marks(by)}废止" if by else ""
    why = "，".join(filter(None, (when, verb)))
    return f"{in_marks(regulation.title)}在 {day} {status.value}" + (f"（{why}）" if why else "")


def successor(regulation: Regulation, library: Library) -> str:
    """Return the title of what ended a text, empty when nobody knows."""
    by = regulation.validity.ended_by
    if not by:
        return ""
    return next(
        (row.title for row in library.rows() if by in (row.id, row.file)), "" if by.endswith((".md", ".pdf")) else by
    )


def instead(regulation: Regulation, day: Day, library: Library, label: str | None = None) -> list[str]:
    """Return what to do about a text, or an article of it, that is not law on the day."""
    start = regulation.validity.start_of(label)
    if start is not None and regulation.validity.on(day, label) is Status.PENDING:
        return [f"如要查施行后的规定，请把适用日期改为 {start} 或之后。", "如当日另有有效的文件，请上传后再问。"]
    by = successor(regulation, library)
    last = regulation.validity.ends
    tips = []
    if by and last is not None and day >= last:
        tips.append(f"可改问{in_marks(by)}的规定。" if by != regulation.title else "可改问该法规的现行版本。")
    if last is not None and day >= last:
        tips.append(f"如要查当时的规定，请把适用日期改为 {last} 之前。")
    return tips or ["请改选日期后重新提问。", "如当日另有版本或替代文件，请上传后再问。"]

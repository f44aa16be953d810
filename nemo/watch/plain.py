"""Watches, visits and collected files as plain data, for the command line and programs (采集数据)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from nemo.lawview.shortfalls import Shortfall
from nemo.store.records.watching import CollectedPaper, SiteVisit, Watch
from nemo.watch.sheet import changes_anything, digest, summary

VISIT = ("state", "began", "ended", "tries", "counts", "alarms", "problem")
WATCH = ("id", "kind", "subject", "schedule", "paused", "next")
PAPER = ("id", "name", "url", "fetched_at", "state", "question", "reason")
"""Fields that are given as they are kept."""


def visit(one: SiteVisit) -> dict[str, Any]:
    """Return one visit."""
    return {name: getattr(one, name) for name in VISIT}


def watch(one: Watch, name: str, visits: Sequence[SiteVisit], remark: str) -> dict[str, Any]:
    """Return a watch with how it is by its newest visits, newest first; ``remark`` is of its source."""
    settled = [v for v in visits if v.state in ("done", "failed")]
    success = next((v for v in settled if v.state == "done"), None)
    newest = settled[0] if settled else None
    if one.paused:
        health = "已暂停"
    elif newest is None:
        health = "尚未采集"
    elif newest.state == "failed":
        health = "采集失败"
    else:
        health = "有告警" if newest.alarms else "正常"
    return {
        **{field: getattr(one, field) for field in WATCH},
        "name": name,
        "remark": remark,
        "health": health,
        "last_success": success.ended if success else None,
        "entries": success.counts.get("entries", 0) if success else None,
        "visits": [visit(v) for v in visits[:20]],
    }


def gaps(found: Sequence[tuple[Shortfall, str | None]], limit: int = 0) -> dict[str, Any]:
    """Return gaps with where each may be fetched; ``limit`` 0 for all."""
    counts = Counter(one.kind for one, _ in found)
    shown = found[:limit] if limit else found
    return {"total": len(found), "counts": dict(counts), "gaps": [{**asdict(one), "url": url} for one, url in shown]}


def paper(one: CollectedPaper, *, whole: bool = False) -> dict[str, Any]:
    """Return a collected file; ``whole`` with its change sheet."""
    view = {
        **{field: getattr(one, field) for field in PAPER},
        "title": one.title or one.name,
        "job": one.batch,
        "summary": summary(one.sheet) if one.sheet else "",
        "needs_signature": bool(one.sheet and changes_anything(one.sheet)),
        "digest": digest(one.sheet) if one.sheet else None,
    }
    return {**view, "sheet": one.sheet} if whole else view

"""Forms of collecting in JSON (接口数据形式：采集与变更)."""

from typing import Literal

from pydantic import Field, JsonValue

from nemo.export.schemas.answers import Form, IsoDay, Moment, of_few
from nemo.export.schemas.library import Count, Sha256


class VisitForm(Form):
    """One visit to a source (一次采集)."""

    state: Literal["queued", "running", "done", "failed"]
    began: Moment | None
    ended: Moment | None
    tries: Count
    counts: dict[str, Count] = Field(
        description="lists、entries、requests、bytes、new、changed、unchanged、failed 中出现的"
    )
    alarms: list[str]
    problem: str


class WatchForm(Form):
    """A source that is looked at on a schedule (采集来源)."""

    id: Count
    kind: Literal["site", "folder", "objects"]
    subject: str
    name: str
    remark: str = Field(description="来源的网址与版式未经人核对时写明，否则为空")
    schedule: str
    paused: bool
    next: Moment
    health: str
    last_success: Moment | None
    entries: Count | None
    visits: list[VisitForm]


WatchesForm = of_few("WatchesForm", "Every source.", watches=list[WatchForm])
QueuedForm = of_few("QueuedForm", "What was set going.", queued=Count, watches=list[WatchForm])


class PaperForm(Form):
    """A file that was collected (采集所得)."""

    id: Count
    title: str
    name: str
    url: str
    fetched_at: Moment | None
    state: Literal["unread", "waiting", "accepted", "dismissed", "same", "failed", "replaced"]
    question: str
    reason: str
    job: str | None
    summary: str
    needs_signature: bool
    digest: Sha256 | None


PapersForm = of_few("PapersForm", "Collected files.", papers=list[PaperForm])


class SheetForm(PaperForm):
    """A collected file with its change sheet (变更影响单)."""

    sheet: dict[str, JsonValue] | None


ImportedForm = of_few("ImportedForm", "How many standards a table held.", imported=Count)


StandardForm = of_few(
    "StandardForm", "What is known of a standard (标准状态).", key=str, number=str, title=str, status=str,
    effective=IsoDay | None, ends=IsoDay | None, replaced_by=str, source=str, by=str | None, at=Moment | None,
)  # fmt: skip
StandardsForm = of_few("StandardsForm", "Every known standard.", standards=[StandardForm])


ShortfallForm = of_few(
    "ShortfallForm", "Something the library lacks (缺口).", kind=str, title=str, why=str, weight=Count,
    regulation_id=str | None, label=str, search=str, url=str | None,
)  # fmt: skip
ShortfallsForm = of_few(
    "ShortfallsForm",
    "Every gap, those that hurt most first.",
    total=Count,
    counts=dict[str, Count],
    gaps=[ShortfallForm],
)


EventOfLawForm = of_few(
    "EventOfLawForm", "Something that happened to the law or the library (动态).", key=str, kind=str, title=str,
    words=str, at=Moment, regulation_id=str | None, path=str,
)  # fmt: skip
ChangesForm = of_few("ChangesForm", "News, newest first.", changes=[EventOfLawForm])

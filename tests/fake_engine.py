"""A small engine for tests of the pages: real types, invented texts, nothing on disk."""

from __future__ import annotations

import dataclasses
import datetime as dt
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PIL import Image, ImageDraw

from nemo import accounts
from nemo import rules as rule_data
from nemo.access import AccessService
from nemo.errors import BadRequestError, ConfigError, ConflictError, NotFoundError
from nemo.export.bundle import BundleReport, QuoteCheck
from nemo.export.proof import ProofOutcome
from nemo.ingest import FileOutcome, IngestReport, Progress
from nemo.ingest.jobs import BatchView, FileView
from nemo.lawview import Link, Links, Missing, Stretch, TimelineEvent
from nemo.review import ChangeKind, LawChange, ReviewEntry, ReviewFilter
from nemo.settings import Settings
from nemo.store.catalogue.rows import (
    AuditRow,
    AuditTrail,
    Evaluation,
    EvaluationRun,
    Failure,
    QuoteRow,
    RegulationRow,
    ReviewStanding,
    TokenRow,
)
from nemo.store.records.chain import ChainHead
from nemo.store.records.jobs import JobState
from nemo.types import (
    Answer,
    Chunk,
    Confidence,
    Directness,
    Evidence,
    Expansion,
    Fault,
    Filters,
    Hit,
    Lead,
    Level,
    Origin,
    Page,
    Provision,
    Query,
    Quote,
    RawDocument,
    Reason,
    Refusal,
    Regulation,
    Relation,
    RelationKind,
    Span,
    Status,
    Validity,
    Verdict,
)

TODAY = dt.date(2026, 11, 20)

NEW = """演示省光伏项目并网验收办法（演示文本）
第一章 总则
第一条 为了演示并网验收，制定本办法。
第二条 项目单位申请并网验收，应当提交下列资料：（一）备案文件；（二）试验报告。但容量不足6千瓦的除外。
第二章 验收
第三条 电网企业应当自收到完整资料之日起10个工作日内组织验收。
验收不合格的，应当一次性书面告知。
第四条 本办法自2025年6月1日起施行，有效期5年。
"""
OLD = NEW.replace("10个工作日", "20个工作日").replace("2025年6月1日", "2022年9月1日")
HOSTILE = """恶意样本（演示文本）
第一条 <img src=x onerror="window.__x=1"> 10kV~35kV~ *注* :red[附件] $5 与 $6 之间，电压 >= 35kV。
第二条 <script>window.__x=2</script><b>验收</b> A&amp;B 全角　空格  两个空格
"""


def provisions(text: str) -> tuple[Provision, ...]:
    """Cut lines that begin with 第…章 or 第…条 into chapters and articles; 款 are the lines of an article."""
    heads = [(m.start(), m.group(1), m.group(2)) for m in re.finditer(r"^(第.章|第.条) ?(.*)$", text, re.M)]
    ends = [start for start, *_ in heads[1:]] + [len(text)]
    chapters: list[Provision] = []
    loose: list[Provision] = []
    articles = 0
    for (start, number, rest), end in zip(heads, ends, strict=True):
        if number.endswith("章"):
            chapters.append(
                Provision(Level.CHAPTER, number, f"c{len(chapters) + 1}", rest, Span(start, end), (), "", number)
            )
            continue
        articles += 1
        parent = chapters[-1] if chapters else None
        article = _article(text, Span(start, end), number, articles, parent.step if parent else "")
        if parent is None:
            loose.append(article)
        else:
            children = (*parent.children, article)
            chapters[-1] = dataclasses.replace(parent, children=children, span=Span(parent.span.start, end))
    return (*loose, *chapters)


def _article(text: str, span: Span, number: str, label: int, prefix: str) -> Provision:
    body = text[span.start : span.end].rstrip("\n")
    children, at = [], span.start
    if "\n" in body:
        for i, line in enumerate(body.split("\n"), 1):
            inner = Span(at, at + len(line))
            step = f"第{'一二三'[i - 1]}款"
            children.append(Provision(Level.PARAGRAPH, "", f"{label}-{i}", "", inner, (), prefix + number, step))
            at += len(line) + 1
    return Provision(Level.ARTICLE, number, str(label), "", span, tuple(children), prefix, number)


def regulation(key: str, title: str, text: str, begins: dt.date, **more: Any) -> Regulation:
    """Make a regulation of an invented text."""
    words = f"自{begins.year}年{begins.month}月{begins.day}日起施行"
    evidence = (Evidence("first_effective", words, Origin.TEXT), Evidence("ends", "由新版废止", Origin.RELATION))
    validity = Validity(begins, begins, begins, more.pop("ends", None), more.pop("ended_as", None), None, evidence)
    given: dict[str, Any] = {
        "file": f"{key}.md", "sha256": key * 8, "document_number": f"演示规〔{begins.year}〕4号", "issuer": "演示省能源局",
        "level": "地方规范性文件", "province": "gd", "doc_class": "grid", "assets": ("solar",), "version_date": begins,
        "parser": "fake", "facts": (Evidence("title", title, Origin.TEXT),),
    }  # fmt: skip
    return Regulation(key, title, text, provisions(text), validity, **(given | more))


def shelf() -> list[Regulation]:
    """Return the library: two versions of one text, a hostile one with pages."""
    title = "演示省光伏项目并网验收办法"
    repeals = (Relation(RelationKind.REPEALS, title, "原办法同时废止", target_id="old"),)
    half = len(NEW) // 2
    pages = (Page(1, "1", Span(0, half)), Page(2, "2", Span(half, len(NEW))))
    faults = (Fault("gap", "条号不连续：演示"),)
    return [
        regulation("new", title, NEW, dt.date(2025, 6, 1), relations=repeals, pages=pages, faults=faults, file="新办法.pdf", parser="pdf/pdfium"),
        regulation("old", title, OLD, dt.date(2022, 9, 1), ends=dt.date(2025, 6, 1), ended_as=Status.REPEALED),
        regulation("bad", "<b>恶意</b>![t](https://evil.invalid/t.png)", HOSTILE, dt.date(2024, 1, 1),
                   province="sd", file="<img src=x onerror=alert(1)>.md", url="javascript:alert(1)"),
    ]  # fmt: skip


class Tokens:
    """Tokens in memory."""

    def __init__(self) -> None:
        at = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)
        self.rows = [TokenRow(1, "首个令牌", "admin", "命令行", at, None, None, None)]

    def first(self) -> str:
        """Return what the first start made."""
        return "nemo_first"

    def all(self) -> list[TokenRow]:
        """Return them, newest first."""
        return self.rows[::-1]

    def make(self, name: str, role: accounts.Role, by: accounts.User, days: int | None = None) -> str:
        """Make one more."""
        if not name.strip():
            raise BadRequestError("令牌名称应为 1 到 80 个可见字符。请换一个名称。")
        at = dt.datetime(2026, 11, 20, tzinfo=dt.UTC)
        self.rows.append(TokenRow(len(self.rows) + 1, name, role.name.lower(), by.name, at, None, None, None))
        return f"nemo_{len(self.rows)}"

    def revoke(self, key: str, by: accounts.User) -> TokenRow:
        """Revoke one."""
        number = int(key) - 1
        at = dt.datetime(2026, 11, 20, tzinfo=dt.UTC)
        self.rows[number] = dataclasses.replace(self.rows[number], revoked_by=by.name, revoked_at=at)
        return self.rows[number]


class Engine:
    """What the pages call of ``nemo.engine.Engine``."""

    altered = False
    empty = False
    """Set to open an empty library."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rules = rule_data.load(settings.rules)
        self.held = {} if self.empty else {r.id: r for r in shelf()}
        self.library = SimpleNamespace(generation=1, reviews=SimpleNamespace(version=0))
        self.users = accounts.users_of(settings.users_file, settings.sso, settings.sso_role)
        self.access = AccessService(Tokens(), settings, self.users, lambda *_, **__: None)  # type: ignore[arg-type]
        self.stored: dict[str, Answer] = {}
        self.asked: list[dict[str, Any]] = []
        self.intake = IntakeService(self)
        self.answers = Desk(self)
        self.evaluation = Trials()

    @classmethod
    def open(cls, settings: Settings) -> Engine:
        """Open the fake library."""
        return cls(settings)

    def close(self) -> None:
        """Hold nothing."""

    def ask(self, question: str, **given: Any) -> Answer:
        """Quote two articles for 验收; refuse anything that does not say so; keep the answer."""
        answer = self._ask(question, **given)
        self.stored[answer.trace_id] = answer
        return answer

    def _ask(self, question: str, **given: Any) -> Answer:
        self.rules.check_codes(**{k: given.get(k) for k in ("province", "asset", "doc_class")})
        self.asked.append({"question": question} | given)
        day = given.get("day") or TODAY
        filters = Filters(given.get("province"), given.get("asset"), given.get("doc_class"), day)
        read = (Evidence("province", "淄博", Origin.TEXT),)
        query = Query(
            question, filters, question, ("并网", "验收"), (Expansion("验收", ("并网验收",), "s1"),), (), (), read
        )
        if "恶意" in question:
            return self._answer(query, day, self.held["bad"], ("1", "2"))
        if "验收" not in question:
            hit = Hit(Chunk("new:0-9", "new", "1", Span(0, 9), self.held["new"].text[:9]), 0.1)
            refusal = Refusal(Reason.NO_EVIDENCE, "没有找到依据。请换一种说法。", ("放宽省份", "补充法规"), (hit,))
            return Answer(query, day, (), refusal, Confidence(0.0), "trace-0", tips=("提示一条",))
        return self._answer(query, day, self.held["new"], ("2", "3-1"))

    def _answer(self, query: Query, day: dt.date, source: Regulation, labels: Sequence[str]) -> Answer:
        quotes = []
        for label in labels:
            provision = source.find(label)
            assert provision is not None
            before = Span(0, 5) if label == "3-1" else None
            end = provision.span.end - (source.text[provision.span.end - 1] == "\n")
            quotes.append(Quote.cut(source, Span(provision.span.start, end), day, score=0.8, before=before))
        confidence = Confidence(0.87, 0.9, None, 1.0)
        return Answer(query, day, tuple(quotes), None, confidence, "trace-1", "并网要点（广东 / 光伏）",
                      degraded=("重排服务未应答，保持原有次序",), elapsed_ms=12.3, verdict=Directness.DIRECT)  # fmt: skip

    def busy(self) -> bool:
        """Tell whether a batch is not done."""
        return any(view.active for view in self.intake.jobs.all)

    def resume(self) -> None:
        """Go on with what was left."""
        self.intake.resume()

    def regulations(self) -> tuple[RegulationRow, ...]:
        """Return the table's rows."""
        return tuple(_row(r) for r in self.held.values())

    def regulation(self, key: str, day: dt.date | None = None) -> Regulation:
        """Return a regulation by id."""
        if key not in self.held:
            raise NotFoundError(f"资料库没有“{key}”。", ("相近的法规：《演示》",))
        return self.held[key]

    def versions(self, key: str) -> list[RegulationRow]:
        """Return the versions of a text, oldest first."""
        return (
            [_row(self.held[k]) for k in ("old", "new") if k in self.held]
            if key in ("old", "new")
            else [_row(self.held[key])]
        )

    def chain_head(self) -> ChainHead:
        """Return a head."""
        return ChainHead("a" * 64, 7, "b" * 64, "2026-11-20T08:00:00.000+00:00", keyed=False)

    def audit_trail(self, limit: int = 200) -> AuditTrail:
        """Return two entries."""
        edit = '{"changes":{"title":["旧","<b>新</b>"]},"reason":"更正"}'
        rows = (
            AuditRow(2, "2026-11-20T08:00:00.000+00:00", "甲", "edit", "new", edit, "0" * 64, "1" * 64),
            AuditRow(1, "2026-11-20T07:00:00.000+00:00", None, "store", "x", '{"file":"a.md"}', "0" * 64, "0" * 64),
        )
        return AuditTrail(rows, 2, 2 if self.altered else None)

    def raw(self, sha256: str) -> RawDocument:
        """Return the original."""
        return RawDocument.of(b"%PDF-1.4", "x.pdf")

    def page_image(self, key: str, page: int, span: Span | None, scale: float = 2.0) -> Any:
        """Draw an empty sheet, with one box when there is a span."""
        sheet = Image.new("RGB", (round(300 * scale), round(420 * scale)), "white")
        if span:
            ImageDraw.Draw(sheet).rectangle((40, 60, 400, 90), outline="orange")
        out = io.BytesIO()
        sheet.save(out, "PNG")
        return SimpleNamespace(png=out.getvalue(), boxes=(1,) if span else (), pages=2, estimated=key == "old")

    def answer(self, trace_id: str) -> Answer:
        """Return a stored answer."""
        if trace_id not in self.stored:
            raise NotFoundError("没有这份答复。")
        return self.stored[trace_id]

    def relations(self, key: str, day: dt.date | None = None) -> Links:
        """Return one tie each way."""
        ties = (
            Link("废止", False, "演示<b>旧</b>办法", "演示规〔2022〕4号", "old", Status.REPEALED, "同时废止"),
            Link("以本文为依据", True, "演示细则", None, None, None, "根据"),
        )
        return Links(key, "办法", day or TODAY, ties)

    def timeline(self, key: str, day: dt.date | None = None) -> Any:
        """Return one event."""
        rows = [_row(self.held[k]) for k in ("old", "new") if k in self.held]
        stretches = tuple(
            Stretch(
                r.id, r.title, r.version_date, r.validity.effective, r.validity.ends, None, r.validity.on(day or TODAY)
            )
            for r in rows
        )
        return SimpleNamespace(
            stretches=stretches, events=(TimelineEvent(TODAY, "施行", "自今日起施行", Origin.TEXT, key),)
        )

    def cited_not_held(self) -> list[Missing]:
        """Return one gap."""
        return [Missing("演示<i>条例</i>", None, 2, 3, (("根据", 2),), ("new",), "根据《条例》")]

    def undated(self) -> list[RegulationRow]:
        """Return one version whose start is to be checked."""
        return self.regulations()[:1]

    def open_backup(self, user: str | None = None) -> io.BytesIO:
        """Return a file."""
        return io.BytesIO(b"PK")

    def verify(self) -> list[Any]:
        """Find nothing."""
        return []

    def health(self) -> list[Any]:
        """Return one part of each state."""
        return [
            SimpleNamespace(name="目录库", ok=True, message="3 部法规"),
            SimpleNamespace(name="向量索引", ok=False, message="须重建"),
        ]

    def statistics(self) -> Statistics:
        """Return small figures."""
        return Statistics(len(self.held), 10, 12)


class IntakeService:
    """What the pages call of ``nemo.ingest.service.Intake``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.jobs = Jobs(engine)
        self.edited: list[tuple[Any, ...]] = []
        self.removed: list[tuple[Any, ...]] = []
        self.queue = [] if engine.empty else [_failure(1, "坏文件.pdf"), _failure(2, "<b>空</b>.txt")]

    def enqueue(
        self,
        raws: Iterable[RawDocument],
        facts: Mapping[str, Any] | None = None,
        title: str = "入库",
        user: Any = None,
    ) -> str | None:
        """Take files in; they are done when the batch has been looked at a few times, see :class:`Jobs`."""
        return self.jobs.add(list(raws), facts or {}, title)

    def enqueue_samples(self, user: Any = None) -> str | None:
        """Fill the library."""
        self._engine.held = {r.id: r for r in shelf()}
        self._engine.library.generation += 1
        return self.jobs.add([RawDocument.of(b"x", "新办法.pdf")], {}, "载入演示资料")

    def fetch(self, url: str) -> RawDocument:
        """Return a file from any address but a forbidden one."""
        if not self._engine.settings.discovery:
            raise ConfigError("联网采集未开启。")
        if "forbidden" in url:
            raise BadRequestError("不采集名单外的网站。请在浏览器中下载后上传入库。")
        return RawDocument.of(b"x", "下载.html", url=url)

    def finder(self) -> Any:
        """Return a finder that knows one lead."""
        lead = Lead("https://a.gov.cn/2", "关于<b>演示</b>的通知", "crawler:nea")
        place = SimpleNamespace(name="演示局")
        return SimpleNamespace(leads=lambda codes: SimpleNamespace(leads=(lead,), problems=((place, "没有应答。"),)))

    def resume(self) -> None:
        """Count how often somebody asked to go on."""
        self.jobs.resumed += 1

    def cancel(self, batch: str, file: int | None = None) -> int:
        """Cancel what is not settled."""
        return self.jobs.cancel(batch, file)

    def batches(self, *, active: bool = False, newest: int | None = None) -> list[BatchView]:
        """Return what was handed over, newest first."""
        return self.jobs.batches(active)[:newest]

    def remove(self, key: str, user: Any = None) -> str:
        """Take a regulation out."""
        self.removed.append((key, user))
        self._engine.library.generation += 1
        return self._engine.held.pop(key).title

    def edit(self, key: str, facts: Mapping[str, Any], user: Any = None, reason: str = "") -> IngestReport:
        """State a title and an issuer; nothing else changes."""
        if not facts:
            raise BadRequestError("没有任何改动。请修改至少一项后再保存。")
        self.edited.append((key, dict(facts), user, reason))
        held = self._engine.held[key]
        stated = {name: facts[name] for name in ("title", "issuer") if name in facts}
        words = tuple(Evidence(name, value, Origin.ANALYST) for name, value in stated.items())
        self._engine.held[key] = dataclasses.replace(held, **stated, facts=held.facts + words)
        self._engine.library.generation += 1
        return IngestReport((FileOutcome(held.file, "replaced", (key,), (self._engine.held[key].title,)),), 0, 0.1)

    def failures(self) -> list[Failure]:
        """Return the queue."""
        return list(self.queue)

    def retry_later(self, failure_ids: Iterable[int], title: str = "重试", user: Any = None) -> str | None:
        """Succeed."""
        names = [f.name for f in self.queue if f.id in set(failure_ids)]
        for failure_id in failure_ids:
            self.dismiss(failure_id)
        return self.jobs.add([RawDocument.of(b"x", name) for name in names], {}, title)

    def dismiss(self, failure_id: int, user: Any = None) -> None:
        """Drop one failure."""
        if all(f.id != failure_id for f in self.queue):
            raise BadRequestError("没有这个文件。")
        self.queue = [f for f in self.queue if f.id != failure_id]

    def reindex(self, progress: Callable[[Progress], None] | None = None) -> int:
        """Do nothing."""
        return 0


class Desk:
    """What the pages call of ``nemo.review.service.Desk``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.saved: list[Any] = []
        self.decided: list[tuple[Any, ...]] = []
        self.quicker = False
        self.rated: list[tuple[Any, ...]] = []

    def rate(self, trace_id: str, useful: bool, remark: str = "", user: Any = None) -> int:
        """Keep what was said."""
        self.rated.append((self._engine.answer(trace_id).trace_id, useful, remark, user))
        return len(self.rated)

    def changes_since(self, trace_id: str) -> list[LawChange]:
        """Say that the first quote was ended."""
        text = "第二条 <b>新</b>规定。"
        return (
            [LawChange(ChangeKind.STATUS, 0, "new", "办法", "时效已变。", NEW[:9], text, "old", "2")]
            if self._engine.altered
            else []
        )

    def history(self, limit: int = 100, user: str | None = None) -> list[Any]:
        """Return nothing."""
        return []

    def stale(self) -> list[Any]:
        """Return one stale answer if the law was altered."""
        row = SimpleNamespace(trace_id="trace-1", question="<b>旧</b>问题", at=dt.datetime.now(dt.UTC))
        return [SimpleNamespace(answer=row, kinds=(ChangeKind.STATUS,))] if self._engine.altered else []

    def searches(self, user: str | None = None) -> list[Any]:
        """Return what was saved."""
        return self.saved

    def save_search(self, name: str, question: str, filters: Filters, user: str | None = None) -> int:
        """Keep a search."""
        number = len(self.saved) + 1
        self.saved.append(SimpleNamespace(id=number, name=name, question=question, filters=filters))
        return number

    def forget_search(self, number: int, user: str | None = None) -> None:
        """Drop a search."""
        self.saved = [s for s in self.saved if s.id != number]

    def export_answer(self, answer: Answer, form: str) -> bytes:
        """Return a file."""
        return form.encode()

    export_matrix = export_review = export_answer

    def review_queue(self, wanted: ReviewFilter) -> list[ReviewEntry]:
        """Return two quotes that wait: one of a PDF, one of a removed text."""
        provision = self._engine.held["new"].find("3-1")
        assert provision is not None
        left = [n for n in (1, 2) if n not in {d[0] for d in self.decided}]
        if wanted.state not in (None, Verdict.PENDING):
            return []
        words = provision.span.of(NEW)
        where = {1: ("new", provision.span, words), 2: ("gone", Span(0, 3), "<i>引</i>文")}
        return [self._entry(n, *where[n]) for n in left]

    def _entry(self, number: int, key: str, span: Span, words: str) -> ReviewEntry:
        row = QuoteRow(number, key, span, "3-1", "演示<b>办法</b>", "第三条", words, "", 1, "trace-1", 0, TODAY,
                       Status.IN_FORCE, TODAY, ReviewStanding())  # fmt: skip
        return ReviewEntry(row, ChangeKind.REMOVED if key == "gone" else None, None)

    def undo(self, quote_id: int, user: Any = None, seen: int | None = None) -> None:
        """Forget a decision."""
        self.decided = [made for made in self.decided if made[0] != quote_id]

    def check_bundle(self, bundle: bytes, *, alone: bool = False) -> BundleReport:
        """Tell one difference of one quote."""
        one = QuoteCheck(1, "<b>演示办法</b>", "第三条", ProofOutcome.DIFFERS, ("引文：<i>不是</i>所引文字。",))
        return BundleReport((one,), (), "只核对了自身" if alone else None)

    def decide(
        self, quote_id: int, state: Verdict, reason: str = "", user: Any = None, seen: int | None = None
    ) -> ReviewStanding:
        """Keep a decision; a rejection wants a reason, and somebody may have been quicker."""
        if self.quicker:
            raise ConflictError("您查看之后，李四已判为“已驳回”。")
        if state is Verdict.REJECTED and not reason:
            raise BadRequestError("驳回需要写明理由。")
        self.decided.append((quote_id, state, reason, user))
        self._engine.library.reviews.version += 1
        return ReviewStanding(state, version=len(self.decided))


class Trials:
    """What the pages call of ``nemo.evaluation.service.EvaluationService``."""

    def __init__(self) -> None:
        self.runs: list[Evaluation] = []

    def golden_sets(self) -> dict[str, Path]:
        """Return one set."""
        return {"演示金标集": Path("golden")}

    def run_golden(self, name: str, user: Any = None) -> int:
        """Keep a run; every second one finds what the one before missed."""
        number = len(self.runs) + 1
        self.runs.insert(0, _evaluation(number, name, user.name if user else None, found=number % 2 == 0))
        return number

    def evaluations(self) -> list[Evaluation]:
        """Return the kept runs."""
        return list(self.runs)

    def sample_questions(self) -> list[dict[str, Any]]:
        """Return one question on the held texts."""
        return [{"question": "并网验收要交哪些资料？", "province": "gd", "asset": "solar", "doc_class": None}]


class Jobs:
    """The queue of the fake engine: a batch moves on by one file each time somebody looks at it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.resumed = 0
        self.held = False
        """Set to stop all work, so that a batch stays as it is."""
        self.facts: list[Mapping[str, Any]] = []
        when = dt.datetime(2026, 11, 20, tzinfo=dt.UTC)
        done = FileView(
            1, "<b>旧</b>.md", 9, JobState.DONE, (FileOutcome("<b>旧</b>.md", "stored", ("old",), ("旧办法",)),), 9
        )
        self.all = [] if engine.empty else [BatchView("b0", "<i>旧批</i>", when, (done,), 1.5)]

    def add(self, raws: list[RawDocument], facts: Mapping[str, Any], title: str) -> str | None:
        """Queue a batch."""
        self.facts.append(facts)
        files = tuple(
            FileView(10 * len(self.all) + n, r.name, len(r.content), JobState.QUEUED) for n, r in enumerate(raws)
        )
        batch = f"b{len(self.all)}"
        self.all.insert(0, BatchView(batch, title, dt.datetime.now(dt.UTC), files, 0.0))
        return batch if files else None

    def batches(self, active: bool) -> list[BatchView]:
        """Return the batches, each a file further than the last time."""
        found = [view for view in self.all if view.active or not active]
        if not self.held:
            self.all = [self._moved(view) for view in self.all]
        return found

    def _moved(self, view: BatchView) -> BatchView:
        files = list(view.files)
        for place, file in enumerate(files):
            if file.state == "queued":
                files[place] = self._done(file)
                break
        return dataclasses.replace(view, files=tuple(files))

    def _done(self, file: FileView) -> FileView:
        self._engine.library.generation += 1
        reason = None if file.size else "文件是空的。请重新导出。"
        outcome = FileOutcome(file.name, "stored" if file.size else "failed", ("new",), ("演示办法",), reason)
        return dataclasses.replace(
            file, state=JobState.DONE if file.size else JobState.FAILED, outcomes=(outcome,), chunks=4
        )

    def cancel(self, batch: str, file: int | None) -> int:
        """Cancel what is queued."""
        return self._move(batch, {"queued"}, JobState.CANCELLED, file)

    def retry(self, batch: str, file: int | None = None) -> int:
        """Queue what failed or was cancelled."""
        return self._move(batch, {"failed", "cancelled"}, JobState.QUEUED, file)

    def _move(self, batch: str, states: set[str], to: JobState, file: int | None) -> int:
        count = 0
        for place, view in enumerate(self.all):
            wanted = {f.id for f in view.files if view.id == batch and f.state in states and file in (None, f.id)}
            files = tuple(dataclasses.replace(f, state=to) if f.id in wanted else f for f in view.files)
            self.all[place] = dataclasses.replace(view, files=files)
            count += len(wanted)
        return count

    def dismiss(self, batch: str) -> int:
        """Forget a batch."""
        before = len(self.all)
        self.all = [view for view in self.all if view.id != batch]
        if len(self.all) == before:
            raise NotFoundError("没有这一批入库任务，可能已清除。请刷新页面。")
        return 1


@dataclasses.dataclass(frozen=True)
class Statistics:
    """Figures of the fake library."""

    regulations: int
    articles: int
    chunks: int


def _evaluation(number: int, name: str, by: str | None, *, found: bool) -> Evaluation:
    question = {"id": "q1", "question": "<b>问</b>题", "expected": "甲.md 第一条", "found": "乙.md", "confidence": 0.8}
    became = question | {"outcome": "FIRST" if found else "MISSED"}
    bins = [(0.8, float(found), 1)]
    block = {"n": 1, "hit@1": float(found), "ece": 0.2, "reliability": bins, "questions": [became]}
    when = dt.datetime(2026, 11, 20, 8, number, tzinfo=dt.UTC)
    return Evaluation(number, when, EvaluationRun(name, by, 7, 3, "static"), {"golden": block})


def _failure(number: int, name: str) -> Failure:
    return Failure(
        number,
        name,
        None,
        "unreadable_document",
        "文件已加密。请解除密码后重试。",
        (),
        {},
        1,
        "open",
        dt.datetime.now(),
    )


def _row(r: Regulation) -> RegulationRow:
    articles = sum(p.level is Level.ARTICLE for p in r.walk())
    return RegulationRow(r.id, 0, articles, 1, r.title, "", r.document_number, r.issuer, r.level, r.province, r.doc_class, r.assets,
               r.nature, r.version_date, r.validity, r.relations, r.url, r.file, r.sha256, r.parser, None, len(r.text),
               articles, len(r.pages), len(r.faults), "", dt.datetime.now(), True)  # fmt: skip

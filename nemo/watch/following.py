"""What happened to the law, who follows it, and how they are notified: feed, mail, webhook, each thing once (关注与通报)."""

import datetime as dt
import hashlib
import json
import logging
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from nemo.errors import NemoError
from nemo.lawview.news import news
from nemo.services import mail
from nemo.services.addresses import networks
from nemo.services.outbound import Limits, OutboundClient
from nemo.settings import Settings
from nemo.store.catalogue.codec import decode, encode
from nemo.store.catalogue.rows import Mark, RegulationRow
from nemo.store.records.marks import MarkPurpose
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import title_key
from nemo.types import CHINA, Filters, today
from nemo.watch.sheet import changes_anything, summary
from nemo.watch.touched import LawView, quoting

log = logging.getLogger(__name__)

BACK = dt.timedelta(days=35)
"""How far back a feed and a first digest look."""
PERIODS = {"daily": dt.timedelta(hours=20), "weekly": dt.timedelta(days=6, hours=20)}
"""Since the last digest, with room for the clock's own steps."""
FOLLOWS = (MarkPurpose.FOLLOW, MarkPurpose.FOLLOW_QUESTION, MarkPurpose.FOLLOW_TOPIC)
MOST = 100
"""Lines of one digest."""


@dataclass(frozen=True, slots=True)
class LawEvent:
    """One thing that happened (动态)."""

    key: str
    """The same for the same thing, for ever."""
    kind: str
    title: str
    words: str
    at: dt.datetime
    regulation_id: str | None = None
    """The held text that it is about."""
    path: str = ""
    """Where in the app it is shown."""


class FollowService:
    """News of a library, as one sees it, for those who follow it; keeps no state of its own."""

    def __init__(self, view: LawView) -> None:
        self._view, self._library = view, view.library
        self._settings: Settings = self._library.settings
        self.loopback = False
        """Also send to this machine. For tests only."""

    # --- who follows what

    def follow_question(self, question: str, filters: Filters, user: str | None) -> int:
        """Follow a question; return the number of the mark."""
        note = json.dumps(encode(filters), ensure_ascii=False)
        return self._library.marks.replace(MarkPurpose.FOLLOW_QUESTION, question.strip(), user, note=note)

    def follow_topic(self, province: str, asset: str, doc_class: str, user: str | None) -> int:
        """Follow a kind of text; an empty code means any. Return the number of the mark."""
        return self._library.marks.replace(MarkPurpose.FOLLOW_TOPIC, f"{province}/{asset}/{doc_class}", user)

    def follows(self, user: str | None) -> list[Mark]:
        """Return what one person follows, newest first."""
        return [mark for kind in FOLLOWS for mark in self._library.marks.mine(kind, user)]

    def named(self, mark: Mark) -> str:
        """Return what is followed in words: a title, a question, the names of what a topic is made of."""
        if mark.kind == MarkPurpose.FOLLOW:
            return in_marks(mark.label or mark.subject)
        if mark.kind != MarkPurpose.FOLLOW_TOPIC:
            return mark.subject
        rules = self._view.rules
        names = {e.code: e.name for table in (rules.provinces, rules.assets, rules.doc_classes) for e in table}
        return " × ".join(names.get(code, code) for code in mark.subject.split("/") if code) or "全部"

    # --- what happened

    def events(self, since: dt.datetime | None = None) -> list[LawEvent]:
        """Return what happened since a moment, newest first."""
        since = since or dt.datetime.now(dt.UTC) - BACK
        return sorted(self._events(since), key=lambda e: (e.at, e.key), reverse=True)

    def _events(self, since: dt.datetime) -> Iterator[LawEvent]:
        found = news(self._library.rows(), since, today())
        for row in found.stored:
            yield _of_row(f"stored:{row.id}", "新入库", row, row.validity.began, row.stored_at)
        for turned in found.turned:
            row, became = turned.row, f"{turned.before.value} → {turned.after.value}"
            moved = (row.validity.ends, row.validity.certain_from, row.validity.effective)
            day = max((d for d in moved if d and since.date() <= d <= today()), default=today())
            at = dt.datetime.combine(day, dt.time(), CHINA).astimezone(dt.UTC)
            yield _of_row(f"turned:{row.id}:{turned.after.name}", "时效改变", row, became, at)
        for paper in self._library.watching.papers("waiting"):
            if paper.sheet and changes_anything(paper.sheet) and paper.at >= since:
                held = next((e["regulation_id"] for e in paper.sheet["effects"]), None)
                title, path = paper.title or paper.name, f"/watch?p={paper.id}"
                yield LawEvent(f"sheet:{paper.id}", "待确认的变更", title, summary(paper.sheet), paper.at, held, path)
        for visit in self._library.watching.history(limit=100):
            if visit.alarms and visit.ended and visit.ended >= since:
                key = hashlib.sha256("".join(visit.alarms).encode()).hexdigest()[:12]
                words = "；".join(visit.alarms)
                yield LawEvent(
                    f"alarm:{visit.watch_id}:{key}", "采集告警", "采集来源", words, visit.ended, None, "/watch"
                )
        for alarm in self._view.answers.alarms():
            answer, kinds = alarm.newest.answer, "、".join(kind.value for kind in alarm.newest.kinds)
            path = f"/?a={answer.trace_id}"
            yield LawEvent(
                f"answer:{answer.trace_id}:{kinds}", "答复需要复查", answer.question, kinds, answer.at, None, path
            )

    def mine(self, user: str | None, events: Sequence[LawEvent]) -> list[tuple[LawEvent, str]]:
        """Return the events that concern what a person follows or had audited, each with what that is."""
        memos = self._library.marks.mine(MarkPurpose.MEMO, user)
        return _matched(events, self._tests([*self.follows(user), *memos]))

    def _tests(self, follows: Sequence[Mark]) -> list[tuple[str, Callable[[LawEvent], bool]]]:
        rows = {row.id: row for row in self._library.headers()}

        def row_of(event: LawEvent) -> RegulationRow | None:
            return rows.get(event.regulation_id or "")

        tests: list[tuple[str, Callable[[LawEvent], bool]]] = []
        for mark in follows:
            if mark.kind == MarkPurpose.FOLLOW:
                tests.append((self.named(mark), _is_work(mark.subject, row_of)))
            elif mark.kind == MarkPurpose.MEMO:
                tests.append((f"文稿“{mark.words}”所引", _is_work(mark.subject, row_of)))
            elif mark.kind == MarkPurpose.FOLLOW_TOPIC:
                tests.append((self.named(mark), _is_topic(mark.subject, row_of)))
            else:
                filters = decode(Filters, json.loads(mark.note or "{}"))
                quoted = quoting(self._view, mark.subject, filters)
                works = {title_key(rows[i].title) for i in quoted if i in rows}
                tests.append((mark.subject, _is_question(mark.subject, works, row_of)))
        return tests

    # --- digests

    def atom(self, base: str) -> bytes:
        """Return the news as an Atom feed (RFC 4287); ``base`` is the address of the app, for the links."""
        events = self.events()
        feed = ET.Element("feed", xmlns="http://www.w3.org/2005/Atom")
        newest = max((e.at for e in events), default=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
        _add(feed, id="urn:nemo:changes", title="Nemo 法规动态", updated=newest.isoformat())
        ET.SubElement(ET.SubElement(feed, "author"), "name").text = "Nemo"
        ET.SubElement(feed, "link", rel="alternate", href=base)
        for event in events[:500]:
            entry = ET.SubElement(feed, "entry")
            _add(entry, id=f"urn:nemo:{event.key}", title=f"{event.kind}：{event.title}", updated=event.at.isoformat())
            ET.SubElement(entry, "link", rel="alternate", href=f"{base.rstrip('/')}{event.path}")
            ET.SubElement(entry, "summary").text = event.words
        return ET.tostring(feed, "utf-8", xml_declaration=True)

    def send_digests(self, moment: dt.datetime | None = None) -> int:
        """Send what was not sent yet by mail and webhook, when a digest is due; return how many digests went out."""
        moment = moment or dt.datetime.now(dt.UTC)
        return sum(self._sent(name, send, moment) for name, send in self._ways())

    def _ways(self) -> Iterator[tuple[str, Callable[[Sequence[tuple[LawEvent, str]]], None]]]:
        given = self._settings
        to = [each.strip() for each in given.mail_to.replace("，", ",").split(",") if each.strip()]
        if given.smtp_url is not None and to:
            server = given.smtp_url.get_secret_value()
            sender = given.mail_from or to[0]
            yield "mail", lambda found: mail.send(server, sender, to, _subject(found), _digest(found))
        if given.webhook_url is not None:
            yield "webhook", self._hook

    def _sent(self, target: str, send: Callable[[Sequence[tuple[LawEvent, str]]], None], moment: dt.datetime) -> bool:
        store = self._library.watching
        last = store.last_sent(target)
        if last is not None and moment - last < PERIODS[self._settings.digest]:
            return False
        events = self.events()
        fresh = set(store.unsent(target, [event.key for event in events]))
        everybody = [mark for kind in FOLLOWS for mark in self._library.marks.of(kind)]
        followed = {event.key: why for event, why in _matched(events, self._tests(everybody))}
        found = [(event, followed.get(event.key, "")) for event in events if event.key in fresh]
        found.sort(key=lambda pair: not pair[1])
        if not found:
            return False
        try:
            send(found[:MOST])
        except NemoError as error:  # the next look tries again; nothing counts as sent
            log.warning("digest by %s: %s", target, error.message)
            return False
        store.note_sent(target, [event.key for event, _ in found])
        return True

    def _hook(self, found: Sequence[tuple[LawEvent, str]]) -> None:
        assert self._settings.webhook_url is not None, "asked for only where there is one"
        url = self._settings.webhook_url.get_secret_value()
        allowed = networks(self._settings.fetch_networks)
        client = OutboundClient(
            [urlsplit(url).hostname or ""], limits=Limits(seconds=20.0), networks=allowed, loopback=self.loopback
        )
        client.hide(url, urlsplit(url).path, urlsplit(url).query)
        events = [
            {"key": e.key, "kind": e.kind, "title": e.title, "words": e.words, "at": e.at.isoformat(), "followed": why}
            for e, why in found
        ]
        client.post(
            url, {"msgtype": "text", "text": {"content": _digest(found)}, "events": events}, accept=(200, 201, 202, 204)
        )


def _of_row(key: str, kind: str, row: RegulationRow, words: str, at: dt.datetime) -> LawEvent:
    return LawEvent(key, kind, row.title, words, at, row.id, f"/library?r={row.id}")


Row = Callable[[LawEvent], RegulationRow | None]


def _is_work(subject: str, row_of: Row) -> Callable[[LawEvent], bool]:
    return lambda event: (row := row_of(event)) is not None and title_key(row.title) == subject


def _is_topic(subject: str, row_of: Row) -> Callable[[LawEvent], bool]:
    province, asset, doc_class = [*subject.split("/"), "", "", ""][:3]

    def holds(event: LawEvent) -> bool:
        row = row_of(event)
        if row is None:
            return False
        right = not asset or asset in row.assets or not row.assets
        return right and province in ("", row.province) and doc_class in ("", row.doc_class or "")

    return holds


def _is_question(question: str, works: set[str], row_of: Row) -> Callable[[LawEvent], bool]:
    def holds(event: LawEvent) -> bool:
        row = row_of(event)
        return (row is not None and title_key(row.title) in works) or event.title == question

    return holds


def _matched(
    events: Sequence[LawEvent], tests: Sequence[tuple[str, Callable[[LawEvent], bool]]]
) -> list[tuple[LawEvent, str]]:
    found = ((event, next((why for why, holds in tests if holds(event)), "")) for event in events)
    return [(event, why) for event, why in found if why]


def _add(parent: ET.Element, **values: str) -> None:
    for name, value in values.items():
        ET.SubElement(parent, name).text = "".join(c for c in value if c.isprintable())


def _subject(found: Sequence[tuple[LawEvent, str]]) -> str:
    followed = sum(bool(why) for _, why in found)
    return f"Nemo 法规动态：{len(found)} 项" + (f"，其中关注的 {followed} 项" if followed else "")


def _digest(found: Sequence[tuple[LawEvent, str]]) -> str:
    lines = [_subject(found), ""]
    for event, why in found:
        mark = "【关注】" if why else ""
        lines.append(f"{mark}{event.kind}：{event.title}（{event.at.astimezone(CHINA):%Y-%m-%d}）{event.words}")
    return "\n".join(lines)

"""One chain of hashes over everything that is relied on (记录链): what is stored cannot be changed without it showing.

Each link says what a record held when it was written, one SHA-256 per field, and covers the link before it. The records
are the held texts with their facts and chunk labels, stored answers with what they quote, the quotes, decisions of
reviewers, feedback, and the entries of the audit log. A record that is deleted in order leaves a link without fields.

Whoever can write the database can build a whole new chain; what stands against that is a head that was carried away
(it is printed on every export) or a key that is not kept beside the library: with ``NEMO_AUDIT_KEY`` every link carries
an HMAC-SHA256 (RFC 2104).
"""

import datetime as dt
import hashlib
import hmac
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from nemo.store.catalogue.entry import text_blocks
from nemo.store.catalogue.noted import note, noted
from nemo.store.catalogue.schema import (
    answers,
    audit,
    chunks,
    decisions,
    feedback,
    links,
    now,
    quoted,
    quotes,
    regulations,
    sessions,
    texts,
)

GENESIS = "0" * 64
TOGETHER = 200
"""Records read at once."""
HEAD_KEY = "chain_head"
"""In ``meta``: ``number:hash`` of the last link, so that a cut-off tail shows."""

START = "start"
KEYED = "key"
"""Kinds of links that stand for no record: the beginning (its subject is random: it names the chain), and the first
link under a key."""

KINDS = {
    "regulation": "法规",
    "answer": "答复",
    "quote": "引文",
    "decision": "复核决定",
    "feedback": "评价",
    "session": "记忆",
    "audit": "审计记录",
}
"""Kinds of records with their Chinese names."""

FIELDS = {
    "question": "问题", "body": "答复与引文", "texts": "所引文本的校验值", "quoted": "引文与所述时效", "refused": "是否拒答",
    "filters": "条件", "user": "提问人", "day": "判断日", "at": "时间", "generation": "库的版次", "title": "名称", "short_title": "简称",
    "document_number": "文号", "issuer": "发布机关", "level": "级别", "province": "地域", "doc_class": "类别", "assets": "能源类型",
    "nature": "性质", "version_date": "版本日期", "validity": "日期与时效依据", "relations": "与其他法规的关系", "url": "网址",
    "file": "文件名", "sha256": "原件", "text": "文本", "text_sha256": "文本的校验值", "provisions": "条文结构",
    "details": "页码与所述事实", "spans": "片段位置", "labels": "片段标号", "headings": "片段标题", "words": "引文文字", "path": "位置",
    "label": "标号", "start": "起", "end": "止", "state": "结论", "reason": "理由", "by": "决定人", "undoes": "所撤销的决定",
    "useful": "评价", "app": "应用", "remark": "说明", "hash": "哈希",
}  # fmt: skip


def digest_of(*fields: object) -> str:
    """Return the hash of the fields of an entry, the hash of the one before it last."""
    return hashlib.sha256(json.dumps(fields, ensure_ascii=False).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The newest link of a chain: carried away, it shows later whether everything up to it still stands (链首)."""

    chain: str
    """Name of the chain: the hash of its first link."""
    number: int
    hash: str
    at: str
    keyed: bool

    def __str__(self) -> str:
        return f"{self.number}:{self.hash}"


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One link as it is stored."""

    number: int
    at: str
    kind: str
    subject: str
    parts: str
    """JSON: hash by field; none for a record that is gone."""
    previous: str
    hash: str
    mac: str | None = None

    def digest(self) -> str:
        """Return the hash of the fields before it."""
        return digest_of(self.number, self.at, self.kind, self.subject, self.parts, self.previous)


# --- writing


def seal(connection: sa.Connection, kind: str, *subjects: str | int) -> None:
    """Add a link for each record as it now stands, inside the transaction that wrote or deleted it."""
    if subjects:
        found = dict(_records(connection, kind, subjects))
        _extend(connection, [(kind, str(subject), found.get(str(subject), {})) for subject in subjects])


def append(connection: sa.Connection, kind: str, subject: str, parts: Mapping[str, str]) -> None:
    """Add one link; the first one of a library is preceded by links for everything that it already holds."""
    _extend(connection, [(kind, subject, parts)])


def begin(connection: sa.Connection) -> None:
    """Make sure that there is a chain, and that it ends under the key when there is one."""
    newest = noted_head(connection) or _begun(connection)
    last = connection.execute(sa.select(links.c.mac).where(links.c.number == newest[0])).one_or_none()
    if _key(connection) is not None and last is not None and last.mac is None:
        append(connection, KEYED, "", {})


def _begun(connection: sa.Connection) -> tuple[int, str]:
    note(connection, HEAD_KEY, f"0:{GENESIS}")
    held = ((kind, subject, parts) for kind in KINDS for subject, parts in _records(connection, kind))
    return _extend(connection, [(START, uuid.uuid4().hex, {}), *held])


def _extend(connection: sa.Connection, records: Sequence[tuple[str, str, Mapping[str, str]]]) -> tuple[int, str]:
    """Add a link for each (kind, subject, parts); return the number and hash of the last."""
    number, previous = noted_head(connection) or _begun(connection)
    key, rows = _key(connection), []
    for kind, subject, parts in records:
        number += 1
        body = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        link = ChainLink(number, now().isoformat(timespec="milliseconds"), kind, subject, body, previous, "")
        previous = link.digest()
        rows.append(asdict(link) | {"hash": previous, "mac": stamp(key, previous) if key else None})
    connection.execute(links.insert(), rows)
    note(connection, HEAD_KEY, f"{number}:{previous}")
    return number, previous


def _key(connection: sa.Connection) -> bytes | None:
    key = connection.get_execution_options().get("nemo_key")
    return key if isinstance(key, bytes) else None


def stamp(key: bytes, digest: str) -> str:
    """Return the HMAC of a link's hash."""
    return hmac.new(key, digest.encode(), hashlib.sha256).hexdigest()


# --- what a record holds


_written = json.JSONEncoder(default=str).encode
"""One encoder for all: ``json.dumps`` makes one for each value."""


def part(value: object) -> str:
    """Return the hash of one field's value."""
    if isinstance(value, dt.datetime):
        value = value.astimezone(dt.UTC).isoformat()
    plain = value if isinstance(value, bytes) else _written(value).encode()
    return hashlib.sha256(plain).hexdigest()


def _parts(values: Mapping[str, Any]) -> dict[str, str]:
    """A field without a value has no part: a column added later changes nothing for older records."""
    return {name: part(value) for name, value in values.items() if value is not None}


def _records(
    connection: sa.Connection, kind: str, subjects: Sequence[str | int] | None = None
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (subject, parts) of the records of a kind, or of some."""
    query, key = _query(kind)
    if subjects is not None:
        query = query.where(key.in_(subjects))
    for rows in connection.execute(query).mappings().partitions(TOGETHER):
        uses = _uses_of(connection, [row["chain_subject"] for row in rows]) if kind == "answer" else {}
        for row in rows:
            values = dict(row)
            name = str(values.pop("chain_subject"))
            if values.get("text") is not None:
                values["text"] = text_blocks(values["text"])
            if kind == "answer":
                values["quoted"] = uses.get(name, [])
            yield name, _parts(values)


def _uses_of(connection: sa.Connection, trace_ids: Sequence[str]) -> dict[str, list[list[str]]]:
    """Return what some answers quote, in order, by trace id."""
    query = sa.select(quoted).where(quoted.c.trace_id.in_(trace_ids)).order_by(quoted.c.trace_id, quoted.c.position)
    found: dict[str, list[list[str]]] = {}
    for use in connection.execute(query):
        found.setdefault(use.trace_id, []).append(list(map(str, use)))
    return found


def _query(kind: str) -> tuple[sa.Select[Any], sa.ColumnElement[Any]]:
    if kind == "regulation":
        heavy = (texts.c.text, texts.c.provisions, texts.c.details, chunks.c.spans, chunks.c.labels, chunks.c.headings)
        light = [c for c in regulations.columns if c.name != "id"]
        query = sa.select(regulations.c.id.label("chain_subject"), *light, *heavy)
        query = query.select_from(
            regulations.outerjoin(texts, texts.c.regulation_id == regulations.c.id).outerjoin(
                chunks, chunks.c.regulation_id == regulations.c.id
            )
        )
        return query.order_by(regulations.c.first), regulations.c.id
    if kind == "audit":
        return sa.select(audit.c.number.label("chain_subject"), audit.c.hash).order_by(audit.c.number), audit.c.number
    table = {"answer": answers, "quote": quotes, "decision": decisions, "feedback": feedback, "session": sessions}[kind]
    key = next(iter(table.primary_key.columns))
    others = [column for column in table.columns if column is not key]
    return sa.select(key.label("chain_subject"), *others).order_by(key), key


# --- reading


def head(connection: sa.Connection) -> ChainHead | None:
    """Return the newest link, None before the first."""
    first = connection.execute(sa.select(links.c.hash).where(links.c.number == 1)).scalar()
    newest = connection.execute(sa.select(links).order_by(links.c.number.desc()).limit(1)).one_or_none()
    if first is None or newest is None:
        return None
    return ChainHead(first, newest.number, newest.hash, newest.at, newest.mac is not None)


def holds(connection: sa.Connection, number: int, digest: str) -> bool:
    """Tell whether a head that was carried away is still a link of the chain."""
    return connection.execute(sa.select(links.c.hash).where(links.c.number == number)).scalar() == digest


def newest(connection: sa.Connection, kind: str, subject: str) -> ChainLink | None:
    """Return the newest link of a record."""
    query = sa.select(links).where(links.c.kind == kind, links.c.subject == subject)
    row = connection.execute(query.order_by(links.c.number.desc()).limit(1)).one_or_none()
    return None if row is None else ChainLink(*row)


def noted_head(connection: sa.Connection, key: str = HEAD_KEY) -> tuple[int, str] | None:
    """Return the number and hash of a last entry as ``meta`` has it under a key, None before the first."""
    value = noted(connection, key)
    if value is None:
        return None
    number, digest = value.split(":")
    return int(number), digest


def examine(connection: sa.Connection, key: bytes | None) -> Iterator[tuple[str, str]]:
    """Yield (what, message in Chinese) for everything that is not as the chain says."""
    known: dict[tuple[str, str], dict[str, str]] = {}
    yield from _walked(connection, key, known)
    for kind, name in KINDS.items():
        for subject, parts in _records(connection, kind):
            said = known.pop((kind, subject), None)
            if not said:
                yield f"{name} {subject}", "没有登记在记录链里：不是经由 Nemo 写入的，或登记被删去。"
            elif said != parts:
                changed = sorted(n for n in said.keys() | parts.keys() if said.get(n) != parts.get(n))
                yield f"{name} {subject}", f"与登记时不同：{'、'.join(FIELDS.get(n, n) for n in changed)}。"
    for (kind, subject), parts in known.items():
        if parts and kind in KINDS:
            yield f"{KINDS[kind]} {subject}", "登记过，现已不在，也没有删除的登记。"


def _walked(
    connection: sa.Connection, key: bytes | None, known: dict[tuple[str, str], dict[str, str]]
) -> Iterator[tuple[str, str]]:
    """Go through the links, noting what each record held last; yield where the chain is broken."""
    number, previous, last, keyed = 0, GENESIS, None, False
    for row in connection.execute(sa.select(links).order_by(links.c.number)):
        link = last = ChainLink(*row)
        if (link.number, link.previous, link.hash) != (number + 1, previous, link.digest()):
            yield f"第 {link.number} 环", "记录链从这一环起断开：链环被改动、插入或删除过。"
        if key is not None and (link.mac is not None or keyed):
            keyed = True
            if link.mac is None or not hmac.compare_digest(link.mac, stamp(key, link.hash)):
                yield f"第 {link.number} 环", "签印与密钥不符：不是持有密钥的 Nemo 写入的，或密钥已更换。"
        known[link.kind, link.subject] = json.loads(link.parts)
        number, previous = link.number, link.hash
    if (number, previous) != (noted_head(connection) or (0, GENESIS)):
        yield f"第 {number} 环", "记录链的末尾与所记的链首不符：末尾被截去或改写过。"
    if key is not None and last is not None and not keyed:
        yield "全链", "设置了密钥，链上却没有签印：记录链被整条重写过，或还没有用密钥打开过资料库。"

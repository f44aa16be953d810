"""What happened to the law is told to those who follow it, by feed, mail and webhook, each thing once; gaps are ranked."""

import datetime as dt
import json
import logging
import socket
import threading
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nemo import settings
from nemo.engine import Engine
from nemo.lawview import shortfalls
from nemo.types import Filters, RawDocument
from nemo.watch.following import FollowService
from nemo.watch.touched import touched
from tests.local_server import Answer, serving

RULE = """演示省光伏并网管理办法（演示文本）

（2024年1月10日演示省能源局公布 自2024年3月1日起施行）

第一条 为了规范演示光伏项目并网，制定本办法。

第二条 电网企业应当自收到演示光伏项目并网申请之日起十个工作日内书面答复。

第三条 演示光伏项目的保证金标准由省能源局另行制定。

第四条 申请人应当按照附件1提交材料，并符合《演示储能电站安全管理规定》。

第五条 本办法自2024年3月1日起施行。
"""
LATER = RULE.replace("十个", "五个").replace("2024年", "2026年")
PASSWORD, TOKEN = "geheim-0815", "hook-secret-4711"


def opened(tmp_path: Path, **more: object) -> Engine:
    engine = Engine.open(settings.load(library=tmp_path / "library", workers=0, **more))
    (tmp_path / "办法.md").write_text(RULE, "utf-8")
    engine.ingest([tmp_path / "办法.md"])
    return engine


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(tmp_path) as made:
        yield made


def later(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "办法2026.md").write_text(LATER, "utf-8")
    engine.ingest([tmp_path / "办法2026.md"])


def test_a_followed_question_and_topic_tell_of_a_new_version(engine: Engine, tmp_path: Path) -> None:
    FollowService(engine).follow_question("演示光伏项目并网申请几个工作日内答复", Filters(), "王敏")
    FollowService(engine).follow_topic(engine.regulations()[0].province, "", "", "李强")
    FollowService(engine).follow_topic("zz", "", "", "赵静")
    since = dt.datetime.now(dt.UTC)
    later(engine, tmp_path)
    events = FollowService(engine).events(since)
    assert "新入库" in {event.kind for event in events}
    (_, why), *_ = FollowService(engine).mine("李强", events)
    assert why == next(e.name for e in engine.rules.provinces if e.code == engine.regulations()[0].province), "no code"
    for user, told in (("王敏", True), ("李强", True), ("赵静", False), ("别人", False)):
        assert bool(FollowService(engine).mine(user, events)) is told, user


def test_the_feed_is_atom_with_ids_that_stay(engine: Engine) -> None:
    one, two = (ET.fromstring(FollowService(engine).atom("http://127.0.0.1:8501")) for _ in range(2))
    names = {"a": "http://www.w3.org/2005/Atom"}
    ids = [[e.findtext("a:id", None, names) for e in feed.findall("a:entry", names)] for feed in (one, two)]
    assert ids[0] == ids[1] and len(ids[0]) == 1
    entry = one.find("a:entry", names)
    assert entry is not None and "演示省光伏并网管理办法" in (entry.findtext("a:title", None, names) or "")
    assert entry.find("a:link", names).get("href").startswith("http://127.0.0.1:8501/library?r=")  # type: ignore[union-attr]


@contextmanager
def post_office() -> Iterator[tuple[str, list[str]]]:
    """A mail server that takes everything and offers no encryption."""
    taken: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    line, _ = listening.accept()
                except OSError:
                    return
                with line, line.makefile("rwb") as talk:

                    def say(words: str, talk: object = talk) -> None:
                        talk.write(words.encode() + b"\r\n")  # type: ignore[attr-defined]
                        talk.flush()  # type: ignore[attr-defined]

                    say("220 demo")
                    while said := talk.readline():
                        verb = said[:4].upper()
                        if verb == b"DATA":
                            say("354 go on")
                            body = b""
                            while not body.endswith(b"\r\n.\r\n"):
                                body += talk.readline()
                            taken.append(body.decode())
                        say("221 bye" if verb == b"QUIT" else "250 ok")
                        if verb == b"QUIT":
                            break

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}", taken


def test_mail_goes_out_once_for_each_thing(tmp_path: Path) -> None:
    with post_office() as (address, taken), opened(
        tmp_path, smtp_url=f"smtp://{address}", mail_to="a@demo.cn，b@demo.cn"
    ) as engine:  # fmt: skip
        assert FollowService(engine).send_digests() == 1 and FollowService(engine).send_digests() == 0
        later(engine, tmp_path)
        assert FollowService(engine).send_digests() == 0, "a digest a day"
        tomorrow = dt.datetime.now(dt.UTC) + dt.timedelta(days=1)
        assert FollowService(engine).send_digests(tomorrow) == 1
        assert FollowService(engine).send_digests(tomorrow + dt.timedelta(days=1)) == 0, "nothing new"
    assert len(taken) == 2 and "b@demo.cn" in taken[0]


def test_a_password_is_never_sent_in_the_clear_nor_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with post_office() as (address, taken), opened(
        tmp_path, smtp_url=f"smtp://nemo:{PASSWORD}@{address}", mail_to="a@demo.cn"
    ) as engine:  # fmt: skip
        assert FollowService(engine).send_digests() == 0
    assert taken == [] and PASSWORD not in caplog.text and "digest by mail" in caplog.text


def test_a_webhook_gets_the_events_and_its_address_stays_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="nemo")
    with serving() as server:
        path = f"/hook/{TOKEN}"
        server.routes[path] = [Answer(status=400), Answer(b"{}")]
        with opened(tmp_path, webhook_url=server.url + path) as engine:
            following = FollowService(engine)
            following.loopback = True
            assert following.send_digests() == 0, "refused: nothing counts as sent"
            assert following.send_digests() == 1
            body = server.seen[-1].json()
    assert body["msgtype"] == "text" and "演示省光伏并网管理办法" in body["text"]["content"]
    assert [event["kind"] for event in body["events"]] == ["新入库"]
    assert TOKEN not in caplog.text


def kinds_of(engine: Engine) -> dict[str, str]:
    return {one.kind: one.title for one, _ in engine.watch.gaps()}


def test_every_kind_of_gap_is_found_and_ranked_by_how_often_it_hurts(engine: Engine) -> None:
    found = kinds_of(engine)
    assert found[shortfalls.NOT_HELD] == "演示储能电站安全管理规定"
    assert {shortfalls.DELEGATED, shortfalls.ANNEX} <= set(found)
    for _ in range(3):
        engine.ask("《演示抽水蓄能电站移民安置办法》第五条怎么规定")
    first, _ = engine.watch.gaps()[0]
    assert (first.kind, first.title) == (shortfalls.REFUSED, "演示抽水蓄能电站移民安置办法") and "3 次" in first.why
    delegated = next(one for one, _ in engine.watch.gaps() if one.kind == shortfalls.DELEGATED)
    before = delegated.weight
    engine.ask("演示光伏项目并网申请几个工作日内答复")
    after = next(one for one, _ in engine.watch.gaps() if one.kind == shortfalls.DELEGATED)
    assert after.weight > before and "另行制定" in after.why and after.label == "3-1"


def test_what_golden_questions_lack_is_a_gap_until_it_is_held(engine: Engine, tmp_path: Path) -> None:
    """Two questions of a golden set and one that a person asked want the same text; a question that must be refused wants none."""
    golden = tmp_path / "金标"
    golden.mkdir()
    wanted = "演示抽水蓄能电站移民安置办法"
    rows = [
        {"id": f"q{n}", "question": f"《{wanted}》第{n}条怎么规定", "gold": [{"file": "x.md", "article": "第五条"}]}
        for n in (5, 6)
    ]
    (golden / "golden.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    refuse = {"id": "u1", "question": "今天天气怎么样", "expect": "refuse"}
    (golden / "unanswerable.jsonl").write_text(json.dumps(refuse, ensure_ascii=False), "utf-8")
    assert not [one for one, _ in engine.watch.gaps() if one.kind == shortfalls.REFUSED]
    for _ in range(2):  # the last run of a set counts, not every one
        engine.evaluation.keep("金标", engine.evaluation.evaluate(golden))
    engine.ask(f"《{wanted}》第五条怎么规定")
    (one,) = [one for one, _ in engine.watch.gaps() if one.kind == shortfalls.REFUSED]
    assert (one.title, one.weight, one.search) == (wanted, 6, wanted)
    assert "提问 1 次" in one.why and "金标集“金标” 2 题" in one.why
    assert engine.watch.gaps()[0][0] == one, "what hurts most stands first"
    (tmp_path / "移民.md").write_text(RULE.replace("演示省光伏并网管理办法（演示文本）", wanted), "utf-8")
    engine.ingest([tmp_path / "移民.md"])
    assert not [one for one, _ in engine.watch.gaps() if one.title == wanted and one.kind == shortfalls.REFUSED]


def test_who_had_a_memo_audited_is_told_and_nobody_else_learns_its_name(engine: Engine, tmp_path: Path) -> None:
    memo = RawDocument.of(
        "《演示省光伏并网管理办法（演示文本）》第二条规定了十个工作日的答复期限。".encode(), "甲公司尽调意见.txt"
    )
    found = engine.audit.audit(memo)
    assert engine.audit.remember(found, memo, "王敏") == 1
    assert engine.audit.remember(found, memo, "王敏") == 1, (
        "an audit of the same memo takes the place of the earlier one"
    )
    (held,) = engine.regulations()
    for changed, altered in ({"2"}, True), ({"5"}, False):
        rests = touched(engine, {held.id}, lambda _, label, changed=changed: label in changed)  # type: ignore[misc]
        (one,) = rests["memos"]
        assert (one["provision"], one["user"], one["altered"], one["memo"]) == (
            "第二条",
            "王敏",
            altered,
            memo.sha256[:12],
        )
        assert "甲公司" not in json.dumps(rests, ensure_ascii=False), "the sheet is read by others"
    since = dt.datetime.now(dt.UTC)
    later(engine, tmp_path)
    following = FollowService(engine)
    events = following.events(since)
    assert {why for _, why in following.mine("王敏", events)} == {"文稿“甲公司尽调意见.txt”所引"}
    assert following.mine("李强", events) == [] == following.mine(None, events)
    assert memo.content not in b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())


def test_a_local_rule_older_than_its_amended_basis_and_a_trial_past_its_time(engine: Engine, tmp_path: Path) -> None:
    local = "演示市分布式光伏管理办法（试行）（演示文本）\n\n（2020年5月1日演示市能源局公布）\n\n第一条 根据《演示省光伏并网管理办法（演示文本）》，制定本办法。\n\n第二条 演示市分布式光伏应当备案。\n\n第三条 本办法自2020年6月1日起施行。\n"
    (tmp_path / "市办法.md").write_text(local, "utf-8")
    engine.ingest([tmp_path / "市办法.md"])
    found = [(one.kind, one.title) for one, _ in engine.watch.gaps()]
    title = "演示市分布式光伏管理办法（试行）（演示文本）"
    assert (shortfalls.BASIS, title) in found and (shortfalls.TERM, title) in found
    assert (shortfalls.DELEGATED, "演示省光伏并网管理办法（演示文本）") not in found, "a held text was made on it"


def test_a_gap_names_the_address_where_a_list_has_the_text(engine: Engine) -> None:
    from nemo.store.records.watching import SeenAddress

    watch = engine.library.watching.add("folder", str(engine.settings.library), "daily", dt.datetime.now(dt.UTC), None)
    url = "https://www.nea.gov.cn/20250102/0123456789abcdef0123456789abcdef/c.html"
    engine.library.watching.note([SeenAddress(watch.id, url, "item", "new", "关于印发演示储能电站安全管理规定的通知")])
    assert next(u for one, u in engine.watch.gaps() if one.kind == shortfalls.NOT_HELD) == url

"""The chain of records: whatever is relied on cannot be changed in the database without being named."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nemo.cli import main
from nemo.errors import BadRequestError, ConflictError
from nemo.store.catalogue.entry import text_hash
from nemo.store.library import Library
from nemo.store.records.chain import GENESIS, ChainLink
from nemo.types import Verdict
from tests.export_samples import answer, law, quote, store
from tests.store_samples import opened

LAW = law("青石镇风车检修规定", ["风车每季度检修一次。", "检修记录保存三年。"])
SECRET = "only for this test"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A library with a regulation, a reviewed answer and feedback, closed."""
    with opened(tmp_path / "lib", audit_key=SECRET) as library:
        filled(library)
    yield tmp_path / "lib"


def filled(library: Library) -> None:
    store(library, LAW)
    library.save_answer(answer(quote(LAW, "每季度检修一次")), "赵一")
    library.answers.flush()
    library.reviews.decide(1, Verdict.REJECTED, "断章取义", "王敏")
    library.feedback.add("t-1", "多久检修一次？", True)


def sql(*statements: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        connection = sqlite3.connect(folder / "catalogue.sqlite")
        with connection:
            for statement in statements:
                assert connection.execute(statement).rowcount >= 1, statement
        connection.close()

    return change


def both(folder: Path) -> None:
    """Change a text and its hash together, as somebody who knows how would."""
    connection = sqlite3.connect(folder / "catalogue.sqlite")
    changed = LAW.text.replace("三年", "五年")
    with connection:
        connection.execute("UPDATE texts SET text=?", (changed,))
        connection.execute("UPDATE regulations SET text_sha256=?", (text_hash(changed),))
    connection.close()


def cut(folder: Path) -> None:
    """Cut the tail off and set the head to what is left; the records of the tail go, too."""
    connection = sqlite3.connect(folder / "catalogue.sqlite")
    with connection:
        last = connection.execute("SELECT number FROM audit ORDER BY number DESC LIMIT 1").fetchone()[0]
        connection.execute("DELETE FROM audit WHERE number=?", (last,))
        left = connection.execute("SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1").fetchone()
        connection.execute("UPDATE meta SET value=? WHERE key='audit_head'", (f"{left[0]}:{left[1]}",))
    connection.close()


REG = f"法规 {LAW.id}"
CHANGES: list[tuple[str, Callable[[Path], None], str, str]] = [
    ("the question of an answer", sql("UPDATE answers SET question='别的'"), "答复 t-1", "问题"),
    ("a quote in an answer", sql("UPDATE answers SET body=replace(body,'季度','年度')"), "答复 t-1", "答复与引文"),
    ("the status an answer stated", sql("UPDATE quoted SET status='REPEALED'"), "答复 t-1", "引文与所述时效"),
    ("who asked", sql('UPDATE answers SET "user"=NULL'), "答复 t-1", "提问人"),
    ("an answer deleted", sql("DELETE FROM quoted", "DELETE FROM answers"), "答复 t-1", "已不在"),
    ("an answer slipped in", sql('INSERT INTO answers (trace_id,at,question,body,texts,day,refused,generation,"user",filters) '
     "SELECT 't-2',at,question,body,texts,day,refused,generation,\"user\",filters FROM answers"), "答复 t-2", "没有登记"),
    ("the words of a quote", sql("UPDATE quotes SET words='别的'"), "引文 1", "引文文字"),
    ("a rejection turned round", sql("UPDATE decisions SET state='APPROVED'"), "复核决定 1", "结论"),
    ("a rejection deleted", sql("DELETE FROM decisions"), "复核决定 1", "已不在"),
    ("feedback turned round", sql("UPDATE feedback SET useful=0"), "评价 1", "评价"),
    ("a date", sql("UPDATE regulations SET validity=replace(validity,'2021','2011')"), REG, "日期与时效依据"),
    ("the province", sql("UPDATE regulations SET province='sd'"), REG, "地域"),
    ("the document number", sql("UPDATE regulations SET document_number='演示令第9号'"), REG, "文号"),
    ("a text with its hash", both, REG, "文本、文本的校验值"),
    ("chunk labels", sql("UPDATE chunks SET labels=replace(labels,'2','3')"), REG, "片段标号"),
    ("the tail of the audit log", cut, "审计记录 3", "已不在"),
    ("a link", sql("UPDATE links SET parts='{}' WHERE number=3"), "第 3 环", "断开"),
    ("the tail of the chain", sql("DELETE FROM links WHERE number=(SELECT max(number) FROM links)"), "第 ", "截去"),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "change", "what", "words"), CHANGES, ids=[c[0] for c in CHANGES])
def test_every_change_is_named(
    folder: Path, remark: str, change: Callable[[Path], None], what: str, words: str
) -> None:
    with opened(folder, audit_key=SECRET) as library:
        assert library.verify() == []
    change(folder)
    with opened(folder, audit_key=SECRET) as library:
        found = [d for d in library.verify() if d.place == "chain"]
    assert any(d.subject.startswith(what) and words in d.message for d in found), found


def test_what_is_done_in_order_stands(folder: Path) -> None:
    """Answers given anew, texts replaced and removed, decisions taken back."""
    with opened(folder, audit_key=SECRET) as library:
        library.save_answer(answer(quote(LAW, "保存三年")))
        library.reviews.undo(1, "王敏")
        store(library, law("青石镇风车检修规定", ["风车每年检修一次。"]))
        library.remove(library.rows()[0].id)
        assert [d for d in library.verify() if d.place == "chain"] == []


def rewritten(folder: Path) -> None:
    """Change a decision and build the whole chain anew, as somebody who can write the database can."""
    connection = sqlite3.connect(folder / "catalogue.sqlite")
    with connection:
        connection.execute("UPDATE decisions SET state='APPROVED'")
        connection.execute("DELETE FROM links")
        connection.execute("DELETE FROM meta WHERE key='chain_head'")
    connection.close()


def test_a_whole_new_chain_is_seen_by_whoever_kept_a_head(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chain", "--library", str(folder), "--json"]) == 0
    head = json.loads(capsys.readouterr().out)["chain"]["head"]
    assert main(["chain", "--library", str(folder), "--head", head]) == 0
    rewritten(folder)
    with opened(folder) as library:
        assert [d for d in library.verify() if d.place == "chain"] == []  # within itself it is sound
    assert main(["chain", "--library", str(folder), "--head", head]) == 1
    assert "不在链上" in capsys.readouterr().out


def test_a_whole_new_chain_is_seen_by_whoever_has_the_key(folder: Path) -> None:
    rewritten(folder)
    with opened(folder):
        pass  # a program without the key began the chain anew
    with Library.open(*looking(folder, SECRET), read_only=True) as library:
        assert any("签印" in d.message for d in library.verify())
    with Library.open(*looking(folder, None), read_only=True) as library:
        assert library.verify() == []


def looking(folder: Path, key: str | None) -> tuple[object, str, int]:
    from tests.store_samples import DIM, EMBEDDER, settings_for

    return settings_for(folder, audit_key=key), EMBEDDER, DIM


def test_another_key_fails_and_no_key_says_so(folder: Path) -> None:
    with Library.open(*looking(folder, "another"), read_only=True) as library:
        assert any("密钥不符" in d.message for d in library.verify())
    with Library.open(*looking(folder, None), read_only=True) as library:
        found = library.inspect()
        assert found.differences == [] and any("NEMO_AUDIT_KEY" in what for what in found.unchecked)


def test_a_key_may_come_later(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        filled(library)
        assert not library.chain_head().keyed
    with opened(tmp_path, audit_key=SECRET) as library:
        assert library.chain_head().keyed and library.verify() == []


def test_an_older_library_is_registered_when_it_is_first_opened(folder: Path) -> None:
    connection = sqlite3.connect(folder / "catalogue.sqlite")
    with connection:
        connection.execute("DROP TABLE links")
        connection.execute("DELETE FROM meta WHERE key='chain_head'")
        connection.execute("UPDATE alembic_version SET version_num='0008'")
    connection.close()
    with opened(folder) as library:
        assert library.verify() == [] and library.chain_head().number > 6


def test_a_link_covers_all_its_fields() -> None:
    link = ChainLink(2, "2026-11-20", "answer", "t-1", "{}", GENESIS, "")
    digests = {link.digest()}
    for name, value in {"number": 3, "at": "x", "kind": "x", "subject": "x", "parts": "x", "previous": "x"}.items():
        values = {n: getattr(link, n) for n in ("number", "at", "kind", "subject", "parts", "previous", "hash")}
        digests.add(ChainLink(**{**values, name: value}).digest())
    assert len(digests) == 7


# --- two reviewers on one quote


def test_two_reviewers_do_not_overwrite_each_other(folder: Path) -> None:
    with opened(folder) as library:
        seen = library.reviews.row(1).standing.version
        library.reviews.decide(1, Verdict.APPROVED, "", "李四", seen)
        with pytest.raises(ConflictError, match="李四已判为“已复核”"):
            library.reviews.decide(1, Verdict.UNSURE, "再看看", "赵一", seen)
        assert library.reviews.row(1).standing.state is Verdict.APPROVED


def test_undo_returns_to_what_stood_before(folder: Path) -> None:
    with opened(folder) as library:
        before = library.reviews.row(1).standing
        made = library.reviews.decide(1, Verdict.APPROVED, "", "李四", before.version)
        with pytest.raises(BadRequestError, match="自己的"):
            library.reviews.undo(1, "赵一", made.version)
        back = library.reviews.undo(1, "李四", made.version)
        assert (back.state, back.newest) == (Verdict.REJECTED, before.newest) and back.version > made.version
        with pytest.raises(BadRequestError):
            library.reviews.undo(1, "李四", back.version)
    with opened(folder) as library:
        assert library.reviews.row(1).standing.state is Verdict.REJECTED


def test_undo_is_refused_when_somebody_decided_since(folder: Path) -> None:
    with opened(folder) as library:
        made = library.reviews.decide(1, Verdict.APPROVED, "", "李四")
        library.reviews.decide(1, Verdict.UNSURE, "存疑", "李四")
        with pytest.raises(ConflictError):
            library.reviews.undo(1, "李四", made.version)

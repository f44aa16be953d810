"""Bundles are checked where there is no library, too: what they carry proves what they quote."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nemo import export
from nemo.cli import main
from nemo.errors import BadRequestError
from nemo.export import bundle as bundles
from nemo.store.catalogue.entry import BLOCK, words_hash
from nemo.store.library import Library
from tests.export_samples import FORBIDDEN, NASTY, answer, law, place, quote, store
from tests.store_samples import opened
from tests.test_export_word import RULES

Body = dict[str, Any]
KEY = "only for this test"
LONG = law(
    "青石镇风车检修规定", [*NASTY, *(f"第{n}号风车每{n}月检修一次，记录保存三年。" for n in range(2, 90)), *FORBIDDEN]
)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    with opened(tmp_path_factory.mktemp("alone"), audit_key=KEY) as library:
        return export_of(library)


def export_of(library: Library) -> bytes:
    store(library, LONG)
    far = quote(LONG, "第80号风车每80月检修一次", before=place(LONG, NASTY[0]))
    across = next(n for n in range(BLOCK - 5, len(LONG.text)))
    middle = quote(LONG, LONG.text[across : across + 9])
    cuts = [quote(LONG, words) for words in FORBIDDEN]
    return export.write(export.of_answer(answer(far, middle, *cuts), library, RULES), "json")


def test_it_passes_without_a_library(exported: bytes) -> None:
    report = bundles.check_alone(exported, KEY.encode())
    assert (report.exit_code, report.problems) == (0, ()), list(report.lines())
    assert all("签印与密钥相符" in note for q in report.quotes for note in q.notes)
    assert "资料库" in (report.reservation or "") and report.as_json()["reservation"]


def test_it_carries_no_more_of_the_text_than_it_quotes(exported: bytes) -> None:
    proof = json.loads(exported)["regulations"][LONG.id]["proof"]
    assert len(proof["slices"]) < len(proof["blocks"]) or len(LONG.text) < 4 * BLOCK
    assert [words_hash(LONG.text[i : i + BLOCK]) for i in range(0, len(LONG.text), BLOCK)] == proof["blocks"]


def quoted(body: Body) -> Body:
    return body["quotes"][0]


def held(body: Body) -> Body:
    return body["regulations"][LONG.id]


def reworded(body: Body) -> None:
    """Change a quote everywhere it stands, with its own hash, but not the block."""
    for cited in (quoted(body), body["answers"][0]["citations"][0]):
        for name in ("text", "direct_quote"):
            if name in cited:
                cited[name] = cited[name].replace("80", "90")
    quoted(body)["sha256"] = words_hash(quoted(body)["text"])
    body["answers"][0]["answer_zh"] = body["answers"][0]["answer_zh"].replace("80", "90")


def reworded_block(body: Body) -> None:
    reworded(body)
    slices = held(body)["proof"]["slices"]
    for number, words in slices.items():
        slices[number] = words.replace("第80号风车每80月", "第90号风车每90月")


def rehashed_block(body: Body) -> None:
    reworded_block(body)
    proof = held(body)["proof"]
    for number, words in proof["slices"].items():
        proof["blocks"][int(number)] = words_hash(words)


def rewritten_link(body: Body) -> None:
    """Everything the forger can do without the key: text, blocks, registered parts, the link's hash."""
    from nemo.store.records.chain import ChainLink, part

    rehashed_block(body)
    link = held(body)["proof"]["link"]
    link["parts"] = json.dumps({**json.loads(link["parts"]), "text": part(held(body)["proof"]["blocks"])})
    link["hash"] = ChainLink(**link).digest()


def moved(body: Body) -> None:
    for cited in (quoted(body), body["answers"][0]["citations"][0]):
        cited["start"] += 1
        cited["end"] += 1


def renumbered(body: Body) -> None:
    held(body)["document_number"] = "演示令第9号"


FORGERIES: list[tuple[str, Callable[[Body], None], str]] = [
    ("a quote", reworded, "不是所引文字"),
    ("a quote and its block", reworded_block, "块文字与其校验值不符"),
    ("a quote, its block and the block's hash", rehashed_block, "与登记这部法规的链环不符"),
    ("all of it and the link", rewritten_link, "签印与密钥不符"),
    ("a place", moved, "不是所引文字"),
    ("a document number", renumbered, "文号与登记时不同"),
    ("the text's hash", lambda b: held(b).update(text_sha256="0" * 64), "文本的校验值与登记时不同"),
    ("evidence of a date", lambda b: held(b)["validity"]["evidence"][0].update(words="别的"), "所据条款"),
]


@pytest.mark.parametrize(("remark", "change", "words"), FORGERIES, ids=[f[0] for f in FORGERIES])
def test_a_sealed_forgery_differs(exported: bytes, remark: str, change: Callable[[Body], None], words: str) -> None:
    body = copy.deepcopy(json.loads(exported))
    change(body)
    report = bundles.check_alone({**body, "sha256": bundles.seal(body)}, KEY.encode())
    assert report.exit_code == 1 and any(words in d for q in report.quotes for d in q.differences), list(report.lines())


def test_without_the_key_it_says_what_it_cannot_show(exported: bytes) -> None:
    report = bundles.check_alone(exported)
    assert report.exit_code == 0 and "伪造" in (report.reservation or "")
    assert all("未核对签印" in note for q in report.quotes for note in q.notes)


def test_a_bundle_of_an_older_program_needs_the_library(exported: bytes) -> None:
    body = json.loads(exported)
    del held(body)["proof"], body["chain"]
    report = bundles.check_alone({**body, "sha256": bundles.seal(body)})
    assert report.exit_code == 3 and report.counts["无法核对"] == report.counts["共"]


def test_by_command(exported: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "b.json"
    file.write_bytes(exported)
    assert main(["verify", str(file), "--alone", "--library", str(tmp_path / "none"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    assert main(["verify", str(file), "--library", str(tmp_path / "none")]) == 3
    assert not (tmp_path / "none").exists()
    file.write_bytes(exported.replace("80月".encode(), "90月".encode()))
    assert main(["verify", str(file), "--alone"]) == 1


def test_a_library_whose_chain_lost_the_head_says_so(tmp_path: Path) -> None:
    import sqlite3

    with opened(tmp_path) as library:
        bundle = export_of(library)
        assert bundles.check(bundle, library).exit_code == 0
    connection = sqlite3.connect(tmp_path / "catalogue.sqlite")
    with connection:
        number = json.loads(bundle)["chain"]["number"]
        connection.execute("UPDATE links SET hash=? WHERE number=?", ("0" * 64, number))
    connection.close()
    with opened(tmp_path) as library:
        assert any("链首" in problem for problem in bundles.check(bundle, library).problems)


@pytest.mark.parametrize("spoil", [{"blocks": 1}, {"slices": {"0": 5}}, {"link": {"number": "x"}}])
def test_a_malformed_proof_is_refused(exported: bytes, spoil: Body) -> None:
    body = json.loads(exported)
    held(body)["proof"].update(spoil)
    with pytest.raises(BadRequestError, match="核验包有误"):
        bundles.check_alone(body)

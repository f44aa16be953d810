"""Checking a bundle by itself, without the library it came from (独立核验).

A bundle carries, for each quoted regulation, the hashes of all blocks of its text, the words of the blocks that are
quoted, and the link of the chain of records that registered the text with its facts. So the words, their places and the
facts are shown to belong together; with the key of the library the link is shown to be written by it. What needs other
texts (status on a day) or the structure (article, page) can only be compared with the library.
"""

import hmac
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields

from nemo.export.check import BundleReport, QuoteCheck, Said, agreement, changed, checked, pieces, refusals
from nemo.export.proof import ProofOutcome
from nemo.store.catalogue.entry import BLOCK, words_hash
from nemo.store.records.chain import ChainLink, part, stamp

FACTS = {"title": "名称", "document_number": "文号", "issuer": "发布机关", "level": "级别", "province": "地域",
         "text_sha256": "文本的校验值", "raw_sha256": "原件的校验值"}  # fmt: skip
"""Facts in a bundle that the link registered as they are."""

ONLY_ITSELF = (
    "只核对了核验包自身：文字、位置、校验值与登记的事实前后一致。时效、条款与页码须用资料库核对；"
    "没有密钥时，懂行的人仍可以整份伪造，请与另行保存的校验值或链首比对。"
)


def inspect_alone(body: Said, sealed: bool, key: bytes | None) -> BundleReport:
    """Compare what a well-formed bundle says with what it carries."""
    regulations = body["regulations"]
    checks = tuple(_quote(n, q, regulations.get(q["regulation_id"]), key) for n, q in enumerate(body["quotes"], 1))
    return BundleReport(checks, tuple(agreement(body, sealed)), ONLY_ITSELF, refusals(body), body.get("facts", ()))


def _quote(number: int, said: Said, known: Said | None, key: bytes | None) -> QuoteCheck:
    differences, notes = changed(said), list[str]()
    proof = known.get("proof") if known else None
    if known is None or proof is None:
        notes.append("核验包没有带所引文本的片段（由较早的版本导出），须用资料库核对。")
    else:
        differences += _words(said, known, proof)
        differences += _registered(said, known, proof["link"], proof["blocks"])
        differences += _stamped(proof["link"], key, notes)
    found = ProofOutcome.UNCHECKED if proof is None else ProofOutcome.PASSED
    return checked(number, said, differences, notes, found)


def _words(said: Said, known: Said, proof: Said) -> Iterator[str]:
    """Yield what is not cut from the blocks, and blocks that are not those of the text."""
    blocks, slices = proof["blocks"], proof["slices"]
    for index, words in slices.items():
        if not (index.isdecimal() and int(index) < len(blocks) and words_hash(words) == blocks[int(index)]):
            yield f"文本：随附的第 {index} 块文字与其校验值不符。"
            return
    for name, one in pieces(said).items():
        if _cut(slices, one["start"], one["end"]) != one["text"]:
            yield f"{name}：随附文本第 {one['start']} 至 {one['end']} 字符不是所引文字。"
    placed = [e for e in known["validity"]["evidence"] if e["start"] is not None and e["end"] is not None]
    if not all(e["words"] in (_cut(slices, e["start"], e["end"]) or "") for e in placed):
        yield "时效：所据条款的文字与随附文本不符。"


def _cut(slices: Mapping[str, str], start: int, end: int) -> str | None:
    """Return the characters of a place, None when a block of it is not there."""
    first, last = start // BLOCK, (end - 1) // BLOCK
    if any(str(i) not in slices for i in range(first, last + 1)):
        return None
    return "".join(slices[str(i)] for i in range(first, last + 1))[start - first * BLOCK : end - first * BLOCK]


def _registered(said: Said, known: Said, link: Said | None, blocks: list[str]) -> Iterator[str]:
    """Yield facts that are not those the link registered."""
    if link is None:
        return
    parts = json.loads(link["parts"])
    if (link["kind"], link["subject"]) != ("regulation", said["regulation_id"]) or part(blocks) != parts.get("text"):
        yield "文本：各块的校验值与登记这部法规的链环不符。"
    for name, words in FACTS.items():
        value = known.get(name)
        field = "sha256" if name == "raw_sha256" else name
        if (None if value is None else part(value)) != parts.get(field):
            yield f"出处：{words}与登记时不同。"
    if said["title"] != known["title"] or said["document_number"] != known.get("document_number"):
        yield "出处：引文所述的名称或文号与所附法规不同。"


def _stamped(link: Said | None, key: bytes | None, notes: list[str]) -> Iterator[str]:
    if link is None:
        notes.append("出具时记录链尚未登记这部法规。")
        return
    made = ChainLink(**{each.name: link[each.name] for each in fields(ChainLink)})
    if made.digest() != made.hash:
        yield "文本：链环的内容与其哈希不符。"
    elif key is None:
        notes.append(f"登记于记录链第 {made.number} 环；没有密钥，未核对签印。")
    elif made.mac is None or not hmac.compare_digest(made.mac, stamp(key, made.hash)):
        yield "文本：链环的签印与密钥不符，不是持有这个密钥的资料库出具的。"
    else:
        notes.append(f"登记于记录链第 {made.number} 环，签印与密钥相符。")

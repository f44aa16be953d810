"""What a bundle file must look like before anything in it is believed (核验包的格式)."""

import datetime as dt
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nemo.errors import BadRequestError, NotFoundError

FORMAT = "nemo-bundle"
VERSION = 1
LARGEST = 64 * 2**20
"""Bytes."""

_TOP: Mapping[str, Any] = {"answers": list, "quotes": list, "regulations": dict, "sha256": str, "kind": str}
_QUOTE: Mapping[str, Any] = {
    "regulation_id": str, "start": int, "end": int, "text": str, "sha256": str, "title": str, "path": str,
    "label": str, "pages": list, "day": str, "status": str, "document_number": (str, type(None)),
    "effective": (str, type(None)), "before": (dict, type(None)), "after": (dict, type(None)),
}  # fmt: skip
_BESIDE: Mapping[str, Any] = {"start": int, "end": int, "text": str}
_CITATION: Mapping[str, Any] = {
    "direct_quote": str, "start": int, "end": int, "regulation_id": str, "title": str,
    "document_number": (str, type(None)), "section_reference": str, "page_numbers": list, "status": str,
    "effective_date": (str, type(None)), "context_before": (str, type(None)), "context_after": (str, type(None)),
    "review": (dict, type(None)),
}  # fmt: skip
_REGULATION: Mapping[str, Any] = {"title": str, "text_sha256": str, "raw_sha256": str, "validity": dict}


_PROOF: Mapping[str, Any] = {"blocks": list, "slices": dict, "link": (dict, type(None))}
_LINK: Mapping[str, Any] = {
    **dict.fromkeys(("at", "kind", "subject", "parts", "previous", "hash"), str),
    "number": int,
    "mac": (str, type(None)),
}
_CHAIN: Mapping[str, Any] = {"chain": str, "number": int, "hash": str}
"""What bundles of older programs do not have, and newer ones have whole."""


def read(bundle: Path | bytes | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the contents of a bundle, with every field that a check uses in place.

    Raises:
        BadRequestError: it is no bundle, or one of a newer form; the message names the field.
    """
    body = bundle if isinstance(bundle, Mapping) else _parsed(_bytes(bundle))
    if not isinstance(body, Mapping) or body.get("format") != FORMAT:
        raise BadRequestError("这不是 Nemo 核验包。请选择导出时保存的 JSON 文件。")
    if body.get("version") != VERSION:
        raise BadRequestError(f"核验包的版本是 {body.get('version')}，本程序只认识 {VERSION}。请升级 Nemo 后再核验。")
    _has(body, _TOP, "核验包")
    if body.get("chain") is not None:
        _has(body["chain"], _CHAIN, "chain")
    for number, quote in enumerate(body["quotes"], 1):
        _check_quote(quote, f"第 {number} 条引文")
    for name, regulation in body["regulations"].items():
        _check_regulation(regulation, f"法规 {name}")
    for number, answer in enumerate(body["answers"], 1):
        _check_answer(answer, f"第 {number} 个答复")
    return body


def _bytes(bundle: Path | bytes) -> bytes:
    if isinstance(bundle, bytes):
        return bundle
    if not bundle.is_file():
        raise NotFoundError(f"没有核验包文件 {bundle}。请核对路径。")
    if bundle.stat().st_size > LARGEST:
        raise BadRequestError(f"{bundle.name} 太大，不是核验包。请选择导出时保存的 JSON 文件。")
    return bundle.read_bytes()


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        place = f"第 {error.lineno} 行" if isinstance(error, json.JSONDecodeError) else "文件"
        raise BadRequestError(f"核验包不是完整的 JSON，{place}读不下去。请重新导出或取回原文件。") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key given twice could show one thing to a reader and another to a check."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadRequestError("核验包中同一字段出现两次。请重新导出或取回原文件。")
    return found


def _check_quote(quote: Any, place: str) -> None:
    _has(quote, _QUOTE, place)
    for part in (quote, quote["before"], quote["after"]):
        if part is not None:
            _has(part, _BESIDE, place)
            if not 0 <= part["start"] < part["end"]:
                raise BadRequestError(f"核验包有误：{place}的位置 {part['start']}–{part['end']} 不成立。请取回原文件。")
    _moment(dt.date, quote["day"], f"{place}的 day")


def _check_regulation(regulation: Any, place: str) -> None:
    _has(regulation, _REGULATION, place)
    _has(regulation["validity"], {"evidence": list}, f"{place}的 validity")
    if regulation.get("proof") is not None:
        _check_proof(regulation["proof"], f"{place}的 proof")
    for evidence in regulation["validity"]["evidence"]:
        _has(evidence, {"words": str, "start": (int, type(None)), "end": (int, type(None))}, f"{place}的依据")


def _check_proof(proof: Any, place: str) -> None:
    _has(proof, _PROOF, place)
    if not all(isinstance(value, str) for value in (*proof["blocks"], *proof["slices"].values())):
        raise BadRequestError(f"核验包有误：{place}含有不是文字的块。请取回原文件。")
    if proof["link"] is None:
        return
    _has(proof["link"], _LINK, f"{place}的 link")
    try:
        parts = json.loads(proof["link"]["parts"])
    except ValueError as error:
        raise BadRequestError(f"核验包有误：{place}的 link 读不出。请取回原文件。") from error
    _has(parts, {}, f"{place}的 link")


def _moment(kind: type[dt.date], words: str, place: str) -> None:
    try:
        kind.fromisoformat(words)
    except ValueError as error:
        raise BadRequestError(f"核验包有误：{place} 不是日期。请取回原文件。") from error


def _check_answer(answer: Any, place: str) -> None:
    _has(answer, {"citations": list, "answer_zh": str, "refused": bool, "trace_id": str}, place)
    for number, citation in enumerate(answer["citations"], 1):
        where = f"{place}的第 {number} 条出处"
        _has(citation, _CITATION, where)
        if citation["review"] is not None:
            _has(citation["review"], {"state": str, "by": (str, type(None)), "at": str}, f"{where}的 review")
            _moment(dt.datetime, citation["review"]["at"], f"{where}的 review.at")
    _check_parts(answer, place)


def _check_parts(answer: Any, place: str) -> None:
    parts = answer.get("parts", [])
    if not isinstance(parts, list):
        raise BadRequestError(f"核验包有误：{place}的 parts 不是列表。请取回原文件。")
    for number, part in enumerate(parts, 1):
        where = f"{place}的第 {number} 个分问"
        _has(part, {"heading": str, "citations": list, "refusal": (dict, type(None))}, where)
        if part["refusal"] is not None:
            _has(part["refusal"], {"message": str}, where)
        for citation in part["citations"]:
            _has(citation, {"citation_id": str}, where)


def _has(value: Any, fields: Mapping[str, Any], place: str) -> None:
    if not isinstance(value, Mapping):
        raise BadRequestError(f"核验包有误：{place}不是一组字段。请取回原文件。")
    for name, kind in fields.items():
        if name not in value or not isinstance(value[name], kind) or (kind is int and isinstance(value[name], bool)):
            raise BadRequestError(f"核验包有误：{place}的 {name} 缺失或类型不对。请取回原文件。")

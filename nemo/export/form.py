"""What a bundle file must look like before anything in it is believed (核验包的格式)."""

import datetime as dt
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model

from nemo.errors import BadRequestError, NotFoundError
from nemo.types.plain import read_json

FORMAT = "nemo-bundle"
VERSION = 1
LARGEST = 64 * 2**20
"""Bytes."""


class ReadForm(BaseModel):
    """What every part shares: what a check uses is there and of its kind; what newer programs add is passed over."""

    model_config = ConfigDict(strict=True)


def _read(name: str, /, **fields: Any) -> type[ReadForm]:
    given: dict[str, Any] = {field: kind if isinstance(kind, tuple) else (kind, ...) for field, kind in fields.items()}
    return create_model(name, __base__=ReadForm, **given)


def _named_values(words: str) -> str:
    if not isinstance(read_json(words), dict):
        raise ValueError(words)
    return words


_Place, _MaybePlace, _Words = Annotated[int, Field(ge=0)], Annotated[int | None, Field(ge=0)], str | None
_Day, _Moment = (Annotated[str, AfterValidator(kind.fromisoformat)] for kind in (dt.date, dt.datetime))
_Beside: Any = _read("Beside", start=_Place, end=_Place, text=str)
_Quote: Any = _read(
    "Quote", regulation_id=str, start=_Place, end=_Place, text=str, sha256=str, title=str, path=str, label=str, pages=list,
    day=_Day, status=str, document_number=_Words, effective=_Words, before=_Beside | None, after=_Beside | None,
)  # fmt: skip
_Review: Any = _read("Review", state=str, by=_Words, at=_Moment)
_Citation: Any = _read(
    "Citation", direct_quote=str, start=_Place, end=_Place, regulation_id=str, title=str, document_number=_Words,
    section_reference=str, page_numbers=list, status=str, effective_date=_Words, context_before=_Words, context_after=_Words,
    review=_Review | None,
)  # fmt: skip
_Part: Any = _read(
    "Part",
    heading=str,
    refusal=_read("Refusal", message=str) | None,
    citations=list[_read("Sign", citation_id=str)],  # type: ignore[misc]
)
_Answer: Any = _read(
    "Answer", citations=list[_Citation], answer_zh=str, refused=bool, trace_id=str, parts=(list[_Part], ())
)
_Link: Any = _read(
    "Link", at=str, kind=str, subject=str, previous=str, hash=str, number=int, mac=_Words,
    parts=Annotated[str, AfterValidator(_named_values)],
)  # fmt: skip
_Proof: Any = _read("Proof", blocks=list[str], slices=dict[str, str], link=_Link | None)
_Evidence: Any = _read("Evidence", words=str, start=_MaybePlace, end=_MaybePlace)
_Validity: Any = _read("Validity", evidence=list[_Evidence])
_Regulation: Any = _read(
    "Regulation", title=str, text_sha256=str, raw_sha256=str, validity=_Validity, proof=(_Proof | None, None)
)
_Bundle = _read(
    "Bundle", answers=list[_Answer], quotes=list[_Quote], regulations=dict[str, _Regulation], sha256=str, kind=str,
    chain=(_read("Head", chain=str, number=int, hash=str) | None, None),
    facts=(list[Annotated[list[str], Field(min_length=2, max_length=2)]], []),
)  # fmt: skip
"""``chain``, ``proof`` and ``parts`` are what bundles of older programs do not have, and newer ones have whole."""

_NAMES = {"quotes": "引文", "answers": "答复", "citations": "出处", "regulations": "法规", "parts": "分问"}


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
    try:
        _Bundle.model_validate(dict(body))
    except ValidationError as error:
        raise BadRequestError(
            f"核验包有误：{_place(*error.errors()[0]['loc'])}缺失或类型不对。请取回原文件。"
        ) from error
    for number, quote in enumerate(body["quotes"], 1):
        for part in filter(None, (quote, quote["before"], quote["after"])):
            if part["start"] >= part["end"]:
                where = f"第 {number} 条引文的位置 {part['start']}–{part['end']}"
                raise BadRequestError(f"核验包有误：{where} 不成立。请取回原文件。")
    return body


def _place(*steps: int | str) -> str:
    """Return where something is wrong: 引文 第 1 项 start."""
    return "".join(f"第 {step + 1} 项 " if isinstance(step, int) else f"{_NAMES.get(step, step)} " for step in steps)


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
        return read_json(content, object_pairs_hook=_once)
    except ValueError as error:
        place = f"第 {error.lineno} 行" if isinstance(error, json.JSONDecodeError) else "文件"
        raise BadRequestError(f"核验包不是完整的 JSON，{place}读不下去。请重新导出或取回原文件。") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key given twice could show one thing to a reader and another to a check."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadRequestError("核验包中同一字段出现两次。请重新导出或取回原文件。")
    return found

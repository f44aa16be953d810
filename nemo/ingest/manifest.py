"""Facts an analyst states about files: a manifest (清单, JSONL) or the fields of the upload form.

What is stated wins over what is read from the text; both are kept with their origin. Fields Nemo does not know are
kept as notes and named once in the report.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from nemo.errors import BadRequestError
from nemo.rules import Rules
from nemo.text.law.references import RELATION_FIELDS
from nemo.types import STATED, Evidence, Origin, Regulation
from nemo.types.plain import read_json

SAMPLE = '{"file": "办法.pdf", "title": "…", "province": "gd", "effective_date": "2024-06-01"}'


def _listed(value: object) -> object:
    """Accept one string where a list is meant, and join lists of issuers."""
    return [value] if isinstance(value, str) else value


def _text(value: object) -> object:
    return "、".join(map(str, value)) if isinstance(value, list | tuple) else value


Text = Annotated[str | None, BeforeValidator(_text)]
Titles = Annotated[list[str] | None, BeforeValidator(_listed)]


class KnownFacts(BaseModel):
    """Known facts about one file; None means not stated."""

    model_config = ConfigDict(extra="allow", frozen=True, populate_by_name=True)

    file: str | None = None
    title: Text = None
    short_title: Text = None
    document_number: Text = Field(None, validation_alias=AliasChoices("document_number", "doc_number", "doc_no"))
    issuer: Text = None
    level: Text = None
    nature: Text = None
    province: Text = None
    doc_class: Text = None
    assets: Annotated[list[str] | None, BeforeValidator(_listed)] = None
    version_date: dt.date | None = None
    promulgated: dt.date | None = None
    effective_date: dt.date | None = Field(None, validation_alias=AliasChoices("effective_date", "effective"))
    in_force_from: dt.date | None = None
    valid_until: dt.date | None = None
    superseded_by: Text = None
    superseded_on: dt.date | None = None
    repealed_by: Text = None
    repealed_on: dt.date | None = None
    based_on: Titles = None
    implements: Titles = None
    amends: Titles = None
    repeals: Titles = None
    url: Text = None
    corpora: Annotated[list[str] | None, BeforeValidator(_listed)] = None
    """Corpora it comes in through (资料集): who sees none of them does not see it. No fact of the text."""

    @model_validator(mode="after")
    def _consistent(self) -> KnownFacts:
        start = self.in_force_from or self.effective_date
        for name, end in (("superseded_on", self.superseded_on), ("valid_until", self.valid_until)):
            if start and end and end < start:
                raise ValueError(f"{name}（{end}）早于施行日期（{start}）")
        return self

    @property
    def unknown(self) -> dict[str, Any]:
        """Fields that Nemo does not know, kept as notes."""
        return dict(self.model_extra or {})

    def stated(self) -> dict[str, Any]:
        """Return the fields that were stated, without the file name and the notes."""
        known = self.model_dump(exclude_none=True, exclude={"file", "corpora"})
        return {name: value for name, value in known.items() if name not in self.unknown}

    @property
    def said(self) -> dict[str, Any]:
        """What is stated about the text, with the notes."""
        return {**self.stated(), **self.unknown}

    def kept(self) -> dict[str, Any]:
        """Return everything that must not be forgotten while the file waits: what is said, and its corpora."""
        return {**self.said, **({"corpora": self.corpora} if self.corpora else {})}

    def over(self, other: KnownFacts | None) -> KnownFacts:
        """Return these facts with those of ``other`` where nothing is stated here."""
        if other is None:
            return self
        return KnownFacts(**{**other.kept(), **self.kept(), "file": self.file or other.file})


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """Facts about one regulation and who states them."""

    facts: KnownFacts = field(default_factory=KnownFacts)
    by_analyst: frozenset[str] = frozenset()
    """Fields that a person stated in the app (人工); the others come from a manifest or an upload form (清单)."""

    def of_files(self) -> dict[str, Any]:
        """Return what is said of it by others than people in the app."""
        return {name: value for name, value in self.facts.said.items() if name not in self.by_analyst}

    def beside(self, given: KnownFacts | None) -> StatedFacts:
        """Return what still stands when a text comes again: what people stated in the app, and what the newly ``given`` leave open.

        None is a line of a manifest, which says everything about its file: what it leaves out is taken back.
        """
        gone = self.of_files() if given is None else self.of_files().keys() & given.said
        return StatedFacts(KnownFacts(**{n: v for n, v in self.facts.said.items() if n not in gone}), self.by_analyst)

    def over(self, facts: KnownFacts) -> StatedFacts:
        """Return this with ``facts`` where nothing is stated here.

        Raises:
            BadRequestError: together they contradict each other.
        """
        try:
            return StatedFacts(self.facts.over(facts), self.by_analyst)
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise BadRequestError(f"清单与人工填写的信息矛盾（{reason}）。请改正其中一处后重试。") from error


def stated_of(regulation: Regulation) -> StatedFacts:
    """Return what was stated about a regulation, and by whom, from its evidence."""
    found: dict[str, Any] = dict(regulation.notes)
    by_analyst = set()
    for name, value, origin in _statements(regulation):
        found[name] = value
        if origin is Origin.ANALYST:
            by_analyst.add(name)
    for day, by in (("superseded_on", "superseded_by"), ("repealed_on", "repealed_by")):
        if day in found and regulation.validity.ended_by:
            found[by] = regulation.validity.ended_by
    if regulation.url:
        found["url"] = regulation.url
    return StatedFacts(KnownFacts(**found, **_relation_fields(regulation)), frozenset(by_analyst))


def _statements(regulation: Regulation) -> Iterator[tuple[str, Any, Origin]]:
    for evidence in (*regulation.facts, *regulation.validity.evidence):
        if evidence.origin in STATED:
            name = evidence.field or evidence.fact
            yield name, _value(name, evidence), evidence.origin


def _value(name: str, evidence: Evidence) -> Any:
    """Return what a field holds; libraries of an earlier form keep it in the words."""
    value = evidence.value if evidence.field else evidence.words
    if name == "assets":
        return value.split("、") if value else []
    return value


def _relation_fields(regulation: Regulation) -> dict[str, list[str]]:
    """Return the relations that a manifest states, by field."""
    found: dict[str, list[str]] = {}
    names = {kind: name for name, kind in RELATION_FIELDS.items()}
    for relation in regulation.relations:
        if relation.origin is Origin.MANIFEST and relation.kind in names:
            number = f"（{relation.target_number}）" if relation.target_number else ""
            found.setdefault(names[relation.kind], []).append(relation.target_title + number)
    return found


def facts_of(values: Mapping[str, Any], rules: Rules, where: str) -> KnownFacts:
    """Check one set of facts.

    Raises:
        BadRequestError: a value has the wrong form, a code is unknown or two facts contradict each other.
    """
    try:
        facts = KnownFacts(**values)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "各项之间"
        raise BadRequestError(f"{where}：{field} 有误（{first['msg']}）。请改正后重试。") from error
    try:
        rules.check_codes(province=facts.province)
        for asset in facts.assets or ():
            rules.check_codes(asset=asset)
        rules.check_codes(doc_class=facts.doc_class)
    except BadRequestError as error:
        raise BadRequestError(f"{where}：{error.message}", error.tips) from error
    return facts


def read(path: Path, rules: Rules) -> dict[str, KnownFacts]:
    """Read a manifest into facts by file name.

    Raises:
        BadRequestError: the manifest is missing, is no JSONL, states a file twice with different facts, or a line is
            wrong; the message names the line.
    """
    if not path.is_file():
        raise BadRequestError(f"清单不存在：{path}。请检查路径。")
    try:
        lines = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRequestError(f"清单 {path.name} 不是 UTF-8 文本。请另存为 UTF-8 后重试。") from error
    return parsed(lines, rules, f"清单 {path.name}")


def parsed(lines: str, rules: Rules, called: str) -> dict[str, KnownFacts]:
    """Return the facts of the lines of a manifest by file name.

    Raises:
        BadRequestError: as in :func:`read`; the message says ``called`` and the line.
    """
    found: dict[str, KnownFacts] = {}
    for number, line in enumerate(lines.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{called} 第 {number} 行"
        facts = facts_of(_object(line, where), rules, where)
        if not facts.file:
            raise BadRequestError(f"{where}：缺少 file。每行应写明文件名，例如 {SAMPLE}")
        name = Path(facts.file).name
        if found.setdefault(name, facts) != facts:
            raise BadRequestError(f"{where}：文件 {name} 出现两次且内容不一致。请只保留一行。")
    if not found:
        raise BadRequestError(f"{called} 为空。每行一个 JSON 对象，例如 {SAMPLE}")
    return found


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        value = read_json(line)
    except ValueError as error:
        raise BadRequestError(f"{where}：不是 JSON。清单每行应为一个 JSON 对象，例如 {SAMPLE}") from error
    if not isinstance(value, dict):
        raise BadRequestError(f"{where}：不是 JSON 对象。每行例如 {SAMPLE}")
    return value

"""Integrity check of the library: compares everything on disk with the catalogue, and the catalogue with itself (核对).

What could not be compared is counted apart and never passes for sound: a stored quote whose text was replaced since
can no longer be cut again.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sqlalchemy as sa

from nemo.errors import ConfigError, NotFoundError
from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.catalogue.entry import check_vectors, text_hash
from nemo.store.catalogue.rows import RegulationBody, RegulationRow
from nemo.store.catalogue.schema import raw_files
from nemo.store.files.raw import RawFolder
from nemo.store.records import audit, chain
from nemo.store.records.answers import Answers
from nemo.store.records.edges import Edges
from nemo.store.records.proposals import Proposals
from nemo.store.search.approximate import probe
from nemo.store.search.approximate.probe import Examination
from nemo.store.search.indexes import Indexes
from nemo.store.search.number_sets import ChunkNumbers
from nemo.store.search.read_only import ReadOnlyIndexes
from nemo.store.search.view import View
from nemo.types import Answer, Provision, Span

SAMPLE = 200
"""Chunks that must find themselves in the lexical index."""

SHOWN = 5
"""Of many alike only the first few are listed by name."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as the catalogue says, or as it was when it was stored."""

    place: str
    """``catalogue``, ``vectors``, ``sketches``, ``edges``, ``lexical``, ``approximate``, ``raw``, ``answers``, ``audit`` or ``chain``."""
    subject: str
    """Id of what differs."""
    message: str
    """Chinese."""

    def __str__(self) -> str:
        return f"[{self.place}] {self.subject}：{self.message}"


@dataclass(frozen=True)
class Verification:
    """What a verification found."""

    differences: list[Difference] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    """How many of each kind were compared."""
    unchecked: Counter[str] = field(default_factory=Counter)
    """How many could not be compared, by reason in Chinese."""

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        differences = [str(difference) for difference in self.differences]
        counts = {"checked": dict(self.checked), "unchecked": dict(self.unchecked)}
        return {"ok": not differences, "differences": differences, **counts}


@dataclass(frozen=True)
class IntegrityCheck:
    """Looks at one library; nothing may be written meanwhile."""

    catalogue: Catalogue
    raw: RawFolder
    indexes: Indexes
    answers: Answers
    view: View

    def inspect(self) -> Verification:
        """Compare everything."""
        result = Verification()
        parts = {
            "catalogue": self._regulations(result),
            "vectors": self._vectors(result),
            "sketches": self._feature_notes(result),
            "edges": self._edges(result),
            "lexical": self._lexical(result),
            "approximate": self._approximate(result),
            "raw": self._raw_files(result),
            "answers": self._answers(result),
            "audit": self._audit(result),
            "chain": self._chain(result),
        }
        for place, found in parts.items():
            result.differences.extend(Difference(place, subject, message) for subject, message in found)
        return result

    # --- the catalogue with itself

    def _regulations(self, result: Verification) -> Iterator[tuple[str, str]]:
        for row in self.catalogue.rows():
            if row != self.view.by_id.get(row.id):
                yield row.id, "内存中的目录与数据库不一致，请重新启动。"
            try:
                body = self.catalogue.body(row)
                regulation = self.catalogue.regulation(row, body.text)
            except (ConfigError, NotFoundError) as error:
                yield row.id, error.message
                continue
            if text_hash(body.text) != row.text_sha256:
                yield row.id, f"《{row.title}》的文本与入库时的校验值不符。请从备份恢复或重新上传。"
            for wrong in _misplaced(body, row):
                yield row.id, wrong
            if not _nested(regulation.provisions, Span(0, len(body.text))):
                yield row.id, f"《{row.title}》的条文结构与文本不符。请重新上传。"
            if any(not 0 <= p.span.start <= p.span.end <= len(body.text) for p in regulation.pictures):
                yield row.id, f"《{row.title}》的图片位置超出文本。请重新上传。"
            result.checked["片段"] += row.count
            if regulation.pictures:
                result.checked["图片"] += len(regulation.pictures)
            result.checked["法规"] += 1

    def _body(self, row: RegulationRow) -> RegulationBody | None:
        """Return a text, None when it cannot be read: that was reported with the regulation."""
        try:
            return self.catalogue.body(row)
        except (ConfigError, NotFoundError):
            return None

    def _vectors(self, result: Verification) -> Iterator[tuple[str, str]]:
        for first, rows in self.catalogue.vectors():
            row = self.view.row_of(first)
            if row is None:
                continue
            try:
                check_vectors(rows, row.count, self.catalogue.dim)
            except ValueError as error:
                yield row.id, f"《{row.title}》的向量不完整或不是单位向量（{error}）。请重新上传。"
            result.checked["向量"] += len(rows)
        if without := sum(not row.embedded for row in self.view.as_read):
            result.unchecked["未向量化的法规"] += without

    def _feature_notes(self, result: Verification) -> Iterator[tuple[str, str]]:
        for regulation_id, _, count in self.catalogue.feature_note_counts():
            row = self.view.by_id.get(regulation_id)
            if row is None:
                continue
            if count != row.count:
                yield row.id, f"《{row.title}》中供重排用的笔记已损坏或不全。请运行 python -m nemo reindex 重新生成。"
            result.checked["重排笔记"] += row.count

    def _edges(self, result: Verification) -> Iterator[tuple[str, str]]:
        for regulation_id, _, stored, there in Edges(self.catalogue.database).readings():
            if stored != there:
                yield (
                    regulation_id,
                    f"图谱的边应有 {stored} 条，实有 {there} 条。请运行 python -m nemo reindex 重新生成。",
                )
            if there:
                result.checked["图谱的边"] += there
        for regulation_id, proposed in Proposals(self.catalogue.database).by_text():
            row = self.view.by_id.get(regulation_id)
            body = self._body(row) if row else None
            if row is None:
                yield regulation_id, f"有 {len(proposed)} 条候选关系所属的法规不在库内。请从备份恢复。"
            for one in proposed if body else ():
                if body is not None and one.edge.span.of(body.text) != one.words:
                    yield regulation_id, f"候选关系 {one.id} 的依据与原文不一致。请驳回它或从备份恢复。"
                result.checked[f"候选关系（{one.state.value}）"] += 1

    # --- the indexes with the catalogue

    def _lexical(self, result: Verification) -> Iterator[tuple[str, str]]:
        rows = list(self.view.as_read)
        if isinstance(self.indexes, ReadOnlyIndexes):
            gap = self.indexes.gap(self.view)
            if gap.trouble is not None:
                yield "lexical", f"{gap.trouble}。"
                return
            rows = self._followed(rows, gap.touched.tolist(), "字面索引", result)
        held = self.indexes.lexical.numbers()
        yield from self._compared(*self._of(rows, held), result, "字面索引条目")
        for row, index in self._sample(rows):
            body = self._body(row)
            if body is not None and index < len(body.spans) and not self.indexes.lexical.finds(body, index):
                yield body.chunk(index).id, "在字面索引中检索不到。"

    def _approximate(self, result: Verification) -> Iterator[tuple[str, str]]:
        approximate = self.indexes.dense.approximate
        if not approximate.wanted(self.view):
            return
        if isinstance(self.indexes, ReadOnlyIndexes):
            yield from self._looked_at(self.indexes.examination(self.view), result)
            return
        if wrong := approximate.damaged_at_rest():
            yield approximate.name, f"{wrong}已移开并从目录库重建。"
        approximate.catch_up(self.view)
        if approximate.waits:
            result.unchecked["近似向量索引正在建立，或它的服务没有应答"] += 1
            return
        held = approximate.numbers()
        if held is None:
            result.unchecked["近似向量索引未能打开"] += 1
            return
        expected = self.view.numbers(row.id for row in self.view.as_read if row.embedded)
        yield from self._compared(expected, held, result, "近似索引条目")
        lost, asked = approximate.lost(self.view)
        if lost > probe.tolerated(asked):
            yield approximate.name, f"抽查 {asked} 个片段，有 {lost} 个检索不到。"

    def _looked_at(self, found: Examination, result: Verification) -> Iterator[tuple[str, str]]:
        if found.unchecked is not None:
            result.unchecked[found.unchecked] += 1
        if found.wrong is not None:
            yield "approximate", found.wrong
        elif found.numbers is not None:
            rows = [row for row in self.view.as_read if row.embedded]
            rows = self._followed(rows, found.touched, "近似向量索引", result)
            yield from self._compared(*self._of(rows, found.numbers), result, "近似索引条目")

    def _followed(
        self, rows: list[RegulationRow], touched: Sequence[int], kind: str, result: Verification
    ) -> list[RegulationRow]:
        """Return the rows that an index has followed; the others are counted: the owner is still writing them."""
        behind = {row.first for row in rows} & set(touched)
        if behind:
            result.unchecked[f"{kind}尚未跟上的法规"] += len(behind)
        return [row for row in rows if row.first not in behind]

    def _of(self, rows: Sequence[RegulationRow], held: np.ndarray) -> tuple[ChunkNumbers, np.ndarray]:
        """Return the numbers an index must have, and those it has without what it has not followed yet."""
        wanted = self.view.numbers(row.id for row in rows)
        behind = self.view.numbers({row.id for row in self.view.as_read} - {row.id for row in rows}).each()
        return wanted, held[~np.isin(held, behind)]

    def _compared(
        self, wanted: ChunkNumbers, held: np.ndarray, result: Verification, kind: str
    ) -> Iterator[tuple[str, str]]:
        expected = wanted.each()
        unique, counts = np.unique(held, return_counts=True)
        result.checked[kind] += len(expected)
        wrong = {
            "缺少片段": np.setdiff1d(expected, unique),
            "有目录中没有的条目": np.setdiff1d(unique, expected),
            "有重复条目": unique[counts > 1],
        }
        for what, numbers in wrong.items():
            if len(numbers):
                named = [self.view.chunk_id(number) or str(number) for number in numbers[:SHOWN].tolist()]
                yield "、".join(named), f"索引{what}，共 {len(numbers)} 个。"

    def _sample(self, rows: Sequence[RegulationRow]) -> list[tuple[RegulationRow, int]]:
        chance = random.Random(self.view.generation)  # noqa: S311  # a sample
        chosen = chance.sample(list(rows), min(len(rows), SAMPLE))
        return [(row, chance.randrange(row.count)) for row in chosen]

    # --- files, answers, audit

    def _raw_files(self, result: Verification) -> Iterator[tuple[str, str]]:
        with self.catalogue.database.read() as connection:
            rows = connection.execute(sa.select(raw_files.c.sha256, raw_files.c.name)).all()
        recorded = {sha256: name for sha256, name in rows}  # noqa: C416  # typed rows
        for sha256, name in recorded.items():
            try:
                self.raw.read(sha256)
            except (NotFoundError, ConfigError) as error:
                yield sha256, f"{name}：{error.message}"
            result.checked["原始文件"] += 1
        for sha256 in sorted(set(self.raw.names()) - set(recorded)):
            yield sha256, "原始文件夹中有目录没有登记的文件。"

    def _answers(self, result: Verification) -> Iterator[tuple[str, str]]:
        for answer, texts in self.answers.with_texts():
            for message in self._quotes(answer, texts, result):
                yield answer.trace_id, message

    def _quotes(self, answer: Answer, texts: Mapping[str, str], result: Verification) -> Iterator[str]:
        for quote in answer.quotes:
            row = self.view.by_id.get(quote.regulation_id)
            if row is None:
                result.unchecked["引文所属法规已删除或替换"] += 1
                continue
            body = self._body(row)
            if body is None:
                result.unchecked["引文所属法规的存储内容已损坏"] += 1
                continue
            text = body.text
            if all(span.of(text) == words for span, words in quote.slices()):
                result.checked["引文"] += 1
            elif texts.get(row.id) == row.text_sha256:
                yield f"引文与《{row.title}》第 {quote.span.start} 至 {quote.span.end} 字不一致。"
            else:
                result.unchecked["引文所属法规的文本已更新"] += 1

    def _audit(self, result: Verification) -> Iterator[tuple[str, str]]:
        with self.catalogue.database.read() as connection:
            broken = audit.broken_at(connection)
            result.checked["审计记录"] += audit.count(connection)
        if broken is not None:
            yield str(broken), "审计记录的校验链从这一条起断开：记录被改动或删除过。"

    def _chain(self, result: Verification) -> Iterator[tuple[str, str]]:
        key = self.catalogue.database.key
        with self.catalogue.database.read() as connection:
            head = chain.head(connection)
            if head is None:
                result.unchecked["记录链尚未开始"] += 1
                return
            yield from chain.examine(connection, key)
        result.checked["记录链"] += head.number
        if head.keyed and key is None:
            result.unchecked["记录链的签印（没有设置 NEMO_AUDIT_KEY）"] += head.number


def _misplaced(body: RegulationBody, row: RegulationRow) -> Iterator[str]:
    """Yield what is wrong with the places of a text's chunks."""
    starts, ends = body.spans[:, 0], body.spans[:, 1]
    if not len(body.spans) == len(body.labels) == len(body.headings) == row.count:
        yield f"《{row.title}》的片段数与目录不符。请重新上传。"
    elif np.any(starts >= ends) or np.any(ends > len(body.text)) or np.any(starts[1:] <= starts[:-1]):
        yield f"《{row.title}》的片段位置超出文本。请重新上传。"


def _nested(provisions: Sequence[Provision], outer: Span) -> bool:
    """Tell whether provisions lie inside ``outer``, and their children inside them."""
    return all(outer.contains(p.span) and _nested(p.children, p.span) for p in provisions)

"""Plain pictures of what is held, for lists, the command line and the system page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from nemo.errors import NotFoundError
from nemo.lawview.plain import began
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.text.words.numerals import article_key
from nemo.text.words.sentences import trim
from nemo.types import Day, Level, Provision, Regulation, Status, status_of
from nemo.types.plain import picked, plain


@dataclass(frozen=True, slots=True)
class Check:
    """The state of one part."""

    name: str
    ok: bool
    message: str
    code: str = "start"
    """Name of the part for programs."""
    vital: bool = False
    """Without it questions are not answered as they should be; else somebody should look at it."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """How much is held."""

    regulations: int
    articles: int
    chunks: int


FILED: Final = "id title document_number issuer level province doc_class nature file version_date assets"
"""What every view of a held text says of it as it is kept."""
_DAYS: Final = "promulgated first_effective effective_date=effective"


def _filed(held: RegulationRow | Regulation) -> dict[str, Any]:
    """Return what a held text is called, whose it is, where it is filed, and from when it is law."""
    return picked(held, FILED) | picked(held.validity, _DAYS) | began(held.validity)


def row(held: RegulationRow, day: Day) -> dict[str, Any]:
    """Return one line of the list with its status on a day."""
    counted = picked(held, "articles chunks=count parser faults")
    return {**_filed(held), "status": status_of(held, day).value, **counted}


def regulation(held: Regulation, article: str | None, day: Day, ended: str = "") -> dict[str, Any]:
    """Return a regulation, or one article of it, with facts, their evidence and its status on a day.

    ``ended`` says by which text and clause it was repealed, once it is.

    Raises:
        NotFoundError: it has no such article.
    """
    validity = held.validity
    shown = _named(held, article) if article else _units(held)
    over = validity.ends is not None and day >= validity.ends
    proof = "；".join(filter(None, (validity.proof(day), ended if over else "")))
    return {
        **_filed(held),
        "url": held.url,
        **picked(validity, "ends ended_by"),
        "as_of": day.isoformat(),
        "status": status_of(held, day).value,
        "status_evidence": proof or None,
        "evidence": [picked(e, "fact words origin") for e in (*validity.evidence, *held.facts)],
        "relations": [picked(r, "kind title=target_title words") for r in held.relations],
        "faults": [picked(f, "code message") for f in held.faults],
        "notes": dict(held.notes),
        "provisions": [_provision(held, p, day, ended if over else "") for p in shown],
    }


def _provision(held: Regulation, provision: Provision, day: Day, ended: str) -> dict[str, Any]:
    span = trim(held.text, provision.span)
    return {
        **picked(provision, "level label"),
        "path": provision.path(),
        "heading": provision.heading,
        **span._asdict(),
        "page_numbers": list(held.page_numbers(span)),
        "status": status_of(held, day, provision.label).value,
        "effective_date": plain(held.validity.start_of(provision.label)),
        "status_evidence": "；".join(filter(None, (held.validity.proof(day, provision.label), ended))) or None,
        "text": span.of(held.text),
    }


def _units(held: Regulation) -> list[Provision]:
    """Return what a reader reads one after the other: articles, top entries of an outline, preambles and annexes."""
    out: list[Provision] = []

    def visit(provisions: Sequence[Provision]) -> None:
        for provision in provisions:
            holds_articles = (
                any(c.level is Level.ARTICLE for c in provision.walk()) and provision.level is not Level.ARTICLE
            )
            if holds_articles:
                visit(provision.children)
            else:
                out.append(provision)

    visit(held.provisions)
    return out


def _named(held: Regulation, article: str) -> list[Provision]:
    """Find a provision by its label, its number or its path."""
    key = article_key(article)
    for provision in held.walk():
        if article in (provision.label, provision.path(), provision.number):
            return [provision]
        if provision.level is Level.ARTICLE and provision.label == key:
            return [provision]
    raise NotFoundError(f"《{held.title}》中没有“{article}”。请核对条款号，或不带 --article 查看全文。")


def undated(rows: Sequence[RegulationRow], day: Day) -> list[RegulationRow]:
    """Return the versions whose start is inferred, or unknown though amended (施行日期待核), the doubtful ones of ``day`` first.

    The decision that amended them (修改决定) states it; once that is held they leave the list.
    """
    open_ = [r for r in rows if r.validity.derived or (r.validity.amended and r.validity.effective is None)]
    newest = sorted(open_, key=lambda r: (r.version_date or Day.min, r.title), reverse=True)
    return sorted(newest, key=lambda r: r.validity.on(day) is not Status.UNKNOWN)


def health(library: Library, embedder: str, reranker: str, stages: Sequence[tuple[bool, str]] = ()) -> list[Check]:
    """Return the state of every part that answers depend on; ``stages`` are those of ranking behind the built-in one."""
    rows = library.rows()
    waiting = library.unembedded()
    lacks = f"；{len(waiting)} 部尚无向量，请重建索引" if waiting else ""
    failed = library.failure_queue.all()
    checks = [
        Check("目录库", True, f"{len(rows)} 部法规，第 {library.generation} 次变更", "catalogue", True),
        Check("向量", not waiting, f"模型 {embedder}" + lacks, "vectors", True),
        Check("重排", True, f"模型 {reranker}", "reranker", True),
        *(Check("重排阶段", ok, words, "rerank_stage") for ok, words in stages),
        Check("失败文件", not failed, f"{len(failed)} 个待处理" if failed else "没有待处理的文件", "failures"),
    ]
    checks += [Check("留存", False, shortfall) for shortfall in library.shortfalls]
    checks += [Check("启动检查", False, event.message) for event in library.events]
    return checks

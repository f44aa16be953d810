"""Official papers as they come (公文原件): what reading, facts, answers and refusals reach on ``shared/official``.

    python -m benchmarks.papers --shared ../shared [--library LIB] [--answers A.jsonl] [--peer P.jsonl] [--json]

The files are staged under neutral names, so that no name gives a fact away, and put into a copy of a library that holds
the statutes and the older normative set; ``--library`` takes one that is built already. The figures of facts, kept text
and answers are those of ``score_official.py``; this file adds the share of furniture in the stored texts, and runs the
peer (BM25 over jieba words). ``--reading`` measures reading alone, in seconds: nothing is stored or asked.

Furniture is counted line by line against the faithful text. A stored line is furniture when it is one of the lines that
browsers and sites print around a text by its shape: an address, an hour, a site's register number, a page number, or a
menu; the shapes below are written for this measure and are not those that the reader uses.
"""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FURNITURE = re.compile(
    r"https?://\S+|\d{4}/\d{1,2}/\d{1,2}\s+\d{1,2}:\d{2}|ICP\s*备|公网安备|网站标识码|网站地图|设为首页|工作邮箱|请输入关键|扫一扫在手机|"
    r"^\s*(?:[—–-]+\s*\d{1,3}\s*[—–-]+|第\s*\d+\s*/\s*\d+\s*页|\d+\s*/\s*\d+)\s*$|排行榜|热门搜索|版权所有|^\s*(?:首页|打印|关闭|微信|微博|互动)\s*$"
)
_SHINGLE = 8
_LEAST = 24


@dataclass(frozen=True)
class Reading:
    """What one file gave."""

    name: str
    seconds: float
    kept: float | None
    """Share of the faithful text's shingles in the stored text and what was taken out and shown; None without a text layer."""
    furniture: float
    """Share of the stored characters in lines of furniture."""
    error: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 0 unless something could not be run."""
    options = _options(arguments)
    shared = Path(options.shared).resolve()
    report: dict[str, Any] = {}
    if options.reading:
        report["reading"] = _reading(shared / "official", options.ocr)
    else:
        with tempfile.TemporaryDirectory(prefix="nemo-papers-") as scratch:
            report |= _whole(shared, Path(scratch), options)
    print(json.dumps(report, ensure_ascii=False, indent=1) if options.json else _printed(report))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", default="../shared")
    parser.add_argument("--base", help="library with the statutes and the older normative set; copied, never changed")
    parser.add_argument("--library", help="library that already holds the papers under neutral names")
    parser.add_argument("--reading", action="store_true", help="read the files only: kept, furniture, seconds")
    parser.add_argument("--ocr", action="store_true", help="with --reading: read scans too")
    parser.add_argument("--peer", action="store_true", help="run BM25 + jieba beside it")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(arguments)


def _whole(shared: Path, scratch: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Build or take a library, ask every question, score."""
    official, nemo = shared / "official", f"{shlex.quote(sys.executable)} -m nemo"
    library = Path(options.library) if options.library else _built(official, scratch, options.base)
    score = [sys.executable, str(official / "score_official.py")]
    questions, answers = scratch / "questions.jsonl", scratch / "answers.jsonl"
    questions.write_text(_run([*score, "--questions"]), encoding="utf-8")
    _run([sys.executable, "-m", "nemo", "batch", str(questions), "-o", str(answers), "--library", str(library)])
    report: dict[str, Any] = {
        "facts": _run([*score, "--library", str(library), "--nemo", nemo, "--list"]),
        "answers": json.loads(_run([*score, str(answers), "--json"])),
        "furniture": _furniture_stored(library),
        "misses": _misses(official, answers),
    }
    if options.peer:
        found = scratch / "peer.jsonl"
        _run([sys.executable, str(official / "peer_bm25.py"), str(questions), str(found)])
        report["peer"] = json.loads(_run([*score, str(found), "--json"]))
    return report


def _misses(official: Path, answers: Path) -> dict[str, str]:
    """Return for each question that is not wholly right what went wrong first on its way, by its id."""
    sys.path.insert(0, str(official))
    import score_official  # type: ignore[import-not-found]  # what counts as right

    held = {answer["id"]: answer for answer in map(json.loads, answers.read_text(encoding="utf-8").splitlines())}
    found = {}
    for question in score_official.load(official / "golden.jsonl"):
        answer = held.get(question["id"], {"refused": True})
        result = score_official.per(question, answer)
        if result["mq"] < 1:
            found[question["id"]] = f"{_cause(result, answer)}  {question['question']}"
    for question in score_official.load(official / "unanswerable.jsonl"):
        answer = held.get(question["id"], {"refused": True})
        if not answer.get("refused"):
            titles = "、".join(dict.fromkeys(cited["title"] for cited in answer["citations"]))
            found[question["id"]] = f"answered from {titles}  {question['question']}"
    return found


def _cause(result: dict[str, Any], answer: dict[str, Any]) -> str:
    if result["refused"]:
        return f"refused: {(answer.get('refusal') or {}).get('reason', 'no answer')}"
    if not result["h5"]:
        return (
            "another provision of the right text"
            if result["doc1"]
            else "another text comes first, the right place is not found"
        )
    if not result["h1"]:
        return "the right place is found behind another"
    return (
        "the right place, but another sentence is quoted" if not result["mq"] else "one of several parts is not quoted"
    )


def _built(official: Path, scratch: Path, base: str | None) -> Path:
    library, staged = scratch / "library", scratch / "papers"
    if base:
        shutil.copytree(base, library, ignore=shutil.ignore_patterns("*.lock"))
    _run([sys.executable, str(official / "score_official.py"), "--stage", str(staged)])
    # the blank file and the pages without a body are refused, as they must be: the exit code says so
    _run([sys.executable, "-m", "nemo", "ingest", str(staged), "--library", str(library), "--json"], refusals=True)
    return library


def _run(command: Sequence[str], *, refusals: bool = False) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and not refusals:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def _furniture_stored(library: Path) -> dict[str, float]:
    """Share of furniture in every stored paper and in all of them together."""
    listed = json.loads(_run([sys.executable, "-m", "nemo", "list", "--library", str(library), "--json"]))
    rows = listed if isinstance(listed, list) else next(v for v in listed.values() if isinstance(v, list))
    texts: dict[str, str] = {}
    for row in rows:
        name = Path(str(row.get("file", ""))).name
        if re.match(r"o-\d\d", name) and name not in texts:
            shown = json.loads(
                _run([sys.executable, "-m", "nemo", "show", str(row["id"]), "--library", str(library), "--json"])
            )
            texts[name] = str(shown.get("text", ""))
    shares = {name: furniture_share(text) for name, text in sorted(texts.items())}
    size = sum(map(len, texts.values()))
    whole = sum(shares[name] * len(text) for name, text in texts.items()) / size if size else 0.0
    return {"all": round(whole, 4)} | {name: round(share, 4) for name, share in shares.items() if share > 0}


def furniture_share(text: str) -> float:
    """Return the share of a text's characters that stand in lines of furniture, 0 to 1."""
    lines = [line for line in text.split("\n") if line.strip()]
    size = sum(map(len, lines))
    return sum(len(line) for line in lines if FURNITURE.search(line) and "。" not in line) / size if size else 0.0


def _reading(official: Path, ocr: bool) -> dict[str, Any]:
    sys.path.insert(0, str(official))
    import score_official  # type: ignore[import-not-found]  # the measure's own normalisation

    facts = [json.loads(line) for line in (official / "manifest.jsonl").read_text(encoding="utf-8").splitlines()]
    read = [_one(official, fact, score_official.norm) for fact in facts if ocr or fact["has_text_layer"] == "yes"]
    kept = [each.kept for each in read if each.kept is not None]
    seconds = sorted(each.seconds for each in read)
    return {
        "files": len(read),
        "kept_mean": round(sum(kept) / len(kept), 4),
        "kept_least": {
            e.name: round(e.kept, 3) for e in sorted(read, key=lambda e: e.kept or 1)[:8] if e.kept is not None
        },
        "furniture_mean": round(sum(each.furniture for each in read) / len(read), 4),
        "furniture": {each.name: round(each.furniture, 4) for each in read if each.furniture > 0},
        "seconds_median": round(seconds[len(seconds) // 2], 3),
        "seconds_most": round(seconds[-1], 2),
        "refused": {each.name: each.error for each in read if each.error},
    }


def _one(official: Path, fact: dict[str, Any], norm: Any) -> Reading:
    from nemo.errors import NemoError
    from nemo.parse import parse
    from nemo.settings import Settings
    from nemo.types import RawDocument

    path = official / fact["file"]
    began = time.perf_counter()
    try:
        parsed = parse(RawDocument.of(path.read_bytes(), fact["id"] + path.suffix), Settings())
    except NemoError as error:
        return Reading(fact["id"], time.perf_counter() - began, None, 0.0, str(error)[:60])
    seconds = time.perf_counter() - began
    held = norm(parsed.text + "".join(parsed.removed) + "".join(parsed.margin))
    wanted: set[str] = set()
    for line in (official / fact["text"]).read_text(encoding="utf-8").split("\n"):
        bare = norm(line)
        if len(bare) >= _LEAST:
            wanted |= {bare[i : i + _SHINGLE] for i in range(len(bare) - _SHINGLE + 1)}
    layer = fact["has_text_layer"] != "no" and wanted
    kept = sum(1 for each in wanted if each in held) / len(wanted) if layer else None
    return Reading(fact["id"], seconds, kept, furniture_share(parsed.text))


def _printed(report: dict[str, Any]) -> str:
    lines: list[str] = []
    for part, figures in report.items():
        lines.append(f"== {part}")
        if isinstance(figures, str):
            lines.append(figures.rstrip())
        elif part in ("answers", "peer"):
            lines += [f"{name:42s} {row}" for name, row in ({"all": figures["all"]} | figures["by"]).items()]
            lines += [
                f"refusal {figures['refusal']} {figures['refusal_by_kind']}",
                f"calibration {figures['calibration']}",
            ]
        else:
            lines += [f"{name:18s} {value}" for name, value in figures.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())

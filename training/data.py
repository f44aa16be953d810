"""What the models are made from: every file by its hash, so that a figure can be traced to its data (数据清单)."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from nemo.train.questions import LabelledQuestion

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_name("data.sha256")

OWN = ("questions*.jsonl", "answers_*.jsonl", "papers/*.txt", "refusals.jsonl", "wordings.tsv")
"""Files of ``data/training``."""
TEXTS = ("corpus", "normative/corpus")
"""Folders of the shared data whose texts are learned from, each with its manifest."""
EMBEDDER = "models/static-zh-256"
"""The embedder's table, which is given: its card says how it was made."""
TABLE_ONLY = ("questions_spoken.jsonl",)
"""Questions that only the table learns: trees gained nothing from them."""
JUDGED = ("golden/golden.jsonl", "golden/golden_extra.jsonl", "normative/golden_normative.jsonl")
"""Development questions: no table learns a question on a provision that they ask for."""


def hashes(shared: Path) -> dict[str, str]:
    """Return the SHA-256 of everything that is learned from or measured on; a folder of texts has one for all of it."""
    own = sorted(p for pattern in OWN for p in (ROOT / "data" / "training").glob(pattern))
    out = {p.relative_to(ROOT).as_posix(): digest([p]) for p in own}
    out |= {f"shared/{name}": digest([shared / name]) for name in JUDGED}
    folders = (*TEXTS, EMBEDDER)
    return out | {
        f"shared/{name}/": digest(sorted(p for p in (shared / name).iterdir() if p.is_file())) for name in folders
    }


def run_of(found: dict[str, str], recipe: str) -> str:
    """Return the name of a build's folder: what was made from the same data by the same recipe is not made twice."""
    return hashlib.sha256(json.dumps([found, recipe]).encode()).hexdigest()[:12]


def digest(files: Iterable[Path]) -> str:
    """Return the hash of the hashes of some files."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def listed() -> dict[str, str]:
    """Return the hashes as they were written down."""
    return {name: mark for mark, name in (line.split("  ", 1) for line in LIST.read_text("utf-8").splitlines())}


def write(found: dict[str, str]) -> None:
    """Write the list anew."""
    LIST.write_text("".join(f"{mark}  {name}\n" for name, mark in found.items()), "utf-8")


def differences(found: dict[str, str], stated: dict[str, str]) -> Iterator[str]:
    """Yield what is not as the list says."""
    for name in sorted(found.keys() | stated.keys()):
        if found.get(name) != stated.get(name):
            what = "is not listed" if name not in stated else "is missing" if name not in found else "was changed"
            yield f"{name} {what}"


def questions() -> list[Path]:
    """Return every file of questions: for provisions, and without an answer."""
    own = ROOT / "data" / "training"
    return [*sorted(own.glob("questions*.jsonl")), own / "refusals.jsonl"]


def wordings() -> list[str]:
    """Return how people of the field word what they ask: questions that a provision answers, and pairs of wording."""
    own = ROOT / "data" / "training"
    lines = [line for path in sorted(own.glob("questions*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    pairs = [line.split("\t")[:2] for line in (own / "wordings.tsv").read_text("utf-8").splitlines()]
    return [json.loads(line)["question"] for line in lines] + [words for pair in pairs for words in pair]


def said(labelled: Iterable[LabelledQuestion]) -> list[str]:
    """Return the pairs of wording, and the questions on each regulation as one text: its own words are no common ones."""
    own: dict[str, list[str]] = defaultdict(list)
    for each in labelled:
        own[each.group].append(each.question)
    pairs = (ROOT / "data" / "training" / "wordings.tsv").read_text("utf-8").splitlines()
    return [*pairs, *("\n".join(asked) for _, asked in sorted(own.items()))]

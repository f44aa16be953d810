"""The same question, the same texts, the same answer: ``make same``.

Asks every development question under several kinds of processor, with one thread and with two, of libraries filled in
two orders, and counts what differs from the first run. 0 of everything is expected; anything else ends with status 1.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed import ROOT

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")

CORES = ("Haswell", "SkylakeX", "Zen", "Prescott")
"""Kinds of processor that OpenBLAS can be told to take this one for. One that it does not know is passed over silently,
and then the run repeats another; at least Haswell, SkylakeX and Prescott differ in how they add."""

QUESTIONS = (
    "golden/golden.jsonl", "golden/golden_extra.jsonl", "golden/unanswerable.jsonl", "golden/adversarial.jsonl",
    "forms/forms.jsonl", "normative/golden_normative.jsonl", "normative/unanswerable_normative.jsonl",
)  # fmt: skip

PASSING = ("elapsed_ms", "trace_id", "retrieved_at")
"""What no two answers share, even one after the other."""

BATCH = 10
"""Files of a batch where the order is mixed."""

Environment = Mapping[str, str]
Answers = list[dict[str, Any]]


def processors(cores: Sequence[str] = CORES) -> dict[str, Environment]:
    """Return the environment of each kind of run, by name; the first is this machine as it is."""
    few = {"NPY_DISABLE_CPU_FEATURES": " ".join(dispatched())} if dispatched() else {}
    plain = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX512VL", **few}
    made: dict[str, Environment] = {"as it is": {}}
    for number, core in enumerate(cores):
        threads = 1 + number % 2
        made[f"{core}, {threads} thread"] = {"OPENBLAS_CORETYPE": core, **dict.fromkeys(THREADS, str(threads))}
    made["numpy without vector units"] = plain | {"OPENBLAS_CORETYPE": "Prescott"}
    return made


def dispatched() -> list[str]:
    """Return the vector units that numpy would use here beyond those it was built for."""
    from numpy._core import _multiarray_umath as units

    return [name for name in units.__cpu_dispatch__ if units.__cpu_features__.get(name)]


def ask(library: Path, questions: Path, environment: Environment) -> Answers:
    """Return what a process of its own answers to a file of questions.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    command = [sys.executable, "-m", "nemo", "batch", str(questions), "--library", str(library)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, check=True, text=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def differences(first: Answers, other: Answers) -> tuple[list[str], list[str]]:
    """Return the ids of the questions whose answers differ, and of those with other confidences (to 4 digits)."""
    pairs = list(zip(first, other, strict=True))
    answers = [a["id"] for a, b in pairs if _said(a) != _said(b)]
    return answers, [a["id"] for a, b in pairs if a.get("confidence") != b.get("confidence")]


def _said(part: Any) -> Any:
    """Return an answer without what is of the moment, and without its confidences."""
    if isinstance(part, dict):
        return {k: _said(v) for k, v in part.items() if k not in (*PASSING, "confidence")}
    return [_said(each) for each in part] if isinstance(part, list) else part


def fill(library: Path, parts: Iterable[Path], mixed: bool) -> Path:
    """Fill a new library from folders with a manifest: by name, or in batches of mixed files, some of them twice.

    Args:
        library: Where.
        parts: The folders.
        mixed: Batches come in an order of chance, and what the first one brought is removed and stored again at the end.
    """
    from nemo import settings
    from nemo.engine import Engine

    chance = random.Random(1)
    with Engine.open(settings.load(library=library)) as engine:

        def ingest(part: Path, files: Sequence[Path]) -> None:
            manifest = part / "manifest.jsonl"
            engine.intake.ingest(files, manifest=manifest if manifest.exists() else None)

        batches = [(part, files) for part in parts for files in _batches(part, chance if mixed else None)]
        if mixed:
            chance.shuffle(batches)
        for part, files in batches:
            ingest(part, files)
        if mixed:
            part, files = batches[0]
            again = {file.name for file in files}
            for row in engine.regulations():
                if row.file in again:
                    engine.intake.remove(row.id)
            ingest(part, files)
    return library


def _batches(part: Path, chance: random.Random | None) -> list[list[Path]]:
    """Return the files of a folder: all of them by name, or mixed in batches."""
    files = sorted(p for p in part.iterdir() if p.is_file() and p.name not in ("manifest.jsonl", "README.md"))
    if chance is None:
        return [files]
    chance.shuffle(files)
    return [files[at : at + BATCH] for at in range(0, len(files), BATCH)]


def compare(libraries: Sequence[Path], questions: Path, runs: Mapping[str, Environment]) -> int:
    """Print what differs from the first run on the first library, and return how much."""
    first: Answers | None = None
    wrong = 0
    for at, library in enumerate(libraries):
        for name, environment in list(runs.items())[: None if at == 0 else 1]:
            began = time.monotonic()
            found = ask(library, questions, environment)
            first = found if first is None else first
            answers, confidences = differences(first, found)
            wrong += len(answers) + len(confidences)
            print(
                f"{library.name}, {name}: {len(found)} questions, {len(answers)} answers and {len(confidences)}"
                f" confidences differ {answers[:5] or confidences[:5] or ''} ({time.monotonic() - began:.0f} s)",
                flush=True,
            )
    return wrong


def development(shared: Path, target: Path) -> Path:
    """Write every development question into one file."""
    texts = [(shared / name).read_text("utf-8") for name in QUESTIONS if (shared / name).exists()]
    score = shared / "official" / "score_official.py"
    if score.exists():
        texts.append(subprocess.run([sys.executable, score, "--questions"], stdout=-1, check=True, text=True).stdout)
    rows = [json.loads(line) for text in texts for line in text.splitlines() if line.strip()]
    target.write_text("".join(json.dumps({**r, "id": f"{i}-{r.get('id')}"}) + "\n" for i, r in enumerate(rows)))
    return target


def samples(target: Path, every: int) -> Path:
    """Write some of the questions on the sample texts that ship into one file."""
    names = ("golden", "unanswerable", "adversarial")
    lines = [li for n in names for li in (ROOT / "data" / "golden" / f"{n}.jsonl").read_text("utf-8").splitlines()]
    target.write_text("".join(f"{line}\n" for line in lines[::every]), "utf-8")
    return target


def main() -> None:
    """Ask, compare, and end with the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "libraries", nargs="*", type=Path, help="the same texts in several orders; none: two are filled"
    )
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--work", type=Path, help="where libraries are filled; by default a folder that goes again")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        work = wanted.work or Path(passing)
        libraries = wanted.libraries
        if not libraries:
            parts = [wanted.shared / "corpus", wanted.shared / "normative" / "corpus"]
            if (score := wanted.shared / "official" / "score_official.py").exists():
                subprocess.run([sys.executable, score, "--stage", work / "staged"], stdout=-1, check=True)
                parts.append(work / "staged")
            libraries = [fill(work / name, parts, name == "mixed") for name in ("ordered", "mixed")]
        wrong = compare(libraries, development(wanted.shared, Path(passing) / "questions.jsonl"), processors())
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()

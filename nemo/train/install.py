"""Puts a trained model into the library's own folder, or takes it away; what ships is never touched (安装与撤销)."""

import datetime as dt
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from nemo.embed import builtin
from nemo.errors import ConfigError
from nemo.rerank import features
from nemo.rerank.domain import MODEL as RANKER
from nemo.rerank.verdict import Calibration, Logistic
from nemo.settings import Settings
from nemo.train import trees
from nemo.train.figures import TrainingComparison
from nemo.train.ranker import Trained

EMBEDDER = builtin.MODEL


@dataclass(frozen=True, slots=True)
class TrainingOrigin:
    """What a model was trained on, for its card."""

    files: tuple[str, ...]
    questions: int
    regulations: int
    seed: int
    day: dt.date


def ranker(settings: Settings, trained: Trained, origin: TrainingOrigin) -> Path:
    """Install a ranker for this library and return its folder.

    Raises:
        ConfigError: the disk refuses; what was there before stays.
    """
    shipped = settings.models / RANKER
    with _model_folder(settings.own_models, RANKER) as folder:
        shutil.copytree(shipped, folder, ignore=shutil.ignore_patterns("*.onnx", "model.json", "README.md"))
        trees.write(shipped / "trees.onnx", trained.grown, folder / "trees.onnx")
        card = json.loads((shipped / "model.json").read_text("utf-8"))
        card["verdict"] = as_json(trained.verdict)
        if trained.grown.rounds:
            card["features"] = list(features.names())
        card["trained"] = _origin(origin, trained.comparison) | {"trees_added": trained.grown.rounds}
        write_card(folder, card)
        _write_readme(folder, f"{RANKER}：在本库问题上续训的重排模型", origin, trained.comparison)
    return settings.own_models / RANKER


def embedder(settings: Settings, table: np.ndarray, comparison: TrainingComparison, origin: TrainingOrigin) -> Path:
    """Install a table for this library under a name of its own and return its folder. The library must be embedded anew.

    Raises:
        ConfigError: the disk refuses; what was there before stays.
    """
    terms = (settings.models / EMBEDDER / "vocabulary.txt").read_text("utf-8").splitlines()
    with _model_folder(settings.own_models, EMBEDDER) as folder:
        probe = builtin.write(folder, terms, table)
        with np.load(folder / "table.npz", allow_pickle=False) as files:
            mark = hashlib.sha256(files["weights"].tobytes() + files["scale"].tobytes()).hexdigest()[:8]
        card = {"name": f"{EMBEDDER}+{mark}", "probe": probe, "trained": _origin(origin, comparison)}
        write_card(folder, card)
        _write_readme(folder, f"{card['name']}：在本库问题上调优的向量模型", origin, comparison)
    return settings.own_models / EMBEDDER


def installed(settings: Settings) -> list[str]:
    """Return the names of the models that this library has of its own."""
    return [name for name in (RANKER, EMBEDDER) if (settings.own_models / name).is_dir()]


def reset(settings: Settings) -> list[str]:
    """Remove the library's own models and return which there were; those that ship serve from the next start."""
    names = installed(settings)
    try:
        for name in names:
            shutil.rmtree(settings.own_models / name)
    except OSError as error:
        raise ConfigError(f"无法删除 {settings.own_models}：{error}。请检查权限后重试。") from error
    return names


def as_json(verdict: Calibration) -> dict[str, Any]:
    """Return a judgement as a model card holds it."""
    parts = {part.name: getattr(verdict, part.name) for part in fields(verdict)}
    odds = {n: v for n, v in parts.items() if isinstance(v, Logistic)}
    return parts | {name: {"weights": found.weights.tolist(), "bias": found.bias} for name, found in odds.items()}


def write_card(folder: Path, card: Mapping[str, Any]) -> None:
    """Write the card of a model beside its files."""
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _origin(origin: TrainingOrigin, comparison: TrainingComparison) -> dict[str, Any]:
    return {
        "day": origin.day.isoformat(),
        "files": list(origin.files),
        "questions": origin.questions,
        "regulations": origin.regulations,
        "seed": origin.seed,
        "measured": comparison.questions,
        "before": dict(comparison.before),
        "after": dict(comparison.after),
    }


def _write_readme(folder: Path, title: str, origin: TrainingOrigin, comparison: TrainingComparison) -> None:
    lines = [
        f"# {title}",
        "",
        f"{origin.day} 由 `python -m nemo train` 训练；{origin.questions} 个问题（{'、'.join(origin.files) or '复核与评价'}），"
        f"{origin.regulations} 部法规，随机种子 {origin.seed}。",
        "数字来自交叉检验：每个问题都由没有见过其所引法规任何问题的模型作答。撤销：`python -m nemo train --reset`。",
        "",
        *comparison.lines(),
    ]
    (folder / "README.md").write_text("\n".join(lines) + "\n", "utf-8")


@contextmanager
def _model_folder(parent: Path, name: str) -> Iterator[Path]:
    """Yield a folder that takes its name only when it is complete, in place of the one that had it."""
    target, new, old = parent / name, parent / f".{name}.new", parent / f".{name}.old"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(new, ignore_errors=True)
        yield new
        shutil.rmtree(old, ignore_errors=True)
        if target.is_dir():
            target.rename(old)
        new.rename(target)
    except OSError as error:
        raise ConfigError(f"无法写入模型文件夹 {target}：{error}。请检查磁盘空间与权限后重试。") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)

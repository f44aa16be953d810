"""Models for tests: tiny real ones in the real file formats, and a stand-in library that fails on command.

The real ones are written by a child process (``python -m tests.tiny_models FOLDER``), so that the process that runs
the tests never imports torch. Their weights are random: they show that files, processes and shapes fit together.
"""

import atexit
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from filelock import FileLock

PROJECT = Path(__file__).resolve().parent.parent
CHARACTERS = (
    "并网光伏风电煤接入系统验收备案核准许可电站项目应当提交材料办法规定条款年月日的与和在由可不得。，？0123456789"
)

STAND_IN = '''
"""Stands in for the library: no torch, starts at once, and does what the text tells it to."""
import os, pathlib, sys, time
import numpy as np

class _Model:
    device = "cpu"
    def __init__(self, folder, **_):
        print("stray words on the standard output")
        if "BAD" in (pathlib.Path(folder) / "config.json").read_text():
            raise ValueError("weights do not fit\\nsecond line")
        if "DEAD" in (pathlib.Path(folder) / "config.json").read_text():
            print("Fatal: no such instruction", file=sys.stderr, flush=True)
            os._exit(132)
        self.folder = pathlib.Path(folder)
    def _obey(self, text):
        print("more stray words")
        flag = self.folder / "crashed-once"
        if "崩溃一次" in text and not flag.exists():
            flag.touch()
            os._exit(139)
        if "总是崩溃" in text:
            print("Killed", file=sys.stderr, flush=True)
            os._exit(137)
        if "慢" in text:
            time.sleep(0.3)
        if "卡死" in text:
            time.sleep(3600)
        if "坏" in text:
            raise RuntimeError("cannot read this")

class SentenceTransformer(_Model):
    def encode(self, texts, **_):
        for text in texts: self._obey(text)
        rows = np.array([[len(t), sum(map(ord, t)) % 97 + 1, ord(t[0]) % 89] for t in texts], dtype=np.float32)
        rows[[i for i, t in enumerate(texts) if "无向" in t]] = 0
        rows[[i for i, t in enumerate(texts) if "非数" in t]] = np.nan
        return rows

class CrossEncoder(_Model):
    def predict(self, pairs, **_):
        for pair in pairs: self._obey(pair[1])
        if "PAIR" in (self.folder / "config.json").read_text():
            return np.zeros((len(pairs), 2), dtype=np.float32)
        return np.array([len(set(a) & set(b)) / 10 for a, b in pairs], dtype=np.float32)
'''


def stand_in(folder: Path, config: str = "{}") -> Path:
    """Write the stand-in library and a model folder for it; return the model folder.

    The library is used by a process whose ``PYTHONPATH`` holds ``folder / "library"``.
    """
    (folder / "library").mkdir(exist_ok=True)
    (folder / "library" / "sentence_transformers.py").write_text(STAND_IN, encoding="utf-8")
    model = folder / "stand-in"
    model.mkdir(exist_ok=True)
    (model / "config.json").write_text(config, encoding="utf-8")
    return model


@functools.cache
def real() -> Path:
    """Return a folder with ``embedder`` and ``ranker``, written once per test run in a child process (about 10 s)."""
    folder = shared_folder()
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="nemo-models-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "HF_HUB_OFFLINE": "1", "TQDM_DISABLE": "1"}
    with FileLock(f"{folder}.lock"):
        if not (folder / "ranker").is_dir():
            command = [sys.executable, "-m", "tests.tiny_models", str(folder)]
            subprocess.run(command, check=True, env=environment, timeout=600)
    return folder


def shared_folder() -> Path | None:
    """Return where the workers of one test run have the models in common; None where one process runs the tests."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    return Path(tempfile.gettempdir()) / f"nemo-models-{run}" if run else None


def _write(folder: Path) -> None:
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

    torch.manual_seed(7)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(CHARACTERS)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=64)
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    config = BertConfig(vocab_size=len(words), max_position_embeddings=64, **shape)
    plain = folder / "plain"
    BertModel(config).save_pretrained(plain)
    tokenizer.save_pretrained(plain)
    body = Transformer(str(plain))
    SentenceTransformer(modules=[body, Pooling(32, pooling_mode="mean")]).save(str(folder / "embedder"))
    config.num_labels = 1
    BertForSequenceClassification(config).save_pretrained(folder / "ranker")
    tokenizer.save_pretrained(folder / "ranker")


if __name__ == "__main__":
    _write(Path(sys.argv[1]))

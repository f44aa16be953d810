"""Models for tests: tiny real ones in the real file formats, and a stand-in library that fails on command.

The real ones have the sizes of a toy and weights of chance: they show that files, processes and shapes fit together.
They are written without torch, which takes longer to load than all that is done with them.
"""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

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


WIDTH, LAYERS, INNER, LONGEST = 32, 2, 64, 512


def embedder(home: Path) -> Path:
    """Write a model whose vectors are the means of those of a text's words; return its folder."""
    modules = [("", "Transformer"), ("1_Pooling", "Pooling")]
    _write(home, {"architectures": ["BertModel"]}, "", {})
    _say(
        home / "modules.json",
        [
            {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
            for n, (path, kind) in enumerate(modules)
        ],
    )
    _say(home / "1_Pooling" / "config.json", {"word_embedding_dimension": WIDTH, "pooling_mode_mean_tokens": True})
    return home


def ranker(home: Path) -> Path:
    """Write a model that gives a pair of texts one number; return its folder."""
    told = {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "LABEL_0"}}
    _write(home, told, "bert.", {"classifier": (1, WIDTH)})
    return home


def _write(home: Path, told: dict[str, object], prefix: str, head: dict[str, tuple[int, int]]) -> None:
    """Write what every BERT has: its shape, its words, and its layers; ``head`` stands on top of them."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(CHARACTERS)]
    shape = {
        "model_type": "bert", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": 2,
        "intermediate_size": INNER, "vocab_size": len(words), "max_position_embeddings": LONGEST,
    }  # fmt: skip
    _say(home / "config.json", shape | told)
    _say(home / "tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "model_max_length": 64})
    (home / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    tables = {"word": len(words), "position": LONGEST, "token_type": 2}
    dense = {"pooler.dense": (WIDTH, WIDTH)}
    for layer in (f"encoder.layer.{n}." for n in range(LAYERS)):
        for name in ("self.query", "self.key", "self.value", "output.dense"):
            dense[f"{layer}attention.{name}"] = (WIDTH, WIDTH)
        dense |= {f"{layer}intermediate.dense": (INNER, WIDTH), f"{layer}output.dense": (WIDTH, INNER)}
    outputs = [name.removesuffix("dense") for name in dense if name.endswith("output.dense")]
    chance = np.random.default_rng(7)
    made = {f"embeddings.{name}_embeddings.weight": _chance(chance, (rows, WIDTH)) for name, rows in tables.items()}
    for name in ("embeddings.", *outputs):
        made |= {f"{name}LayerNorm.weight": np.ones(WIDTH, "f4"), f"{name}LayerNorm.bias": np.zeros(WIDTH, "f4")}
    made = {prefix + name: table for name, table in made.items()}
    for name, size in {**{prefix + name: size for name, size in dense.items()}, **head}.items():
        made |= {f"{name}.weight": _chance(chance, size), f"{name}.bias": np.zeros(size[0], "f4")}
    save_file(made, home / "model.safetensors", {"format": "pt"})


def _chance(chance: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    return (chance.standard_normal(size) * 0.02).astype(np.float32)


def _say(file: Path, told: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(told), encoding="utf-8")

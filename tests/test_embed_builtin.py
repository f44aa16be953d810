"""The built-in embedder does what its card says, whatever the batch."""

import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from nemo import embed, settings
from nemo.embed.builtin import BATCH, MODEL, BuiltinEmbedder
from nemo.errors import BadRequestError, ConfigError
from nemo.text.words import tokenise
from nemo.text.words.tokenise import words

TEXTS = [
    "电网企业应当自收到申请之日起十五个工作日内答复。",
    "装机容量6MW及以上、电压等级10kV的项目，偏差不得超过3.5%。",
    "电网电网电网企业",
    "GB/T 19964—2024 第5.3.1条",
    "㐀电",
]


@pytest.fixture(scope="module")
def embedder() -> embed.Embedder:
    return embed.load(settings.load())


def by_the_card(text: str) -> np.ndarray:
    """The card's recipe, one feature at a time."""
    folder = settings.load().models / MODEL
    rows = {term: i for i, term in enumerate((folder / "vocabulary.txt").read_text("utf-8").splitlines())}
    files = np.load(folder / "table.npz")
    table = files["weights"].astype(np.float64) * files["scale"][:, None]
    kept = words(text)
    features = [w for w in kept if not re.fullmatch(r"[\u4e00-\u9fff]", w)]
    features += re.findall(r"[\u4e00-\u9fff]", text)
    features += [run for run in re.findall(r"[a-z0-9.%]+", text.lower()) if run not in set(kept)]
    vector = sum((1 + math.log(c)) * table[rows[t]] for t, c in Counter(features).items() if t in rows)
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("text", TEXTS)
def test_follows_its_card(embedder: embed.Embedder, text: str) -> None:
    np.testing.assert_allclose(embedder.embed([text])[0], by_the_card(text), atol=1e-5)


def test_rows_are_unit_and_float32(embedder: embed.Embedder) -> None:
    rows = embedder.embed(TEXTS)
    assert rows.dtype == np.float32
    assert rows.shape == (len(TEXTS), embedder.dim) == (len(TEXTS), 256)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_a_text_does_not_depend_on_its_batch(embedder: embed.Embedder) -> None:
    many = [TEXTS[i % len(TEXTS)] + "甲乙丙丁"[i % 4] for i in range(BATCH + 7)]
    together = embedder.embed(many)
    alone = np.concatenate([embedder.embed([text]) for text in many])
    np.testing.assert_array_equal(together, alone)


def test_case_does_not_matter(embedder: embed.Embedder) -> None:
    np.testing.assert_array_equal(embedder.embed(["容量6MW"]), embedder.embed(["容量6mw"]))


def test_no_texts_give_no_rows(embedder: embed.Embedder) -> None:
    assert embedder.embed([]).shape == (0, 256)


@pytest.mark.parametrize("text", ["", "   ", "？！——", "\U0001f600"])
def test_a_text_without_direction_is_refused_by_its_place(embedder: embed.Embedder, text: str) -> None:
    with pytest.raises(embed.UnembeddableError) as caught:
        embedder.embed(["电网", text, ""])
    assert caught.value.index == 1
    assert isinstance(caught.value, BadRequestError)


def test_a_refused_text_is_named_behind_the_first_batch(embedder: embed.Embedder) -> None:
    with pytest.raises(embed.UnembeddableError) as caught:
        embedder.embed([*["电网"] * (BATCH + 3), "…"])
    assert caught.value.index == BATCH + 3


def test_near_things_are_nearer(embedder: embed.Embedder) -> None:
    question, near, far = embedder.embed(["光伏项目怎么申请并网", "分布式光伏发电项目并网申请流程", "矿山救护队的训练"])
    assert question @ near > question @ far


@pytest.mark.parametrize("damage", ["missing", "table", "vocabulary"])
def test_a_damaged_model_stops_the_start(tmp_path: Path, damage: str) -> None:
    if damage != "missing":
        (tmp_path / MODEL).mkdir()
        for file in (settings.load().models / MODEL).iterdir():
            (tmp_path / MODEL / file.name).write_bytes(file.read_bytes())
    if damage == "table":
        (tmp_path / MODEL / "table.npz").write_bytes(b"PK\x03\x04 not a table")
    if damage == "vocabulary":
        (tmp_path / MODEL / "vocabulary.txt").write_text("电\n网\n", "utf-8")
    with pytest.raises(ConfigError):
        embed.load(settings.load(models=tmp_path))


def test_an_unknown_embedder_is_refused() -> None:
    with pytest.raises(ConfigError, match="NEMO_EMBEDDER"):
        embed.load(settings.load(embedder="none"))


def test_a_table_refuses_texts_cut_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its vectors would not meet those that were stored."""
    cut = tokenise.words
    monkeypatch.setattr(tokenise, "words", lambda text: [w for w in cut(text) if w != "电网"])
    with pytest.raises(ConfigError, match="特征不同"):
        BuiltinEmbedder(settings.load().models / MODEL)

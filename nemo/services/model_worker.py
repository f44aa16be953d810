"""The child process of ``nemo.services.model_process``: the only module that imports sentence_transformers (and with it torch).

``python -m nemo.services.model_worker TASK MODEL`` loads the model, writes one line that says so, and answers requests from its
input until the input closes. Never imported by the rest of Nemo.
"""

import hashlib
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

NICE = 10
BATCH = 16
"""Inputs between two looks at the clock."""
FAULTS = (ArithmeticError, LookupError, OSError, RuntimeError, TypeError, ValueError)
"""What a damaged model or an input that it cannot take raises; anything else ends the process."""
HASHED = frozenset({".json", ".txt", ".model", ".safetensors", ".bin"})
UNUSED = ("onnx/*", "openvino/*", "*.onnx", "*.h5", "*.msgpack", "*.ot", "flax_model*", "tf_model*", "*.md", "*.png")

Run = Callable[[Sequence[Any]], Any]


def main(task: str, model: str) -> None:
    """Serve one model until the input closes."""
    out = _own_output()
    with suppress(AttributeError):  # Windows has no niceness; a slow answer is all that follows
        os.nice(NICE)
    requests = _requests()
    try:
        run, ready = _load(task, model)
    except ImportError as error:
        _say(out, {"fault": "missing", "words": str(error.name or error)})
        return
    except FAULTS as error:
        _say(out, {"fault": "model", "words": _words(error)})
        return
    _say(out, ready)
    while True:
        _answer(out, requests.get(), run)


def _own_output() -> IO[bytes]:
    """Keep the pipe for replies and send whatever libraries print to the error stream."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return out


def _requests() -> queue.Queue[dict[str, Any]]:
    """Read requests in a thread, so that the owner never blocks on a full pipe and its end is noticed at once."""
    waiting: queue.Queue[dict[str, Any]] = queue.Queue()

    def read() -> None:
        for line in sys.stdin.buffer:
            waiting.put(json.loads(line))
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return waiting


def _say(out: IO[bytes], header: dict[str, Any], payload: bytes = b"") -> None:
    out.write(json.dumps({**header, "bytes": len(payload)}).encode() + b"\n" + payload)
    out.flush()


def _answer(out: IO[bytes], request: dict[str, Any], run: Run) -> None:
    import numpy as np

    inputs, deadline = request["inputs"], time.monotonic() + request["seconds"]
    parts = []
    try:
        for start in range(0, len(inputs), BATCH):
            if time.monotonic() > deadline:
                _say(out, {"id": request["id"], "fault": "time", "words": ""})
                return
            parts.append(np.asarray(run(inputs[start : start + BATCH]), dtype="<f4"))
    except FAULTS as error:
        _say(out, {"id": request["id"], "fault": "input", "words": _words(error)})
        return
    whole = np.concatenate(parts)
    _say(out, {"id": request["id"], "shape": list(whole.shape)}, whole.tobytes())


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


# --- loading ---------------------------------------------------------------------------------------------------------


def _load(task: str, model: str) -> tuple[Run, dict[str, Any]]:
    """Return the function that runs the model, and what to tell the owner about it."""
    import sentence_transformers

    folder = _folder(model)
    load = _embedder if task == "embed" else _scorer
    run, dim, device = load(sentence_transformers, str(folder))
    return run, {"dim": dim, "device": device, "fingerprint": fingerprint(folder)}


def _embedder(library: Any, folder: str) -> tuple[Run, int, str]:
    model = library.SentenceTransformer(folder, local_files_only=True)

    def run(texts: Sequence[str]) -> Any:
        return model.encode(list(texts), batch_size=BATCH, show_progress_bar=False, normalize_embeddings=True)

    return run, int(run(["并网"]).shape[1]), str(model.device)


def _scorer(library: Any, folder: str) -> tuple[Run, int, str]:
    model = library.CrossEncoder(folder, local_files_only=True)

    def run(pairs: Sequence[Sequence[str]]) -> Any:
        return model.predict([tuple(pair) for pair in pairs], batch_size=BATCH, show_progress_bar=False)

    shape = run([("并网", "并网")]).shape
    if shape != (1,):
        raise ValueError(f"模型须对每一对文本给出一个得分，此模型给出 {shape[-1]} 个")
    return run, 1, str(model.device)


def _folder(model: str) -> Path:
    """Return the model's folder: the given one, else the hub's copy on this machine, else a fresh download."""
    if Path(model).is_dir():
        return Path(model)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model, local_files_only=True))
    except LocalEntryNotFoundError:
        return Path(snapshot_download(model, ignore_patterns=list(UNUSED)))


def fingerprint(folder: Path) -> str:
    """Return a digest over the files that decide what the model computes, independent of where the folder lies."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        hidden = any(part.startswith(".") or part in ("onnx", "openvino") for part in name.parts)
        doubled = path.suffix == ".bin" and any(path.parent.glob("*.safetensors"))
        if hidden or doubled or path.suffix not in HASHED or not path.is_file():
            continue
        with path.open("rb") as stream:
            content = hashlib.file_digest(stream, "sha256").hexdigest()
        digest.update(f"{name.as_posix()}\n{content}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    main(*sys.argv[1:])

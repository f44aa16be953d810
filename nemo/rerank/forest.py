"""Decision trees evaluated by onnxruntime: half a millisecond for a hundred candidates (决策树)."""

from pathlib import Path

import numpy as np

from nemo.errors import ConfigError


class Forest:
    """A sum of trees over one row of numbers per candidate. Safe to share between threads.

    Thresholds are compared, leaves are whole multiples of one step (``nemo.train.trees.exact_leaves``): equal rows give
    equal sums whatever the processor and the order of adding.
    """

    def __init__(self, path: Path, width: int) -> None:
        """Read the trees: ONNX with one input (n, width) and one output (n, 1); further numbers are not theirs.

        Raises:
            ConfigError: the file is missing, damaged, or made for other rows.
        """
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = ort.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
        except (OSError, RuntimeError, ValueError, ort.capi.onnxruntime_pybind11_state.OnnxRuntimeException) as error:
            raise ConfigError(f"重排模型不完整：{path}。请从安装包恢复该文件，或检查 NEMO_MODELS。") from error
        self._width = width
        self._input = self._session.get_inputs()[0]
        if self._input.shape[-1] != width:
            raise ConfigError(f"重排模型与程序不配套：{path}。请从安装包恢复该文件。")

    def scores(self, rows: np.ndarray) -> np.ndarray:
        """Return one float64 score per row of ``rows`` (n, width or more) float32."""
        own = np.ascontiguousarray(rows[:, : self._width])
        out: np.ndarray = self._session.run(None, {self._input.name: own})[0]
        return out[:, 0].astype(np.float64)

"""The approximate vector index on a Milvus server: numbers and vectors in one collection (近似检索)."""

from typing import Any

import numpy as np

from nemo.errors import MissingDependencyError, ServiceError
from nemo.store.search.number_sets import ChunkNumbers
from nemo.store.search.vectors import ScoredChunks, best, enough, require_shape

BATCH = 2_000
"""Rows a request."""

LISTED = 20_000
"""Up to so many allowed numbers are named to the server; of more it is asked for more neighbours, and those that are not
allowed are dropped here."""

MOST = 16_000
"""Milvus returns 16,384 neighbours at most."""

SPARE = 50
"""So many more are asked for, so that one request tells whether the last has equals."""

EF_SEARCH = 200

SECONDS = 30.0


class MilvusIndex:
    """One collection."""

    name = "milvus"

    def __init__(self, address: str, place: str, dim: int) -> None:
        """Open or create the collection on a server (``http://host:19530``, with ``user:password@`` where needed), or
        in a file for Milvus Lite.

        Raises:
            MissingDependencyError: the client is not installed.
            ServiceError: the server cannot be reached or refuses.
        """
        self.dim = dim
        self._place = place
        self._line = _connected(address)
        if not self._asked("has_collection", place):
            self._create()
        self._asked("load_collection", place)

    def _create(self) -> None:
        from pymilvus import DataType, MilvusClient

        schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("number", DataType.INT64, is_primary=True)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=self.dim)
        index = MilvusClient.prepare_index_params()
        build = {"M": 16, "efConstruction": 200}
        index.add_index("vector", index_type="HNSW", metric_type="COSINE", params=build)
        # Strong: what was written is found by whoever asks next, in every process
        self._asked("create_collection", self._place, schema=schema, index_params=index, consistency_level="Strong")

    def _asked(self, verb: str, *given: Any, **more: Any) -> Any:
        from pymilvus import MilvusException

        try:
            return getattr(self._line, verb)(*given, timeout=SECONDS, **more)
        except MilvusException as error:
            raise _refused(error) from error

    @staticmethod
    def exists(address: str, place: str) -> bool:
        """Tell whether there is such a collection.

        Raises:
            ServiceError: the server cannot be reached.
        """
        from pymilvus import MilvusException

        line = _connected(address)
        try:
            return bool(line.has_collection(place, timeout=SECONDS))
        except MilvusException as error:
            raise _refused(error) from error
        finally:
            line.close()

    def drop(self) -> None:
        """Throw the collection away."""
        self._asked("drop_collection", self._place)

    def close(self) -> None:
        """Let go of the server."""
        self._line.close()

    def add(self, numbers: np.ndarray, vectors: np.ndarray) -> None:
        """Add unit rows under their numbers; a number that is there already gets the new row.

        Raises:
            ValueError: the shape does not fit.
            ServiceError: the server refuses.
        """
        require_shape(numbers, vectors, self.dim)
        rows = [
            {"number": number, "vector": row}
            for number, row in zip(numbers.tolist(), np.asarray(vectors, np.float32), strict=True)
        ]
        for start in range(0, len(rows), BATCH):
            self._asked("upsert", self._place, rows[start : start + BATCH])

    def delete(self, numbers: ChunkNumbers) -> None:
        """Forget these numbers; those that are not there are passed over."""
        every = numbers.each().tolist()
        for start in range(0, len(every), BATCH):
            self._asked("delete", self._place, filter=f"number in {every[start : start + BATCH]}")

    def search(self, vector: np.ndarray, k: int, allowed: ChunkNumbers | None = None) -> ScoredChunks:
        """Return at most ``k`` of the allowed chunks by cosine, best first; fewer where a wide filter leaves fewer."""
        if k <= 0 or (allowed is not None and not allowed.total):
            return ScoredChunks()
        wanted, only = k + SPARE, ""
        if allowed is not None and allowed.total <= LISTED:
            only = f"number in {allowed.each().tolist()}"
        elif allowed is not None:
            count = int(self._asked("get_collection_stats", self._place)["row_count"])
            wanted = int(k * max(count, 1) / allowed.total * 1.3) + SPARE
        while True:
            wanted = min(wanted, MOST)
            numbers, scores = self._nearest(vector, wanted, only)
            found = best(numbers, scores, k, allowed)
            if wanted == MOST or enough(found, scores, k, wanted):
                return found
            wanted *= 4  # equals of the last go on, or those that are not allowed took the places

    def _nearest(self, vector: np.ndarray, wanted: int, only: str) -> tuple[np.ndarray, np.ndarray]:
        found = self._asked(
            "search",
            self._place,
            data=[np.asarray(vector, np.float32)],
            limit=wanted,
            filter=only,
            search_params={"metric_type": "COSINE", "params": {"ef": max(EF_SEARCH, wanted)}},
            output_fields=["number"],
        )[0]
        numbers = np.array([hit["number"] for hit in found], np.int64)
        return numbers, np.array([hit["distance"] for hit in found], np.float64)

    def numbers(self) -> np.ndarray:
        """Return every chunk number in the index, rising."""
        numbers: list[int] = []
        while True:
            after = f"number > {numbers[-1]}" if numbers else "number >= 0"
            part = self._asked("query", self._place, filter=after, output_fields=["number"], limit=MOST)
            if not part:
                return np.array(numbers, np.int64)
            numbers += sorted(row["number"] for row in part)


def _connected(address: str) -> Any:
    try:
        from pymilvus import MilvusClient, MilvusException
    except ImportError as error:
        raise MissingDependencyError(
            "没有安装 Milvus 的客户端。请运行 pip install -r requirements-scale.txt 后重试。"
        ) from error
    try:
        return MilvusClient(address, timeout=SECONDS)
    except MilvusException as error:
        raise _refused(error) from error


def _refused(error: Exception) -> ServiceError:
    return ServiceError(f"Milvus 无法使用（{error}）。请检查 NEMO_MILVUS 的地址与服务；此前的问题改用精确计算。")

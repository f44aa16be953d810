"""One peer answering the golden questions: run by ``benchmarks.peers`` with the peers' own interpreter, a process each.

Every peer is run as its documentation shows. ``default``: its default splitter and its default BM25 retriever.
``best``: what it documents for Chinese: separators or token patterns that know Chinese, BM25 and vectors fused by
reciprocal rank, metadata filters for province and day. No embedding model can be downloaded offline, so the vectors
come from Nemo's built-in embedder through each peer's interface for custom embeddings.
"""

import argparse
import datetime as dt
import json
import logging
import sys
import time
import warnings
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

DEPTH = 60
"""Chunks asked for before the filter and before they are spread into articles."""
SHOWN = 4
"""Sources cited under an answer, as many as Nemo quotes at most."""
CJK = ["\n\n", "\n", "。", "；", "，", "、", ""]
"""Separators for languages without blanks, as langchain's and haystack's documentation shows them."""


class Found(NamedTuple):
    """A chunk that a peer retrieved."""

    file: str
    start: int
    text: str


Retrieve = Callable[[str], Sequence[Found]]


class Texts(NamedTuple):
    """The corpus: texts and facts by file."""

    texts: dict[str, str]
    facts: dict[str, dict[str, Any]]


def read(corpus: Path) -> Texts:
    """Read the corpus and its manifest."""
    rows = [json.loads(line) for line in (corpus / "manifest.jsonl").read_text("utf-8").splitlines()]
    return Texts({r["file"]: (corpus / r["file"]).read_text("utf-8") for r in rows}, {r["file"]: r for r in rows})


def embedder() -> Callable[[list[str]], np.ndarray]:
    """Return Nemo's built-in embedder; a text it knows no term of becomes a vector near nothing."""
    from nemo import settings
    from nemo.embed import UnembeddableError, builtin

    made = builtin.load(settings.load())

    def embed(texts: list[str]) -> np.ndarray:
        out = np.full((len(texts), made.dim), 1e-6, np.float32)
        try:
            return made.embed(texts)
        except UnembeddableError:
            for i, text in enumerate(texts):
                try:
                    out[i] = made.embed([text])[0]
                except UnembeddableError:
                    continue  # stays near nothing: a heading of marks only
        return out

    return embed


# --- langchain


def langchain(texts: Texts, best: bool) -> Retrieve:
    """RecursiveCharacterTextSplitter and BM25Retriever; at its best jieba, vectors and EnsembleRetriever."""
    from langchain_community.retrievers import BM25Retriever
    from langchain_core.documents import Document
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    options = {"chunk_size": 500, "chunk_overlap": 50, "separators": CJK} if best else {}
    splitter = RecursiveCharacterTextSplitter(add_start_index=True, **options)
    pages = [Document(page_content=text, metadata={"file": file}) for file, text in texts.texts.items()]
    parts = splitter.split_documents(pages)
    if not best:
        retriever: Any = BM25Retriever.from_documents(parts, k=DEPTH)
    else:
        retriever = _langchain_best(parts)
    return lambda question: [
        Found(d.metadata["file"], d.metadata["start_index"], d.page_content) for d in retriever.invoke(question)
    ]


def _langchain_best(parts: list[Any]) -> Any:
    import jieba
    from langchain_classic.retrievers import EnsembleRetriever
    from langchain_community.retrievers import BM25Retriever
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    embed = embedder()

    class Own(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return embed(texts).tolist()

        def embed_query(self, text: str) -> list[float]:
            return embed([text])[0].tolist()

    words = BM25Retriever.from_documents(parts, k=DEPTH, preprocess_func=jieba.lcut)
    store = InMemoryVectorStore.from_documents(parts, Own())
    return EnsembleRetriever(retrievers=[words, store.as_retriever(search_kwargs={"k": DEPTH})], weights=[0.5, 0.5])


# --- llama-index


def llama_index(texts: Texts, best: bool) -> Retrieve:
    """SentenceSplitter and BM25Retriever; at its best Chinese tokens, vectors and QueryFusionRetriever."""
    from llama_index.core import Document
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.retrievers.bm25 import BM25Retriever

    pages = [Document(text=text, metadata={}, id_=file) for file, text in texts.texts.items()]
    options = {"chunk_size": 512, "chunk_overlap": 50, "paragraph_separator": "\n"} if best else {}
    nodes = SentenceSplitter(**options).get_nodes_from_documents(pages)
    retriever = _llama_best(nodes) if best else BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=DEPTH)
    return lambda question: [
        Found(n.node.ref_doc_id, n.node.start_char_idx or 0, n.node.get_content()) for n in retriever.retrieve(question)
    ]


def _llama_best(nodes: list[Any]) -> Any:
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.llms import MockLLM
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.retrievers.bm25 import BM25Retriever

    embed = embedder()

    class Own(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return embed([text])[0].tolist()

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return embed(texts).tolist()

        _get_query_embedding = _get_text_embedding

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    index = VectorStoreIndex(nodes, embed_model=Own(embed_batch_size=512))
    words = BM25Retriever.from_defaults(
        nodes=nodes, similarity_top_k=DEPTH, token_pattern=r"(?u)\w", language="zh", skip_stemming=True
    )
    both = [index.as_retriever(similarity_top_k=DEPTH), words]
    return QueryFusionRetriever(
        both, llm=MockLLM(), mode="reciprocal_rerank", similarity_top_k=DEPTH, num_queries=1, use_async=False
    )


# --- haystack


def haystack(texts: Texts, best: bool) -> Retrieve:
    """DocumentSplitter and InMemoryBM25Retriever; at its best Chinese separators, vectors and DocumentJoiner."""
    from haystack import Document
    from haystack.components.preprocessors import DocumentSplitter, RecursiveDocumentSplitter
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    pages = [Document(content=text, meta={"file": file}) for file, text in texts.texts.items()]
    if best:
        splitter: Any = RecursiveDocumentSplitter(
            split_length=500, split_overlap=50, split_unit="char", separators=CJK[:-1]
        )
    else:
        splitter = DocumentSplitter()
    splitter.warm_up()
    parts = splitter.run(documents=pages)["documents"]
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    if best:
        return _haystack_best(store, parts)
    store.write_documents(parts)
    words = InMemoryBM25Retriever(store, top_k=DEPTH)
    return lambda question: [_haystack_found(d) for d in words.run(query=question)["documents"]]


def _haystack_best(store: Any, parts: list[Any]) -> Retrieve:
    from dataclasses import replace

    from haystack.components.joiners import DocumentJoiner
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever

    embed = embedder()
    vectors = embed([p.content for p in parts])
    store.write_documents([replace(p, embedding=v.tolist()) for p, v in zip(parts, vectors, strict=True)])
    words = InMemoryBM25Retriever(store, top_k=DEPTH)
    near = InMemoryEmbeddingRetriever(store, top_k=DEPTH)
    joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion")

    def retrieve(question: str) -> list[Found]:
        found = [
            words.run(query=question)["documents"],
            near.run(query_embedding=embed([question])[0].tolist())["documents"],
        ]
        return [_haystack_found(d) for d in joiner.run(documents=found)["documents"]]

    return retrieve


def _haystack_found(document: Any) -> Found:
    return Found(document.meta["file"], document.meta["split_idx_start"], document.content)


PEERS: dict[str, Callable[[Texts, bool], Retrieve]] = {
    "langchain": langchain,
    "llama-index": llama_index,
    "haystack": haystack,
}


# --- from chunks to answers


class Watch:
    """Wall and processor time of one build and of many questions; the latter does not suffer from a busy machine."""

    def __init__(self) -> None:
        self._began = time.perf_counter(), time.process_time()
        self.built = (0.0, 0.0)
        self._asked: list[tuple[float, float]] = []

    def build_done(self) -> None:
        """Everything until now was building."""
        self.built = time.perf_counter() - self._began[0], time.process_time() - self._began[1]

    def ask(self, retrieve: Callable[[], Any]) -> Any:
        """Time one question."""
        wall, cpu = time.perf_counter(), time.process_time()
        found = retrieve()
        self._asked.append(((time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000))
        return found

    def figures(self) -> dict[str, float]:
        """Return seconds for the build, milliseconds for a question."""
        walls, cpus = (np.array(values) for values in zip(*self._asked, strict=True))
        return {
            "build_s": self.built[0],
            "build_cpu_s": self.built[1],
            "p50_ms": float(np.quantile(walls, 0.5)),
            "p95_ms": float(np.quantile(walls, 0.95)),
            "p50_cpu_ms": float(np.quantile(cpus, 0.5)),
            "p95_cpu_ms": float(np.quantile(cpus, 0.95)),
        }


class Articles:
    """Where each article stands in each file."""

    def __init__(self, texts: Texts, score: Any) -> None:
        self._places: dict[str, tuple[list[int], list[int], list[str]]] = {}
        for file, text in texts.texts.items():
            starts, names, at = [], [], 0
            for line in text.splitlines(keepends=True):
                if match := score.ART.match(line):
                    starts.append(at)
                    names.append(match[1])
                at += len(line)
            self._places[file] = starts, [*starts[1:], len(text)], names

    def of(self, found: Found) -> list[str]:
        """Return the articles a chunk at least half contains, in text order, else the one it lies in."""
        starts, ends, names = self._places[found.file]
        first, last = found.start, found.start + len(found.text)
        out, most = [], (0, "")
        for i in range(max(0, bisect_left(starts, first) - 1), bisect_left(starts, last)):
            shared = min(ends[i], last) - max(starts[i], first)
            most = max(most, (shared, names[i]))
            if shared * 2 >= ends[i] - starts[i]:
                out.append(names[i])
        return out or ([most[1]] if most[1] else [])


def allowed(fact: dict[str, Any], question: dict[str, Any]) -> bool:
    """The metadata filter that a skilled user would add: province, and in force on the day."""
    day = question.get("as_of") or dt.date.today().isoformat()
    place = question.get("province")
    if place and fact["province"] not in (place, "cn"):
        return False
    return (fact.get("in_force_from") or "") <= day < (fact.get("superseded_on") or "9999")


def answer(question: dict[str, Any], found: Sequence[Found], articles: Articles) -> dict[str, Any]:
    """Return an answer as ``score.py`` reads it: articles in order, and the chunks as the sources shown."""
    ranked = list(dict.fromkeys((f.file, a) for f in found for a in articles.of(f)))
    shown = [(f, articles.of(f)) for f in found[:SHOWN]]
    return {
        "id": question["id"],
        "refused": not found,
        "read": [[f.file, articles.of(f), len(f.text)] for f in found[:5]],
        "citations": [{"file": f.file, "article": names[0], "quote": f.text} for f, names in shown if names],
        "ranked": [{"file": file, "article": name} for file, name in ranked[:5]],
    }


def serve(retrieve: Retrieve, port: int) -> None:
    """Answer questions over HTTP with what is retrieved, as FastAPI's first page shows it (for ``benchmarks.load``)."""
    import uvicorn
    from fastapi import Body, FastAPI

    app = FastAPI()

    @app.get("/health")
    def health() -> dict[str, bool]:
        return {"ok": True}

    @app.post("/api/v1/query")
    def query(body: dict[str, Any] = Body()) -> list[dict[str, Any]]:  # noqa: B008  (FastAPI's way)
        return [found._asdict() for found in retrieve(body["question"])[:5]]

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


def main() -> None:
    """Build, ask everything, write answers and times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("kind", choices=["default", "best"])
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--golden", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--serve", type=int, help="port: answer over HTTP instead of asking")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    sys.path.insert(0, str(options.golden))
    import score

    texts = read(options.corpus)
    articles = Articles(texts, score)
    watch = Watch()
    retrieve = PEERS[options.peer](texts, options.kind == "best")
    watch.build_done()
    if options.serve:
        serve(retrieve, options.serve)
        return
    lines = []
    for question in questions(options.golden, options.limit):
        found = watch.ask(partial(retrieve, question["question"]))
        if options.kind == "best":
            found = [f for f in found if allowed(texts.facts[f.file], question)]
        lines.append(json.dumps(answer(question, found, articles), ensure_ascii=False))
    options.out.with_suffix(".jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    options.out.with_suffix(".json").write_text(json.dumps(watch.figures()), "utf-8")


def questions(golden: Path, limit: int | None) -> list[dict[str, Any]]:
    """Return the questions every system is asked."""
    rows: list[dict[str, Any]] = []
    for name in ("golden", "unanswerable"):
        lines = (golden / f"{name}.jsonl").read_text("utf-8").splitlines()
        rows += [json.loads(line) for line in lines if line.strip()][:limit]
    return rows


if __name__ == "__main__":
    main()

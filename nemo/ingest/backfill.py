"""Makes good what held texts lack: vectors of this embedder, and what this ranker notes of each chunk (补算)."""

from collections.abc import Callable

from nemo import embed as embedding
from nemo import rerank
from nemo.embed import Embedder
from nemo.rules import Rules
from nemo.settings import Settings
from nemo.store.catalogue.entry import EdgeNotes, FeatureNotes
from nemo.store.library import Library
from nemo.text.facts.graph_edges import GraphReader
from nemo.text.structure.passage import passage


def embed(library: Library, embedder: Embedder, progress: Callable[[int, int], None] | None = None) -> int:
    """Embed what has no vectors of this embedder; return how many chunks that were.

    ``progress`` is told how many regulations are done, and how many there are.
    """
    waiting, count = library.unembedded(), 0
    for done, regulation_id in enumerate(waiting, 1):
        regulation, pieces = library.regulation(regulation_id), library.chunks(regulation_id)
        library.add_vectors(regulation_id, embedding.passages(embedder, [passage(regulation, c) for c in pieces]))
        count += len(pieces)
        if progress is not None:
            progress(done, len(waiting))
    if waiting:
        library.flush()
    return count


def feature_notes(library: Library, settings: Settings) -> None:
    """Have the ranker read what it has not read yet, so that no question has to wait for it."""
    encoder = rerank.feature_encoder(settings)
    if encoder is None:
        return
    for regulation_id in library.without_feature_notes(encoder.ranker):
        made = encoder.notes(library.regulation(regulation_id), library.chunks(regulation_id))
        library.add_feature_notes(regulation_id, FeatureNotes(encoder.ranker, made))


def edges(library: Library, rules: Rules) -> int:
    """Read for the graph what this reader has not read yet; return how many texts that were."""
    reader = GraphReader(rules)
    unread = library.edges.unread(reader.version)
    for regulation_id in unread:
        library.edges.keep(regulation_id, EdgeNotes(reader.version, reader.edges(library.regulation(regulation_id))))
    return len(unread)

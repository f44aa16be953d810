"""The hash of what the features are worth on a fixed body of texts: it ties a model to the features it learned (特征指纹)."""

import hashlib

from nemo.rerank import features
from nemo.rerank.passages import Heading, ask, prepare
from nemo.rerank.terms import Terms
from nemo.text.words import probe


def feature_hash(terms: Terms) -> str:
    """Return 16 hexadecimal digits over every feature of every probe question and passage, to the last bit.

    Features are exact, so every processor gets the same; another regular expression, another cut into words, another
    formula gets another.
    """
    made = probe.passages()
    prepared = [
        prepare(terms, p.title, Heading(p.title, p.chapter, p.level, n % 2 == 0, p.article, n / len(made)), p.text)
        for n, p in enumerate(made)
    ]
    digest = hashlib.sha256("\n".join(features.names()).encode())
    for question in probe.QUESTIONS:
        digest.update(features.matrix(terms, ask(terms, question, [("并网", ("接入电网",))]), prepared).tobytes())
    return digest.hexdigest()[:16]

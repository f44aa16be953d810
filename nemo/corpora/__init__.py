"""Corpora (资料集): named subsets of the library with an owner, options of their own, and figures."""

from nemo.corpora.options import CorpusOptions
from nemo.corpora.service import CorpusService

__all__ = ["CorpusOptions", "CorpusService"]

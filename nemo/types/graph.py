"""The graph of the law: what words of a text tie together (法规图谱)."""

from dataclasses import dataclass

from nemo.types.places import Span


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """One tie, with the words that prove it; kinds are those of ``data/rules/graph_kinds.toml`` (关系)."""

    kind: str
    """``cites``, ``obliges``, ``penalises`` …"""
    label: str
    """Of the provision the words stand in; empty when they stand outside every article."""
    source: str
    """Name of an actor or authority; empty: the provision itself, or for ties between texts the regulation."""
    target_kind: str
    """Node kind of the target: ``regulation``, ``provision``, ``term``, ``authority`` …"""
    target: str
    """Name of the target: a title, a number, a term, an amount; empty for a provision of the same text."""
    target_label: str
    """Label of the provision that is pointed to; empty for a whole text and for what is no provision."""
    span: Span
    """The words in the stored text."""
    rule: str
    """Entry of ``data/rules/graph_rules.toml`` or the reader it was found by."""
    confidence: float
    """0..1, as stated for the rule."""

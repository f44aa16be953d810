"""The graph of the law (法规图谱): what provisions, actors, authorities, terms and texts have to do with each other.

Each edge carries the words that prove it (``nemo.text.law.edges``); nothing here is guessed, and a text that is removed
takes its edges with it.
"""

from nemo.graph.counted import duties
from nemo.graph.modes import beside
from nemo.graph.nodes import GraphNode, ResolvedEdge
from nemo.graph.view import GraphScope, LawGraph

__all__ = ["GraphNode", "GraphScope", "LawGraph", "ResolvedEdge", "beside", "duties"]

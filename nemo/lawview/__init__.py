"""The law over time and as a whole: versions, timeline, relations, what is missing, and levels of force (法的沿革与体系)."""

from nemo.lawview import plain
from nemo.lawview.editions import edition, pair, predecessors, version_label, work_of
from nemo.lawview.hierarchy import hierarchy
from nemo.lawview.ledger import Missing, ledger
from nemo.lawview.links import Find, Link, Links, links
from nemo.lawview.overview import LawOverview
from nemo.lawview.references import Reference, references
from nemo.lawview.timeline import Stretch, Timeline, TimelineEvent, timeline

__all__ = [
    "Find",
    "LawOverview",
    "Link",
    "Links",
    "Missing",
    "Reference",
    "Stretch",
    "Timeline",
    "TimelineEvent",
    "edition",
    "hierarchy",
    "ledger",
    "links",
    "pair",
    "plain",
    "predecessors",
    "references",
    "timeline",
    "version_label",
    "work_of",
]

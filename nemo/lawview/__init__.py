"""The law over time and as a whole: versions, timeline, relations, what is missing, and levels of force (法的沿革与体系)."""

from nemo.lawview import plain
from nemo.lawview.editions import edition, predecessors, version_label
from nemo.lawview.hierarchy import hierarchy
from nemo.lawview.ledger import MissingReference
from nemo.lawview.links import Link, Links, links
from nemo.lawview.overview import LawOverview
from nemo.lawview.references import references
from nemo.lawview.timeline import InForcePeriod, Timeline, TimelineEvent, timeline

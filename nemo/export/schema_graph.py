"""Forms of the graph of the law in JSON: nodes, duties taken apart, neighbourhoods (图谱的 JSON)."""

from __future__ import annotations

from pydantic import Field

from nemo.export.schema import Form, GraphEdgeForm, GraphPlaceForm


class PunishingForm(GraphPlaceForm):
    """Where a penalty stands, with its words."""

    words: str


class DutyForm(Form):
    """A duty, ban or leave taken apart (职责); every part is a slice of the text."""

    actor: str = Field(description="主体")
    modal: str = Field(description="应当、不得、可以等，照原文")
    act: str = Field(description="行为")
    conditions: list[str] = Field(description="条件")
    deadlines: list[str] = Field(description="期限")
    amounts: list[str] = Field(description="金额")
    penalties: list[PunishingForm] = Field(description="对应的处罚")


class GraphNodeForm(Form):
    """A node (节点)."""

    id: str = Field(description="节点编号，如 authority:省能源局、provision:法规编号#6")
    kind: str
    kind_name: str
    name: str
    regulation_id: str | None
    label: str | None
    province: str | None
    status: str | None
    duty: DutyForm | None = Field(description="只有职责节点有")


class GraphNodesForm(Form):
    """Nodes that were searched for."""

    nodes: list[GraphNodeForm]


class NeighbourhoodForm(Form):
    """Edges with their nodes (邻域、路径)."""

    centre: str | None
    nodes: list[GraphNodeForm]
    edges: list[GraphEdgeForm]
    unread: int = Field(description="尚未读入图谱的法规数")

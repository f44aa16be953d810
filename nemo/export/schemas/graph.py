"""Forms of the graph of the law in JSON: nodes, duties taken apart, neighbourhoods (图谱的 JSON)."""

from pydantic import Field

from nemo.export.schemas.answers import Form, GraphEdgeForm, GraphPlaceForm, of_few


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


GraphNodesForm = of_few("GraphNodesForm", "Nodes that were searched for.", nodes=list[GraphNodeForm])


class NeighbourhoodForm(Form):
    """Edges with their nodes (邻域、路径)."""

    centre: str | None
    nodes: list[GraphNodeForm]
    edges: list[GraphEdgeForm]
    unread: int = Field(description="尚未读入图谱的法规数")


class ProposalForm(GraphEdgeForm):
    """An edge that a model proposes (候选关系); no part of the graph before it is approved."""

    number: int
    source_name: str
    target_name: str
    model: str
    run: int
    state: str = Field(description="待核、已核准、已驳回")
    by: str | None = Field(description="核准或驳回的人")
    decided: str | None
    reason: str


WrittenGraphForm = of_few("WrittenGraphForm", "A graph that was written to a file.", file=str, edges=int)

ProposalsForm = of_few(
    "ProposalsForm",
    "Proposals and how many there are in each state.",
    proposals=list[ProposalForm],
    counts=dict[str, int],
)


class ProposalRunForm(Form):
    """One time that a model was asked (征询任务)."""

    number: int
    by: str | None
    at: str
    model: str
    state: str
    active: bool
    texts: int
    pieces: int = Field(description="须调用的次数")
    done: int
    found: int
    dropped: dict[str, int] = Field(description="未采用的条数，按原因")
    sent: int = Field(description="发出的 token")
    received: int
    cost: float | None = Field(description="按所填单价计的费用；没有单价则为空")
    problem: str


ProposalRunsForm = of_few("ProposalRunsForm", "The newest runs.", runs=list[ProposalRunForm])

"""Forms of corpora, memories and measures in JSON (接口数据形式：资料集、记忆、指标); see :mod:`nemo.export.schemas.answers`."""

from typing import Literal

from pydantic import Field

from nemo.export.schemas.answers import Form, IsoDay, Moment, of_few
from nemo.export.schemas.library import Count


class CorpusForm(Form):
    """One corpus with its figures, over what the caller may see (资料集)."""

    id: int
    name: str
    description: str
    owner: str | None
    visibility: Literal["private", "team", "public"]
    people: list[str]
    embedder: str
    store: str
    chunking: str
    created: Moment
    changed: Moment
    documents: Count
    articles: Count = Field(description="条数")
    points: Count = Field(description="不分条的法规的点数（一、二、）")
    chunks: Count = Field(description="语义检索的片段数")
    mean_length: float | None = Field(description="片段平均字数")
    searched_by_meaning: Count = Field(description="已有向量的法规数")
    provinces: dict[str, int]
    classes: dict[str, int]
    sections: Count = Field(description="不同的章节标题数")
    mine: bool = Field(description="调用者可以修改")
    fills: bool = Field(description="调用者可以增减文件")


CorporaForm = of_few("CorporaForm", "The corpora that the caller may see.", corpora=list[CorpusForm])


class CorpusTextForm(Form):
    """A text of a corpus."""

    id: str
    title: str
    file: str


class CorpusTextsForm(CorpusForm):
    """One corpus with its texts."""

    texts: list[CorpusTextForm]


ChangedTextsForm = of_few("ChangedTextsForm", "How many texts came into a corpus or left it.", changed=Count)
DeletedCorpusForm = of_few(
    "DeletedCorpusForm", "A corpus that is gone, and the texts that went with it.", deleted=str, removed=list[str]
)


class MemoryForm(Form):
    """Something of the caller's own: a question with what was quoted, a note, a review, a session (记忆)."""

    kind: Literal["question", "note", "review", "session"]
    key: str = Field(description="答复编号或编号；忘记时用它")
    day: IsoDay
    title: str
    words: str
    score: float
    changed: list[str] = Field(description="所引法规此后的变化")


MemoriesForm = of_few("MemoriesForm", "What was found in a memory.", memories=list[MemoryForm])


DayMeasureForm = of_few(
    "DayMeasureForm", "One measure of the answers of one day in China.", day=IsoDay, measure=str, count=Count,
    total=float,
)  # fmt: skip
QualityForm = of_few("QualityForm", "Measures of answers, by day (每日指标).", days=[DayMeasureForm])


class ForgottenForm(Form):
    """What is gone, and the link of the chain of records that says so."""

    forgotten: str
    kind: str
    chain: str | None = Field(description="记录链链首：编号:哈希")


ReleasedForm = of_few("ReleasedForm", "A text that everybody sees from now on.", released=str, title=str)

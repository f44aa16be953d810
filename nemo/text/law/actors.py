"""Who does what a clause states (施行主体): an actor, what stands between, and the act.

A clause names its actor at its head (…部门按照职责分工，对…实施监督), by 由, or behind a verb that sets it to work (督促…部门履行…);
else an earlier clause of the sentence does, the line that opens the list, or the sentence before. Words are data.
"""

import re
from collections.abc import Mapping, Sequence

from nemo.text.law.subjects import MODALS, SubjectReader

Said = Sequence[tuple[int, int, str]]
"""Start, end and actor of what a sentence obliges."""

_MODAL_WORD = re.compile(MODALS)
_NO_ACTOR = re.compile(r"本(?:法|条例|办法|规定|细则)|并(?!网)|会同|协同|充分|听取|征求")
_ASIDE_CLAUSE = re.compile(r"(?:针?对|按照|依照|根据|依法|通过|采取|结合|会同|协同|组织|并|定期|在|共同|具体|切实|$)")
"""Opens a clause between an organ and what it does (…部门依法管理，对重点企业加强监督)."""
_PLACED = re.compile(
    r"(?:^|[，；：])(?=[^，。；：]*，(?:并|同时|具体|应当)*$)[^，。；：]*(?:设立|下设|设置|成立|组建|确定|指定|明确|委托|授权|建立|安排|配备|派)"
)
"""A clause that puts somebody in a place, and the next begins with what that one does."""
_COUNTED = re.compile("职责|职权|权责|工作|任务|义务")
_HEADED = re.compile("主要(?:职责|义务|权责)$")
"""A heading under which a list counts what an organ answers for."""
_DUTIES = re.compile(
    r"(?:依法)?(?:履行|行使|承担|开展|执行|做好)[^，。；：]{0,20}下列|(?:对|负责|应当|依法).*职责(?:是|为)：$|的?主要(?:职责|义务|权责)|的义务|(?:对|负责|应当|依法)"
)
"""Where the organ ends that a list, or the sentence before one that begins with what it answers for, speaks of."""
_FURTHER = re.compile("，(?:以及|及其)[^，。；：]*$")
"""A clause that goes on with what the one before names (对…的情况，以及…的情况实施监管)."""
_SHARED = re.compile("职责|职权|配合$")
_GOES_ON = ("负责", "要", "应")
"""Opens a sentence that speaks of whom the one before names."""
_SETS = "设立|下设|设置|设有|成立|组建|指定|确定|授权|委托"
_NO_HEAD = (
    f"应当|是|协助|对(?!外)|可以|不得|(?:{_SETS})(?!的)|督促|支持|听取|征求|会同|协同(?!机制|推进|发展|创新)|引导"
)
"""Never part of the name of an actor: a verb or preposition between it and the act."""


class ActorReader:
    """Reads actors with one set of word lists; thread-safe."""

    def __init__(self, words: Mapping[str, Sequence[str]], subjects: SubjectReader) -> None:
        self._subjects = subjects
        heads = "|".join(sorted(words["heads"], key=len, reverse=True))
        between = "|".join(w for code in ("basis", "jointly", "adverbial") for w in words[code])
        self._organ = re.compile(f"(?:{heads})$")
        self._set_to = re.compile(
            rf"(?:(?>(?:(?:支持|协助|配合|督促|指导|协调|监督|检查)[、和]?){{1,5}})|(?P<set>(?:{_SETS})(?!的|一个)))"
            rf"(?P<s>[^，。；：]{{2,40}}?(?:{heads}))(?(set)，?)(?:依法|具体|统一|全面)*$"
        )
        self._at_head = re.compile(
            rf"(?:^|[，；：])由?(?P<s>(?:(?!{_NO_HEAD}|负责(?![^，。；：由]{{1,40}}的(?:部门|机构|机关|单位)))[^，。；：由]){{0,80}}?"
            rf"(?:{heads}|单位|中心|公司)(?:（[^（）]{{1,40}}）)?)(?:，?(?:{between})){{0,6}}，?$"
        )
        self._founded = re.compile(
            rf"[^，。；：]{{2,60}}?(?:{_SETS})(?!的)(?P<s>[^，。；：]{{2,40}}?(?:{heads}))，(?:具体|统一)?负责"
        )
        self._by = re.compile(
            rf"(?:^|，)由([^，。；：由]{{2,60}}?(?:{heads}))(?=[^，。；：的、和]{{2}})(?![^，。；：的对依按处予责本]{{1,12}}(?:部门|机构|机关|局|委员会))"
        )

    def of(self, sentence: str, kind: str, place: int, said: Said = ()) -> str:
        """Return who does what stands at a place of a sentence; empty when nobody is named."""
        while further := _FURTHER.search(sentence, 0, place):
            place = further.start()
        charged = sentence.startswith("负责", place)
        named = self._beside(sentence, place, charged) if kind == "supervises" else ""
        if not named and charged and _PLACED.search(sentence, 0, place):
            return ""
        if not named and (founded := self._founded.match(sentence, 0, place)) is not None:
            named = founded["s"]  # …设立…委员会，负责…，组织…检查
        named = named or next((a for s, e, a in said if s <= place < e and self._organ.search(a)), "")
        named = named or self.stated_by(sentence, place)
        group = sentence[:place]
        if kind == "supervises" and not named:
            group = re.split("[；：]", sentence[:place])[-1]
            clause = group.rfind("，") + 1
            led = _ASIDE_CLAUSE.match(group, clause)
            named = self.stated_by(sentence, place - len(group) + clause) if led else ""
        agents = [] if named else self._by.findall(group)
        named = agents[-1] if agents else named
        if kind == "supervises" and not named:
            named = next((a for s, _, a in reversed(said) if s < place and self._organ.search(a)), "")
        named = re.split("(?<!自)由|委托", re.split("(?<!于)是|作为|(?<=.{2})(?:配合|协助)", named)[0])[-1]
        return bare(re.sub("^(?:支持|督促|指导|协助|配合)+", "", named))

    def _beside(self, sentence: str, place: int, charged: bool) -> str:
        head, set_to = self._at_head.search(sentence, 0, place), self._set_to.search(sentence, 0, place)
        if head is not None:
            return head["s"]
        return set_to["s"] if set_to is not None and (charged or not set_to["set"]) else ""

    def before(self, sentence: str, lead: str) -> str:
        """Return whose duties a list counts, or whom the sentence before speaks of when this one names nobody."""
        listed = _HEADED.search(lead) or (lead.endswith("：") and _COUNTED.search(lead))
        duties = _DUTIES.search(lead) if listed or sentence.startswith(_GOES_ON) else None
        return self.of(lead, "", duties.start()) if duties else ""

    def stated_by(self, sentence: str, place: int) -> str:
        """Return the organ that acts where no word of duty names one; empty when somebody else or nobody does."""
        found = _MODAL_WORD.split(self._subjects.before(sentence, place))[0]
        return found if self._organ.search(found) and not _NO_ACTOR.match(found) else ""


def is_own_work(sentence: str, place: int) -> bool:
    """Tell whether 做好 at a place only ends a duty that a modal word states, and no shared charge (按照职责分工，做好…工作)."""
    modal = _MODAL_WORD.search(sentence, 0, place) if sentence.startswith("做好", place) else None
    return modal is not None and _SHARED.search(sentence, modal.end(), place) is None


def bare(name: str) -> str:
    """Return a name without the words that lead to it."""
    name = re.sub(r"（(?:以下|下)[^（）]*）|^[^，。]{1,20}(?:设立|成立|组建|委托)(?=.{2})", "", name)
    name = re.sub(r"(?<=[部局委院厅])(?:商|会同)(?:国务院|有关|省|国家).*$", "", name)
    return re.sub(r"^(?:，|；|由|同时|应当|可以|或(?=有关)|报?请(?!求)|提请)+", "", name)

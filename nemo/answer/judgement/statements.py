"""What of a paper states nothing by itself (题名、主送机关): no evidence, however many words of a question it holds."""

import re
from functools import lru_cache

from nemo.text.words.normalise import title_key

ADDRESSED = re.compile(
    r"[^。；;：:]*(?:局|委|委员会|厅|办|办公室|公司|单位|部门|政府|中心|集团|企业|用户|主体|院|所|会|处|行|厂)(?:[（(][^（）()]*[）)])?[：:]"
)
"""The bodies that a letter goes to (主送机关), and nothing else."""
ASKS = re.compile(r"(?:网[民友]|市民|群众|用户|来信|留言|咨询|提问|问)[^：:]{0,24}[：:]")
"""Who asks (网民“…”：)."""
BEHIND_QUESTION = re.compile(
    r"[”」』]?\s{0,9}(?:[（(][^（）()]*[）)])?\s{0,9}(?:[^。？?：:]{0,40}(?:答复|回复)(?:如下)?[：:])?"
)
"""What may stand behind the last question mark: a quotation mark, a remark, and who answers."""
RULES = re.compile("应|须|可以|不得|下列|如下|以下|包括|是指|负责|条件|要求")
LONGEST_TITLE = 160
LEAST_OF_TITLE = 8
"""Characters of a broken title line from which it is told from any other few words."""


@lru_cache(32_768)
def says_nothing(text: str, title: str) -> bool:
    """Tell whether a passage of a text of this title is but its title, a line of it, its addressees, or what somebody asks."""
    said = text.strip()
    if _only_asks(said):
        return True
    if said.endswith(("：", ":")):
        return ADDRESSED.fullmatch(said) is not None and RULES.search(said) is None
    if len(said) > LONGEST_TITLE or "。" in said:
        return False
    key, whole = title_key("".join(said.split())), title_key(title)
    return key == whole or (len(key) >= LEAST_OF_TITLE and key in whole)


def _only_asks(said: str) -> bool:
    """Tell whether somebody asks (网民“…”：…怎么办？), with who answers behind it at most: that is not the answer."""
    end = max(said.rfind("？"), said.rfind("?"))
    asks = end >= 0 and ("。" not in said[:end] or ASKS.match(said) is not None)
    return asks and BEHIND_QUESTION.fullmatch(said, end + 1) is not None

"""The head of an official text (公文格式): its lines, its title, and the rules that a covering notice issues.

Works on lines as they come out of any parser: titles broken over lines, numbers and dates broken into single
characters, letterheads, navigation above and below the body of a web page.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from nemo.rules import page_words
from nemo.text.letter.titles import KINDS, NUMBER, ORDER, STANDARD, closed, looks_like_title, marks, masked, tidy
from nemo.text.words.days import DATE
from nemo.text.words.flat import FlatText, flatten
from nemo.types import Span

_FURNITURE = re.compile(
    r"<!--.*?-->|\[?第\s*\d+\s*页\]?(?:\s*共\s*\d+\s*页)?|[—–\-－·\s]*\d+[—–\-－·\s]*|目\s*录|专\s*题|[目录专题]|"
    r"(?:20|19)\d\d[-/.]\d\d?[-/.]\d\d?(?:\s+\d\d?:\d\d(?::\d\d)?)?(?:\s.*来源\s*[:：].*)?|附\s*[件录表]\s*[\d一二三四五六七八九十]*\s*[:：.]?|"
    r"[（(]?此件.*|[（(]主动公开[）)]|(?:20|19)\d\d\s*年\s*\d\d?\s*月\s*\d\d?\s*日\s*星期.*|(?:普通|一般)事项|特\s*[急提]|[加平]\s*急|急\s*件|"
    r"[机秘绝]\s*密.*|【.+】\s*[-—].*|【[\u4e00-\u9fa5]{0,10}(?:码|号|日期|时间|时效性|级别|类别|部门|机关)】.*|.*[.．…·]{6,}.*|\S+\.(?:docx?|pdf|wps|ofd|html?)|.*_[^_]*(?:网|网站|政府)(?:\s.*)?|"
    r"[\u4e00-\u9fa5\s]{2,20}公\s*报\s*(?:19|20)\d\d\s*年\s*第\s*\d{1,3}\s*期|"
    r"[\u4e00-\u9fa5\s]{0,30}(?:国\s*家|行\s*业|地\s*方|团\s*体|企\s*业)(?:\s*职\s*业)?\s*标\s*准|"
    r"(?:网站)?首页\s*[>＞›»].*|(?:您(?:现在)?的?(?:当前)?|当前)位置.*|(?:分享到|请输入|无障碍|长者).*|https?://.*"
)
"""Whole lines of a paper that are no part of its title, and rows that a site opens with a fixed word; for its menus and
labels see ``page_words``."""

_LETTERHEAD = re.compile(r"[\u4e00-\u9fa5（）()、\s\u3000]{2,60}文\s*件")
_LABEL = re.compile(r"^(?:发文字号|文\s*号|文件编号)\s*[:：]\s*")
_NOTE = re.compile(rf"^[（(]?(?:根据)?{DATE}(?!星期)")
_LEADS_IN = re.compile(
    r"(?:(?:原文|全文|正文|详情|具体内容)(?:如下|见下)|(?:以下|下面)[是为](?:通知|公告|文件|意见|办法)?(?:原文|全文|正文))[^\w\s]{0,4}$"
)
"""The line with which somebody who posts a text on leads over to it (…发布了通知。原文如下：)."""
_SIGNER = re.compile(r"[\s|]{0,40}签发人[:：].*")
"""Who signed the letter within the house, beside its number."""
_MAIL_HEAD = re.compile(
    r"[*_]{0,2}(?:发件人|寄件人|收件人|抄送|主题|日期|时间|发送时间|发送日期|From|To|Cc|Subject|Date|Sent)[*_]{0,2}\s{0,4}[:：]",
    re.IGNORECASE,
)
_MAIL_HEADS = 3
"""So many lines below each other tell from whom a mail came that is passed on."""
_POSTED_ON = 1500
"""Characters in which that line stands."""
_UNIT = re.compile(
    r"^(?:第[一二三四五六七八九十百千\d]+(?:编|分编|章|节|条)|[一二三四五六七八九十]+、|总\s*则$|序\s*言$|前\s*言$|"
    r"\d{1,2}(?:\.\d{1,2})*[.．、]?[\s\u3000]*(?:总\s*则|范围|前言|引言|概述|目的|适用范围|术语)|\d{1,2}(?:\.\d{1,2})+[\s\u3000]*(?!版)[\u4e00-\u9fa5])"
)
_CLAUSE = re.compile(r"\d{1,2}[\s\u3000]{1,6}[\u4e00-\u9fa5]{2,12}$")
"""The heading of a clause that only a blank sets off from its number (1 总体要求)."""
_ORGAN = re.compile(
    r"[\u4e00-\u9fa5（）()]{2,24}(?:委员会|常委会|委|局|部|厅|办公室|监管办|能源监管办|办|署|院|政府|司|中心|公司|协会|联合会|总社|银行|会|"
    r"[总支大]队|[总分支]行|总站|研究所|领导小组)"
)
SEALED = re.compile(r"[（(](?:代章|[盖公印]?章|印)[）)]$")
"""What stands behind the name of a body in place of its seal."""
_ACTS = re.compile("关于|印发|转发")
"""What bodies do; a line that says it is the first half of a title (某局关于转发某局…)."""
_COUNCILS = frozenset(("中共中央", "国务院", "中央军委", "全国人大", "全国政协"))
"""Bodies whose names do not end like those of others."""
_LETTER_KIND = re.compile(r"(?:通知|意见|函|公告|通告|通报|决定|批复|命令|令|请示|报告)(?:[（(].{1,12}[）)])?$")
_TAIL_MARK = re.compile(
    r"[（(](?!(?:[^（）()]*\d\s*月)?[^（）()]*\d\s*[月日])(?!此件|主动公开)(?=[^（）()]{2,30}[）)])"
    r"[^（）()]*(?:试行|暂行|修订|修正|版|稿|草案|文本|年|专章|\d{8}|[Vv]\d)[^（）()]{0,12}[）)]"
)
"""What stands in brackets under a title and belongs to it: edition, trial, draft, years; never a day."""
_STAMP = re.compile(r"(?<!\s)\s*(?:[-—－_]\s*)?20\d{6}(?=[）)])")
"""The day of a file's edition inside such a bracket (第6版-20311230)."""
_NUMBERED = re.compile(
    r"[（(](?:[^（）()]{1,20}[〔\[﹝【（(](?:19|20)\d{2}[〕\]﹞】）)]第?\d{1,5}号|(?:(?:19|20)\d{2}年)?第?\d{1,4}号令)[）)]$"
)
"""A document number, or that of an order, that a site sets behind the title."""
_CUT_ORGANS = re.compile(r"(?P<organs>(?:[\u4e00-\u9fa5]{4,24}\s)+(?P<last>[\u4e00-\u9fa5]{1,8}?))(?=关于)")
"""A list of issuers that the edge of a print cut off within a name."""
_GENERIC = re.compile(
    r"(?:的|暂行|试行|实施|管理|监督|监管|工作|运营|运行|交易|服务|行动|建设|技术|考核|评价|补偿|结算|操作|若干|指导|补充|基本)*"
    r"(?:办法|细则|规则|规定|方案|意见|通知|规程|导则|指引|指南|计划|规划|条例|通告|公告|复函|函|批复|条款|内容|要点|标准)(?:[（(].{1,16}[）)])?(?:的(?:通知|公告|函))?"
)
"""Words every title may end with and none consists of: the rest of a title broken before them."""
_JOINS = re.compile("[与和及、]")
"""How the second line of a title opens whose first one only seems to end (…核算报告 / 与核查工作的通知)."""
_MARKET_BODY = re.compile(r"[\u4e00-\u9fa5（）()]{2,20}(?:交易中心|公司|交易所)")
_ORDER_END = re.compile(r"(?:〔?(?:19|20)\d{2}〕?年?)?第?[\d一二三四五六七八九十百〇零]+号")
_POSTED = re.compile(
    r"(?:20|19)\d\d[-/.年]\d\d?[-/.月]\d\d?日?(?:\s+\d\d?:\d\d|\s*$|\s*来源)|(?:发布时间|发布日期|来\s*源|日期|时间)\s*[:：]"
)
"""When and by whom a site posted what stands under the headline above."""
_DAY_BEHIND = re.compile(r"(?<![\s\u3000])[\s\u3000]{1,20}(?:19|20)\d{2}\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?日$")
_TABLE_TITLE = re.compile(r"表(?:[（(][^（）()]{1,20}[）)])?$")
_TABLE_REACH = 200
"""Characters from the title of a table to its first row at most."""
_GENERIC_END = re.compile(rf"[\u4e00-\u9fa5]{{0,8}}(?:{KINDS})")
"""A second line that says what kind of paper the first line names."""
_HEADING_CHARS = 80
_SAID_AGAIN = 8
"""Characters that no title says twice."""
_TITLE_LINES = 6
_HEAD_LINES = 70


@dataclass(frozen=True, slots=True)
class LetterLine:
    """One non-blank line, without markup and outer blanks; characters set apart one by one (公　告) are joined."""

    span: Span
    text: str
    marked: bool
    """It carries a Markdown heading mark."""


@dataclass(frozen=True, slots=True)
class FoundTitle:
    """Words read from the text, and where."""

    words: str
    span: Span


def lines(text: str, start: int = 0, end: int | None = None) -> Iterator[LetterLine]:
    """Yield the non-blank lines of ``text[start:end]``."""
    for match in re.finditer(r"[^\n\f]+", text[start:end]):
        raw = match[0].strip(" \t\r\u3000\xa0\u200b\ufeff")
        if raw:
            at = start + match.start() + match[0].index(raw)
            bare = raw.lstrip("#").lstrip() if raw.startswith("#") else raw
            if bare:
                yield LetterLine(Span(at + len(raw) - len(bare), at + len(raw)), closed(bare), bare != raw)


def is_organ(words: str) -> bool:
    """Tell whether words look like the name of a body (发文机关)."""
    words = SEALED.sub("", words)
    named = len(words) >= 3 and _ORGAN.fullmatch(words) is not None
    return words in _COUNCILS or (named and _ACTS.search(words) is None)


# --- title ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def title_of(text: str) -> FoundTitle | None:
    """Return the title at the head of a text, None when the text carries none.

    A letterhead, issuers on lines of their own, numbers, dates and navigation are no part of it.
    """
    head = _head(text)
    best: tuple[float, int, Sequence[LetterLine]] | None = None
    for index in range(len(head)):
        found = _title_from(head, index)
        if found is not None:
            score = _title_score(head, index, found)
            if best is None or score > best[0]:
                best = (score, index, found)
    if best is not None:
        return _joined(text, _with_bodies_above(head, best[1], best[2]))
    return _glued_title(text) or _plain_title(text, head)


def _with_bodies_above(head: Sequence[LetterLine], index: int, taken: Sequence[LetterLine]) -> Sequence[LetterLine]:
    """Take along the bodies on the line above 关于…, or the exchange above the title of its own rule: they are part of it.

    Bodies on several lines, one to each, are a letterhead, and so are more than three: titles do not name so many.
    """
    whole = "".join(line.text for line in taken)
    if _by_organs(whole):
        return [*_cosigners_above(head, index, whole), *taken]
    if not whole.startswith("关于"):
        above = head[index - 1] if index else None
        alone = above is not None and _MARKET_BODY.fullmatch(above.text.strip()) and above.text.strip() not in whole
        letter = "关于" in whole or _LETTER_KIND.search(whole) is not None
        return [above, *taken] if above is not None and alone and not letter else taken
    stacked = [line for line in head[max(0, index - 2) : index] if only_organs(line.text)]
    few = (
        len(stacked) == 1
        and stacked[0] is head[index - 1]
        and len(re.split(r"[\s\u3000、]+", tidy(stacked[0].text))) <= 3
    )
    return [*stacked, *taken] if few else taken


def _cosigners_above(head: Sequence[LetterLine], index: int, whole: str) -> Sequence[LetterLine]:
    """Return the lines above 某局关于… that name the other bodies of the title; a letterhead names that body as well."""
    first = index
    while first and index - first < 3 and only_organs(head[first - 1].text) and not _is_furniture(head[first - 1].text):
        first -= 1
    above = "".join(line.text for line in head[first:index])
    own = re.split(r"[\s\u3000、]+", tidy(whole.partition("关于")[0]))
    return head[first:index] if not any(name in above for name in own) else ()


def _glued_title(text: str) -> FoundTitle | None:
    """Return a title that runs on into its document number on the first line (…的通知粤发改〔2026〕1号各市…)."""
    flat = flatten(text)
    core = re.search(r"[〔（](?:19|20)\d{2}[〕）]第?\d{1,5}号", flat.text[:400])
    for end in range(core.start() - 2 if core else 0, max(0, core.start() - 18) if core else 0, -1):
        words = flat.text[:end]
        runs_on = core is not None and re.fullmatch("[\u4e00-\u9fa5]+", flat.text[end : core.start()])
        if runs_on and "。" not in words and _LETTER_KIND.search(words) and _is_whole_title(words):
            return FoundTitle(tidy(flat.words(0, end)), flat.span(0, end))
    return None


def _head(text: str) -> list[LetterLine]:
    """Return the lines before the body: up to the first sentence, article, or note under the title."""
    head: list[LetterLine] = []
    start = letter_start(text)
    for line in lines(text, start, start + 8000):
        body = line.text.replace("　", "").replace(" ", "")
        opens = _UNIT.match(body) or _CLAUSE.match(line.text) or _NOTE.match(body)
        if len(head) >= _HEAD_LINES or (head and (opens or _is_sentence(line.text))):
            break
        head.append(line)
    return head


def letter_start(text: str) -> int:
    """Return where a text begins that somebody posted or mailed on: behind the line that leads over to it and what they
    say themselves, at the head of the letter; else 0.
    """
    start = led_to(text)
    head = list(lines(text, start, start + _POSTED_ON))
    first = next(letter_heads(head), 0)  # behind it begins the next letter of a gazette (公报)
    return head[first].span.start if _is_said(head[:first]) else start


def led_to(text: str) -> int:
    """Return where the line ends with which somebody leads over to the text that he passes on, or the head of the mail
    that he does; 0 without one, and where a letter says so in its own body (提出以下要求，具体内容如下).
    """
    head = list(lines(text, 0, _POSTED_ON))
    mailed = [_MAIL_HEAD.match(line.text) is not None for line in head]
    last = max(
        (at for at in range(len(head)) if all(mailed[max(0, at - _MAIL_HEADS + 1) : at + 1]) and at + 1 >= _MAIL_HEADS),
        default=None,
    )
    if last is not None:
        return head[last].span.end
    at = next((at for at, line in enumerate(head) if _LEADS_IN.search(line.text)), None)
    return 0 if at is None or _is_letter(head[:at]) else head[at].span.end


def _is_letter(above: Sequence[LetterLine]) -> bool:
    """Tell whether lines hold the head of a letter: a number, or a title and whom it addresses."""
    numbered = any(re.fullmatch(NUMBER, flatten(line.text).text) for line in above)
    return numbered or (_addresses(above) and any("关于" in x.text and looks_like_title(x.text) for x in above))


def _is_said(above: Sequence[LetterLine]) -> bool:
    """Tell whether lines are what somebody says who passes a letter on: sentences, and no title of a letter of their own."""
    titled = any("关于" in line.text and looks_like_title(line.text) for line in above)
    return not titled and any(re.search(r"[。！：:]$|，", line.text) for line in above)


def letter_heads(head: Sequence[LetterLine]) -> Iterator[int]:
    """Yield the lines at which the head of a letter begins: bodies and title above its number, whom it addresses below;
    of one without a number its title, right above whom it addresses; of an announcement its title, right above its number.
    """
    for at, line in enumerate(head):
        if not line.text.endswith(("号", "）", ")", "：", ":")) and not _SIGNER.search(line.text):
            continue
        numbered = re.fullmatch(NUMBER, flatten(_SIGNER.sub("", line.text)).text) is not None
        sizes = (size for size in range(1, min(at, 3) + 1) if _is_letter_title(head[at - size : at]))
        size = next(sizes, 0)
        if not (
            _addresses(head[at + 1 : at + 7]) if numbered else size and (_addresses([line]) or _is_number(line.text))
        ):
            continue
        first = at - size
        while first and (only_organs(head[first - 1].text) or _LETTERHEAD.fullmatch(head[first - 1].text)):
            first -= 1
        yield first


def _addresses(below: Sequence[LetterLine]) -> bool:
    return any(line.text.endswith(("：", ":")) for line in below)


def _is_letter_title(taken: Sequence[LetterLine]) -> bool:
    whole = "".join(line.text for line in taken)
    return "关于" in whole and _LETTER_KIND.search(whole) is not None and _is_whole_title(whole)


def _is_sentence(words: str) -> bool:
    return re.search(r"。|[，；]$", words) is not None or len(words) > 150


def _is_furniture(words: str) -> bool:
    site = page_words()
    paper = _FURNITURE.fullmatch(words) is not None or _LETTERHEAD.fullmatch(words) is not None
    return paper or site.is_tool(words) or site.is_card(words) or site.opens_list(words)


def _is_number(words: str) -> bool:
    flat = flatten(_LABEL.sub("", words)).text
    return (
        STANDARD.fullmatch(re.sub(r"^[A-Z][\s\u3000]{1,20}", "", words)) is not None  # behind its class (P　GB …)
        or re.fullmatch(
            rf"{NUMBER}|{ORDER}|(?:\d{{4}}年|〔\d{{4}}〕)?第?[\d一二三四五六七八九十百]+(?:号|[期次](?:[|｜]?{DATE})?)",
            flat,
        )
        is not None
    )


def _title_from(head: Sequence[LetterLine], index: int) -> Sequence[LetterLine] | None:
    """Return the lines from ``index`` that make a whole title, None when none begins there."""
    first = head[index].text
    if _is_furniture(first) or _is_number(first) or only_organs(_DAY_BEHIND.sub("", first)) or not _may_open(first):
        return None
    if " | " in first:
        return None  # a row of a table (分值 | 评分标准)
    for size in range(1, _TITLE_LINES + 1):
        taken = head[index : index + size]
        if len(taken) < size or not _may_continue(taken):
            return None
        above, last = "".join(line.text for line in taken[:-1]), taken[-1]
        if above and not above.endswith("的") and len(last.text) < last.span.end - last.span.start:
            return None  # characters set apart (说　明) are a heading of their own
        whole = _NUMBERED.sub("", above + last.text)
        if _is_whole_title(whole):
            if size > 1 and _is_said_above(taken):
                return None
            return _extended(head, index, size)
    return None


def _may_open(words: str) -> bool:
    """Tell whether words may open a title: no closing mark, no heading of a chapter, no mere end of a title."""
    flat = flatten(words).text
    if re.match(r"[，、。；：的》）|]", flat) or re.fullmatch(r"（[^（）]*）", flat):
        return False
    return _UNIT.match(flat) is None and _GENERIC.fullmatch(flat) is None


def _is_said_above(taken: Sequence[LetterLine]) -> bool:
    """Tell whether the last of lines repeats what a headline above says whole: it names the letter that begins below it."""
    *above, last = (line.text for line in taken)
    return len(last) >= _SAID_AGAIN and any(last in words for words in above)


def _may_continue(taken: Sequence[LetterLine]) -> bool:
    last = taken[-1].text
    runs_on = len(taken) > 1 and taken[-2].text.endswith("的")  # 通知 is a word of menus as well
    if len(taken) > 1 and (
        (_is_furniture(last) and not runs_on) or _is_number(last) or taken[-1].marked or " | " in last
    ):
        return False
    return re.search(r"[。：:；]$", last) is None and sum(len(line.text) for line in taken) <= 200


def _is_whole_title(words: str) -> bool:
    balanced = words.count("《") == words.count("》") and words.count("（") + words.count("(") == words.count(
        "）"
    ) + words.count(")")
    return balanced and len(words) >= 4 and looks_like_title(words) and not re.search("[：:]", words)


def _extended(head: Sequence[LetterLine], index: int, size: int) -> Sequence[LetterLine]:
    """Take along what still belongs to a whole title: （试行） on its own line, or 的通知 after a 办法."""
    taken = head[index : index + size]
    whole = _NUMBERED.sub("", "".join(line.text for line in taken))
    following = head[index + size].text if index + size < len(head) else ""
    bare = "关于" not in whole and not re.search(r"第\S{1,6}号", whole)
    if bare and whole.endswith(("令", "公告")) and _ORDER_END.fullmatch(flatten(following).text):
        return head[index : index + size + 1]
    for more in range(1, 3):
        longer = head[index : index + size + more]
        if len(longer) < size + more or not _may_continue(longer):
            break
        added = "".join(line.text for line in longer[size:])
        if _TAIL_MARK.fullmatch(added):
            return longer
        if more == 1 and _GENERIC.fullmatch(flatten(added).text) and not _TAIL_MARK.search(whole):
            return _extended(head, index, size + 1)
        opens_letter = "关于" in whole and (_JOINS.match(added) or not _LETTER_KIND.search(whole))
        if opens_letter and _LETTER_KIND.search(added) and _is_whole_title(whole + added):
            return longer
    return taken


def _title_score(head: Sequence[LetterLine], index: int, taken: Sequence[LetterLine]) -> float:
    """Rank title candidates: near a number, a note or the body is better, and so is 关于…的通知."""
    whole = "".join(line.text for line in taken)
    after = head[index + len(taken)].text if index + len(taken) < len(head) else ""
    before = head[index - 1].text if index else ""
    score = 0.0
    score += 3.0 * (taken[0].marked and not any(line.marked for line in head[:index]))
    score += 2.0 * (_is_number(after) or _is_number(before) or re.search(r"[：:]$", after) is not None)
    score += 1.5 * (not after) + 1.0 * (
        re.search(r"关于.{0,300}(?:通知|意见|函|公告|通告|通报|决定|批复|解释|规定)", whole) is not None
    )
    near = head[index + len(taken) : index + len(taken) + 4]
    score += 1.0 * any(_is_number(line.text) for line in near) + 0.5 * _by_organs(whole)
    score -= 1.0 * (re.match(r"一图读懂|图解|.{0,40}(?:解读|答记者问)", whole) is not None)
    score -= 3.0 * (whole.endswith("会议纪要") and "关于" not in whole)  # the letterhead of minutes
    score += 1.0 * (index == 0) - 2.0 * (re.search(r"[_|]|[-—]国家|【|】", whole) is not None)
    return score - 0.02 * index


def _by_organs(words: str) -> bool:
    """Tell whether a title begins with who issued it (国家能源局关于…), as the head of the letter itself does."""
    before = tidy(words.partition("关于")[0]).removesuffix("等部门").removesuffix("等单位")
    parts = [part for part in re.split(r"[\s\u3000、]+", before) if part]
    return "关于" in words and bool(parts) and all(is_organ(part) for part in parts)


def only_organs(words: str) -> bool:
    """Tell whether words are names of bodies, one or several side by side."""
    parts = re.split(r"[\s\u3000、]+", tidy(words))
    return all(is_organ(part) for part in parts if part) and not looks_like_title(words)


def _joined(text: str, taken: Sequence[LetterLine]) -> FoundTitle:
    span = Span(taken[0].span.start, taken[-1].span.end)
    words = _NUMBERED.sub("", _STAMP.sub("", tidy("\n".join(line.text for line in taken))))
    words = re.sub(r"[（(][^（）()]*[）)]$", lambda mark: re.sub(r"\s", "", mark[0]), words)
    cut = _CUT_ORGANS.match(words)
    return FoundTitle(words[cut.end("organs") :] if cut and not is_organ(cut["last"]) else words, span)


def _is_headline(words: str) -> bool:
    """Tell whether words may be a headline: no furniture, no row of navigation, no sentence, no addressee."""
    plain = 8 <= len(words) <= 80 and len(words.split()) <= 3 and re.search(r"[，。；：:|]", words) is None
    return plain and not _is_furniture(words) and not _is_number(words)


def heading_of(text: str) -> FoundTitle | None:
    """Return the first lines above the body where nothing reads like the title of a rule (新闻、说明书), None without any."""
    shown = [line for line in _head(text) if not (_is_furniture(line.text) or _is_number(line.text))]
    own = [line for line in shown if _POSTED.match(line.text) is None and not only_organs(line.text)]
    if not own or len(own[0].text) > _HEADING_CHARS or re.search(r"[。；]| \| ", own[0].text):
        return None
    ends = len(own) > 1 and _GENERIC_END.fullmatch(own[1].text.strip()) is not None
    return FoundTitle(tidy("\n".join(line.text for line in own[: 1 + ends])), own[0].span)


def _plain_title(text: str, head: Sequence[LetterLine]) -> FoundTitle | None:
    """A line that is no sentence, when nothing better is found: a Markdown heading, a headline over a subtitle or a
    line that tells when and by whom a site posted it.
    """
    for line, below in pairwise(head):
        if _POSTED.match(below.text) and _is_headline(line.text):
            return FoundTitle(tidy(line.text), line.span)
    shown = [line for line in head if not _is_furniture(line.text) and not _is_number(line.text)]
    if not shown:
        return None
    first = shown[0]
    subtitled = len(shown) > 1 and shown[1].text.startswith(("——", "—"))
    if subtitled and len(first.text) <= 60:
        return _joined(text, shown[:2])
    named = next((line for line in head if _TABLE_TITLE.search(line.text) and _is_headline(line.text)), None)
    if named is not None and " | " in text[named.span.end : named.span.end + _TABLE_REACH]:
        return FoundTitle(tidy(named.text), named.span)
    if len(head) == 1 and _is_headline(first.text) and _is_sentence(next(lines(text, first.span.end), first).text):
        return FoundTitle(tidy(first.text), first.span)
    return FoundTitle(tidy(first.text), first.span) if first.marked else None


# --- what a letter issues -----------------------------------------------------------------------------------------------

_ANNOUNCES = re.compile(r"公告(?:[^《》]{0,12}号)?$")
"""An announcement that is called by its number alone; what it issues stands in its body."""
_ISSUES = re.compile(r"关于(?:重新|联合)?(?:印发|发布|公布|颁发|下发|颁布|试行|修订(?:印发)?)")
_BARE_ISSUE = re.compile(r"(?:印发|发布|公布|颁发|下发|颁布)(?P<t>[^《》]{4,60}?)的(?:通知|公告)")
_ROW = r"(?:、|和|及|以及|与|，)?"
"""What stands between the titles of one row."""
_NOW_ISSUED = re.compile(
    rf"现(?:予以?|将)?(?:修订后的)?(?:《▮+》{_ROW}){{0,12}}[^。《》]{{0,30}}?(?:印发|下发|发布|公布|公告|颁布)"
)
_MADE_BEFORE = re.compile(r"(?:（[^）]*）|等|以下简称)*(?:，|已|经|业)[^。；《》]{0,80}$|(?:（[^）]*）)*[，、]?$")


def issued_titles(text: str) -> list[str]:
    """Return the titles that a covering notice issues: those in its own title, else those its body says it issues."""
    title = title_of(text)
    if title is None:
        return _issued_in_body(flatten(text))
    line = flatten(title.words)
    if re.search(r"令(?:[^《》]{0,12}号）?)?$", line.text):
        return _issued_by_order(flatten(text))
    if "关于" not in line.text and _ANNOUNCES.search(line.text):
        return _issued_in_body(flatten(text))
    issues = _ISSUES.search(line.text)
    if issues is None or not re.search(r"(?:通知|公告|函)(?:（[^）]*）)*$", line.text):
        return []
    named = [mark.title for mark in marks(line) if mark.start >= issues.end()]
    bare = _BARE_ISSUE.search(title.words)
    if named or bare is None or not looks_like_title(bare["t"]):
        return named
    return [bare["t"], *_issued_in_body(flatten(text))]


_ORDERED = re.compile(r"《(?P<t>▮+)》[^。《》]{0,120}?现(?:予以?)?(?:公布|发布)|现(?:予以?)?(?:公布|发布)《(?P<u>▮+)》")


def _issued_by_order(flat: FlatText) -> list[str]:
    """《X》已经…通过，现予公布: the text of an order; of an amending decision also the text it amends."""
    shown = masked(flat, 0, 1500)
    match = _ORDERED.search(shown)
    if match is None:
        return []
    title = tidy(flat.words(*match.span("t" if match["t"] else "u")))
    return [title, *re.findall(r"[〈<＜]([^〈〉<>＜＞]+)[〉>＞]", title)]


def _issued_in_body(flat: FlatText) -> list[str]:
    """《X》已经…同意，现印发给你们, or 现印发《X》: the titles next to the verb, no others of the sentence."""
    issues = _NOW_ISSUED.search(masked(flat, 0, 1500))
    if issues is None:
        return []
    row = marks(flat)
    after = [m.title for m in row if issues.start() <= m.start <= issues.end() + 2]
    if after:
        return after
    before = [mark for mark in row if mark.end <= issues.start()]
    if not before or not _MADE_BEFORE.match(flat.text[before[-1].end : issues.start()]):
        return []
    first = len(before) - 1
    while first and re.fullmatch(_ROW, flat.text[before[first - 1].end : before[first].start]):
        first -= 1
    based = re.search(r"(?:根据|按照|依据)[^，。]*$", flat.text[max(0, before[first].start - 60) : before[first].start])
    return [] if based else [mark.title for mark in before[first:] if looks_like_title(mark.title)]

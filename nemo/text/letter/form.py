"""The head of an official text (公文格式): its lines, its title, and the rules that a covering notice issues.

Works on lines as they come out of any parser: titles broken over lines, numbers and dates broken into single
characters, letterheads, navigation above and below the body of a web page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nemo.text.letter.titles import NUMBER, ORDER, looks_like_title, marks, masked, tidy
from nemo.text.words.days import DATE
from nemo.text.words.flat import Flat, flatten
from nemo.types import Span

_FURNITURE = re.compile(
    r"<!--.*?-->|\[?第\s*\d+\s*页\]?(?:\s*共\s*\d+\s*页)?|[—–\-－·\s]*\d+[—–\-－·\s]*|目\s*录|首\s*页|返回首页|页面(?:放大|缩小)|语音播报|"
    r"指读|大鼠标|退出长者模式|设为首页|工作邮箱|搜索|机构概览|动态要闻|信息公开|在线办事|互动回应|专题专栏|政务公开|政策|通知|通知公告|"
    r"规范性文件|公告|Aa|[大中小|>＞›/]|\[?\s*(?:打印|关闭|朗读|分享)\s*\]?|分享到.*|当前位置.*|您(?:现在)?的?(?:当前)?位置.*|"
    r"(?:来源|字体|字号|发布(?:时间|日期)|发文(?:机关|机构)|成文日期|索\s*引\s*号|主题词|分类|浏览次数|有\s*效\s*性|标\s*题|公开属性|"
    r"信息来源|作者|编辑|责任编辑|文章来源|日期|时间|名\s*称|公文种类|主题分类|公开方式|体裁分类)\s*[:：].*|"
    r"(?:20|19)\d\d[-/.]\d\d?[-/.]\d\d?(?:\s+\d\d?:\d\d(?::\d\d)?)?|附\s*件\s*[\d一二三四五六七八九十]*\s*[:：.]?|[（(]?此件.*|[（(]主动公开[）)]"
)
"""Whole lines that are no part of a text: page numbers, navigation, labels."""

_LETTERHEAD = re.compile(r"[\u4e00-\u9fa5、\s\u3000]{3,60}文\s*件")
_LABEL = re.compile(r"^(?:发文字号|文\s*号|文件编号)\s*[:：]\s*")
_NOTE = re.compile(rf"^[（(]?(?:根据)?{DATE}")
_UNIT = re.compile(
    r"^(?:第[一二三四五六七八九十百千\d]+(?:编|分编|章|节|条)|[一二三四五六七八九十]+、|总\s*则$|序\s*言$|前\s*言$)"
)
_ORGAN = re.compile(
    r"[\u4e00-\u9fa5（）()]{2,24}(?:委员会|常委会|委|局|部|厅|办公室|监管办|能源监管办|办|署|院|政府|司|中心|公司|协会|联合会|总社|银行|会)"
)
_LETTER_KIND = re.compile(r"(?:通知|意见|函|公告|通告|通报|决定|批复|命令|令|请示|报告)(?:[（(].{1,12}[）)])?$")
_TAIL_MARK = re.compile(
    r"[（(](?:试行|暂行|修订|修订稿|修正|\d{4}年.{0,6}|征求意见稿|草案|送审稿|讨论稿|公开征求意见稿|\d{4}年?版|(?:演示|示范|样本)文本|\S{1,4}版)[）)]"
)
_ORDER_END = re.compile(r"(?:〔?(?:19|20)\d{2}〕?年?)?第?[\d一二三四五六七八九十百〇零]+号")
_TITLE_LINES = 6
_HEAD_LINES = 70


@dataclass(frozen=True, slots=True)
class LetterLine:
    """One non-blank line, without markup and outer blanks."""

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
                yield LetterLine(Span(at + len(raw) - len(bare), at + len(raw)), bare, bare != raw)


def is_organ(words: str) -> bool:
    """Tell whether words look like the name of a body (发文机关)."""
    return len(words) >= 3 and _ORGAN.fullmatch(words) is not None


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
        return _joined(text, best[2])
    return _glued_title(text) or _plain_title(text, head)


def _glued_title(text: str) -> FoundTitle | None:
    """Return a title that runs on into its document number on the first line (…的通知粤发改〔2026〕1号各市…)."""
    flat = flatten(text)
    core = re.search(r"[〔（](?:19|20)\d{2}[〕）]第?\d{1,5}号", flat.text[:400])
    for end in range(core.start() - 2 if core else 0, max(0, core.start() - 18) if core else 0, -1):
        words = flat.text[:end]
        if "。" not in words and _LETTER_KIND.search(words) and _is_whole_title(words):
            return FoundTitle(tidy(flat.words(0, end)), flat.span(0, end))
    return None


def _head(text: str) -> list[LetterLine]:
    """Return the lines before the body: up to the first sentence, article, or note under the title."""
    head: list[LetterLine] = []
    for line in lines(text, 0, 8000):
        body = line.text.replace("　", "").replace(" ", "")
        if len(head) >= _HEAD_LINES or (head and (_UNIT.match(body) or _NOTE.match(body) or _is_sentence(line.text))):
            break
        head.append(line)
    return head


def _is_sentence(words: str) -> bool:
    return re.search(r"。|[，；]$", words) is not None or len(words) > 150


def _is_furniture(words: str) -> bool:
    return _FURNITURE.fullmatch(words) is not None or _LETTERHEAD.fullmatch(words) is not None


def _is_number(words: str) -> bool:
    flat = flatten(_LABEL.sub("", words)).text
    return re.fullmatch(rf"{NUMBER}|{ORDER}|第[\d一二三四五六七八九十百]+号", flat) is not None


def _title_from(head: Sequence[LetterLine], index: int) -> Sequence[LetterLine] | None:
    """Return the lines from ``index`` that make a whole title, None when none begins there."""
    first = head[index].text
    if _is_furniture(first) or _is_number(first) or _only_organs(first) or re.match(r"[，、。；：的》）)]", first):
        return None
    for size in range(1, _TITLE_LINES + 1):
        taken = head[index : index + size]
        if len(taken) < size or not _may_continue(taken):
            return None
        whole = "".join(line.text for line in taken)
        if _is_whole_title(whole):
            return _extended(head, index, size)
    return None


def _may_continue(taken: Sequence[LetterLine]) -> bool:
    last = taken[-1].text
    if len(taken) > 1 and (_is_furniture(last) or _is_number(last) or taken[-1].marked):
        return False
    return re.search(r"[。：:；]$", last) is None and sum(len(line.text) for line in taken) <= 200


def _is_whole_title(words: str) -> bool:
    balanced = words.count("《") == words.count("》") and words.count("（") + words.count("(") == words.count(
        "）"
    ) + words.count(")")
    return balanced and len(words) >= 4 and looks_like_title(words) and "：" not in words


def _extended(head: Sequence[LetterLine], index: int, size: int) -> Sequence[LetterLine]:
    """Take along what still belongs to a whole title: （试行） on its own line, or 的通知 after a 办法."""
    taken = head[index : index + size]
    whole = "".join(line.text for line in taken)
    following = head[index + size].text if index + size < len(head) else ""
    if whole.endswith(("令", "公告")) and _ORDER_END.fullmatch(flatten(following).text):
        return head[index : index + size + 1]
    for more in range(1, 3):
        longer = head[index : index + size + more]
        if len(longer) < size + more or not _may_continue(longer):
            break
        added = "".join(line.text for line in longer[size:])
        if _TAIL_MARK.fullmatch(added):
            return longer
        opens_letter = "关于" in whole and not _LETTER_KIND.search(whole)
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
    score += 1.0 * (index == 0) - 2.0 * (re.search(r"[_|]|[-—]国家|【|】", whole) is not None)
    return score - 0.02 * index


def _only_organs(words: str) -> bool:
    parts = re.split(r"[\s\u3000、]+", tidy(words))
    return all(is_organ(part) for part in parts if part) and not looks_like_title(words)


def _joined(text: str, taken: Sequence[LetterLine]) -> FoundTitle:
    span = Span(taken[0].span.start, taken[-1].span.end)
    return FoundTitle(tidy("\n".join(line.text for line in taken)), span)


def _plain_title(text: str, head: Sequence[LetterLine]) -> FoundTitle | None:
    """A first line that is no sentence, when nothing better is found: a Markdown heading, or a headline with a subtitle."""
    shown = [line for line in head if not _is_furniture(line.text) and not _is_number(line.text)]
    if not shown:
        return None
    first = shown[0]
    subtitled = len(shown) > 1 and shown[1].text.startswith(("——", "—"))
    if subtitled and len(first.text) <= 60:
        return _joined(text, shown[:2])
    return FoundTitle(tidy(first.text), first.span) if first.marked else None


# --- what a letter issues -----------------------------------------------------------------------------------------------

_ISSUES = re.compile(r"关于(?:重新|联合)?(?:印发|发布|公布|颁发|下发|颁布|试行|修订(?:印发)?)")
_BARE_ISSUE = re.compile(r"(?:印发|发布|公布|颁发|下发|颁布)(?P<t>[^《》]{4,60}?)的(?:通知|公告)")
_NOW_ISSUED = re.compile(r"现(?:予以?|将)?(?:修订后的)?(?:《▮+》)?[^。《》]{0,30}?(?:印发|发布|公布|颁布)")
_MADE_BEFORE = re.compile(r"(?:（[^）]*）|等|以下简称)*(?:，|已|经|业)[^。；《》]{0,80}$|(?:（[^）]*）)*[，、]?$")


def issued_titles(text: str) -> list[str]:
    """Return the titles that a covering notice issues: those in its own title, else those its body says it issues."""
    title = title_of(text)
    if title is None:
        return _issued_in_body(flatten(text))
    line = flatten(title.words)
    if re.search(r"令(?:[^《》]{0,12}号)?$", line.text):
        return _issued_by_order(flatten(text))
    issues = _ISSUES.search(line.text)
    if issues is None or not re.search(r"(?:通知|公告|函)(?:（[^）]*）)*$", line.text):
        return []
    named = [mark.title for mark in marks(line) if mark.start >= issues.end()]
    bare = _BARE_ISSUE.search(title.words)
    if named or bare is None or not looks_like_title(bare["t"]):
        return named
    return [bare["t"], *_issued_in_body(flatten(text))]


_ORDERED = re.compile(r"《(?P<t>▮+)》[^。《》]{0,120}?现(?:予以?)?(?:公布|发布)|现(?:予以?)?(?:公布|发布)《(?P<u>▮+)》")


def _issued_by_order(flat: Flat) -> list[str]:
    """《X》已经…通过，现予公布: the text of an order; of an amending decision also the text it amends."""
    shown = masked(flat, 0, 1500)
    match = _ORDERED.search(shown)
    if match is None:
        return []
    title = tidy(flat.words(*match.span("t" if match["t"] else "u")))
    return [title, *re.findall(r"[〈<＜]([^〈〉<>＜＞]+)[〉>＞]", title)]


def _issued_in_body(flat: Flat) -> list[str]:
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
    leads = re.search(r"(?:根据|按照|依据)[^，。]*$", flat.text[max(0, before[-1].start - 60) : before[-1].start])
    return [before[-1].title] if looks_like_title(before[-1].title) and not leads else []

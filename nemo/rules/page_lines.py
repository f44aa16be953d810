"""Lines that stand around a text on a web page (页面附属行): what their words say, never whether they go.

One table for both readers: the parser that takes blocks of such lines out, and the reader of titles that skips them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from nemo.rules.loading import load
from nemo.settings import Settings

_LOST = "\ufffd"
"""A character that a print lost; what is left of a word of navigation may be a single one."""
_TOKENS = re.compile(r"[\s\u3000|｜丨>＞›»·：【】\[\]()（）\ufffd]+|(?<=\D)/(?=\D)|^/$")
_STAMP = re.compile(
    r"(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?|(?:19|20)\d\d年\d\d?月\d\d?日星期[一二三四五六日天]|\d\d?:\d\d(?::\d\d)?|星期[一二三四五六日天]"
)
"""How a page prints a day or an hour; a day in Chinese alone is how a text is signed."""
_STAMPED = re.compile(
    rf"^(?:[\[【(（]\s*)?(?:(?:{_STAMP.pattern}|(?:19|20)\d\d年\d\d?月\d\d?日(?=\s{{0,4}}\d\d?:\d\d))\s*)+"
)
_PRESSED = re.compile(r"^(?:【[^【】:：]{2,12}】\s*)+")
"""Buttons before a label (【我要纠错】责任编辑：…)."""
_COUNT = re.compile(
    r"(?<=[\u4e00-\u9fff])[ \u3000]{1,3}\d{1,9}(?:\.\d{1,2})?万?\+?(?=[ \u3000]|$)|^\d{1,9}(?:\.\d{1,2})?万?\+?人(?=[\u4e00-\u9fff])"
)
"""How often somebody pressed the button beside it (阅读 3.2万　赞 120, 1人听过)."""
_OWN_NUMBER = re.compile(r"^[\u4e00-\u9fa5]{1,16}[〔\[﹝](?:19|20)\d\d[〕\]﹞]第?\d{1,5}号[\s\u3000]{1,20}")
"""The document number before the tools on one line (粤发改规〔2034〕6号　发布时间：…)."""
_ORNAMENT = re.compile(r"^[^\w（(]+|[^\w）)]+$")
"""What a site sets around the head of a list (☞ 往期回顾：, 【相关链接】)."""
_LETTERS = re.compile(r"(?:^|(?<=[\s\u3000]))[\u4e00-\u9fff](?:[ \u3000][\u4e00-\u9fff])+(?=$|[\s\u3000])")
_BYLINE = re.compile(
    r"^[^。；：]{0,30}(?:19|20)\d\d\s?年\s?\d\d?\s?月\s?\d\d?\s?日\s*\d\d?:\d\d(?::\d\d)?(?:\s{0,9}[\u4e00-\u9fa5]{2,4}){0,2}$|^以下文章来源于"
    r"|^[^。；：]{2,30}\s(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?\s{1,3}\d\d?:\d\d(?::\d\d)?$"
)
"""Who posted an article of an account, with the hour and the place (某某能源 2031年4月9日 18:02 广东), or wrote in a chat."""
_LABELS = re.compile(r"(?:[\[【][^\[\]【】:：]{2,8}[:：][^\[\]【】]{1,30}[\]】][\s\u3000]{0,9}){2,9}")
"""Labels in brackets of their own (［发布：2033-3-2］　［浏览：209次］)."""
_PIECE = re.compile(rf"[\u4e00-\u9fff]{{2,6}}[:：]\S{{0,30}}|{_STAMP.pattern}")
"""A label with its value, or a stamp: a row of them with a stamp in it says who posted a text and when."""
_ENDS = re.compile(r"[-—–─~=*#\s]{1,12}(?:END|End|end|完)[-—–─~=*#\s]{1,12}|.{0,16}\d\d?:\d\d\s?/\s?\d\d?:\d\d.{0,16}")
"""How an account ends what it posts; the clock of a player that reads a page aloud (00:00 / 04:31)."""
_CRUMBS = re.compile(r"[^。；：|>＞»]{1,20}(?:[>＞»]{1,2}[^。；：|>＞»\d]{1,20}){2,8}")
"""Where a page stands in its site (某某委 > 政务公开 > 价格)."""
_DISCLAIMS = re.compile(
    r"©|[（(]?(?:特别|免责|版权|郑重|重要)?声\s?明\s*[:：]|【(?:特别|免责|版权|郑重|重要)?声\s?明】"
)
_SCAN = re.compile(
    r"^[^。；（]*(?:扫一扫|扫码|扫描|长按|识别|关注)[^。；]{0,24}(?:二维码|公众号|手机|浏览|阅读|查看|分享|打开|关注|本页|本文|全文)[^。；]{0,8}$"
)
_SCAN_CHARS = 40
_PAGER = re.compile(r"[上下前后]一页|[首尾末]页|分页|[第共]?\s?\d{1,3}\s?页?|PART|[\W_]", re.IGNORECASE)
"""The links between the parts of a long page (第1页/共2页　上一页　下一页), and what an account sets over its headings (PART 01)."""
_PAGES = re.compile(r"[上下]一页|PART\s*\d*$", re.IGNORECASE)
_FOOT_CHARS = 90
"""A footer line is an address or a register number; a longer one that names them is text."""
_FOOTER_CHARS = 500
"""A whole footer on one line holds several of them."""
_LABEL_CHARS = 60
_GLUED = 3
"""Shorter words of a menu may make a word of another meaning together."""
_SEVERAL = 4
"""So many of them do not."""
_CARD_CHARS = 200
_CARD_LABELS = 3
"""Labels of a card that no colon follows, at least; one of them is a label that only cards carry."""
_OF_CARDS = re.compile(r"索\s*引\s*号|发\s*文\s*字\s*号")


@dataclass(frozen=True)
class PageWords:
    """Look-ups over ``page_lines.toml``."""

    menu_words: frozenset[str]
    menu: re.Pattern[str]
    """Several words of a menu without a blank between them."""
    tool: re.Pattern[str]
    card: re.Pattern[str]
    foot: re.Pattern[str]
    list_head: re.Pattern[str]
    bare_label: re.Pattern[str]
    """A label of a card and the blank that parts it from its value."""

    def with_colons(self, lines: Sequence[str]) -> list[str]:
        """Return the lines, those of an index card whose labels no more than blanks part from their values (索引号 000/2031-1) with
        colons.
        """
        found: list[str] = []
        told = [self.bare_label.sub(r"\1：", line) if "。" not in line else line for line in lines]
        pairs = [(old, new if self.is_card(new) else old) for old, new in zip(lines, told, strict=True)]
        for same, run in groupby(pairs, key=lambda pair: pair[0] == pair[1]):
            rows = list(run)
            words = "".join(new for _, new in rows)
            is_card = not same and words.count("：") >= _CARD_LABELS and _OF_CARDS.search(words)
            found += [new if is_card else old for old, new in rows]
        return found

    def is_of_site(self, line: str) -> bool:
        """Whether a line by itself shows that it is the site's: a tool, an entry of a card, a footer, the head of a list."""
        return self.is_tool(line) or self.is_card(line) or self.is_foot(line) or self.opens_list(line)

    def is_menu(self, line: str) -> bool:
        """Whether a line holds nothing but words of navigation, stamps of time and single signs."""
        closed = _LETTERS.sub(lambda m: re.sub(r"[ \u3000]", "", m[0]), line)
        tokens = [t for t in _TOKENS.split(_COUNT.sub("", closed)) if len(t) > (_LOST in line)]
        return re.fullmatch(r"[\s\u3000|｜丨>＞›»/]+|[-=*─~]{4,}", line) is not None or (
            bool(tokens) and all(t in self.menu_words or _STAMP.fullmatch(t) or self.menu.fullmatch(t) for t in tokens)
        )

    def is_tool(self, line: str) -> bool:
        """Whether a line is a label of the page with its value (来源：…), a menu, or what a page sets among its text."""
        labelled = self.tool.match(_STAMPED.sub("", _PRESSED.sub("", _OWN_NUMBER.sub("", line)))) is not None
        return (
            self.is_byline(line)
            or _LABELS.fullmatch(line) is not None
            or any(pattern.fullmatch(line) for pattern in (_ENDS, _CRUMBS))
            or _is_posted(line)
            or self.is_menu(line)
            or self.is_inserted(line)
            or (len(line) <= _LABEL_CHARS and "。" not in line and labelled)
        )

    def is_byline(self, line: str) -> bool:
        """Whether a line says who posted or wrote something, and at what hour."""
        return len(line) <= _LABEL_CHARS and _BYLINE.search(line) is not None

    def is_inserted(self, line: str) -> bool:
        """Whether a line is what a page sets among its text: beside a code to scan (扫一扫，手机浏览本页), between its parts."""
        between = _PAGES.search(line) is not None and not _PAGER.sub("", line)
        return between or (len(line) <= _SCAN_CHARS and _SCAN.search(line) is not None)

    def is_card(self, line: str) -> bool:
        """Whether a line is an entry of an index card (索引号：…)."""
        return len(line) <= _CARD_CHARS and "。" not in line and self.card.match(line) is not None

    def is_foot(self, line: str) -> bool:
        """Whether a line belongs to a site's footer, or disclaims what stands above it."""
        if _DISCLAIMS.match(line):
            return True
        signs = set(self.foot.findall(line)) if "。" not in line else set()
        return len(line) <= (_FOOT_CHARS if len(signs) == 1 else _FOOTER_CHARS) and bool(signs)

    def opens_list(self, line: str) -> bool:
        """Whether a line is the head of a list of other articles (相关链接)."""
        return self.list_head.fullmatch(_ORNAMENT.sub("", line)) is not None


@lru_cache(maxsize=1)
def page_words() -> PageWords:
    """Return the look-ups over the rule data of this installation; read once per process.

    Raises:
        ConfigError: the rule data is missing or wrong.
    """
    words = {entry.code: entry.words for entry in load(Settings().rules).page_lines}
    return PageWords(
        frozenset(words["menu"]),
        re.compile(
            rf"(?:{'|'.join(re.escape(w) for w in words['menu'] if len(w) >= _GLUED)}){{2,}}|"
            rf"(?:{'|'.join(re.escape(w) for w in words['menu'] if len(w) == _GLUED - 1)}){{{_SEVERAL},}}"
        ),
        re.compile(rf"[\[【(（]?\s*(?:{_spaced(words['tool_label'])})\s*[:：丨｜]"),
        re.compile(
            rf"\|?\s*(?:[\[【]\s*)?(?:{_spaced(words['card_label'])})\s*(?:[\]】]|[:：]|\|)",
        ),
        re.compile("|".join(map(re.escape, words["foot"]))),
        re.compile(rf"(?:{'|'.join(map(re.escape, words['aside']))})(?:\s*[:：].*)?"),
        re.compile(rf"(?:^|(?<=[\s\u3000]))({_spaced(words['card_label'])})[\s\u3000]{{0,20}}(?=[^\s\u3000:：|])"),
    )


def _is_posted(line: str) -> bool:
    pieces = line.split() if len(line) <= _LABEL_CHARS else []
    return len(pieces) > 1 and _STAMP.search(line) is not None and all(map(_PIECE.fullmatch, pieces))


def _spaced(words: Iterable[str]) -> str:
    """Alternatives whose characters may be set apart (标　题), the longest first."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(r"[\s\u3000]*".join(map(re.escape, word)) for word in ordered)

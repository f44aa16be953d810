"""What a text is (文件性质): a rule that binds, a draft, an interpretation, a notice of facts, a single decision, news.

Only a binding text may be cited as law, so the doubtful case is decided against it: what has neither title, number,
addressee nor articles, and tells no news, waits for a person who says what it is.
"""

import re

from nemo.text.letter.docnumber import STANDARD as STANDARD_NUMBER
from nemo.text.letter.docnumber import number_of
from nemo.text.letter.form import lines, title_of
from nemo.text.letter.titles import looks_like_title
from nemo.text.words.flat import FlatText, flatten
from nemo.types import Evidence, Origin

BINDING, STANDARD, DRAFT, INTERPRETATION, NOTICE, CASE, NEWS, MINUTES, REPORT, UNCONFIRMED = (
    "binding", "standard", "draft", "interpretation", "notice", "case_decision", "news", "minutes", "report", "unconfirmed",
)  # fmt: skip

_DRAFT_TITLE = re.compile(
    r"征求意见稿|公开征求|征求[^，。]{0,60}意见|征集[^，。]{0,30}意见|[（(](?:草案|送审稿|讨论稿|审议稿|初稿)[^）)]{0,6}[）)]|草案$|意见征集"
)
_DRAFT_BODY = re.compile(
    r"现(?:面?向社会)?(?:再次)?公开征求意见|现(?:向|就)[^。；]{0,60}征求意见|现公开征求[^。；]{0,20}意见"
)
_DRAFT_LINE = re.compile(r"[（(](?:公开)?(?:征求意见稿|草案|送审稿|讨论稿)[^）)]{0,8}[）)]")
_EXPLAINS_TITLE = re.compile(
    r"解读|答记者问|一图读懂|图解|政策问答|起草说明|编制说明|问答$|解读材料|新闻发布会|常见问题|热点问题|问题解答|答疑|百问"
)
_EXPLAINS_BODY = re.compile(
    r"现对《[^》]+》[^。]{0,12}解读如下|(?:有关|相关|主要)内容解读如下|解读如下|接受[^。]{0,20}采访|回答(?:了)?记者[^。]{0,8}提问|答记者问"
)
_QUESTION = re.compile(r"^(?:[一二三四五六七八九十]+、|\d+[.、])?(?:问[：:]|记者[：:])|^答[：:]")
_NOTICE_TITLE = re.compile(
    r"(?:公示|名单|通告|情况的公告|结果的?公告|公告（第)(?:[（(].{1,12}[）)])?$|的公示|"
    r"(?:注销|吊销|撤销|准予)[^，。]{0,30}(?:许可证?|资质|资格)[^，。]{0,8}的公告$|(?:许可证?|资质|资格)[^，。]{0,8}(?:注销|吊销|撤销|遗失)[^，。]{0,6}的公告$"
)
_NOTICE_BODY = re.compile(r"现予以?公示|公示(?:时间|期)为[^。；]{0,16}月|公示如下|现将[^。]{0,40}(?:予以|进行)公示")
_REPORT_TITLE = re.compile(
    r"(?:蓝皮书|白皮书|年鉴|年度报告|年报|发展报告|监管报告|评估报告|分析报告|研究报告|工作报告|运行情况|统计公报|监测报告|调研报告)"
    r"(?:[（(][^（）()]{1,20}[）)])?$"
)
_MINUTES_TITLE = re.compile(r"会议?纪要(?:[（(][^（()）]{1,20}[）)])?$")
"""What was spoken of and settled at a meeting (公文处理工作条例第八条); it binds all only where a notice issues it."""
_REPORTED = re.compile(
    r"(?:近日|日前|(?:昨|今)日)，|记者|据悉|据介绍|(?:\d{1,2}月)?\d{1,2}日(?:上午|下午)?，[^。]{2,40}(?:召开|举行|印发|发布|组织|开展)"
)
"""How news tells: somebody did something the other day."""
_COMMANDS = re.compile(r"应当|不得|必须|应按|请(?:各|遵照|认真|严格|按照)|印发(?:给)?你们|须经|负责组织|予以处罚")
"""How a text speaks that binds."""
_STANDARD_TITLE = re.compile(r"(?:职业|技能|国家|行业|地方|团体|企业)标准(?:[（(][^（()）]{1,16}[）)])?$")
"""What is called a standard as a whole; a rule on standards ends in 办法, a notice of one in 通知."""
_CASE_TITLE = re.compile(
    r"节能审查意见|(?:核准|项目|工程|方案|规划|报告书|报告表)[^，。]{0,20}的?批复|行政许可决定|准予[^，。]{0,20}的决定|(?:建议|提案)[^，。]{0,12}的?答复|审查意见(?:的函)?$|行政处罚决定"
)
_LETTER_CUES = re.compile(
    r"现(?:予以?|将|就)?[^。]{0,80}?(?:印发|下发|转发|发布|公布|通知|通报|通告|函复|批复)|(?:通知|通报|函复|批复|公告|意见)如下|"
    r"(?:印发|转发)给?你们|请(?:认真)?(?:遵照|贯彻)执行|特此(?:通知|函复|公告|批复|通报|函告)"
)
_ISSUED = re.compile("(?<!日)[印转]发|通知")
"""What a covering letter says of what it issues; the imprint of any paper tells the day (2031年3月5日印发)."""
_ISSUES, _LETTER = re.compile("关于(?:印发|发布|公布|下达|转发)"), re.compile("通知|公告")
"""How a title says that it issues something, and by what letter."""
_RULES_OF_ITS_OWN = re.compile(r"本(?:通告|公告)(?:自|所称|由|有效期|适用)")
"""A 通告 that starts on a day and defines its words binds like any rule."""
_ARTICLES = re.compile(r"第[一1]条")
_CONTRACT_TITLE = re.compile(r"(?:合同|协议)书?(?:[（(][^（）()]{1,16}[）)])?$")
"""What two parties sign."""
_MODEL = re.compile("示范|范本")
"""A contract that is issued for all."""
_MANUAL_TITLE = re.compile(r"(?:使用|操作|用户|安装|产品)(?:说明书?|手册|指南)(?:[（(][^（()）]{1,16}[）)])?$")
"""How a product is handled: it rules nothing, whatever it tells its users they must do."""
_PARTIES = re.compile(r"[甲乙]方(?:[（(][^（）()]{1,12}[）)])?[：:]")
_OPENING = 700


def nature_of(text: str, title: str | None, name: str, letter: str = "") -> Evidence:
    """Return the nature of a text with the cue it was read from; the file name serves when the text itself has no cue.

    ``letter`` is what was taken out of the text (covering notice, letterhead).

    Returns:
        Evidence whose fact is ``nature:<code>``.
    """
    shown = flatten(title or "").text
    flat = flatten(text)
    opening = flat.text[:_OPENING]
    for code, in_title, in_body in (
        (DRAFT, _DRAFT_TITLE, _DRAFT_BODY),
        (INTERPRETATION, _EXPLAINS_TITLE, _EXPLAINS_BODY),
        (NOTICE, _NOTICE_TITLE, _NOTICE_BODY),
        (CASE, _CASE_TITLE, None),
        (REPORT, _REPORT_TITLE, None),
        (MINUTES, _MINUTES_TITLE, None),
        (STANDARD, _STANDARD_TITLE, None),
    ):
        cue = in_title.search(shown) or (in_body.search(opening) if in_body else None)
        if (
            cue is not None
            and not (_is_issued(shown, code) or (code == MINUTES and _ISSUED.search(flatten(letter).text)))
            and not (code == NOTICE and _RULES_OF_ITS_OWN.search(flat.text))
        ):
            return Evidence(f"nature:{code}", cue[0], Origin.TEXT)
    private = _CONTRACT_TITLE.search(shown) and not _MODEL.search(shown + opening)
    signed = _MANUAL_TITLE.search(shown) or (_PARTIES.search(opening) if private else None)
    if signed is not None:
        return Evidence(f"nature:{UNCONFIRMED}", signed[0], Origin.TEXT, flat.span(*signed.span()))
    number = number_of(text)
    if number is not None and STANDARD_NUMBER.fullmatch(number.words):
        return Evidence(f"nature:{STANDARD}", number.words, Origin.TEXT, number.span)
    return _by_form(text, title, name, letter)


def _is_issued(title: str, code: str) -> bool:
    """Tell whether the title issues what the cue names: 关于印发…清单的通知, 关于印发…征求意见…办法的通知 bind."""
    issues = _ISSUES.search(title) if code in (NOTICE, INTERPRETATION, REPORT) else None
    return issues is not None and _LETTER.search(title, issues.end()) is not None


def _by_form(text: str, title: str | None, name: str, letter: str) -> Evidence:
    """Judge by form: drafts marked under their title, questions and answers, then what makes a document official."""
    head = list(lines(text, 0, 3000))[:40]
    marked = next((line for line in head[:8] if _DRAFT_LINE.search(line.text) and len(line.text) <= 60), None)
    if marked is not None:
        return Evidence(f"nature:{DRAFT}", marked.text, Origin.TEXT, marked.span)
    asked = [line for line in lines(text) if _QUESTION.match(line.text)]
    if len(asked) >= 2:
        return Evidence(f"nature:{INTERPRETATION}", asked[0].text, Origin.TEXT, asked[0].span)
    flat = flatten(text)
    reported = _REPORTED.search(flat.text[: 2 * _OPENING])
    if reported is not None and number_of(text) is None and not _is_letter_form(text, flat, letter):
        return Evidence(f"nature:{NEWS}", reported[0], Origin.TEXT, flat.span(*reported.span()))
    headline = title is not None and not looks_like_title(title) and number_of(text) is None
    if headline and not _ARTICLES.search(flat.text) and not _is_cover(letter):
        return Evidence(f"nature:{NEWS}", title or "", Origin.DERIVED)
    cue = _ARTICLES.search(flat.text) or _LETTER_CUES.search(flat.text[: 3 * _OPENING])
    official = title is not None or number_of(text) is not None or _is_cover(letter)
    named = _EXPLAINS_TITLE.search(name)
    if named is not None and number_of(text) is None and not _ARTICLES.search(flat.text):
        return Evidence(f"nature:{INTERPRETATION}", name, Origin.DERIVED)
    if cue is not None and (official or _ARTICLES.search(flat.text)):
        return Evidence(f"nature:{BINDING}", cue[0], Origin.TEXT, flat.span(*cue.span()))
    if official:
        return Evidence(f"nature:{BINDING}", title or "", Origin.DERIVED)
    return Evidence(f"nature:{UNCONFIRMED}", "", Origin.DERIVED)


def _is_letter_form(text: str, flat: FlatText, letter: str) -> bool:
    """Tell whether a text has the form of a rule or a letter: articles, numbered parts that command, an addressee."""
    numbered = len(re.findall(r"(?m)^[^\S\n]*(?:[一二三四五六七八九十]+、|\d+(?:\.\d+)+)", text)) >= 3
    commands = len(_COMMANDS.findall(flat.text)) >= 3
    return (
        len(re.findall(r"(?m)^[^\S\n]*第[一二三四五六七八九十百\d]+条", text)) >= 2
        or (numbered and commands)
        or _LETTER_CUES.search(flat.text[: 3 * _OPENING]) is not None
        or _is_cover(letter)
    )


def _is_cover(letter: str) -> bool:
    """Tell whether what was taken out of the text is a covering notice or a letterhead, not a mere running head."""
    return bool(letter) and (
        number_of(letter) is not None or title_of(letter) is not None or "文件" in flatten(letter).text
    )

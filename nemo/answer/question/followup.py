"""A question that leans on the one before it: what it keeps, what it changes, and how it was understood (追问).

Four changes are read, the first that fits: another provision (第二款呢), another place (山东呢), another day
(2015年的时候呢), another value of the same kind (第三档呢). Anything else asks something new about the same subject.
"""

import re
from dataclasses import dataclass, replace

from nemo.answer import about
from nemo.answer.question import rewriting
from nemo.answer.question.decomposition import ASKS
from nemo.answer.question.titles import QUOTED
from nemo.rerank.terms import fold, words_of
from nemo.rules import Rules
from nemo.text.words.numerals import parse_article, parse_number, to_chinese
from nemo.text.words.tokenise import cut, tagged
from nemo.types import Answer, Filters, Mention, Query, Span
from nemo.types.answer import LEANS

NUMBER = r"[0-9零〇一二三四五六七八九十百千两]+"
NATION = re.compile(r"全国|国家(?:层面|级|上|规定|的规定)?|中央(?:层面|规定)?")
RULED = re.compile(
    r"(?:又|也)?(?:是?(?:怎么|如何|咋)(?:个?(?:规定|要求|说|写|讲|定)法?的?|样)|(?:的|有)(?:什么|哪些|何)?(?:规定|要求)(?:是(?:什么|怎样的?|怎么样的?))?)$"
)
"""Asks for the rule of a place, and nothing more (国家是怎么规定的)."""
OTHER_PROVISION = re.compile(
    rf"(?P<article>第?{NUMBER}条(?:之[一二三四五六七八九十])?)?(?P<rest>(?:第{NUMBER}款)?(?:第[（(]?{NUMBER}[）)]?项)?)"
)
NEIGHBOUR = re.compile("再?往?(?:(?P<on>下|后)|(?P<back>上|前))面?的?(?P<count>[一两二三四五])?条")
"""The articles behind or before the one that was asked for."""
ASKS_WORDS = re.compile(
    "(?:的?(?:内容|原文|条文|规定)?(?:是|说|写|讲|规定)的?了?(?:什么|啥)|(?:是?怎么|如何)(?:说|写|讲|规定)的?|的?(?:内容|原文|条文))$"
)
"""Asks for the words of a provision, and nothing more."""
ARTICLE = re.compile(rf"第{NUMBER}[条章]")
PROVISION = re.compile(rf"{NUMBER[:-1]}[编章节条款项]|[总附分罚]则|附件")
"""Says which provision of a text is meant."""
WHEN = re.compile(
    r"(?:(?:19|20)\d{2}年?(?:\d{1,2}月)?(?:\d{1,2}日)?|去年|前年|今年|现在|目前|当时)(?:的?(?:时候|时|那时|那会儿?|那阵子?|那年|当时|以前|之前))?"
)
THEN = re.compile(r"时|以前|之前|去年|前年|当时|那[年会阵]")
"""Says that a year is the day a question is asked for, not a part of what is asked (到2030年)."""
SAME_KIND = (
    re.compile(rf"第{NUMBER}(?:档|类|级|种|批|阶段|监管周期)"),
    re.compile(r"(?:到|至)?(?:19|20)\d{2}年(?:底|末|上半年|下半年)?"),
    re.compile(r"(?<![\d.])\d+(?:\.\d+)?(?:千伏|万千瓦|千瓦|兆瓦|kV|MW)", re.IGNORECASE),
    re.compile(r"年度|月度|月内|日前|日内|实时|多日|多年"),
    re.compile(r"(?:一|二|三|四|五|甲|乙|丙|丁|特)(?:级|类|等)"),
)
FILLERS = re.compile(
    r"^(?:那么?|如果|要是|假如|请问|还有(?!效)|另外|那换成|换成|对于|至于|而)+|(?:的(?:话)?)?(?:呢|吗|啊|呀|吧)?[？?。！!\s]*$"
)
ASKING = re.compile(
    r"(?:应当?|要|需要?|应该)?(?:由|向|报|找|归)?(?:谁|哪一?个?(?:部门|单位|机关|级|里|种|类|些|年|天|条|款|几[个种类])|什么(?:时候|人|部门|条件|材料|情况下?)?|何时|何种)"
    r"(?:来?(?:管(?!理)|审批|批准|负责|核准|定|划))?"
    r"|(?:最[多少长短高低晚迟早])?有?(?:多久|多长时间|多[大高远长宽深厚]|(?:是|为|要|罚|交|给)?多少(?:钱|天|年|元|万元|个?工作日|个?月|小时)?|几(?:个?(?:工作日|小时|年|天|日|月|级|次|倍|人)|[年天日月级次倍类种档米号])?)(?:[内前]|以内|之前)?"
    r"|怎么(?:处理|处罚|罚|办|规定|算|定|样)?|如何(?:处理|处罚|规定|计算|确定)?|会怎样|怎样"
    r"|行不行|可不可以|能不能|要不要|是不是|有没有|是否|必须|可以吗|合规吗|合法吗|[吗呢么]|[？?。！!]"
)
"""What only asks: without it the rest of a question is its subject."""
OWN_ASKING = re.compile(
    r"(?:(?:应当?(?![用急对])|需要?(?!求)|(?<![需重主必])要(?!求|素|点|件)|必须|可以)[^，,。？?\s]{0,6}?)?(?:提前|最[多少长短高低大小晚迟])?(?:[由向报归找]|罚款?)?"
    r"(?:怎么\S{0,2}|如何\S{0,3}|多少[^，,。？?\s]{0,12}|多久[^，,。？?\s]{0,8}|几[个天日月年次倍级类种号点]\S{0,3}|谁\S{0,3}|哪\S{0,4}|什么\S{0,3}|要不要\S{0,4}|能不能\S{0,4}|是否\S{0,4})"
)
"""What a question asks, with how it asks it (要提前多久通知), to be asked again of another subject."""
ASKS_ITSELF = re.compile(r"怎样|多[长大高远宽深厚]|何[时种]|几家|第几|能不能|行不行")
"""What asks beside :data:`OWN_ASKING`, and is asked again of nothing else."""
YES_OR_NO = re.compile(r"[吗么][？?。！!\s]*$|([\u4e00-\u9fa5])不\1|有没有|是否|有无|可否|能否")
"""A question that asks whether: it asks by itself."""
EMPTY = re.compile(
    rf"第{NUMBER}[年次天日月]|有效期?|期满|届满|到期|逾期|罚款?|处罚|处理|责任|后果|规定|要求|标准|依据|条件|情况|部分|方面|最[高低多少大小长短晚早]|上限|下限|不?超[过出]|达到|不?满|以[上下内]|之内|期限|时间|一般|具体|分别|具体|上面|刚才|这个?|那个?|它|其|的|是|要|会|有|在|时候|为|按|以前|之前|[，,、\s]"
)
ACTS = re.compile(
    r"答复|回复|批复|受理|办[完结理好妥]|审批|审核|审查|批准|批下来|完成|提交|告知|通知|反馈|出结果|送达"
    r"|失效|生效|施行|实施|废止|发布|公布|印发|适用|解释|修[订正改]"
)
"""Steps of any procedure (程序动作) and of the life of any text: alone they do not say of which."""
BROKEN = re.compile(
    r"^(?:违反|违[法规](?:(?:新?建|做|干|用)了)?|不遵守|不执行|不照做|不办|没办|不做|没做|不按|这么做|这样做)+(?:了|的话?|规定|要求|会|就)*"
)
"""Says only that the rule just given is broken."""
NOT_DONE = re.compile("(?:如果|要是|假如|那)?(?:不(?!动产|可抗|良|同)|没|未|拒不|逾期|超期|过期)")
"""Says that what the rule asks for is not done (不备案呢): asks what becomes of it, not how long once more."""
HEAD = re.compile(
    r"(?P<own>[\u4e00-\u9fa5]{1,4}?)(?P<head>单位|企业|公司|机构|部门|机关|人员|负责人|项目|工程|用海|用地|用电|电站|电厂|电场|矿山|区|地|林|证|法|人|者)(?:的)?"
)
"""A thing with the word that says what it is: 设计单位, 养殖用海."""
POINTS = re.compile(r"这|(?<!应)该|此(?!外)|上述|前述")
"""Points to what was said before (这期间工资谁发): by its own words the question says nothing."""
IT = re.compile(
    r"它|^(?:法律|法规|条例|办法|规定|细则)(?=的?第)|(?:这[部个项份条]?|该|本|上述|前述)(?:(?:法律|法规|规章|文件|规定|办法|法|条例)(?![律规])"
    r"|(?P<kind>通知|公告|意见|决定|细则|规则|规范|标准|方案|目录|批复|函))"
)
"""Stands for the text that was asked about before (条例第三条 too); a word that names more than texts (该方案) only for a text called so."""
PREDICATE = re.compile(
    r"跟|随|按|依|照|以|用|从|由|属|是|能|可|有|没|废止|还|最|要|会|应|需|再|怎|如何|谁|哪|多|几|什么|且|并|又|也|都|就|才|则|不|未"
)
"""Opens a clause that names no subject of its own."""
COULD = re.compile(
    "自己|本人|[我他她]们?|可以|可能|能|会|要|不|没|未|需要|应当?|必须|得|就|都|还|又|再|才|也|了|着|过|吧"
)
"""What is said of any act."""
OWN_ACT = re.compile(r"(?:几|多少)个?(?:工作日|自然日|小时|天|日|月|年)(?:之?内|以内)?[^，。？?]{5,}")
"""Opens a clause that asks when something else is done, and says what (几个工作日内组织验收)."""
LEAST_SUBJECT = 4
"""Characters of a clause beside what asks, from which it may have a subject of its own."""
RESPONSIBLE = re.compile("(?:主管|责任)人员|负责人|法定代表人")
PUNISHED = (
    (
        re.compile("(?:对|其)?(?:直接|主要|有关|相关)*(?:(?:负责|责任|主管)的?(?:人员?)|领导|老板|法定代表人|法人代表)(?:个人|本人)?"),
        RESPONSIBLE,
    ),
    (re.compile("(?:对|其)?个?人(?:本人)?"), re.compile("(?:主管|责任)人员|负责人|对?个人处")),
    (re.compile("(?:对|其)?(?:单位|企业|公司)(?:本身)?"), re.compile("对?(?:单位|企业|公司)处|罚款[；，;,][^。]{0,12}对[^。]{0,24}(?:人员|负责人|个人)")),
)  # fmt: skip
"""Whom a penalty punishes beside (双罚): as a question says it by itself, and as a provision does."""
OF_EACH_FINE = re.compile("单位[^。，]{0,8}罚款[^。]{0,20}(?:直接负责|责任人员)")
"""Punishes who is responsible for whatever a unit is fined for (给予单位罚款处罚的，对单位直接负责的…)."""
LONGEST_BARE = 14
"""Characters up to which a question that opens with 那 or ends in 呢 asks nothing by itself."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question as it is to be answered."""

    text: str
    filters: Filters
    leans_on: frozenset[str] = frozenset()
    """Regulations the answer before it quoted: likely the ones it means."""
    understood: str = ""
    adds: bool = True
    """Whether it adds to the question before, and does not put a place, day or value in place of another."""
    own_words: str = ""
    """What it says itself, with what it asks: 占用铁路专用线怎么罚 for 占用铁路专用线呢."""


def bare(text: str, rules: Rules) -> bool:
    """Tell whether a question means nothing without the one before it (山东呢？那罚多少？)."""
    if says_nothing(text, rules):
        return True
    short = _stripped(text)
    if (it := IT.match(short)) and not it.group().startswith("本") and not QUOTED.search(text):
        return True
    left = _content(short, rules)
    if ACTS.search(left) and not QUOTED.search(text) and not re.search(r"[\u4e00-\u9fa5A-Za-z]{2}", ACTS.sub("", left)):
        return True
    points = re.search(r"^[^？?。；;]*呢[？?]?$", text.strip()) is not None
    points = points or (text.startswith("那") and (len(left) < LEAST_SUBJECT or not ASKS.search(text)))
    return points and not QUOTED.search(text) and len(short) <= LONGEST_BARE and len(left) <= LONGEST_BARE // 2


def says_nothing(text: str, rules: Rules) -> bool:
    """Tell whether a question names no subject at all: a place, a day, a number, or only what asks."""
    short = _stripped(text)
    if QUOTED.search(text) or not short:
        return not QUOTED.search(text) and bool(re.search(r"[\u4e00-\u9fa5]", text))
    return not re.search(r"[\u4e00-\u9fa5A-Za-z]{2}", _content(short, rules))


def without_subject(clause: str, rules: Rules) -> bool:
    """Tell whether a clause asks on about the subject of the clause before it (…，最多延几次；…，按什么算)."""
    content, opens = _content(_stripped(clause), rules), clause.strip()
    if ARTICLE.search(clause):  # asked for by its number
        return False
    if says_nothing(clause, rules) or len(content) < LEAST_SUBJECT:
        return True
    word, tag = next(iter(tagged(opens)))
    return PREDICATE.match(word) is not None and not tag.startswith("n") and OWN_ACT.match(opens) is None


def _content(short: str, rules: Rules) -> str:
    """Return what is left of a question without places, days, numbers and what asks."""
    for words, _ in rules.places_in(short):
        short = short.replace(words, "")
    for pattern in (IT, BROKEN, NATION, WHEN, *SAME_KIND, OTHER_PROVISION, ASKING, EMPTY, BROKEN):  # 罚款 违反
        short = pattern.sub("", short)
    return short


def subject_words(text: str, rules: Rules) -> list[str]:
    """Return the first words of a question that name its subject (复议 of 复议申请期限是多长), folded."""
    return [word for word in words_of(fold(_content(_stripped(text), rules))) if len(word) > 1][:2]


def punished(text: str) -> re.Pattern[str] | None:
    """Return how a provision names those whom a question asks for and no more (那直接负责的人呢, 个人罚多少); None for any other."""
    asked = re.sub(
        rf"^(?:那|还有)|(?:要|会|怎么|被)*(?:处|受)?罚?(?:{ASKING.pattern})*[呢？?吗]*$", "", _stripped(text)
    )
    return next((said for who, said in PUNISHED if asked and who.fullmatch(asked)), None)


def points_back(text: str) -> bool:
    """Tell whether a question points to what was said before, so that its own words alone ask nothing."""
    return POINTS.search(_stripped(text)) is not None


def own_matter(text: str, rules: Rules) -> list[str]:
    """Return the words a question adds to the one before it, folded, single characters too: 免 of 哪些可以免."""
    return re.findall(r"[\w%]+", " ".join(cut(fold(COULD.sub(" ", _content(_stripped(text), rules))))))


def topic(text: str) -> str:
    """Return what a question begins with before it says or asks anything of it: 海域使用金 of 海域使用金可以按年交吗."""
    end = 0
    for word, tag in tagged(text):
        if end and (not word.strip("，,。？?、 ") or (PREDICATE.match(word) and not tag.startswith("n"))):
            break
        end += len(word)
    return text[:end]


def understand(question: str, filters: Filters, before: Answer, rules: Rules) -> FollowUp:
    """Return a question with what it keeps of the one before it; of the filters, what is not chosen now."""
    asked = before.query
    kept = _kept(filters, before)
    leans_on = frozenset(q.regulation_id for q in before.quotes)
    text, filters = _merged(question, asked, kept, before, rules)
    adds = text.startswith(subject(asked.text))
    if filters.day is not None and filters.day == kept.day and WHEN.search(_stripped(question)):
        filters = replace(filters, day=None)
    place = f"（{rules.province(filters.province).name}）" if filters.province else ""
    notice = f"{LEANS}“{typeset(asked.text)}”，理解为“{typeset(text)}”{place}。"
    return FollowUp(text, filters, leans_on, notice, adds, _own_words(question, asked))


_MARKS = str.maketrans(",;:?!", "，；：？！")


def typeset(text: str) -> str:
    """Return a question as it is shown: marks behind Chinese, which reading makes narrow, are wide as they are written."""
    return re.sub(r"(?<=[\u4e00-\u9fa5》）”])[,;:?!]", lambda m: m[0].translate(_MARKS), text)


KEPT = ("province", "asset", "doc_class", "day", "corpora", "top_k", "threshold")
"""Filters of the question before that a follow-up keeps unless it has its own."""


def _kept(filters: Filters, before: Answer) -> Filters:
    old = before.query.filters
    kept = {name: getattr(filters, name) or getattr(old, name) for name in KEPT}
    return replace(filters, **kept)


def _merged(question: str, asked: Query, kept: Filters, before: Answer, rules: Rules) -> tuple[str, Filters]:
    """Return the whole question and its filters, from the first change that fits."""
    short = _stripped(question)
    words = ASKS_WORDS.sub("", short)
    if (provision := OTHER_PROVISION.fullmatch(words)) and words and (named := _provision(provision, asked, before)):
        return named, kept
    if (beside := NEIGHBOUR.fullmatch(words)) and (named := _neighbour(beside, asked, before)):
        return named, kept
    places = list(rules.places_in(short))
    left = short
    for words, _ in places:
        left = left.replace(words, "")
    if not NATION.sub("", RULED.sub("", left)).strip("省市自治区的") and (places or NATION.search(short)):
        place, code = places[0] if places else ("", "cn")
        return f"{place}{without_places(asked.text, rules)}", replace(kept, province=code)
    if WHEN.fullmatch(short) and THEN.search(short):
        return f"{short}，{WHEN.sub('', asked.text) if THEN.search(asked.text) else asked.text}", replace(
            kept, day=None
        )
    for pattern in SAME_KIND:
        if pattern.fullmatch(short) and pattern.search(asked.text):
            return pattern.sub(short, asked.text, count=1), kept
    if other := _other_of_a_kind(short, asked.text) or _other_act(short, asked.text, rules):
        return other, kept
    named = next((f"《{m.title}》" for m in reversed(asked.mentions) if m.title and m.regulation_ids), "")
    of_text = named if before.mode == about.MODE else ""  # what was asked of it (哪天施行) is no subject
    return _behind(of_text or subject(asked.text), _own_words(question, asked)), kept


def _behind(before: str, own: str) -> str:
    """Return what a question says behind a subject; a short name of the thing (保护区里能种树 behind 电力线保护区) is that thing."""
    short = next((own[:size] for size in range(len(own), 1, -1) if before.endswith(own[:size])), "")
    return f"{before}{own[len(short) :]}" if short else f"{before}，{own}"


def _own_words(question: str, asked: Query) -> str:
    """Return what a follow-up says; one that asks nothing itself (X呢) asks what the question before asked."""
    own = FILLERS.sub("", question, count=1).strip() or question
    if (
        not any(asks.search(own) for asks in (OWN_ASKING, ASKS_ITSELF))
        and not YES_OR_NO.search(question)
        and (before := OWN_ASKING.search(asked.text))
    ):
        own = f"{_stripped(own)}{'怎么处理' if NOT_DONE.match(own) and not re.search('[罚处]', before.group()) else before.group()}"
    return own


def _other_of_a_kind(short: str, asked: str) -> str | None:
    """Return the question before about another thing of a kind: 设计单位 for 建设单位; None when it names none."""
    thing = HEAD.fullmatch(short)
    if thing is None or f"{thing['own'][-2:]}{thing['head']}" in asked:  # 转让采集证 is another act on the same
        return None
    before = re.compile(
        rf"(?<=[，,、的对让由])[\u4e00-\u9fa5]{{1,4}}{thing['head']}|[\u4e00-\u9fa5]{{{len(thing['own'])}}}{thing['head']}"
    )
    return before.sub(short.removesuffix("的"), asked, count=1) if before.search(asked) else None


def _other_act(short: str, asked: str, rules: Rules) -> str | None:
    """Return the question before about another act on the same thing: 伪造许可证罚多少 for 出借许可证罚多少; None when it names none."""
    (first, kind), *_ = tagged(asked)
    act = list(tagged(short))
    acts = len(act) == 1 and act[0][1].startswith("v") and kind.startswith("v") and len(_content(short, rules)) > 1
    return f"{short}{asked[len(first) :]}" if acts and len(first) > 1 and not PREDICATE.match(first) else None


def named_again(question: str, before: Answer) -> str | None:
    """Return the question with the text that 它 or 该条例 stands for, None when it says neither or no text was meant."""
    named = next((m.title for m in reversed(before.query.mentions) if m.title and m.regulation_ids), None)
    title = named or (before.quotes[0].citation.title if before.quotes else None)
    found = IT.search(question)
    if title is None or found is None or (found["kind"] or "") not in title:
        return None
    return f"{question[: found.start()]}《{title}》{question[found.end() :]}"


BASIS = re.compile(
    r"(?:那|这|这个|上面)?(?:说的|写的)?(?:的?(?:法律|法规|政策|文件)?(?:依据|出处|来源)(?:[是呢在]?(?:什么|哪里?|哪儿|哪一?[条款部]|哪个(?:文件|规定))?(?:呢|法律?|规定|文件)?)"
    r"|是?(?:根据|依据|依照|按照?|出自)?(?:哪一?[条款部]|哪个(?:文件|规定|办法|条例)|哪里|哪儿|什么(?:文件|规定|法律?))(?:法律?)?(?:里?面?(?:的?规定|写)的?)?)"
)
"""Asks on what an answer rests: the provision that it quotes."""


MORE = re.compile(
    r"(?:那|除此之外|除了这[个些条]|此外)?(?:就这[些个]?[吗么]?)?还?有?(?:没有|没)?(?:别的|其[他它]的?|更多的?|另外的?)(?:规定|要求|条款|条文|内容|情形|情况|处罚|依据|材料|吗)*|(?:那|此外)?还有(?:吗|没有|没|什么|哪些|啥)?(?:规定|要求|别的|其[他它]的?)?"
)
"""Asks what there is beside what was answered, and no more."""


def asks_more(question: str) -> bool:
    """Tell whether a question asks only what else there is (还有别的吗, 还有呢)."""
    return (
        MORE.fullmatch(re.sub(r"[？?。！!，,\s]+|[吗呢啊呀吧]$", "", re.sub(r"[？?。！!\s]+$", "", question.strip())))
        is not None
    )


def asks_basis(question: str) -> bool:
    """Tell whether a question asks on what the answer before rests (那是哪一条规定的), and no more."""
    return BASIS.fullmatch(re.sub(r"[？?。！!\s]+|[吗呢啊呀吧]$", "", question.strip())) is not None


OF_VERSION = re.compile(r"(?:(?P<old>旧|老|原来?|上一|前一)|新|现行|最新)的?(?:那一?)?[部个]?版(?:本)?")
"""The version before or the present one, by no name of its own (旧的那版)."""


def of_the_text(question: str, title: str, article: str | None) -> str:
    """Return a question asked of a text: 旧的那版什么时候失效 → 旧版《某法》什么时候失效; 新版的呢 asks for the article before."""
    said = re.sub("^(?:那么?|请问|另外|而|还有(?!效))+[，,]?", "", question.strip())
    version = OF_VERSION.match(said)
    if version is None:
        return f"《{title}》{said}"
    rest = said[version.end() :]
    rest = f"第{article}条" if article and not rest.strip("的呢？? ") else rest
    return f"{'旧' if version['old'] else '新'}版《{title}》{rest}"


def of_another(text: str, named: Span, before: Answer, rules: Rules) -> str | None:
    """Return the question before, asked of the text that a question names and says no more of (《乙办法》呢), its article too; None for any other."""
    rest = text[: named.start].rstrip("《") + text[named.end :].lstrip("》")
    matter, mentions = rewriting.matter(before.query), before.query.mentions
    if PROVISION.search(rest) or (_stripped(rest) and not says_nothing(rest, rules)):
        return None
    if matter != before.query.text or not any(m.title for m in mentions):
        return f"{named.of(text)}，{matter}"
    article = next((m.article for m in reversed(mentions) if m.article), None)
    return f"{named.of(text)}第{article}条" if article else None


def _provision(match: re.Match[str], asked: Query, before: Answer) -> str | None:
    """Return 《X》第二十五条第二款 for 第二款呢, from the text and article the question before named or was answered from."""
    title, of_before = _article_before(asked, before)
    article = match["article"] or of_before
    return f"《{title}》{article}{match['rest']}" if title and article else None


def _neighbour(match: re.Match[str], asked: Query, before: Answer) -> str | None:
    """Return 《X》第十五条 for 下一条呢 behind 第十四条, 第十五条至第十六条 for 后两条; None where no article is known."""
    title, article = _article_before(asked, before)
    at = parse_article(article) if article else None
    if not (title and at and at[0]):
        return None
    far = parse_number((match["count"] or "一").replace("两", "二")) or 1
    ends = (at[0] + 1, at[0] + far) if match["on"] else (max(1, at[0] - far), at[0] - 1)
    return f"《{title}》" + "至".join(dict.fromkeys(f"第{to_chinese(end)}条" for end in ends))


def _article_before(asked: Query, before: Answer) -> tuple[str | None, str | None]:
    """Return the text and the article that the question before named or was answered from."""
    named: Mention | None = next((m for m in reversed(asked.mentions) if m.title), None)
    quote = before.quotes[0] if before.quotes else None
    title = (named.title if named else None) or (quote.citation.title if quote else None)
    if named and named.article:
        return title, f"第{named.article}条"
    return title, quote.citation.article if quote else None


def subject(text: str) -> str:
    """Return what a question is about: the question without what only asks."""
    left = re.sub(
        r"(?<![行作部成职功社机提])[分是为要能会由来去给交办归算按]+(?=[，,；;。\s]|$)", "", ASKING.sub("", text)
    )
    return re.sub(r"[，,；;。\s]+$", "", re.sub(r"[，,；;。][，,；;。\s]+", "，", left)).strip() or text


def without_places(text: str, rules: Rules) -> str:
    """Return a question without the places it names: 广东和山东的备案时限 → 备案时限."""
    for words, _ in rules.places_in(text):
        text = re.sub(rf"{re.escape(words)}(?:省|市|自治区)?(?:[和与跟及、]|以及)?", "", text)
    return text.lstrip("的和与跟及、，, ")


def _stripped(question: str) -> str:
    short = question.strip()
    for _ in range(2):
        short = FILLERS.sub("", short).strip(" ，,")
    return short

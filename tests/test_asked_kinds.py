"""What a question asks for by its kind stands in the provision, or the provision is no answer."""

import pytest

from nemo import rules as rule_data
from nemo.answer.judgement import elements, surroundings, values
from nemo.answer.question.query import QuestionReader
from nemo.answer.question.titles import TitleFinder
from nemo.rerank import quantities
from nemo.rerank.terms import fold
from nemo.settings import PROJECT
from nemo.types import Filters
from tests.export_samples import DAY, law

RULES = rule_data.load(PROJECT / "data" / "rules")
READER = QuestionReader(
    RULES, TitleFinder([("poles", ["演示电力杆塔保护条例", "杆塔保护条例"])], [], places=["样板省", "样板"])
)


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("样本工程师考试报名条件", "样本工程师考试报名应当满三年", "样本工程师实行注册制度"),
        ("操作证怎么考", "操作证考试每年两次", "操作证分为两种"),
        ("这事怎么考虑", "应当兼顾各方", None),
        ("样本电工没考证能上岗吗", "样本电工取得资格证书后方可上岗", None),
        ("样本电工考证要几年经验", "样本电工考试应当有二年经验", "样本电工取得资格证书后方可上岗"),
        ("样本工人几岁退休", "样本工人年满六十周岁退休", "样本工人应当参加保险"),
        ("童工是几岁以下", "不得招用未满十六周岁的人", "不得招用童工"),
        ("值班员体检查什么", "值班员上岗前应当进行健康检查", "值班员上岗前应当培训"),
        ("职称评审要几篇论文", "职称评审应当考察业绩", "专家应当具有高级职称"),
        ("站长工资一般多少", "站长工资为5000元", "工资专项合同期限为一年"),
        ("最低工资是多少", "不得低于当地最低工资标准", None),
        ("每年培训多少学时", "每年培训不少于二十学时", "每年应当培训"),
        ("操作证几年复审", "操作证每三年复审一次", "操作证应当随身携带"),
        ("样本报告怎么写", "样本报告应当包括下列内容：概况、结论", "样本报告应当报送备案"),
        ("样本报告写了没有", "样本报告应当报送备案", None),
        ("样本方案模板在哪下载", "样本方案的格式由主管部门公布", "样本方案应当报批"),
        ("平台接入了多少家", "平台接入十家", "平台应当接入"),
        ("要交哪些材料", "应当提交申请书", "应当提出申请"),
        ("中选后多久签合同", "中选人应当自中选之日起三十日内签订合同", "应当在合同签订后五日内退还保证金"),
        ("样本证多久换一次", "样本证有效期三年", "样本证应当随身携带"),
        ("修堤坝谁掏钱", "修复堤坝由政府投入资金", "修复堤坝应当报批"),
        ("样本设备多久一次检修，周期呢", "样本设备每年检修", "样本设备应当检修"),
        ("样本设备多久检修一次", "样本设备每年检修", "样本设备应当检修"),
        ("样本站灭火演练多久一次", "样本站每半年组织一次灭火演练", "样本站组织灭火演练。消防设施每年检测一次"),
        ("样本厂房由谁出钱建", "样本厂房由运营企业投资建设", "样本厂房建设前企业应当报批"),
        ("样本室内要烧到多少度", "样本室内温度不低于十八摄氏度", "样本室内应当供暖"),
        ("样本坡地多少度以上不能种", "二十五度以上样本坡地不得种植", "样本坡地不得种植"),
        ("样本许可由哪一级机关核准", "样本许可由市县样本厅核准", "样本许可由原核准机关变更"),
        ("样本价格备案表要几份", "样本价格备案表一式两份", "样本价格备案表应当盖章"),
        ("样本申请表要几份", "样本申请表一式三份", "样本申请表应当盖章"),
        ("样本意见反馈到哪个邮箱", "样本意见反馈至邮箱a@example.cn", "样本意见应当反馈"),
        ("样本厅厅长是谁", "样本指挥部总指挥由样本厅厅长担任", "样本厅负责发证"),
        ("2030年样本站装机多少", "十五五期间样本站装机达到十万千瓦", "十四五期间样本站装机达到十万千瓦"),
        ("十五五期间样本站怎么建", "十五五期间样本站应当联网建设", "样本站应当联网建设"),
        ("样本生产许可证怎么补", "样本生产许可证遗失的，应当补办", "样本安全生产许可证遗失的，应当补办"),
        ("民事官司几日内上诉", "民事案件的当事人十五日内上诉", "行政案件的当事人十五日内上诉"),
        ("林场老板没防火罚多少", "林区单位未防火的，处五百元罚款", "草原单位未防火的，处五百元罚款"),
        ("样本契税几日内缴", "契税应当在十日内缴纳", "印花税应当在十日内缴纳"),
        ("监控化学品谁审批", "监控化学品由样本厅审批", "危险化学品由样本厅审批"),
        ("失业保险领几个月", "失业保险金领取十二个月", "工伤保险金领取十二个月"),
        ("电缆跨铁路谁批", "穿越铁路由样本厅批准", "穿越公路由样本厅批准"),
        ("样本站的保护距离由哪个部门公布", "样本站保护范围由样本厅公布", "样本站保护范围应当公布"),
        ("样本凭证存多少年、怎么销毁由谁规定", "保管和销毁的办法由样本厅制定", None),
        ("样本河边盖楼高度受规划限制吗", "样本河沿岸应当控制建筑高度", None),
        ("样本河边盖楼最高能盖多高", "样本河沿岸建筑不得高于二十米", "样本河沿岸应当控制建筑高度"),
        ("没列入样本品清单的货怎么运", "托运人应当提交样本品的证明", None),
        ("样本品清单有哪些", "样本品清单由下列各项组成", "托运人应当提交样本品的证明"),
        ("要满足什么条件样本合同才跟手写一样有效", "可靠的样本签名与手写签名具有同等效力", None),
        ("样本电力业务许可证到期前几天申请延续", "样本许可有效期届满三十日前申请延续", "样本许可应当申请延续"),
        ("样本厂拖着不让查，要交多少罚款", "拒绝检查的，处二万元罚款", None),
        ("海上风电设施没建成怎么处理", "海洋工程没有建成设施的，责令停止", "海岸工程没有建成设施的，责令停止"),
    ],
)  # fmt: skip
def test_a_provision_states_what_is_asked_for(question: str, holds: str, lacks: str | None) -> None:
    query = READER.read(question, Filters(), DAY, 200)
    for words, wanted in ((holds, False), (lacks, True)):
        if words is not None:
            made = law("演示办法", [f"{words}。", "本办法自公布之日起施行，其他内容、包括考试、体检、材料，另行规定。"])
            article = next(p for p in made.walk() if p.label == "1")
            found = elements.missing(query, surroundings.evidence_of(made, article.span), RULES)
            assert bool(found) is wanted, (words, found)


@pytest.mark.parametrize(
    ("question", "provision", "told"),
    [
        ("修堤坝谁掏钱", "企业修复堤坝应当报样本厅批准", "由谁承担"),
        ("样本厂房由谁出钱建", "样本厂房建设前企业应当报批", "由谁承担"),
        ("样本厅厅长是谁", "样本厅负责发证", "所问的人"),
    ],
)
def test_a_reader_is_told_what_a_provision_lacks(question: str, provision: str, told: str) -> None:
    made = law("演示办法", [f"{provision}。", "本办法自公布之日起施行。"])
    article = next(p for p in made.walk() if p.label == "1")
    query = READER.read(question, Filters(), DAY, 200)
    assert told in elements.missing(query, surroundings.evidence_of(made, article.span), RULES)


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("杆塔保护条例第三条", True),
        ("演示电力杆塔保护条例第三条", True),
        ("样板省电网杆塔保护条例对间距怎么规定", False),
        ("样板省杆塔保护条例对间距怎么规定", False),
        ("样板省的项目按杆塔保护条例怎么办", True),
    ],
)
def test_a_short_name_inside_the_name_of_a_place_s_own_text(question: str, held: bool) -> None:
    mention = READER.read(question, Filters(), DAY, 200).mentions[0]
    assert bool(mention.regulation_ids) is held, mention.title


@pytest.mark.parametrize(
    ("remark", "question", "kinds"),
    [
        ("a term behind a penalty is a time", "行政处罚时效几年", ["time"]),
        ("the sum of a penalty", "私接样本电源罚多少", ["fine"]),
        ("how often", "样本企业被罚几次要停业", ["count"]),
        ("an approval whose term is asked is no fact of a project", "样本评价批复有效期", []),
        ("the number of an approval is one", "样本项目的批复文号", ["fact"]),
        ("a rate of tax is a sum", "占用样本地每平米税额多少", ["fee"]),
    ],
)
def test_which_kind_of_value_is_asked_for(remark: str, question: str, kinds: list[str]) -> None:
    wanted = quantities.wanted(fold(question))
    assert [name for name, asked in zip(quantities.NAMES, wanted, strict=True) if asked] == kinds, remark


@pytest.mark.parametrize(
    ("question", "provision", "stated"),
    [
        ("样本室温不能低于多少度", "样本室的温度不低于十八摄氏度", True),
        ("样本室温不能低于多少度", "样本室应当供暖", False),
        ("验收要几天", "应当自收到申请之日起十五日内验收", True),
        ("验收要几天", "应当验收", False),
    ],
)
def test_whether_a_value_of_the_asked_kind_is_stated(question: str, provision: str, stated: bool) -> None:
    assert values.states(fold(question), fold(provision)) is stated


@pytest.mark.parametrize(
    ("remark", "provision", "of_it"),
    [
        (
            "said of all that a list holds",
            "占用样本地的税额如下：(一)城区，每平方米为十元至五十元；(二)郊区，每平方米为八元",
            True,
        ),
        ("close to its name", "占用样本地的税额为每平方米十元", True),
        ("a value of something else", "占用样本地缴税，税额另定。迟缴的，每日加收十元", False),
    ],
)
def test_whether_the_value_is_of_the_named_thing(remark: str, provision: str, of_it: bool) -> None:
    wanted = quantities.wanted(fold("占用样本地每平米税额多少"))
    assert quantities.stated_of("税额", fold(provision), wanted) is of_it, remark


def test_of_what_a_value_is_asked() -> None:
    assert quantities.named(fold("样本征地预公告不少于几个工作日")) == "公告"


@pytest.mark.parametrize(
    ("act", "provision", "starts"),
    [
        ("收到", "应当自收到申请之日起十五日内作出决定", True),
        ("作出", "应当自收到申请之日起十五日内作出决定", False),
        ("申请", "应当自受理申请之日起十五日内决定，延长不超过三十日，并告知申请人", True),
    ],
)
def test_a_term_of_several_figures_runs_from_an_act(act: str, provision: str, starts: bool) -> None:
    assert quantities.only_starts(act, fold(provision)) is starts

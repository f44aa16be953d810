"""The graph of the law: what is read from words, where it is kept, and what is shown of it; texts are invented (演示文本)."""

import json
import random
import sqlite3
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nemo import rules, settings
from nemo.engine import Engine
from nemo.errors import BadRequestError, NotFoundError
from nemo.graph import GraphScope, duties, formats
from nemo.graph.counted import counted
from nemo.text.law import acts
from nemo.text.law.edges import EdgeReader
from nemo.text.law.references import relations
from nemo.text.structure.tree import structure
from nemo.types import Regulation, Validity
from nemo.ui.library.graph import dot
from nemo.ui.library.relations import quoted
from tests.held_texts import holding

MEASURE = """演示省风电并网监督办法（演示文本）

第一条 为了演示图谱，根据《中华人民共和国演示能源法》，制定本办法。

第二条 本办法所称涉网试验，是指风电场并入电网前的性能试验。

第三条 风电场应当自并网之日起三十日内完成涉网试验；不得拒绝电网企业的查验。但法律、行政法规另有规定的，从其规定。

第四条 省能源主管部门负责全省风电并网的监督管理工作。试验的具体办法由省能源主管部门会同省市场监督管理部门制定。

第五条 违反本办法第三条规定，未按期完成涉网试验的，由省能源主管部门责令改正，处一万元以上三万元以下的罚款。

第六条 涉网试验应当符合 GB/T 99999-2020 的要求，并依照《演示电力调度条例》第二条的规定报送。

第七条 本办法自2024年9月1日起施行。《演示省风电接网办法》同时废止。
"""
LAW = """中华人民共和国演示能源法（演示文本）

第一条 本法为演示文本。

第二条 发电企业必须接受调度。

第三条 本法自2019年6月1日起施行。
"""
OTHER = """演示电力调度条例（演示文本）

第一条 根据《中华人民共和国演示能源法》，制定本条例。

第二条 调度机构可以要求发电企业报送资料。

第三条 本条例自2020年6月1日起施行。
"""


@pytest.fixture(scope="module")
def reader() -> EdgeReader:
    return EdgeReader(rules.load(settings.load().rules))


def read(reader: EdgeReader, text: str) -> list[tuple[str, str, str, str, str, str]]:
    """Return (kind, label, source, target, label of the target, words) of every edge of a text."""
    provisions = tuple(structure(text).provisions)
    title = text.splitlines()[0]
    held = Regulation(
        "r", title, text, provisions, Validity(), "r.md", "0" * 64, relations=relations(text, provisions, title)
    )
    return [(e.kind, e.label, e.source, e.target, e.target_label, e.span.of(text)) for e in reader.edges(held)]


SENTENCES = [
    ("风电场应当建立台账。", "obliges", "", "", None),
    ("发电企业应当建立台账。", "obliges", "发电企业", "", "发电企业应当建立台账"),
    ("发电企业在并网前，应当向调度机构报送资料。", "obliges", "发电企业", "", None),
    ("对不符合规定的发电企业应当予以通报。", "obliges", "", "", None),
    ("调度机构发现发电企业违反规程的，应当立即制止。", "obliges", "调度机构", "", None),
    ("负有监管职责的部门，应当公开名单。", "obliges", "负有监管职责的部门", "", None),
    ("土地所有权属于国家。", "obliges", "", "", None),
    ("本办法所称并网点，是指电源与电网的连接点。", "defines", "", "并网点", None),
    ("演示省能源局（以下简称省能源局）主管本项工作。", "defines", "", "省能源局", None),
    ("具体办法由省能源主管部门会同有关部门制定。", "delegates", "", "省能源主管部门", None),
    ("标准由省能源主管部门统一公布。", "delegates", "", "省能源主管部门", None),
    ("容量不足六千瓦的除外。", "exempts", "", "", "容量不足六千瓦的除外"),
    ("污染物应当予以清除，除外力破坏的情形外，由企业负责。", "exempts", "", "", None),
    ("省能源主管部门负责并网监督管理工作。", "supervises", "省能源主管部门", "", None),
    ("由省能源主管部门责令改正，处二万元罚款。", "penalises", "省能源主管部门", "", None),
    ("拒不改正的，处二万元罚款。", "penalises", "", "", None),
    ("依照招标投标法的有关规定执行。", "cites", "", "招标投标法", None),
    ("管理人实施前款行为应当报告。", "obliges", "管理人", "", None),
    ("境外机构须向监管部门登记后，方可开展业务。", "obliges", "境外机构", "", None),
    ("资料汇交人应当按期汇交。", "obliges", "资料汇交人", "", None),
    ("省级人民政府能源主管部门查处重大案件，应当核算损失。", "obliges", "省级人民政府能源主管部门", "", None),
    ("有关国家机关制定涉企政策，应当听取意见。", "obliges", "有关国家机关", "", None),
    ("企业负责人对处分不服的，可以申诉。", "obliges", "企业负责人", "", None),
    ("市人民政府应当划定禁止、限制施工的区域。", "obliges", "市人民政府", "", "市人民政府应当划定禁止、限制施工的区域"),
    ("发电企业与施工单位签订的合同，应当写明责任。", "obliges", "", "", None),
    ("情节严重的，应当认定为重大事故。", "obliges", "", "", None),
    ("省级能源主管部门依照法律的规定，对并网实施监管。", "supervises", "省级能源主管部门", "", None),
    ("省级能源主管部门依照法律的规定，对并网实施监察。", "supervises", "省级能源主管部门", "", None),
    ("能源主管部门依据职责负责并网标准的组织起草。", "supervises", "能源主管部门", "", None),
    ("县级以上人民政府负责并网监督的部门负责本行政区域的并网工作。", "supervises",
     "县级以上人民政府负责并网监督的部门", "", None),
    ("国务院能源主管部门组织制定并网的国家标准、行业标准。", "delegates", "", "国务院能源主管部门", None),
    ("主管部门可以处二万元罚款。", "penalises", "主管部门", "", None),
    ("除依照本办法处罚外，还应当赔偿损失。", "exempts", "", "-", None),
    ("一级保护区除下列项目外，禁止建设。", "exempts", "", "", "除下列项目外"),
    ("为了实施《演示能源法》，制定本办法。", "implements", "", "演示能源法", None),
    ("县级以上人民政府应急管理部门应当公布预案。", "obliges", "县级以上人民政府应急管理部门", "", None),
    ("省人民政府自然资源、经济和信息化等部门应当公布名单。", "obliges", "省人民政府自然资源、经济和信息化等部门", "", None),
    ("国务院对外贸易主管部门可以发布公告。", "obliges", "国务院对外贸易主管部门", "", None),
    ("发电企业从业人员应当持证上岗。", "obliges", "发电企业从业人员", "", None),
    ("对设备负有保管责任的单位，应当登记。", "obliges", "对设备负有保管责任的单位", "", None),
    ("给他人造成损害的，应当赔偿。", "obliges", "", "", None),
    ("未一次告知申请人必须补正的内容的，责令改正。", "obliges", "", "", None),
    ("单位产品能耗应当低于限额。", "obliges", "", "", None),
    ("使用禁止使用目录中的设备的，责令改正。", "obliges", "", "", None),
    ("强行拆除的，所需费用由建设单位承担；可以处二万元罚款。", "obliges", "", "", None),
    ("积极配合主管部门整改的，可以减轻责任。", "obliges", "", "", None),
    ("省能源局设立派出机构，实施安全监督。", "supervises", "省能源局", "", None),
    ("电站应当接受省能源局的核安全监督。", "supervises", "省能源局", "", None),
    ("应当给予行政处罚的，由省能源局决定执行。", "penalises", "省能源局", "", None),
    ("规章可以在给予罚款处罚的行为范围内规定。", "penalises", "", "-", None),
    ("公众有权查阅名单。", "obliges", "公众", "", None),
    ("省能源主管部门是本省电力管理部门，负责全省电力的监督管理。", "supervises", "省能源主管部门", "", None),
    ("储能电站由省能源主管部门登记，并负责其安全管理工作。", "supervises", "省能源主管部门", "", None),
    ("省能源主管部门依法管理并网，对重点企业加强监督管理。", "supervises", "省能源主管部门", "", "对重点企业加强监督管理"),
    ("省能源主管部门应当采取抽查形式，加强过程监管。", "supervises", "省能源主管部门", "", "加强过程监管"),
    ("并网试验的监督管理，由能源主管部门依照本办法的规定实施。", "supervises", "能源主管部门", "", None),
    ("行业协会应当在能源主管部门的指导和监督下建立规范。", "supervises", "能源主管部门", "", None),
    ("市人民政府督促有关部门履行监督职责。", "supervises", "有关部门", "", None),
    ("省人民政府设立调度委员会，负责协调并网工作。", "supervises", "调度委员会", "", "负责协调并网工作"),
    ("案件由并网地的能源主管部门管辖。", "supervises", "并网地的能源主管部门", "", None),
    ("监理机构应当在开工前，负责审核方案。", "supervises", "", "-", None),
    ("并网规程由管理电站的有关主管部门规定。", "supervises", "", "-", None),
    ("国务院能源主管部门，根据能源规划，制定并网的条件。", "delegates", "", "国务院能源主管部门", None),
    ("具体标准由省、自治区、直辖市规定。", "delegates", "", "省、自治区、直辖市", None),
    ("适用的价格由省人民政府在前款规定的幅度内确定。", "delegates", "", "省人民政府", None),
    ("电站建设必须遵守国家主管部门制定的安全规程。", "delegates", "", "-", None),
    ("实验室的设备不受此限。", "exempts", "", "", "实验室的设备不受此限"),
    ("贷款方有不同规定的，可以适用其规定。", "exempts", "", "", "贷款方有不同规定的，可以适用其规定"),
    ("由公安部门根据《演示治安法》予以处罚。", "penalises", "公安部门", "", None),
    ("由能源主管部门予以收缴；对驾驶人处二百元罚款。", "penalises", "能源主管部门", "", None),
    ("计量基准器具（简称计量基准，下同）应当登记。", "defines", "", "计量基准", None),
    # what official papers write
    ("省能源主管部门应按季公布名单。", "obliges", "省能源主管部门", "", None),
    ("各地区、各部门要压实责任。", "obliges", "各地区、各部门", "", None),
    ("电网企业可根据实际情况调整方案。", "obliges", "电网企业", "", None),
    ("电网企业应对其提交的资料负责。", "obliges", "电网企业", "", None),
    ("电网企业应对气候变化的措施由省能源局审核。", "obliges", "", "", None),
    ("电网企业可再生能源电量逐年提高。", "obliges", "", "", None),
    ("各主要用户供应紧张。", "obliges", "", "", None),
    ("要督促电力用户整改，严禁设备带病运行。", "obliges", "", "", None),
    ("禁止新建高耗能企业，改建项目的，应当采取措施。", "obliges", "", "", None),
    ("纳入清单的电力用户是安全责任主体，应当遵守规程。", "obliges", "纳入清单的电力用户", "", None),
    ("确保任何单位不得干预交易。", "obliges", "任何单位", "", None),
    ("演示电网调度控制中心（以下简称“总调”）负责应急调度，总调可直接启动。", "obliges", "总调", "", None),
    ("强制退出的经营主体，1年内不得参与交易。", "obliges", "强制退出的经营主体", "", None),
    ("并网型项目主责单位应组织验收。", "obliges", "并网型项目主责单位", "", None),
    ("本办法由省发展改革委（省能源局）负责解释。", "supervises", "省发展改革委（省能源局）", "", None),
    ("交易机构主要负责交易组织，调度机构主要负责实时平衡。", "supervises", "调度机构", "", None),
    ("能源主管部门按职责组织指导开展电力设施保护工作。", "supervises", "能源主管部门", "", None),
    ("交易机构配合省能源局开展信息披露监管工作。", "supervises", "交易机构", "", None),
    ("省能源局会同市人民政府对电力交易机构实施监管。", "supervises", "省能源局", "", None),
    ("市、县人民政府对供电质量负责。", "supervises", "", "-", None),
    ("省能源局对并网实施监督；依法加强安全监管。", "supervises", "省能源局", "", "依法加强安全监管"[2:]),
    ("由省能源局指定的单位负责运行维护。", "supervises", "", "-", None),
    ("负荷聚合指多个用户合并参与交易。", "defines", "", "负荷聚合", None),
    ("核发机构（即演示资质中心，下同）建立账户。", "defines", "", "核发机构", None),
    ("交易细则由省能源局组织交易机构起草。", "delegates", "", "省能源局", None),
    ("本办法规定的行政处罚，由能源主管部门决定。", "penalises", "能源主管部门", "", None),
    ("依法可以吊销许可证的其他情形。", "penalises", "", "-", None),
    ("离网型项目豁免电力业务许可。", "exempts", "", "", "离网型项目豁免电力业务许可"),
    ("电网企业每月10日前报送信息。", "states", "", "10日前", None),
    ("竞价日为运行日前一日。", "states", "", "-", None),
    ("责令限期拆除违法建筑。", "states", "", "-", None),
    ("负责应急处置的人民政府应当公布预案。", "supervises", "", "-", None),
    ("市水务部门开展监测，协同生态环境部门对排污实施监督管理。", "supervises", "市水务部门", "", None),
    ("能源主管部门应当公布许可证豁免清单。", "exempts", "", "-", None),
    ("跨省电网输电价格，应有利于交易。", "obliges", "", "", None),
    ("交易机构备案的结果应详实。", "obliges", "", "", None),
    ("省级电网应分摊的电费按比例确定。", "obliges", "", "", None),
    ("我局将进一步加强调峰市场的监管工作。", "supervises", "我局", "", None),
    ("设置停机机组时不受最短运行时间约束。", "exempts", "", "", None),
    ("对自用电量免收容量电费。", "exempts", "", "", None),
    ("对失约单元进行违约处罚。", "penalises", "", "", "进行违约处罚"),
    ("最短停机时间，即机组解列后连续停运的时间。", "defines", "", "最短停机时间", None),
    ("结合演示法、演示节约法等完善制度。", "cites", "", "演示节约法", None),
    ("本《演示标准》以实践为依据。", "cites", "", "-", None),
    ("购售电双方可自主协商电价。", "obliges", "购售电双方", "", None),
    ("原则上调度机构可调整次序。", "obliges", "调度机构", "", None),
    ("开工前建设单位应当落实资金。", "obliges", "建设单位", "", None),
    ("消纳困难的地区，要从严安排新项目。", "obliges", "消纳困难的地区", "", None),
    ("已申报的企业退出试点后，仍须对试点期间的申报负责。", "obliges", "已申报的企业", "", None),
    ("放开发电企业发用电计划，要兼顾供需。", "obliges", "", "", None),
    ("电网企业负责计量，表计不合格的，可由发电企业提出更换。", "obliges", "", "", None),
    ("省能源局会同市能源局拟订方案，方案报国务院能源主管部门备案；强化申报行为监管。", "supervises", "省能源局", "", None),
    ("省电力局对受托检定工作加强管理。", "supervises", "省电力局", "", None),
    ("跨省交易由省电力交易中心组织。", "supervises", "省电力交易中心", "", None),
    ("损坏方所在单位应当负责赔偿。", "supervises", "", "-", None),
    ("违反本办法的，报请省能源局按照《演示监管条例》等规定处理。", "penalises", "省能源局", "", None),
    ("对虚报材料的项目单位，取消项目申报资格。", "penalises", "", "", "取消项目申报资格"),
    ("扰乱秩序的，由省能源局依法依规予以处理。", "penalises", "省能源局", "", None),
    ("容量电价由省价格主管部门按照演示文件办法核定或校核。", "delegates", "", "省价格主管部门", None),
    ("上网电价由省价格主管部门统筹考虑损耗等确定。", "delegates", "", "省价格主管部门", None),
    ("扩建期间，免除配合调试引起的考核。", "exempts", "", "", "扩建期间，免除配合调试引起的考核"),
    ("因安全运行原因未履约的，双方均不承担相应责任。", "exempts", "", "", None),
    ("逆变器应当符合GB/T 99001的要求。", "cites", "", "GB/T 99001", "GB/T 99001"),
    ("适用《演示能源法》和演示节约法的规定。", "cites", "", "演示节约法", None),
    ("依照中华人民共和国演示安全法第四条处理。", "cites", "", "中华人民共和国演示安全法", "第四条"),
    ("《演示意见》提出各演示电网企业要按月报送台账。", "obliges", "各演示电网企业", "", None),
    ("电力申报企业有义务提供参数。", "obliges", "电力申报企业", "", None),
    ("检查人员有责任保守秘密。", "obliges", "检查人员", "", None),
    ("检查人员有责任心。", "obliges", "", "", None),
    ("演示排水户因停产，排放的污水超标的，应当立即报告。", "obliges", "演示排水户", "", None),
    ("办理并网时，如发电企业发生合并的，应当先行变更。", "obliges", "发电企业", "", None),
    ("入市前项目主体应向调度机构申报。", "obliges", "项目主体", "", None),
    ("调度机构针对所调管的电站应满足计量要求。", "obliges", "调度机构", "", None),
    ("被授权单位承担检定工作，须接受抽查。", "obliges", "被授权单位", "", None),
    ("需要委托检测机构提供服务的，应当公开选择。", "obliges", "", "", None),
    ("政府信息公开主管部门查证属实的，应当督促整改。", "obliges", "政府信息公开主管部门", "", None),
    ("行政机关同时办理应诉事项。", "obliges", "", "", None),
    ("单户项目可拓展为多用户项目；聚合用户可参加交易。", "obliges", "聚合用户", "", None),
    ("演示交易机构将做好以下三方面工作。", "supervises", "", "-", None),
    ("项目要明确主责单位，负责并网设施的建设管理。", "supervises", "", "-", None),
    ("市演示委员会是本市电力行政主管部门。", "supervises", "市演示委员会", "", None),
    ("能源主管部门按照分工，各负其责，共同做好并网监管工作。", "supervises", "能源主管部门", "", None),
    ("能源主管部门应当加强对并网资产的管理、监督。", "supervises", "能源主管部门", "", None),
    ("参与并网的规则可依据国家规定并结合各地实际另行制定。", "delegates", "", "参与并网的规则", None),
    ("演示能源局可以约定价格，修订辖区内实施细则。", "delegates", "", "演示能源局", None),
    ("《演示意见》提出由省能源主管部门牵头组织制定并网管理办法。", "delegates", "", "省能源主管部门", None),
    ("制定轻微违法行为不予行政处罚清单。", "exempts", "", "-", None),
    ("结算电量不再执行演示峰谷电价政策。", "exempts", "", "", "结算电量不再执行演示峰谷电价政策"),
    # who an organ or a party is, and whose a clause is
    ("不动产演示机构应当依法登载事项。", "obliges", "不动产演示机构", "", None),
    ("各级演示部门、试验单位等应当按照规定开展演练。", "obliges", "各级演示部门、试验单位", "", None),
    ("演示交易公司从事撮合业务的人员应当持证。", "obliges", "演示交易公司从事撮合业务的人员", "", None),
    ("必要时演示主管部门可以派人旁听。", "obliges", "演示主管部门", "", None),
    ("演示检测机构对抽样检测的结果，可以向社会公告。", "obliges", "演示检测机构", "", None),
    ("下级演示部门应当落实部署；对移送的案件应当及时处理。", "obliges", "下级演示部门", "", "下级演示部门应当落实部署；对移送的案件应当及时处理"),
    ("申请人以书面形式作出承诺的，应当准予登记。", "obliges", "", "", None),
    ("演示部门制定限值标准；不符合标准的，不得用于并网。", "obliges", "", "", None),
    ("演示事项需要两个以上单位承办的，应当明确牵头者。", "obliges", "", "", None),
    ("演示监管局对发电企业报送数据的情况，以及电网企业披露信息的情况实施监管。", "supervises", "演示监管局", "", None),
    ("演示部门应当对学校开展演练进行指导和监督，应急演示部门应当支持。", "supervises", "演示部门", "", None),
    ("账户由演示主管部门统筹管理。", "supervises", "演示主管部门", "", None),
    ("储能电站接受演示调度机构统一管理。", "supervises", "演示调度机构", "", None),
    ("市人民政府设立演示委员会，负责审议规划，组织演示综合执法检查或者联合执法。", "supervises", "演示委员会", "", "组织演示综合执法检查"),
    ("演示单位负责本单位事故的防治。", "supervises", "", "-", None),
    ("按照谁主管谁负责的原则，演示部门应当移送。", "supervises", "", "-", None),
    ("费率由国务院、演示委员会依照本法规定的原则另行规定。", "delegates", "", "国务院、演示委员会", None),
    ("除依法予以更正外不得修改登记事项。", "exempts", "", "", "除依法予以更正外"),
    ("除遵守前条规定之外，禁止在并网点堆放物料。", "exempts", "", "-", None),
    ("违反前条规定的，由演示行业部门依照有关法律的规定进行处罚。", "penalises", "演示行业部门", "", None),
]  # fmt: skip
"""The words a sentence has to give an edge with; ``-`` for a target that no edge has: the kind must not be found."""


@pytest.mark.parametrize(("sentence", "kind", "source", "target", "words"), SENTENCES, ids=lambda v: str(v)[:12])
def test_what_a_sentence_ties(
    reader: EdgeReader, sentence: str, kind: str, source: str, target: str, words: str | None
) -> None:
    found = [e for e in read(reader, f"演示办法（演示文本）\n\n第一条 {sentence}\n") if e[0] == kind]
    if (not (source or target or words) and kind == "obliges") or target == "-":
        assert found == []
        return
    assert (source, target) in [("" if kind == "delegates" else e[2], e[3]) for e in found]
    assert words is None or words in [e[5] for e in found]


GENERAL = """演示市并网安全办法（演示文本）

第一条 为了演示，制定本办法。

第二条 运行维护单位应当完整记录检修台账。

第三条 并网主体应当按期报送涉网参数。

第四条 违反本办法规定，有下列行为之一的，由能源主管部门责令改正，处一万元罚款：
（一）未完整记录检修台账的；
（二）拒绝现场查验的。

第五条 并网主体未按期报送涉网参数的，由能源主管部门责令改正；拒不改正的，处二万元罚款。
"""


def test_a_penalty_that_names_no_article_leads_to_the_duty_of_the_same_act(reader: EdgeReader) -> None:
    found = {(e[1], e[4], e[5]) for e in read(reader, GENERAL) if e[0] == "penalises" and e[4]}
    assert found == {
        ("4-1-1", "2", "（一）未完整记录检修台账的；"),
        ("5-1", "3", "并网主体未按期报送涉网参数"),
    }, "nothing speaks of 现场查验: no duty is made up"


def test_a_list_of_duties_says_whose_they_are_in_its_first_line(reader: EdgeReader) -> None:
    text = "演示办法（演示文本）\n\n第一条 省能源主管部门依法履行下列职责：\n（一）公布名单；\n（二）对并网试验进行监督检查。\n"
    assert [(e[1], e[2]) for e in read(reader, text) if e[0] == "supervises"] == [("1-1-2", "省能源主管部门")]
    text = "演示办法（演示文本）\n\n第一条 省能源主管部门对并网实施统一管理，督促整改。负责储能电站的监督管理工作。\n"
    assert "负责储能电站的监督管理工作" in [e[5] for e in read(reader, text) if e[2] == "省能源主管部门"]


def test_a_heading_says_whose_the_duties_below_it_are(reader: EdgeReader) -> None:
    text = "演示细则（演示文本）\n\n1 总则\n1.1 目的\n为了演示。\n2 职责\n2.1 电力交易机构主要权责\n2.1.1 负责市场注册。\n2.1.2 对结算数据进行涉密管理。\n"
    assert [e[2] for e in read(reader, text) if e[0] == "supervises"] == ["电力交易机构"] * 2


def test_a_line_that_breaks_off_after_its_subject_goes_on(reader: EdgeReader) -> None:
    text = "演示省能源局关于演示工作的通知\n\n各单位：\n现就有关事项通知如下：\n一、强化管理。\n各有关单位\n要掌握条款，要确保安全。\n二、加强指导。\n各市要落实。\n"
    assert [e[2] for e in read(reader, text) if e[0] == "obliges"] == ["各有关单位", "各市"]


def test_a_law_is_implemented_once(reader: EdgeReader) -> None:
    text = "演示省实施《中华人民共和国演示能源法》办法（演示文本）\n\n第一条 为了实施《中华人民共和国演示能源法》，结合本省实际，制定本办法。\n"
    assert [e[3] for e in read(reader, text) if e[0] == "implements"] == ["中华人民共和国演示能源法"]


def test_further_parts_of_an_article_are_cited_each(reader: EdgeReader) -> None:
    text = "演示办法（演示文本）\n\n第一条 依照《演示能源法》第二条第一款、第二款和第三款的规定办理。\n"
    assert [e[4] for e in read(reader, text) if e[0] == "cites"] == ["2-1", "2-2", "2-3"]


def test_every_edge_is_proven_by_a_slice_of_the_text(reader: EdgeReader) -> None:
    found = read(reader, MEASURE)
    assert all(words and words in MEASURE for *_, words in found)
    assert {(k, s, t, tl) for k, _, s, t, tl, _ in found} >= {
        ("based_on", "", "中华人民共和国演示能源法", ""),
        ("defines", "", "涉网试验", ""),
        ("penalises", "", "", "3"),
        ("penalises", "省能源主管部门", "", ""),
        ("cites", "", "演示电力调度条例", "2"),
        ("cites", "", "GB/T 99999-2020", ""),
        ("repeals", "", "演示省风电接网办法", ""),
        ("states", "", "三十日", ""),
        ("uses_term", "", "涉网试验", ""),
    }


TEXTS = (("办法.md", MEASURE, "gd"), ("法.md", LAW, "cn"), ("条例.md", OTHER, "cn"))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("graph")
    manifest = []
    for name, text, province in TEXTS:
        (folder / name).write_text(text, "utf-8")
        manifest.append(
            json.dumps({"file": name, "province": province, "title": text[: text.index("（")]}, ensure_ascii=False)
        )
    (folder / "manifest.jsonl").write_text("\n".join(manifest), "utf-8")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        opened.intake.ingest([folder / f for f in ("办法.md", "法.md", "条例.md")], manifest=folder / "manifest.jsonl")
        yield opened


def ties(engine: Engine, node: str, scope: GraphScope | None = None) -> set[tuple[str, str, str]]:
    graph = engine.answers.graph
    return {(e.kind, e.source.name, e.target.name) for e in graph.around(graph.named(node), scope)}


TITLE = "演示省风电并网监督办法"


def test_a_provision_with_its_neighbours(engine: Engine) -> None:
    found = ties(engine, "演示省风电并网监督办法第三条")
    assert ("penalises", f"《{TITLE}》第五条", f"《{TITLE}》第三条") in found
    assert ("uses_term", f"《{TITLE}》第三条", "涉网试验") in found
    cited = ties(engine, "演示电力调度条例第二条")
    assert ("cites", f"《{TITLE}》第六条", "《演示电力调度条例》第二条") in cited


ORGANS = [
    ("演示能源局", "authority"), ("演示省发展改革委", "authority"), ("演示财政厅", "authority"), ("演示能源监管办", "authority"),
    ("县级以上人民政府", "authority"), ("生态环境部", "authority"), ("电网企业", "actor"), ("演示布局", "actor"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), ORGANS)
def test_an_organ_is_an_authority_by_the_last_word_of_its_name(engine: Engine, name: str, kind: str) -> None:
    assert engine.answers.graph._named_end(name).kind == kind


def test_a_duty_in_a_list_is_whose_the_opening_line_names(reader: EdgeReader) -> None:
    text = "演示办法（演示文本）\n\n第一条 演示权利人享有下列权利：\n\n（一）在作业区内，不得影响原有线路；\n\n（二）设施稳固，应当设置标志。\n"
    assert [(e[1], e[2]) for e in read(reader, text) if e[0] == "obliges"] == [("1-1-1", "演示权利人")]


def test_what_is_called_just_so_comes_before_titles_that_hold_the_words(engine: Engine) -> None:
    found = engine.answers.graph.search("涉网试验")
    assert found[0].name == "涉网试验" and found[0].kind == "term"


def test_kinds_province_and_day_narrow_it(engine: Engine) -> None:
    import datetime as dt

    law = "中华人民共和国演示能源法"
    assert {k for k, *_ in ties(engine, law, GraphScope(kinds=("based_on",)))} == {"based_on"}
    assert len(ties(engine, law, GraphScope(province="sd"))) == 1, "the measure of another province is out"
    assert ties(engine, law, GraphScope(day=dt.date(2019, 7, 1))) == set(), "nothing that rests on it was law yet"


def test_the_way_between_two_provisions(engine: Engine) -> None:
    graph = engine.answers.graph
    first, last = graph.named(f"{TITLE}第五条"), graph.named("演示电力调度条例第一条")
    assert [(e.kind, e.source.label, e.target.name) for e in graph.path(first, last)][-1][0] in ("cites", "based_on")
    assert graph.path(first, graph.node("authority:没有这个部门")) == []
    with pytest.raises(NotFoundError):
        graph.named("没有这个名称")


def test_a_duty_is_a_node_with_its_parts(tmp_path: Path) -> None:
    text = """演示市试验办法（演示文本）

第一条 为了演示，制定本办法。

第二条 发电企业在并网完成后，应当在三十日内缴纳二万元保证金。

第三条 违反本办法第二条规定的，由能源主管部门责令改正，处一万元罚款。

第四条 试验的具体办法由能源主管部门另行制定。
"""
    (tmp_path / "办法.md").write_text(text, "utf-8")
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as opened:
        opened.intake.ingest([tmp_path / "办法.md"])
        graph, held = opened.answers.graph, opened.regulations()[0].id
        (duty,) = {e.target for e in graph.around(graph.named("发电企业")) if e.target.kind == "duty"}
        told = formats.node(graph, graph.node(duty.id))
        assert duty.name.startswith("发电企业应当在三十日内")
        assert {k: told["duty"][k] for k in ("actor", "modal", "conditions", "deadlines", "amounts")} == {
            "actor": "发电企业", "modal": "应当", "conditions": ["发电企业在并网完成后"], "deadlines": ["三十日"], "amounts": ["二万元"],
        }  # fmt: skip
        assert [p["article"] for p in told["duty"]["penalties"]] == ["第三条"]
        assert {(e.kind, e.target.kind) for e in graph.around(duty)} == {
            ("obliges", "duty"), ("states", "duty"), ("states", "deadline"), ("states", "fee"), ("penalises", "duty"),
        }  # fmt: skip
        assert ("states", "duty") in {(e.kind, e.target.kind) for e in graph.around(graph.provision(held, "2"))}
        left = graph.around(graph.provision(held, "4"))
        assert {(e.kind, e.source.kind, e.source.name) for e in graph.around(graph.named("能源主管部门"))} >= {
            ("delegates", "delegation", "试验的具体办法")
        }
        assert left == [] or all(e.kind != "obliges" for e in left)
        with pytest.raises(NotFoundError):
            graph.node("duty:nothing#12")


def test_a_way_inside_one_text_runs_along_what_ties_its_provisions(engine: Engine) -> None:
    graph = engine.answers.graph
    fifth = graph.named(f"{TITLE}第五条")
    assert [e.kind for e in graph.path(fifth, graph.named(f"{TITLE}第二条"))] == ["uses_term", "defines"]
    assert [e.kind for e in graph.path(fifth, graph.named(f"{TITLE}第三条"))] == ["penalises"]


def test_a_way_keeps_to_kinds_day_province_and_texts(engine: Engine) -> None:
    import datetime as dt

    graph = engine.answers.graph
    first, last = graph.named(TITLE), graph.named("演示电力调度条例第一条")
    assert graph.path(first, last, GraphScope(kinds=("cites", "based_on"), province="gd"))
    measure, code = engine.regulation("办法.md").id, engine.regulation("条例.md").id
    for closed in (
        GraphScope(kinds=("repeals",)),
        GraphScope(province="sd"),
        GraphScope(day=dt.date(2020, 1, 1)),
        GraphScope(within=frozenset({measure})),
    ):
        assert graph.path(first, last, closed) == [], closed
    assert graph.path(first, last, GraphScope(within=frozenset({measure, code})))


def test_a_way_leads_through_held_texts_alone_unless_asked_otherwise(tmp_path: Path) -> None:
    """两部办法都依据未入库的法律、都引用未入库的标准：不因此相连。"""
    outside = "根据《中华人民共和国演示外部法》、GB/T 19964—2012，制定本办法。"
    titles = ("演示东城验收办法", "演示西城验收办法")
    texts = {f"{title}.txt": f"{title}\n\n第一条 {outside}\n\n第二条 并网应当验收。\n" for title in titles}
    with holding(tmp_path, texts) as engine:
        graph = engine.answers.graph
        east, west = (graph.named(title) for title in titles)
        assert graph.path(east, west) == []
        through = graph.path(east, west, GraphScope(unheld=True))
        assert [e.kind for e in through] == ["based_on", "based_on"]
        (unheld,) = {e.target for e in through}
        assert graph.path(east, unheld), "an end may be what is only cited"


def test_counts_keep_to_the_texts_looked_at(engine: Engine) -> None:
    graph, measure = engine.answers.graph, engine.regulation("办法.md").id
    whole, part = graph.counts(), graph.counts(GraphScope(within=frozenset({measure})))
    assert part["defines"] == whole["defines"] == 1 and part["obliges"] < whole["obliges"]
    assert sum(graph.counts(GraphScope(province="sd")).values()) < sum(whole.values())
    hidden = engine.library.edges.without(frozenset({measure})).counts()
    assert "defines" not in hidden and sum(hidden.values()) == sum(whole.values()) - sum(part.values())


def test_a_corpus_bounds_what_is_counted_and_what_stands_beside(engine: Engine) -> None:
    from nemo.corpora import CorpusOptions

    engine.corpora.create(CorpusOptions(name="法律（演示）"), None)
    engine.corpora.add("法律（演示）", [engine.regulation("法.md").id], None)
    answer = engine.ask("列出所有发电企业的义务", corpora=["法律（演示）"])
    told = engine.answers.beside(answer, "hybrid")["graph"]
    assert {row["title"] for row in told["counted"]["rows"]} == {"中华人民共和国演示能源法"}
    everywhere = engine.answers.beside(engine.ask("列出所有发电企业的义务"), "global")["graph"]["counted"]
    assert everywhere["total"] > told["counted"]["total"]


def test_who_must_do_what_where(engine: Engine) -> None:
    table = formats.table(engine.answers.graph, duties(engine.answers.graph, "能源主管部门", "", GraphScope()))
    assert {row["kind"] for row in table["rows"]} >= {"supervises", "penalises"}
    assert {row["province"] for row in table["rows"]} == {"gd"}
    text = engine.library.text(table["rows"][0]["regulation_id"])
    assert all(row["text"] == text[row["start"] : row["end"]] for row in table["rows"])


def beside(engine: Engine, question: str, mode: str) -> dict[str, Any]:
    answer = engine.ask(question)
    assert engine.answers.beside(answer, "naive") == engine.answers.beside(answer, None) == {}
    return dict(engine.answers.beside(answer, mode)["graph"])


def test_modes_put_neighbours_below_the_answer(engine: Engine) -> None:
    asked = "风电场未按期完成涉网试验的如何处罚"
    near = {one["article"]: one["role"] for one in beside(engine, asked, "local")["related"]}
    assert near["第三条"] == "所罚的义务"
    counted = beside(engine, "列出所有关于涉网试验的期限", "global")["counted"]
    assert [row["name"] for row in counted["rows"]] == ["三十日"] and counted["heading"] == "期限"
    both = beside(engine, asked, "hybrid")
    assert both["counted"] is None and both["related"]
    with pytest.raises(BadRequestError):
        engine.answers.beside(engine.ask(asked), "everything")


def test_neighbours_change_nothing_of_the_answer(engine: Engine) -> None:
    from nemo.export import answer_json

    answer = engine.ask("风电场未按期完成涉网试验的如何处罚")
    before = answer_json(answer)
    for mode in ("local", "hybrid", "mix"):
        near = engine.answers.beside(answer, mode)["graph"]["related"]
        assert near, mode
        assert answer_json(answer) == before, "quotes, their order and their scores are those of naive"
        assert not {(n["file"], n["article"]) for n in near} & {(c["file"], c["article"]) for c in before["citations"]}


def test_what_is_counted_and_stands_beside_is_law_today(tmp_path: Path) -> None:
    """A version that was replaced is in no table and beside no answer unless its day is asked for."""
    rows = []
    for name, day, more in (
        ("旧.md", "2019-01-01", {"superseded_by": "新.md", "superseded_on": "2024-01-01"}),
        ("新.md", "2024-01-01", {}),
    ):
        (tmp_path / name).write_text(GENERAL.replace("一万元", "三万元" if more else "一万元"), "utf-8")
        facts = {"file": name, "title": "演示市并网安全办法", "version_date": day, "effective_date": day, **more}
        rows.append(json.dumps(facts, ensure_ascii=False))
    (tmp_path / "manifest.jsonl").write_text("\n".join(rows), "utf-8")
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as opened:
        opened.intake.ingest([tmp_path / "旧.md", tmp_path / "新.md"], manifest=tmp_path / "manifest.jsonl")
        asked = "列出所有关于检修台账的处罚"
        now = opened.answers.beside(opened.ask(asked), "global")["graph"]["counted"]
        assert {row["regulation_id"] for row in now["rows"]} == {opened.regulation("新.md").id}


@pytest.mark.parametrize(
    ("question", "heading", "subject"),
    [
        ("汇总施工许可证的期限", "期限", "施工许可证"),
        ("统计煤矿安全生产许可证的期限", "期限", "煤矿安全生产许可证"),
        ("列出所有“并网主体”的定义", "定义", "并网主体"),
        ("有多少部法规规定了并网？", "法规", "并网"),
        ("列出所有由省能源主管部门制定的办法", "授权制定", "省能源主管部门"),
        ("哪个部门负责并网的监督管理？", "监管部门", "并网"),
        ("哪些企业应当安装在线监测设备？", "义务主体", "安装在线监测设备"),
        ("哪些单位不得无证并网？", "禁止", "无证并网"),
    ],
)
def test_what_is_counted_is_what_the_question_names(engine: Engine, question: str, heading: str, subject: str) -> None:
    table = counted(engine.answers.graph, question, GraphScope())
    assert table is not None and table.heading == heading
    assert table.subject[:1] == (subject,) or (not table.rows and "".join(table.subject) in subject)


def test_what_may_be_done_is_no_row_of_what_is_forbidden(engine: Engine) -> None:
    rows = [counted(engine.answers.graph, f"哪些企业{m}接受调度？", GraphScope()) for m in ("必须", "不得")]
    assert [table and [row.name for row in table.rows] for table in rows] == [["发电企业"], []]


def test_who_is_obliged_is_no_question_of_supervision(engine: Engine) -> None:
    counted = beside(engine, "哪些企业必须接受调度", "global")["counted"]
    assert counted["heading"] == "义务主体" and [row["name"] for row in counted["rows"]] == ["发电企业"]


def test_exports_are_readable_by_others(engine: Engine) -> None:
    graph = engine.answers.graph
    edges = graph.around(graph.named(f"{TITLE}第三条"))
    tree = ET.fromstring(formats.written(graph, edges, "graphml"))  # our own
    assert len(tree.findall(".//{*}edge")) == len(edges)
    told = json.loads(formats.written(graph, edges, "jsonld"))
    types = {each["@type"] for each in told["@graph"]}
    assert "eli:LegalResourceSubdivision" in types and told["@context"]["eli"].startswith("http")


def test_what_a_person_may_not_see_is_in_no_edge(engine: Engine) -> None:
    hidden = engine.regulation("办法.md").id
    shown = engine.library.edges.without(frozenset({hidden}))
    assert hidden not in {stored.regulation_id for stored in shown.all()} and shown.all()
    assert shown.named("涉网试验") == [] and engine.library.edges.named("涉网试验")
    assert sum(shown.counts().values()) == len(shown.all())


def test_a_picture_quotes_every_label(engine: Engine) -> None:
    graph = engine.answers.graph
    centre = graph.named(TITLE)
    drawn = dot(formats.neighbourhood(graph, graph.around(centre), centre))
    assert drawn.count("->") and "未入库" in drawn, "the repealed text is not held"


def test_a_way_that_begins_at_a_provision_goes_on_from_its_text() -> None:
    """The way is made of what texts say of each other; that an article stands in its law is drawn, not left to be guessed."""
    kinds = {"p": ("provision", "a"), "t": ("regulation", "a"), "o": ("regulation", "b")}
    nodes = [
        {"id": i, "kind": kind, "name": f"示例{i}", "regulation_id": of, "status": "现行有效", "kind_name": kind}
        for i, (kind, of) in kinds.items()
    ]
    edges = [{"source": "t", "target": "o", "kind_name": "根据"}]
    assert "n0 -> n1" in dot({"centre": "p", "nodes": nodes, "edges": edges})
    assert dot({"centre": "t", "nodes": nodes, "edges": edges}).count("->") == 1


def test_a_text_that_goes_takes_its_edges_along(tmp_path: Path) -> None:
    (tmp_path / "办法.md").write_text(MEASURE, "utf-8")
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        engine.intake.ingest([tmp_path / "办法.md"])
        told = engine.library.inspect()
        assert told.checked["图谱的边"] == sum(engine.answers.graph.counts().values()) > 15 and not told.differences
        with sqlite3.connect(tmp_path / "library" / "catalogue.sqlite") as damaged:
            damaged.execute("DELETE FROM edges WHERE kind = 'penalises'")
        assert [d.place for d in engine.library.inspect().differences] == ["edges"]
        engine.intake.reindex()
        assert not engine.library.inspect().differences and engine.answers.graph.counts()["penalises"]
        engine.intake.remove(engine.regulations()[0].id)
        assert sum(engine.answers.graph.counts().values()) == 0


NOTICE = """关于做好演示并网延续工作的通知（演示文本）

各有关演示企业：

近日，上级印发了《演示并网延续办法》（以下简称《办法》），现转发给你们。

持证人应当在期限届满三十日前提出申请。演示监管局将加强对延续工作的监督检查。

演示监管局
"""


def test_a_notice_without_numbers_is_read_as_a_numbered_one_is(reader: EdgeReader) -> None:
    found = {(kind, source, target) for kind, _, source, target, _, _ in read(reader, NOTICE)}
    assert {("obliges", "持证人", ""), ("supervises", "演示监管局", ""), ("defines", "", "办法")} <= found


def test_a_letter_is_of_no_matter_and_a_rule_is(reader: EdgeReader) -> None:
    assert reader.matter("演示省大气污染防治条例") == "演示省大气污染防治"
    assert reader.matter("演示能源局关于加强并网管理的通知") == ""


def test_a_base_is_named_also_where_the_text_does_not_name_itself_last(reader: EdgeReader) -> None:
    text = "演示规则（演示文本）\n\n第一条 本规则依据《演示能源法》《演示电力条例》等制定。\n"
    assert [e[3] for e in read(reader, text) if e[0] == "based_on"] == ["演示能源法", "演示电力条例"]


def test_a_line_of_a_drawn_name_begins_with_no_closing_mark() -> None:
    assert "\\n》" not in quoted("《中华人民共和国演示能源法实施办法》第一章第一条") and "》" in quoted("《甲》")


def test_the_checked_edges_carry_no_words_of_a_text() -> None:
    """Names of bodies are short, titles are facts; whatever is longer stands there as a hash."""
    rows = [
        json.loads(line)
        for line in (Path(__file__).parents[1] / "benchmarks" / "graph_edges.jsonl").read_text("utf-8").splitlines()
    ]
    titled = {"cites", "based_on", "repeals", "amends", "implements"}
    names = [row["source"] for row in rows] + [row["target"] for row in rows if row["kind"] not in titled]
    assert [name for name in names if len(name) > 10 and not name.startswith("sha256:")] == []


def test_an_authority_is_found_by_its_name_though_many_titles_hold_it(tmp_path: Path) -> None:
    body = "第一条 示例市能源演示局负责检查示例电站（演示文本）。\n"
    texts = {f"{n}.txt": f"示例市能源演示局关于示例事项之{n}的规定\n\n{body}" for n in "甲乙丙丁戊己庚辛壬癸子丑"}
    with holding(tmp_path, texts) as engine:
        graph = engine.answers.graph
        assert graph.named("示例市能源演示局").kind in ("authority", "actor")
        kinds = [node.kind for node in graph.search("示例市能源演示局", 6)]
        assert "regulation" in kinds and {"authority", "actor"} & set(kinds)


def test_an_act_of_just_the_share_that_is_enough_is_found_in_whatever_order_its_pairs_come(monkeypatch):
    """The order of a set differs from process to process; a sum of weights must not."""
    draw = random.Random(3)
    pairs = [f"{chr(0x4E00 + i)}乙" for i in range(40)]
    shares = [draw.random() for _ in range(20)]
    weight = dict(zip(pairs, shares + shares, strict=True))
    duties = [acts._Unit("2", "2", 0, 1)]
    found = set()
    for _ in range(50):
        order = draw.sample(pairs, len(pairs))
        monkeypatch.setattr(acts, "_pairs", lambda _text, order=order: order)
        found.add(acts._punished("", duties, {pair: [0] for pair in pairs[:20]}, weight))
    assert found == {"2"}

"""A fixed body of texts and questions that tells one way of reading from another (探针).

A model is only as good as the numbers it was trained on. What a model's card says of these passages (演示文本, made up
here) must be what the program makes of them, to the last bit; otherwise the model belongs to another program.
"""

from itertools import product
from typing import NamedTuple


class ProbePassage(NamedTuple):
    """One made-up provision and what it stands under."""

    title: str
    chapter: str
    level: str
    article: str
    text: str


TITLES = (
    ("演示省光伏电站并网管理办法", "第二章 并网", "地方性法规"),
    ("演示市风电项目核准规定", "第五章 法律责任", "规范性文件"),
    ("储能电站安全演示规程", "", "部门规章"),
    ("中华人民共和国演示能源法", "第一章 总则", "法律"),
)

SUBJECTS = (
    "电网企业", "光伏发电项目单位", "县级以上能源主管部门", "储能电站运营企业", "风电场建设单位", "电力用户",
    "Ⅲ类用户（10kV以上）",
)  # fmt: skip

CLAUSES = (
    "应当自收到申请之日起十五个工作日内书面答复",
    "不得擅自改变装机容量；违反本办法第七条规定的，处五万元以上二十万元以下的罚款",
    "是指额定容量不超过6MW、以35千伏及以下电压接入的发电设施",
    "应当提交下列材料：（一）申请书；（二）土地证明；（三）接入系统设计报告",
    "可以依照国家有关规定享受每千瓦时0.03元的补贴，补贴比例不低于10%",
    "负责组织验收，会同自然资源、生态环境等部门出具意见，并于2026年3月31日前备案",
    "未取得电力业务许可证从事发电的，责令改正，没收违法所得；构成犯罪的，依法追究刑事责任",
    "本办法自二〇二六年一月一日起施行，有效期五年，原规定同时废止",
)

QUESTIONS = (
    "光伏并网电网企业几天内要答复",
    "没有许可证就发电，最高罚多少钱",
    "储能电站第七条说的是什么，要交哪些材料",
    "补贴每度电多少钱",
)


def passages() -> list[ProbePassage]:
    """Return the passages, always the same ones in the same order."""
    made = enumerate(product(TITLES, SUBJECTS, CLAUSES), 1)
    return [ProbePassage(*under, str(n), f"第{n}条　{who}{what}。") for n, (under, who, what) in made]

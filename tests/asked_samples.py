"""Invented regulations for questions by number and about a regulation itself: a code by parts, a law of two characters."""

import json
from pathlib import Path

CODE = """中华人民共和国演示航道法典（演示文本）

（2020年5月28日全国人民代表大会通过）

第一编 总则

第一章 基本规定

第一条 为了演示按编查找，根据宪法，制定本法典。

第二条 本法典所称航道，是指演示用的水上通道。

第二编 航道建设

第一章 规划

第三条 航道规划由演示主管部门编制。

航道规划应当公开征求意见。

第四条 有下列情形之一的，应当修改航道规划：

（一）水位发生重大变化；

（二）航道等级调整；

（三）演示主管部门认为需要修改的其他情形。

前款规定的修改，应当自决定之日起三十日内公布。

第二章 施工

第五条 航道施工应当设置标志。

第五条之一 施工期间应当每日巡查一次。

第三编 责任

第六条 违反本法典第五条规定，未设置标志的，由演示主管部门处一万元以下的罚款。

附则

第七条 本法典自2021年1月1日起施行。《演示航道管理条例》同时废止。
"""

SHORT = """中华人民共和国闸法

（2002年8月29日全国人民代表大会常务委员会通过 根据2009年8月27日全国人民代表大会常务委员会《关于修改部分演示法律的决定》第一次修正 根据2016年7月2日全国人民代表大会常务委员会《关于修改〈中华人民共和国闸法〉的决定》第二次修正）

第一章 总则

第一条 本法为演示文本，用于检验两个字的名称。

第二章 用闸

第二条 船舶过闸应当提前二日申请。

第三条 过闸申请应当载明船名、吨位。

第四条 闸口管理单位应当自收到申请之日起一日内答复。

第三章 附则

第五条 小型闸口的管理办法由省级人民政府规定。

第六条 本法自2002年10月1日起施行。
"""

RULE = """演示航道管理条例

（2005年3月1日演示委员会令第12号公布）

第一条 根据《中华人民共和国闸法》，制定本条例。

第二条 航标灯的电池每年更换两次。

第三条 本条例自2005年5月1日起施行。
"""

LOCAL = """演示省过闸办法

（2018年6月1日演示省人民政府令第30号公布）

第一条 根据《中华人民共和国闸法》，结合本省实际，制定本办法。

第二条 过闸收费标准见附件1。

第三条 本办法自2018年7月1日起施行。《演示省过闸暂行规定》同时废止。

附件1 过闸收费标准

每船次二十元。

附件2 免收情形

防汛船舶。
"""

FACTS = [
    {"file": "法典.md", "title": "中华人民共和国演示航道法典", "version_date": "2020-05-28", "level": "法律", "province": "cn"},
    {"file": "闸法.md", "title": "中华人民共和国闸法", "short_title": "闸法", "version_date": "2016-07-02", "level": "法律", "province": "cn", "in_force_from": "2016-09-01"},
    {"file": "条例.md", "title": "演示航道管理条例", "version_date": "2005-03-01", "level": "行政法规", "province": "cn", "issuer": "国务院"},
    {"file": "办法.md", "title": "演示省过闸办法", "version_date": "2018-06-01", "level": "地方政府规章", "province": "sd"},
]  # fmt: skip
TEXTS = {"法典.md": CODE, "闸法.md": SHORT, "条例.md": RULE, "办法.md": LOCAL}


def write(folder: Path) -> tuple[list[Path], Path]:
    """Write the texts and their manifest; return the files and the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf-8")
    manifest = folder / "manifest.jsonl"
    manifest.write_text("\n".join(json.dumps(fact, ensure_ascii=False) for fact in FACTS), "utf-8")
    return [folder / name for name in TEXTS], manifest

"""Invented regulations with versions, repeals and levels, and one small library of them for the tests of the law over time."""

import json
from pathlib import Path

OLD = """演示省风电场接网办法（演示文本）

（2021年5月20日演示省人民代表大会常务委员会通过）

第一章 总则

第一条 为了演示版本比较，根据《中华人民共和国演示能源法》，制定本办法。

第二条 风电场申请接网，应当自批复之日起20个工作日内提交试验报告。

第三条 电网企业不得向风电场收取接网查勘费。

第四条 风电场每年应当开展一次涉网保护校核，结果报调度机构备案。

第二章 责任

第五条 违反本办法第二条规定的，由能源主管部门处一万元以上三万元以下的罚款。

第六条 本办法自2021年7月1日起施行。
"""

NEW = """演示省风电场接网办法（演示文本）

（2021年5月20日演示省人民代表大会常务委员会通过 2024年6月3日演示省人民代表大会常务委员会第十次会议修订）

第一章 总则

第一条 为了演示版本比较，根据《中华人民共和国演示能源法》，制定本办法。

第二条 本办法所称构网型机组，是指能够主动支撑电压和频率的机组。

第三条 风电场申请接网，应当自批复之日起10个工作日内提交试验报告。

第四条 风电场每年应当开展一次涉网保护校核，结果报调度机构备案。

第二章 法律责任

第五条 违反本办法第三条规定的，由能源主管部门处二万元以上三万元以下的罚款。

第六条 电网企业不得向风电场收取接网查勘费。

第七条 本办法自2024年9月1日起施行。
"""

LAW = """中华人民共和国演示能源法（演示文本）

（2019年3月1日全国人民代表大会常务委员会通过）

第一条 本法为演示文本，用于检验效力位阶。

第二条 风电场并入电网，应当依法取得接网批复；接网批复的条件由国务院能源主管部门规定。

第三条 本法自2019年6月1日起施行。
"""

STORAGE_OLD = """演示省抽水蓄能暂行规定（演示文本）

第一条 抽水蓄能电站的上水库水位应当每日记录两次。

第二条 本规定自2018年1月1日起施行。
"""

STORAGE_NEW = """演示省储能电站条例（演示文本）

第一条 根据《中华人民共和国演示能源法》和《演示省电网安全条例》，制定本条例。

第二条 储能电站应当每日记录水位和荷电状态，数据保存五年。

第三条 本条例自2025年3月1日起施行。《演示省抽水蓄能暂行规定》同时废止。
"""

FACTS = [
    {"file": "接网-2021.md", "title": "演示省风电场接网办法", "version_date": "2021-05-20", "level": "地方性法规", "province": "sd"},
    {"file": "接网-2024.md", "title": "演示省风电场接网办法", "version_date": "2024-06-03", "level": "地方性法规", "province": "sd"},
    {"file": "能源法.md", "title": "中华人民共和国演示能源法", "version_date": "2019-03-01", "level": "法律", "province": "cn"},
    {"file": "抽蓄.md", "title": "演示省抽水蓄能暂行规定", "version_date": "2017-12-01", "level": "地方政府规章", "province": "sd"},
    {"file": "储能.md", "title": "演示省储能电站条例", "version_date": "2025-01-10", "level": "地方性法规", "province": "sd"},
]  # fmt: skip
TEXTS = {"接网-2021.md": OLD, "接网-2024.md": NEW, "能源法.md": LAW, "抽蓄.md": STORAGE_OLD, "储能.md": STORAGE_NEW}


def write(folder: Path, *names: str) -> tuple[list[Path], Path]:
    """Write some of the texts, or all, and their manifest; return the files and the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = names or tuple(TEXTS)
    for name in chosen:
        (folder / name).write_text(TEXTS[name], "utf-8")
    manifest = folder / f"{chosen[0]}.jsonl"
    lines = [json.dumps(fact, ensure_ascii=False) for fact in FACTS if fact["file"] in chosen]
    manifest.write_text("\n".join(lines), "utf-8")
    return [folder / name for name in chosen], manifest

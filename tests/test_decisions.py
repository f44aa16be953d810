"""No rule changes unseen: what is decided on the samples is what was agreed on (规则判定快照)."""

import re

import pytest

from benchmarks import constants, decisions, probes
from benchmarks.decisions import agreed, differences, observed


def test_the_rules_decide_as_agreed() -> None:
    """A difference is meant (then ``make decisions`` and say the gains and losses) or a fault."""
    found = differences(agreed(), observed())
    assert not found, "\n".join(found[:40])


def test_every_rule_decides_as_agreed_on_inputs_of_its_own() -> None:
    """Patterns, functions of one text and rule tables; meant: ``make decisions``."""
    found = probes.differences(probes.agreed())
    assert not found, "\n".join(found[:40])


def answered(*labels: str) -> list[object]:
    return ["answered", None, [["办法.md", label, 3, 9, "现行有效"] for label in labels], [], []]


@pytest.mark.parametrize(
    ("remark", "key", "before", "after", "kind"),
    [
        ("the right article is quoted now", "q", answered("7-1"), answered("6-1"), "得"),
        ("it no longer is", "q", answered("6-1", "7"), answered("7"), "失"),
        ("refused now", "q", answered("6"), ["refused", "no_evidence", "没有依据"], "失"),
        ("another wrong one", "q", answered("7"), answered("8"), "变"),
        ("refused as it must be", "u", answered("7"), ["refused", "no_evidence", "没有依据"], "得"),
        ("a fact of a text", "办法.md · days", ["2020-01-01"], ["2021-01-01"], "变"),
        ("a new one", "办法.md · title", None, ["办法"], "新增"),
    ],
)
def test_a_changed_decision_is_told_as_a_gain_or_a_loss(
    remark: str, key: str, before: object, after: object, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {
        "q": {"question": "多少天？", "gold": [{"file": "办法.md", "article": "第六条"}]},
        "u": {"question": "股价？", "gold": []},
    }
    monkeypatch.setattr(decisions, "questions", lambda: asked)
    held = ({key: value} if value is not None else {} for value in (before, after))
    count, row = differences(*held)
    assert count == f"{kind} 1" and row.startswith(f"{kind}  {key}")
    assert ("《办法.md》6-1（现行有效，6 字）" in row) == ("6-1" in str(before) + str(after))


def test_strings_made_of_a_pattern_reach_its_branches() -> None:
    made = probes.spellings(re._parser.parse("(?:甲|乙)丙{1,2}丁?(?!戊)"))
    assert {"甲丙", "乙丙", "甲丙丙", "甲丙丙丙", "甲丙丁", "甲丙戊"} <= set(made)


def test_no_constant_and_no_rule_table_changes_unseen() -> None:
    """Meant: ``make decisions`` and commit; not meant: a threshold, a pattern or a word list has changed."""
    before, now = constants.agreed(), constants.constants()
    changed = [f"{k}: {before.get(k)} → {now.get(k)}" for k in sorted(before.keys() | now.keys())]
    assert not [
        line for line, k in zip(changed, sorted(before.keys() | now.keys()), strict=True) if before.get(k) != now.get(k)
    ]

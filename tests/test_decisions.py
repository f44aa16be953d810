"""No rule changes unseen: what is decided on the samples is what was agreed on (规则判定快照)."""

from __future__ import annotations

from benchmarks import constants
from benchmarks.decisions import agreed, differences, observed


def test_the_rules_decide_as_agreed() -> None:
    """A difference is meant (then ``make decisions`` and say the gains and losses) or a fault."""
    found = differences(agreed(), observed())
    assert not found, "\n".join(found[:40])


def test_a_changed_decision_is_seen() -> None:
    before = {"a": [1], "b": [2], "c": [3]}
    assert [line[:4] for line in differences(before, {"a": [1], "b": [9], "d": [4]})] == ["丢失 c", "改变 b", "新增 d"]


def test_no_constant_and_no_rule_table_changes_unseen() -> None:
    """Meant: ``make decisions`` and commit; not meant: a threshold, a pattern or a word list has changed."""
    before, now = constants.agreed(), constants.constants()
    changed = [f"{k}: {before.get(k)} → {now.get(k)}" for k in sorted(before.keys() | now.keys())]
    assert not [
        line for line, k in zip(changed, sorted(before.keys() | now.keys()), strict=True) if before.get(k) != now.get(k)
    ]

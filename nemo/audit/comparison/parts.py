"""Whether a memo leaves the end of a rule out (但书)."""

import re

from nemo.audit.comparison.alignment import content, cover, nearest
from nemo.audit.comparison.stance import OWN
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import keyed

_WORDS, _HALF = 3, 0.5
"""Words from which on a saying tells a rule; share of the words of the rule that it must tell."""
_PROVISO = re.compile(
    r"[，；]但(?:是，?)?(?P<but>[^。；]{4,60}?)(?:的?除外|的?(?:可以不|不受|不适用|不在此限|无需|不需要)[^。；]{0,40})|"
    r"，(?P<out>[^。；，]{16,60}?)的除外"
)
_REFERS = re.compile("另有|依照|本法|本条例|前款|本条|^(?:法律|国家|国务院)[^。；]{0,12}$")
"""An exception that only refers to other rules: a retelling may leave it to them, who repeats the rule word for word may not."""
_GIVES = re.compile("但|除|不包括|不含|例外|另有|不适用|不在此限|不算")
_WHOLE, _TOUCHED = 0.85, 0.6
"""Shares of a saying that its rule bears out, and of an exception that a saying may touch without giving it."""


def without_proviso(saying: str, place: str, after: str) -> WordingChange | None:
    """Return the exception (但…除外) of a rule that a saying tells as a whole without it.

    Args:
        saying: The memo's words.
        place: The provision.
        after: What the memo writes next: it may give the exception itself.
    """
    if _GIVES.search(saying) or _GIVES.search(after) or OWN.search(saying):
        return None
    told = content(saying)
    for sentence in re.split("[。\n]", place):
        match = _PROVISO.search(sentence)
        rule = sentence[: match.start()].rsplit("；", 1)[-1] if match else ""
        but = (match["but"] or match["out"]) if match else ""
        word_for_word = rule and keyed(rule).key.endswith(keyed(saying).key)
        if not match or (_REFERS.search(but) and not word_for_word) or len(told) < _WORDS:
            continue
        if not any(rule and rule in part for part in nearest(saying, place.replace("；", "，"))):
            continue
        retells = cover(told, rule) >= _WHOLE and cover(content(rule), saying) >= _HALF
        if retells and cover(content(but), saying) < _TOUCHED:
            return WordingChange("", match[0].lstrip("，；"))
    return None

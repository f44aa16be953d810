"""The rule data (规则数据): ``data/rules/*.toml`` read into frozen look-ups.

What the field knows (provinces, words for assets, synonyms, levels of force, official sites, known regulations) is
data with a source for every entry; this package checks it and offers fast look-ups. It judges nothing.
"""

from nemo.rules.entries import (
    Category,
    ForceLevel,
    Gloss,
    GraphAsked,
    GraphRule,
    LawProperty,
    OfficialSource,
    PropertyWords,
    RuleEntry,
    SynonymGroup,
)
from nemo.rules.lexicon import WordMatcher
from nemo.rules.loading import TABLES, load
from nemo.rules.lookups import Rules
from nemo.rules.page_lines import page_words

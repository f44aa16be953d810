"""Reads questions asked in English as Chinese search words (英文提问), by a reviewed glossary and nothing else.

Longest phrase first, word for word: a search needs the words of the law, not a translation. Laws and their articles
come first, question words last, as in a Chinese question. What the glossary does not know is never passed over where it
may carry the subject: the reading names it, and the question is refused.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from nemo.rules import Gloss
from nemo.text.words.homophones import sound

HAN = re.compile(r"[\u3400-\u9fff]")
_TOKEN = re.compile(
    r"(?P<standard>(?<![A-Za-z])(?:GB|DL|NB|HJ|SL|JB|JGJ|TSG|DB\d\d|Q/[A-Z]{2,4}|T/[A-Z]{2,6})"
    r"(?:/[TZ])?\s?\d{2,6}(?:\.\d+)*(?:-\d{4})?)|"
    r"(?P<day>as\s+of\s*(?P<y>(?:19|20)\d\d)(?:-(?P<m>\d\d)(?:-(?P<d>\d\d))?)?)|"
    r"(?P<provision>(?P<unit>(?<![A-Za-z])(?:art(?:icle)?s?\b\.?|para(?:graph)?s?\b\.?|items?)|§{1,2})\s*(?P<n>\d{1,4})(?:\((?P<sub>\d{1,2})\))?)|"
    r"(?P<number>\d+(?:[.,]\d+)*%?)|(?P<word>[A-Za-z]+(?:\d(?!\d))?)(?:'s?(?![A-Za-z]))?",
    re.IGNORECASE,
)
_UNIT = {"a": "条", "§": "条", "p": "款", "i": "项"}
"""By the first letter of the unit: Article 5, art. 5, § 5."""
_ORDER = ("law", "provision", "content", "question")
_GRAMMAR = """
a about above according after all also am among an and another any applied applies apply are as at be because
been before being below between both but by can cannot case cases concerning could did do does doing during each
either else every explain find following for from get gets give given go had has have having he help her here
his how i if in into is it its just kind know let like make makes many may me might mine much must my need
needed needs new no not of on only onto or other our out over per please regarding related relevant require
required requires said say says set sets shall she should show so some specific stipulate stipulated such take
taken takes tell than that the their them then there these they this those through thus to type under until up
upon us use using very want wants was we were what when where whether which while whose will with within would
you your held met shown broken begun
accordance across administrative again against ago allow already always amongst anybody anyone area around away back become begin
belong best better big break bring call carry cause certain close come current currently different done due early
easily end enough ever everybody everyone exact exactly existing extent face fact false far few first finish follow
full fully general generally generate good great happen help hold important inside instead itself keep kept large last
late later least legally less life local long made main maintain manner matter mean meet mere more most move near necessary never
new next nobody normal nothing number occur often old once one originate other ought outside own part particular past
people place possible present prior provide purposes pursuant put question rather real recent remain respect same
say second see self separate simply since single small somebody someone something soon stand start state still sum
terms thereof thing think third three time today together toward towards true two understand used usual usually valid
basic central combined entitled implement implementing lawful natural online optional paid premises qualify square step strict total
various vary via way week well whatever whenever who whole whose why without work wrong year yet
"""
GRAMMAR = frozenset(_GRAMMAR.split())
"""Words that carry no search word of their own."""
ARTICLES = frozenset(("a", "an", "the", "any", "some", "their", "its", "this", "that", "these", "those"))
"""Left out before phrases are looked up: without a permit is without permit."""
KINDS_OF_LAW = frozenset(("law", "regulation", "measur", "provision", "rul"))
OF_NO_MATTER = frozenset(
    ("on", "for", "concerning", "of", "and", "interim", "provisional", "administration", "management")
)
"""Stems of the words of a law's name that do not say what it is on: a Law on the Administration of X is an X Law."""
IMPLEMENTING = re.compile(
    r"implement(?:ing|ation) (?P<kind>regulation|rule|measure)s?(?: (?:of|for|to|under)(?: the)?)?|(?P<kind_>regulation|rule|measure)s (?:for|on) (?:the )?implement(?:ation of|ing)(?: the)?",
    re.IGNORECASE,
)
"""Before or behind the name of a law: the rule that carries it out, a text of its own."""
CARRYING_OUT = {"regulation": "实施条例", "rule": "实施细则", "measure": "实施办法"}
YEAR = re.compile("(?:19|20)[0-9]{2}")
NEUTRAL = frozenset(("question", "place", "number"))
"""Kinds of entry that make no question of the field by themselves."""
PAST = re.compile(r"\b(?:did|was|were|had)\b", re.IGNORECASE)
IN_YEAR = re.compile(r"\b(?:back )?in (?=(?:19|20)\d\d\b)", re.IGNORECASE)
"""Of a question in the past tense: the day it is asked for."""
MODIFIES = re.compile(r"[a-z]{3,}(?:ly|ed)")
"""An unknown word that says how something is, not what: it may be left out, and is named."""
ACTS = re.compile(r"(?:er|or|ee)s?$")
"""Ends a word for who acts."""
LONGEST_LAW = 14
"""Words of a law's name that begins with its kind."""
LEAST_KNOWN = 2
"""Known words of the field beside which an unknown one may be left out."""
ENGLISH = 0.3
"""Share of the words that must be grammar or known: below it, letters are no English question (拼音, a path)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an English question means."""

    said: str
    """Chinese search words."""
    unknown: tuple[str, ...]
    """Words that were left out."""
    subjects: tuple[str, ...] = ()
    """Those of them that may carry the subject, names of places and things among them."""
    decisive: bool = False
    """Whether one of these decides what is asked: nothing can be answered."""
    known: tuple[tuple[str, str], ...] = ()
    """(English as written, Chinese) of what was understood."""

    @property
    def enough(self) -> bool:
        """Whether it may be searched for: something of the field was understood, and all that decides what is asked."""
        return bool(self.known) and not self.decisive


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the question and the Chinese for it."""

    words: str
    chinese: tuple[str, ...]
    kind: str
    """Kind of the entry, or ``provision``, ``verbatim``, ``grammar``, ``unknown``."""


class English:
    """Looks English words up in the glossary."""

    def __init__(self, glossary: Iterable[Gloss], cities: Iterable[str] = ()) -> None:
        """Args: the entries, and Chinese names of cities, which are written in English by their sound (Shenzhen)."""
        self._cities = tuple(cities)
        self._by_first: dict[str, list[tuple[tuple[str, ...], Gloss]]] = defaultdict(list)
        self._laws: dict[frozenset[str], Gloss] = {}
        for gloss in glossary:
            for phrase in (gloss.english, *gloss.aliases):
                key = phrase_key(phrase)
                self._by_first[key[0]].append((key, gloss))
                if gloss.kind == "law":
                    self._laws.setdefault(_matter(key), gloss)

    def read(self, text: str) -> Reading | None:
        """Return what an English question means; None when it has Han characters or is no English."""
        if HAN.search(text):
            return None
        text = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
        if PAST.search(text):
            text = IN_YEAR.sub("as of ", text)
        pieces = list(self._pieces(text))
        words = [p for p in pieces if p.kind not in NEUTRAL | {"grammar", "verbatim", "provision"}]
        known = [p for p in words if p.kind != "unknown"]
        spoken = [p for p in pieces if p.kind not in {"verbatim", "provision"}]
        if sum(p.kind != "unknown" for p in spoken) < max(1, ENGLISH * len(spoken)):
            return None
        unknown = tuple(dict.fromkeys(p.words for p in words if p.kind == "unknown"))
        names = () if text.isupper() else re.findall(r"(?<=[\w,;:] )[A-Z]\w+", text)
        subjects = tuple(w for w in unknown if w in names or not MODIFIES.fullmatch(w.lower()))
        decisive = any(w in names for w in subjects) or _decides(pieces, subjects)
        understood = tuple((p.words, " ".join(p.chinese)) for p in known)
        return Reading(_arranged(pieces), unknown, subjects, decisive, understood)

    def added(self, text: str) -> list[tuple[str, str]]:
        """Return (English as written, Chinese) for the subjects and places that a Chinese question names in English only."""
        out = []
        for piece in self._pieces(text):
            chinese = " ".join(word for word in piece.chinese if word not in text)
            if chinese and piece.kind not in {"question", "number", "status", "provision", "verbatim"}:
                out.append((piece.words, chinese))
        return list(dict.fromkeys(out))

    def _pieces(self, text: str) -> Iterator[_Piece]:
        tokens = [m for m in _TOKEN.finditer(text) if m["word"] is None or m["word"].lower() not in ARTICLES]
        place = 0
        while place < len(tokens):
            if tokens[place]["word"] is None:
                yield _figure(tokens[place])
                place += 1
                continue
            size, gloss, kind = self._carried_out(text, tokens, place)
            words = text[tokens[place].start("word") : tokens[place + size - 1].end("word")]
            if gloss is not None and kind:
                yield _Piece(words, (gloss.chinese[0] + kind,), gloss.kind)
            elif gloss is not None:
                yield _Piece(words, gloss.chinese, gloss.kind)
            elif city := self._city(words):
                yield _Piece(words, (city,), "place")
            else:
                yield _Piece(words, (), "grammar" if _is_grammar(words) else "unknown")
            place += size

    def _carried_out(self, text: str, tokens: Sequence[re.Match[str]], place: int) -> tuple[int, Gloss | None, str]:
        """Return the longest phrase as ``_longest`` does; of the rule that carries out a law what its Chinese name adds to the law's."""
        starts = [token.start() for token in tokens]
        before = IMPLEMENTING.match(text, starts[place])
        at = next((n for n, start in enumerate(starts) if before and start > before.end()), place)
        size, gloss = self._longest(text, tokens, at) if tokens[at]["word"] else (1, None)
        if gloss is None or gloss.kind != "law":
            return (*(self._longest(text, tokens, place) if at > place else (size, gloss)), "")
        end = at + size
        behind = IMPLEMENTING.match(text, starts[end]) if end < len(tokens) and at == place else None
        said = (before if at > place else None) or behind
        if said is None:
            return size, gloss, ""
        taken = (
            end
            if behind is None
            else next((n for n in range(end, len(tokens)) if starts[n] >= said.end()), len(tokens))
        )
        return taken - place, gloss, CARRYING_OUT[(said["kind"] or said["kind_"]).lower()]

    def _longest(self, text: str, tokens: Sequence[re.Match[str]], place: int) -> tuple[int, Gloss | None]:
        """Return the longest phrase that begins at a token, in tokens; (1, None) when there is none.

        Of phrases of one length the one that is written without another ending wins: mining before mine.
        """
        best: tuple[int, int, Gloss | None] = self._law_on(tokens[place:])
        for first in _forms(tokens[place]["word"]):
            for key, gloss in self._by_first.get(first, ()):
                taken = tokens[place : place + len(key)]
                if len(taken) < len(key) or len(key) < best[0] or any(t["word"] is None for t in taken):
                    continue
                if HAN.search(text, taken[0].start(), taken[-1].end()):
                    continue
                forms = [_forms(t["word"]) for t in taken]
                plain = sum(known[0] == part for known, part in zip(forms, key, strict=True))
                fits = all(part in known for known, part in zip(forms, key, strict=True))
                if fits and (len(key), plain) > best[:2]:
                    best = (len(key), plain, gloss)
        return max(1, best[0]), best[2]

    def _law_on(self, tokens: Sequence[re.Match[str]]) -> tuple[int, int, Gloss | None]:
        """Return the law whose name begins here, with its kind (Law on the Administration of X) or up to it (X Interim Regulation).

        In tokens; (0, 0, None) where none does.
        """
        words = list(takewhile(bool, (token["word"] for token in tokens[:LONGEST_LAW])))
        stems = [_stem(word) for word in words]
        opens = len(words) > 2 and words[0][0].isupper() and stems[0] in KINDS_OF_LAW and stems[1] in OF_NO_MATTER
        for size in range(len(words), 2, -1):
            closed = stems[size - 1] in KINDS_OF_LAW and all(word[0].isupper() for word in words[:size])
            if (opens or closed) and (gloss := self._laws.get(_matter(stems[:size]))):
                return size, 0, gloss
        return 0, 0, None

    def _city(self, word: str) -> str:
        """Return the city that a capitalised word names by its sound, empty when none does."""
        if not word[0].isupper():
            return ""
        return next((city for city in self._cities if "".join(sound(city)) == word.lower()), "")


def _decides(pieces: Sequence[_Piece], subjects: Sequence[str]) -> bool:
    """Tell whether unknown words decide what is asked: several of them, the first noun of a question, one that says of which kind
    a thing is (divorce procedure). A single one at its end (for tourism) or for who acts (obligor) does not, beside two known ones.
    """
    content = [
        p.kind not in NEUTRAL | {"grammar", "verbatim", "provision", "unknown"} and bool(p.chinese) for p in pieces
    ]
    at = [n for n, piece in enumerate(pieces) if piece.words in subjects]
    if len(set(subjects)) > 1 or sum(content) < LEAST_KNOWN:
        return bool(subjects)
    things = [n for n in at if not ACTS.search(pieces[n].words)]
    return any(not any(content[:n]) or (n + 1 < len(pieces) and content[n + 1]) for n in things)


@lru_cache(maxsize=8_192)
def phrase_key(phrase: str) -> tuple[str, ...]:
    """Return a phrase as it is compared: without hyphens, articles and endings of the plural."""
    found = (m["word"] for m in _TOKEN.finditer(phrase) if m["word"])
    return tuple(_stem(word) for word in found if word.lower() not in ARTICLES)


def _matter(stems: Sequence[str]) -> frozenset[str]:
    """Return what a law's name says that it is on, by stems, whichever way round it is put; regulations on it are no law on it."""
    end = stems[0] if stems[0] in KINDS_OF_LAW else stems[-1]
    rest = list(stems)
    if end in KINDS_OF_LAW:
        rest.remove(end)
    return frozenset(rest) - OF_NO_MATTER | ({end} & {"law"})


def _stem(word: str) -> str:
    """Return a word without the ending of the plural: licences → licenc, as licence."""
    word = word.lower()
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


_GRAMMAR_STEMS = frozenset(map(_stem, GRAMMAR))


def _forms(word: str) -> tuple[str, ...]:
    """Return the stems a word may stand under, as it is first, then without -ed, -ied or -ing: issued → issu, as issue."""
    word = word.lower()
    found = [_stem(word)]
    for ending, instead in (("ied", "y"), ("ed", ""), ("ing", "")):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3:
            found += [_stem(root + instead), _stem(root + "e")]
            if root[-1] == root[-2]:
                found.append(_stem(root[:-1]))
            break
    return tuple(dict.fromkeys(found))


def _is_grammar(word: str) -> bool:
    return len(word) == 1 or word.lower() in GRAMMAR or not _GRAMMAR_STEMS.isdisjoint(_forms(word))


def _figure(token: re.Match[str]) -> _Piece:
    """A number, the name of a standard, an article or a day: written as it is written in Chinese."""
    if token["provision"]:
        inner = f"第{token['sub']}款" if token["sub"] else ""
        return _Piece(token.group(), (f"第{token['n']}{_UNIT[token['unit'][0].lower()]}{inner}",), "provision")
    if token["day"]:
        month = f"{int(token['m'])}月" if token["m"] else ""
        day = f"{int(token['d'])}日" if token["d"] else ""
        return _Piece(token.group(), (f"{token['y']}年{month}{day}时",), "verbatim")
    return _Piece(token.group(), (token.group(),), "verbatim")


def _years_of_laws(pieces: Sequence[_Piece]) -> Iterator[tuple[int, str]]:
    """Yield the places of the years that say which version of a law is meant (the 2007 X Law), with what they add to its name."""
    for index, piece in enumerate(pieces):
        rest = (p for p in pieces[index + 1 :] if p.kind != "grammar" and p.chinese != ("版本",))
        named = next(rest, None)
        if YEAR.fullmatch(piece.words) and named is not None and named.kind == "law":
            yield index, f"{piece.words}年的"


def _arranged(pieces: Sequence[_Piece]) -> str:
    """Join the Chinese: 《law》, article, what is asked about, question word; a unit stays with its number."""
    parts: dict[str, list[str]] = {place: [] for place in _ORDER}
    dated = dict(_years_of_laws(pieces))
    for index, piece in enumerate(pieces):
        if index in dated:  # its version is a part of the name, as in 2007年的某法
            parts["law"].append(dated[index])
            continue
        place = piece.kind if piece.kind in _ORDER else "content"
        figure = index > 0 and re.search(r"\d$", "".join(pieces[index - 1].chinese))
        if piece.kind == "number" and figure and parts["content"]:
            parts["content"][-1] += piece.chinese[0]
        else:
            parts[place] += [word for word in piece.chinese if word not in parts[place]]
    named = "".join(parts["law"] + sorted(parts["provision"], key=lambda p: "条款项".index(p.strip("第0123456789")[0])))
    return " ".join(filter(None, [named, *parts["content"], *parts["question"]]))

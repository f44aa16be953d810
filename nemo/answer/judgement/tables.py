"""Rows of tables as answers (表行作答): which row a question asks for, and which rows are about something else.

A row is chosen by its label, the labels it stands under, its columns and its caption. A province, a grid zone or a
voltage in a label decides: a row of another one is never quoted, however alike its words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from nemo.answer.judgement import contrasts
from nemo.rerank.terms import fold
from nemo.rules import Rules
from nemo.text.structure import chunking
from nemo.text.structure.tables import row_at, tables
from nemo.text.words.quantities import quantities
from nemo.text.words.ranges import sizes
from nemo.text.words.sentences import trim
from nemo.types import Chunk, Day, Hit, Query, Quote, QuotedRow, Regulation, Span, Table, TableRow

SAME_ROW = 0.9
"""Rows whose score is at least this share of the best are quoted with it."""
MOST = 3
"""At most this many rows of one provision are quoted."""
AHEAD = 0.3
"""Share of the probability of words that name no voltage or place at which a row that does comes before them."""
NEARLY = 0.7
"""Share of the probability of a row about something else at which the next hit may answer instead."""
LONG_CELL = 30
"""A cell of more characters is no label."""
CAPTION_WEIGHT = 0.35
COUNTS = frozenset(("%", "次", "家", "人", "名", "份", "项", "台", "级", "处", "个", "千伏", "伏", "元"))
"""Units that tell no size of what a row is for; voltages are held against each other by themselves."""
BLANK = re.compile(r"[-—–－―/／*\s]*|无|空")
"""A cell that states nothing."""
TOTAL, TOTAL_ASKED = (
    re.compile(r"\s*(?:合\s*计|总\s*计|共\s*计|小\s*计)"),
    re.compile("总共|一共|合计|总计|共计|加起来"),
)
"""The row of the sum, and what asks for it."""
HALF = 0.5
"""Share of the rows of a table that say of a place or a kind from which the table goes by it; share of what tells a name from
the others of its column from which a question says it."""
REFERS = re.compile(r"(?:见|如|按照?|符合|依照|参[见照])[^。；;，,]{0,6}(?:下表|附表|表\s?[\d一二三四五六七八九十])")
"""Leaves what is asked to a table."""
OWN_HIT = 0.05
"""What the row that ranking brought up has ahead of its neighbours."""

_KV = r"(?:千?伏|k?v)(?![安a])"
_VOLTS = re.compile(
    r"(?P<below>不满|低于|小于|未达到?)?\s{0,4}(?<!\d)(?P<low>\d{1,6}(?:\.\d{1,4})?)\s{0,4}(?:(?:千伏|kv)?\s{0,4}[-—–~～至到/]{1,4}\s{0,4}(?P<high>\d{1,6}(?:\.\d{1,4})?))?"
    rf"\s{{0,4}}(?:[（(]\s{{0,4}}(?P<also>\d{{1,6}}(?:\.\d{{1,4}})?)\s{{0,4}}(?:千伏|kv)?\s{{0,4}}[）)])?\s{{0,4}}(?P<unit>{_KV})"
    r"\s{0,4}(?:[（(]\s{0,4}(?P<or>\d{1,6}(?:\.\d{1,4})?)\s{0,4}(?:千伏|kv)\s{0,4}[）)])?\s{0,4}(?P<bound>及以上|以上|及以下|以下|（?不含）?)?",
    re.IGNORECASE,
)
LOW_VOLTAGE = {0.38: 0.4}
"""Kilovolts that papers say in two ways: 380伏 is the 0.4千伏 grid."""
_YEAR = re.compile(r"(?<!\d)20\d\d(?=\s*年|$|[^\d])")
_MONTHS = re.compile(r"(?<![\d.])(\d{1,2})月?\s?[-—–~～至]\s?(\d{1,2})月|(?<![\d.])(\d{1,2})月(?!\d|底|内)")
_OTHERS = re.compile("其他|其它|其余|全国|各地|各省")
FIGURE = re.compile(r"[-+—–~～<>≤≥＜＞±\[［〔（(]*\d[\d,.，]*\s*[%％‰]?[\]］〕）)]*")
_NUMBERED = re.compile(
    r"(?<![〔〕\[\]()\d])(?P<number>\d{1,3}|[一二三四五六七八九十]{1,3}|[a-z]{1,3}|[ⅰⅱⅲⅳⅴ]{1,3})\s?#?(?P<of>号(?![文令公])|期|标段|批|类|级|档|区(?![域间县别分]))"
)
"""What tells things of one name from each other: 3号机, 第二档, 一期, B区."""
_SHORT = re.compile(r"(?<![\da-z./])[a-z]{2,5}(?![\da-z./])")
"""A short name in Latin letters (CNG, LNG; folded); behind a figure it is a unit."""
_ASIDE = re.compile(r"(?<=[\u4e00-\u9fff])[（(][^（()）|]{1,20}[）)](?=[\u4e00-\u9fff])")
"""What a bracket says within a name, which goes on behind it (许可证（发电类）新办)."""
_TOKEN = re.compile(r"[a-z]+|[α-ω]\d*|\d+(?:\.\d+)?|[\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Voltage:
    """A range of voltages in kV; an end may be open."""

    low: float
    high: float
    open_low: bool = False
    open_high: bool = False

    def overlaps(self, other: Voltage) -> bool:
        """Tell whether some voltage lies in both."""
        return _under(self, other) and _under(other, self)


def _under(a: Voltage, b: Voltage) -> bool:
    return a.low < b.high or (a.low == b.high and not a.open_low and not b.open_high)


def voltages(text: str) -> tuple[Voltage, ...]:
    """Return the voltages that words name: ``1-10（20）千伏`` is the range and the point, ``不满1千伏`` what is below."""
    found: list[Voltage] = []
    for match in _VOLTS.finditer(text):
        scale = 1.0 if match["unit"][0] in "千kK" else 0.001
        bound = match["bound"] or ""
        low, high = sorted(_kilovolts(match[name] or match["low"], scale) for name in ("low", "high"))
        points = [_kilovolts(match[name], scale) for name in ("also", "or") if match[name]]
        if match["below"]:
            found.append(Voltage(0.0, low, open_high=True))
        elif bound in ("及以上", "以上"):
            found.append(Voltage(low, float("inf"), open_low=bound == "以上"))
        elif bound in ("及以下", "以下"):
            low, high = (0.0, max(high, *points, 0.0)) if not match["high"] else (low, high)
            found.append(Voltage(low, high, open_high=bound == "以下"))
            points = []
        else:
            found.append(Voltage(low, high))
        found += [Voltage(point, point) for point in points]
    return tuple(found)


def _kilovolts(figure: str, scale: float) -> float:
    volts = round(float(figure) * scale, 6)
    return LOW_VOLTAGE.get(volts, volts)


def months(text: str) -> frozenset[int]:
    """Return the months of the year that words name, those of a range too."""
    found = [(int(m[1] or m[3]), int(m[2] or m[3])) for m in _MONTHS.finditer(text)]
    return frozenset(n for a, b in found for n in (range(a, b + 1) if a <= b else (*range(a, 13), *range(1, b + 1))))


Place = tuple[str, str]
"""A place as written and the code of its province."""


@dataclass(frozen=True, slots=True)
class AskedRow:
    """What a question says that can tell one row from another."""

    tokens: frozenset[str]
    voltages: tuple[Voltage, ...]
    places: tuple[Place, ...]
    years: frozenset[str]
    text: str
    """The question, folded."""
    rules: Rules

    @classmethod
    def of(cls, query: Query, rules: Rules) -> AskedRow:
        """Read a question."""
        text = " ".join((query.text, *query.cities))
        named = rules.places_in(text)
        inside = {code for word, code in named if rules.inside(word, code)}
        places = tuple(each for each in named if each[1] not in inside or rules.province(each[1]).name not in each[0])
        return cls(_tokens(text), voltages(text), places, frozenset(_YEAR.findall(text)), fold(text), rules)

    def excludes(self, row: FoundRow) -> bool:
        """Tell whether the row names another voltage, place, kind or number than the question, its columns other years."""
        named = self.rules.places_in(row.label)
        if self.places and named and not any(self._same(a, b) for a in self.places for b in named):
            return True
        if self.years and (years := row.years) and not self.years & years:
            return True
        columns = months(" ".join(cell.of(row.regulation.text) for line in row.table.header for cell in line.cells))
        if len(columns) > 1 and not months(self.text) <= columns | months(row.label):
            return True
        own = fold(row.label)
        if any(
            contrasts.parted(self.text, words, self.rules)
            for words in (own, f"{own} {fold(row.caption)}", fold(row.head))
        ):
            return True
        ours, theirs = numbered(self.text), numbered(own)
        if any(of in theirs and not theirs[of] & numbers for of, numbers in ours.items()):
            return True
        if self._of_another_size(row):
            return True
        stated = voltages(row.label)
        return bool(self.voltages and stated) and not any(a.overlaps(b) for a in self.voltages for b in stated)

    def _of_another_size(self, row: FoundRow) -> bool:
        """Tell whether the row is for another amount than the question names in its unit (时长4小时 for 8小时储能)."""
        named = [each for each in sizes(row.name) if each.unit not in COUNTS]
        asked = [each for each in quantities(self.text) if any(each.unit == size.unit for size in named)]
        return bool(asked) and not any(size.holds(each) for each in asked for size in named)

    def column(self, row: FoundRow) -> int | None:
        """Return which column of the row the question names, None where it names none or several alike."""
        columns = row.columns
        if (sized := self._sized(row)) is not None:
            return sized
        spread = Counter(token for column in columns for token in column)
        telling = [{t for t in column if spread[t] == 1} for column in columns]
        shares = [len(own & self.tokens) / len(own) if own else 0.0 for own in telling]
        best = max(shares, default=0.0)
        if best < HALF or shares.count(best) > 1 or len(columns) > len(row.row.cells):
            return None
        return len(row.row.cells) - len(columns) + shares.index(best)

    def _sized(self, row: FoundRow) -> int | None:
        """Return the column for the amount that the question names (装机50兆瓦以下), None where no single one is."""
        asked = {(each.least, each.most, each.unit) for each in sizes(self.text) if each.unit not in COUNTS}
        heads = [sizes(" ".join(names)) for names in row.heads]
        fit = [at for at, head in enumerate(heads) if asked & {(each.least, each.most, each.unit) for each in head}]
        return len(row.row.cells) - len(heads) + fit[0] if len(fit) == 1 and len(heads) <= len(row.row.cells) else None

    def blank_in(self, row: FoundRow) -> bool:
        """Tell whether the column that the question names, and no other beside it, is empty in the row (—)."""
        column = self.column(row)
        return column is not None and BLANK.fullmatch(row.row.cells[column].of(row.regulation.text).strip()) is not None

    def _named(self, row: FoundRow) -> frozenset[str]:
        """Return the first label of a row where the question says it whole."""
        own = [fold(cell.of(row.regulation.text)).strip() for cell in (*row.row.above, *row.row.cells)]
        first = next((cell for cell in own if cell and not FIGURE.fullmatch(cell)), "")
        return frozenset([first]) if len(first) > 1 and first in self.text else frozenset()

    def _tells(self, rows: Sequence[FoundRow]) -> bool:
        """Tell whether the question says anything that some of the rows say of themselves and others do not."""
        labels = [_tokens(row.label) for row in rows]
        telling = frozenset.union(*labels) - frozenset.intersection(*labels)
        if not telling or telling & self.tokens:
            return True
        kinds = contrasts.named(self.text, self.rules)
        return any(
            kinds & contrasts.named(fold(row.label), self.rules)
            or (self.voltages and voltages(row.label))
            or (self.places and self.rules.places_in(row.label))
            for row in rows
        )

    def _same(self, asked: Place, named: Place) -> bool:
        """Tell whether two places may be the same: one province, and not two different parts of it (蒙西, 蒙东)."""
        if asked[1] != named[1]:
            return False
        name = self.rules.province(asked[1]).name
        return asked[0] in named[0] or named[0] in asked[0] or name in asked[0] or name in named[0]

    def fitting(self, rows: Sequence[FoundRow]) -> list[FoundRow]:
        """Return the rows that may be meant.

        In a table by place only a row that names the place, or the others (其他), but for the place whose text it is; in
        one by kind of plant only a row that names the kind.
        """
        totals = [row for row in rows if TOTAL.match(row.name)] if TOTAL_ASKED.search(self.text) else []
        if totals and not any(map(self._named, rows)):
            return totals
        if (len(rows) > 1 and not self._tells(rows)) or self._of_other_letters(rows):
            return []
        fit = [row for row in _of_names(self.tokens, rows) if not self.excludes(row)]
        named = {row.row.span: self._named(row) for row in rows}
        asked = frozenset().union(*named.values())
        if asked:
            fit = [row for row in fit if named[row.row.span] & asked]
        return [row for row in fit if _OTHERS.search(row.label) or not self._silent(row, rows)]

    def _of_other_letters(self, rows: Sequence[FoundRow]) -> bool:
        """Tell whether rows are told apart by short names in Latin letters (CNG, AVC) and none has the one that is asked."""
        asked = set(_SHORT.findall(self.text))
        named = set(_SHORT.findall(" ".join(fold(row.head) for row in rows))) if asked else asked
        return bool(named) and not any(
            asked & set(_SHORT.findall(f"{fold(row.label)} {fold(row.caption)}")) for row in rows
        )

    def _silent(self, row: FoundRow, rows: Sequence[FoundRow]) -> bool:
        """Tell whether a row says nothing of the place or the kind that the question names and the table goes by."""
        own = rows[0].regulation.province in {code for _, code in self.places}
        part = any(self.rules.inside(*place) for place in self.places)
        if self.places and (part or not own):
            by_place = [bool(self.rules.places_in(one.label)) for one in rows]
            if any(by_place) and sum(by_place) >= HALF * len(rows) * own and not self.rules.places_in(row.label):
                return True
        asked = contrasts.named(self.text, self.rules)
        spread = Counter(kind for one in rows for kind in asked & contrasts.named(fold(one.label), self.rules))
        gone_by = {kind for kind, count in spread.items() if count >= HALF * len(rows)}
        return bool(gone_by - contrasts.named(fold(row.label), self.rules))


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One row in its table and text."""

    regulation: Regulation
    table: Table
    row: TableRow

    @property
    def label(self) -> str:
        """Words that say what the row is about: the labels above it and its cells that are no figures."""
        text = self.regulation.text
        own = [c.of(text) for c in self.row.cells if not FIGURE.fullmatch(c.of(text).strip())]
        return " ".join([*(a.of(text) for a in self.row.above), *own])

    @property
    def name(self) -> str:
        """The labels above it and its first cells, up to a figure or a long text."""
        text = self.regulation.text
        words: list[str] = []
        for cell in self.row.cells[: max(1, len(self.row.cells) - 1)]:
            said = cell.of(text)
            if words and (FIGURE.fullmatch(said) or len(said) > LONG_CELL):
                break
            words.append(said)
        return " ".join([*(a.of(text) for a in self.row.above), *words])

    @property
    def head(self) -> str:
        """Its own first cell that is no figure: what it is of among those it stands under (其中：光热发电)."""
        cells = (cell.of(self.regulation.text).strip() for cell in self.row.cells)
        return next((cell for cell in cells if cell and not FIGURE.fullmatch(cell)), "")

    @property
    def names(self) -> tuple[str, ...]:
        """The group it stands under, then its cells in their order, merged ones filled; empty for a figure or a long text."""
        cells, above = ([p.of(self.regulation.text).strip() for p in each] for each in (self.row.cells, self.row.above))
        merged = min(next((n for n, cell in enumerate(cells) if cell), 0), len(above))
        groups, filled = above[: len(above) - merged], above[len(above) - merged :]
        said = (" ".join(groups), *filled, *cells[merged:])
        return tuple("" if FIGURE.fullmatch(each) or len(each) > LONG_CELL else each for each in said)

    @property
    def notes(self) -> Span | None:
        """The notes below the table, which may limit what a row says; None when there are none."""
        notes = self.table.notes
        return Span(notes[0].start, notes[-1].end) if notes else None

    @property
    def title(self) -> str:
        """The caption, else the first header row."""
        place = self.table.caption or self.table.head
        return " ".join(place.of(self.regulation.text).split()) if place else ""

    @property
    def years(self) -> frozenset[str]:
        """Years that the columns are for, with those of the row, the caption and the text itself; none without columns."""
        columns = _YEAR.findall(self.caption)
        own = f"{self.row.span.of(self.regulation.text)} {self.regulation.title} {self.regulation.document_number}"
        return frozenset([*columns, *_YEAR.findall(own)]) if columns else frozenset()

    @property
    def heads(self) -> list[tuple[str, ...]]:
        """The names of each column by header line, as many columns from the right as the row has cells; none where they do not fit."""
        lines = [[cell.of(self.regulation.text) for cell in line.cells] for line in self.table.header]
        width = max(map(len, lines), default=0)
        named = list(zip(*(line for line in lines if len(line) == width), strict=True))
        return named[max(0, width - len(self.row.cells)) :]

    @property
    def columns(self) -> list[frozenset[str]]:
        """Tokens of each column's name."""
        return [_tokens(" ".join(each)) for each in self.heads]

    @property
    def caption(self) -> str:
        """Caption and columns."""
        text = self.regulation.text
        cells = (cell for line in self.table.header for cell in line.cells)
        return " ".join(p.of(text) for p in (self.table.caption, *cells) if p is not None)


def found_row(regulation: Regulation, span: Span) -> FoundRow | None:
    """Return the table row that ``span`` is, None for any other text."""
    found = row_at(regulation.text, span)
    return None if found is None else FoundRow(regulation, *found)


def rows_in(regulation: Regulation, span: Span) -> list[FoundRow]:
    """Return all rows of the tables that lie in ``span``."""
    held = [table for table in tables(regulation.text) if span.overlaps(table.span)]
    return [FoundRow(regulation, t, row) for t in held for row in t.rows if span.contains(row.span)]


def chosen(asked: AskedRow, hit: FoundRow | None, rows: Sequence[FoundRow]) -> list[FoundRow]:
    """Return the rows of a provision that the question asks for, best first; empty when each is about something else.

    ``hit`` is the row that ranking brought up, None where words that refer to the table were.
    """
    fitting = asked.fitting(rows)
    if not fitting:
        return []
    own = [hit is not None and row.row.span == hit.row.span for row in fitting]
    scores = _scores(asked, fitting) + OWN_HIT * np.array(own)
    order = np.argsort(-scores, kind="stable").tolist()
    best = scores[order[0]]
    return [fitting[at] for at in order if scores[at] >= SAME_ROW * best][:MOST]


def _of_names(asked: frozenset[str], rows: Sequence[FoundRow]) -> Sequence[FoundRow]:
    """Return the rows that bear, in every column of names, the name of that column that the question says (示例热电 2号机)."""
    cells = [row.names for row in rows]
    groups = {each[0] for each in cells}
    heads = [" ".join(each[:2]).strip() for each in cells]  # a row that leads a group (其中：) belongs to it
    cells = [(head, *each[1:]) if head in groups else each for head, each in zip(heads, cells, strict=True)]
    for column in range(max(map(len, cells), default=0)):
        names = [fold(each[column]) if column < len(each) else "" for each in cells]
        spread = Counter(token for name in set(names) for token in _tokens(name))
        telling = {name: {t for t in _tokens(name) if spread[t] == 1} for name in names}
        said = {name for name, own in telling.items() if own and len(own & asked) >= HALF * len(own)}
        kept = [row for row, name in zip(rows, names, strict=True) if name in said]
        both = {id(row) for row in kept}
        if kept and len(said) < len(telling):
            left = [(row, each) for row, each in zip(rows, cells, strict=True) if id(row) in both]
            rows, cells = [row for row, _ in left], [each for _, each in left]
    return rows


def _scores(asked: AskedRow, rows: Sequence[FoundRow]) -> np.ndarray:
    """Return (n,) how well each row is what the question names: its label by rarity in the tables, and its caption."""
    labels = [_tokens(row.label) for row in rows]
    spread = Counter(token for label in labels for token in label)
    rarity = {token: float(np.log((len(rows) + 1) / count)) + 0.05 for token, count in spread.items()}
    wanted = sum(weight for token, weight in rarity.items() if token in asked.tokens)
    return np.array([_score(asked, row, label, rarity, wanted) for row, label in zip(rows, labels, strict=True)])


def _score(asked: AskedRow, row: FoundRow, label: frozenset[str], rarity: dict[str, float], wanted: float) -> float:
    met = sum(rarity[token] for token in label & asked.tokens)
    name = _tokens(row.name) & label or label
    own = sum(rarity[token] for token in name)
    named = sum(rarity[token] for token in name & asked.tokens)
    caption = _tokens(row.caption)
    titled = len(caption & asked.tokens) / max(len(asked.tokens), 1)
    return 0.5 * named / max(own, 1e-9) + 0.5 * met / max(wanted, 1e-9) + CAPTION_WEIGHT * titled


def numbered(text: str) -> dict[str, set[str]]:
    """Return the numbers that a folded text gives to things, by what they number."""
    found: dict[str, set[str]] = {}
    for match in _NUMBERED.finditer(text):
        found.setdefault(match["of"], set()).add(match["number"])
    return found


@lru_cache(maxsize=8192)
def _tokens(text: str) -> frozenset[str]:
    """Return the pairs of Chinese characters, the Latin words and the figures of ``text``."""
    found: set[str] = set()
    for match in _TOKEN.finditer(f"{text} {_ASIDE.sub('', text)}".lower() if _ASIDE.search(text) else text.lower()):
        run = match[0]
        if run[0] < "\u4e00":
            found.add(run)
        else:
            found.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    return frozenset(found)


# --- on the way out


def fit(
    asked: AskedRow, hits: Sequence[Hit], regulation_of: Callable[[str], Regulation]
) -> tuple[list[Hit], FoundRow | None]:
    """Put for the rows of each provision among the hits the one that the question asks for, or nothing.

    Returns:
        The hits, and the best row when none beside it fits and nothing nearly as likely is left: the row asked is not held.
    """
    kept: dict[str, Hit] = {}
    settled: set[tuple[str, Span]] = set()
    lost: tuple[FoundRow, float] | None = None
    for hit in hits:
        regulation = regulation_of(hit.chunk.regulation_id)
        row = found_row(regulation, hit.chunk.span) if "|" in hit.chunk.text else None
        if row is None:
            if (referred := _referred(asked, hit, regulation)) is not None:
                kept.setdefault(referred.chunk.id, referred)
            kept.setdefault(hit.chunk.id, hit)
            continue
        place = home(regulation, row.row.span)
        if (regulation.id, place) in settled:
            continue
        settled.add((regulation.id, place))
        best = chosen(asked, row, rows_in(regulation, place))
        if best and not asked.blank_in(best[0]):
            chunk = chunk_of(best[0], hit.chunk.label)
            kept.setdefault(chunk.id, replace(hit, chunk=chunk))
        elif not kept and lost is None:
            lost = (row, hit.score)
    rest = _stating_first(asked, list(kept.values()), regulation_of)
    if lost is not None and (not rest or rest[0].score < NEARLY * lost[1]):
        return rest, lost[0]
    return rest, None


def _referred(asked: AskedRow, hit: Hit, regulation: Regulation) -> Hit | None:
    """Return the row that answers of the table to which words refer (具体见下表), None where the question names no column of it."""
    if not REFERS.search(hit.chunk.text):
        return None
    rows = rows_in(regulation, home(regulation, hit.chunk.span))
    best = chosen(asked, None, rows) if rows else []
    if not best or len(best) == len(rows) or not asked.column(best[0]) or asked.blank_in(best[0]):
        return None
    return replace(hit, chunk=chunk_of(best[0], hit.chunk.label))


def _stating_first(asked: AskedRow, hits: list[Hit], regulation_of: Callable[[str], Regulation]) -> list[Hit]:
    """Put a row of the voltage or place that the question names before words of its text that name neither."""
    if not hits or "|" in hits[0].chunk.text or not (asked.voltages or asked.places):
        return hits
    first = hits[0]

    def states(hit: Hit) -> bool:
        own, words = regulation_of(hit.chunk.regulation_id), hit.chunk.text
        row = found_row(own, hit.chunk.span) if "|" in words else None
        label = row.label if row else words
        volts = any(a.overlaps(b) for a in asked.voltages for b in voltages(label))
        return volts or any(asked._same(a, b) for a in asked.places for b in asked.rules.places_in(label))

    if states(first):
        return hits
    own = [h for h in hits[1:] if h.chunk.regulation_id == first.chunk.regulation_id and "|" in h.chunk.text]
    row = next((h for h in own if h.score >= AHEAD * first.score and states(h)), None)
    if row is None:
        return hits
    return [replace(row, score=first.score), *(h for h in hits if h is not row)]


def home(regulation: Regulation, span: Span) -> Span:
    """Return the provision whose rows stand side by side: the article, or the smallest unit of an outline."""
    unit = regulation.unit(span)
    return unit.span if unit is not None else span


def prose(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return stretches of text without the tables in them: neither a header nor a caption is a quote."""
    out: list[Span] = []
    for span in spans:
        start = span.start
        for table in tables(text):
            titles = [p for p in (table.caption, table.unit) if p is not None and text[p.end - 1] not in "：:"]
            whole = Span(min([table.span.start, *(p.start for p in titles)]), table.span.end)
            if whole.overlaps(span):
                out.append(trim(text, Span(start, max(start, whole.start))))
                start = min(max(start, whole.end), span.end)
        out.append(trim(text, Span(start, span.end)) if start > span.start else span)
    return [span for span in out if span.start < span.end]


def cut(asked: AskedRow, hit: FoundRow, day: Day, score: float) -> list[Quote]:
    """Cut the rows that answer out of the hit's provision, each with its caption, header, unit, and the table's notes."""
    quotes = []
    for row in chosen(asked, hit, rows_in(hit.regulation, home(hit.regulation, hit.row.span))):
        above = row.row.above[-1] if row.row.above else None
        quote = Quote.cut(row.regulation, row.row.span, day, score=score, before=above, after=row.notes)
        if quote.citation.status.may_answer:
            quotes.append(replace(quote, table=QuotedRow.of(row.table, row.row, row.regulation.text)))
    return quotes


def chunk_of(row: FoundRow, label: str) -> Chunk:
    """Return a row as a chunk."""
    return chunking.chunk_of(row.regulation.id, row.regulation.text, row.row.span, label)

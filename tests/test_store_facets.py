"""Who may answer: the table a lawyer can read, and that it never hides what its own status lets answer."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nemo.store.catalogue.rows import RegulationRow
from nemo.store.search.facets import FOREVER, FacetTable, days_of
from nemo.types import Evidence, Filters, Origin, Scope, Status, Validity

PROOF = Evidence("x", "x", Origin.TEXT)


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def row(name: str, first: int = 1, **fields: object) -> RegulationRow:
    values: dict[str, object] = dict.fromkeys(RegulationRow.__dataclass_fields__)
    values |= {"id": name, "first": first, "count": 3, "province": "cn", "assets": (), "nature": "binding"}
    return RegulationRow(**{**values, "validity": Validity(), **fields})


LAW = Validity(version_effective=day("2020-01-01"))
OLD = Validity(version_effective=day("2010-01-01"), ends=day("2020-01-01"), ended_as=Status.AMENDED)
HELD = [
    row("law", 1, validity=LAW),
    row("old law", 4, validity=OLD),
    row("shandong solar", 7, province="sd", assets=("solar",), doc_class="grid", validity=LAW),
    row("shandong coal and wind", 10, province="sd", assets=("coal", "wind"), doc_class="permit", validity=LAW),
    row("guangdong", 13, province="gd", doc_class="grid", validity=LAW),
    row("undated", 16, province="gd"),
    row("draft", 19, nature="draft", validity=LAW),
    row("to come", 22, validity=Validity(version_effective=day("2030-01-01"))),
]
TABLE = FacetTable(HELD, [days_of(r.validity) for r in HELD])

CURRENT = {"law", "shandong solar", "shandong coal and wind", "guangdong", "undated"}
WHO: list[tuple[str, Filters, set[str]]] = [
    ("no filter: every binding text of any day", Filters(), CURRENT | {"old law", "to come"}),
    ("today", Filters(day=day("2026-11-20")), CURRENT),
    ("the last day of the old law", Filters(day=day("2019-12-31")), {"old law", "undated"}),
    ("the first day of the new law", Filters(day=day("2020-01-01")), CURRENT),
    ("a province brings national texts", Filters("sd", day=day("2026-11-20")), CURRENT - {"guangdong", "undated"}),
    ("national only", Filters("cn", day=day("2026-11-20")), {"law"}),
    ("a province without texts", Filters("nm", day=day("2026-11-20")), {"law"}),
    ("an asset brings texts on every asset", Filters("sd", "solar", day=day("2026-11-20")), {"law", "shandong solar"}),
    ("one of two assets", Filters("sd", "wind", day=day("2026-11-20")), {"law", "shandong coal and wind"}),
    ("an asset nobody has", Filters(asset="hydro", day=day("2026-11-20")), {"law", "guangdong", "undated"}),
    (
        "a class brings texts without one",
        Filters("sd", doc_class="permit", day=day("2026-11-20")),
        {"law", "shandong coal and wind"},
    ),
    ("everything at once", Filters("sd", "solar", "grid", day("2026-11-20")), {"law", "shandong solar"}),
    ("nothing fits", Filters("cn", "solar", "permit", day("2009-12-31")), set()),
]


@pytest.mark.parametrize(("remark", "filters", "who"), WHO, ids=[w[0] for w in WHO])
def test_who_may_answer(remark: str, filters: Filters, who: set[str]) -> None:
    assert set(TABLE.ids_allowed(filters)) == who
    allowed = TABLE.allowed(filters)
    assert allowed.total == 3 * len(who)
    assert allowed.firsts.tolist() == [r.first for r in HELD if r.id in who]


def test_other_natures_come_only_when_asked_for() -> None:
    today = Filters(day=day("2026-11-20"))
    assert set(TABLE.ids_allowed(today, {"draft"})) == {"draft"}
    assert set(TABLE.ids_allowed(today, None)) == CURRENT | {"draft"}


def test_an_empty_library_has_no_one() -> None:
    table = FacetTable([], [])
    assert table.allowed(Filters("sd", "solar", "grid", day("2026-01-01"))).total == 0


def test_days_of_a_text() -> None:
    assert days_of(OLD) == (20100101, 20200101)
    assert days_of(Validity()) == (0, FOREVER)


DAYS = st.one_of(st.none(), st.dates(day("2000-01-01"), day("2030-12-31")))
SCOPES = st.lists(
    st.builds(Scope, st.just(("1",)), st.dates(day("2000-01-01"), day("2030-12-31")), st.just(PROOF)), max_size=1
)


@settings(max_examples=300)
@given(
    DAYS,
    DAYS,
    DAYS,
    st.sampled_from(list(Status)),
    SCOPES,
    st.booleans(),
    st.dates(day("2000-01-01"), day("2030-12-31")),
)
def test_the_filter_hides_exactly_what_may_not_answer(
    first: dt.date | None,
    version: dt.date | None,
    ends: dt.date | None,
    ended_as: Status,
    scopes: list[Scope],
    amended: bool,
    on: dt.date,
) -> None:
    """A text passes when it, or an article that commences on a day of its own, may be quoted on that day."""
    validity = Validity(None, first, version, ends, ended_as if ends else None, None, (), tuple(scopes), amended)
    table = FacetTable([row("x")], [days_of(validity)])
    passes = bool(table.mask(Filters(day=on))[0])
    status = {validity.on(on), validity.on(on, "1")}
    if any(s.may_answer for s in status):
        assert passes
    if ended_as in (Status.AMENDED, Status.REPEALED, Status.EXPIRED) or ends is None:
        assert passes == any(s.may_answer for s in status)

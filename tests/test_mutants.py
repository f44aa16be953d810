"""The mutants that ``make mutants`` tries stand where it looks for them (变异检验); trying them takes its own time."""

from benchmarks.mutants import NAMED, candidates, justified, named, sampled


def test_each_named_change_still_has_its_place() -> None:
    assert len(named()) == len(NAMED)


def test_the_sample_is_as_large_as_asked_and_the_same_each_time() -> None:
    assert len(sampled(150)) == 150
    assert sampled(150) == sampled(150)


def test_each_justified_survivor_is_still_a_candidate() -> None:
    assert justified().keys() <= {f"{mutant.file} {mutant.name}" for mutant in candidates()}

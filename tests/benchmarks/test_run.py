"""`make bench` as a whole: what fails or falls is named, what was measured is written."""

import json
from types import SimpleNamespace

import pytest

from benchmarks import measure, recorded, run
from benchmarks.measure import Skipped, entry, side_by_side


@pytest.fixture
def bench(tmp_path, monkeypatch, capsys):
    """`bench(a=…, b=…)` runs benchmarks that return a ratio, or raise: the exit code, what was written and printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(recorded, "FILE", tmp_path / "recorded.json")

    def call(*options, **benchmarks):
        code = run.main(list(options), tuple(benchmarks), lambda name: lambda: measured(name, benchmarks[name]))
        return SimpleNamespace(code=code, written=json.loads(run.RESULTS.read_text()), said=capsys.readouterr().out)

    return call


def measured(name, outcome):
    if isinstance(outcome, BaseException):
        raise outcome
    return [entry(name, ours=1.0, baseline=outcome, unit="s", target=None)]


def names(done):
    return [entry["benchmark"] for entry in done.written["entries"]]


def test_one_that_fails_is_named_and_the_others_are_measured(bench):
    done = bench(a=2.0, b=TypeError("three arguments"), c=3.0)
    assert (done.code, names(done), done.written["failed"]) == (1, ["a", "c"], ["b"])
    assert "Failed: b." in done.said


def test_one_that_this_machine_cannot_run_says_why_and_is_no_failure(bench):
    done = bench(a=2.0, b=Skipped("there is no GPU"))
    assert (done.code, names(done)) == (0, ["a"])
    assert "skipped: there is no GPU" in done.said


def test_ctrl_c_leaves_the_figures_so_far(bench):
    done = bench(a=2.0, b=KeyboardInterrupt(), c=3.0)
    assert (done.code, names(done)) == (130, ["a"])


def test_a_recorded_run_says_when_where_and_of_what(bench, tmp_path):
    bench("--record", a=2.0)
    kept = json.loads((tmp_path / "recorded.json").read_text())
    assert kept.keys() == {recorded.processor()}
    assert kept[recorded.processor()].keys() == {"date", "commit", "ratios"}
    assert kept[recorded.processor()]["ratios"] == {"a": 2.0}


def test_processors_of_one_name_are_told_apart_by_their_family(monkeypatch, tmp_path):
    core = "model name\t: AMD EPYC\ncpu family\t: {}\n\n"
    monkeypatch.setattr(recorded, "CPUINFO", tmp_path / "cpuinfo")
    (tmp_path / "cpuinfo").write_text(core.format(25) * 2)
    assert recorded.processor() == "AMD EPYC, family 25, 2 cores"
    (tmp_path / "cpuinfo").write_text(core.format(26) * 2)
    assert recorded.processor() == "AMD EPYC, family 26, 2 cores"


def test_a_machine_that_hides_amx_is_told_from_one_that_has_it(monkeypatch, tmp_path):
    core = "model name\t: Intel(R) Xeon(R) Processor\ncpu family\t: 6\nflags\t\t: fpu avx512f{}\n\n"
    monkeypatch.setattr(recorded, "CPUINFO", tmp_path / "cpuinfo")
    (tmp_path / "cpuinfo").write_text(core.format("") * 2)
    assert recorded.processor() == "Intel(R) Xeon(R) Processor, family 6, 2 cores"
    (tmp_path / "cpuinfo").write_text(core.format(" amx_bf16 amx_tile") * 2)
    assert recorded.processor() == "Intel(R) Xeon(R) Processor, family 6, AMX, 2 cores"


def test_what_another_processor_reached_is_kept_and_compared_with_nothing(bench, monkeypatch):
    bench("--record", a=2.0)
    here = recorded.processor()
    monkeypatch.setattr(recorded, "processor", lambda: "another one")
    first, second = bench(a=1.0), bench("--record", a=1.0)
    assert (first.code, second.code) == (0, 0)
    assert "Nothing is recorded on this processor (another one)" in " ".join(first.said.split())
    assert [recorded.recorded(on)["ratios"] for on in (here, "another one")] == [{"a": 2.0}, {"a": 1.0}]


def test_what_fell_is_printed_once_and_fails_the_second_time(bench):
    bench("--record", a=2.0, b=2.0)
    first, second = bench(a=1.6, b=1.8), bench(a=1.6, b=1.8)
    assert (first.code, second.code) == (0, 1)
    assert "a: 80 % of the ratio recorded on" in first.said
    assert "b:" not in first.said


def test_two_that_fall_in_turn_fail_no_run(bench):
    bench("--record", a=2.0, b=2.0)
    assert [bench(a=1.6, b=2.0).code, bench(a=2.0, b=1.6).code] == [0, 0]


def test_what_fell_stays_noted_until_it_is_measured_again(bench):
    bench("--record", a=2.0, b=2.0)
    assert [bench("a", a=1.6, b=2.0).code, bench("b", a=1.6, b=2.0).code, bench("a", a=1.6, b=2.0).code] == [0, 0, 1]


def test_an_unknown_name_is_refused(capsys):
    assert run.main(["nonsense"]) == 2
    assert "There is no benchmark nonsense" in capsys.readouterr().out


def test_jobs_that_run_side_by_side_come_back_in_their_order():
    assert side_by_side(pow, [(2, 3), (3, 2), (5, 1)], processes=2) == [8, 9, 5]


@pytest.fixture
def limited_at(bench, monkeypatch):
    """`limited_at(pace, seconds, *options)` runs a benchmark that takes so long and may take 8 s."""

    def call(pace, seconds, *options):
        monkeypatch.setattr(measure, "pace", lambda: pace)
        row = measure.limited("a", seconds, 8.0, "s")
        code = run.main(list(options), ("a",), lambda name: lambda: [row])
        return SimpleNamespace(code=code, row=row, written=json.loads(run.RESULTS.read_text()))

    return call


def test_on_a_slow_day_a_time_with_a_limit_has_not_fallen(limited_at):
    limited_at(1.0, 2.0, "--record")
    assert limited_at(2.0, 4.0).written["fallen"] == []
    assert limited_at(1.0, 4.0).written["fallen"] == ["a"]


def test_a_limit_is_not_raised_on_a_slow_day(limited_at):
    row = limited_at(2.0, 10.0).row
    assert (row["baseline"], row["ratio"], row["target"]) == (8.0, 0.8, 1.0)


def test_the_pace_is_the_best_of_several_imports(monkeypatch):
    imports = iter((3.5, 2.0, 2.5))
    monkeypatch.setattr(measure, "_import_seconds", lambda: next(imports))
    assert measure.pace.__wrapped__() == 2.0

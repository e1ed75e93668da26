"""Tables: what their cells mean, and that train and score do with them what the command line does with a file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import typing as t
import xml.etree.ElementTree

import numpy
import pandas
import pytest

import noema_agent
from noema_agent import connect, plot, sequences
from noema_agent.bins import Binning, Bins, Encoder, number_text, quantile_edges

from .conftest import ADDRESS, KEY
from .test_streams import Proxy

CLI = os.environ.get("NOEMA_TEST_CLI", "")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

MACHINES = pandas.DataFrame(
    {
        "id": [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3],
        "state": "idle run load idle idle run jam idle idle run load idle".split(),
        "temp": [20.4, 24.9, 27.1, 20.2, 20.1, 25.3, 31.0, 20.9, 20.3, 24.6, 27.4, 20.0],
    }
)


def records(data: t.Any, **options: t.Any) -> t.List[t.Any]:
    return [record for group in sequences(data, **{"every": 100, **options}) for record in group["sequence"]]


@pytest.mark.parametrize(
    "number, text",
    [
        (20.0, "20"),
        (20.5, "20.5"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (-2.5e300, "-2.5e+300"),
        (0.1 + 0.2, "0.30000000000000004"),
        (5, "5"),
        (10**22, "1e+22"),
    ],
)
def test_numbers_are_written_as_the_server_writes_them(number: float, text: str) -> None:
    assert number_text(number) == text


def test_bins_are_those_of_the_server(processor: noema_agent.Processor) -> None:
    numbers = [0.3, 0.7, 0.1 + 0.2, -0.05, 1e6 + 0.1, 0.75, 0.85, 0.95, 0.79, 20, -3.5, 1.05, 2.0, 2.1, 2.2]
    encoders: t.Dict[str, t.Any] = {
        "tenths": ({"kind": "step", "size": 0.1, "hysteresis": 0.1}, Encoder(Bins(0.1), 0.1)),
        "thirds": ({"kind": "step", "size": 0.3, "origin": 0.05}, Encoder(Bins(0.3, 0.05))),
        "edges": (
            {"kind": "edges", "edges": [0, 0.8, 2], "on_change": True},
            Encoder(Bins(edges=[0, 0.8, 2]), 0, True),
        ),
    }
    for name, (wanted, encoder) in encoders.items():
        processor.put_encoder(name, wanted)
        processor.clear_working_memory()
        processor.observe_sequence([{"numbers": {name: number}} for number in numbers])
        binning = Binning(name, encoder)
        made = [binning.symbol(number) for number in numbers]
        assert [[symbol] for symbol in made if symbol is not None] == processor.get_working_memory()


def test_quantiles() -> None:
    assert quantile_edges([3.0, 1.0, 2.0, 4.0], 2) == [3.0]
    assert quantile_edges([1.0] * 5, 4) == [1.0]
    assert quantile_edges([], 4) == []


def test_cells_become_symbols() -> None:
    frame = pandas.DataFrame(
        {
            "mixed": ["a", 3, 3.0, 2.5, True, None, numpy.nan, pandas.NA, numpy.int64(7), ["x", "y"], pandas.NaT, ""],
        }
    )
    made = [record["strings"] for record in records(frame, symbol="mixed")]
    # What says nothing is left out.
    assert made == [["a"], ["3"], ["3"], ["2.5"], ["true"], ["7"], ["x", "y"]]
    assert records(frame.head(1), symbol="mixed:named") == [{"strings": ["mixed=a"]}]
    whole = pandas.DataFrame(
        {"state": pandas.Categorical(["b", None, "a"]), "n": pandas.array([1, None, 3], dtype="Int64")}
    )
    assert [record["strings"] for record in records(whole, symbol=["state", "n:named"])] == [["b", "n=1"], ["a", "n=3"]]
    cut = pandas.DataFrame({"temp": pandas.cut([1.0, 7.0], [0, 5, 10])})
    assert [record["strings"] for record in records(cut, symbol="temp")] == [["(0, 5]"], ["(5, 10]"]]


@pytest.mark.parametrize(
    "times, seconds",
    [
        (pandas.to_datetime(["2026-03-09T10:00:00.0", "2026-03-09T11:00:00.5"]), [1773050400.0, 1773054000.5]),
        (
            pandas.to_datetime(["2026-03-09T10:00", "2026-03-09T11:00"]).tz_localize("Europe/Berlin"),
            [1773046800.0, 1773050400.0],
        ),
        (["2026-03-09T10:00:00Z", "2026-03-09 12:00+01:00"], [1773050400.0, 1773054000.0]),
        ([1773050400, 1773050401.5], [1773050400.0, 1773050401.5]),
        ([1773050400000, 1773050401500], [1773050400.0, 1773050401.5]),
        (numpy.array(["2026-03-09T10:00", "2026-03-09T11:00"], dtype="datetime64[ns]"), [1773050400.0, 1773054000.0]),
        (
            list(numpy.array(["2026-03-09T10:00", "2026-03-09T11:00"], dtype="datetime64[ns]")),
            [1773050400.0, 1773054000.0],
        ),
    ],
)
def test_times_of_all_kinds(times: t.Any, seconds: t.List[float]) -> None:
    frame = pandas.DataFrame({"at": times, "state": ["a", "b"]})
    assert [record["time"] for record in records(frame, symbol="state", time="at")] == seconds
    # An index may be the column of times.
    indexed = frame.set_index("at")
    assert [record["time"] for record in records(indexed, symbol="state", time="at")] == seconds


@pytest.mark.parametrize(
    "column, options, message",
    [
        (
            pandas.to_datetime(["2026-03-09"]),
            {"symbol": "x"},
            r"row 0: x is '2026-03-09 00:00:00' .*no time: name its column with time=",
        ),
        (pandas.to_timedelta(["1h"]), {"number": "x"}, r"row 0: x is .*\.dt\.total_seconds"),
        (pandas.to_datetime(["2026-03-09"]), {"number": "x"}, "row 0: x is .*name the column of a time with time="),
        ([float("inf")], {"number": "x"}, r"row 0: x is 'inf' \(float\); accepted is a finite number"),
        ([-numpy.inf], {"emotive": "x", "symbol": "y"}, "row 0: x is '-inf'"),
        ([True], {"number": "x"}, r"row 0: x is 'True' \(bool\); accepted is a finite number"),
        (["20,5"], {"number": "x"}, "decimal_comma=True reads a comma"),
        (["warm"], {"number": "x"}, "row 0: x is 'warm'"),
        ([object()], {"symbol": "x"}, "row 0: x is .*accepted is a string, a number, true, false or a list"),
        ([b"a"], {"symbol": "x"}, "row 0: x is "),
        (["\ud800"], {"symbol": "x"}, "row 0: x is .*well-formed Unicode"),
        (
            ["soon"],
            {"symbol": "y", "time": "x"},
            "row 0: x is 'soon' .*accepted is a time such as 2026-11-22T08:30:00Z",
        ),
        (["2026-02-30"], {"symbol": "y", "time": "x"}, "row 0: x is '2026-02-30'"),
        ([pandas.NaT], {"symbol": "y", "time": "x"}, "row 0: x is 'NaT'.* accepted is a time"),
        ([1.0], {"vector": "x,z"}, "row 0: z is empty; accepted is a number"),
        ([1.0], {"symbol": "X"}, r"there is no column 'X'; there are 'x', 'y', 'z'; did you mean 'x'\?"),
    ],
)
def test_cells_that_are_not_accepted(column: t.Any, options: t.Dict[str, t.Any], message: str) -> None:
    frame = pandas.DataFrame({"x": column, "y": ["a"], "z": [numpy.nan]})
    with pytest.raises(ValueError, match=message):
        records(frame, **options)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"every": 10}, "no column makes symbols"),
        ({"symbol": "state", "every": 10, "group_by": "id"}, "exclude each other"),
        ({"symbol": "state"}, "nothing says which rows belong together"),
        ({"symbol": "state", "every": 0}, "every must be a whole number from 1, got 0"),
        ({"number": "temp:step=0", "every": 2}, "a step above 0"),
        ({"number": {"temp": "edges=3,2"}, "every": 2}, "edges in ascending order"),
        ({"number": "temp:bins=3", "every": 2}, r"number temp:bins=3 is not accepted; accepted is auto"),
        ({"number": "temp:quantiles=1", "every": 2}, "quantiles=<2 to 1000>"),
        ({"symbol": [7], "every": 2}, "must be the name of a column"),
    ],
)
def test_options_that_are_not_accepted(
    processor: noema_agent.Processor, options: t.Dict[str, t.Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        processor.train(MACHINES, **options)


def test_data_that_is_none(processor: noema_agent.Processor) -> None:
    for wrong in ("machines.csv", {"state": ["a"]}, 7):
        with pytest.raises(TypeError, match="data must be a DataFrame"):
            processor.train(t.cast(t.Any, wrong), symbol="state", every=2)
    with pytest.raises(TypeError, match="must hold DataFrames or dictionaries, got int"):
        processor.train(t.cast(t.Any, [1, 2]), symbol="state", every=2)
    with pytest.raises(ValueError, match="the table has no rows"):
        processor.train(MACHINES.head(0), symbol="state", every=2)
    doubled = pandas.concat([MACHINES, MACHINES], axis=1)
    with pytest.raises(ValueError, match="2 columns are named 'state': rename one"):
        processor.train(doubled, symbol="state", every=2)
    assert processor.get_time() == 0 and processor.list_sessions() == []


def test_trains_and_scores_as_the_example_of_the_command_line(processor: noema_agent.Processor) -> None:
    result = processor.train(MACHINES, group_by="id", symbol="state", number={"temp": "step=5"})
    assert (result.rows, result.groups, result.learned, result.nothing) == (12, 3, 3, 0)
    assert str(result).startswith("Learned 3 of 3 sequences, 12 rows, in ")
    # The models that docs/command-line.md shows for the same rows.
    names = {prediction["name"] for prediction in processor.get_predictions(sequence=[["idle", "temp=20"], ["run"]])}
    assert {"5ce21e15ccc25d588eb074522da054322dbfc8af", "dc4946b0667c2c10006f973b5467bf2bde0a237d"} <= names
    assert processor.list_sessions() == []
    today = pandas.DataFrame(
        {"state": ["idle", "run", "load", "idle"], "temp": [20.2, 24.8, 44, 20.1]}, index=[7, 7, 8, 8]
    )
    scores = processor.score(today, symbol="state", number="temp", threshold=5)
    assert scores[["row", "causes"]].values.tolist() == [[2, "temp 40 to 45; load"]]
    assert scores.index.tolist() == [8] and 5 < scores["bits"].iloc[0] < 60
    everything = processor.score(today, symbol="state", number="temp")
    assert everything.index.tolist() == [7, 7, 8, 8] and everything["row"].tolist() == [0, 1, 2, 3]
    assert everything["time"].isna().all() and everything.attrs["noema"]["scored"] == 4
    whole = processor.score(MACHINES, group_by="id", symbol="state", number="temp")
    assert whole.columns.tolist() == ["group", "row", "rows", "bits", "rank", "missing", "excess", "unexpected"]
    assert whole["group"].tolist() == ["1", "2", "3"] and whole["rows"].tolist() == [4, 4, 4]
    each = processor.score(MACHINES, group_by="id", symbol="state", number="temp", rows=True)
    assert len(each) == 12 and each["group"].tolist() == ["1"] * 4 + ["2"] * 4 + ["3"] * 4
    # Nothing was observed.
    assert processor.get_time() == 0


def test_does_what_the_command_line_does_with_a_file(processor: noema_agent.Processor, tmp_path: t.Any) -> None:
    if not CLI:
        pytest.skip("NOEMA_TEST_CLI names no command line")
    chance = numpy.random.default_rng(5)
    count = 400
    frame = pandas.DataFrame(
        {
            "at": pandas.date_range("2026-03-28T20:00Z", periods=count, freq="7min").strftime("%Y-%m-%dT%H:%M:%SZ"),
            "state": chance.choice(["idle", "run", "load"], count),
            "temp": chance.normal(20, 3, count).round(2),
            "load": chance.normal(0, 1, count).round(3),
            "x": chance.choice([1.0, 2.0, 40.0], count),
            "y": chance.choice([0.5, 3.25], count),
            "size": numpy.where(chance.random(count) < 0.1, numpy.nan, chance.normal(100, 30, count).round(1)),
        }
    )
    frame = frame.sample(frac=1, random_state=3)
    file = tmp_path / "rows.csv"
    frame.to_csv(file, index=False)
    options = {
        "symbol": "state:named",
        "number": ["temp", "load:quantiles=6", "size:step=7.5,hysteresis=1"],
        "vector": "x,y",
        "time": "at",
    }
    arguments = [
        f"--{name}={value}"
        for name, values in options.items()
        for value in ([values] if isinstance(values, str) else values)
    ]
    encoders: t.Dict[str, t.Any] = {
        "hour": {"kind": "clock", "of": "hour", "zone": "Europe/Berlin"},
        "gap": {"kind": "elapsed"},
    }

    def run(*command: str) -> str:
        env = {**os.environ, "NOEMA_ADDRESS": ADDRESS, "NOEMA_API_KEY": KEY, "NOEMA_PROCESSOR": processor._path[1:]}
        done = subprocess.run(["node", CLI, *command, str(file), *arguments], env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def knowledge() -> t.Any:
        known = json.loads(processor.export_knowledge_base().read())
        return known["models_kb"], known["symbols_kb"], processor.list_encoders()

    for name, encoder in encoders.items():
        processor.put_encoder(name, encoder)
    run("train", "--every=8")
    by_file = knowledge()
    listed = [json.loads(line) for line in run("score", "--json").splitlines()]
    grouped = [json.loads(line) for line in run("score", "--json", "--group-by=state").splitlines()]
    processor.clear_all_memory()
    for name in ("temp", "load", "size"):
        processor.delete_encoder(name)
    processor.train(frame, every=8, **options)
    assert knowledge() == by_file
    scores = processor.score(frame, **options)
    assert scores["bits"].tolist() == [one["bits"] for one in listed]
    assert (scores["row"] + 2).tolist() == [one["line"] for one in listed]
    causes = ["; ".join(cause["shown"] for cause in one["causes"]) for one in listed]
    assert scores["causes"].tolist() == causes
    times = [time.strftime("%Y-%m-%dT%H:%M:%S.000Z") for time in scores["time"]]
    assert times == [one["time"] for one in listed]
    groups = processor.score(frame, group_by="state", **options)
    assert groups["bits"].tolist() == [one["bits"] for one in grouped]
    assert groups["group"].tolist() == [one["group"] for one in grouped]


def test_pieces_that_can_be_read_only_once(processor: noema_agent.Processor) -> None:
    def pieces() -> t.Iterator[pandas.DataFrame]:
        for begin in range(0, 12, 5):
            yield MACHINES.iloc[begin : begin + 5]

    result = processor.train(pieces(), group_by="id", symbol="state", number="temp:step=5")
    assert (result.rows, result.groups, result.learned) == (12, 3, 3)
    scores = processor.score(pieces(), symbol="state", number="temp")
    assert scores["bits"].tolist() == processor.score(MACHINES, symbol="state", number="temp")["bits"].tolist()
    assert scores.index.tolist() == list(range(12))
    rows = MACHINES.to_dict("records")
    assert processor.score(iter(t.cast(t.Any, rows)), symbol="state", number="temp")["row"].tolist() == list(range(12))
    # Twice: a function makes them anew, and so quantiles and groups in any order are possible.
    shuffled = MACHINES.sample(frac=1, random_state=1)
    again = processor.train(
        lambda: [shuffled.iloc[:7], shuffled.iloc[7:]], group_by="id", symbol="state", number="temp:quantiles=2"
    )
    assert again.groups == 3
    with pytest.raises(ValueError, match="can be read only once: pass a function that makes it anew, or edges"):
        processor.train(pieces(), group_by="id", symbol="state", number="temp:quantiles=2")
    apart = pandas.concat([MACHINES, MACHINES.head(1)])
    with pytest.raises(ValueError, match="row 12: rows of the group 1 came before, and do not stand together"):
        processor.train(iter([apart]), group_by="id", symbol="state")
    with pytest.raises(ValueError, match="row 1: its time is before that of the row before it"):
        later = pandas.DataFrame({"at": [10, 5], "state": ["idle", "run"]})
        processor.score(iter([later]), symbol="state", time="at")


def test_rows_that_cannot_be_read_are_left_out_and_counted(processor: noema_agent.Processor) -> None:
    frame = pandas.DataFrame({"state": ["a", "b", "c", "d"], "temp": [1.0, numpy.inf, numpy.nan, 2.0]})
    with pytest.raises(ValueError, match="row 1: temp is 'inf'"):
        processor.train(frame, symbol="state", number="temp:step=1", every=2)
    assert processor.list_encoders() == {}
    for data in (frame, iter([frame])):
        result = processor.train(data, symbol="state", number="temp:step=1", every=3, skip_bad=True)
        assert (result.rows, result.bad, result.learned) == (3, 1, 1)
        assert "1 of 4 rows cannot be read and are left out:" in str(result)
    assert processor.list_models()["models"][0]["sequence"] == [["a", "temp=1"], ["c"], ["d", "temp=2"]]


def test_labels_are_last_events(processor: noema_agent.Processor) -> None:
    flowers = pandas.DataFrame({"length": [1.4, 4.7], "species": ["setosa", "versicolor"]})
    processor.train(flowers, number="length:step=1", label="species:named")
    found = sorted(model["sequence"] for model in processor.list_models()["models"])
    assert found == [[["length=1"], ["species=setosa"]], [["length=4"], ["species=versicolor"]]]
    wrong = pandas.DataFrame({"id": [1, 1], "state": ["a", "b"], "kind": ["x", "y"]})
    with pytest.raises(ValueError, match="row 1: kind is 'y', but it is 'x' in an earlier row of the group 1"):
        processor.train(wrong, group_by="id", symbol="state", label="kind")


def test_sequences_of_which_memory_would_keep_a_part_are_refused(processor: noema_agent.Processor) -> None:
    frame = pandas.DataFrame({"id": [1, 1, 2, 2, 2, 2], "state": list("abcdef")})
    for resolution, columns, count in (("event", "state", 4), ("symbol", ["state", "id"], 8)):
        wanted: t.Any = {"max_sequence_length": 3, "wm_resolution": resolution}
        processor.change_genes(wanted)
        for data in (frame[2:], iter([frame[2:]])):
            with pytest.raises(ValueError, match=f"of the {count} {resolution}s of the group 2 from row [02], only"):
                processor.train(data, group_by="id", symbol=columns)
    assert processor.list_models()["models"] == []
    assert processor.train(frame[:2], group_by="id", symbol="state").learned == 1
    processor.start_autolearning()
    assert processor.train(frame, group_by="id", symbol="state").groups == 2


def test_says_that_sequences_end_at_the_same_times_of_every_day(processor: noema_agent.Processor) -> None:
    times = pandas.date_range("2026-03-01", periods=24 * 10, freq="h", tz="UTC")
    frame = pandas.DataFrame({"at": times, "state": [f"s{at % 24}" for at in range(len(times))]})
    for every, text in ((24, "all end at 23:00 UTC"), (12, "all end at the same 2 times of day"), (25, ""), (48, "")):
        processor.clear_all_memory()
        wanted: t.Any = {"max_sequence_length": 0}
        processor.change_genes(wanted)
        remarks = processor.train(frame, symbol="state", time="at", every=every).remarks
        said = [line for line in remarks if line.startswith("The sequences of")]
        assert [text in line for line in said] == ([True] if text else [])


def test_a_run_that_is_cut_learns_each_sequence_once(
    processor: noema_agent.Processor, noema: noema_agent.Noema
) -> None:
    frame = pandas.DataFrame({"state": [f"s{at}" for at in range(600)]})
    proxy = Proxy(noema._server.shown)
    through = connect(proxy.address, KEY, first_pause=0.01).processor(processor._path[1:])
    stop = threading.Event()

    def cut() -> None:
        while not stop.wait(0.15):
            proxy.cut()

    cutter = threading.Thread(target=cut)
    cutter.start()
    try:
        result = through.train(frame, symbol="state", every=3)
    finally:
        stop.set()
        cutter.join()
        proxy.close()
    assert result.learned + result.redelivered == 200
    assert frequencies(processor) == [1] * 200


def frequencies(processor: noema_agent.Processor) -> t.List[int]:
    models = json.loads(processor.export_knowledge_base().read())["models_kb"].values()
    return [model["frequency"] for model in models]


@pytest.mark.parametrize("http", [False, True])
def test_a_run_that_broke_off_goes_on(processor: noema_agent.Processor, noema: noema_agent.Noema, http: bool) -> None:
    proxy = Proxy(noema._server.shown)
    through = connect(proxy.address, KEY, longest_pause=0.01).processor(processor._path[1:])
    frame = pandas.DataFrame({"state": [f"s{at}" for at in range(300)]})
    options: t.Dict[str, t.Any] = {"symbol": "state", "every": 2, "http": http, "in_flight": 2}

    def pieces() -> t.Iterator[pandas.DataFrame]:
        yield frame.head(250)
        proxy.close()
        yield frame.tail(50)

    # Read twice: first when it is checked.
    reads = iter([[frame], pieces()])
    with pytest.raises(noema_agent.TrainingError, match="what was learned stays; to go on") as broken:
        through.train(lambda: next(reads), **options)
    with pytest.raises(ValueError, match="was a run of other data, or with other options"):
        processor.train(frame.head(8), resume=broken.value.resume, **options)
    result = processor.train(frame, resume=broken.value.resume, **options)
    assert result.redelivered > 0 and result.learned + result.redelivered == 150
    assert frequencies(processor) == [1] * 150


@pytest.mark.parametrize("http", [False, True])
def test_what_was_refused_is_sent_again_when_a_run_goes_on(processor: noema_agent.Processor, http: bool) -> None:
    processor.observe_sequence([{"vectors": [[1, 2, 3]]}, {"vectors": [[4, 5, 6]]}], learn=True)
    frame = pandas.DataFrame({"state": list("abcdef"), "x": [None] * 4 + [1.0, 2.0], "y": [None] * 4 + [1.0, 2.0]})
    options: t.Dict[str, t.Any] = {"symbol": "state", "vector": "x,y", "every": 2, "http": http}
    with pytest.raises(noema_agent.TrainingError, match="the group 3 from row 4: .*vector") as broken:
        processor.train(frame, **options)
    assert broken.value.resume.endswith("+3")
    processor.load_knowledge_base({"models_kb": {}, "symbols_kb": {}, "vectors_kb": {}})
    result = processor.train(frame, resume=broken.value.resume, **options)
    assert (result.redelivered, result.learned) == (2, 1)


def test_a_processor_that_sleeps_says_so(processor: noema_agent.Processor) -> None:
    processor.start_sleeping()
    with pytest.raises(noema_agent.TrainingError, match=r"wake it with stop_sleeping\(\)"):
        processor.train(MACHINES, symbol="state", every=2)
    assert frequencies(processor) == []


def test_long_sequences_are_requests(processor: noema_agent.Processor) -> None:
    frame = pandas.DataFrame({"id": [0] * 1500 + [1, 1], "state": [f"s{at % 700}" for at in range(1502)]})
    assert processor.train(frame, group_by="id", symbol="state").learned == 2
    assert processor.list_models(sort="length", direction="desc")["models"][0]["length"] == 1500


def test_a_processor_that_cannot_judge(processor: noema_agent.Processor) -> None:
    with pytest.raises(ValueError, match="has no encoder for the numbers of temp: let it learn some with train"):
        processor.score(MACHINES, number="temp")
    with pytest.raises(ValueError, match="has no models to compare with"):
        processor.score(MACHINES, symbol="state")
    with pytest.raises(ValueError, match="exclude each other"):
        processor.score(MACHINES, symbol="state", threshold=3, per_day=1)
    with pytest.raises(ValueError, match="per_day needs time="):
        processor.score(MACHINES, symbol="state", per_day=1)
    with pytest.raises(ValueError, match="threshold must be a number above 0, got -1"):
        processor.score(MACHINES, symbol="state", threshold=-1)


def test_many_rows_take_bounded_memory() -> None:
    # In a process of its own, whose peak counts from its start. By hand with 10 million rows: docs/python.md.
    program = """
import resource, numpy, pandas
from noema_agent import sequences
def pieces(count):
    for at in range(count):
        yield pandas.DataFrame({"state": pandas.Categorical(["idle", "run"] * 5_000), "temp": numpy.arange(1e4) + at})
def peak(count):
    rows = sum(len(group["sequence"]) for group in sequences(pieces(count), symbol="state", number="temp", every=100))
    assert rows == 10_000 * count
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
first = peak(3)
print(peak(12) - first)
"""
    env = {**os.environ, "PYTHONPATH": ROOT}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # A table of these rows takes 30 MB as Python's objects.
    assert float(done.stdout) < 12


def test_draws_what_was_scored(processor: noema_agent.Processor, tmp_path: t.Any) -> None:
    frame = pandas.DataFrame({"state": ["a", "b", "c"] * 1500, "<temp>": numpy.arange(4500.0)})
    frame.loc[2000, "state"] = "<odd> & new"
    frame.loc[7, "<temp>"] = numpy.nan
    processor.train(frame.head(300), symbol="state", every=3)
    scores = processor.score(frame, symbol="state")
    chart = plot(scores, frame, number="<temp>", title="A <week>")
    chart.save(tmp_path / "week.svg")
    root = xml.etree.ElementTree.parse(tmp_path / "week.svg").getroot()
    assert chart._repr_svg_() == (tmp_path / "week.svg").read_text()
    texts = [element.text for element in root.iter() if element.text]
    assert "A <week>" in texts and "<temp>" in texts
    assert any("row 2000" in text and "<odd> & new" in text for text in texts)
    # However many rows there are, the picture is no larger.
    assert len(chart.svg) < 100_000
    assert "0 pass" in plot(scores.head(0)).svg
    with pytest.raises(ValueError, match="has no column 'bits'"):
        plot(frame.assign(row=0))
    with pytest.raises(ValueError, match="number needs data"):
        plot(scores, number="temp")
    with pytest.raises(ValueError, match="'state' has values that are no numbers"):
        plot(scores, frame, number="state")


def test_the_example_finds_the_three_faults_and_writes_its_pictures(noema: noema_agent.Noema, tmp_path: t.Any) -> None:
    processor = noema.processor("P1")
    processor.clear_all_memory()
    for name in processor.list_encoders():
        processor.delete_encoder(name)
    # As on a new server: other tests train rows without an end, after which memory rolls.
    wanted: t.Any = {"max_sequence_length": 0, "wm_mode": "clear"}
    processor.change_genes(wanted)
    env = {**os.environ, "PYTHONPATH": ROOT, "NOEMA_ADDRESS": ADDRESS, "NOEMA_API_KEY": KEY}
    example = os.path.join(ROOT, "examples", "week_of_a_machine.py")
    done = subprocess.run([sys.executable, example, str(tmp_path)], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = [line.split("  ") for line in done.stdout.splitlines()[-3:]]
    assert [line[0] for line in lines] == ["Tuesday 10:15", "Thursday 11:35", "Saturday 05:20"]
    assert [line[2].split(" ")[0] for line in lines] == ["vibration", "temp", "current"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["odd.svg", "week.svg"]

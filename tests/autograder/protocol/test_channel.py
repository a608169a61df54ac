"""Frames: what crosses whole, and what is refused."""

import json
import math
import pickle
import threading
import time

import numpy as np
import pytest
from safetensors.numpy import save

from autograder.protocol.channel import (
    LENGTHS,
    MAX_NAMES,
    MAX_VALUES,
    BadFrame,
    Channel,
    Closed,
    Late,
    arrays,
    depth,
    pair,
    parse,
)


@pytest.fixture
def ends():
    mine, theirs = pair()
    yield Channel(mine, max_header=10_007, max_payload=100_003), theirs
    mine.close()
    theirs.close()


def soon(seconds: float = 2.0) -> float:
    return time.monotonic() + seconds


def frame(header: bytes, payload: bytes = b"") -> bytes:
    return LENGTHS.pack(len(header), len(payload)) + header + payload


@pytest.mark.parametrize(
    "array",
    [
        np.float64(2.5).reshape(()),
        np.arange(15.0).reshape(3, 5).T,
        np.array([True, False]),
        np.arange(7, dtype=np.int64),
        np.zeros((0, 3), dtype=np.float32),
    ],
    ids=["a scalar", "a transpose", "booleans", "integers", "nothing"],
)
def test_an_array_crosses_with_its_kind_shape_and_numbers(ends, array):
    mine, theirs = ends
    Channel(theirs).send({"op": "case", "name": "é"}, {"a/b": array})
    header, tensors = mine.receive(soon())
    assert header == {"op": "case", "name": "é"}
    assert tensors["a/b"].dtype == array.dtype
    np.testing.assert_array_equal(tensors["a/b"], array, strict=True)


def test_frames_sent_one_after_the_other_stay_apart(ends):
    mine, theirs = ends
    for number in range(3):
        Channel(theirs).send({"n": number}, {"x": np.full(number + 2, number)})
    assert [mine.receive(soon())[0]["n"] for _ in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("lengths", [(10_008, 0), (2, 100_004), (0xFFFFFFFF, 0xFFFFFFFF)])
def test_a_frame_that_announces_too_much_is_refused_before_it_is_read(ends, lengths):
    mine, theirs = ends
    theirs.sendall(LENGTHS.pack(*lengths))
    with pytest.raises(BadFrame, match="too large"):
        mine.receive(soon())


def test_a_frame_too_large_for_the_other_side_is_not_sent(ends):
    mine, _ = ends
    with pytest.raises(BadFrame, match="too large"):
        mine.send({"op": "cell", "source": "x" * 10_009})


@pytest.mark.parametrize(
    "header",
    [b"", b"{", b"[1]", b"3", b'{"a": NaN}', b'{"a": -Infinity}', b'{"a": 1e999}', b"\xff\xfe", b"9" * 5003],
)
def test_a_header_that_is_not_a_plain_json_object_is_refused(ends, header):
    mine, theirs = ends
    theirs.sendall(frame(header))
    with pytest.raises(BadFrame):
        mine.receive(soon())


@pytest.mark.parametrize("levels", [67, 4001])
def test_a_header_nested_too_deeply_is_refused(levels):
    with pytest.raises(BadFrame):
        parse(b'{"a": ' + b"[" * levels + b"]" * levels + b"}")


def test_depth_counts_lists_and_objects():
    assert depth({"a": [[1], {"b": []}]}) == 4


@pytest.mark.parametrize(
    "payload",
    [
        pickle.dumps({"x": 1}),
        b"\x00" * 11,
        (1 << 40).to_bytes(8, "little") + b"{}",
        save({"x": np.arange(5.0)})[:-3],
    ],
    ids=["a pickle", "zeros", "a huge inner header", "cut short"],
)
def test_a_payload_that_is_not_safetensors_is_refused(ends, payload):
    mine, theirs = ends
    theirs.sendall(frame(b"{}", payload))
    with pytest.raises(BadFrame):
        mine.receive(soon())


@pytest.mark.parametrize("kind", ["BF16", "F8_E4M3", "C64", "NONSENSE"])
def test_a_kind_of_number_off_the_list_is_refused(ends, kind):
    mine, theirs = ends
    inner = json.dumps({"x": {"dtype": kind, "shape": [3], "data_offsets": [0, 6]}}).encode()
    theirs.sendall(frame(b"{}", len(inner).to_bytes(8, "little") + inner + bytes(6)))
    with pytest.raises(BadFrame):
        mine.receive(soon())


def test_more_tensors_than_anyone_needs_are_refused(ends):
    mine, theirs = ends
    theirs.sendall(frame(b"{}", save({str(n): np.zeros(1, dtype=np.bool_) for n in range(1031)})))
    with pytest.raises(BadFrame, match="1031 tensors"):
        mine.receive(soon())


def test_a_channel_closed_in_the_middle_of_a_frame_is_closed(ends):
    mine, theirs = ends
    theirs.sendall(frame(b'{"op": "done"}')[:13])
    theirs.close()
    with pytest.raises(Closed):
        mine.receive(soon())


def test_an_endless_drip_of_bytes_meets_the_deadline(ends):
    mine, theirs = ends
    stop = threading.Event()

    def drip():
        theirs.sendall(LENGTHS.pack(9973, 0))
        while not stop.wait(0.01):
            theirs.send(b" ")

    dripping = threading.Thread(target=drip)
    dripping.start()
    with pytest.raises(Late):
        mine.receive(soon(0.3))
    stop.set()
    dripping.join()


def test_sending_to_somebody_who_does_not_read_meets_the_deadline(ends):
    mine, _ = ends
    mine.max_payload = 100_000_000
    with pytest.raises(Late):
        mine.send({"op": "cell"}, {"x": np.zeros(1_000_003)}, soon(0.3))


def test_waiting_asks_now_and_then_whether_to_go_on(ends):
    mine, _ = ends
    asked = []

    def tick():
        asked.append(1)
        if len(asked) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        mine.receive(math.inf, tick)
    assert len(asked) == 3


def test_what_waits_to_be_read_is_seen_without_reading_it(ends):
    mine, theirs = ends
    assert not mine.pending()
    theirs.sendall(b"x")
    assert mine.pending()


@pytest.mark.parametrize(
    "header",
    [{"n": list(range(MAX_VALUES))}, {str(n): [] for n in range(MAX_VALUES // 2)}, {"n": [[]] * MAX_VALUES}],
    ids=["numbers", "names", "lists"],
)
def test_a_header_of_too_many_values_is_refused_before_it_is_read(header):
    with pytest.raises(BadFrame, match="values"):
        parse(json.dumps(header).encode())


def test_a_long_text_is_no_number_of_values():
    said = {"text": 'a,[{:"' * MAX_VALUES}
    assert parse(json.dumps(said).encode()) == said


def test_tensors_whose_description_is_too_long_are_refused():
    with pytest.raises(BadFrame, match="too long"):
        arrays((MAX_NAMES + 1).to_bytes(8, "little") + b"{}")

"""An error crosses as words that are the same each time."""

from autograder.probes.run import describe


def test_addresses_are_left_out_of_a_message():
    said = [describe(TypeError(f"{object()} is traced, object id {id(object())}"))["message"] for _ in range(2)]
    assert said == ["<object object at 0x…> is traced, object id …"] * 2

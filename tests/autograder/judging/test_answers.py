"""Answers are renewed when something changes that they are computed from."""

from pathlib import Path

from autograder.judging.answers import fingerprint


def test_the_fingerprint_reads_all_that_answers_are_computed_from(monkeypatch):
    read, whole = set(), Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.add(path.name) or whole(path))
    fingerprint.__wrapped__("05_decoder")
    exercise, drawn, probed = {"seq2seq.py", "seq2seq_mistakes.py"}, {"weights.py"}, {"decoder.py", "modules.py"}
    called, stood_in = {"calling.py"}, {"decoder_stand_ins.py", "stand_in.py"}
    reference, computed = {"seq2seq.py", "encoder.py"}, {"compute.py", "fair.py", "judge.py", "properties.py"}
    assert exercise | drawn | probed | called | stood_in | reference | computed <= read
    assert "reverse_dataset.py" not in read  # another stage's exercise renews nothing here

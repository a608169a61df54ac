from course_lib.notebook import live_curve as module
from course_lib.notebook.live_curve import describe, live_curve, panels
from course_lib.training.history import History, Validation


def run(steps=7):
    losses = [2.5 / (step + 1) for step in range(steps)]
    validations = [Validation(3, 0.9, 0.25), Validation(steps, 0.4, 0.875)]
    return History(losses=losses, accuracies=[0.5] * steps, validations=validations)


class Handle:
    def __init__(self):
        self.updates = []

    def update(self, bundle, raw):
        self.updates.append(bundle)


def test_the_words_say_where_the_run_stands():
    words = "Training, 5 steps: the loss went from 2.50 to 0.500; the validation accuracy is 87.50%."
    assert describe(run(5)) == words


def test_a_long_run_is_drawn_with_few_points():
    drawn = panels(run(1009))[0].marks[0]
    assert drawn.count(",") <= 200


def test_a_run_of_one_step_can_be_drawn():
    history = History(losses=[2.5], accuracies=[0.1], validations=[Validation(1, 2.4, 0.125)])
    assert len(panels(history)) == 2


def test_the_picture_is_shown_once_and_then_updated(monkeypatch):
    shown, handle = [], Handle()
    monkeypatch.setattr(module, "display", lambda bundle, raw, display_id: shown.append(bundle) or handle)
    monkeypatch.delenv("COURSE_PICTURES", raising=False)
    update = live_curve()
    update(run(5))
    update(run(7))
    assert [bundle.keys() for bundle in shown + handle.updates] == [{"text/plain", "text/html"}] * 2
    assert "7 steps" in handle.updates[0]["text/html"]


def test_where_nobody_looks_the_words_stand_alone(monkeypatch):
    shown = []
    monkeypatch.setattr(module, "display", lambda bundle, raw, display_id: shown.append(bundle))
    monkeypatch.setenv("COURSE_PICTURES", "off")
    live_curve()(run())
    assert shown == [{"text/plain": describe(run())}]

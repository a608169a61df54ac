"""In which modes a student's code asks a model, as its stand-ins note, and in which it leaves it."""

from types import SimpleNamespace

import torch
from torch import nn

FAILS = "the model fails"


class _Notes(SimpleNamespace):
    """Of a model and of every copy of it."""

    def __deepcopy__(self, memo):
        return self


class NotesModes(nn.Module):
    """A stand-in whose `forward` calls `note_modes`; `part` tells the mode, for what drops is usually a part."""

    def __init__(self):
        super().__init__()
        self.notes = _Notes(asked=False, was_training=False, had_gradients=False)

    def note_modes(self) -> None:
        self.notes.asked = True
        self.notes.was_training |= self.part.training
        self.notes.had_gradients |= torch.is_grad_enabled()

    def noted(self, mode: str) -> dict[str, bool]:
        """Whether any call was made in this mode: `was_training` or `had_gradients`."""
        if not self.notes.asked:
            raise RuntimeError("the model passed to you was never called")
        return {mode: getattr(self.notes, mode)}


def after_an_error(student, model, *given):
    """Whether an error in the model reaches the caller, and whether its modes are restored."""
    raised = False
    try:  # by place: what is noticed of this call is what is asked
        student(model, *given)
    except RuntimeError as error:
        if str(error) != FAILS:
            raise
        raised = True
    return {"raised": raised, "restored": model.training and model.part.training}

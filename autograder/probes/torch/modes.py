"""In which modes a model was asked: noted by the stand-ins that a student's code calls."""

import torch
from torch import nn


class NotesModes(nn.Module):
    """A stand-in whose `forward` calls `note_modes`; `part` tells the mode, for what drops is usually a part."""

    def __init__(self):
        super().__init__()
        self.asked = self.was_training = self.had_gradients = False

    def note_modes(self) -> None:
        self.asked = True
        self.was_training |= self.part.training
        self.had_gradients |= torch.is_grad_enabled()

    def noted(self, mode: str) -> dict[str, bool]:
        """Whether any call was made in this mode: `was_training` or `had_gradients`."""
        if not self.asked:
            raise ValueError("the model passed to you was never called")
        return {mode: getattr(self, mode)}

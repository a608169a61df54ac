"""Stage 08: ten images, one of which does not belong."""

import torch
from torch import nn
from torch.nn import functional as F


def split_per_class(labels: torch.Tensor, per_class: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Set aside the same number of images of every class: a stratified split.

    Args:
        labels: int64 [N], the class of every image; the classes need neither be 0, 1, 2, … nor come in order.
        per_class: how many of each class to pick.

    Returns:
        `(picked, rest)`: two index tensors, int64, in which each of 0 … N − 1 appears exactly once;
        `picked` names per_class images of every class.

    Raises:
        ValueError: when a class has fewer than per_class images, with these two numbers and the class.

    >>> picked, rest = split_per_class(torch.tensor([5, 2, 5, 5, 2]), per_class=1)
    >>> picked.tolist(), rest.tolist()
    ([0, 1], [2, 3, 4])
    """
    classes, counts = labels.unique(return_counts=True)
    if counts.min() < per_class:
        rare, count = classes[counts.argmin()].item(), counts.min().item()
        raise ValueError(f"per_class ({per_class}) must not exceed the images of any class; {rare} has {count}")
    # BEGIN SOLUTION
    #: Where is a class? torch.where(labels == one_class) returns a tuple of one index tensor.
    #: Take the first per_class places of each class, and put the classes together with torch.cat.
    #: A boolean mask over all N places tells you what is left over.
    picked = torch.cat([torch.where(labels == one_class)[0][:per_class] for one_class in classes])
    is_picked = torch.zeros_like(labels, dtype=torch.bool)  # [N]
    is_picked[picked] = True
    return torch.where(is_picked)[0], torch.where(~is_picked)[0]
    # END SOLUTION


def sample_anomaly_sets(
    features: torch.Tensor,
    labels: torch.Tensor,
    anomaly_index: torch.Tensor,
    set_size: int,
    generator: torch.Generator,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """For each given image, a set in which it is the only one of its class, at a random place.

    Args:
        features: float [N, D], one row per image.
        labels: int64 [N], the class of every image; the classes need neither be 0, 1, 2, … nor come in order.
        anomaly_index: int64 [B], the image that is the odd one of each set.
        set_size: S, images in a set, the odd one included.
        generator: the only source of randomness, on the device of labels; the same state gives the same sets.

    Returns:
        `(sets [B, S, D], target [B], indices [B, S])`: the features of the sets, the place of the odd one in
        each (all places equally likely), and which image stands where, so that `sets == features[indices]`.
        The other S − 1 images of a set are different members of one class, drawn at random among the others.

    Raises:
        ValueError: when there is only one class, or a class has fewer than S − 1 images, with S and these numbers.
    """
    classes, class_of, counts = labels.unique(return_inverse=True, return_counts=True)
    if len(classes) < 2 or counts.min() < set_size - 1:
        raise ValueError(
            f"sets of {set_size} need two classes or more, each with at least {set_size - 1} images; "
            f"there are {len(classes)}, the smallest with {counts.min().item()}"
        )
    # BEGIN SOLUTION
    #: Above: classes [C], the place of each label among them class_of [N], the size of each class counts [C].
    #: Draw another class: a step of 1 … C − 1 around the circle of classes never comes back home.
    #: Different members: a random key for each member, and then those with the smallest keys.
    #: class_of.argsort() lists the images class after class; each class starts where the previous one ends.
    #: Put the odd one first, then rotate each row by its random target, with gather.
    size, device = len(anomaly_index), labels.device
    step = torch.randint(1, len(classes), (size,), generator=generator, device=device)
    other = (class_of[anomaly_index] + step) % len(classes)  # [B]

    key = torch.rand(size, counts.max(), generator=generator, device=device)
    is_member = torch.arange(counts.max(), device=device) < counts[other, None]  # [B, largest class]
    member = key.masked_fill(~is_member, 2.0).topk(set_size - 1, largest=False).indices  # [B, S − 1]
    start = counts.cumsum(0) - counts  # [C]
    normal = class_of.argsort(stable=True)[start[other, None] + member]  # [B, S − 1]

    target = torch.randint(set_size, (size,), generator=generator, device=device)
    turn = (torch.arange(set_size, device=device) - target[:, None]) % set_size  # [B, S]
    indices = torch.cat([anomaly_index[:, None], normal], dim=1).gather(1, turn)  # [B, S]
    return features[indices], target, indices
    # END SOLUTION


def anomaly_loss(model: nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """How wrong a `TransformerPredictor` is about a batch of sets, and how often it finds the odd one.

    Args:
        model: takes sets [B, S, D] and `add_positional_encoding`, returns one logit per image, [B, S, 1].
        batch: `(sets [B, S, D], target [B])`, target being the place of the odd one, int64.

    Returns:
        `(loss, accuracy)`, both without dimensions: the mean cross-entropy of the softmax over the S images
        of a set, and the share of the sets whose odd one has the largest logit, which carries no gradient and may
        be a plain number.
    """
    # BEGIN SOLUTION
    #: A set has no order: the model must be called without its positional encoding.
    #: The S images of a set compete: they are the classes of the softmax. What to do with the axis of size 1?
    #: F.cross_entropy takes logits [B, S] and target [B].
    sets, target = batch
    logits = model(sets, add_positional_encoding=False).squeeze(-1)  # [B, S]
    loss = F.cross_entropy(logits, target)
    accuracy = (logits.argmax(dim=-1) == target).float().mean()
    return loss, accuracy
    # END SOLUTION


def equivariance_error(model: nn.Module, sets: torch.Tensor, permutation: torch.Tensor) -> float:
    """How far a model is from f(permuted set) = permuted f(set), the largest change of any logit.

    Args:
        model: takes sets [B, S, D] and `add_positional_encoding`, returns [B, S, 1]; in eval mode, because
            dropout would change the logits too.
        sets: float [B, S, D].
        permutation: int64 [S], the new order of the images of every set.

    Returns:
        A float: rounding error (1e-6 or less) for a model of sets, tenths or more for one that sees places.

    Source: Lee et al. 2019, *Set Transformer*, section 3.1 (property 1, permutation equivariance).
    """
    # BEGIN SOLUTION
    #: Two ways to the same logits: permute the sets and call the model, or call the model and permute.
    #: The images of a set are axis 1. No positional encoding, and no gradient is needed: torch.no_grad().
    #: The largest absolute difference, as a Python number: .item().
    with torch.no_grad():
        permuted_before = model(sets[:, permutation], add_positional_encoding=False)  # [B, S, 1]
        permuted_after = model(sets, add_positional_encoding=False)[:, permutation]  # [B, S, 1]
    return (permuted_before - permuted_after).abs().max().item()
    # END SOLUTION

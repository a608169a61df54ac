"""Other right samplers: each draws in its own order."""

import numpy as np
import torch


def set_by_set(features, labels, anomaly_index, set_size, generator):
    """A loop over the sets; the odd one is inserted at its place."""
    targets, rows = [], []
    for odd in anomaly_index.tolist():
        others = [label for label in labels.unique().tolist() if label != labels[odd]]
        label = others[torch.randint(len(others), (1,), generator=generator).item()]
        members = torch.where(labels == label)[0]
        row = members[torch.randperm(len(members), generator=generator)[: set_size - 1]].tolist()
        targets.append(torch.randint(set_size, (1,), generator=generator).item())
        row.insert(targets[-1], odd)
        rows.append(torch.tensor(row))
    indices = torch.stack(rows)
    return features[indices], torch.tensor(targets), indices


def all_images_then_shuffled(imgs, classes, anomalies, size, rng):
    """Weights instead of members, and a shuffle of the whole row instead of a place."""
    kinds = classes.unique()
    allowed = (kinds[None, :] != classes[anomalies][:, None]).float()  # [B, C]
    kind = kinds[torch.multinomial(allowed, 1, generator=rng)]  # [B, 1]
    normal = torch.multinomial((classes[None, :] == kind).float(), size - 1, generator=rng)  # [B, S − 1]
    row = torch.cat([normal, anomalies[:, None]], dim=1)
    order = torch.rand(row.shape, generator=rng).argsort(dim=1)
    return imgs[row.gather(1, order)], (order == size - 1).int().argmax(dim=1), row.gather(1, order)


def exchanged_into_place(features, labels, anomaly_index, set_size, generator):
    """The odd one is last and changes places with the one at the target; numpy, seeded by the generator."""
    rng = np.random.default_rng(torch.randint(2**31, (1,), generator=generator).item())
    kinds, batch = np.unique(labels.numpy()), len(anomaly_index)
    indices = np.empty((batch, set_size), dtype=np.int64)
    for row, odd in zip(indices, anomaly_index.numpy(), strict=True):
        kind = rng.choice(kinds[kinds != labels[odd].item()])
        row[:-1] = rng.choice(np.flatnonzero(labels.numpy() == kind), set_size - 1, replace=False)
        row[-1] = odd
    target = rng.integers(set_size, size=batch)
    rows = np.arange(batch)
    indices[rows, -1], indices[rows, target] = indices[rows, target].copy(), anomaly_index.numpy()
    indices = torch.from_numpy(indices)
    return features[indices], torch.from_numpy(target), indices


VARIANTS = (set_by_set, all_images_then_shuffled, exchanged_into_place)

"""Wrong samplers, each made from the parts of a right one with one part replaced."""

import torch
from torch.nn import functional as F


def any_other(labels, own, generator):
    others = [label for label in labels.unique().tolist() if label != own]
    return others[torch.randint(len(others), (1,), generator=generator).item()]


def any_members(members, count, generator):
    return members[torch.randperm(len(members), generator=generator)[:count]]


def any_place(set_size, generator, row):
    return torch.randint(set_size, (1,), generator=generator).item()


def sampler(other=any_other, members=any_members, place=any_place, extra=0):
    """A right sampler, set by set, unless a part is replaced."""

    def sample(features, labels, anomaly_index, set_size, generator):
        targets, rows = [], []
        for row, odd in enumerate(anomaly_index.tolist()):
            label = other(labels, int(labels[odd]), generator)
            normal = members(torch.where(labels == label)[0], set_size - 1 + extra, generator)
            targets.append(place(set_size, generator, row))
            rows.append(torch.cat([normal[: targets[-1]], torch.tensor([odd]), normal[targets[-1] :]]))
        indices = torch.stack(rows)
        return features[indices], torch.tensor(targets), indices

    return sample


right = sampler()
one_too_many = sampler(extra=1)

# ---- the place

always_last = sampler(place=lambda set_size, generator, row: set_size - 1)
always_first = sampler(place=lambda set_size, generator, row: 0)
never_last = sampler(place=lambda set_size, generator, row: any_place(set_size - 1, generator, row))
never_first = sampler(place=lambda set_size, generator, row: 1 + any_place(set_size - 1, generator, row))
places_in_turn = sampler(place=lambda set_size, generator, row: row % set_size)
rounded_place = sampler(
    place=lambda set_size, generator, row: round((torch.rand(1, generator=generator) * (set_size - 1)).item())
)


def one_place_for_all(features, labels, anomaly_index, set_size, generator):
    place = any_place(set_size, generator, 0)
    same = sampler(place=lambda set_size, generator, row: place)
    return same(features, labels, anomaly_index, set_size, generator)


def shuffled_too_late(features, labels, anomaly_index, set_size, generator):
    _, target, indices = always_last(features, labels, anomaly_index, set_size, generator)
    order = torch.rand(indices.shape, generator=generator).argsort(dim=1)
    return features[indices.gather(1, order)], target, indices.gather(1, order)


def target_not_used(features, labels, anomaly_index, set_size, generator):
    sets, target, indices = always_last(features, labels, anomaly_index, set_size, generator)
    return sets, torch.randint(set_size, target.shape, generator=generator), indices


def target_from_one(*arguments):
    sets, target, indices = right(*arguments)
    return sets, target + 1, indices


def one_hot_target(features, labels, anomaly_index, set_size, generator):
    sets, target, indices = right(features, labels, anomaly_index, set_size, generator)
    return sets, F.one_hot(target, set_size), indices


# ---- the odd one, and the class of the others


def own_odd_one(features, labels, anomaly_index, set_size, generator):
    places = [torch.where(labels == labels[odd])[0] for odd in anomaly_index]
    own = torch.cat([any_members(members, 1, generator) for members in places])
    return right(features, labels, own, set_size, generator)


def many_classes(features, labels, anomaly_index, set_size, generator):
    targets, rows = [], []
    for odd in anomaly_index.tolist():
        normal = any_members(torch.where(labels != labels[odd])[0], set_size - 1, generator)
        targets.append(any_place(set_size, generator, 0))
        rows.append(torch.cat([normal[: targets[-1]], torch.tensor([odd]), normal[targets[-1] :]]))
    indices = torch.stack(rows)
    return features[indices], torch.tensor(targets), indices


def count(labels):
    return len(labels.unique())


own_class_allowed = sampler(
    other=lambda labels, own, generator: torch.randint(count(labels), (1,), generator=generator).item()
)
next_class = sampler(other=lambda labels, own, generator: (own + 1) % count(labels))
one_class_left_out = sampler(
    other=lambda labels, own, generator: (
        (own + torch.randint(1, count(labels) - 1, (1,), generator=generator).item()) % count(labels)
    )
)

# ---- the others

with_replacement = sampler(
    members=lambda members, size, generator: members[torch.randint(len(members), (size,), generator=generator)]
)
first_members = sampler(members=lambda members, size, generator: members[:size])


def neighbours_of(members, size, generator):
    start = torch.randint(len(members), (1,), generator=generator).item()
    return members.roll(-start)[:size]


neighbours = sampler(members=neighbours_of)
draws_one_more = sampler(
    members=lambda members, size, generator: torch.stack(
        [members[place] for place in torch.randperm(len(members), generator=generator)[: size + 1]][:size]
        if len(members) > size
        else []
    )
)


def one_order_for_all(features, labels, anomaly_index, set_size, generator):
    order = torch.randperm(len(labels), generator=generator)

    def members_in_order(members, size, generator):
        return order[torch.isin(order, members)][:size]

    return sampler(members=members_in_order)(features, labels, anomaly_index, set_size, generator)


def members_not_images(features, labels, anomaly_index, set_size, generator):
    within = sampler(members=lambda members, size, generator: torch.randperm(len(members), generator=generator)[:size])
    return within(features, labels, anomaly_index, set_size, generator)


# ---- the generator


def global_randomness(features, labels, anomaly_index, set_size, generator):
    return right(features, labels, anomaly_index, set_size, torch.default_generator)


def set_back(features, labels, anomaly_index, set_size, generator):
    again = torch.Generator().manual_seed(generator.initial_seed())
    return right(features, labels, anomaly_index, set_size, again)


# ---- what is returned


def sets_not_turned(features, labels, anomaly_index, set_size, generator):
    sets, target, indices = right(features, labels, anomaly_index, set_size, generator)
    turned = torch.stack([row.roll(1) for row in indices])
    return sets, (target + 1) % set_size, turned


def target_last(*arguments):
    sets, target, indices = right(*arguments)
    return sets, indices, target

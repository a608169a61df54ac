import torch
from torch import nn
from torch.nn import functional as F

from course_lib.model.embedding import TokenEmbedding

TOKENS = torch.tensor([[2, 0, 5], [5, 5, 4]])


def test_a_look_up_is_that_of_nn_embedding_times_the_root_of_the_width():
    ours, theirs = TokenEmbedding(7, 13), nn.Embedding(7, 13, padding_idx=0)
    theirs.load_state_dict({"weight": ours.table.data})
    torch.testing.assert_close(ours(TOKENS), theirs(TOKENS) * 13**0.5)
    for layer in (ours, theirs):
        (layer(TOKENS) ** 3).sum().backward()
    torch.testing.assert_close(ours.table.grad, theirs.weight.grad * 13**1.5)


def test_a_look_up_is_one_hot_times_the_table():
    embed = TokenEmbedding(7, 13).double()
    torch.testing.assert_close(embed(TOKENS), F.one_hot(TOKENS, 7).double() @ embed.table * 13**0.5)


def test_embedded_tokens_are_of_order_one():
    torch.manual_seed(3)
    assert 0.95 < TokenEmbedding(1009, 101)(torch.arange(1, 1009)).std() < 1.05

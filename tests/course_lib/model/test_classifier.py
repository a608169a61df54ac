import numpy as np
import torch
from torch import nn

from course_lib.model.classifier import ClsClassifier, SentenceClassifier, masked_mean
from course_lib.model.masked_lm import MaskedLanguageModel

SIZES = dict(vocab_size=17, num_classes=5, model_dim=6, num_heads=3, num_layers=2, max_len=7)
TOKENS = torch.randint(1, 17, (3, 7), generator=torch.Generator().manual_seed(5))
MASK = torch.arange(7) < torch.tensor([[7], [3], [0]])
CLASSIFIERS = [SentenceClassifier, ClsClassifier]


def made(kind, **sizes):
    torch.manual_seed(3)
    return kind(**SIZES | sizes).double().eval()


def torchs_encoder(model):
    """The same blocks as torch's own, with the same weights."""
    layer = nn.TransformerEncoderLayer(6, 3, 24, dropout=0.0, batch_first=True).double()
    stack = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    for ours, theirs in zip(model.encoder.layers, stack.layers, strict=True):
        by_head = ours.self_attn.qkv_proj
        state = {
            "self_attn.in_proj_weight": by_head.weight.unflatten(0, (3, 3, 2)).transpose(0, 1).flatten(0, 2),
            "self_attn.in_proj_bias": by_head.bias.unflatten(0, (3, 3, 2)).transpose(0, 1).flatten(),
            "self_attn.out_proj.weight": ours.self_attn.o_proj.weight,
            "self_attn.out_proj.bias": ours.self_attn.o_proj.bias,
        }
        for name, part in (("linear1", ours.linear_net[0]), ("linear2", ours.linear_net[3])):
            state |= {f"{name}.weight": part.weight, f"{name}.bias": part.bias}
        for name in ("norm1", "norm2"):
            state |= {f"{name}.{which}": getattr(getattr(ours, name), which) for which in ("weight", "bias")}
        theirs.load_state_dict(state)
    return stack.eval()


def test_a_masked_mean_is_numpys():
    x = torch.randn(3, 7, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    hidden = np.broadcast_to(~MASK.numpy()[..., None], x.shape)
    expected = np.ma.masked_array(x.numpy(), hidden).mean(axis=1).filled(0.0)
    torch.testing.assert_close(masked_mean(x, MASK), torch.from_numpy(expected))
    nowhere = x.masked_fill(~MASK.unsqueeze(-1), float("nan"))
    torch.testing.assert_close(masked_mean(nowhere, MASK.long()), torch.from_numpy(expected))


def test_the_mean_of_torchs_own_encoder_gives_the_same_logits():
    model = made(SentenceClassifier)
    x = model.embedding(TOKENS[:2]) + model.positions.table.weight
    encoded = torchs_encoder(model)(x, src_key_padding_mask=~MASK[:2])
    expected = torch.stack(
        [model.output_net(row[seen].mean(dim=0)) for row, seen in zip(encoded, MASK[:2], strict=True)]
    )
    torch.testing.assert_close(model(TOKENS[:2], MASK[:2]), expected)


def test_the_first_token_of_torchs_own_encoder_gives_the_same_logits():
    model = made(ClsClassifier)
    x = model.embedding(TOKENS) + model.positions.table.weight
    x = torch.cat([model.cls.expand(3, 1, 6), x], dim=1)
    hidden = torch.cat([torch.zeros(3, 1, dtype=torch.bool), ~MASK], dim=1)
    expected = model.output_net(torchs_encoder(model)(x, src_key_padding_mask=hidden)[:, 0])
    torch.testing.assert_close(model(TOKENS, MASK), expected)


def test_a_language_model_speaks_with_the_table_that_it_reads_with():
    torch.manual_seed(3)
    model = MaskedLanguageModel(17, 6, 3, 2, 7).double().eval()
    before = model(TOKENS[:2] % 16, MASK[:2])
    with torch.no_grad():
        model.embedding.table[16] *= 2
    after = model(TOKENS[:2] % 16, MASK[:2])
    torch.testing.assert_close(after[..., :16], before[..., :16])
    torch.testing.assert_close(after[..., 16], 2 * before[..., 16])

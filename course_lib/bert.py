"""A published masked language model in the layers of this course: BERT's files, read into our `TransformerEncoder`."""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from course_lib.model.encoder import TransformerEncoder
from course_lib.model.layers import LayerNorm

BLANK, MASK = "_", "[MASK]"


class Bert(nn.Module):
    """BERT with its masked-language-model head: word, position and segment embeddings, our encoder, one tied output.

    Args:
        config: the dict of a `config.json`.

    `forward(tokens, mask=None)`: tokens int64 [B, T]; mask [B, T], 1 at a real token. Returns logits [B, T, V].

    Source: Devlin et al. 2019, "BERT", section 3; the names of the files' weights are those of Hugging Face.
    """

    def __init__(self, config: dict):
        super().__init__()
        width, eps = config["hidden_size"], config.get("layer_norm_eps", 1e-12)
        self.words = nn.Embedding(config["vocab_size"], width)
        self.positions = nn.Embedding(config["max_position_embeddings"], width)
        self.segments = nn.Embedding(config.get("type_vocab_size", 2), width)
        self.norm = LayerNorm(width, eps)
        self.encoder = TransformerEncoder(
            config["num_hidden_layers"],
            input_dim=width,
            num_heads=config["num_attention_heads"],
            dim_feedforward=config["intermediate_size"],
        )
        for block in self.encoder.layers:
            block.linear_net[2] = nn.GELU()  # ours has ReLU
            block.norm1.eps = block.norm2.eps = eps
        self.head = nn.Sequential(nn.Linear(width, width), nn.GELU(), LayerNorm(width, eps))
        self.bias = nn.Parameter(torch.zeros(config["vocab_size"]))

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        places = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.words(tokens) + self.positions(places) + self.segments.weight[0]  # [B, T, D]
        x = self.encoder(self.norm(x), None if mask is None else mask.unsqueeze(1))  # [B, T, D]
        return self.head(x) @ self.words.weight.T + self.bias  # [B, T, V]


@dataclass(frozen=True)
class MaskedLM:
    """A model with its tokenizer, on the CPU and in eval mode; mask_id is the token that hides a word."""

    model: Bert
    tokenizer: object
    mask_id: int

    def ids(self, *words: str) -> list[int]:
        """The id of each word.

        Raises:
            ValueError: the vocabulary has no single piece for a word; the message names it.
        """
        found = [self.tokenizer.token_to_id(word) for word in words]
        if None in found:
            raise ValueError(f"{words[found.index(None)]!r} is not a single piece of this model's vocabulary")
        return found

    def read_blank(self, text: str) -> tuple[torch.Tensor, int]:
        """The tokens [1, T] of a sentence whose blank is written “_”, and the blank's position.

        Raises:
            ValueError: there is not exactly one blank.
        """
        if text.split().count(BLANK) != 1:
            raise ValueError(f"a sentence needs one blank, written {BLANK}; this one has {text.split().count(BLANK)}")
        ids = self.tokenizer.encode(" ".join(MASK if word == BLANK else word for word in text.split())).ids
        return torch.tensor([ids]), ids.index(self.mask_id)


def load_masked_lm(folder: str | Path) -> MaskedLM:
    """Read a BERT for masked words from its published files.

    Args:
        folder: with `config.json`, `model.safetensors`, and `tokenizer.json` or `vocab.txt`.

    Raises:
        FileNotFoundError: a file is missing; the message names it.
        ValueError: it is a model of another kind, or its weights do not fit.
    """
    folder = Path(folder).expanduser()
    for name in ("config.json", "model.safetensors"):
        if not (folder / name).is_file():
            raise FileNotFoundError(f"there is no {name} in {folder}: name the folder of a published BERT")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    kind = config.get("model_type", "bert"), config.get("hidden_act", "gelu")
    if kind != ("bert", "gelu"):
        raise ValueError(f"the model in {folder} is a {kind[0]} with {kind[1]}; only bert with gelu can be read")
    model = Bert(config)
    model.load_state_dict(_renamed(_weights(folder / "model.safetensors"), config))
    tokenizer = _tokenizer(folder)
    return MaskedLM(model.eval(), tokenizer, tokenizer.token_to_id(MASK))


def _weights(path: Path) -> dict[str, torch.Tensor]:
    """The weights under today's names: older files call a norm's weight and bias gamma and beta."""
    from safetensors.torch import load_file

    def today(name: str) -> str:
        return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")

    return {today(name): weight.float() for name, weight in load_file(path).items()}


def _renamed(theirs: dict[str, torch.Tensor], config: dict) -> dict[str, torch.Tensor]:
    """Their weights under our names; queries, keys and values, three layers there, are head by head in one of ours.

    Raises:
        ValueError: one is missing; the message names it.
    """
    pairs = {
        "words.weight": "bert.embeddings.word_embeddings.weight",
        "positions.weight": "bert.embeddings.position_embeddings.weight",
        "segments.weight": "bert.embeddings.token_type_embeddings.weight",
        "bias": "cls.predictions.bias",
    }
    parts = {
        "norm": "bert.embeddings.LayerNorm",
        "head.0": "cls.predictions.transform.dense",
        "head.2": "cls.predictions.transform.LayerNorm",
    }
    for i in range(config["num_hidden_layers"]):
        ours, layer = f"encoder.layers.{i}", f"bert.encoder.layer.{i}"
        parts |= {
            f"{ours}.self_attn.o_proj": f"{layer}.attention.output.dense",
            f"{ours}.norm1": f"{layer}.attention.output.LayerNorm",
            f"{ours}.linear_net.0": f"{layer}.intermediate.dense",
            f"{ours}.linear_net.3": f"{layer}.output.dense",
            f"{ours}.norm2": f"{layer}.output.LayerNorm",
        }
    pairs |= {f"{ours}.{kind}": f"{name}.{kind}" for ours, name in parts.items() for kind in ("weight", "bias")}
    try:
        found = {ours: theirs[name] for ours, name in pairs.items()}
        for i in range(config["num_hidden_layers"]):
            for kind in ("weight", "bias"):
                names = [f"bert.encoder.layer.{i}.attention.self.{part}.{kind}" for part in ("query", "key", "value")]
                three = [theirs[name].unflatten(0, (config["num_attention_heads"], -1)) for name in names]  # [h, d, …]
                found[f"encoder.layers.{i}.self_attn.qkv_proj.{kind}"] = torch.stack(three, dim=1).flatten(0, 2)
    except KeyError as missing:
        raise ValueError(f"the weights have no {missing}: is it a BERT with its head for masked words?") from None
    return found


def _tokenizer(folder: Path):
    """The tokenizer of the folder; without a `tokenizer.json`, BERT's own cuts with the words of `vocab.txt`."""
    from tokenizers import BertWordPieceTokenizer, Tokenizer

    if (folder / "tokenizer.json").is_file():
        return Tokenizer.from_file(str(folder / "tokenizer.json"))
    if (folder / "vocab.txt").is_file():
        settings = folder / "tokenizer_config.json"
        lowercase = json.loads(settings.read_text("utf-8")).get("do_lower_case", True) if settings.is_file() else True
        return BertWordPieceTokenizer(str(folder / "vocab.txt"), lowercase=lowercase)
    raise FileNotFoundError(f"there is neither tokenizer.json nor vocab.txt in {folder}")

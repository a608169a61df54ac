"""The small Llama that page 13 loads: made and saved by transformers, with the logits that transformers computes.

`python -m tests.course_lib.tiny_llama` writes it again.
"""

import torch
from safetensors.torch import save_file

from course_lib.tasks.tiny_llama import EXPECTED, TINY_LLAMA
from course_lib.tasks.torchvision_mend import import_torchvision

SCALED = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, rope_theta=5e5)
CONFIG = dict(
    vocab_size=65,
    hidden_size=32,
    intermediate_size=40,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    tie_word_embeddings=True,
    initializer_range=0.2,  # ten times transformers' own: with that hardly any mistake shows
    rope_parameters=SCALED | dict(original_max_position_embeddings=32),
)


def main() -> None:
    """Make the directory."""
    import_torchvision()  # beside a CPU torch it takes transformers with it otherwise
    import transformers

    torch.manual_seed(7)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**CONFIG)).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.copy_(1 + 0.3 * torch.randn_like(parameter))
        tokens = torch.randint(CONFIG["vocab_size"], (2, 37))
        logits = model(tokens).logits
    model.save_pretrained(TINY_LLAMA)
    save_file({"tokens": tokens, "logits": logits.contiguous()}, EXPECTED)


if __name__ == "__main__":
    main()

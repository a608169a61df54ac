"""From text to tensors and back: byte pairs, vocabulary, batches, decoding, BLEU."""

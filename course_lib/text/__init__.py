"""From text to tensors: byte pairs, vocabulary, batches."""

"""What judge and worker say to each other: frames of bytes, and nothing that is executed."""

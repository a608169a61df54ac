"""Taking solutions out of sources: of one text, and of the whole package for a stage."""

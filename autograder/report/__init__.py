"""The class report of a stage: what the class did not understand, on one page."""

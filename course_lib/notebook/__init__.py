"""What a page shows: pictures, live curves, widgets, progress."""

"""Hand in a bomb in a zip archive, under the name of the notebook."""

KIND = "the file"
DESERVES = 0


def data(notebook):
    """60 MB of zeros in 60 kB."""
    import io
    import zipfile

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../gradebook.db", bytes(60 << 20))
    return packed.getvalue()

"""Print markup and terminal codes, and raise errors whose names and texts are markup."""

KIND = "the instructor's browser"
DESERVES = 20
CELL = """
import sys

owned = "<script>document.title='owned'</script><img src=x onerror=\\"document.title='owned'\\">"
print(owned, "\\x1b[31;1m" + owned + "\\x1b]8;;javascript:document.title='owned'\\x07link\\x1b]8;;\\x07")
print("</pre></div>" + owned)
print("\\x1b[38;2;1;2;3\\"onmouseover=alert(1)m" + owned, file=sys.stderr)
raise type(owned, (Exception,), {"__module__": owned})(owned)
"""

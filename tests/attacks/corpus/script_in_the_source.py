"""Write code whose text would end the page's own markup, with magics that display pages."""

KIND = "the instructor's browser"
DESERVES = 20
CELL = """
text = \"\"\"</code></pre></div><script>document.title='owned'</script><img src=x onerror="document.title='owned'">
${document.title='owned'}\"\"\"
get_ipython().run_cell_magic("html", "", "<script>document.title='owned'</script>")
get_ipython().run_cell_magic("javascript", "", "document.title='owned'")
get_ipython().run_cell_magic("svg", "", "<svg xmlns='http://www.w3.org/2000/svg' onload=\\"document.title='owned'\\"/>")
"""

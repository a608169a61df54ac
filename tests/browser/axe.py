"""axe-core, and what it finds serious on a page.

Nearly all of its time goes into colours: it reads the same few words thousands of times over, and keeps the parts of
each colour in weak maps, which grow slowly. Here a word is read once, and a colour carries its parts itself; all else
is axe's own, and so is what it finds.
"""

from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe

SERIOUS = ("serious", "critical")
PARTS_WITH_THE_COLOUR = """
class Tags {
    key = Symbol();
    has(thing) { return Object.hasOwn(thing, this.key); }
    get(thing) { return thing[this.key]; }
    set(thing, value) { thing[this.key] = value; return this; }
    add(thing) { return this.set(thing, true); }
}
const WeakMap = Tags, WeakSet = Tags;
"""
EACH_WORD_ONCE = """
const colour = axe.commons.color.Color.prototype, parse = colour.parseString, known = new Map();
colour.parseString = function (word) {
    if (!known.has(word)) {
        parse.call(this, word);
        known.set(word, [this.r, this.g, this.b, this.alpha]);
    }
    [this.r, this.g, this.b, this.alpha] = known.get(word);
    return this;
};
"""
AXE = Axe(f"(() => {{ {PARTS_WITH_THE_COLOUR} {AXE_SCRIPT} {EACH_WORD_ONCE} }})()")


def serious(page) -> set[tuple[str, str]]:
    """Each rule that is broken in a serious way, with the element that breaks it."""
    found = [one for one in AXE.run(page).response["violations"] if one["impact"] in SERIOUS]
    return {(one["id"], node["html"][:120]) for one in found for node in one["nodes"]}

"""Checks of the chart of the history."""
import mock
from reading import CONTRAST, count, expect, keys, quiet, text


VALUE = "return document.getElementById('history-chart').getAttribute('aria-valuetext')"


def check_past(page, path):
    page.open(path)
    page.wait_frame()
    expect(text(page, "#history-title") == "Ir over 40 measured commits", f"past: {text(page, '#history-title')}")
    expect("to 71,281,5" in text(page, "#history .hint") and "4 steps" in text(page, "#history .hint"), "past: the scale and the steps in words")
    expect(count(page, ".history-step.up") == 3 and count(page, ".history-step.down") == 1, "past: a triangle for each step")
    shapes = page.js("return [...document.querySelectorAll('.history-step')].map(e => e.getAttribute('d').match(/[\\d.]+/g).map(Number))"
                     ".map(d => d[5] < d[1] ? 'up' : 'down')")
    expect(shapes == ["up", "down", "up", "up"], f"past: triangles point to where the count went: {shapes}")
    expect("regressed" in page.js(VALUE) and "Change 39" in page.js(VALUE), "past: the newest is chosen")
    page.js("const c = document.getElementById('history-chart'); c.scrollIntoView({block: 'center'}); c.focus()")
    page.key(*keys("ARROW_LEFT"))
    expect("Change 38" in page.js(VALUE) and "regressed" not in page.js(VALUE), f"past: left is the one before: {page.js(VALUE)}")
    page.key(*keys("PAGE_DOWN", "PAGE_DOWN"))
    expect("Change 25" in page.js(VALUE) and "improved" in page.js(VALUE), f"past: PageDown goes to steps: {page.js(VALUE)}")
    expect("3 commits not measured" in text(page, "#history-about") and "Change 25" in text(page, "#history-about"), "past: what is known of it")
    page.key(*keys("HOME"))
    expect("Change 0:" in page.js(VALUE) and "\u0394" not in text(page, "#history-about"), "past: Home is the first")
    page.key(*keys("ARROW_LEFT", "ARROW_LEFT", "ARROW_RIGHT"))
    expect("Change 1:" in page.js(VALUE), "past: there is nothing before the first")
    point(page, 1.0)
    expect("Change 39" in page.js(VALUE), "past: the pointer chooses")
    point(page, 0.5)
    expect("Change 20:" in page.js(VALUE), f"past: the pointer chooses in the middle: {page.js(VALUE)}")
    page.js("document.querySelector('.history-table').open = true")
    page.wait_frame()
    expect(count(page, ".history-table tbody tr") == 40, "past: the table has all")
    expect(text(page, ".history-table tbody tr").startswith(mock.past().data()["benches"][0]["history"]["commit"][-1][:10]), "past: newest first")
    for dark in (False, True):
        page.dark(dark)
        page.wait_frame()
        expect(page.js(CONTRAST) == [], f"past: too little contrast: {page.js(CONTRAST)}")
    page.dark(False)
    quiet(page, "past")


def point(page, x):
    page.js("const c = document.getElementById('history-chart'), b = c.getBoundingClientRect();"
            "c.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: b.left + 12 + arguments[0] * (b.width - 24), clientY: b.top + 50}))", x)
    page.wait_frame()


def check_constant(page, path):
    page.open(path)
    page.wait_frame()
    page.js("document.querySelector('.history-table').open = true")
    page.wait_frame()
    expect("Always 71,281,500" in text(page, "#history .hint") and count(page, ".history-step") == 0, "constant: said so")
    levels = set(page.js("return [...document.querySelectorAll('.history-dot')].map(e => e.getAttribute('cy'))"))
    expect(len(levels) == 1, f"constant: a flat line, not {levels}")
    shown = text(page, "#history")
    expect("</script><img src=x onerror=alert(1)> \\u202eevil\\u202c \\x1b[31mred" in shown, f"constant: hostile subjects: {shown}")
    expect(not any(c in page.js(VALUE) for c in "\u202e\u202c\x1b"), "constant: nothing invisible is said")
    quiet(page, "constant")


def check_short_past(page, path):
    page.open(path)
    page.wait_frame()
    expect(count(page, "#history") == 0 and count(page, "#flame") == 1, "short past: no chart of two commits")
    quiet(page, "short past")


def check_long_past(page, path):
    page.size(360)
    page.open(path)
    page.wait_frame()
    expect(count(page, ".history-step") == 5 and count(page, ".history-dot") == 0, "long past: steps stay, dots go")
    expect("1,200 older commits" in text(page, "#history .hint"), "long past: what is left out is said")
    quiet(page, "long past")

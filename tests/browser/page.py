#!/usr/bin/env python3
"""Usage: page.py [PAGE.html...]

Drives the page of the HTML report in Chromium. Pages that are named get the checks that hold for
every report; without names, pages of made-up data (mock.py) get those and many more.
"""
import concurrent.futures
import contextlib
import pathlib
import re
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import browser  # noqa: E402
import mock  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[2]
# What a page of 50,000 frames may take of the processor, in ms, and its size; HASTE allows for other ones.
HASTE = 5
FIRST_PAINT, ZOOM, SIZE = 1000, 100, 5_000_000


class Failures(list):
    def expect(self, condition, words):
        if not condition:
            self.append(words)
            print("FAIL: " + words)
        return condition

    @contextlib.contextmanager
    def during(self, what):
        """What goes wrong inside is a failure of `what`, and the others go on."""
        try:
            yield
        except Exception as error:  # whatever the driver raises
            self.expect(False, f"{what}: {type(error).__name__}: {error}")


failures = Failures()
expect = failures.expect


# ---- reading the page ----

def text(page, selector):
    return page.js("return document.querySelector(arguments[0])?.textContent ?? null", selector)


def count(page, selector):
    return page.js("return document.querySelectorAll(arguments[0]).length", selector)


def click(page, selector):
    page.js("document.querySelector(arguments[0]).click()", selector)
    page.wait_frame()


def type_into(page, selector, words):
    page.js("const e = document.querySelector(arguments[0]); e.value = arguments[1];"
            "e.dispatchEvent(new Event('input', {bubbles: true}))", selector, words)
    page.wait_frame()


def choose(page, selector, index):
    page.js("const e = document.querySelector(arguments[0]); e.selectedIndex = arguments[1];"
            "e.dispatchEvent(new Event('change', {bubbles: true}))", selector, index)
    page.wait_frame()


def fragment(page):
    return page.js("return Object.fromEntries(new URLSearchParams(location.hash.slice(1)))")


def focus_flame(page):
    page.js("const f = document.getElementById('flame'); f.scrollIntoView({block: 'center'}); f.focus({focusVisible: true})")
    page.wait_frame()


def focused(page):
    return page.js("const f = document.getElementById('flame-focus'); return f.hidden ? null : f.getAttribute('aria-label')")


def click_flame(page, x, row):
    """A click of the mouse on a row of the flame graph, `x` of its width from the left."""
    page.js("document.getElementById('flame').scrollIntoView({block: 'center'})")
    spot = page.js("const b = document.querySelector('.flame-space').getBoundingClientRect();"
                   "const rows = Number(document.getElementById('flame').dataset.row);"
                   "return [b.left + arguments[0] * b.width, b.top + (arguments[1] + 0.5) * rows]", x, row)
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        page.cdp("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="none" if kind == "mouseMoved" else "left", clickCount=1)
    page.wait_frame()


def pixels(page):
    """The colours of the flame graph, as a text that differs when it does."""
    return page.js("return document.querySelector('.flame-canvas').toDataURL()")


def rows(page, column=0):
    return page.js("return [...document.querySelectorAll('.flat tbody tr[data-at]')].map(tr => tr.children[arguments[0]].textContent)", column)


# ---- what holds for every report ----

def quiet(page, name):
    for complaint in page.complaints():
        expect(False, f"{name}: the console says: {complaint}")
    for url in page.requests():
        expect(False, f"{name}: it asked for {url}")


def fits(page, name, width):
    page.size(width)
    page.wait_frame()
    wide = page.js("return document.documentElement.scrollWidth")
    expect(wide <= width, f"{name}: at {width} px the page is {wide} px wide")


def check_any(page, path, name):
    """No complaint, no request, no markup from data, and it fits on every screen."""
    page.size(1440)
    page.open(path)
    page.wait_frame()
    expect(count(page, "h1") == 1, f"{name}: one heading")
    expect(count(page, "[role=alert]") == 0, f"{name}: {text(page, '[role=alert]')}")
    expect(count(page, "main img, main script, main iframe, [onerror], main [style*='url']") == 0, f"{name}: markup from data")
    expect("undefined" not in text(page, "main") and "NaN" not in text(page, "main"), f"{name}: undefined or NaN in it")
    expect(page.js("return [...document.querySelectorAll('button, input, select, [tabindex=\"0\"]')].every(e =>"
                   "e.textContent.trim() || e.labels?.length || e.getAttribute('aria-label'))"), f"{name}: something without a name")
    for width in (800, 360, 1440):
        fits(page, name, width)
    if count(page, "#flame"):
        check_any_flame(page, name)
    if count(page, "#filter"):
        type_into(page, "#filter", "(")
        expect("Invalid regular expression" in text(page, "#filtered"), f"{name}: a wrong filter is said to be wrong")
        type_into(page, "#filter", "")
    quiet(page, name)


def check_any_flame(page, name):
    focus_flame(page)
    expect(focused(page) is not None, f"{name}: the focus of the flame graph is on a frame")
    page.key(*keys("ARROW_DOWN", "ENTER"))
    expect(text(page, "#live"), f"{name}: the focus is said")
    page.key(*keys("ESCAPE"))
    expect("z" not in fragment(page), f"{name}: Esc zooms out")
    type_into(page, "#search", "[")
    expect("Invalid regular expression" in text(page, "#found"), f"{name}: a wrong pattern is said to be wrong")
    type_into(page, "#search", ".")
    expect("function" in text(page, "#found"), f"{name}: matches are counted")
    type_into(page, "#search", "")


def keys(*names):
    from selenium.webdriver.common.keys import Keys
    return [getattr(Keys, key) for key in names]


# ---- made-up data ----

def check_first_screen(page):
    """Verdict, tiles, causes and flame graph are on it, without scrolling."""
    for width, height in ((1440, 900), (1024, 768)):
        page.size(width, height)
        page.wait_frame()
        bottoms = page.js("return ['.hero', '.tiles', '#causes .cause', '#flame'].map(s => { const b = document.querySelector(s).getBoundingClientRect();"
                          "return [s, Math.round(b.top), Math.round(b.bottom)]; })")
        expect(all(top >= 0 for _, top, _ in bottoms), f"demo: nothing is scrolled: {bottoms}")
        expect(all(bottom <= height for _, _, bottom in bottoms), f"demo: at {width} \u00d7 {height} the answer is on the first screen: {bottoms}")
    page.size(1440)
    page.wait_frame()
    tiles = page.js("return [...document.querySelectorAll('.tile-name')].map(e => e.textContent)")
    expect(tiles == ["Instructions (Ir)", "Estimated cycles", "L1 misses", "LL misses"], f"demo: tiles {tiles}")
    expect(text(page, "main").count("limit exceeded") == 1, "demo: the verdict is said once")
    expect(not page.js("return document.getElementById('about').open"), "demo: what is rarely wanted is closed")
    click(page, ".tile:nth-child(3)")
    # I1mr + D1mr + D1mw, by hand from the events of the made-up benchmark.
    sums = page.js("return [...document.querySelectorAll('.counts tr')].filter(r => /^(I1mr|D1mr|D1mw)/.test(r.textContent))"
                   ".reduce((sum, r) => sum + Number(r.children[1].textContent.replaceAll(',', '')), 0)")
    expect(fragment(page)["m"] == "L1 misses" and text(page, ".hero-counts").startswith(f"{sums:,} "), f"demo: a tile shows its metric: {text(page, '.hero-counts')}, not {sums}")
    click(page, ".tile:nth-child(1)")


def check_zoom(page):
    click_flame(page, 0.5, 2)
    expect("z" not in fragment(page) and focused(page) == "parse_record", f"demo: a click chooses a frame: {fragment(page)}")
    click_flame(page, 0.5, 2)
    expect(fragment(page).get("z") == "4", f"demo: a second click zooms to parse_record, not {fragment(page)}")
    expect("parse_record" in text(page, ".crumbs"), "demo: the way to the zoomed frame is named")
    page.js("document.querySelectorAll('.crumb')[2].click()")
    page.wait_frame()
    expect(fragment(page).get("z") == "3", "demo: the way back is clickable")
    page.driver.back()
    page.wait_frame()
    expect(fragment(page).get("z") == "4" and "parse_record" in text(page, ".crumb.here"), "demo: back goes to the zoom before")
    click(page, "#zoom-out")
    expect("z" not in fragment(page), "demo: zooms out")


def check_keys(page):
    focus_flame(page)
    page.key(*keys("HOME"))
    seen = []
    for key in ("ARROW_DOWN", "ARROW_DOWN", "ARROW_DOWN", "ARROW_RIGHT", "ARROW_LEFT", "ARROW_UP"):
        page.key(*keys(key))
        seen.append(focused(page))
    expect(seen == ["parse_document", "parse_record", "get_field", "skip_field", "get_field", "parse_record"], f"demo: arrow keys went {seen}")
    expect("parse_record, regressed" in text(page, "#live"), f"demo: the live region says {text(page, '#live')}")
    expect(not page.js("return document.getElementById('tip').hidden"), "demo: the focused frame is described")
    page.key(*keys("ENTER"))
    expect(fragment(page).get("z") == "4", "demo: Enter zooms")
    page.key("/")
    expect(page.js("return document.activeElement.id") == "search", "demo: / goes to the search")
    page.key("field")
    expect(text(page, "#found").startswith("2 functions in 3 frames: 33.2% of base, 72.2% of head"), f"demo: found {text(page, '#found')}")
    page.key(*keys("ENTER"))
    expect(focused(page) == "get_field", f"demo: Enter in the search goes to the largest match, not {focused(page)}")
    page.key("/")
    page.key(*keys("ESCAPE", "ESCAPE"))
    expect("q" not in fragment(page) and "z" not in fragment(page), "demo: Esc ends the search, then zooms out")
    page.key(*keys("ESCAPE"))
    expect("f" not in fragment(page) and text(page, "#found") == "", "demo: Esc then closes the panel of a function")


def check_upright(page):
    before = pixels(page)
    click(page, "#upright")
    expect(pixels(page) != before, "demo: the root is at the bottom")
    focus_flame(page)
    page.key(*keys("HOME", "ARROW_UP"))
    expect(focused(page) == "parse_document", f"demo: up goes to callees then, not to {focused(page)}")
    click(page, "#upright")
    page.key(*keys("ESCAPE"))


def check_tabs(page):
    click_flame(page, 0.5, 2)
    click_flame(page, 0.5, 2)
    click(page, "#tab-base")
    expect(fragment(page)["t"] == "base" and "parse_record" in text(page, ".crumb.here"), "demo: another tab shows the same path")
    expect("parser" in text(page, ".legend"), "demo: one side is coloured by object")
    click(page, "#tab-head")
    expect("Inlined" in text(page, ".legend") and "Estimated" in text(page, ".legend"), "demo: inlined and estimated are explained")
    click(page, "#tab-diff")
    legend = text(page, ".legend")
    expect(all(word in legend for word in ("Regressed", "Improved", "New", "Removed")), f"demo: legend {legend}")
    expect(page.js("return document.querySelector('[role=tab][aria-selected=true]').textContent") == "Diff", "demo: the tab is marked")
    click(page, "#zoom-out")


def check_metric(page):
    before = text(page, ".hero-counts"), rows(page, 1)[0]
    choose(page, "#metric", 1)
    after = text(page, ".hero-counts"), rows(page, 1)[0]
    expect(fragment(page)["m"] == "Dr" and before[0] != after[0] and before[1] != after[1], "demo: the metric changes counts and table")
    expect("The verdict is on Ir." in text(page, ".hero"), "demo: it is said what was judged")
    choose(page, "#metric", 12)
    # 51,781,460 = L1 hits + 5 LL hits + 35 RAM hits of base.
    expect("51,781,460" in text(page, ".hero-counts"), "demo: estimated cycles are weighed sums")
    choose(page, "#metric", 0)


def check_table(page):
    expect(rows(page)[0].startswith("skip_field"), f"demo: the largest change is first, not {rows(page)[0]}")
    click(page, ".flat th:nth-child(1) button")
    names = rows(page)
    expect(names == sorted(names), "demo: sorted by name")
    expect(page.js("return document.querySelector('.flat th[aria-sort]').textContent").startswith("Function"), "demo: the order is marked")
    for column in range(2, 12):
        click(page, f".flat th:nth-child({column}) button")
        expect(page.js("return document.querySelector('.flat th:nth-child(' + arguments[0] + ')').getAttribute('aria-sort')", column) is not None, f"demo: column {column} sorts")
    type_into(page, "#filter", "^m(alloc|ain)$")
    expect(len(rows(page)) == 2 and text(page, "#filtered") == "2 of 18 functions", f"demo: filtered to {rows(page)}")
    type_into(page, "#filter", "nothing has this name")
    expect("No function matches" in text(page, ".flat"), "demo: an empty table says so")
    type_into(page, "#filter", "")
    page.js("document.getElementById('flat').focus()")
    page.key(*keys("END", "ARROW_UP", "ARROW_DOWN"))
    expect(page.js("return document.querySelector('.flat [aria-selected=true]')?.dataset.at") == "17", "demo: keys move in the table")
    expect(page.js("return [...document.querySelectorAll('.tag')].map(e => e.textContent).includes('moved')"), "demo: it is said how functions were matched")
    page.key(*keys("HOME", "ENTER"))
    expect(page.js("return document.activeElement.id") == "function-title", "demo: Enter opens the panel of the function")
    click(page, "#function-close")


def check_causes(page):
    page.js("[...document.querySelectorAll('#causes .cause')].find(e => e.textContent === 'parse_record \u2192 old_scan').click()")
    page.wait_frame()
    expect(focused(page) == "old_scan" and "z" not in fragment(page), f"demo: a cause leads to its frame, not to {focused(page)}")
    expect("1 function in 1 frame" in text(page, "#found"), "demo: its frames are marked")
    expect(page.js("return document.activeElement.id") == "function-title" and text(page, "#function-title") == "old_scan", "demo: its panel has the focus")
    expect(page.js("return document.getElementById('causes').hidden"), "demo: the panel is in the place of the causes")
    page.key(*keys("ESCAPE"))
    expect(page.js("return document.getElementById('function').hidden && document.activeElement.id") == "causes-title", "demo: Esc closes the panel")
    page.driver.back()
    page.wait_frame()
    expect(not page.js("return document.getElementById('function').hidden"), "demo: back opens it again")
    click(page, "#function-close")
    notes = page.js("return [...document.querySelectorAll('#causes .cause-note')].map(e => e.textContent)")
    expect(notes == ["was strip, called by parse_record in base"], f"demo: a cause says how its path was matched: {notes}")


EDGES = """return [...document.querySelectorAll('#function table[aria-label=' + arguments[0] + '] tbody tr')]
	.map(tr => [...tr.children].map(td => td.textContent))"""


def check_panel(page, path):
    """Callers and callees are merged over paths; the sums are made by hand from the shape in mock.py."""
    page.open(path)
    page.wait_frame()
    page.key("/")
    page.key("^f$")
    page.key(*keys("ENTER", "SPACE"))
    type_into(page, "#search", "")
    expect(text(page, "#function-title") == "f", f"paths: Space opens the panel of {text(page, '#function-title')}")
    costs = page.js("return [...document.querySelectorAll('.function-costs tbody tr')].map(tr => [...tr.children].map(td => td.textContent))")
    expect(costs == [["Inclusive", "23,500", "42,500", "+19,000", "+80.9%"], ["Self", "17,000", "27,000", "+10,000", "+58.8%"],
                     ["Calls", "4", "6", "+2", "+50.0%"]], f"paths: costs of f: {costs}")
    callers = page.js(EDGES, "Callers")
    expect(callers == [["a", "19,000", "29,000", "+10,000", "2 \u2192 4"], ["b", "4,500", "13,500", "+9,000", "1"], ["f", "4,000", "4,000", "0", "1"]],
           f"paths: callers of f: {callers}")
    callees = page.js(EDGES, "Callees")
    expect(callees == [["g", "6,500", "15,500", "+9,000", "15 \u2192 42"], ["f", "4,000", "4,000", "0", "1"]], f"paths: callees of f: {callees}")
    expect("1 function in 3 frames" in text(page, "#found"), f"paths: its frames are marked: {text(page, '#found')}")
    page.js("document.querySelector('#function table[aria-label=Callers] .link').click()")
    page.wait_frame()
    expect(text(page, "#function-title") == "a", "paths: a caller opens its own panel")
    page.js("document.querySelector('.function-actions button').click()")
    page.wait_frame()
    expect("z" in fragment(page) and text(page, ".crumb.here") == "a", "paths: the panel zooms to the largest frame")
    page.js("document.querySelector('#tab-head').click()")
    page.wait_frame()
    expect(text(page, ".function-costs td") == "31,000", f"paths: the panel shows the profile of the graph: {text(page, '.function-costs')}")
    quiet(page, "paths")


def check_inverted(page):
    before = pixels(page)
    focus_flame(page)
    page.key("i")
    expect(fragment(page).get("i") == "1" and pixels(page) != before, "demo: i inverts the graph")
    page.key(*keys("HOME"))
    root = focused(page)
    expect(root != "main", f"demo: a root is a function with self cost, not {root}")
    page.key(*keys("ARROW_DOWN"))
    caller = focused(page)
    page.key(*keys("SPACE"))
    expect(root in [row[0] for row in page.js(EDGES, "Callees")], f"demo: {caller} below {root} calls it")
    click(page, "#function-close")
    click(page, "#inverted")
    expect("i" not in fragment(page) and pixels(page) == before, "demo: and back")
    orders = {}
    focus_flame(page)
    for _ in range(3):
        page.key("o")
        orders[page.js("return document.getElementById('order').value")] = pixels(page)
    expect(sorted(orders) == ["change", "name", "size"] and orders["size"] == before and orders["name"] != before, f"demo: o changes the order: {sorted(orders)}")


ROWS = "return Math.round(document.querySelector('.flame-space').getBoundingClientRect().height / Number(document.getElementById('flame').dataset.row))"


def check_folding(page, path):
    page.open(path)
    page.wait_frame()
    # main and its chain in a row, then work, a, f, f, g.
    expect(page.js(ROWS) == 6, f"paths: the chain has one row: {page.js(ROWS)}")
    focus_flame(page)
    page.key(*keys("HOME"))
    expect(focused(page) == "main \u2026 step_13 (14 frames)", f"paths: a chain is named by its ends: {focused(page)}")
    page.key(*keys("ARROW_DOWN"))
    expect(focused(page) == "work", f"paths: below the chain is what it calls: {focused(page)}")
    page.key(*keys("ARROW_UP", "ENTER"))
    expect(focused(page) == "main" and page.js(ROWS) == 19, f"paths: Enter unfolds it: {focused(page)}, {page.js(ROWS)} rows")
    page.key("f")
    expect(page.js(ROWS) == 19, "paths: f ends folding")
    page.key("f")
    expect(page.js(ROWS) == 6, "paths: and folds all again")
    type_into(page, "#search", "step_7")
    page.js("document.getElementById('search').focus()")
    page.key(*keys("ENTER"))
    expect(focused(page) == "step_7" and page.js(ROWS) == 19, "paths: a chain unfolds where one of its frames is asked for")
    quiet(page, "paths")


def check_inverted_sums(page, path):
    """Inverted, g costs 6,500 to 15,500 in all; 9,500 of head by b alone."""
    page.open(path, "#i=1")
    page.wait_frame()
    focus_flame(page)
    page.key("/")
    page.key("^g$")
    page.key(*keys("ENTER"))
    expect("6,500 to 15,500 Ir" in text(page, "#live"), f"paths: g, inverted: {text(page, '#live')}")
    page.key(*keys("ARROW_DOWN"))
    expect("6,500 to 15,500 Ir" in text(page, "#live") and focused(page) == "f", f"paths: all of it by f: {text(page, '#live')}")
    page.key(*keys("ARROW_DOWN"))
    expect(focused(page).startswith("b \u2026 "), f"paths: most by b, and on to main: {focused(page)}")
    page.key(*keys("ENTER"))
    page.key(*keys("ARROW_UP", "ARROW_DOWN"))
    expect(focused(page) == "b" and "500 to 9,500 Ir" in text(page, "#live"), f"paths: b unfolds: {text(page, '#live')}")
    quiet(page, "paths")


def check_colours(page):
    page.dark(True)
    page.wait_frame()
    dark = page.js("return getComputedStyle(document.body).backgroundColor"), pixels(page)
    page.dark(False)
    page.wait_frame()
    light = page.js("return getComputedStyle(document.body).backgroundColor"), pixels(page)
    expect(dark[0] != light[0] and dark[1] != light[1], "demo: dark where the system is")
    click(page, "#theme")
    click(page, "#theme")
    expect(page.js("return getComputedStyle(document.body).backgroundColor") == dark[0] and pixels(page) == dark[1], "demo: dark where it was chosen")
    expect(page.js(CONTRAST) == [], f"demo: too little contrast in the dark: {page.js(CONTRAST)}")
    click(page, "#theme")
    expect(page.js(CONTRAST) == [], f"demo: too little contrast: {page.js(CONTRAST)}")


# Texts that have less contrast with what is behind them than WCAG AA wants.
CONTRAST = """
const luminance = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
	return [...canvas.getImageData(0, 0, 1, 1).data]; };
const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c; }
	return rgb(getComputedStyle(document.documentElement).colorScheme === "dark" ? "#14171b" : "#fff"); };
const bad = new Set();
for (const e of document.querySelectorAll("body *")) {
	if (!e.offsetParent || e.disabled || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
	const a = luminance(rgb(getComputedStyle(e).color).slice(0, 3)), b = luminance(behind(e).slice(0, 3));
	const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
	if (ratio < 4.5) bad.add(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
}
return [...bad];
"""


def check_sources(page):
    expect(count(page, ".source-side") == 2, "demo: the source of the first cause is open, on both sides")
    expect("+1,300,000" not in text(page, ".source-sides") and "+780,000" in text(page, ".source-sides"), "demo: lines have their difference")
    page.js("document.querySelectorAll('.source-block')[1].open = true")
    time.sleep(0.1)
    page.wait_frame()
    expect(count(page, ".source-side") == 4, "demo: another opens")


def check_demo(page, path):
    page.open(path)
    page.wait_frame()
    expect("limit exceeded" in text(page, ".pill"), "demo: the verdict")
    expect("Warning: 2 threads: counts may differ by chance. Run irdiff verify" in text(page, ".remarks"), "demo: what bears on the verdict")
    expect(text(page, ".hero-counts").startswith("34,670,000 \u2192 71,281,500 Ir"), f"demo: {text(page, '.hero-counts')}")
    for check in (check_first_screen, check_zoom, check_keys, check_upright, check_tabs, check_metric, check_table, check_causes, check_inverted, check_colours, check_sources):
        with failures.during(check.__name__):
            check(page)
    quiet(page, "demo")


def check_phone(page, path):
    page.open(path)
    page.cdp("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=2, mobile=True)
    page.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
    page.wait_frame()
    tap(page, 0.5, 2)
    expect(focused(page) == "parse_record" and "z" not in fragment(page), "phone: the first tap shows a frame")
    box = page.js("const b = document.getElementById('tip').getBoundingClientRect(); return [b.left, b.right, b.bottom]")
    expect(box == [0, 360, 740], f"phone: what is known of a frame stands below, not at {box}")
    tap(page, 0.5, 2)
    expect(fragment(page).get("z") == "4", "phone: the second tap zooms")
    page.cdp("Emulation.setTouchEmulationEnabled", enabled=False)
    quiet(page, "phone")


def tap(page, x, row):
    page.js("const b = document.querySelector('.flame-space').getBoundingClientRect();"
            "const at = {clientX: b.left + arguments[0] * b.width, clientY: b.top + (arguments[1] + 0.5) * Number(document.getElementById('flame').dataset.row)};"
            "document.getElementById('flame').dispatchEvent(new PointerEvent('click', {bubbles: true, pointerType: 'touch', ...at}))", x, row)
    page.wait_frame()


def check_hostile(page, path):
    page.open(path)
    page.wait_frame()
    shown = text(page, "main")
    expect("</script><img src=x onerror=alert(1)>" in shown, "hostile: markup is shown as text")
    expect("\\u202eevil\\u202c rtl" in shown and "\\x1b[31mred\\x07" in shown, "hostile: what is not seen is escaped")
    expect(not any(c in shown for c in "\u202e\u202c\x1b\x07\u200b"), "hostile: nothing invisible")
    expect(page.js("return [...document.querySelectorAll('main *')].flatMap(e => [...e.attributes]).every(a => !/[\\u202a-\\u202e\\u200b\\x1b\\x07]/.test(a.value))"), "hostile: nothing invisible in titles either")
    expect(page.js("return document.title") == "</title><script>alert(2)</script>", "hostile: the title")
    page.js("document.getElementById('flame').scrollIntoView()")
    click_flame(page, 0.5, 0)
    tip = text(page, "#tip")
    expect("</script><img src=x onerror=alert(1)>" in tip, "hostile: the description")
    choose(page, "#metric", 1)
    expect(fragment(page)["m"] == "</script><img src=x onerror=alert(1)>", "hostile: the name of a metric")
    for path_of in ("#z=999999999&t=nothing&m=constructor&b=7&q=%5B", "#z=-1&b=__proto__", "#%00%ff"):
        page.open(path, path_of)
        page.wait_frame()
        expect(count(page, "h1") == 1, f"hostile: the address {path_of}")
    quiet(page, "hostile")


def check_suite(page, path):
    page.open(path)
    page.wait_frame()
    expect(count(page, ".benches tbody tr") == 20, "suite: twenty rows")
    expect(count(page, "#failed li") == 2 and "could not be measured at main (1a2b3c4d5e)" in text(page, "#failed"), "suite: what could not be measured")
    mean = text(page, "#mean")
    expect(mean == "\u00d7 " + expected_mean(), f"suite: the geometric mean is {mean}, not {expected_mean()}")
    click(page, ".benches th:nth-child(1) button")
    names = page.js("return [...document.querySelectorAll('.benches .who .name')].map(e => e.title)")
    expect(names == sorted(names), "suite: sorted by name")
    click(page, ".benches tbody tr:nth-child(3) .link")
    expect(text(page, "h1") == names[2].replace("<std::vector<acme::Record, acme::Allocator<acme::Record>>>", "<\u2026>") and "b" in fragment(page), f"suite: opens {names[2]}")
    page.driver.back()
    page.wait_frame()
    expect(text(page, "h1") == "all benchmarks", "suite: back to all")
    choose(page, "#metric", 12)
    expect("EstCycles" in text(page, ".hero"), "suite: another metric")
    quiet(page, "suite")


def expected_mean():
    product, n = 1, 0
    for bench in mock.suite().data()["benches"]:
        product *= bench["metrics"][0]["head"] / bench["metrics"][0]["base"]
        n += 1
    return f"{product ** (1 / n):.4f}"


def check_empty(page, path, name):
    page.open(path)
    page.wait_frame()
    shown = text(page, "main")
    expect("No function changed." in shown and "No flame graph" in shown, f"{name}: says that there is nothing")
    quiet(page, name)


def check_single(page, path):
    page.open(path)
    page.wait_frame()
    expect(count(page, ".pill") == 0 and count(page, "#causes") == 0 and page.js("return document.querySelector('.tabs').hidden"), "single: nothing is compared")
    expect(rows(page, 2)[0].endswith("%"), "single: shares of the whole")
    quiet(page, "single")


def check_deep(page, path):
    page.open(path)
    page.wait_frame()
    focus_flame(page)
    page.key(*keys(*["ARROW_DOWN"] * 60))
    top = page.js("return document.getElementById('flame').scrollTop")
    expect(top > 500 and focused(page).startswith("descend_"), f"deep: the focus stays in sight ({top})")
    expect("rounded" in text(page, "#notes"), "deep: rounding is said")
    quiet(page, "deep")


def check_long(page, path):
    page.open(path)
    page.wait_frame()
    causes = page.js("return [...document.querySelectorAll('#causes .cause')].map(e => [...e.querySelectorAll('.name')].map(n => [n.textContent, n.title]))")
    expect(any("operator()" in name and len(name) < len(title) for names in causes for name, title in names), f"long: short names, whole in titles: {causes}")
    expect(all(len(name) <= 120 for names in causes for name, _ in names), f"long: no cause takes the screen: {causes}")
    quiet(page, "long")


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


def check_long_past(page, path):
    page.size(360)
    page.open(path)
    page.wait_frame()
    expect(count(page, ".history-step") == 5 and count(page, ".history-dot") == 0, "long past: steps stay, dots go")
    expect("1,200 older commits" in text(page, "#history .hint"), "long past: what is left out is said")
    quiet(page, "long past")


def check_print(page, path):
    page.open(path)
    page.dark(True)
    page.wait_frame()
    page.js("dispatchEvent(new Event('beforeprint'))")
    page.cdp("Emulation.setEmulatedMedia", media="print")
    page.wait_frame()
    expect(page.js("return getComputedStyle(document.querySelector('.bar')).display") == "none", "print: no buttons")
    pdf = page.cdp("Page.printToPDF", printBackground=True)
    expect(len(pdf["data"]) > 20000, "print: something is printed")
    page.js("dispatchEvent(new Event('afterprint'))")
    page.cdp("Emulation.setEmulatedMedia", media="")
    page.dark(False)


ZOOM_AT = """
const [x, row, done] = arguments;
(async () => {
const flame = document.getElementById("flame"), canvas = document.querySelector(".flame-canvas");
const box = document.querySelector(".flame-space").getBoundingClientRect();
const at = { bubbles: true, clientX: box.left + x * box.width, clientY: box.top + (row + 0.5) * Number(flame.dataset.row) };
flame.dispatchEvent(new PointerEvent("click", at));
flame.dispatchEvent(new PointerEvent("click", at));
await new Promise(requestAnimationFrame);
canvas.toDataURL("image/jpeg", 0.1); /* it is drawn then, not only ordered */
done();
})();
"""


def took(page, action, *arguments):
    """How many ms of the processor the page needs for what is done to it."""
    begin = page.busy()
    action(*arguments)
    page.wait_frame()
    end = page.busy()
    return 1000 * (end - begin if end > begin else end)  # a page may get a process of its own, which begins at 0


def check_big(page, path):
    size = pathlib.Path(path).stat().st_size
    page.size(1440)
    page.driver.get("about:blank")
    opened = took(page, page.driver.get, pathlib.Path(path).resolve().as_uri())
    zoom = max(took(page, page.driver.execute_async_script, ZOOM_AT, x, row)
               for x, row in ((0.3, 3), (0.5, 5), (0.4, 6), (0.5, 0), (0.7, 6), (0.5, 2), (0.5, 0)))
    search = took(page, type_into, page, "#search", "scan.*[0-9]$|emit")
    print(f"50,000 frames: {size:,} bytes; of the processor: {opened:.0f} ms to appear, at most {zoom:.0f} ms to zoom, {search:.0f} ms to search")
    expect(size <= SIZE, f"big: {size} bytes")
    expect(0 < opened <= HASTE * FIRST_PAINT, f"big: {opened:.0f} ms are much too slow to appear")
    expect(0 < zoom <= HASTE * ZOOM, f"big: {zoom:.0f} ms are much too slow to zoom")
    type_into(page, "#search", "")
    page.js("document.getElementById('flat').scrollTop = 1e6")
    page.wait_frame()
    expect(len(rows(page)) < 100, "big: only rows in sight are elements")
    quiet(page, "big")


# ---- all of it ----

def write_mocks(directory):
    paths = {}
    for name, shape in mock.SHAPES.items():
        paths[name] = pathlib.Path(directory) / f"{name}.html"
        paths[name].write_text(mock.fill(SOURCE, shape().data()), errors="replace")
    return paths


def check_all(page, paths):
    """What holds for every report."""
    for name, path in paths.items():
        with failures.during(name):
            check_any(page, path, name)


def check_each(page, paths):
    """What holds for one of them."""
    for check, name in ((check_demo, "demo"), (check_hostile, "hostile"), (check_suite, "suite"), (check_single, "single"),
                        (check_deep, "deep"), (check_panel, "paths"), (check_folding, "paths"), (check_inverted_sums, "paths"), (check_long, "long"), (check_past, "past"), (check_constant, "constant"), (check_long_past, "long_past"), (check_big, "big"), (check_print, "demo"), (check_phone, "demo")):
        with failures.during(check.__name__):
            page.size(1440)
            check(page, paths[name])
    with failures.during("demo"):
        page.open(paths["demo"])
        page.wait_frame()
        expect(count(page, "#history") == 0, "demo: without a history there is no chart")
    with failures.during("none"):
        check_empty(page, paths["none"], "none")


def check_mocks():
    """In two browsers, as half of the time each waits for the next frame."""
    with browser.start() as one, browser.start() as other, tempfile.TemporaryDirectory() as directory:
        paths = write_mocks(directory)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for half in [pool.submit(check_all, one, paths), pool.submit(check_each, other, paths)]:
                half.result()


def main():
    browser.require()
    if sys.argv[1:]:
        with browser.start() as page:
            check_all(page, {path: path for path in sys.argv[1:]})
    else:
        check_mocks()
    if failures:
        sys.exit(1)
    print("the page does what it should")


if __name__ == "__main__":
    main()

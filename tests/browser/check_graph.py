"""The first screen, the panel of a function, and what the flame graph folds, inverts and orders."""
from reading import click, expect, focus_flame, focused, fragment, keys, pixels, quiet, text, type_into


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

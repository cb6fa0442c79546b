"""Checks of functions that share a name, what is too small to be shown, metrics without a cost, and sides that are missing."""
from reading import click, count, expect, focus_flame, focused, fragment, keys, pixels, quiet, text, type_into

COSTS = "return [...document.querySelectorAll('.function-costs tbody tr')].map(tr => [...tr.children].map(td => td.textContent))"
NAMES = "return [...document.querySelectorAll('#function table[aria-label=' + arguments[0] + '] tbody td.who')].map(td => td.textContent)"
LEGEND = "return [...document.querySelectorAll('.legend .key')].map(e => e.textContent)"


def check_twins(page, path):
    page.open(path, "#f=9&i=1")
    page.wait_frame()
    expect(page.js(NAMES, "Callers") == ["a_start"], f"twins: inverted, callers are those of this function only: {page.js(NAMES, 'Callers')}")
    page.open(path, "#f=10")
    page.wait_frame()
    expect(["Self", "430,000", "480,000", "+50,000", "+11.6%"] in page.js(COSTS), f"twins: a panel has the costs of the table: {page.js(COSTS)}")
    expect("shows 93.8% of the self cost" in text(page, "#function"), f"twins: and says what the graph leaves out: {text(page, '#function')}")
    click(page, "#function-source")
    expect(page.js("return document.activeElement.closest('.source-block')?.querySelector('.name').title") == "init", "twins: the source is that of the function")
    check_inverted_kinds(page, path)
    check_inverted_legend(page, path)
    check_nothing_counted(page, path)
    check_chain_labels(page, path)
    check_sight(page, path)
    quiet(page, "twins")


def check_inverted_kinds(page, path):
    """A path that only head has is new all along, whatever else its functions do in base."""
    page.open(path, "#i=1")
    page.wait_frame()
    type_into(page, "#search", "^fresh$")
    page.js("document.getElementById('search').focus()")
    page.key(*keys("ENTER", "ARROW_DOWN"))
    expect(focused(page) == "c6 \u2026 c1 (6 frames)", f"twins: below a function is its caller: {focused(page)}")
    page.key(*keys("ENTER", "ARROW_UP", "ARROW_DOWN"))
    expect(text(page, "#live").startswith("c6, new, 0 to 50,000 Ir"), f"twins: a caller on a new path: {text(page, '#live')}")


def check_inverted_legend(page, path):
    legends = []
    for inverted in ("", "&i=1"):
        page.open(path, "#t=head" + inverted)
        page.wait_frame()
        legends.append(page.js(LEGEND))
    expect(legends[0] == legends[1] and "b.c 40.9%" in legends[0], f"twins: inverted, self costs belong to the same files: {legends}")


def check_nothing_counted(page, path):
    page.open(path, "#m=Dw&i=1&f=10")
    page.wait_frame()
    expect(text(page, "#found") == "This function has no frame in the graph: all were too small.", f"twins: nothing of a function: {text(page, '#found')}")
    focus_flame(page)
    page.key(*keys("HOME", "ARROW_DOWN", "ENTER", "SPACE"))
    expect(focused(page) is None and fragment(page)["f"] == "10", f"twins: a graph without frames has none to go to: {focused(page)}, {fragment(page)}")
    page.open(path, "#m=Dw&f=10")
    page.wait_frame()
    focus_flame(page)
    page.key(*keys("HOME", "ARROW_DOWN"))
    expect(focused(page) is None, f"twins: nor are frames without a cost: {focused(page)}")
    page.key(*keys("ESCAPE"))
    expect("f" not in fragment(page) and text(page, "#found") == "No Dw was counted.", f"twins: {text(page, '#found')}")


def check_chain_labels(page, path):
    page.open(path, "#m=Dr")
    page.wait_frame()
    expected = pixels(page)
    page.open(path, "#m=Ir")
    page.wait_frame()
    page.js("document.querySelector('#metric').selectedIndex = 1; document.querySelector('#metric').dispatchEvent(new Event('change'))")
    page.wait_frame()
    expect(pixels(page) == expected, "twins: in another metric a chain is named anew")


def check_sight(page, path):
    """What is asked for is in sight, however the graph is zoomed; what turns the graph leaves the zoom."""
    page.open(path)
    page.wait_frame()
    type_into(page, "#search", "^other$")
    page.js("document.getElementById('search').focus()")
    page.key(*keys("ENTER", "ENTER"))
    type_into(page, "#search", "")
    expect(text(page, ".crumb.here") == "other", f"twins: zoomed to {text(page, '.crumb.here')}")
    zoomed = pixels(page)
    click(page, "#upright")
    click(page, "#upright")
    expect(pixels(page) == zoomed, "twins: the root at the bottom and back: the zoom stays")
    page.js("[...document.querySelectorAll('#causes .cause')].find(e => e.textContent.endsWith('init')).click()")
    page.wait_frame()
    expect(text(page, ".crumb.here") == "b_start", f"twins: the graph shows what a cause leads to: {text(page, '.crumb.here')}")
    page.driver.back()
    page.wait_frame()
    expect(text(page, ".crumb.here") == "other" and "f" not in fragment(page), "twins: one step back is where the reader was")


FOCUS = """const space = document.querySelector('.flame-space').getBoundingClientRect(), box = document.getElementById('flame-focus').getBoundingClientRect();
return box.width > 0 && box.top >= space.top && box.bottom <= space.bottom + 1"""


def check_narrow(page, path):
    """Frames that are too narrow to be drawn: the graph zooms to where they are."""
    page.open(path)
    page.wait_frame()
    click(page, "#every-row")
    page.js("document.getElementById('more-columns').click(); [...document.querySelectorAll('.flat .sort')].find(e => e.textContent.startsWith('Incl. head')).click()")
    page.js("[...document.querySelectorAll('.flat .sort')].find(e => e.textContent.startsWith('Incl. head')).click()")
    page.wait_frame()
    for i in range(count(page, ".flat tbody .link")):
        page.js("document.querySelectorAll('.flat tbody .link')[arguments[0]].click()", i)
        page.wait_frame()
        expect(page.js(FOCUS), f"big: the focus on {focused(page)} is in the graph: {fragment(page)}")
    page.js("document.getElementById('flame').focus({focusVisible: true})")
    for _ in range(40):
        page.key(*keys("ARROW_DOWN"))
        expect(page.js(FOCUS), f"big: the focus on {focused(page)} is in the graph by keys")
    quiet(page, "big")


def check_removed(page, path):
    page.open(path)
    page.wait_frame()
    expect("self 9,000 Ir (90.0% of the total)" in text(page, ".source-change"), f"removed: the cost of base: {text(page, '.source-change')}")
    expect(count(page, ".elsewhere") == 0, f"removed: all of it is in the lines: {text(page, '.elsewhere')}")
    expect(text(page, "#hottest .cause-line").startswith("work9,00090.0%"), f"removed: {text(page, '#hottest .cause-line')}")
    quiet(page, "removed")


ROWS = """return [...document.querySelectorAll('.benches tbody tr')].map(tr => ['who', 'verdict', 'side', 'change', 'top-cause'].map(
	name => tr.querySelector('td.' + name).textContent))"""


def check_sides(page, path):
    page.open(path)
    page.wait_frame()
    found = {row[0]: row[1:] for row in page.js(ROWS)}
    expect(found["removed"] == ["\u25cf removed", "10,000", "\u2013", ""], f"sides: only in base: {found}")
    expect(found["new"] == ["\u25cf new", "\u2013", "\u2013", ""], f"sides: only in head: {found}")
    expect(found["same"] == ["\u25cf unchanged", "1,000,000", "+0.001%", ""], f"sides: a change below the threshold: {found}")
    expect(count(page, ".benches .up, .benches .down") == 0, "sides: none of these is a regression")
    expect("over 1 benchmark: 1.0000." in text(page, ".hero"), f"sides: the mean has what base and head have: {text(page, '.hero')}")
    quiet(page, "sides")

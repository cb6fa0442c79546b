#!/usr/bin/env python3
"""Usage: page.py [PAGE.html...]

Drives the page of the HTML report in Chromium. Pages that are named get the checks that hold for
every report; without names, pages of made-up data (mock.py) get those and many more.
"""
import concurrent.futures
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import browser  # noqa: E402
import mock  # noqa: E402
import mock_metrics  # noqa: E402
import check_graph  # noqa: E402
from check_access import check_access  # noqa: E402
from check_functions import check_many, check_table  # noqa: E402
from check_history import check_constant, check_long_past, check_past, check_short_past  # noqa: E402
from check_metrics import check_cancelling, check_counted, check_mixed, check_syscalls, check_unknown, check_unlimited  # noqa: E402
from check_odd import check_narrow, check_removed, check_sides, check_twins  # noqa: E402
from check_sources import check_code, check_sources  # noqa: E402
from check_suites import check_shared, check_single, check_singles, check_suite  # noqa: E402
from reading import (CONTRAST, choose, click, click_flame, count, expect, failures, focus_flame, focused, fragment, keys, pixels,  # noqa: E402
                     quiet, rows, text, type_into)

SOURCE = pathlib.Path(__file__).resolve().parents[2]
# What a page of 50,000 frames may take of the processor, in ms, and its size; HASTE allows for other ones.
HASTE = 5
FIRST_PAINT, ZOOM, SIZE = 1000, 100, 5_000_000


# ---- what holds for every report ----

def fits(page, name, width):
    page.size(width)
    page.wait_frame()
    wide = page.js("return document.documentElement.scrollWidth")
    expect(wide <= width, f"{name}: at {width} px the page is {wide} px wide")


CUT_HEADING = """return [...document.querySelectorAll('h1, h1 *')].filter(e =>
    getComputedStyle(e).display !== 'inline' && e.scrollWidth > e.clientWidth).map(e => e.textContent)"""


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
        expect(page.js(CUT_HEADING) == [], f"{name}: at {width} px the heading is cut: {page.js(CUT_HEADING)}")
    if count(page, "#flame"):
        check_any_flame(page, name)
    if page.js("return JSON.parse(document.getElementById('data').textContent).benches.map(b => b.verdict).join() === 'none'"):
        expect(count(page, ".pill") == 0 and count(page, "#causes") == 0, f"{name}: nothing is compared")
        expect(page.js("return /^[\\d,]+ \\w+/.test(document.querySelector('.hero-counts')?.textContent)"), f"{name}: its total: {text(page, '.hero-counts')}")
        expect(count(page, "#flame") and count(page, "#flat"), f"{name}: its flame graph and its functions")
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


# ---- made-up data ----

def check_limits(page):
    """As in text: where a function is whose name others have, and that a limit is on its inclusive cost."""
    limits = text(page, "#limits")
    expect("inclusive Ir +0.5% of get_field in libscan.so" in limits and "inclusive Ir +1%" not in limits, f"demo: the limits: {limits}")
    expect("Ir +2% of libgone.so" in limits, f"demo: a module is no pattern of functions: {limits}")


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
    cancelled = page.js("return [...document.querySelectorAll('#causes .hint li')].map(e => e.textContent)")
    expect(cancelled == ["old_scan (inlined): removed, \u22123,120,000", "get_field: new, +3,960,000"], f"demo: changes that cancel each other: {cancelled}")


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


def check_demo(page, path):
    page.open(path)
    page.wait_frame()
    expect("limit exceeded" in text(page, ".pill"), "demo: the verdict")
    expect("Warning: 2 threads: counts may differ by chance. Run irdiff verify" in text(page, ".remarks"), "demo: what bears on the verdict")
    expect(text(page, ".hero-counts").startswith("34,670,000 \u2192 71,281,500 Ir"), f"demo: {text(page, '.hero-counts')}")
    for check in (check_graph.check_first_screen, check_limits, check_zoom, check_keys, check_upright, check_tabs, check_metric, check_table, check_causes, check_graph.check_inverted, check_colours, check_sources):
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


def check_empty(page, path, name):
    page.open(path)
    page.wait_frame()
    shown = text(page, "main")
    expect("No function changed." in shown and "No flame graph" in shown, f"{name}: says that there is nothing")
    quiet(page, name)


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


def check_rust(page, path):
    page.open(path)
    page.wait_frame()
    whole = page.js("return document.body.textContent")
    for name in ("core::ptr::const_ptr::<impl *const T>::offset_from", "core::slice::index::<impl core::ops::Index for [T]>::index", "alloc::vec::Vec::push"):
        for where in ("#flat .name", "#causes .cause .name"):
            names = page.js("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", where)
            expect(name in names, f"rust: {where} has {name}: {names}")
    expect("::::" not in whole.replace(page.js("return document.getElementById('data').textContent"), ""), "rust: no part of a name is lost")
    quiet(page, "rust")


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
    quiet(page, "big")


# ---- all of it ----

def write_mocks(directory):
    paths = {}
    for name, shape in {**mock.SHAPES, **mock_metrics.SHAPES}.items():
        paths[name] = pathlib.Path(directory) / f"{name}.html"
        paths[name].write_text(mock.fill(SOURCE, shape().data()), errors="replace")
    return paths


def check_all(page, paths):
    """What holds for every report."""
    for name, path in paths.items():
        if name == "unknown":
            continue  # shows nothing but why
        with failures.during(name):
            check_any(page, path, name)


def check_each(page, paths):
    """What holds for one of them."""
    for check, name in ((check_demo, "demo"), (check_hostile, "hostile"), (check_suite, "suite"), (check_shared, "shared"), (check_singles, "singles"), (check_single, "single"),
                        (check_deep, "deep"), (check_graph.check_panel, "paths"), (check_graph.check_folding, "paths"), (check_graph.check_inverted_sums, "paths"), (check_long, "long"), (check_rust, "rust"), (check_past, "past"), (check_constant, "constant"), (check_short_past, "short_past"), (check_long_past, "long_past"), (check_code, "code"), (check_twins, "twins"), (check_removed, "removed"), (check_syscalls, "syscalls"), (check_cancelling, "cancelling"), (check_unknown, "unknown"), (check_mixed, "mixed"), (check_unlimited, "unlimited"), (check_counted, "counted"), (check_sides, "sides"), (check_big, "big"), (check_many, "big"), (check_narrow, "big"), (check_print, "demo"), (check_phone, "demo"), (check_access, "demo")):
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

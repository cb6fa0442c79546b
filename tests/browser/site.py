#!/usr/bin/env python3
"""Usage: site.py [--made] SITE...

Drives the site of a history in Chromium, from its files. With --made it is of tests/history-site/make.py, and gets many
more checks.
"""
import json
import pathlib
import re
import sys
import time

sys.dont_write_bytecode = True
import browser  # noqa: E402
from reading import CONTRAST, choose, click, count, expect, failures, fragment, keys, quiet, text, type_into  # noqa: E402



def wait(page, condition, what):
    """Pieces of data come later than the page."""
    for _ in range(400):
        if page.js(f"return Boolean({condition})"):
            page.wait_frame()
            return True
        time.sleep(0.025)
    return expect(False, f"{what}: {condition} does not come true")


READY = "document.querySelector('#benches tbody') || document.querySelector('#steps h2') && document.querySelector('#about dd')"


def open_site(page, site, fragment_text=""):
    page.open(f"{site}/index.html", fragment_text)
    wait(page, READY, f"{site}{fragment_text}")


def names(page):
    return page.js("return [...document.querySelectorAll('#benches tbody tr td.who a')].map(e => e.textContent)")


def fits(page, what, width):
    page.size(width)
    page.wait_frame()
    wide = page.js("return document.documentElement.scrollWidth")
    expect(wide <= width, f"{what}: at {width} px it is {wide} px wide")


def check_view(page, what):
    """What holds for every view of every site."""
    expect(count(page, "h1") == 1 and count(page, "[role=alert]") == 0, f"{what}: one heading, no alert: {text(page, '[role=alert]')}")
    expect(count(page, "main img, main script, main iframe, [onerror], main [style]") == 0, f"{what}: markup from data")
    expect("undefined" not in text(page, "main") and "NaN" not in text(page, "main"), f"{what}: undefined or NaN in it")
    expect(page.js("return [...document.querySelectorAll('button, input, select, [tabindex=\"0\"]')].every(e =>"
                   "e.textContent.trim() || e.labels?.length || e.getAttribute('aria-label'))"), f"{what}: something without a name")
    for width in (800, 360, 1280):
        fits(page, what, width)
    for dark in (True, False):
        page.dark(dark)
        page.wait_frame()
        expect(page.js(CONTRAST) == [], f"{what}: too little contrast: {page.js(CONTRAST)}")
    quiet(page, what)


def check_any(page, site):
    open_site(page, site)
    check_view(page, f"{site}, overview")
    page.js("document.querySelector('#benches a').click()")
    wait(page, "document.querySelector('#steps h2')", f"{site}, benchmark")
    check_view(page, f"{site}, benchmark")


# ---- what make.py made ----

def check_overview(page, site):
    open_site(page, site)
    shown = names(page)
    expect(len(shown) == 6 and shown == sorted(shown), f"overview: all benchmarks, by name: {shown}")
    expect("x</script><img src=x onerror=alert(1)>" in shown, f"overview: a hostile name is a text: {shown}")
    expect(count(page, "#benches svg.spark") == 6, "overview: a small chart for each")
    expect(re.match(r"Newest measured commit of main: [0-9a-f]{10} of 20\d\d-", text(page, "#newest")), f"overview: up to where it was measured: {text(page, '#newest')}")
    standing = page.js("return [...document.querySelectorAll('#benches td.who')].map(e => e.querySelector('.standing')?.textContent ?? '')")
    gone, old = "no longer in irdiff.yml", "not measured yet by the current definition in irdiff.yml"
    expect(standing == [gone, old, old, gone, old, gone], f"overview: what irdiff.yml has no more, or otherwise: {standing}")
    row = text(page, "#benches tbody tr:nth-child(3)")
    expect("1,200,000 Ir" in row and "\u22124.00%" in row and "Jane Doe" in row and "2023-12-14" in row, f"overview: the last step, and by whom: {row}")
    for width in (1200, 1024, 760):
        page.size(width)
        page.wait_frame()
        cut = page.js("return [...document.querySelectorAll('#benches td.why')].filter(e => e.scrollWidth > e.clientWidth || e.clientWidth < innerWidth / 2).length")
        expect(cut == 0, f"overview: at {width} px {cut} causes are cut")
        expect(page.js("const at = s => document.querySelector('#benches ' + s).getBoundingClientRect(); return at('thead th:nth-child(6)').left === at('tbody td:nth-child(6)').left"), f"overview: at {width} px a column is below its heading")
        expect(page.js("const head = document.querySelector('#benches thead tr'); return head.getBoundingClientRect().height < 1.5 * head.querySelector('th').getBoundingClientRect().height"), f"overview: at {width} px headings are in one line")
        expect(page.js("return document.documentElement.scrollWidth <= innerWidth"), f"overview: at {width} px nothing is beside the page")
    page.size(1280)
    type_into(page, "#search", "PARSE sm")
    expect(names(page) == ["parse/small"] and "1 of 6" in text(page, "#found"), f"overview: the search filters: {names(page)}")
    wait(page, "location.hash === '#q=PARSE+sm'", "overview: the search is in the address")
    type_into(page, "#search", "")
    choose(page, "#path", 1)
    expect(fragment(page).get("p") == "parse" and names(page) == ["parse/large", "parse/small"], f"overview: by path: {names(page)}")
    choose(page, "#path", 0)
    expect([option for option in page.js("return [...document.querySelectorAll('#tag option')].map(o => o.textContent)")] == ["all", "quick", "slow"], "overview: the tags of irdiff.yml")
    choose(page, "#tag", 1)
    expect(fragment(page).get("g") == "quick" and names(page) == ["sort"], f"overview: by tag: {names(page)}")
    choose(page, "#tag", 2)
    expect(names(page) == ["parse/large", "parse/small", "sort"], f"overview: one that cases have from their benchmark: {names(page)}")
    open_site(page, site, "#p=parse&t=v1.0")
    expect(names(page) == ["parse/large", "parse/small"] and "Since v1.0" in text(page, "#benches thead"), "overview: its address opens the same view")
    expect("+20.0%" in text(page, "#benches tbody tr"), f"overview: the change since a release: {text(page, '#benches tbody tr')}")
    choose(page, "#since", 0)
    expect("\u22124.00%" in text(page, "#benches tbody tr td:nth-child(4)"), f"overview: and since another one: {text(page, '#benches tbody tr')}")
    page.driver.back()
    page.wait_frame()
    expect(fragment(page).get("t") == "v1.0", "overview: back goes to the one before")
    page.js("[...document.querySelectorAll('#benches .sort')].find(e => e.textContent.startsWith('Count')).click()")
    page.wait_frame()
    expect(names(page) == ["parse/large", "parse/small"], f"overview: sorted by count: {names(page)}")


ABOUT = "[...document.querySelectorAll('#about > div')].map(e => e.textContent).join('|')"


def check_bench(page, site):
    open_site(page, site)
    page.js("[...document.querySelectorAll('#benches .step')][2].click()")
    wait(page, f"{ABOUT}.includes('Change 30')", "benchmark: a step of the overview leads to its commit")
    expect(text(page, "h1") == "parse/small", f"benchmark: {text(page, 'h1')}")
    about = page.js(f"return {ABOUT}")
    expect("1,200,000" in about and "\u221250,000 (\u22124.00%)" in about and "improved" in about and "Jane Doe" in about, f"benchmark: the commit: {about}")
    expect("</script><img src=x onerror=alert(1)>" in about and "\u202e" not in about, f"benchmark: a hostile subject: {about}")
    expect(count(page, "#chart .history-step.up") == 1 and count(page, "#chart .history-step.down") == 1, "benchmark: both steps are marked")
    expect(page.js("return [...document.querySelectorAll('#chart .history-step')].map(e => e.dataset.number).join()") == "15,30", "benchmark: at their commits")
    expect(count(page, "#chart .chart-tag") == 3 and "v1.0" in text(page, "#chart"), "benchmark: releases are lines")
    named = page.js("return [...document.querySelectorAll('#chart .chart-tag-name')].map(e => e.textContent).sort()")
    expect(named == ["v1.0", "v2.1"], f"benchmark: of releases that are close, the newest has its name: {named}")
    steps = page.js("return [...document.querySelectorAll('#steps tbody tr')].map(e => e.textContent)")
    expect(len(steps) == 2 and "Change 30" in steps[0] and "+250,000 (+25.0%)" in steps[1], f"benchmark: steps, newest first: {steps}")
    page.js("document.getElementById('chart').focus()")
    page.key(*keys("PAGE_DOWN"))
    wait(page, f"{ABOUT}.includes('Change 15')", "benchmark: PageDown goes to the step before")
    page.key(*keys("ARROW_LEFT"))
    wait(page, f"{ABOUT}.includes('Change 14')", "benchmark: left is the commit before")
    expect("Change 14" in page.js("return document.getElementById('chart').getAttribute('aria-valuetext')"), "benchmark: which is said")
    page.js("document.querySelector('#steps .link').click()")
    wait(page, f"{ABOUT}.includes('Change 30')", "benchmark: a step in the list is chosen by a click")
    before = text(page, "#about")
    choose(page, "#metric", 1)
    wait(page, f"{ABOUT}.includes('300,000')", "benchmark: another metric")
    expect(fragment(page).get("m") == "Dr" and text(page, "#about") != before, f"benchmark: it is in the address: {fragment(page)}")
    expect("\u221212,500" in text(page, "#steps"), f"benchmark: its steps: {text(page, '#steps')}")


def drag(page, selector, begin, end):
    page.js("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
    left, width, y = page.js("const b = document.querySelector(arguments[0]).getBoundingClientRect(); return [b.left + 13, b.width - 26, b.top + b.height / 2]", selector)
    for kind, part in (("mouseMoved", begin), ("mousePressed", begin), ("mouseMoved", (begin + end) / 2), ("mouseMoved", end), ("mouseReleased", end)):
        page.cdp("Input.dispatchMouseEvent", type=kind, x=left + part * width, y=y, button="none" if kind == "mouseMoved" and part == begin else "left", buttons=1, clickCount=1)
    page.wait_frame()


def check_zoom(page, site):
    open_site(page, site)
    page.js("[...document.querySelectorAll('#benches a')].find(e => e.textContent === 'parse/small').click()")
    wait(page, "document.querySelector('#steps h2')", "zoom")
    drag(page, "#chart", 0.5, 1.0)
    begin, end = fragment(page).get("z", "-").split("-")
    expect(end == "39" and 17 <= int(begin or 0) <= 21, f"zoom: a brush zooms: {fragment(page)}")
    expect(count(page, "#chart .history-step") == 1, "zoom: only its steps")
    wait(page, "document.querySelector('#steps-title').textContent === 'Steps in this part'", "zoom: the list is of its part")
    expect(count(page, "#steps tbody tr") == 1 and re.match(r"\d+ of 34 measured commits, 1 step\.", text(page, "#counted")), f"zoom: and so is the number: {text(page, '#counted')}")
    wait(page, f"{ABOUT}.includes('Change 39')", "zoom: its newest commit is chosen")
    address = page.js("return location.hash")
    window = page.js("return document.querySelector('.chart-window').getBBox().width")
    open_site(page, site, address)
    expect(page.js("return location.hash") == address and count(page, "#chart .history-step") == 1 and
           page.js("return document.querySelector('.chart-window').getBBox().width") == window, "zoom: its address opens the same view")
    drag(page, "#chart-map", 0.0, 0.5)
    expect(fragment(page)["z"].startswith("0-") and count(page, "#chart .history-step.up") == 1, f"zoom: in the strip as well: {fragment(page)}")
    click(page, "#zoom-out")
    expect("z" not in fragment(page) and count(page, "#chart .history-step") == 2, "zoom: and out")
    page.js("document.getElementById('chart').focus()")
    page.key("+")
    expect("z" in fragment(page), "zoom: by a key")
    page.key(*keys("ESCAPE"))
    expect("z" not in fragment(page), "zoom: Esc zooms out")
    wait(page, "document.querySelector('#steps-title').textContent === 'Steps'", "zoom: out, the list is of all")
    expect(count(page, "#steps tbody tr") == 2 and text(page, "#counted").startswith("34 measured commits, 2 steps."), f"zoom: and so is the number: {text(page, '#counted')}")


THINNED = """
const counts = Float64Array.from({ length: 100000 }, (_, i) => 1000 + (i * 7919) % 13);
counts[12345] = 5000;
counts[77777] = -5000;
const line = thinned(counts, 100, 99999, 800);
return [line.length, line.includes(12345), line.includes(77777), line.every((i, k) => !k || i > line[k - 1]), line[0] >= 100,
	thinned(counts, 5, 8, 800).join()];
"""


def check_thinning(page, site):
    """Of many points, the lowest and the highest of each pixel are drawn."""
    open_site(page, site)
    found = page.js(THINNED)
    expect(800 < found[0] <= 1600 and found[1:] == [True, True, True, True, "5,6,7,8"], f"thinning: {found}")


FLAT = "return ['#chart', '#chart-map'].map(box => new Set(document.querySelector(box + ' .history-line').getAttribute('d').match(/(?<=V|M[0-9.]+ )[0-9.]+/g)).size === 1)"
LEVELS = """
const limits = { tolerance: 0, share: 0, threshold: 0.0005, least: 100 }, most = 9223372036854775807n;
return [[0, 99], [0, 100], [1000000, 1000499], [1000000, 1000500], [-1000000, -999501], [-1000000, -999500], [-most, most], [most, most], [9007199254740993n, 9007199254741092n]]
	.map(([low, high]) => isLevel(low, high, limits)).concat([[500, 0], [0, 0.001], [0, 0.0009]].map(([tolerance, share]) => isLevel(500000, 500500, { ...limits, tolerance, share })));
"""


def check_levels(page, site):
    """As irdiff: both limits are reached, exactly, and the tolerance is exceeded."""
    open_site(page, site)
    found = page.js(LEVELS)
    expect(found == [True, False, True, False, True, False, False, True, True, True, True, False], f"levels: {found}")


def check_environments(page, site):
    open_site(page, site)
    page.js("[...document.querySelectorAll('#benches a')].find(e => e.textContent === 'sort').click()")
    wait(page, "document.querySelector('#steps h2')", "environments")
    expect(count(page, "#chart .chart-band") == 1 and count(page, "#chart .history-step") == 2, "environments: noise within the tolerance is a band, and no step")
    expect("CPU features" in text(page, "#environment") and "new<b>" in text(page, "#environment"), "environments: what it is")
    expect(page.js("return [...document.querySelectorAll('#environment dt')].map(e => e.textContent)") == ["CPU features", "freeze library", "Valgrind"], "environments: each fact once")
    other = page.js("return [...document.querySelector('#series').options].findIndex(o => !o.selected)")
    named = page.js("return [...document.querySelector('#series').options].map(o => o.textContent).sort()")
    expect(re.fullmatch(r"environment [0-9a-f]{8} \(CPU features: old, another freeze library\)", named[0] if "old" in named[0] else named[1]) and any(n.endswith(" (current)") and "CPU" not in n for n in named), f"environments: in what they differ: {named}")
    choose(page, "#series", other)
    wait(page, "document.querySelector('#steps').textContent.includes('No count differs')", "environments: the other one has no step")
    expect("5 measured commits" in text(page, "main") and "s" in fragment(page), f"environments: apart: {text(page, 'main')}")
    expect("The line is flat" in text(page, "main") and page.js(FLAT) == [True, True] and "Between 77 and 81, without a step" in text(page, "#chart"), "environments: what is no step is drawn flat")
    open_site(page, site, "#b=nobody")
    expect(len(names(page)) == 6 and "no benchmark with the address \u201cnobody\u201d" in text(page, "#unknown"), "environments: an unknown benchmark is said to be, and all are shown")
    open_site(page, site)
    expect(page.js("return document.querySelector('#unknown').offsetHeight") == 0, "environments: and not if none was asked for")


def check_causes(page, site):
    """A report and its cause are of one metric, and not said of the steps of others."""
    script = next(pathlib.Path(site).glob("bench/sort-*/bench.js"))
    before = script.read_text()
    script.write_text(re.sub(r'"diffs":\[[^]]*]', '"diffs":[{"number":15,"page":"diff-x.html","cause":"main \u2192 f (-<0.001%)"},{"number":30,"missing":"gone"}]', before))
    open_site(page, site, f"#b={script.parent.name}&c=15")
    wait(page, f"{ABOUT}.includes('main \u2192 f (\u2212<0.001%)')", "causes: of the metric that is shown first, with the minus sign of the page")
    expect("no report: gone" in text(page, "#steps") and "main \u2192 f" in text(page, "#steps") and count(page, "#steps a[href$='/diff-x.html']") == 1, "causes: also in the list")
    choose(page, "#metric", 1)
    wait(page, f"!{ABOUT}.includes('main')", "causes: not of another one")
    expect(count(page, "#about .up") == 1 and "main" not in text(page, "#steps") and count(page, "main a[href*='diff-']") == 0, "causes: nor in its list")
    script.write_text(before)


def check_unmeasured(page, site):
    """Any commit since the one measured before may have made a step, so that the list names none of them."""
    piece = next(path for path in pathlib.Path(site).glob("bench/parse-small-*/*.js") if path.name != "bench.js")
    before = piece.read_text()
    at = json.loads(re.search(r'"at":(\[[^]]*])', before)[1])
    numbers = [sum(at[:i + 1]) for i in range(len(at))]
    # What was measured at commits 4 to 14 is now of 3 to 13.
    at[numbers.index(4)] -= 1
    at[numbers.index(15)] += 1
    piece.write_text(re.sub(r'"at":\[[^]]*]', f'"at":{json.dumps(at, separators=(",", ":"))}', before))
    open_site(page, site, f"#b={piece.parent.name}")
    wait(page, "document.querySelectorAll('#steps tbody tr').length === 2", "unmeasured")
    steps = page.js("return [...document.querySelectorAll('#steps tbody tr')].map(e => e.textContent)")
    expect("Jane Doe" in steps[0] and "Change 30" in steps[0], f"unmeasured: a step after the commit before it: {steps}")
    expect("+250,000" in steps[1] and steps[1].endswith("One of 2 commits") and "Eve" not in steps[1], f"unmeasured: a step after others: {steps}")
    piece.write_text(before)


STEP_MARKS_OF = """
const [counts, steps] = arguments, of = { from: 0, to: counts.length - 1, points: { counts, steps, numbers: counts.map((_, i) => i) }, x: (i) => 100 + 4 * i, y: (count) => 300 - count };
return Chart.prototype.steps.call(of).map((mark) => Number(mark.dataset.number)).sort((a, b) => a - b);"""


def check_crowded_steps(page, site):
    """A step has a mark unless that of a larger one is in its way, which is near in both directions."""
    open_site(page, site)
    marks = page.js(STEP_MARKS_OF, [0, 200, 110, 105], [0, 1, -1, -1])
    expect(marks == [1, 2], f"crowded: far above each other, both have a mark; the smallest is beside a larger one: {marks}")
    marks = page.js(STEP_MARKS_OF, [100, 105, 100, 108, 100, 107], [0, 1, -1, 1, -1, 1])
    expect(marks == [3], f"crowded: the largest, and of equal ones the first: {marks}")
    marks = page.js(STEP_MARKS_OF, [100, 105, 100, 105, 100, 105, 100], [0, 1, 0, 0, 0, 1, 0])
    expect(marks == [1, 5], f"crowded: with room between, both: {marks}")


def check_large_counts(page, site):
    """What a number of JavaScript would round has its own digits; what is smaller, and the chart, are as before."""
    open_site(page, site)
    found = page.js("""
        const most = "9223372036854775807", points = new Series({ metrics: [{ name: "Ir", tolerance: 0, share: 0, threshold: 0.0005, least: 100 }] },
            [{ number: 0, value: { at: [0, 1, 1, 1, 1], metrics: [{ name: "Ir", counts: [1000, "9007199254740993", most, null, "-9007199254740991"], steps: [1, 1, 2, 1] }] } }], 1000).points("Ir");
        const summary = { count: most, spark: [7, "9007199254740993", most], since: ["9007199254740993", 1, null, 0], step: { before: 7, count: most } };
        readCounts(summary);
        const chart = new Chart(points, [], { dateOf: () => "" });
        document.body.append(chart.box, chart.map);
        chart.draw();
        const words = [changeElement(points.countAt(1), points.countAt(2), 1), changeElement(points.countAt(0), points.countAt(1), 1),
            changeElement(9007199254740993n, 9007199254740994n, 0), changeElement(-9007199254740991, 9007199254740990, 1)].map((e) => e.textContent);
        const labels = chart.box.textContent, drawn = chart.box.querySelector(".history-line").getAttribute("d");
        chart.box.remove();
        chart.map.remove();
        return [words, labels, /NaN|undefined/.test(drawn), formatCount(summary.count), typeof summary.since[3],
            sparkOf(summary.spark, "Ir").getAttribute("aria-label"), sortRows([summary.count, 5, 9007199254740993n], [{ sort: (n) => n }], { column: 0 }).map(String)];""")
    expect(found[0] == ["+9,214,364,837,600,034,814 (+102,300%)", "+9,007,199,254,739,993 (+900,719,925,473,999%)", "+1 (+<0.001%)", "+18,014,398,509,481,981 (+200%)"] and
           "9,223,372,036,854,775,807" in found[1] and "\u22129,007,199,254,740,991" in found[1] and not found[2] and found[3] == "9,223,372,036,854,775,807" and found[4] == "number" and
           found[5] == "Ir: from 7 to 9,223,372,036,854,775,807, at last 9,223,372,036,854,775,807" and found[6] == ["5", "9007199254740993", "9223372036854775807"],
           f"large counts: {found}")


def check_keyboard(page, site):
    open_site(page, site)
    page.js("document.querySelector('#benches a').focus()")
    page.key(*keys("ENTER"))
    wait(page, "document.querySelector('#steps h2')", "keyboard: Enter opens a benchmark")
    expect(page.js("return document.activeElement.id") == "main", "keyboard: the focus is where the new view begins")
    page.driver.back()
    wait(page, "document.querySelector('#benches tbody tr')", "keyboard: and back")
    type_into(page, "#search", "parse")
    expect(text(page, "[role=status]#found") == "2 of 6 benchmarks", f"keyboard: how many are found is said: {text(page, '#found')}")


def check_colours(page, site):
    """Changes that are no steps are noise."""
    sort = page.js("return site.index.benches.find(({name}) => name === 'sort').id")
    open_site(page, site, f"#b={sort}&c=12")
    wait(page, f"{ABOUT}.includes('Change 12')", "colours")
    expect("\u2212400" in page.js(f"return {ABOUT}") and count(page, "#about .even") == 1 and count(page, "#about :is(.up, .down)") == 0, f"colours: {page.js(f'return {ABOUT}')}")


def check_young_tag(page, site):
    """A tag is drawn between the commits that it is between, and not outside of what was measured."""
    open_site(page, site)
    found = page.js("const tags = site.tags; return new Chart({ numbers: [3, 5, 20], counts: [1, 1, 1], metric: 'Ir' }, tags, {}).tags.map(({ at }) => at)")
    expect(found == [1.5], f"young tag: {found}")


def check_missing_commits(page, site):
    piece, hidden = pathlib.Path(site, "commits/0.js"), pathlib.Path(site, "commits/0.hidden")
    piece.rename(hidden)
    page.open(f"{site}/index.html", "#b=" + next(pathlib.Path(site).glob("bench/sort-*")).name)
    wait(page, "document.querySelector('[role=alert]')", "missing commits: an alert")
    expect("commits/0.js cannot be loaded" in (text(page, "[role=alert]") or ""), f"missing commits: {text(page, '[role=alert]')}")
    hidden.rename(piece)
    page.js("location.hash = ''")
    wait(page, "document.querySelector('#benches tbody tr')", "missing commits: the overview needs none")
    page.js("document.querySelector('#benches a').click()")
    wait(page, "document.querySelector('#about dd')", "missing commits: they are asked for again")
    page.complaints(), page.requests()


def check_missing(page, site):
    """A site of which a part was not copied says so."""
    piece = next(pathlib.Path(site).glob("bench/sort-*/*-0.js"))
    hidden = piece.with_suffix(".hidden")
    piece.rename(hidden)
    for one in pathlib.Path(site).glob("bench/sort-*/*-0.js"):
        one.rename(one.with_suffix(".hidden"))
    page.open(f"{site}/index.html", "#b=" + piece.parent.name)
    wait(page, "document.querySelector('[role=alert]')", "missing: an alert")
    expect("cannot be loaded" in (text(page, "[role=alert]") or ""), f"missing: {text(page, '[role=alert]')}")
    for one in pathlib.Path(site).glob("bench/sort-*/*.hidden"):
        one.rename(one.with_suffix(".js"))
    page.complaints(), page.requests()


def main():
    browser.require()
    made = "--made" in sys.argv
    with browser.start() as page:
        for site in (word for word in sys.argv[1:] if word != "--made"):
            for check in (check_any, *((check_overview, check_bench, check_zoom, check_thinning, check_levels, check_environments, check_causes, check_unmeasured, check_crowded_steps, check_large_counts, check_young_tag, check_keyboard, check_colours,
                                        check_missing_commits, check_missing) if made else ())):
                with failures.during(check.__name__):
                    page.size(1280)
                    check(page, site)
                    quiet(page, check.__name__)
    if failures:
        sys.exit(1)
    print("the site does what it should")


if __name__ == "__main__":
    main()

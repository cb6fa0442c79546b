"""Checks of pages of several benchmarks, and of those without a base."""
import mock
from reading import CONTRAST, choose, click, count, expect, fragment, quiet, rows, text


def check_suite(page, path):
    page.open(path)
    page.wait_frame()
    expect(count(page, ".benches tbody tr") == 20, "suite: twenty rows")
    expect(count(page, "#failed li") == 2 and "could not be measured at main (1a2b3c4d5e)" in text(page, "#failed"), "suite: what could not be measured")
    mean = text(page, ".hero .hint")
    expect(f"20 benchmarks: {expected_mean()}." in mean, f"suite: the geometric mean is {mean}, not {expected_mean()}")
    expect(page.js(SHOWN) == 9 and text(page, "#merged-causes .more") == "Show 41 smaller causes", f"suite: {page.js(SHOWN)} causes at first")
    click(page, "#merged-causes .more")
    expect(page.js(SHOWN) == 50, f"suite: {page.js(SHOWN)} causes then")
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


SHOWN = "return [...document.querySelectorAll('#merged-causes tbody tr')].filter(tr => tr.offsetHeight).length"
NAMES = "return [...document.querySelectorAll('.benches .who .name')].map(e => e.title)"


def check_shared(page, path):
    page.open(path)
    page.wait_frame()
    # Those that fail by their change, then the others by theirs.
    expect(page.js(NAMES) == ["bench 4", "bench 2", "bench 1", "bench 3", "bench 0"], f"shared: what fails is first: {page.js(NAMES)}")
    expect(count(page, ".benches tr.failing") == 2, "shared: and marked")
    tallies = page.js("return [...document.querySelectorAll('.tally')].map(e => e.textContent)")
    expect(len(tallies) == 5 and all(tally.startswith("1 ") for tally in tallies) and "limit exceeded" in tallies[0] + tallies[1], f"shared: each verdict once: {tallies}")
    tops = page.js("return [...document.querySelectorAll('.benches td.top-cause')].map(e => e.textContent)")
    expect(tops[0] == "StringEqual\u2192 string100%", f"shared: the first cause of a benchmark: {tops}")
    expect(tops[3] == "", f"shared: what did not change has no cause: {tops}")
    check_merged(page)
    check_sparklines(page)
    click(page, "#merged-causes tbody tr .bench-link .link")
    expect(text(page, "h1") == "bench 4" and fragment(page)["b"] == "4", f"shared: a cause leads to its benchmark: {text(page, 'h1')}")
    page.driver.back()
    page.wait_frame()
    for dark in (True, False):
        page.dark(dark)
        page.wait_frame()
        expect(page.js(CONTRAST) == [], f"shared: too little contrast: {page.js(CONTRAST)}")
    check_level(page)
    quiet(page, "shared")


def check_merged(page):
    """std::string in three benchmarks costs more, in one less; other() is in files of different names. What fails is first."""
    merged = page.js("return [...document.querySelectorAll('#merged-causes tbody tr')].map(tr => [...tr.cells].map(td => td.textContent))")
    expect(text(page, "#merged-title") == "Causes (Ir)", "shared: causes of all benchmarks")
    expect(merged[0][0] == "StringEqual\u2192 std::string" and merged[0][1] == "+1,000,000", f"shared: equal causes are added up: {merged[0]}")
    expect(merged[0][3] == "30 \u2192 60 calls", f"shared: so are their calls: {merged[0]}")
    expect(merged[0][4] == "3 benchmarksbench 4bench 2bench 1", f"shared: their benchmarks, the largest change first: {merged[0][4]}")
    less = merged[4]
    expect(less[1] == "\u221250,000" and less[4] == "bench 0", f"shared: what costs less is another one, after what fails: {less}")
    others = merged[1:4] + merged[5:]
    expect(len(merged) == 6 and all(row[0] == "other" for row in others), f"shared: other files are other functions: {merged}")
    expect(sorted(row[4] for row in merged[1:4]) == ["bench 1", "bench 2", "bench 4"], f"shared: those of what fails: {merged}")


def check_sparklines(page):
    expect(count(page, ".benches .spark") == 2, "shared: a line where more than two commits were measured")
    label = page.js("return document.querySelector('.benches .spark').getAttribute('aria-label')")
    expect(label == "Ir over 4 commits: from 500,000 to 503,000, at last 503,000", f"shared: the line in words: {label}")
    heights = page.js("return [...document.querySelectorAll('.benches .spark path')].map(e => new Set(e.getAttribute('d').match(/(?<=V|M[0-9.]+ )[0-9.]+/g)).size)")
    expect(heights == [4, 1], f"shared: what differs by no step is level: {heights}")


def check_level(page):
    click(page, ".benches tr:has(.spark) ~ tr:has(.spark) .link")
    heights = page.js("return new Set([...document.querySelectorAll('#history .history-dot')].map(e => e.getAttribute('cy'))).size")
    expect(heights == 1 and text(page, "#history .hint") == "Between 500,000 and 500,100, without a step.", f"shared: its chart, too: {heights}, {text(page, '#history .hint')}")


def check_singles(page, path):
    page.open(path)
    page.wait_frame()
    heads = page.js("return [...document.querySelectorAll('.benches th')].map(e => e.textContent)")
    expect(heads == ["Benchmark", "Count"] and count(page, ".pill") == 0 and count(page, "#merged-causes") == 0, f"singles: nothing is compared: {heads}")
    click(page, ".benches tbody tr:nth-child(2) .link")
    expect(text(page, "h1") == "run 1" and count(page, "#flame") == 1, "singles: each has a page")
    quiet(page, "singles")


def expected_mean():
    product, n = 1, 0
    for bench in mock.suite().data()["benches"]:
        product *= bench["metrics"][0]["head"] / bench["metrics"][0]["base"]
        n += 1
    return f"{product ** (1 / n):.4f}"


def check_single(page, path):
    page.open(path)
    page.wait_frame()
    expect(count(page, ".pill") == 0 and count(page, "#causes") == 0 and page.js("return document.querySelector('.tabs').hidden"), "single: nothing is compared")
    expect(rows(page, 2)[0].endswith("%"), "single: shares of the whole")
    quiet(page, "single")

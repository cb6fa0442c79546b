"""Checks of what is compared in another metric than Ir."""
from reading import choose, click, count, expect, quiet, text

CELLS = "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map(tr => [...tr.cells].map(td => td.textContent))"


def check_syscalls(page, path):
    """Headline, limit, causes, source and functions are all in the metric of the verdict."""
    page.open(path)
    page.wait_frame()
    hero = text(page, ".hero-counts")
    expect(hero.startswith("2 \u2192 1,000 sysCount") and hero.endswith("limit +0"), f"syscalls: the headline: {hero}")
    expect("+998 sysCount" in text(page, "#causes-title"), f"syscalls: the causes: {text(page, '#causes-title')}")
    change = text(page, ".source-change")
    expect(change == "\u0394 self 0 sysCount (0% of the change)its calls +998 (100%)", f"syscalls: the source: {change}")
    flat = page.js("return document.getElementById('flat').closest('section').textContent")
    expect("changed, sysCount" in flat, f"syscalls: the functions: {flat[:80]}")
    choose(page, "#metric", 0)
    expect("4,053,000 \u2192 4,068,968 Ir" in text(page, ".hero-counts") and "limit" not in text(page, ".hero-counts"), f"syscalls: in Ir there is no limit: {text(page, '.hero-counts')}")
    expect(text(page, ".hero .hint") == "The verdict is on sysCount.", f"syscalls: {text(page, '.hero .hint')}")
    quiet(page, "syscalls")


def check_cancelling(page, path):
    """Shares that say nothing are nowhere."""
    page.open(path)
    page.wait_frame()
    changes = page.js("return [...document.querySelectorAll('.source-change')].map(e => e.textContent)")
    expect(changes == ["\u0394 self +10,000 Ir", "\u0394 self \u221211,000 Ir"], f"cancelling: a panel has no share: {changes}")
    causes = page.js("return [...document.querySelectorAll('#causes .cause-line')].map(e => e.textContent)")
    expect(causes == ["faster\u221211,000", "slower+10,000"], f"cancelling: nor has a cause: {causes}")
    choose(page, "#metric", 8)
    changes = page.js("return [...document.querySelectorAll('.source-change')].map(e => e.textContent)")
    expect(changes == ["\u0394 self +300 DLmw (150% of the change)", "\u0394 self \u2212100 DLmw (\u221250.0% of the change)"], f"cancelling: in another metric: {changes}")
    quiet(page, "cancelling")


def check_unknown(page, path):
    page.open(path)
    page.wait_frame()
    expect(text(page, "[role=alert]") == "The data of this report lacks syscalls, the metric of write.", f"unknown: {text(page, '[role=alert]')}")
    expect(count(page, ".hero-counts") == 0, "unknown: no other metric stands in")
    quiet(page, "unknown")


def check_mixed(page, path):
    page.open(path)
    page.wait_frame()
    table = {row[0]: row[1:] for row in page.js(CELLS, ".benches")}
    expect(table["write"][0] == "sysCount" and table["write"][2:4] == ["2", "1,000"], f"mixed: each in its metric: {table['write']}")
    expect(table["heap"][0] == "AllocBlocks" and table["faster"][0] == "Ir", f"mixed: each in its metric: {table}")
    expect(table["faster"][1].endswith(" within limits, measured earlier") and table["heap"][1].endswith(" limit exceeded"), f"mixed: the verdicts: {table}")
    mean = ((4068968 / 4053000) * (100000 / 400000)) ** 0.5
    expect(f"in Ir over 2 benchmarks: {mean:.4f}." in text(page, ".hero .hint"), f"mixed: the mean is of Ir: {text(page, '.hero .hint')}, not {mean:.4f}")
    deltas = [row[1] for row in page.js(CELLS, "#merged-causes")]
    expect(deltas == ["+998 sysCount", "+2,000 AllocBlocks", "\u2212300,000 Ir"], f"mixed: causes of what fails are first, by share: {deltas}")
    choose(page, "#metric", 1)
    expect("in Ir over 2 benchmarks" in text(page, ".hero .hint"), "mixed: Ir where it was chosen")
    table = {row[0]: row[1:] for row in page.js(CELLS, ".benches")}
    expect(table["write"][0] == "Ir" and table["heap"][0] == "AllocBlocks", f"mixed: Ir of those that have it: {table}")
    choose(page, "#metric", 0)
    click(page, ".benches tbody tr:nth-child(2) .link")
    expect("AllocBlocks" in text(page, ".hero-counts") or "sysCount" in text(page, ".hero-counts"), f"mixed: a benchmark opens in its metric: {text(page, '.hero-counts')}")
    quiet(page, "mixed")


def check_unlimited(page, path):
    page.open(path)
    page.wait_frame()
    expect(text(page, ".hero .pill").endswith(" no limit on the total") and count(page, ".hero .pill.good") == 0, f"unlimited: it is within no limit: {text(page, '.hero .pill')}")
    quiet(page, "unlimited")


def check_counted(page, path):
    page.open(path)
    page.wait_frame()
    tallies = page.js("return [...document.querySelectorAll('.tally')].map(e => e.textContent)")
    expect([tally[0] + tally[3:] for tally in tallies] == ["1 within limits", "1 no limit on the total"], f"counted: what lacks a limit is within none: {tallies}")
    click(page, ".benches tbody tr:nth-child(2) .link")
    expect(text(page, ".hero-limit") == "limit +1% (default)" and "+1% (default)" in text(page, "#limits"), f"counted: the limit that nobody stated: {text(page, '.hero-limit')}")
    quiet(page, "counted")

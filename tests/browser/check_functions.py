"""Checks of the table of functions."""
from reading import click, count, expect, focused, keys, rows, text, type_into

NAME_SHARE = ("return document.querySelector('.flat .fn').getBoundingClientRect().width /"
              "document.getElementById('flat').getBoundingClientRect().width")
HEADERS = "return [...document.querySelectorAll('.flat thead th')].map(e => e.textContent.replace(/[\\u25be\\u25b4]/, ''))"


def check_table(page):
    """Of the demo: 11 of 18 functions changed."""
    expect(rows(page)[0].startswith("skip_field"), f"demo: the largest change is first, not {rows(page)[0]}")
    expect(len(rows(page)) == 11 and "main" not in rows(page), f"demo: only what changed is shown: {rows(page)}")
    expect(text(page, "#filtered") == "11 of 18 functions changed, Ir", f"demo: {text(page, '#filtered')}")
    expect(page.js(HEADERS) == ["Function", "\u0394 self", "\u0394 incl.", "Calls", "Why"], f"demo: few columns at first: {page.js(HEADERS)}")
    for width in (1440, 1000):
        page.size(width)
        page.wait_frame()
        expect(page.js(NAME_SHARE) >= 0.4, f"demo: names have {page.js(NAME_SHARE):.0%} of the table at {width} px")
    page.size(1440)
    page.wait_frame()
    expect(page.js("return document.querySelector('.flat .name').title") == "skip_field\n/usr/local/bin/parser\nsrc/parser.c", "demo: its object and its file are in the tooltip")
    expect(not page.js("return document.querySelector('.flat .fn').textContent").count("parser.c"), "demo: and not in the table")
    check_every(page)
    check_columns(page)
    check_filter(page)
    check_table_keys(page)


def check_every(page):
    expect(text(page, "#every-row") == "Show 7 unchanged functions", f"demo: {text(page, '#every-row')}")
    click(page, "#every-row")
    expect(len(rows(page)) == 18 and text(page, "#every-row").startswith("Hide"), "demo: all functions")
    title = page.js("return [...document.querySelectorAll('.flat .name')].find(e => e.textContent === 'std::vector::push_back')?.title")
    expect((title or "").startswith("std::vector<std::pair<int, std::string>, std::allocator<"), f"demo: names are short, and whole in the tooltip: {title}")
    click(page, "#every-row")
    expect(len(rows(page)) == 11, "demo: those that changed again")


def check_columns(page):
    click(page, ".flat th:nth-child(1) button")
    names = rows(page)
    expect(names == sorted(names), "demo: sorted by name")
    expect(page.js("return document.querySelector('.flat th[aria-sort]').textContent").startswith("Function"), "demo: the order is marked")
    click(page, "#more-columns")
    expect(len(page.js(HEADERS)) == 11 and text(page, "#more-columns") == "Fewer columns", "demo: more columns")
    expect(rows(page) == names, "demo: more columns keep the order")
    for column in range(2, 12):
        click(page, f".flat th:nth-child({column}) button")
        expect(page.js("return document.querySelector('.flat th:nth-child(' + arguments[0] + ')').getAttribute('aria-sort')", column) is not None, f"demo: column {column} sorts")
    click(page, ".flat th:nth-child(5) button")
    click(page, "#more-columns")
    expect(len(page.js(HEADERS)) == 5 and rows(page)[0].startswith("skip_field"), "demo: without the column that it was sorted by, it is sorted by \u0394 self")


def check_filter(page):
    type_into(page, "#filter", "^m(alloc|ain)$")
    expect(len(rows(page)) == 2 and text(page, "#filtered") == "2 of 18 functions", f"demo: filtered to {rows(page)}, of all functions")
    type_into(page, "#filter", "libc.so.6")
    expect(len(rows(page)) == 4, f"demo: the object is searched, too: {rows(page)}")
    type_into(page, "#filter", "nothing has this name")
    expect("No function matches" in text(page, ".flat"), "demo: an empty table says so")
    type_into(page, "#filter", "")


def check_table_keys(page):
    page.js("document.getElementById('flat').focus()")
    page.key(*keys("END", "ARROW_UP", "ARROW_DOWN"))
    expect(page.js("return document.querySelector('.flat [aria-selected=true]')?.dataset.at") == "10", "demo: keys move in the table")
    expect(page.js("const t = document.getElementById('flat'); return document.getElementById(t.getAttribute('aria-activedescendant')).dataset.at") == "10", "demo: and are said to")
    expect(page.js("return [...document.querySelectorAll('.tag')].map(e => e.textContent).includes('moved')"), "demo: it is said how functions were matched")
    page.key(*keys("HOME", "ENTER"))
    expect(page.js("return document.activeElement.id") == "function-title", "demo: Enter opens the panel of the function")
    click(page, "#function-close")


STUCK = """const header = document.querySelector('.flat thead th').getBoundingClientRect(), bar = document.getElementById('bar').getBoundingClientRect();
return Math.abs(header.top - bar.bottom) < 1.5"""


def check_many(page, path):
    """Of 6,000 functions 25 are elements at first, 100 more at a time."""
    page.open(path)
    page.wait_frame()
    expect(len(rows(page)) == 25, f"big: {len(rows(page))} rows at first")
    expect(page.js("const e = document.querySelector('.flat-box'); return e.scrollHeight <= e.clientHeight + 1"), "big: the page scrolls, and not a box in it")
    page.js("document.getElementById('row-20').scrollIntoView({block: 'center'})")
    page.wait_frame()
    expect(page.js(STUCK), "big: the header stays below the bar")
    expect(text(page, "#more-rows").startswith("Show 100 more of"), f"big: {text(page, '#more-rows')}")
    click(page, "#more-rows")
    expect(len(rows(page)) == 125, f"big: {len(rows(page))} rows then")
    page.js("document.getElementById('flat').focus({preventScroll: true})")
    page.key(*keys("END", "ARROW_DOWN"))
    expect(page.js("return document.querySelector('.flat [aria-selected=true]').dataset.at") == "125" and len(rows(page)) > 200, "big: keys go on to rows that are not shown yet")
    seen = page.js("const r = document.querySelector('.flat [aria-selected=true]').getBoundingClientRect(); return r.top > 80 && r.bottom <= innerHeight")
    expect(seen, "big: the row that keys are at is in sight")
    page.key(*keys("HOME"))
    seen = page.js("return document.querySelector('.flat [aria-selected=true]').getBoundingClientRect().top >= document.querySelector('.flat thead th').getBoundingClientRect().bottom - 1")
    expect(seen, "big: and not below the header")
    page.size(360)
    page.wait_frame()
    expect(page.js("return document.querySelector('.flat').classList.contains('narrow')") and page.js("return document.documentElement.scrollWidth") <= 360, "big: rows are paragraphs on a phone")
    expect(count(page, ".flat.narrow td[data-label='\u0394 self']") > 0, "big: and numbers have titles there")
    page.size(1440)

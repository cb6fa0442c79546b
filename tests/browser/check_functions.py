"""Checks of the table of functions."""
from reading import click, count, expect, keys, rows, text, type_into


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

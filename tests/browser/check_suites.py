"""Checks of pages of several benchmarks, and of those without a base."""
import mock
from reading import choose, click, count, expect, fragment, quiet, rows, text


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


def check_single(page, path):
    page.open(path)
    page.wait_frame()
    expect(count(page, ".pill") == 0 and count(page, "#causes") == 0 and page.js("return document.querySelector('.tabs').hidden"), "single: nothing is compared")
    expect(rows(page, 2)[0].endswith("%"), "single: shares of the whole")
    quiet(page, "single")

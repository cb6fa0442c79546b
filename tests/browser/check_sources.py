"""Checks of the source panels."""
import time

from reading import count, expect, text


def check_sources(page):
    expect(count(page, ".source-side") == 2, "demo: the source of the first cause is open, on both sides")
    expect("+1,300,000" not in text(page, ".source-sides") and "+780,000" in text(page, ".source-sides"), "demo: lines have their difference")
    page.js("document.querySelectorAll('.source-block')[1].open = true")
    time.sleep(0.1)
    page.wait_frame()
    expect(count(page, ".source-side") == 4, "demo: another opens")

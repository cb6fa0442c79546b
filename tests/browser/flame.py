#!/usr/bin/env python3
"""Usage: flame.py ONE.svg DIFF.svg REVERSED.svg NARROW.svg

Drives the flame graphs of tests/browser/flame.sh in Chromium.
"""
import sys

sys.dont_write_bytecode = True
import browser  # noqa: E402

HOSTILE = "</title><script>alert(1)</script>"
failed = []


def expect(condition, words):
    if not condition:
        failed.append(words)
        print("FAIL: " + words)


FRAMES = """return [...document.querySelectorAll('#frames > g')].map((g) => {
    const r = g.querySelector('rect'), t = g.querySelector('title').textContent.split('\\n')[0];
    return [t, Number(r.getAttribute('x')), Number(r.getAttribute('y')), Number(r.getAttribute('width')),
            g.style.display !== 'none', g.querySelector('text').textContent, g.getAttribute('class')]; })"""


def frames(page):
    """name: (x, y, width, visible, label, colour)"""
    return {frame[0]: frame[1:6] + [frame[6].split()[0]] for frame in page.js(FRAMES)}


def click(page, name):
    page.js("[...document.querySelectorAll('#frames > g')].find((g) => g.querySelector('title').textContent.split('\\n')[0]"
            " === arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}))", name)
    page.wait_frame()


def detail(page):
    return page.js("return document.getElementById('detail').textContent")


def search(page, words):
    page.js("const e = document.querySelector('.search'); e.value = arguments[0];"
            "e.dispatchEvent(new Event('input', {bubbles: true}))", words)
    page.wait_frame()


def found(page):
    return page.js("return [...document.querySelectorAll('.found title')].map((t) => t.textContent.split('\\n')[0])")


def quiet(page, what):
    complaints, requests = page.complaints(), page.requests()
    expect(not complaints, f"{what}: the console says {complaints}")
    expect(not requests, f"{what}: asks for {requests}")


def check_one(page, path):
    page.open(path)
    page.wait_frame()
    all_frames = frames(page)
    expect(set(all_frames) >= {"all", "main", "scan", "grow", HOSTILE}, f"one: {list(all_frames)}")
    widths = {name: frame[2] for name, frame in all_frames.items()}
    # main 18,000 of 18,000: scan 17,500, grow 2,500, the hostile one 9,000.
    expect(abs(widths["scan"] / widths["main"] - 17500 / 18000) < 0.001, f"one: the width of scan is {widths}")
    expect(abs(widths["grow"] / widths["main"] - 2500 / 18000) < 0.001, f"one: the width of grow is {widths}")
    # What is in brackets looks like template arguments and parameters, which its title has.
    expect(all_frames[HOSTILE][4] == "</title>alert", f"one: markup is a name, not {all_frames[HOSTILE][4]}")
    for name, (_, _, width, _, label, _) in all_frames.items():
        expect(len(label) * 7.25 <= width, f"one: '{label}' is wider than the frame of {name}")
        expect(len(label) != 1 and "…" not in label[:-1], f"one: {name} is cut at its end: {label}")
    expect(all(frame[3] for frame in all_frames.values()), "one: all frames are seen at first")
    quiet(page, "one")


def check_zoom(page):
    before = frames(page)
    full = before["all"][2]
    click(page, "grow")
    after = frames(page)
    expect(abs(after["grow"][2] - full) < 0.1, f"zoom: grow is as wide as the picture: {after['grow']}")
    expect(after["scan"][3] and abs(after["scan"][2] - full) < 0.1, "zoom: its callers are, too")
    expect(not after[HOSTILE][3], "zoom: what is beside it is not seen")
    click(page, "grow")
    expect(frames(page) == before, "zoom: a second click shows all again")
    click(page, HOSTILE)
    long_name = next(name for name in before if name.startswith("std::map"))
    label = frames(page)[long_name][4]
    expect(before[long_name][4] == "find_the_oldest_of_all_records_aft…", f"zoom: a long name is cut: {before[long_name][4]}")
    expect(label == "std::map::find_the_oldest_of_all_records_after", f"zoom: all of its short name is seen: {label}")
    expect(before["all"][4] == "all", "zoom: the whole is named")
    page.key("\ue00c")  # Esc
    expect(frames(page) == before, "zoom: Esc shows all again")


def check_search(page):
    search(page, "^(scan|GROW)$")
    expect(sorted(found(page)) == ["grow", "scan"], f"search: {found(page)}")
    expect(detail(page) == "matches: 97.22 % of the width", f"search: what is in a match counts once: {detail(page)}")
    search(page, "(")
    expect(found(page) == [] and "not a valid regular expression" in detail(page), f"search: an error is said: {detail(page)}")
    search(page, "")
    expect(found(page) == [] and detail(page) == "", "search: nothing is nothing")
    page.js("document.activeElement?.blur()")
    page.key("/")
    expect(page.js("return document.activeElement.className") == "search", "search: / goes there")


def check_details(page):
    page.js("document.querySelectorAll('#frames > g')[2].dispatchEvent(new MouseEvent('mouseenter'))")
    words = detail(page)
    expect(words.startswith("scan") and "17,500 (97.22%)" in words and "10 calls" in words, f"details: {words}")


def check_diff(page, path):
    page.open(path)
    page.wait_frame()
    seen = frames(page)
    expect(seen["scan"][5] == "s5", f"diff: what got slower is the strongest: {seen['scan']}")
    expect(seen[HOSTILE][5] == "same", f"diff: what did not change: {seen[HOSTILE]}")
    marks = page.js("return ['new', 'gone'].map((c) => [...document.querySelectorAll('#frames .' + c)].map((r) => getComputedStyle(r).fill))")
    expect(marks[0] and all("#new" in fill for fill in marks[0]), f"diff: new is hatched: {marks}")
    for name in ("main", "all"):
        expect(seen[name][5] == "s5", f"diff: the colour of {name} leads there: {seen[name]}")
    fills = page.js("return ['s5', 'same'].map((c) => getComputedStyle(document.querySelector('.' + c + ' > rect')).fill)")
    page.dark(True)
    dark = page.js("return ['s5', 'same'].map((c) => getComputedStyle(document.querySelector('.' + c + ' > rect')).fill)")
    page.dark(False)
    expect(len(set(fills)) == 2 and len(set(dark)) == 2 and not set(fills) & set(dark), f"diff: colours follow the theme: {fills} {dark}")
    quiet(page, "diff")


def check_reversed(page, path):
    page.open(path)
    page.wait_frame()
    top = min(frame[1] for frame in page.js(FRAMES) and frames(page).values())
    rows = page.js(FRAMES)
    first = {frame[0] for frame in rows if abs(frame[2] - top - 18) < 1}
    expect({"scan", HOSTILE, "main"} <= first, f"reversed: who spends it is on top: {first}")
    expect(any(frame[0] == "main" and frame[2] > top + 19 for frame in rows), "reversed: callers are below")
    quiet(page, "reversed")


def check_inside(page, path):
    """No text leaves the picture, or reaches the field for searching."""
    page.open(path)
    page.wait_frame()
    ends = page.js("""return [...document.querySelectorAll('svg > text, #key text')].map((t) => {
        const box = t.getBBox(), whole = t.querySelector('title');
        return [t.getAttribute('class') ?? t.id, box.x + box.width, whole ? whole.textContent : '']; })""")
    width = page.js("return document.documentElement.viewBox.baseVal.width")
    field = page.js("return Number(document.querySelector('foreignObject').getAttribute('x'))")
    for name, end, _ in ends:
        expect(end <= (field if name == "title" else width), f"inside: {name} ends at {end} of {width}")
    whole = {name: text for name, _, text in ends}
    expect("7" in whole["facts"] and whole["facts"].count("0") > 198, f"inside: all of the facts is a tooltip: {whole}")
    expect(whole["title"].startswith("a-profile-with-a-name-that-is-much"), f"inside: and of the title: {whole}")
    quiet(page, "narrow")


def main(one, diff, reverse, narrow):
    browser.require()
    with browser.start() as page:
        page.size(1280)
        check_one(page, one)
        check_zoom(page)
        check_search(page)
        check_details(page)
        quiet(page, "after all")
        check_diff(page, diff)
        check_reversed(page, reverse)
        check_inside(page, narrow)
    print(f"flame graphs: {len(failed)} failures")
    return bool(failed)


sys.exit(main(*sys.argv[1:]))

"""Checks of the source panels."""
import time

from reading import CONTRAST, count, expect, keys, quiet, text

OPEN = "return [...document.querySelectorAll('.source-block[open] > summary .name')].map(e => e.title)"
# Of the open panel: what is marked, as "+ code" and "− code".
MARKS = ("return [...document.querySelectorAll('.source-block[open] td.mark')].filter(e => e.textContent)"
         ".map(e => e.textContent + ' ' + e.nextElementSibling.textContent.trim())")
SEEN = """const box = document.querySelector('.source-block[open] .source-box'), area = box.getBoundingClientRect();
const rows = [...box.querySelectorAll('tbody tr')].filter(tr => { const r = tr.getBoundingClientRect(); return r.bottom > area.top + 20 && r.top < area.bottom; });
return rows.map(tr => tr.querySelector('td.code.head').textContent.trim())"""
WORDS = """const kind = arguments[0];
const block = [...document.querySelectorAll('.source-block')].find(e => e.querySelector('.name').title === arguments[1]);
return [...block.querySelectorAll('.code-' + kind)].map(e => e.textContent)"""


WRAPPED_NUMBERS = """return [...document.querySelectorAll('.source-block[open] :is(td, th).lineno')].filter(e => {
    const range = document.createRange(), box = e.getBoundingClientRect();
    range.selectNodeContents(e);
    const lines = [...range.getClientRects()];
    return lines.length > 1 || lines.some(r => r.left < box.left || r.right > box.right + 0.5);
}).map(e => e.textContent)"""


def open_only(page, name):
    page.js("document.querySelectorAll('.source-block').forEach(e => { e.open = e.querySelector('.name').title === arguments[0]; })", name)
    time.sleep(0.1)
    page.wait_frame()


def check_sources(page):
    """Of the demo: the function whose source was asked for first is not the one that changed most."""
    expect(page.js(OPEN) == ["skip_field"], f"demo: the source with the largest change is open: {page.js(OPEN)}")
    heads = page.js("return [...document.querySelectorAll('.source-change')].map(e => e.textContent)")
    expect(heads[1] == "\u0394 self +36,000,000 Ir (98.3% of the change)", f"demo: a panel says the change and its share: {heads[1]}")
    expect("its calls \u22123,480,000 (\u22129.51%)" in heads[0], f"demo: and that of its calls: {heads[0]}")
    open_only(page, "parse_record")
    expect("+780,000" in text(page, ".source-block[open]"), "demo: lines have their difference")
    page.js("document.querySelectorAll('.source-block')[1].open = true")
    time.sleep(0.1)
    page.wait_frame()
    expect(count(page, ".source") == 2, "demo: another opens")


def check_code(page, path):
    page.open(path)
    page.wait_frame()
    expect(page.js(OPEN) == ["long"], f"code: the panel with the largest change is open: {page.js(OPEN)}")
    seen = page.js(SEEN)
    expect("work(1);" not in seen and any("it costs more" in line for line in seen), f"code: the view begins at the change: {seen}")
    marks = page.js(MARKS)
    expect([mark[:16] for mark in marks] == ["\u2212 if (a) { /* it", "+ if (a) { /* it", "\u2212 gone();", "+ * and more */ ", "+ is_new();"],
           f"code: edited lines are marked, and no others: {marks}")
    expect(count(page, ".elsewhere") == 0, "code: the lines are the whole change")
    check_wrapped(page)
    check_unlisted(page)
    check_machine_code(page)
    check_huge(page)
    check_colours_of_code(page)
    quiet(page, "code")


def check_wrapped(page):
    wide = page.js("const b = document.querySelector('.source-block[open] .source-box'); return b.scrollWidth - b.clientWidth")
    expect(wide <= 0, f"code: long lines wrap: {wide} px too wide")
    tops = page.js("""return [...document.querySelectorAll('.source-block[open] tbody tr:not(.gap)')].every(tr =>
        Math.abs(tr.querySelector('.code.base').getBoundingClientRect().top - tr.querySelector('.code.head').getBoundingClientRect().top) < 1)""")
    expect(tops, "code: base and head stay beside each other")
    height = page.js("return Math.max(...[...document.querySelectorAll('.source-block[open] td.code.base')].map(e => e.offsetHeight))")
    expect(height > 50, f"code: the long line has several rows ({height} px)")
    page.size(800)
    page.wait_frame()
    same = page.js("const tr = document.querySelector('.source-block[open] tr.same'); return getComputedStyle(tr.querySelector('.code.base')).display")
    expect(same == "none", "code: where there is little room, a line that is the same is there once")
    page.size(1440)
    page.wait_frame()


def check_unlisted(page):
    """That a line is not listed in base does not mean that it is not in base."""
    open_only(page, "small")
    expect("not_listed_in_base();" in text(page, ".source-block[open]") and page.js(MARKS) == [], f"code: what may be in base is not marked: {page.js(MARKS)}")
    expect((text(page, ".source-block[open] .elsewhere") or "").startswith("Not in these lines: +430 Ir"), f"code: what the lines leave out: {text(page, '.elsewhere')}")


def check_machine_code(page):
    """It is drawn when it is opened, also by a key, and fits a phone."""
    expect(count(page, ".machine-code") == 1 and count(page, ".code-table") == 0, "code: machine code is there, and closed")
    summary = text(page, ".machine-code > summary")
    expect("base 501 Ir in 4 instructions, vector 59.9%" in summary and "head 1,721 Ir in 5 instructions, vector 0%" in summary, f"code: what it executes: {summary}")
    page.js("document.querySelector('.machine-code > summary').focus()")
    page.driver.switch_to.active_element.send_keys(*keys("ENTER"))
    page.wait_frame()
    cells = page.js("return [...document.querySelectorAll('.code-table tbody tr')].map(tr => [...tr.cells].map(td => td.textContent).join('|'))")
    expect(cells == ["1|1|||xorps xmm1, xmm1|code.c:1", "\u22ef", "300||\u2212300|\u2212|movups xmm0, xmmword ptr [rdi]|code.c:5 (scale)",
                     "|1,200|+1,200|+|movss xmm0, dword ptr [rdi]|code.c:5 (scale)", "100|400|+300|~|cmp rdi, rdx|code.c:9",
                     "100|100|||jne 0x1120jumped 99 of 100 times in base, jumped 50 of 100 times in head|code.c:9", "|20|+20|+|je 0x1180jumped 0 of 20 times|code.c:9", "||||(not kept)|"],
           f"code: instructions with their costs: {cells}")
    expect("Only the costliest instructions" in text(page, ".machine-code"), "code: what was left out is said")
    for width, dark in ((1440, False), (390, True)):
        page.size(width)
        page.dark(dark)
        page.wait_frame()
        wide = page.js("const b = document.querySelector('.machine-code .source-box'); return b.scrollWidth - b.clientWidth")
        expect(wide <= 0, f"code: at {width} px, machine code is {wide} px too wide")
        beside = page.js("const right = e => e.getBoundingClientRect().right; return [...document.querySelectorAll('.source-change')].filter(e => e.offsetParent && right(e) > right(e.closest('.source-block'))).length")
        expect(beside == 0, f"code: at {width} px, {beside} headings of panels are cut")
        expect(page.js(CONTRAST) == [], f"code: at {width} px, too little contrast: {page.js(CONTRAST)}")
    seen = page.js("return [...document.querySelectorAll('.code-table tbody tr:nth-child(3) td')].filter(e => e.offsetParent).map(e => e.textContent)")
    expect(seen == ["\u2212300", "\u2212", "movups xmm0, xmmword ptr [rdi]"], f"code: on a phone: {seen}")
    page.size(1440)
    page.dark(False)
    page.wait_frame()


def check_huge(page):
    """Two edits with more than a thousand lines between them."""
    open_only(page, "huge")
    expect(page.js(MARKS) == ["\u2212 call_10(1);", "+ call_10(2);", "+ added();", "\u2212 call_1200(1);", "+ call_1200(2);"], f"code: lines between edits are matched: {page.js(MARKS)[:5]}")
    for width in (900, 390, 1440):
        page.size(width)
        page.wait_frame()
        wrapped = page.js(WRAPPED_NUMBERS)
        expect(wrapped == [], f"code: at {width} px, line numbers are in one line, within their column: {wrapped[:3]}")


def check_colours_of_code(page):
    page.js("document.querySelectorAll('.source-block').forEach(e => { e.open = true; })")
    time.sleep(0.1)
    page.wait_frame()
    for kind, name, expected in (("comment", "code.rs", ['// the "end"']), ("string", "code.rs", ["'\\n'"]), ("keyword", "code.rs", ["fn", "let"]),
                                 ("string", "code.py", ['"""Says', "    what if does.", '    """', "'if'"]), ("comment", "code.py", ["# for"]),
                                 ("keyword", "code.py", ["def", "return"]), ("string", "code.js", ["`one", "if two`"]), ("number", "code.js", ["0x1F"]),
                                 ("comment", "code.js", ["// `"]), ("number", "code.go", ["1_000"]), ("comment", "code.cpp", ["of a comment that began earlier */"]),
                                 ("keyword", "code.cpp", ["template", "typename", "return"]), ("number", "code.cpp", ["2.5e3"]), ("keyword", "code.txt", [])):
        expect(page.js(WORDS, kind, name) == expected, f"code: each {kind} of {name}: {page.js(WORDS, kind, name)}")
    comments = page.js(WORDS, "comment", "long")
    expect("/* it costs more" in comments and "\t\t * and more */" in comments, f"code: a comment goes on: {comments}")
    for dark in (True, False):
        page.dark(dark)
        page.wait_frame()
        expect(page.js(CONTRAST) == [], f"code: too little contrast: {page.js(CONTRAST)}")

"""What checks of the page share: reading it, doing what a person does, and collecting failures."""
import contextlib


class Failures(list):
    def expect(self, condition, words):
        if not condition:
            self.append(words)
            print("FAIL: " + words)
        return condition

    @contextlib.contextmanager
    def during(self, what):
        """What goes wrong inside is a failure of `what`, and the others go on."""
        try:
            yield
        except Exception as error:  # whatever the driver raises
            self.expect(False, f"{what}: {type(error).__name__}: {error}")


failures = Failures()
expect = failures.expect


# ---- reading the page ----

def text(page, selector):
    return page.js("return document.querySelector(arguments[0])?.textContent ?? null", selector)


def count(page, selector):
    return page.js("return document.querySelectorAll(arguments[0]).length", selector)


def click(page, selector):
    page.js("document.querySelector(arguments[0]).click()", selector)
    page.wait_frame()


def type_into(page, selector, words):
    page.js("const e = document.querySelector(arguments[0]); e.value = arguments[1];"
            "e.dispatchEvent(new Event('input', {bubbles: true}))", selector, words)
    page.wait_frame()


def choose(page, selector, index):
    page.js("const e = document.querySelector(arguments[0]); e.selectedIndex = arguments[1];"
            "e.dispatchEvent(new Event('change', {bubbles: true}))", selector, index)
    page.wait_frame()


def fragment(page):
    return page.js("return Object.fromEntries(new URLSearchParams(location.hash.slice(1)))")


def focus_flame(page):
    page.js("const f = document.getElementById('flame'); f.scrollIntoView({block: 'center'}); f.focus({focusVisible: true})")
    page.wait_frame()


def focused(page):
    return page.js("const f = document.getElementById('flame-focus'); return f.hidden ? null : f.getAttribute('aria-label')")


def click_flame(page, x, row):
    """A click of the mouse on a row of the flame graph, `x` of its width from the left."""
    page.js("document.getElementById('flame').scrollIntoView({block: 'center'})")
    spot = page.js("const b = document.querySelector('.flame-space').getBoundingClientRect();"
                   "const rows = Number(document.getElementById('flame').dataset.row);"
                   "return [b.left + arguments[0] * b.width, b.top + (arguments[1] + 0.5) * rows]", x, row)
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        page.cdp("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="none" if kind == "mouseMoved" else "left", clickCount=1)
    page.wait_frame()


def pixels(page):
    """The colours of the flame graph, as a text that differs when it does."""
    return page.js("return document.querySelector('.flame-canvas').toDataURL()")


def rows(page, column=0):
    return page.js("return [...document.querySelectorAll('.flat tbody tr[data-at]')].map(tr => tr.children[arguments[0]].textContent)", column)


def quiet(page, name):
    for complaint in page.complaints():
        expect(False, f"{name}: the console says: {complaint}")
    for url in page.requests():
        expect(False, f"{name}: it asked for {url}")


def keys(*names):
    from selenium.webdriver.common.keys import Keys
    return [getattr(Keys, key) for key in names]


# Texts that have less contrast with what is behind them than WCAG AA wants.
CONTRAST = """
const luminance = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
	return [...canvas.getImageData(0, 0, 1, 1).data]; };
const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c; }
	return rgb(getComputedStyle(document.documentElement).colorScheme === "dark" ? "#14171b" : "#fff"); };
const bad = new Set();
for (const e of document.querySelectorAll("body *")) {
	if (!e.offsetParent || e.disabled || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
	const a = luminance(rgb(getComputedStyle(e).color).slice(0, 3)), b = luminance(behind(e).slice(0, 3));
	const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
	if (ratio < 4.5) bad.add(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
}
return [...bad];
"""

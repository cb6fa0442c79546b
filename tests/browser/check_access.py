"""The page with a keyboard, for who hears it, and with enough contrast: what WCAG 2 AA asks of it."""
import pathlib

from reading import CONTRAST, click, expect, focus_flame, keys, quiet, text

PAGE = pathlib.Path(__file__).resolve().parents[2] / "data/page"
CONTROLS = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "tab", "slider", "tree", "treeitem", "DisclosureTriangle", "grid", "region"}

# Fills of frames whose label has less contrast than 4.5, and colours of frames that the page's own is too close to.
PALETTE = """
const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const luminance = (color) => { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
	const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data; return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
const ratio = (a, b) => { const x = luminance(a), y = luminance(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
return Object.entries(PALETTES).flatMap(([theme, palette]) => {
	const groups = GROUP_HUES.flatMap((hue) => [0, 1, 2].map((k) => palette.group(hue, k)));
	const fills = [...palette.regressed, ...palette.improved, palette.same, palette.rest, palette.others(0), palette.others(2), ...groups];
	return fills.map(({ fill, text }) => [`${theme} ${text} on ${fill}`, ratio(fill, text)]).concat([[`${theme} focus`, ratio(palette.focus, palette.page) * 1.5]]);
}).filter(([, value]) => value < 4.5);
"""


def check_palettes(page):
    """What a canvas shows has no styles to be asked for: its colours are taken from the script."""
    page.driver.get("about:blank")
    bad = page.js((PAGE / "colors.js").read_text() + PALETTE)
    expect(bad == [], f"access: labels of frames have too little contrast: {bad}")


def check_names(page, where):
    nodes = page.cdp("Accessibility.getFullAXTree")["nodes"]
    unnamed = [node["role"]["value"] for node in nodes if not node.get("ignored") and node.get("role", {}).get("value") in CONTROLS
               and not node.get("name", {}).get("value", "").strip()]
    expect(any(node.get("role", {}).get("value") == "tree" for node in nodes), f"access: {where}: the flame graph is a tree for who hears it")
    expect(unnamed == [], f"access: {where}: without a name: {unnamed}")


def check_contrast(page, where):
    for dark in (False, True):
        page.dark(dark)
        page.wait_frame()
        bad = page.js(CONTRAST)
        expect(bad == [], f"access: {where}, {'dark' if dark else 'light'}: too little contrast: {bad}")
    page.dark(False)


def check_tabbing(page):
    """Every control that is seen gets the focus by Tab, once, and shows it."""
    page.js("document.activeElement?.blur(); scrollTo(0, 0)")
    wanted = page.js("return [...document.querySelectorAll('button, input, select, summary, [tabindex=\"0\"]')].filter(e =>"
                     "e.checkVisibility({ visibilityProperty: true }) && !e.disabled && e.tabIndex >= 0).length")
    seen, hidden = 0, []
    for _ in range(3 * wanted + 20):
        page.key(*keys("TAB"))
        state = page.js("const e = document.activeElement; if (!e || e === document.body) return null;"
                        "const first = !e.dataset.seen; e.dataset.seen = 1; const s = getComputedStyle(e);"
                        "return [first, e.matches('.skip, main'), s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1, e.id || e.className || e.tagName]")
        if state is None or not state[0]:
            break
        if not state[1]:
            seen += 1
        if not state[2]:
            hidden.append(state[3])
    expect(seen == wanted, f"access: Tab reaches {seen} of {wanted} controls")
    expect(hidden == [], f"access: the focus cannot be seen on {hidden}")


def check_access(page, path):
    check_palettes(page)
    page.open(path)
    page.wait_frame()
    check_names(page, "first screen")
    check_contrast(page, "first screen")
    check_tabbing(page)
    focus_flame(page)
    page.key(*keys("HOME", "ARROW_DOWN", "ARROW_DOWN", "SPACE"))
    page.js("document.getElementById('about').open = true; document.getElementById('graph-options').open = true")
    page.wait_frame()
    expect(text(page, "#function-title"), "access: the panel of a function is open")
    check_names(page, "everything open")
    check_contrast(page, "everything open")
    click(page, "#function-close")
    quiet(page, "access")

#!/usr/bin/env python3
"""Usage: shots.py OUT-DIRECTORY PAGE.html[#FRAGMENT]...

Pictures of pages in three widths, light and dark, for a person to look at.
"""
import pathlib
import sys

sys.dont_write_bytecode = True
import browser  # noqa: E402

if len(sys.argv) < 3:
    sys.exit(__doc__)
browser.require()
out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
with browser.start() as page:
    for argument in sys.argv[2:]:
        path, _, fragment = argument.partition("#")
        for width in (1440, 800, 360):
            page.size(width)
            for theme in ("light", "dark"):
                page.dark(theme == "dark")
                page.open(path, "#" + fragment if fragment else "")
                page.wait_frame()
                name = f"{pathlib.Path(path).stem}-{width}-{theme}.png"
                page.screenshot(out / name)
        for complaint in page.complaints():
            print(f"{argument}: {complaint}")

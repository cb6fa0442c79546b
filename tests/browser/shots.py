#!/usr/bin/env python3
"""Usage: shots.py [--whole] OUT-DIRECTORY PAGE.html[#FRAGMENT]...

Pictures of the first screen of pages, or of --whole pages, on a desktop, a tablet and a phone, light
and dark, for a person to look at.
"""
import pathlib
import sys

sys.dont_write_bytecode = True
import browser  # noqa: E402

SCREENS = ((1440, 900), (1024, 768), (390, 844))

whole = "--whole" in sys.argv
arguments = [argument for argument in sys.argv[1:] if argument != "--whole"]
if len(arguments) < 2:
    sys.exit(__doc__)
browser.require()
out = pathlib.Path(arguments[0])
out.mkdir(parents=True, exist_ok=True)
with browser.start() as page:
    for argument in arguments[1:]:
        path, _, fragment = argument.partition("#")
        for width, height in SCREENS:
            page.size(width, height)
            for theme in ("light", "dark"):
                page.dark(theme == "dark")
                page.open(path, "#" + fragment if fragment else "")
                page.wait_frame()
                name = f"{pathlib.Path(path).stem}-{width}-{theme}.png"
                page.screenshot(out / name, whole)
        for complaint in page.complaints():
            print(f"{argument}: {complaint}")

#!/usr/bin/env python3
"""Usage: data/demo/pictures.py [DIRECTORY]

Makes the picture of README.md from what the demo really says: report.png, the first screen of the page.
Chromium must be installed. IRDIFF is the program to use, `irdiff` of the PATH if not set.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        sys.exit("Chromium is not installed")
    with tempfile.TemporaryDirectory(prefix="irdiff-") as scratch:
        demo = os.path.join(scratch, "demo")
        subprocess.run([HERE / "run", demo], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([chromium, "--headless", "--no-sandbox", "--hide-scrollbars", "--disable-gpu",
                        "--window-size=1280,700", f"--user-data-dir={scratch}/browser",
                        "--virtual-time-budget=4000", f"--screenshot={out.resolve()}/report.png",
                        f"file://{demo}/report.html"], check=True, stderr=subprocess.DEVNULL)


main()

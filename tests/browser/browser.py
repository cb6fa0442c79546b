"""Chromium without a window, without a network, and without anything that it remembers."""
import contextlib
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

DRIVER, CHROMIUM = "/usr/bin/chromedriver", "/usr/bin/chromium"
if not shutil.which(CHROMIUM) and shutil.which("/usr/bin/chromium-browser"):
    CHROMIUM = "/usr/bin/chromium-browser"  # as Fedora calls it
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage")


def skip(reason):
    print("SKIP: all of it: " + reason)
    sys.exit(77)


def require():
    """Skips the test, in one line, where it cannot run."""
    try:
        import selenium.webdriver  # noqa: F401
    except ImportError:
        skip("python3 has no module selenium (apt-get install python3-selenium)")
    try:
        socket.getaddrinfo("localhost", 80)
    except OSError:
        skip("localhost, where the browser is spoken to, has no address (/etc/hosts)")
    for path, package in ((CHROMIUM, "chromium"), (DRIVER, "chromium-driver")):
        if not shutil.which(path):
            skip(f"{path} is missing (apt-get install {package})")


def refusal():
    """Why Chromium does not show an empty page, whoever asks; None if it does."""
    try:
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "about:blank"],
                              capture_output=True, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as e:
        return str(e)
    if done.returncode == 0 and b"<html" in done.stdout:
        return None
    said = done.stderr.decode(errors="replace").split("\n")
    return next((line for line in said if line.strip()), f"it ends with {done.returncode}")


class Browser:
    """A page that is open, and what a test wants to know about it."""

    def __init__(self, driver):
        self.driver = driver

    def size(self, width, height=900):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=False)

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def dark(self, on):
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def open(self, path, fragment=""):
        self.driver.get("about:blank")
        self.driver.get(pathlib.Path(path).resolve().as_uri() + fragment)

    def js(self, body, *arguments):
        return self.driver.execute_script(body, *arguments)

    def wait_frame(self):
        """Until what was asked for has been drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));")

    def key(self, *keys):
        from selenium.webdriver import ActionChains
        ActionChains(self.driver).send_keys(*keys).perform()
        self.wait_frame()

    def screenshot(self, path, whole=True):
        import base64
        shot = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def busy(self):
        """Seconds of the processor that the page has had so far; how busy the machine is does not matter."""
        metrics = self.cdp("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    def complaints(self):
        """What the console and the security policy had to say since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The addresses of all requests since the last call, but that of the page itself."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        urls = [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith(("file:", "data:", "about:"))]


@contextlib.contextmanager
def start():
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
    profile = tempfile.mkdtemp(prefix="irdiff-browser.")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS + (f"--user-data-dir={profile}",):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = None
    try:
        try:
            driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        except WebDriverException:
            why = refusal()
            if why:
                skip("Chromium does not work on this machine: " + why)
            raise
        driver.set_page_load_timeout(300)
        driver.set_script_timeout(300)
        page = Browser(driver)
        # No window manager gives the window the focus: without it no element is told that it has it.
        page.cdp("Emulation.setFocusEmulationEnabled", enabled=True)
        page.cdp("Performance.enable", timeDomain="threadTicks")
        driver.get("about:blank")
        page.complaints(), page.requests()  # those of the page that a new window shows
        yield page
    finally:
        if driver:
            driver.quit()
        shutil.rmtree(profile, ignore_errors=True)

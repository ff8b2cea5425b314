"""Look at the HTML report in headless Chromium, and take the pictures of the documentation.

    python tools/browser.py [--pictures]

The report is that of two examples and of a function with an undecided branch. In each page, and in light and dark:
no message on the console, no request beyond the report's folder, no violation of axe-core's rules. Keys, filters and
sorting do what the pages say. ``--pictures`` writes ``docs/images``.

Chromium is the one that ``$CHROMIUM`` names, or the one on the ``PATH``. Without either, it comes from the npm
registry, pinned by version and checked by sha256; so does axe-core. That needs ``npm``, and x86-64.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "images"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "zeroin-browser"
PACKAGES = {  # name: version, sha256 of the package
    "@sparticuz/chromium": ("153.0.0", "20e5656fcdcf4118ede85edfb9d6bb9cc1bbb7ffb8b75622fffbcf36a835c3c0"),
    "axe-core": ("4.11.0", "39bed7d72308f6d620789c169d699bfd7e8da80f65b545821a6b2215c3e83107"),
}
HARD = """\
import zlib


def checksum(n: int, limit: int) -> bool:
    if n > limit:
        if zlib.crc32(str(n).encode()) == 77:
            return True
    return 1 // (n - 4096) == limit
"""


def package(name: str) -> Path:
    """Return the folder of an npm package, fetched at the first use."""
    version, digest = PACKAGES[name]
    folder = CACHE / f"{name.strip('@').replace('/', '-')}-{version}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory() as temporary:
            subprocess.run(["npm", "pack", "--silent", f"{name}@{version}"], cwd=temporary, check=True,
                           stdout=subprocess.DEVNULL)  # fmt: skip
            (archive,) = Path(temporary).glob("*.tgz")
            if hashlib.sha256(archive.read_bytes()).hexdigest() != digest:
                raise SystemExit(f"{name} {version} is not the package that this script knows")
            with tarfile.open(archive) as packed:
                packed.extractall(Path(temporary) / "here", filter="data")
            CACHE.mkdir(parents=True, exist_ok=True)
            shutil.move(Path(temporary) / "here" / "package", folder)
    return folder


def chromium() -> tuple[str, dict[str, str]]:
    """Return the path of Chromium, and the environment that it needs."""
    there = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if there:
        return there, dict(os.environ)
    import brotli

    packed, folder = package("@sparticuz/chromium") / "bin", CACHE / "chromium"
    if not (folder / "chromium").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("al2023", "swiftshader"):
            with tarfile.open(
                fileobj=io.BytesIO(brotli.decompress((packed / f"{name}.tar.br").read_bytes()))
            ) as libraries:
                libraries.extractall(folder, filter="data")
        program = folder / "chromium.new"
        program.write_bytes(brotli.decompress((packed / "chromium.br").read_bytes()))
        program.chmod(0o755)
        program.rename(folder / "chromium")
    return str(folder / "chromium"), {**os.environ, "LD_LIBRARY_PATH": f"{folder / 'lib'}:{folder}"}


def report(folder: Path) -> Path:
    """Write the report of the examples; return its folder."""
    for name in ("orbit.py", "kepler.c"):
        shutil.copy(ROOT / "examples" / name, folder)
    (folder / "hard.py").write_text(HARD)
    files = ["orbit.py", "kepler.c", "hard.py"]
    subprocess.run([sys.executable, "-m", "zeroin", "cover", *files, "--quiet", "--budget", "2", "--html", "report"],
                   cwd=folder, check=False, stdout=subprocess.DEVNULL)  # fmt: skip
    return folder / "report"


@contextmanager
def browser(folder: Path) -> Iterator[Any]:
    """Yield a function that opens a page: ``open(file, dark=False) -> Page``. Messages and requests are checked."""
    program, environment = chromium()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"],
                                             env=environment)  # fmt: skip

        def open_page(file: str, dark: bool = False, width: int = 1100) -> Page:
            page = running.new_page(color_scheme="dark" if dark else "light", viewport={"width": width, "height": 800},
                                    device_scale_factor=1)  # fmt: skip
            page.on("console", lambda message: fail(f"{file}: console: {message.text}"))
            page.on("pageerror", lambda error: fail(f"{file}: {error}"))
            page.on("request", lambda request: check(is_own(request.url), f"{file}: asks for {request.url}"))
            page.goto(f"file://{folder / file}")
            return page

        def is_own(url: str) -> bool:
            return url.startswith((f"file://{folder}/", "data:"))

        try:
            yield open_page
        finally:
            running.close()


_failures = list[str]()


def fail(what: str) -> None:
    print(f"FAILED {what}")
    _failures.append(what)


def check(holds: bool, what: str) -> None:
    if not holds:
        fail(what)


def rules(page: Page, name: str) -> None:
    """Check the rules of axe-core: contrast, headings, labels, ..."""
    page.add_script_tag(path=package("axe-core") / "axe.min.js")
    for violation in page.evaluate("axe.run({preload: false})")["violations"]:
        where = "; ".join(str(node["target"]) for node in violation["nodes"][:3])
        fail(f"{name}: {violation['id']}: {violation['help']}: {where}")


def look(folder: Path) -> None:
    """Check all pages, and what happens when a person uses them."""
    files = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*.html"))]
    with browser(folder) as open_page:
        for file in files:
            for dark in (False, True):
                page = open_page(file, dark)
                rules(page, f"{file}{' (dark)' * dark}")
                wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
                check(not wide, f"{file}: is wider than the window")
                page.close()
        page = open_page("index.html")
        shown = page.locator("[data-functions] tbody tr:visible")
        every = shown.count()
        page.get_by_role("button", name="Undecided", exact=True).first.click()
        check(shown.count() == 1, "the filter shows the function with an undecided branch")
        page.get_by_role("button", name="All", exact=True).click()
        page.get_by_role("searchbox").fill("kep")
        check(0 < shown.count() < every, "the search field selects by name")
        page.get_by_role("searchbox").fill("")
        head = page.locator("[data-functions] th", has_text="Branches")
        for direction, reverse in (("ascending", False), ("descending", True)):
            head.get_by_role("button").press("Enter")
            numbers = [int(text) for text in page.locator("[data-functions] tbody td:nth-child(3)").all_inner_texts()]
            check(numbers == sorted(numbers, reverse=reverse), f"a heading sorts {direction}")
            check(head.get_attribute("aria-sort") == direction, f"a heading tells that it sorts {direction}")
        page = open_page("sources/hard.py.html")
        for key, state in (("n", "undecided"), ("p", "undecided"), ("f", "finding")):
            page.keyboard.press(key)
            row = page.evaluate("document.activeElement.className")
            check(state in row, f"{key} goes to the next line that is {state}")
        page.keyboard.press("i")
        page.wait_for_url("**/index.html")
        page = open_page("sources/orbit.py.html")
        page.locator("a[href*='#input-']").first.click()
        check(page.locator("tr:target").count() == 1, "a link leads to the input")
        page.emulate_media(media="print")
        check(not page.locator("nav").is_visible(), "the navigation is not printed")


def photograph(folder: Path) -> None:
    """Take the pictures of the documentation."""
    PICTURES.mkdir(exist_ok=True)
    with browser(folder) as open_page:
        for name, file, dark, first, last in (
            ("report-index", "index.html", False, "h1", ".findings"),
            ("report-source", "sources/orbit.py.html", False, "#L17", "#L34"),
            ("report-function", "functions/checksum.html", True, "h1", "figure"),
            ("report-plot", "functions/solve_kepler.html", False, "figure", "figure"),
        ):
            page = open_page(file, dark, 1000)
            top, bottom = (page.locator(where).first.bounding_box() for where in (first, last))
            assert top is not None
            assert bottom is not None
            area = {"x": 8, "y": top["y"] - 8, "width": 984, "height": bottom["y"] + bottom["height"] - top["y"] + 16}
            page.screenshot(path=PICTURES / f"{name}.png", full_page=True, clip=area)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = report(Path(temporary).resolve())
        check(bool(re.search("undecided", (folder / "index.html").read_text())), "the report has an undecided branch")
        look(folder)
        if given.pictures:
            photograph(folder)
    print(f"{len(_failures)} failures")
    return bool(_failures)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Usage: render.py SOURCE OUTPUT

Renders the documentation of the source tree SOURCE into OUTPUT: the guide and the other Markdown files, the manual
pages, and the JSON schemas. Links between them lead from page to page; a link to any other file of the tree gets a
copy of that file. A link that leads nowhere is an error. Needs cmark-gfm and mandoc.
"""
import html
import json
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import schema as schemas  # noqa: E402

TOOLS = {"cmark-gfm": "cmark-gfm", "mandoc": "mandoc"}  # program, and its package in Debian
CHAPTERS = ["README", "quick-start-c", "quick-start-rust", "quick-start-python", "quick-start-go",
            "quick-start-node", "quick-start-java", "quick-start-any", "ci", "dashboard", "migrating",
            "reading-a-report", "other-profilers", "why-counts-differ", "limits", "faq", "terms"]
PROJECT = ["README.md", "NEWS.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.I)


class Broken(Exception):
    """A link or a file that is not there."""


def slug(text):
    """The anchor that forges give a heading."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def run(*words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout


class Site:
    def __init__(self, source, output):
        self.source, self.output = pathlib.Path(source), pathlib.Path(output)
        self.copied = set()
        self.pages = {}  # path in the source: path in the site
        self.titles = {}
        for name in CHAPTERS:
            self.pages[f"man/guide/{name}.md"] = f"guide/{'index' if name == 'README' else name}.html"
        for name in PROJECT:
            self.pages[name] = "index.html" if name == "README.md" else name.removesuffix(".md").lower() + ".html"
        for path in sorted((self.source / "man").glob("*.[0-9]")):
            self.pages[f"man/{path.name}"] = f"man/{path.name}.html"
            self.titles[f"man/{path.name}"] = re.sub(r"\.(\d)$", r"(\1)", path.name)
        for path in sorted((self.source / "data").glob("*.schema.json")):
            name = path.name.removesuffix(".schema.json")
            self.pages[f"data/{path.name}"] = f"schema/{name}.html"
            self.titles[f"data/{path.name}"] = json.loads(path.read_text())["title"]
        for path in self.markdown():
            heading = re.search(r"^# (.+)$", (self.source / path).read_text(), re.M)
            if not heading:
                raise Broken(f"{path}: has no heading")
            self.titles[path] = heading[1].replace("`", "")
        self.groups = [
            ("Guide", [p for p in self.pages if p.startswith("man/guide/")]),
            ("Commands", [p for p in self.pages if re.fullmatch(r"man/[^/]*\.1", p)]),
            ("Files and libraries", [p for p in self.pages if re.fullmatch(r"man/[^/]*\.[2-9]", p)]),
            ("JSON schemas", [p for p in self.pages if p.startswith("data/")]),
            ("Project", PROJECT),
        ]

    def markdown(self):
        return [path for path in self.pages if path.endswith(".md")]

    # ---- links ----

    def target(self, page, link):
        """The link in the site for LINK in the file PAGE of the source."""
        if ELSEWHERE.match(link) or link.startswith("#"):
            return link
        path, mark, fragment = link.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        if path == "man/guide":
            path = "man/guide/README.md"
        if path in self.pages:
            there = self.pages[path]
        elif not path.startswith("..") and (self.source / path).is_file():
            there = f"files/{path}"
            self.copied.add(path)
        else:
            raise Broken(f"{page}: {link} leads to no file")
        return posixpath.relpath(there, posixpath.dirname(self.pages[page]) or ".") + mark + fragment

    def relink(self, page, body):
        """The links of the site; one to a directory of the source is left out, as a site has none to show."""
        def of_directory(match):
            path = posixpath.join(posixpath.dirname(page), html.unescape(match[1]))
            plain = not ELSEWHERE.match(match[1]) and posixpath.normpath(path) != "man/guide"
            return match[2] if plain and (self.source / path).is_dir() else match[0]

        body = re.sub(r'<a href="([^"#]+)">(.*?)</a>', of_directory, body, flags=re.S)
        return re.sub(r'\b(href|src)="([^"]*)"', lambda m:
                      f'{m[1]}="{html.escape(self.target(page, html.unescape(m[2])))}"', body)

    # ---- kinds of pages ----

    def render_markdown(self, page):
        body = run("cmark-gfm", "-e", "table", "-e", "autolink", "--to", "html", str(self.source / page))
        seen = {}

        def heading(match):
            name = slug(html.unescape(re.sub(r"<[^>]*>", "", match[2])))
            seen[name] = seen.get(name, -1) + 1
            name += f"-{seen[name]}" if seen[name] else ""
            text = match[2] if "<a " in match[2] else f'<a class="anchor" href="#{name}">{match[2]}</a>'
            return f'<h{match[1]} id="{name}">{text}</h{match[1]}>'

        body = re.sub(r"<h([1-6])>(.*?)</h\1>", heading, body)
        body = body.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
        return self.relink(page, body)

    def render_manual(self, page):
        body = run("mandoc", "-Thtml", "-Ofragment,man=%N.%S", str(self.source / page))

        def reference(match):
            if "man/" + match[1] in self.pages:
                return f'<a class="Xr" href="{match[1]}.html">{match[2]}</a>'
            if match[1].startswith(("irdiff", "libcgprofile")):
                raise Broken(f"{page}: there is no page {match[1]}")
            return f'<span class="Xr">{match[2]}</span>'  # of another program

        def chapter(match):
            path = match[1].replace("/usr/local/share/doc/irdiff/guide/", "README.md")
            there = self.pages.get(f"man/guide/{path}")
            return f'<a href="../{there}">{match[0]}</a>' if there else match[0]

        # mandoc writes a link to "ROLL-UPS" as #ROLL_UPS, and its anchor as ROLL-UPS.
        ids = {name.replace("-", "_"): name for name in re.findall(r'\bid="([^"]*)"', body)}
        body = re.sub(r'href="#([^"]*)"', lambda m: f'href="#{ids.get(m[1].replace("-", "_"), m[1])}"', body)
        body = re.sub(r'<a class="Xr" href="([^"]*)">(.*?)</a>', reference, body, flags=re.S)
        return re.sub(r'<span class="Pa">([^<]*)</span>', chapter, body)

    def render_schema(self, page):
        self.copied.add(page)
        return schemas.page(json.loads((self.source / page).read_text()), posixpath.basename(page))

    # ---- the whole ----

    def navigation(self, page):
        parts = []
        for title, members in self.groups:
            entries = []
            for member in members:
                here = ' aria-current="page"' if member == page else ""
                link = posixpath.relpath(self.pages[member], posixpath.dirname(self.pages[page]) or ".")
                name = "Overview" if member == "man/guide/README.md" else self.titles[member]
                entries.append(f'<li><a href="{html.escape(link)}"{here}>{html.escape(name)}</a></li>')
            shown = " open" if page in members or page == "README.md" and title == "Guide" else ""
            parts.append(f"<details{shown}><summary>{title}</summary><ul>{''.join(entries)}</ul></details>")
        return "\n".join(parts)

    def render(self, page):
        if page.endswith(".md"):
            return self.render_markdown(page)
        return self.render_schema(page) if page.endswith(".json") else self.render_manual(page)

    def write(self):
        template = (HERE / "page.html").read_text()
        for page, path in self.pages.items():
            title = self.titles[page]
            values = {"title": html.escape(title if title.startswith("irdiff") else f"{title} – irdiff"),
                      "root": "../" * path.count("/"), "navigation": self.navigation(page), "body": self.render(page)}
            text = re.sub(r"\{\{(\w+)\}\}", lambda m: values[m[1]], template)
            file = self.output / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        shutil.copyfile(HERE / "style.css", self.output / "style.css")
        for path in self.copied:
            file = self.output / "files" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.source / path, file)
        return len(self.pages)


def main():
    if len(sys.argv) != 3:
        sys.exit("Usage: render.py SOURCE OUTPUT")
    missing = [package for program, package in TOOLS.items() if not shutil.which(program)]
    if missing:
        sys.exit(f"make html: install {' and '.join(missing)} (on Debian: apt-get install {' '.join(missing)})")
    try:
        site = Site(*sys.argv[1:])
        count = site.write()
    except (Broken, OSError) as error:
        sys.exit(f"make html: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"make html: {' '.join(error.cmd)} failed: {error.stderr.strip()}")
    print(f"{os.path.join(sys.argv[2], 'index.html')}: {count} pages")


if __name__ == "__main__":
    main()

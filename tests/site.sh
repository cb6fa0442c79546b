#!/bin/sh
# Usage: tests/site.sh
#
# Links between the Markdown files of the project lead to files and headings that exist, man pages name chapters of the
# guide that exist, and the guide lists the inputs of the action. `make html` renders a site in which every link and anchor leads somewhere, every chapter,
# manual page and schema is reached from the first page, and no page shows markup of roff or Markdown; and it fails
# where a link leads nowhere.
set -u
. "$(dirname "$0")/scratch.sh"
needs python3
: >"$scratch/out"
: >"$scratch/err"
render=$source_dir/man/html/render.py

cat >"$scratch/markdown.py" <<'END'
"""Links of the Markdown files below a directory: to files that are there, and to headings in them."""
import glob
import os
import re
import sys

os.chdir(sys.argv[1])
pages = [name for name in glob.glob("*.md") + glob.glob("man/guide/*.md")]
broken, links = [], 0


def prose(path):
    """The text without blocks of code."""
    with open(path) as file:
        text = re.sub(r"^```.*?^```$", "", file.read(), flags=re.M | re.S)
    return re.sub(r"^(?: {4}|\t).*$", "", text, flags=re.M)


def anchors(path):
    found = set()
    for heading in re.findall(r"^#{1,6} (.+)$", prose(path), re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        number = 0
        while f"{name}-{number}" in found if number else name in found:
            number += 1
        found.add(f"{name}-{number}" if number else name)
    return found


for page in pages:
    text = re.sub(r"``.*?``", "", prose(page))
    targets = re.findall(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)", text, re.S) + re.findall(r"^\[[^\]]+\]: *(\S+)", text, re.M)
    for target in targets:
        if re.match(r"[a-z][a-z0-9+.-]*:", target, re.I):
            continue
        links += 1
        path, _, fragment = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if path.startswith("..") or not os.path.exists(path):
            broken.append(f"{page}: {target}: there is no such file")
        elif fragment and path.endswith(".md") and fragment not in anchors(path):
            broken.append(f"{page}: {target}: there is no such heading")
for path in glob.glob("man/*.[0-9]"):
    with open(path) as file:
        text = file.read()
    for name in re.findall(r"^\.Pa ([a-z][a-z-]*\.md)\b", text, re.M):
        links += 1
        if not os.path.exists(f"man/guide/{name}") and name != "SKILL.md":
            broken.append(f"{path}: {name} is no chapter of the guide")
    for name, section in re.findall(r"^\.Xr ((?:irdiff|libcgprofile)\S*) (\d)", text, re.M):
        if not os.path.exists(f"man/{name}.{section}"):
            broken.append(f"{path}: there is no page {name}({section})")
with open("man/guide/ci.md") as chapter, open("action.yml") as action:
    table = re.search(r"\| input \|.*?\n\n", chapter.read(), re.S)[0]
    told = set(re.findall(r"^\| `(\w+)` \|", table, re.M))
    inputs = re.search(r"^inputs:\n(.*?)^\w", action.read(), re.M | re.S)[1]
    broken += [f"man/guide/ci.md or action.yml lacks the input {name}"
               for name in sorted(told ^ set(re.findall(r"^  (\w+):", inputs, re.M)))]
print("\n".join(broken) or f"{links} links")
sys.exit(bool(broken) or links < 20)
END

cat >"$scratch/site.py" <<'END'
"""The pages below a directory: their links and anchors, what is reached from index.html, and leftovers of markup."""
import glob
import html.parser
import os
import posixpath
import re
import sys

site, source = sys.argv[1:]
wrong = []


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.text, self.code, self.open = [], set(), [], 0, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            if values["id"] in self.ids:
                self.links.append((f"duplicate id {values['id']}", None))
            self.ids.add(values["id"])
        for name in ("href", "src"):
            if name in values:
                self.links.append((values[name], name))
        self.code += tag in ("code", "pre", "style", "script")

    def handle_endtag(self, tag):
        self.code -= tag in ("code", "pre", "style", "script")

    def handle_data(self, data):
        if not self.code:
            self.text.append(data)


def read(path):
    with open(os.path.join(site, path)) as file:
        return file.read()


pages = {os.path.relpath(path, site): None for path in glob.glob(f"{site}/**/*.html", recursive=True)}
pages = {path: Page(read(path)) for path in pages if not path.startswith("files/")}
leads = {}
for path, page in pages.items():
    leads[path] = set()
    for link, kind in page.links:
        if kind is None:
            if not path.startswith("man/"):  # mandoc repeats the ids of options
                wrong.append(f"{path}: {link}")
            continue
        if re.match(r"(?:[a-z][a-z0-9+.-]*:|//)", link, re.I):
            if kind == "src":
                wrong.append(f"{path}: loads {link}")
            continue
        there, _, fragment = link.partition("#")
        there = posixpath.normpath(posixpath.join(posixpath.dirname(path), there)) if there else path
        if there.startswith("..") or not os.path.isfile(os.path.join(site, there)):
            wrong.append(f"{path}: {link} leads to no file")
        elif fragment and there in pages and fragment not in pages[there].ids:
            wrong.append(f"{path}: {link} leads to no anchor")
        else:
            leads[path].add(there)
    text = "".join(page.text)
    for leftover in re.findall(r"\\[&(\[]\S*|^\.(?:Sh|Ss|Pp|Xr|Fl|Bl|El|It)\b|\{\{\w+\}\}|\]\([^)]*\)|^```", text, re.M):
        wrong.append(f"{path}: leftover {leftover!r}")
    if 'name="viewport"' not in read(path) or "style.css" not in read(path):
        wrong.append(f"{path}: has no viewport or style")

reached, ahead = set(), ["index.html"]
while ahead:
    path = ahead.pop()
    if path not in reached:
        reached.add(path)
        ahead += leads.get(path, ())
wrong += [f"{path} is not reached from index.html" for path in pages if path not in reached]
expected = [f"man/{os.path.basename(p)}.html" for p in glob.glob(f"{source}/man/*.[0-9]")]
expected += [f"schema/{os.path.basename(p)[:-len('.schema.json')]}.html" for p in glob.glob(f"{source}/data/*.schema.json")]
expected += [f"guide/{os.path.basename(p)[:-len('.md')].replace('README', 'index')}.html"
             for p in glob.glob(f"{source}/man/guide/*.md")]
wrong += [f"there is no {path}" for path in [*expected, "index.html", "news.html"] if path not in pages]
print("\n".join(wrong) or f"{len(pages)} pages")
sys.exit(bool(wrong) or len(expected) < 40)
END

check "links between Markdown files and from man pages" \
	sh -c 'python3 "$0" "$1" >"$2"' "$scratch/markdown.py" "$source_dir" "$scratch/out"

# A copy that may be damaged.
mkdir "$scratch/copy"
(cd "$source_dir" && cp -R README.md NEWS.md ARCHITECTURE.md CONTRIBUTING.md LICENSE Containerfile action.yml man data "$scratch/copy")
for link in 'man/guide/gone.md' 'man/guide/faq.md#gone' '../etc'; do
	echo "[gone]($link)" >"$scratch/copy/gone.md"
	check "a link to $link is found" sh -c '! python3 "$0" "$1" >"$2"' "$scratch/markdown.py" "$scratch/copy" "$scratch/out"
	check "and named" grep -qF "gone.md: $link: there is no such" "$scratch/out"
done
rm "$scratch/copy/gone.md"
sed -i 's/^  fail:/  failing:/' "$scratch/copy/action.yml"
check "an input that the guide lacks is found" \
	sh -c '! python3 "$0" "$1" >"$2"' "$scratch/markdown.py" "$scratch/copy" "$scratch/out"
check "and named" grep -qF 'lacks the input failing' "$scratch/out"

(PATH=$scratch/nothing && "${python:-python3}" "$render" "$source_dir" "$scratch/empty") >"$scratch/out" 2>&1
check "without the renderers it fails" [ $? -eq 1 ]
check "and says what to install" grep -qF 'apt-get install cmark-gfm mandoc' "$scratch/out"
check "and writes nothing" [ ! -e "$scratch/empty" ]

if has cmark-gfm "make html" && has mandoc "make html"; then
	check "make html" sh -c '"$0" "$1" "$2" "$3" >"$4" 2>&1' "${python:-python3}" "$render" "$source_dir" "$scratch/doc" "$scratch/out"
	check "the site is whole" sh -c 'python3 "$0" "$1" "$2" >"$3"' "$scratch/site.py" "$scratch/doc" "$source_dir" "$scratch/out"
	check "links to sources lead to pages" grep -qF 'href="../man/irdiff-check.1.html"' "$scratch/doc/guide/ci.html"
	check "also to those of schemas" grep -qF 'href="../schema/diff.html"' "$scratch/doc/guide/index.html"

	rm -f "$scratch/doc/guide/faq.html"
	check "a page that is gone is found" \
		sh -c '! python3 "$0" "$1" "$2" >"$3"' "$scratch/site.py" "$scratch/doc" "$source_dir" "$scratch/out"
	check "and named" grep -qF 'faq.html leads to no file' "$scratch/out"

	echo '[gone](gone.md)' >>"$scratch/copy/man/guide/faq.md"
	check "a link that leads nowhere is an error" \
		sh -c '! "$0" "$1" "$2" "$3" >"$4" 2>&1' "${python:-python3}" "$render" "$scratch/copy" "$scratch/no" "$scratch/out"
	check "that is named" grep -qF 'man/guide/faq.md: gone.md leads to no file' "$scratch/out"
fi
finish
